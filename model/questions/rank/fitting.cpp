// One pass over a model's rates for each device; estimates are closed forms.
#include "model/questions/rank/fitting.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "model/performance/classes.hpp"
#include "model/performance/decode_factors.hpp"
#include "model/performance/performance.hpp"

namespace costcurve::model {

namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
constexpr double kMaxBatch = 1024.0;
constexpr auto kPrecisions = std::to_array<std::string_view>({"bf16", "fp16", "fp8", "int8", "fp4"});

// The workload's precision, else the widest that the model is stored in and the device has a peak of.
std::string precision_for(const Model& model, const Device& device, const Workload& workload) {
    const auto both = [&](const std::string& name) {
        return model.weight_bytes.contains(name) && device.peak_flops.contains(name);
    };
    if (!workload.precision.empty()) {
        return both(workload.precision) ? workload.precision : "";
    }
    const auto found =
        std::find_if(kPrecisions.begin(), kPrecisions.end(), [&](std::string_view name) { return both(std::string(name)); });
    return found == kPrecisions.end() ? "" : std::string(*found);
}

// Tokens of a request that are in the cache when its answer is whole, and half-way through.
struct CachedTokens {
    double whole = 0.0;
    double mean = 0.0;
};
CachedTokens cached_tokens(const Workload& workload) {
    const ClassValues units = units_by_class(workload.units_per_request);
    const auto of = [&](UnitClass unit_class) { return units[static_cast<std::size_t>(unit_class)]; };
    const double prompt = of(UnitClass::input) + of(UnitClass::cached_input) + of(UnitClass::cache_write);
    const double answer = of(UnitClass::output) + of(UnitClass::reasoning);
    return {prompt + answer, prompt + answer / 2};
}

// Whether a replica would do more arithmetic than its devices can: a rate that counts answers alone was measured with shorter
// prompts. Two FLOP a parameter and computed token, at the largest peak.
bool exceeds_peak(double units_per_s, double devices, const Model& model, const Device& device, const Workload& workload) {
    const ClassValues units = units_by_class(workload.units_per_request);
    const auto of = [&](UnitClass unit_class) { return units[static_cast<std::size_t>(unit_class)]; };
    const double computed = of(UnitClass::input) + of(UnitClass::output) + of(UnitClass::reasoning);
    const double share = computed / units_of_request(workload.units_per_request);
    double peak = 0.0;
    for (const auto& [precision, flops] : device.peak_flops) {
        peak = std::max(peak, flops);
    }
    return peak > 0.0 && units_per_s * share * 2 * model.active_parameters > devices * peak;
}

// Units/s for each device that a replica holds; 0 where it can't run so.
double rate_per_held(const Performance& performance, const Workload& workload, const Device& device, int devices_per_host) {
    const double devices = replica_devices(performance, device);
    const bool is_known = performance.units_per_s || (performance.estimate && device.memory_bandwidth_gb_per_s.value_or(0.0) > 0.0);
    if (!is_known || (devices > devices_per_host && !performance.spans_hosts)) {
        return 0.0;
    }
    const BatchChoice batch = choose_batch(performance, device, workload);
    if (batch.problem != BatchChoice::Problem::none) {
        return 0.0;
    }
    const double rate = replica_rate(performance, device, workload, batch.batch).units_per_s;
    return std::isfinite(rate) ? rate / devices_held(devices, devices_per_host) : 0.0;
}

} // namespace

Fitting::Fitting(const Catalog& catalog) : catalog_(catalog) {
    for (const Performance& performance : catalog.performances) {
        if (!performance.model.empty()) {
            performances_.emplace(performance.model, &performance);
        }
    }
    for (const Model& model : catalog.models) {
        models_.emplace(model.id, &model);
    }
}

Fit Fitting::fit(const Workload& workload, const Device& device, int devices_per_host) const {
    const Performance* best = nullptr;
    double best_rate = 0.0;
    bool any = false;
    const auto model = models_.find(workload.model);
    const bool has_facts = model != models_.end();
    if (exceeds_context(workload)) {
        return {std::nullopt, "exceeds_context"};
    }
    const auto [first, last] = performances_.equal_range(workload.model);
    for (auto entry = first; entry != last; ++entry) {
        const Performance& performance = *entry->second;
        if (performance.device.id != device.id) {
            continue;
        }
        const double rate = rate_per_held(performance, workload, device, devices_per_host);
        const double devices = replica_devices(performance, device);
        const double units_per_s = rate * devices_held(devices, devices_per_host);
        if (has_facts && exceeds_peak(units_per_s, devices, *model->second, device, workload)) {
            continue; // of other work than this
        }
        any = true;
        const bool is_measured = performance.basis == Evidence::measured && !performance.estimate;
        const bool best_is_measured = best != nullptr && best->basis == Evidence::measured && !best->estimate;
        const bool is_better =
            best == nullptr || is_measured > best_is_measured || (is_measured == best_is_measured && rate > best_rate);
        if (rate > 0.0 && is_better) {
            best = &performance;
            best_rate = rate;
        }
    }
    if (best != nullptr) {
        return {*best, ""};
    }
    if (any) {
        return {std::nullopt, "no_rate_that_fits"};
    }
    return !has_facts ? Fit{std::nullopt, "no_performance"} : estimate_of(*model->second, device, workload, devices_per_host);
}

bool Fitting::exceeds_context(const Workload& workload) const {
    const auto model = models_.find(workload.model);
    return model != models_.end() && model->second->context_tokens > 0.0 &&
           cached_tokens(workload).whole > model->second->context_tokens;
}

bool Fitting::knows(const std::string& model) const {
    return models_.contains(model) || performances_.contains(model) ||
           std::any_of(catalog_.endpoints.begin(), catalog_.endpoints.end(),
                       [&](const Endpoint& endpoint) { return endpoint.model == model; });
}

std::vector<std::string> Fitting::near(const std::string& model) const {
    constexpr std::size_t kMaxNames = 5;
    std::vector<std::pair<std::size_t, std::string>> names;
    const std::string_view family = std::string_view(model).substr(0, model.find_first_of("-0123456789"));
    for (const auto& [id, document] : models_) {
        const auto same = std::mismatch(id.begin(), id.end(), model.begin(), model.end());
        const auto shared = static_cast<std::size_t>(same.first - id.begin());
        if (!family.empty() && id.find(family) != std::string::npos) {
            names.emplace_back(shared, id);
        }
    }
    std::stable_sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> first;
    for (std::size_t i = 0; i < std::min(kMaxNames, names.size()); ++i) {
        first.push_back(std::move(names[i].second));
    }
    return first;
}

Fit estimate_of(const Model& model, const Device& device, const Workload& workload, int devices_per_host) {
    const std::string precision = precision_for(model, device, workload);
    if (precision.empty() || device.memory_bandwidth_gb_per_s.value_or(0.0) <= 0.0 || device.memory_gib.value_or(0.0) <= 0.0) {
        return {std::nullopt, "no_peak_at_precision"};
    }
    const CachedTokens tokens = cached_tokens(workload);
    Performance performance;
    Estimate& estimate = performance.estimate.emplace();
    estimate.method = EstimateMethod::decode_step;
    estimate.active_parameters = model.active_parameters;
    estimate.weight_bytes = model.weight_bytes.at(precision);
    estimate.layers = model.layers;
    estimate.kv_bytes_per_sequence = model.kv_bytes_per_token * tokens.mean;
    const double sequence = model.kv_bytes_per_token * tokens.whole;
    const double usable = estimate.memory_use_fraction * *device.memory_gib * kGib; // of one device
    double devices = 1.0;
    while (devices * usable < *estimate.weight_bytes + sequence && devices <= devices_per_host) {
        devices *= 2;
    }
    if (devices > devices_per_host) {
        return {std::nullopt, "exceeds_memory"};
    }
    const DecodeFactors& factors = decode_factors(device.id, device.vendor, devices);
    estimate.alpha = factors.alpha;
    estimate.beta = factors.beta;
    estimate.gamma_s = factors.gamma_s;
    performance.id = fmt::format("estimate.{}.{}", model.id, device.id);
    performance.source =
        "decode_step of the model's facts; factors of docs/estimates.md, fitted to " + std::string(factors.fitted_to);
    performance.note =
        fmt::format("Left-out rates of that fit were met within {} to {} (5th to 95th percentile).", factors.low, factors.high);
    performance.device.id = device.id;
    performance.model = model.id;
    performance.devices = devices;
    performance.precision = precision;
    performance.basis = Evidence::estimated;
    double batch = sequence > 0.0 ? std::floor((devices * usable - *estimate.weight_bytes) / sequence) : kMaxBatch;
    batch = std::min(batch, kMaxBatch);
    if (workload.latency_objective_s) {
        const EstimateDevices on = estimate_devices(performance, device, workload.precision);
        const double at_zero = decode_step_s(estimate, on, 0.0);
        const double by_sequence = decode_step_s(estimate, on, 1.0) - at_zero;
        batch = std::min(batch, std::floor((*workload.latency_objective_s - at_zero) / by_sequence));
    }
    if (batch < 1.0) {
        return {std::nullopt, "ineligible_latency"};
    }
    performance.batch = static_cast<int>(batch);
    return {std::move(performance), ""};
}

} // namespace costcurve::model
