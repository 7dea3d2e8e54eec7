// Every size and precision of a replica, each as a performance with its curves; the best is kept.
#include "model/performance/rated_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/performance/classes.hpp"
#include "model/performance/performance.hpp"

namespace costcurve::model {

namespace {

// A request in tokens: without classes all are tokens out, which take the most.
struct RequestTokens {
    double computed = 0.0; ///< of the prompt
    double cached = 0.0;
    double output = 0.0;
    bool is_split = false;
};
RequestTokens tokens_of(const Workload& workload) {
    const UnitsPerRequest& units = workload.units_per_request;
    if (!units.split) {
        return {0.0, 0.0, units.total, false};
    }
    return {units.input + units.cache_write, units.cached_input, std::max(1.0, units.output + units.reasoning), true};
}

// Precisions that the model is stored in and the device computes in: the workload's, or the published one and wider ones.
std::vector<std::string> precisions_for(const Model& model, const Device& device, const Workload& workload) {
    const auto bits = [](const std::string& word) { return -static_cast<int>(*weight_precision(word)); };
    const std::string least = workload.precision.empty() ? published_precision(model) : workload.precision;
    std::vector<std::string> found;
    for (const auto& [word, bytes] : model.weight_bytes) {
        const auto precision = weight_precision(word);
        const bool is_allowed = workload.precision.empty() ? weight_precision(least) && precision && bits(word) >= bits(least)
                                                           : word == workload.precision;
        if (precision && is_allowed && computes_in(device, *precision)) {
            found.push_back(word);
        }
    }
    return found;
}

Curve by_batch(CurveKind kind) {
    Curve curve;
    curve.kind = kind;
    curve.axis = Axis::batch;
    curve.interpolation = Interpolation::log;
    return curve;
}

// A replica of so many devices at a precision, over all loads that its memory holds.
class Replica {
public:
    Replica(const Rates& rates, const Model& model, const Device& device, const Workload& workload, double devices,
            const std::string& precision)
        : rates_(rates), model_(model), device_(device), workload_(workload), tokens_(tokens_of(workload)) {
        question_.devices = devices;
        question_.precision = *weight_precision(precision);
        question_.framework = workload.framework;
        question_.input_tokens = tokens_.computed + tokens_.cached;
        question_.cached_input_tokens = tokens_.cached;
        question_.output_tokens = tokens_.output;
        performance_.id = fmt::format("rate.{}.{}", model.id, device.id);
        performance_.device.id = device.id;
        performance_.model = model.id;
        performance_.devices = devices;
        performance_.precision = precision;
    }

    // The performance, or why it can't be.
    Fit fit() {
        const std::optional<RatedModel> full = at(kMaxConcurrency);
        if (!full || !full->rate.weights_fit) {
            return {std::nullopt, "exceeds_memory"};
        }
        const double most = std::max(1.0, std::min<double>(kMaxConcurrency, std::floor(full->rate.running)));
        std::vector<double> loads;
        for (int load = 1; load < most; load *= 2) {
            loads.push_back(load);
        }
        loads.push_back(most);
        weigh(*at(most));
        set_curves(loads);
        const BatchChoice chosen = choose_batch(performance_, device_, workload_);
        if (chosen.problem != BatchChoice::Problem::none) {
            return {std::nullopt, "ineligible_latency"};
        }
        const double batch = chosen.batch.value_or(static_cast<int>(most));
        if (!std::ranges::binary_search(loads, batch)) {
            loads.insert(std::ranges::lower_bound(loads, batch), batch);
            set_curves(loads); // exact where it runs
        }
        describe(*at(batch), batch);
        return {performance_, ""};
    }

private:
    [[nodiscard]] std::optional<RatedModel> at(double concurrency) {
        question_.concurrency = concurrency;
        return rates_.rate(model_, device_, question_);
    }

    // One weight at all loads: the rate makes up for it at each, so that this request has its own.
    void weigh(const RatedModel& rated) {
        ClassWeights& weights = performance_.class_weights;
        weights.input = tokens_.is_split ? rated.input_weight : 1.0;
        weights.cache_write = weights.input;
        weights.cached_input = 0.0;
        weights.output = 1.0;
        weights.reasoning = 1.0;
        weighted_per_output_ = 1.0 + *weights.input * tokens_.computed / tokens_.output;
    }

    void set_curves(const std::vector<double>& loads) {
        Curve throughput = by_batch(CurveKind::throughput);
        Curve between = by_batch(CurveKind::latency);
        Curve first = by_batch(CurveKind::latency);
        for (const double load : loads) {
            const RatedModel rated = *at(load);
            throughput.y.push_back(rated.rate.output_per_s * weighted_per_output_);
            between.y.push_back(rated.rate.itl_s);
            first.y.push_back(rated.rate.ttft_s);
        }
        throughput.x = between.x = first.x = loads;
        performance_.units_per_s = Rate{0.0, throughput};
        performance_.itl_s = Rate{0.0, between};
        performance_.ttft_s = Rate{0.0, first};
    }

    void describe(const RatedModel& rated, double batch) {
        performance_.basis = tokens_.is_split ? rated.evidence : Evidence::assumed;
        performance_.source = "step model";
        if (!rated.from.empty()) {
            performance_.source += ", corrected by";
            for (const PointInfluence& influence : rated.from) {
                performance_.rated_by.push_back({document_name<Measurement>, influence.point->measurement, {}, {}});
                performance_.source += fmt::format(" {} {:.0f} %", influence.point->measurement, influence.weight * 100.0);
            }
        }
        performance_.note = fmt::format(
            "{:.6g} tokens in, {:.6g} of them cached, {:.6g} out; at {:.0f} requests {:.6g} tokens/s out, p10 {:.6g}, p90 "
            "{:.6g}; {:.0f} % of the nearest ceiling",
            question_.input_tokens, question_.cached_input_tokens, question_.output_tokens, batch, rated.rate.output_per_s,
            rated.low, rated.high, rated.ceiling * 100.0);
    }

    const Rates& rates_;
    const Model& model_;
    const Device& device_;
    const Workload& workload_;
    RequestTokens tokens_;
    RateQuestion question_;
    Performance performance_;
    double weighted_per_output_ = 1.0;
};

} // namespace

Fit rated_fit(const Rates& rates, const Model& model, const Device& device, const Workload& workload, int devices_per_host) {
    if (model.context_tokens > 0.0 && units_of_request(workload.units_per_request) > model.context_tokens) {
        return {std::nullopt, "exceeds_context"};
    }
    const std::vector<std::string> precisions = precisions_for(model, device, workload);
    Fit best{std::nullopt, precisions.empty() ? "no_peak_at_precision" : "exceeds_memory"};
    double best_rate = 0.0;
    for (const std::string& precision : precisions) {
        for (int devices = 1; devices <= devices_per_host; devices *= 2) {
            Fit fit = Replica(rates, model, device, workload, devices, precision).fit();
            if (!fit.performance) {
                best.reason = best.performance || fit.reason == "exceeds_memory" ? best.reason : fit.reason;
                continue;
            }
            const std::optional<int> batch = choose_batch(*fit.performance, device, workload).batch;
            const double rate =
                replica_rate(*fit.performance, device, workload, batch).units_per_s / devices_held(devices, devices_per_host);
            if (rate > best_rate) {
                best_rate = rate;
                best = std::move(fit);
            }
        }
    }
    return best;
}

Fit rated_training_fit(const TrainingRates& rates, const Model& model, const Device& device, const Workload& workload,
                       int devices_per_host) {
    constexpr double kMaxDevices = 131072.0;
    TrainingQuestion question;
    const std::string precision = workload.precision.empty() ? "bf16" : workload.precision;
    const auto products = weight_precision(precision);
    if (!products || !trains_in(device, *products)) {
        return {std::nullopt, "no_peak_at_precision"};
    }
    question.precision = *products;
    question.framework = workload.framework;
    question.sequence = model.context_tokens > 0.0 ? std::min(kTrainedSequence, model.context_tokens) : kTrainedSequence;
    const double bytes = training_state_bytes(model, *products, question.method);
    const double memory = device.memory_gib.value_or(0.0) * kBytesPerGib;
    double devices = 1.0;
    while (devices < devices_per_host && devices * memory < bytes) {
        devices *= 2.0;
    }
    devices = std::min<double>(devices, devices_per_host);
    if (devices * memory < bytes && memory > 0.0) {
        devices = std::ceil(bytes / (memory * devices_per_host)) * devices_per_host;
    }
    if (!(devices * memory >= bytes) || devices > kMaxDevices) {
        return {std::nullopt, "exceeds_memory"};
    }
    question.devices = devices;
    const RatedTraining rated = *rates.rate(model, device, question); // the device has a peak
    Performance performance;
    performance.id = fmt::format("rate.training.{}.{}", model.id, device.id);
    performance.device.id = device.id;
    performance.model = model.id;
    performance.devices = devices;
    performance.precision = precision;
    performance.units_per_s = Rate{rated.tokens_per_s, {}};
    performance.basis = rated.evidence;
    performance.source = "model of MFU";
    for (const RunInfluence& influence : rated.from) {
        performance.rated_by.push_back({document_name<Measurement>, influence.run->measurement, {}, {}});
        performance.source += fmt::format("{} {} {:.0f} %", &influence == &rated.from.front() ? ", corrected by" : "",
                                          influence.run->measurement, influence.weight * 100.0);
    }
    performance.note = fmt::format("training, samples of {:.6g} tokens; MFU {:.3g}; p10 {:.6g}, p90 {:.6g} tokens/s of {} devices",
                                   question.sequence, rated.mfu, rated.low, rated.high, devices);
    return {performance, ""};
}

} // namespace costcurve::model
