// Documents to the numbers of the model of MFU, and a residual for each measured run.
#include "model/performance/training_rates.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "model/performance/device_facts.hpp"
#include "model/performance/model_shape.hpp"
#include "model/performance/rated_fit.hpp"
#include "model/performance/stated_shape.hpp"
#include "model/performance/training_table.hpp"

namespace costcurve::model {

namespace {

constexpr std::uint32_t kUnmeasured = std::numeric_limits<std::uint32_t>::max(); // a number of no measurement

// Of YYYY-MM-DD, at its month; 0: not stated.
double month_of(const Date& date) {
    constexpr double kMonths = 12.0;
    constexpr std::size_t kMonth = std::string_view("YYYY-MM").size();
    int year = 0;
    int month = 1;
    if (date.text.size() >= kMonth) {
        std::from_chars(date.text.data(), date.text.data() + 4, year);
        std::from_chars(date.text.data() + 5, date.text.data() + kMonth, month);
    }
    return year == 0 ? 0.0 : year + (month - 1) / kMonths;
}

std::string device_name(std::string_view id) { return fmt::format("device {}", id); }
std::string family_name(std::string_view family) { return fmt::format("family {}", family); }

struct KnownRun {
    TrainingRun run{};
    std::string architecture;
    bool is_assumed = false; ///< facts of the model are missing
};

KnownRun run_of(const Model& model, const Device& device, const TrainingQuestion& question, std::string_view publisher) {
    const std::optional<ModelShape> stated = shape_of(model);
    const ModelShape shape = stated ? *stated : assumed_shape(model);
    KnownRun known;
    known.is_assumed = !stated;
    known.architecture = "architecture " + architecture_of(shape) + (question.method == TrainingMethod::lora ? " lora" : "");
    TrainingRun& run = known.run;
    run.active_parameters = shape.active_parameters;
    run.layers = shape.layers;
    run.hidden = shape.hidden;
    run.attention_flop = shape.attention_flop_prompt;
    run.is_mixture = shape.experts > 0.0;
    run.expert_parameters = stated && run.is_mixture ? shape.expert_parameters / (shape.experts * shape.layers) : 0.0;
    run.peak_flops = products_peak(device, question.precision);
    run.peak_flops_16 = peak_16(device);
    run.family = training_family(device.id);
    run.software = training_software(question.framework, publisher);
    run.precision = question.precision;
    run.method = question.method;
    run.devices = question.devices;
    run.sequence = question.sequence;
    run.tokens_per_step = question.tokens_per_step;
    run.year = question.year;
    return known;
}

} // namespace

void add_runs(const Measurement& measurement, std::vector<MeasuredRun>& runs) {
    const auto precision = weight_precision(name_of(measurement.precision));
    const MeasuredPoints& columns = measurement.points;
    if (measurement.kind != MeasurementKind::training || !measurement.doubt.empty() || !precision || columns.sequence.empty()) {
        return;
    }
    for (std::size_t i = 0; i < columns.tokens_per_s.size(); ++i) {
        MeasuredRun& run = runs.emplace_back();
        run.model = measurement.model;
        run.device = measurement.device;
        run.at.devices = measurement.devices;
        run.at.precision = *precision;
        run.at.method = measurement.method.value_or(TrainingMethod::full);
        run.at.sequence = columns.sequence[i];
        run.at.tokens_per_step = columns.tokens_per_step.empty() ? 0.0 : columns.tokens_per_step[i];
        run.at.framework = measurement.framework;
        run.at.year = month_of(measurement.date);
        run.publisher = measurement.publisher;
        run.is_own = measurement.own;
        run.tokens_per_s = columns.tokens_per_s[i];
        run.measurement = measurement.id;
        run.point = i;
    }
}

double training_state_bytes(const Model& model, WeightPrecision precision, TrainingMethod method) {
    constexpr double kAdamBytes = 16.0;
    constexpr double kBytes[] = {2.0, 1.0, 0.5}; // by WeightPrecision
    return model.parameters * (method == TrainingMethod::lora ? kBytes[static_cast<std::size_t>(precision)] : kAdamBytes);
}

std::uint32_t TrainingRates::number_of_name(const std::string& name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? kUnmeasured : found->second;
}

TrainingRates::TrainingRates(const std::vector<Model>& models, const std::vector<Device>& devices, std::vector<MeasuredRun> runs)
    : runs_(std::move(runs)), measurements_({}), of_any_software_({}) {
    std::map<std::string_view, const Model*> model_by_id;
    std::map<std::string_view, const Device*> device_by_id;
    for (const Model& model : models) {
        model_by_id.emplace(model.id, &model);
    }
    for (const Device& device : devices) {
        device_by_id.emplace(device.id, &device);
    }
    std::vector<RateMeasurement> measured;
    std::vector<RateMeasurement> of_any_software;
    for (const MeasuredRun& run : runs_) {
        const auto model = model_by_id.find(run.model);
        const auto device = device_by_id.find(run.device);
        if (model == model_by_id.end() || device == device_by_id.end() || !trains_in(*device->second, run.at.precision)) {
            continue;
        }
        const KnownRun known = run_of(*model->second, *device->second, run.at, run.publisher);
        const double mfu = run.tokens_per_s / run.at.devices * training_token_s(known.run);
        if (known.is_assumed || mfu > kPeakCeiling) {
            continue; // no residual; faster than the device
        }
        const auto number = [&](const std::string& name) {
            return numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
        };
        const RateConditions at = training_conditions(known.run, number(known.architecture), number(device_name(run.device)),
                                                      number(family_name(known.run.family)));
        measured.push_back(training_measurement(known.run, at, run.tokens_per_s, kTrainingCoefficients,
                                                static_cast<std::uint32_t>(used_.size()), run.is_own));
        KnownRun unstated = known;
        unstated.run.software = TrainingSoftware::other;
        of_any_software.push_back(
            training_measurement(unstated.run, at, run.tokens_per_s, kTrainingCoefficients, measured.back().id, run.is_own));
        used_.push_back(&run);
        for (const std::string& of : {device_name(device->second->id), family_name(known.run.family)}) {
            double& newest = newest_year_[of];
            newest = std::max(newest, run.at.year);
        }
    }
    measurements_ = RateMeasurements(std::move(measured), kTrainingScales);
    of_any_software_ = RateMeasurements(std::move(of_any_software), kTrainingScales);
}

std::optional<RatedTraining> TrainingRates::rate(const Model& model, const Device& device, const TrainingQuestion& question) const {
    if (!trains_in(device, question.precision)) {
        return std::nullopt;
    }
    KnownRun known = run_of(model, device, question, "");
    if (known.run.year == 0.0) { // software got no faster on a device than somebody measured
        const auto of_device = newest_year_.find(device_name(device.id));
        const auto newest = of_device != newest_year_.end() ? of_device : newest_year_.find(family_name(known.run.family));
        known.run.year = newest != newest_year_.end() ? newest->second : 0.0;
    }
    const RateConditions at =
        training_conditions(known.run, number_of_name(known.architecture), number_of_name(device_name(device.id)),
                            number_of_name(family_name(known.run.family)));
    const CorrectedRate corrected = corrected_training_rate(
        known.run, at, kTrainingCoefficients, question.framework.empty() ? of_any_software_ : measurements_, kTrainingIntervals);
    RatedTraining rated;
    rated.tokens_per_s = corrected.rate.output_per_s;
    rated.mfu = corrected.rate.peak_share;
    rated.evidence = known.is_assumed ? Evidence::assumed : corrected.correction.evidence;
    const RateInterval& interval = kTrainingIntervals[static_cast<std::size_t>(rated.evidence)][known.run.is_mixture ? 1 : 0];
    rated.low = rated.tokens_per_s * std::exp(interval.low);
    rated.high = rated.tokens_per_s * std::min(std::exp(interval.high), kPeakCeiling / rated.mfu);
    rated.ceiling = rated.mfu / kPeakCeiling;
    for (std::size_t i = 0; i < corrected.correction.from_count; ++i) {
        const RateInfluence& influence = corrected.correction.from[i];
        rated.from.push_back({used_[influence.id], influence.weight});
    }
    return rated;
}

namespace {

constexpr double kMaxGang = 131072.0; // devices

// Of a device's memory: the rest is for activations, buffers and fragments. A judgement.
constexpr double kUsableMemory = 0.8;

// The smallest power of two of devices inside a host that has the bytes, else whole hosts; 0 where no gang has.
double smallest_gang(double bytes, double memory_of_device, int devices_per_host) {
    const double memory = kUsableMemory * memory_of_device;
    double devices = 1.0;
    while (devices < devices_per_host && devices * memory < bytes) {
        devices *= 2.0;
    }
    devices = std::min<double>(devices, devices_per_host);
    if (devices * memory < bytes && memory > 0.0) {
        devices = std::ceil(bytes / (memory * devices_per_host)) * devices_per_host;
    }
    return devices * memory >= bytes && devices <= kMaxGang ? devices : 0.0;
}

Performance performance_of(const RatedTraining& rated, const TrainingQuestion& question, const std::string& precision,
                           const Model& model, const Device& device) {
    Performance performance;
    performance.id = fmt::format("rate.training.{}.{}", model.id, device.id);
    performance.device.id = device.id;
    performance.model = model.id;
    performance.devices = question.devices;
    performance.precision = precision;
    performance.units_per_s = Rate{rated.tokens_per_s, {}};
    performance.basis = rated.evidence;
    performance.source = "model of MFU";
    for (const RunInfluence& influence : rated.from) {
        performance.rated_by.push_back({document_name<Measurement>, influence.run->measurement, {}, {}});
        performance.source += fmt::format("{} {} {:.0f} %", &influence == &rated.from.front() ? ", corrected by" : "",
                                          influence.run->measurement, influence.weight * 100.0);
    }
    performance.note =
        fmt::format("training, {}samples of {:.6g} tokens; MFU {:.3g}; p10 {:.6g}, p90 {:.6g} tokens/s of {} devices",
                    question.method == TrainingMethod::lora ? "low-rank adapters, " : "", question.sequence, rated.mfu, rated.low,
                    rated.high, question.devices);
    return performance;
}

} // namespace

Fit rated_training_fit(const TrainingRates& rates, const Model& model, const Device& device, const Workload& workload,
                       int devices_per_host, double least_devices) {
    TrainingQuestion question;
    const std::string precision = workload.precision.empty() ? "bf16" : workload.precision;
    const auto products = weight_precision(precision);
    const bool is_float = precision.find("int") == std::string::npos; // gradients of integers are not known
    if (!products || !is_float || !trains_in(device, *products)) {
        return {std::nullopt, "no_peak_at_precision"};
    }
    const double usual = model.context_tokens > 0.0 ? std::min(kTrainedSequence, model.context_tokens) : kTrainedSequence;
    question.sequence = workload.sequence.value_or(usual);
    if (model.context_tokens > 0.0 && question.sequence > model.context_tokens) {
        return {std::nullopt, "exceeds_context"};
    }
    question.precision = *products;
    question.framework = workload.framework;
    question.method = workload.method;
    const double fewest = smallest_gang(training_state_bytes(model, *products, question.method),
                                        device.memory_gib.value_or(0.0) * kBytesPerGib, devices_per_host);
    question.devices = std::max(fewest, least_devices);
    if (fewest == 0.0 || question.devices > kMaxGang) {
        return {std::nullopt, "exceeds_memory"};
    }
    const RatedTraining rated = *rates.rate(model, device, question); // the device has a peak
    return {performance_of(rated, question, precision, model, device),
            "",
            {},
            RateFacts{rated.ceiling, Ceiling::peak, rated.mfu, {}},
            RateRange{rated.low, rated.high}};
}

} // namespace costcurve::model
