// Sums over pools, steps from one to the other, and sentences by fixed rules.
#include "model/questions/drivers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "model/documents/automation.hpp"

namespace costcurve::model {

namespace {

constexpr auto kDeviceCategories =
    std::to_array<Category>({Category::compute, Category::commitment, Category::lease, Category::hardware, Category::facility,
                             Category::maintenance, Category::software, Category::financing, Category::disposal});
constexpr std::size_t kUsage = static_cast<std::size_t>(Category::usage);

bool is_of_devices(std::size_t category) {
    return std::find(kDeviceCategories.begin(), kDeviceCategories.end(), static_cast<Category>(category)) !=
           kDeviceCategories.end();
}

// A pool's row over the horizon, in the figure.
double money_of(const Evaluation& evaluation, Objective objective, std::size_t pool, std::size_t category) {
    const Amounts& row = evaluation.summary.pools[pool].by_category[category];
    switch (objective) {
    case Objective::cash:
        return row.cash;
    case Objective::npv:
    case Objective::npv_after_tax:
        return present_value(evaluation.compiled, evaluation.workspace.ledger, pool, category);
    default:
        return row.cost;
    }
}

double units_by_devices(const Compiled& compiled, const Ledger& ledger) {
    double units = 0.0;
    for (std::size_t e = 0; e < compiled.entries.size(); ++e) {
        const bool is_hosted = compiled.pools[compiled.entries[e].pool].kind == PoolKind::api;
        for (std::size_t m = 0; m < ledger.months && !is_hosted; ++m) {
            units += ledger.served(m, e);
        }
    }
    return units;
}

// Device cost where both have devices that work.
void add_factors(const Drivers& a, const Drivers& b, std::vector<DriverStep>& steps) {
    const double hour_a = a.device_cost / a.paid_hours;
    const double hour_b = b.device_cost / b.paid_hours;
    const double paid_each = a.paid_hours / a.busy_hours;
    if (!a.unit.empty() && a.unit == b.unit) {
        const double busy_each = a.busy_hours / a.units;
        steps.push_back({"work", a.unit + "s", a.units, b.units, (b.units - a.units) * busy_each * paid_each * hour_a});
        steps.push_back({"throughput", a.unit + "s/s", a.units / a.busy_hours / 3600, b.units / b.busy_hours / 3600,
                         (b.busy_hours - b.units * busy_each) * paid_each * hour_a});
    } else {
        steps.push_back(
            {"work", "busy device-hours", a.busy_hours, b.busy_hours, (b.busy_hours - a.busy_hours) * paid_each * hour_a});
    }
    steps.push_back({"utilization", "fraction", a.busy_hours / a.paid_hours, b.busy_hours / b.paid_hours,
                     (b.paid_hours - b.busy_hours * paid_each) * hour_a});
    steps.push_back({"price of a device-hour", "currency/device-hour", hour_a, hour_b, b.paid_hours * (hour_b - hour_a)});
}

// What a side's devices cost while they were idle; 0 of one without devices.
double idle_cost(const Drivers& side) {
    return side.paid_hours > 0.0 ? side.device_cost * (1 - side.busy_hours / side.paid_hours) : 0.0;
}

void add_step(std::string driver, double a, double b, std::vector<DriverStep>& steps) {
    steps.push_back({std::move(driver), "currency", a, b, b - a});
}

// All but the device cost, and the API usage where it is in the price of the work.
void add_rest(const Drivers& a, const Drivers& b, bool with_usage, std::vector<DriverStep>& steps) {
    constexpr double kSmall = 0.02;
    const double least = kSmall * std::abs(b.total() - a.total());
    double rest_a = 0.0;
    double rest_b = 0.0;
    for (std::size_t c = 0; c < kCategories; ++c) {
        if (c == kUsage && !with_usage) {
            continue;
        }
        if (std::abs(b.rest[c] - a.rest[c]) > least) {
            add_step(std::string(name_of(static_cast<Category>(c))), a.rest[c], b.rest[c], steps);
        } else {
            rest_a += a.rest[c];
            rest_b += b.rest[c];
        }
    }
    add_step("other categories", rest_a, rest_b, steps);
    add_step("tax", a.tax, b.tax, steps);
}

// Four digits, as a price is read; whole below a thousand million.
std::string amount(double value) {
    const bool is_whole = std::abs(value) >= 1000 && std::abs(value) < 1e9;
    return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

struct Phrase {
    std::string_view driver;
    std::string_view text; ///< of this, the other, the unit
};
constexpr auto kPhrases = std::to_array<Phrase>({
    {"work", "its devices do {} against {} {}"},
    {"throughput", "a busy device does {} against {} {}"},
    {"price of a device-hour", "its device-hour costs {} against {} {}"},
    {"devices", "its devices cost {} against {} {}"},
    {"idle device-hours", "idle device-hours cost {} against {} {}"},
    {"price of the work", "the work alone costs {} against {} {}"},
    {"other categories", "all else costs {} against {} {}"},
    {"tax", "tax is {} against {} {}"},
});

std::string phrase(const DriverStep& step, std::string_view currency) {
    if (step.driver == "utilization") {
        return fmt::format("it is busy {:.0f} % of the time against {:.0f} %", 100 * step.b, 100 * step.a);
    }
    const auto* const found =
        std::find_if(kPhrases.begin(), kPhrases.end(), [&](const Phrase& phrase) { return phrase.driver == step.driver; });
    const std::string_view unit = step.unit.starts_with("currency") ? currency : std::string_view(step.unit);
    if (found != kPhrases.end()) {
        return fmt::format(fmt::runtime(found->text), amount(step.b), amount(step.a), unit);
    }
    const Category category = value_of<Category>(step.driver).value_or(Category::other);
    const std::string_view label = kCategoryStyles[static_cast<std::size_t>(category)].label;
    return fmt::format("{} costs {} against {} {}", label, amount(step.b), amount(step.a), unit);
}

} // namespace

double Drivers::total() const { return device_cost + std::accumulate(rest.begin(), rest.end(), 0.0) + tax; }

Drivers drivers_of(const Evaluation& evaluation, Objective objective) {
    const ScenarioDocument& scenario = evaluation.scenario.document();
    const Summary& summary = evaluation.summary;
    Drivers drivers;
    drivers.figure = is_money(objective) ? objective : Objective::cost;
    drivers.units = units_by_devices(evaluation.compiled, evaluation.workspace.ledger);
    for (std::size_t p = 0; p < summary.pools.size(); ++p) {
        const bool has_devices = p < scenario.pools.size() && scenario.pools[p].kind != PoolKind::api;
        if (has_devices) {
            drivers.busy_hours += summary.pools[p].busy_device_hours;
            drivers.paid_hours += summary.pools[p].available_device_hours;
        }
        for (std::size_t c = 0; c < kCategories; ++c) {
            (has_devices && is_of_devices(c) ? drivers.device_cost : drivers.rest[c]) += money_of(evaluation, drivers.figure, p, c);
        }
    }
    drivers.tax = objective == Objective::npv_after_tax ? summary.npv_after_tax - summary.npv : 0.0;
    drivers.unit = scenario.workloads.front().unit;
    for (const Workload& workload : scenario.workloads) {
        drivers.unit = workload.unit == drivers.unit ? drivers.unit : "";
    }
    return drivers;
}

Bridge bridge(const Drivers& a, const Drivers& b, std::string_view currency) {
    Bridge bridge{a.figure, "", {}};
    const bool one_alone = (a.paid_hours > 0.0) != (b.paid_hours > 0.0);
    if (a.has_work() && b.has_work()) {
        add_factors(a, b, bridge.steps);
    } else if (one_alone) {
        const double idle_a = idle_cost(a);
        const double idle_b = idle_cost(b);
        add_step("idle device-hours", idle_a, idle_b, bridge.steps);
        add_step("price of the work", a.device_cost - idle_a + a.rest[kUsage], b.device_cost - idle_b + b.rest[kUsage],
                 bridge.steps);
    } else {
        add_step("devices", a.device_cost, b.device_cost, bridge.steps);
    }
    add_rest(a, b, !one_alone, bridge.steps);
    constexpr double kRounding = 1e-12;
    const double nothing = kRounding * std::max(std::abs(a.total()), std::abs(b.total()));
    std::erase_if(bridge.steps, [&](const DriverStep& step) { return std::abs(step.amount) <= nothing; });
    constexpr double kEqual = 0.01;
    bridge.why = std::abs(b.total() - a.total()) <= kEqual * std::abs(a.total()) ? "equal to 1 %" : "";
    std::vector<DriverStep> largest = bridge.steps;
    std::stable_sort(largest.begin(), largest.end(),
                     [](const DriverStep& x, const DriverStep& y) { return std::abs(x.amount) > std::abs(y.amount); });
    for (std::size_t s = 0; s < std::min<std::size_t>(2, largest.size()); ++s) {
        bridge.why += (bridge.why.empty() ? "" : "; ") + phrase(largest[s], currency);
    }
    return bridge;
}

} // namespace costcurve::model
