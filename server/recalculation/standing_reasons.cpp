// Why figures of watched scenarios moved: differences by pool and category, and the bridge between results.
#include "server/recalculation/standing_reasons.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "model/questions/drivers.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/recalculation/result_diff.hpp"

namespace costcurve::recalculation {

namespace {

using model::Category;
using nlohmann::json;

// What the device pools of a result did and cost.
void add_pool(const json& pool, const char* money, StandingDrivers& drivers, std::array<double, model::kCategories>& rest) {
    drivers.busy_device_hours += pool.at("busy_device_hours").get<double>();
    drivers.available_device_hours += pool.at("available_device_hours").get<double>();
    for (const auto& [name, amounts] : pool.at("by_category").items()) {
        const auto category = model::value_of<Category>(name);
        if (category && model::row_of(*category).is_of_devices) {
            drivers.device_cost += amounts.at(money).get<double>();
            rest[static_cast<std::size_t>(*category)] -= amounts.at(money).get<double>();
        }
    }
}

StandingDrivers drivers_in(const json& result, const char* money) {
    StandingDrivers drivers;
    std::array<double, model::kCategories> rest{};
    for (const auto& [name, amounts] : result.at("by_category").items()) {
        rest[static_cast<std::size_t>(model::value_of<Category>(name).value_or(Category::other))] +=
            amounts.at(money).get<double>();
    }
    bool has_hosted = false;
    for (const auto& [id, pool] : result.at("by_pool").items()) {
        const bool is_hosted = pool.at("kind") == name_of(model::PoolKind::api);
        has_hosted = has_hosted || is_hosted;
        if (!is_hosted) {
            add_pool(pool, money, drivers, rest);
        }
    }
    bool is_first = true;
    for (const auto& [id, workload] : result.at("by_workload").items()) {
        const std::string unit = workload.at("unit").get<std::string>();
        drivers.unit = is_first || unit == drivers.unit ? unit : "";
        is_first = false;
        drivers.units += has_hosted ? 0.0 : workload.at("units_served").get<double>();
    }
    constexpr double kRounding = 1e-9; // of what was added up and taken away again
    for (std::size_t c = 0; c < model::kCategories; ++c) {
        if (std::abs(rest[c]) > kRounding * std::abs(drivers.device_cost)) {
            drivers.other_costs.emplace_back(name_of(static_cast<Category>(c)), rest[c]);
        }
    }
    return drivers;
}

// What pools of devices and hosted models have of a figure that is no money; nothing where that of one is not known.
void add_figure(const json& result, model::Objective objective, StandingDrivers& drivers) {
    double of_devices = 0.0;
    double of_others = 0.0;
    for (const auto& [id, pool] : result.at("by_pool").items()) {
        const json& figure = pool.at(std::string(name_of(objective)));
        if (!figure.is_number()) {
            return;
        }
        (pool.at("kind") == name_of(model::PoolKind::api) ? of_others : of_devices) += figure.get<double>();
    }
    drivers.device_figure = of_devices;
    drivers.other_figure = of_others;
}

model::Drivers model_drivers(const StandingDrivers& kept, model::Objective objective) {
    model::Drivers drivers;
    drivers.figure = objective;
    const bool has_units = kept.units > 0.0;
    drivers.units = has_units ? kept.units : kept.busy_device_hours;
    drivers.unit = has_units ? kept.unit : "";
    drivers.busy_hours = kept.busy_device_hours;
    drivers.paid_hours = kept.available_device_hours;
    if (kept.device_figure && kept.other_figure) {
        drivers.device_cost = *kept.device_figure;
        drivers.rest[static_cast<std::size_t>(Category::usage)] = *kept.other_figure;
        return drivers;
    }
    drivers.device_cost = kept.device_cost;
    for (const auto& [name, amount] : kept.other_costs) {
        drivers.rest[static_cast<std::size_t>(model::value_of<Category>(name).value_or(Category::other))] += amount;
    }
    return drivers;
}

StandingDrivers kept_drivers(const json& drivers) {
    StandingDrivers kept{drivers.at("units").get<double>(),
                         drivers.at("unit").get<std::string>(),
                         drivers.at("busy_device_hours").get<double>(),
                         drivers.at("available_device_hours").get<double>(),
                         drivers.at("device_cost").get<double>(),
                         {}};
    for (const auto& [name, amount] : drivers.at("other_costs").items()) {
        kept.other_costs.emplace_back(name, amount.get<double>());
    }
    if (drivers.contains("device_figure")) {
        kept.device_figure = drivers.at("device_figure").get<double>();
        kept.other_figure = drivers.at("other_figure").get<double>();
    }
    return kept;
}

// "version 1.0.0 → 2.1.0 of the model"; "" where the results of both are of one version.
std::string version_reason(const storage::RunCompletion& ending, const json& was, const StandingScenario& entry) {
    if (!entry.result || !was.value("result", json()).is_number()) {
        return "";
    }
    return version_change(ending.model_version_of(entry.scenario, was.at("result").get<std::int64_t>()),
                          ending.model_version_of(entry.scenario, *entry.result));
}

// In the words of the drivers; "" where one of the two does not say enough.
std::string driver_reason(const json& was, const StandingScenario& entry, model::Objective objective) {
    if (!was.contains("drivers") || !entry.drivers) {
        return "";
    }
    const StandingDrivers before = kept_drivers(was.at("drivers"));
    if (!model::is_money(objective) && (!before.device_figure || !entry.drivers->device_figure)) {
        return "";
    }
    return model::change_in_words(
        model::bridge(model_drivers(before, objective), model_drivers(*entry.drivers, objective), entry.currency), entry.scenario,
        entry.currency);
}

} // namespace

std::optional<StandingDrivers> drivers_of_result(std::string_view result, model::Objective objective) {
    try {
        const json body = *parse_json(result);
        StandingDrivers drivers = drivers_in(body, objective == model::Objective::cash ? "cash" : "cost");
        if (!model::is_money(objective)) {
            add_figure(body, objective, drivers);
        }
        return drivers;
    } catch (const json::exception&) {
        return std::nullopt; // an older program's
    }
}

std::vector<StandingReason> reasons_of(const storage::RunCompletion& ending, std::string_view before, const StandingAnswer& now) {
    constexpr double kSame = 1e-9; // relative
    const json earlier = *parse_json(before);
    if (earlier.value("objective", "") != now.objective) {
        return {};
    }
    const model::Objective objective = model::value_of<model::Objective>(now.objective).value_or(model::Objective::cost);
    std::vector<StandingReason> reasons;
    for (const StandingScenario& entry : now.scenarios) {
        const json& scenarios = earlier.at("scenarios");
        const auto was =
            std::find_if(scenarios.begin(), scenarios.end(), [&](const json& it) { return it.at("scenario") == entry.scenario; });
        if (was == scenarios.end() || !was->at("figure").is_number() || !entry.figure ||
            was->value("currency", "") != entry.currency) {
            continue;
        }
        const double figure = was->at("figure").get<double>();
        if (std::abs(*entry.figure - figure) <= kSame * std::max(std::abs(figure), std::abs(*entry.figure))) {
            continue;
        }
        std::string why = version_reason(ending, *was, entry);
        const std::string drivers = driver_reason(*was, entry, objective);
        why += (why.empty() || drivers.empty() ? "" : "; ") + drivers;
        reasons.push_back({entry.scenario, figure, *entry.figure, std::move(why)});
    }
    std::erase_if(reasons, [](const StandingReason& reason) { return reason.why.empty(); });
    std::stable_sort(reasons.begin(), reasons.end(), [](const StandingReason& a, const StandingReason& b) {
        return std::abs(a.now - a.before) > std::abs(b.now - b.before);
    });
    return reasons;
}

} // namespace costcurve::recalculation
