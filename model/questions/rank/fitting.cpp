// Rates of models whose facts are known; else one pass over the rates that are stored of it.
#include "model/questions/rank/fitting.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/performance/classes.hpp"
#include "model/performance/performance.hpp"
#include "model/performance/rated_fit.hpp"

namespace costcurve::model {

namespace {

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

Fitting::Fitting(const Catalog& catalog)
    : catalog_(catalog),
      rates_(catalog.rates ? catalog.rates
                           : std::make_shared<const Rates>(catalog.models, std::vector<Device>{}, std::vector<MeasuredPoint>{})) {
    for (const Performance& performance : catalog.performances) {
        if (!performance.model.empty()) {
            performances_.emplace(performance.model, &performance);
        }
    }
    for (const Model& model : catalog.models) {
        models_.emplace(model.id, &model);
    }
}

const Fit& Fitting::fit(const Workload& workload, const Device& device, int devices_per_host) {
    const auto [found, is_new] = fits_.try_emplace({&workload, device.id, devices_per_host});
    if (is_new) {
        found->second = find(workload, device, devices_per_host);
    }
    return found->second;
}

Fit Fitting::find(const Workload& workload, const Device& device, int devices_per_host) const {
    const auto model = models_.find(workload.model);
    if (model != models_.end() && step_device(device, {}, WeightPrecision::bf16)) {
        return rated_fit(*rates_, *model->second, device, workload, devices_per_host);
    }
    return exceeds_context(workload) ? Fit{std::nullopt, "exceeds_context"} : stored(workload, device, devices_per_host);
}

Fit Fitting::stored(const Workload& workload, const Device& device, int devices_per_host) const {
    const Performance* best = nullptr;
    double best_rate = 0.0;
    bool any = false;
    const auto [first, last] = performances_.equal_range(workload.model);
    for (auto entry = first; entry != last; ++entry) {
        const Performance& performance = *entry->second;
        if (performance.device.id != device.id) {
            continue;
        }
        any = true;
        const double rate = rate_per_held(performance, workload, device, devices_per_host);
        const bool is_measured = performance.basis == Evidence::measured && !performance.estimate;
        const bool best_is_measured = best != nullptr && best->basis == Evidence::measured && !best->estimate;
        const bool is_better =
            best == nullptr || is_measured > best_is_measured || (is_measured == best_is_measured && rate > best_rate);
        if (rate > 0.0 && is_better) {
            best = &performance;
            best_rate = rate;
        }
    }
    return best != nullptr ? Fit{*best, ""} : Fit{std::nullopt, any ? "no_rate_that_fits" : "no_performance"};
}

std::optional<NearestDevice> Fitting::nearest() const {
    std::optional<NearestDevice> nearest;
    for (const auto& [key, fit] : fits_) {
        if (!fit.performance && fit.nearest && (!nearest || fit.nearest->times_over < nearest->times_over)) {
            nearest = NearestDevice{*fit.nearest, std::get<const Workload*>(key)->id, std::get<std::string>(key)};
        }
    }
    return nearest;
}

bool Fitting::exceeds_context(const Workload& workload) const {
    const auto model = models_.find(workload.model);
    return model != models_.end() && model->second->context_tokens > 0.0 &&
           longest_request(workload) > model->second->context_tokens;
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

} // namespace costcurve::model
