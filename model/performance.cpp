// Rates of replicas and gangs, the choice of the batch, and the evidence grade of both.
#include "model/performance.hpp"

#include <algorithm>
#include <cmath>

namespace costcurve::model {

namespace {

constexpr double kTrainingFlopPerParameter = 6.0; // Kaplan et al. 2020
constexpr double kDecodeFlopPerParameter = 2.0;   // Kaplan et al. 2020
constexpr double kBytesPerGb = 1e9;

const Curve* batch_curve(const Performance& performance) {
    for (const std::optional<Rate>* rate : {&performance.units_per_s, &performance.latency_s}) {
        if (*rate && (*rate)->curve && (*rate)->curve->axis == Axis::batch) {
            return &*(*rate)->curve;
        }
    }
    return nullptr;
}

Evidence weaker(Evidence a, Evidence b) { return std::max(a, b); }

// Reads a number or curve of a performance at the axis's coordinate, and lowers the evidence accordingly.
double read_rate(const Rate& rate, double batch, double devices, Evidence& evidence) {
    if (!rate.curve) {
        return rate.number;
    }
    const double x = rate.curve->axis == Axis::devices ? devices : batch;
    evidence = weaker(evidence, evidence_at(*rate.curve, x));
    return read(*rate.curve, x);
}

} // namespace

BatchChoice choose_batch(const Performance& performance, const std::optional<double>& latency_objective_s) {
    const auto keeps = [&](double batch) {
        Evidence ignored = Evidence::measured;
        return read_rate(*performance.latency_s, batch, performance.devices, ignored) <= *latency_objective_s;
    };
    const auto beyond = [&](double batch) {
        const std::optional<Curve>& curve = performance.latency_s->curve;
        return curve && curve->outside == Outside::error && is_outside(*curve, batch);
    };
    const bool bounded = latency_objective_s && performance.latency_s;
    if (performance.batch) {
        return {!bounded || keeps(*performance.batch), performance.batch};
    }
    if (!bounded) {
        return {};
    }
    const Curve* const curve = batch_curve(performance);
    if (curve == nullptr) {
        return {keeps(1.0), std::nullopt};
    }
    const int first = curve->outside == Outside::error ? static_cast<int>(std::ceil(curve->x.front())) : 1;
    for (int batch = static_cast<int>(curve->x.back()); batch >= first; --batch) {
        if (!beyond(batch) && keeps(batch)) {
            return {true, batch};
        }
    }
    return {false, std::nullopt};
}

double training_flops_rate(const Estimate& estimate, double devices, double peak_flops) {
    return estimate.mfu * devices * peak_flops / (kTrainingFlopPerParameter * estimate.active_parameters);
}

double decode_roofline_rate(const Estimate& estimate, double devices, double peak_flops, double batch, double bandwidth) {
    const double compute = estimate.mfu * devices * peak_flops / (kDecodeFlopPerParameter * estimate.active_parameters);
    const double memory =
        batch * devices * bandwidth * *estimate.mbu / (*estimate.weight_bytes + batch * estimate.kv_bytes_per_sequence);
    return std::min(compute, memory);
}

ReplicaRate replica_rate(const Performance& performance, const Device& device, const std::string& workload_precision,
                         std::optional<int> batch) {
    ReplicaRate rate;
    rate.batch = batch;
    rate.evidence = performance.basis;
    const double devices = performance.devices;
    const double at_batch = batch.value_or(1);
    if (performance.estimate) {
        const Estimate& estimate = *performance.estimate;
        const std::string& precision = performance.precision.empty() ? workload_precision : performance.precision;
        const double peak = device.peak_flops.at(precision);
        rate.evidence = weaker(rate.evidence, Evidence::estimated);
        rate.units_per_s =
            estimate.method == EstimateMethod::training_flops
                ? training_flops_rate(estimate, devices, peak)
                : decode_roofline_rate(estimate, devices, peak, at_batch, *device.memory_bandwidth_gb_per_s * kBytesPerGb);
    } else {
        rate.units_per_s = read_rate(*performance.units_per_s, at_batch, devices, rate.evidence);
    }
    if (performance.scaling) {
        rate.units_per_s *= read_rate(*performance.scaling, at_batch, devices, rate.evidence);
    }
    const bool batch_by_latency = batch && !performance.batch;
    if (batch_by_latency && performance.latency_s->curve) {
        rate.evidence = weaker(rate.evidence, evidence_at(*performance.latency_s->curve, at_batch));
    }
    if (performance.input_units_per_s && *performance.input_units_per_s < rate.units_per_s) {
        rate.units_per_s = *performance.input_units_per_s;
        rate.capped_by_input = true;
    }
    return rate;
}

} // namespace costcurve::model
