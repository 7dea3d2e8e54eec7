// Rooflines, the decode step, and the memory that decoding takes.
#include "model/performance/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace costcurve::model {

namespace {

constexpr double kTrainingFlopPerParameter = 6.0; // Kaplan et al. 2020
constexpr double kDecodeFlopPerParameter = 2.0;   // Kaplan et al. 2020
constexpr double kPromptPeakFraction = 0.5;       // of the peak that a prompt's arithmetic reaches; design/model.md, section 4

} // namespace

double training_flops_rate(const Estimate& estimate, const EstimateDevices& on) {
    return *estimate.mfu * on.devices * on.peak_flops / (kTrainingFlopPerParameter * estimate.active_parameters);
}

double decode_roofline_rate(const Estimate& estimate, const EstimateDevices& on, double batch) {
    const double compute = *estimate.mfu * on.devices * on.peak_flops / (kDecodeFlopPerParameter * estimate.active_parameters);
    const double memory = batch * on.devices * on.bandwidth * *estimate.mbu / decode_bytes(estimate, batch);
    return std::min(compute, memory);
}

double decode_step_s(const Estimate& estimate, const EstimateDevices& on, double batch) {
    const double reading = decode_bytes(estimate, batch) / (on.devices * on.bandwidth * estimate.alpha);
    const double arithmetic =
        kDecodeFlopPerParameter * batch * estimate.active_parameters / (on.devices * on.peak_flops * estimate.beta);
    return reading + arithmetic + estimate.gamma_s * *estimate.layers;
}

double estimated_rate(const Estimate& estimate, const EstimateDevices& on, double batch) {
    switch (estimate.method) {
    case EstimateMethod::training_flops:
        return training_flops_rate(estimate, on);
    case EstimateMethod::decode_roofline:
        return decode_roofline_rate(estimate, on, batch);
    case EstimateMethod::decode_step:
        break;
    }
    return batch / decode_step_s(estimate, on, batch);
}

double prompt_weight(const Estimate& estimate, const EstimateDevices& on, double units_per_s) {
    return units_per_s * kDecodeFlopPerParameter * estimate.active_parameters / (on.devices * on.peak_flops * kPromptPeakFraction);
}

double decode_bytes(const Estimate& estimate, double batch) {
    return *estimate.weight_bytes + batch * estimate.kv_bytes_per_sequence;
}

double decode_bytes_limit(const Estimate& estimate, const EstimateDevices& on) {
    return on.memory_bytes ? estimate.memory_use_fraction * *on.memory_bytes : HUGE_VAL;
}

} // namespace costcurve::model
