// Documents to the step model's numbers, and a residual for each measured point.
#include "model/performance/rates.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include <boost/math/distributions/normal.hpp>
#include <fmt/format.h>

#include "model/performance/rate_table.hpp"
#include "model/performance/stated_shape.hpp"
#include "model/power.hpp"
#include "model/queueing/percentiles.hpp"

namespace costcurve::model {

namespace {

constexpr double kMinInfluence = 0.005;                                       // that is named
constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max(); // of no measurement

StepRequest request_of(const RateQuestion& question, Software software, bool static_batch) {
    StepRequest request;
    request.input_tokens = question.input_tokens;
    request.cached_input_tokens = question.cached_input_tokens;
    request.output_tokens = question.output_tokens;
    request.concurrency = question.concurrency;
    request.devices = question.devices;
    request.attention_groups = question.attention_groups;
    request.precision = question.precision;
    request.kv_bytes_per_value = cache_bytes(question);
    request.software = software;
    request.is_tensorrt = question.framework.find("tensorrt") != std::string::npos || question.framework == "trtllm";
    request.is_sglang = question.framework == "sglang";
    request.static_batch = static_batch;
    return request;
}

struct KnownShape {
    ModelShape shape{};
    bool is_assumed = false;
};
KnownShape shape_or_assumed(const Model& model) {
    const std::optional<ModelShape> stated = shape_of(model);
    return stated ? KnownShape{*stated, false} : KnownShape{assumed_shape(model), true};
}

// The interval of another evidence about the same rate.
void widen_to(Evidence evidence, bool is_mixture, CorrectedRate& corrected) {
    const RateInterval& interval = kRateIntervals[static_cast<std::size_t>(evidence)][is_mixture ? 1 : 0];
    corrected.low = corrected.rate.output_per_s * std::exp(interval.low);
    corrected.high = corrected.rate.output_per_s * std::exp(interval.high);
}

// Whether a measured rate, so many times the predicted one, is none faster than the device.
bool is_possible(const StepRate& predicted, double ratio) {
    return ratio > 0.0 && ratio * predicted.bandwidth_share <= kBandwidthCeiling && ratio * predicted.peak_share <= kPeakCeiling;
}

// Of a computed token of the prompt, in tokens out: prompts take a share of each step.
double input_weight(const ModelShape& shape, const StepDevice& device, StepRequest request) {
    if (request.input_tokens <= request.cached_input_tokens) {
        request.input_tokens = request.cached_input_tokens + 1.0;
    }
    const StepRate rate = step_rate(shape, device, request, kStepParameters);
    const double share = std::min(rate.prompts_s / rate.step_s, 1.0 - 1e-9);
    return share / (1.0 - share) * request.output_tokens / (request.input_tokens - request.cached_input_tokens);
}

// vLLM of before 0.13, or of no stated version: what it does is lower by the factors of Software::plain (decision 51).
Software software_of(std::string_view framework, std::string_view version) {
    constexpr int kTunedFrom = 13; // of 0.13
    if (framework != "vllm" || version.starts_with("nightly")) {
        return Software::tuned;
    }
    int major = 0;
    int minor = -1;
    const char* const end = version.data() + version.size();
    const auto [dot, error] = std::from_chars(version.data(), end, major);
    if (error == std::errc{} && dot < end && *dot == '.') {
        std::from_chars(dot + 1, end, minor);
    }
    return major > 0 || minor >= kTunedFrom ? Software::tuned : Software::plain;
}

// Equal for points that say the same thing, in whatever documents.
std::string said_by(const MeasuredPoint& point) {
    constexpr double kSteps = 250.0; // of the logarithm: copies are rounded, to less than 0.4 %
    const RateQuestion& at = point.at;
    return fmt::format("{}|{}|{}|{}|{}|{:.3g}|{:.3g}|{:.3g}|{:.0f}|{}{}{}", point.model, point.device, at.devices,
                       at.attention_groups, static_cast<int>(at.precision), at.input_tokens, at.output_tokens, at.concurrency,
                       std::log(std::max(1.0, point.output_per_s)) * kSteps, point.static_batch, point.is_offline, point.is_own);
}

// The likeliest layout and load of an offline run, which the point then states: nothing where no replica holds the weights.
std::optional<StepRate> saturated(const ModelShape& shape, const StepDevice& on, MeasuredPoint& point) {
    constexpr int kDevicesOfAHost = 8;
    const RateQuestion stated = point.at;
    std::optional<StepRate> best;
    double best_per_s = 0.0;
    for (int devices = 1; devices <= std::min<double>(stated.devices, kDevicesOfAHost); devices *= 2) {
        RateQuestion question = stated;
        question.devices = devices;
        question.concurrency = kMaxConcurrency;
        const StepRate rate = step_rate(shape, on, request_of(question, point.software, false), kStepParameters);
        if (rate.weights_fit && rate.output_per_s / devices > best_per_s) {
            best_per_s = rate.output_per_s / devices;
            question.concurrency = std::min<double>(kMaxConcurrency, rate.running);
            point.at = question;
            best = rate;
        }
    }
    point.output_per_s *= point.at.devices / stated.devices;
    return best;
}

// Of YYYY-MM-DD; 0: not stated.
double year_of(const Date& date) {
    constexpr double kMonths = 12.0;
    int year = 0;
    int month = 1;
    const std::string& text = date.text;
    if (text.size() >= std::string_view("YYYY-MM").size()) {
        std::from_chars(text.data(), text.data() + 4, year);
        std::from_chars(text.data() + 5, text.data() + 7, month);
    }
    return year == 0 ? 0.0 : year + (month - 1) / kMonths;
}

// Of a mean or a percentile: a mean is the median within a twentieth between tokens, and above it to the first token.
double central(double seconds, const std::optional<double>& percentile, double spread) {
    return percentile == 100.0 ? 0.0 : seconds / percentile_factor(spread, percentile.value_or(0.0));
}

// Of a request no less than its first token and its steps together, each at that percentile.
void read_at(double percentile, double output_tokens, StepRate& rate) {
    rate.ttft_s *= percentile_factor(kLatencySpread.ttft, percentile);
    rate.itl_s *= percentile_factor(kLatencySpread.itl, percentile);
    rate.e2e_s = std::max(rate.e2e_s * percentile_factor(kLatencySpread.e2e, percentile),
                          rate.ttft_s + rate.itl_s * std::max(0.0, output_tokens - 1.0));
}

} // namespace

void add_points(const Measurement& measurement, std::vector<MeasuredPoint>& points) {
    const auto precision = weight_precision(name_of(measurement.precision));
    const MeasuredPoints& columns = measurement.points;
    const bool is_offline = measurement.kind == MeasurementKind::offline;
    const bool has_load = (measurement.kind == MeasurementKind::serving || measurement.kind == MeasurementKind::static_batch) &&
                          !columns.concurrency.empty();
    if (!(has_load || is_offline) || !measurement.doubt.empty() || !precision || columns.output_per_s.empty() ||
        columns.output.empty()) {
        return;
    }
    const auto cache = measurement.kv_precision ? weight_precision(name_of(*measurement.kv_precision)) : std::nullopt;
    for (std::size_t i = 0; i < columns.output_per_s.size(); ++i) {
        const auto read = [i](const std::vector<double>& column) { return column.empty() ? 0.0 : column[i]; };
        MeasuredPoint& point = points.emplace_back();
        point.model = measurement.model;
        point.device = measurement.device;
        point.at.devices = measurement.devices;
        point.at.attention_groups = measurement.parallel ? measurement.parallel->dp : 1;
        point.at.precision = *precision;
        if (cache) {
            point.at.kv_bytes_per_value = *cache == WeightPrecision::bf16 ? 2.0 : 1.0;
        }
        point.at.framework = measurement.framework;
        point.at.input_tokens = read(columns.input);
        point.at.cached_input_tokens = read(columns.cached_input);
        point.at.output_tokens = read(columns.output);
        point.at.concurrency = read(columns.concurrency);
        point.at.year = year_of(measurement.date);
        // One's own server is what it is, of whatever version.
        point.software = measurement.own ? Software::tuned : software_of(measurement.framework, measurement.version);
        point.static_batch = measurement.kind == MeasurementKind::static_batch;
        point.is_offline = is_offline;
        point.is_own = measurement.own;
        point.output_per_s = read(columns.output_per_s);
        point.watts = read(columns.watts);
        if (measurement.kind == MeasurementKind::serving) {
            point.ttft_s = central(read(columns.ttft_s), measurement.percentiles.ttft_s, kLatencySpread.ttft);
            point.itl_s = central(read(columns.itl_s), measurement.percentiles.itl_s, kLatencySpread.itl);
        }
        point.measurement = measurement.id;
        point.point = i;
    }
}

double unmeasured_watts(const ModelShape& shape, const StepDevice& on, const StepRequest& request, const Device& device,
                        double output_per_s) {
    constexpr double kLargestLoad = 128.0;
    StepRequest largest = request;
    largest.concurrency = kLargestLoad * request.devices;
    const double share = std::min(1.0, output_per_s / step_rate(shape, on, largest, kStepParameters).output_per_s);
    return request.devices * serving_watts(device, share);
}

RatedWatts corrected_watts(double unmeasured, const RateCorrection& correction, const Device& device) {
    if (correction.evidence <= Evidence::extrapolated) {
        return {unmeasured * std::exp(correction.log_factor), correction.evidence};
    }
    return {unmeasured, has_serving_curve(device) ? Evidence::estimated : Evidence::assumed};
}

double percentile_factor(double spread, double percentile) {
    const double taken = std::min(percentile, kMaxPercentile);
    return taken == 0.0 ? 1.0 : std::exp(spread * boost::math::quantile(boost::math::normal(), taken / 100.0));
}

bool is_above_ceiling(const MeasuredPoint& point, const Model& model, const Device& device) {
    const auto on = step_device(device, link_of(device), point.at.precision);
    if (!on) {
        return false;
    }
    const StepRate predicted =
        step_rate(shape_or_assumed(model).shape, *on, request_of(point.at, point.software, point.static_batch), kStepParameters);
    return !is_possible(predicted, point.output_per_s / predicted.output_per_s);
}

std::uint32_t Rates::number_of(const std::string& name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? kUnknown : found->second;
}

RateConditions Rates::conditions(const ModelShape& shape, const std::string& device, const RateQuestion& question,
                                 Software software) const {
    return {number_of("architecture " + architecture_of(shape)),
            number_of("device " + device),
            number_of("family " + std::string(device_family(device))),
            number_of("framework " + question.framework),
            question.precision,
            software,
            shape.experts > 0.0,
            question.devices,
            question.input_tokens,
            question.output_tokens,
            question.concurrency,
            question.year};
}

Rates::Rates(const std::vector<Model>& models, const std::vector<Device>& devices, std::vector<MeasuredPoint> points)
    : points_(std::move(points)), measurements_({}), watts_({}) {
    std::map<std::string_view, const Model*> model_by_id;
    std::map<std::string_view, const Device*> device_by_id;
    for (const Model& model : models) {
        model_by_id.emplace(model.id, &model);
    }
    for (const Device& device : devices) {
        device_by_id.emplace(device.id, &device);
    }
    std::vector<RateMeasurement> measured;
    std::vector<RateMeasurement> watts;
    std::set<std::string> said;
    constexpr double kMaxGuess = 0.5; // of ln(measured / predicted): another layout, or another precision than is stated
    for (MeasuredPoint& point : points_) {
        const auto model = model_by_id.find(point.model);
        const auto device = device_by_id.find(point.device);
        if (model == model_by_id.end() || device == device_by_id.end() || !said.insert(said_by(point)).second) {
            continue;
        }
        const KnownShape known = shape_or_assumed(*model->second);
        const auto on = step_device(*device->second, link_of(*device->second), point.at.precision);
        if (!on) {
            continue;
        }
        const std::optional<StepRate> predicted =
            point.is_offline
                ? saturated(known.shape, *on, point)
                : step_rate(known.shape, *on, request_of(point.at, point.software, point.static_batch), kStepParameters);
        const double ratio = predicted ? point.output_per_s / predicted->output_per_s : 0.0;
        if (!predicted || !is_possible(*predicted, ratio) || (point.is_offline && std::fabs(std::log(ratio)) > kMaxGuess)) {
            continue;
        }
        for (const std::string& name : {"architecture " + architecture_of(known.shape), "device " + point.device,
                                        "family " + std::string(device_family(point.device)), "framework " + point.at.framework}) {
            numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size()));
        }
        measured.push_back(rate_measurement(*predicted, conditions(known.shape, point.device, point.at, point.software),
                                            {point.output_per_s, point.ttft_s, point.itl_s},
                                            static_cast<std::uint32_t>(used_.size())));
        measured.back().is_own = point.is_own;
        measured.back().is_guessed = point.is_offline;
        used_.push_back(&point);
        if (point.watts > 0.0 && !point.static_batch && !point.is_offline) {
            const double drawn = unmeasured_watts(known.shape, *on, request_of(point.at, point.software, false), *device->second,
                                                  predicted->output_per_s);
            RateMeasurement& watt = watts.emplace_back();
            watt.at = measured.back().at;
            watt.residual = std::log(point.watts / drawn);
            watt.id = measured.back().id;
            watt.is_own = point.is_own;
        }
    }
    watts_ = RateMeasurements(std::move(watts), kWattsScales);
    measurements_ = RateMeasurements(std::move(measured));
}

std::optional<RatedModel> Rates::rate(const Model& model, const Device& device, const RateQuestion& question,
                                      const MeasuredPoint* besides) const {
    const DeviceLink link = link_of(device);
    const auto on = step_device(device, link, question.precision);
    if (!on) {
        return std::nullopt;
    }
    const KnownShape known = shape_or_assumed(model);
    const StepRequest request = request_of(question, Software::tuned, false);
    const StepRate predicted = step_rate(known.shape, *on, request, kStepParameters);
    const RateConditions at = conditions(known.shape, device.id, question, Software::tuned);
    std::optional<RateMeasurement> one_more;
    if (besides != nullptr) {
        const StepRate there = step_rate(known.shape, *on, request_of(besides->at, besides->software, false), kStepParameters);
        if (const double ratio = besides->output_per_s / there.output_per_s; is_possible(there, ratio)) {
            one_more = {conditions(known.shape, device.id, besides->at, besides->software), std::log(ratio),
                        static_cast<std::uint32_t>(used_.size()), besides->is_own};
        }
    }
    CorrectedRate corrected = corrected_rate(predicted, at, measurements_, kRateIntervals, one_more ? &*one_more : nullptr);
    RatedModel rated;
    rated.evidence = corrected.correction.evidence;
    const bool is_guessed = known.is_assumed || (!link.is_stated && question.devices > 1.0);
    if (is_guessed && rated.evidence > Evidence::interpolated) { // what was measured here needs no shape
        rated.evidence = Evidence::assumed;
        widen_to(Evidence::assumed, at.is_mixture, corrected);
    }
    rated.rate = corrected.rate;
    if (question.percentile > 0.0) {
        read_at(question.percentile, question.output_tokens, rated.rate);
    }
    rated.low = corrected.low;
    rated.high = corrected.high;
    rated.input_weight = input_weight(known.shape, *on, request);
    const double of_bandwidth = rated.rate.bandwidth_share / kBandwidthCeiling;
    const double of_peak = rated.rate.peak_share / kPeakCeiling;
    rated.ceiling = std::max(of_bandwidth, of_peak);
    rated.ceiling_of = of_peak > of_bandwidth ? Ceiling::peak : Ceiling::bandwidth;
    rated.mfu = rated.rate.peak_share * on->peak_flops / products_peak(device, question.precision);
    const RatedWatts drawn =
        corrected_watts(unmeasured_watts(known.shape, *on, request, device, predicted.output_per_s), watts_.correction(at), device);
    rated.watts = drawn.watts;
    rated.watts_evidence = drawn.evidence;
    for (std::size_t i = 0; i < corrected.correction.from_count; ++i) {
        const RateInfluence& influence = corrected.correction.from[i];
        if (influence.weight >= kMinInfluence) {
            rated.from.push_back({influence.id < used_.size() ? used_[influence.id] : besides, influence.weight});
        }
    }
    return rated;
}

} // namespace costcurve::model
