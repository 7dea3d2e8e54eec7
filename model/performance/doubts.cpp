// Latency that is not stated, scaling that is not known, and figures of another precision or model.
#include "model/performance/doubts.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/fields.hpp"
#include "model/performance/classes.hpp"
#include "model/performance/step_model.hpp"

namespace costcurve::model {

namespace {

bool differ(const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; }

// An estimate over several hosts that says nothing of the network between them, or a curve over devices beyond its last point.
bool has_unknown_scaling(const Performance& performance, double devices, double devices_per_host) {
    const auto is_beyond = [&](const std::optional<Rate>& rate) {
        return rate && rate->curve && rate->curve->axis == Axis::devices && devices > rate->curve->x.back();
    };
    const bool is_bare_estimate = devices > devices_per_host && performance.estimate && !performance.scaling;
    return is_bare_estimate || is_beyond(performance.units_per_s) || is_beyond(performance.scaling);
}

} // namespace

std::string percentile_difference(const std::optional<double>& figures, const Workload& workload) {
    const double percentile = workload.slo.percentile;
    if (!workload.slo.is_stated() || percentile == 0.0 || figures == percentile) {
        return "";
    }
    return fmt::format("the figures of latency are of {}, the objectives of percentile {}",
                       figures ? fmt::format("percentile {}", *figures) : "a mean, or of a percentile that is not stated",
                       percentile);
}

namespace {

struct EstimateCeiling {
    std::string_view share;
    double (*stated)(const Estimate& estimate);
    double ceiling;
};
constexpr std::array kEstimateCeilings{
    EstimateCeiling{"mfu", [](const Estimate& of) { return of.mfu.value_or(0.0); }, kPeakCeiling},
    EstimateCeiling{"mbu", [](const Estimate& of) { return of.mbu.value_or(0.0); }, kBandwidthCeiling},
    EstimateCeiling{"alpha", [](const Estimate& of) { return of.alpha; }, kBandwidthCeiling},
    EstimateCeiling{"beta", [](const Estimate& of) { return of.beta; }, kPeakCeiling},
};

// Billions for a number, or bytes of another model: the rate would be any.
std::string reason_of_small(const Estimate& estimate) {
    constexpr double kMinParameters = 1e5;
    constexpr double kMinBytes = 0.19; // a parameter: 1.58 bits, of ternary weights
    if (estimate.active_parameters < kMinParameters) {
        return fmt::format("its active_parameters are {:.6g}: state all of them, 7e10 for 70 billion", estimate.active_parameters);
    }
    return estimate.weight_bytes && *estimate.weight_bytes < kMinBytes * estimate.active_parameters
               ? fmt::format("its weight_bytes are {:.3g} a parameter that a token passes, and a step reads each of them",
                             *estimate.weight_bytes / estimate.active_parameters)
               : "";
}

} // namespace

std::vector<Doubt> doubts_of(const Performance& performance, const Device& device, const Workload& workload,
                             double devices_per_host) {
    std::vector<Doubt> doubts;
    if (has_unknown_latency(performance, workload)) {
        doubts.push_back({Code::latency_unknown, "itl_s",
                          "the workload has an objective of latency, and the performance does not state that figure"});
    }
    const std::string percentile = percentile_difference(performance.latency_percentile, workload);
    if (!percentile.empty() && has_known_latency(performance, workload)) {
        doubts.push_back({Code::percentile_differs, "latency_percentile", percentile});
    }
    const double devices = replica_devices(performance, device);
    if (has_unknown_scaling(performance, devices, devices_per_host)) {
        doubts.push_back(
            {Code::scaling_unknown, "scaling",
             fmt::format("how the rate scales to {} devices, in hosts of {}, is not stated", devices, devices_per_host)});
    }
    if (differ(performance.precision, workload.precision)) {
        doubts.push_back({Code::precision_differs, "precision",
                          fmt::format("the rate is of {}, the workload runs in {}", performance.precision, workload.precision)});
    }
    if (differ(performance.model, workload.model)) {
        doubts.push_back({Code::model_differs, "model",
                          fmt::format("the rate is of {}, the workload runs {}", performance.model, workload.model)});
    }
    if (performance.is_above_ceiling) {
        doubts.push_back({Code::above_ceiling, "units_per_s",
                          "the rate is faster than the devices can read or compute at this precision: state the precision, devices "
                          "and mix that it was measured with, or leave it out"});
    }
    for (const EstimateCeiling& row : kEstimateCeilings) {
        if (performance.estimate && row.stated(*performance.estimate) > row.ceiling) {
            doubts.push_back({Code::above_ceiling, "estimate",
                              fmt::format("its {} is above {}, the largest share that devices reach", row.share, row.ceiling)});
        }
    }
    if (performance.estimate) {
        if (const std::string small = reason_of_small(*performance.estimate); !small.empty()) {
            doubts.push_back({Code::above_ceiling, "estimate", small});
        }
    }
    if (has_unknown_mix(performance, workload)) {
        doubts.push_back({Code::mix_unknown, "mix",
                          "the workload has tokens of several classes, and the performance does not state with which request it "
                          "was measured: its rate is read by class_weights"});
    }
    if (has_distant_mix(performance, workload)) {
        const RequestMix& mix = *performance.mix;
        doubts.push_back(
            {Code::mix_differs, "mix",
             fmt::format("the rate was measured with requests of {:.6g} tokens in, {:.6g} of them cached, and {:.6g} "
                         "out, which the workload's are not near, and no rate follows from it here: it is read by class_weights",
                         mix.input, mix.cached_input, mix.output)});
    }
    return doubts;
}

std::string objectives_text(const Slo& slo) {
    std::vector<std::string> texts;
    for_each_field<Slo>([&](const auto& field) {
        if constexpr (requires { (slo.*field.member).has_value(); }) {
            if (slo.*field.member) {
                texts.push_back(fmt::format("slo.{}, {} s", field.name, *(slo.*field.member)));
            }
        }
    });
    return fmt::format("{}", fmt::join(texts, " and "));
}

} // namespace costcurve::model
