// Sums over pools, waterfall steps between two sums, and sentences by fixed rules.
#include "model/questions/drivers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "model/documents/automation.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t kUsage = static_cast<std::size_t>(Category::usage);

// One cost category of a pool over the horizon, in the objective's figure.
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
        const CompiledEntry& entry = compiled.entries[e];
        const bool is_hosted = compiled.pools[entry.pool].kind == PoolKind::api;
        const bool is_prefill = e < compiled.workloads[entry.workload].first_answer; // another entry decodes its answers
        for (std::size_t m = 0; m < ledger.months && !is_hosted && !is_prefill; ++m) {
            units += ledger.served(m, e);
        }
    }
    return units;
}

// Words for the cost of devices, of a device-hour and of API usage, by figure.
struct FigureWords {
    Objective figure;
    std::string_view hour, hour_unit, devices, others, unit;
};
constexpr auto kFigureWords = std::to_array<FigureWords>({
    {Objective::cost, "price of a device-hour", "currency/device-hour", "devices", "usage", "currency"},
    {Objective::energy_kwh, "energy of a device-hour", "kWh", "energy of devices", "energy of hosted models", "kWh"},
    {Objective::carbon_kg, "carbon of a device-hour", "kg CO2e", "carbon of devices", "carbon of hosted models", "kg CO2e"},
});
const FigureWords& words_of(Objective figure) {
    const auto* const found =
        std::find_if(kFigureWords.begin(), kFigureWords.end(), [&](const FigureWords& words) { return words.figure == figure; });
    return found == kFigureWords.end() ? kFigureWords.front() : *found;
}

// Adds the factors of device cost, if both scenarios have busy devices.
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
    const FigureWords& words = words_of(a.figure);
    steps.push_back({std::string(words.hour), std::string(words.hour_unit), hour_a, hour_b, b.paid_hours * (hour_b - hour_a)});
}

// Cost of a side's idle device-hours; 0 if it has no devices.
double idle_cost(const Drivers& side) {
    return side.paid_hours > 0.0 ? side.device_cost * (1 - side.busy_hours / side.paid_hours) : 0.0;
}

void add_step(std::string_view driver, std::string_view unit, double a, double b, std::vector<DriverStep>& steps) {
    steps.push_back({std::string(driver), std::string(unit), a, b, b - a});
}
void add_money(std::string_view driver, double a, double b, std::vector<DriverStep>& steps) {
    add_step(driver, "currency", a, b, steps);
}

// Adds the steps of all categories but device cost; API usage only if the price of work doesn't contain it (`with_usage`).
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
            add_money(name_of(static_cast<Category>(c)), a.rest[c], b.rest[c], steps);
        } else {
            rest_a += a.rest[c];
            rest_b += b.rest[c];
        }
    }
    add_money("other categories", rest_a, rest_b, steps);
    add_money("tax", a.tax, b.tax, steps);
}

// The amount rounded to whole units from 1000 to 1e9; otherwise with four significant digits.
std::string amount(double value) {
    const bool is_whole = std::abs(value) >= 1000 && std::abs(value) < 1e9;
    return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

struct Phrase {
    std::string_view driver;
    std::string_view text; ///< a template with placeholders for this value, the other value and the unit
};
constexpr auto kPhrases = std::to_array<Phrase>({
    {"work", "its devices do {} against {} {}"},
    {"throughput", "a busy device does {} against {} {}"},
    {"price of a device-hour", "its device-hour costs {} against {} {}"},
    {"energy of a device-hour", "its device-hour takes {} against {} {}"},
    {"carbon of a device-hour", "its device-hour emits {} against {} {}"},
    {"energy of devices", "its devices take {} against {} {}"},
    {"carbon of devices", "its devices emit {} against {} {}"},
    {"energy of hosted models", "its hosted models take {} against {} {}"},
    {"carbon of hosted models", "its hosted models emit {} against {} {}"},
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
    const std::string_view label = row_of(category).label;
    return fmt::format("{} costs {} against {} {}", label, amount(step.b), amount(step.a), unit);
}

// Phrases for the change that each step describes.
constexpr auto kChanged = std::to_array<Phrase>({
    {"work", "the work of devices of"},
    {"throughput", "the throughput of a busy device of"},
    {"utilization", "the utilization of"},
    {"price of a device-hour", "the price of a device-hour of"},
    {"energy of a device-hour", "the energy of a device-hour of"},
    {"carbon of a device-hour", "the carbon of a device-hour of"},
    {"energy of devices", "the energy of devices of"},
    {"carbon of devices", "the carbon of devices of"},
    {"energy of hosted models", "the energy of hosted models of"},
    {"carbon of hosted models", "the carbon of hosted models of"},
    {"devices", "the cost of devices of"},
    {"idle device-hours", "the cost of idle device-hours of"},
    {"price of the work", "the cost of the work alone of"},
    {"other categories", "all other costs of"},
    {"tax", "the tax of"},
});

std::string changed_phrase(const DriverStep& step, std::string_view scenario, std::string_view currency) {
    const auto* const found =
        std::find_if(kChanged.begin(), kChanged.end(), [&](const Phrase& phrase) { return phrase.driver == step.driver; });
    const Category category = value_of<Category>(step.driver).value_or(Category::other);
    const std::string what =
        found != kChanged.end() ? std::string(found->text) : fmt::format("{} costs of", row_of(category).label);
    const bool is_share = step.driver == "utilization";
    const double scale = is_share ? 100 : 1;
    const std::string_view unit = is_share ? "%" : step.unit.starts_with("currency") ? currency : std::string_view(step.unit);
    return fmt::format("{} {} {} from {} to {} {}", what, scenario, step.b > step.a ? "rose" : "fell", amount(scale * step.a),
                       amount(scale * step.b), unit);
}

// Sorted by the size of the change, the largest first.
std::vector<DriverStep> by_size(std::vector<DriverStep> steps) {
    std::stable_sort(steps.begin(), steps.end(),
                     [](const DriverStep& x, const DriverStep& y) { return std::abs(x.amount) > std::abs(y.amount); });
    return steps;
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
            (has_devices && kCategoryRows[c].is_of_devices ? drivers.device_cost : drivers.rest[c]) +=
                money_of(evaluation, drivers.figure, p, c);
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
    const FigureWords& words = words_of(a.figure);
    const bool of_money = is_money(a.figure);
    const bool one_alone = of_money && (a.paid_hours > 0.0) != (b.paid_hours > 0.0);
    if (a.has_work() && b.has_work()) {
        add_factors(a, b, bridge.steps);
    } else if (one_alone) {
        const double idle_a = idle_cost(a);
        const double idle_b = idle_cost(b);
        add_money("idle device-hours", idle_a, idle_b, bridge.steps);
        add_money("price of the work", a.device_cost - idle_a + a.rest[kUsage], b.device_cost - idle_b + b.rest[kUsage],
                  bridge.steps);
    } else {
        add_step(words.devices, words.unit, a.device_cost, b.device_cost, bridge.steps);
    }
    if (of_money) {
        add_rest(a, b, !one_alone, bridge.steps);
    } else {
        add_step(words.others, words.unit, a.rest[kUsage], b.rest[kUsage], bridge.steps);
    }
    constexpr double kRounding = 1e-12;
    const double nothing = kRounding * std::max(std::abs(a.total()), std::abs(b.total()));
    std::erase_if(bridge.steps, [&](const DriverStep& step) { return std::abs(step.amount) <= nothing; });
    constexpr double kEqual = 0.01;
    bridge.why = std::abs(b.total() - a.total()) <= kEqual * std::abs(a.total()) ? "equal to 1 %" : "";
    const std::vector<DriverStep> largest = by_size(bridge.steps);
    for (std::size_t s = 0; s < std::min<std::size_t>(2, largest.size()); ++s) {
        bridge.why += (bridge.why.empty() ? "" : "; ") + phrase(largest[s], currency);
    }
    return bridge;
}

std::string change_in_words(const Bridge& bridge, std::string_view scenario, std::string_view currency) {
    constexpr double kWorthSaying = 0.1; // relative to the largest step
    const std::vector<DriverStep> largest = by_size(bridge.steps);
    std::string text;
    for (std::size_t s = 0; s < std::min<std::size_t>(2, largest.size()); ++s) {
        if (s == 0 || std::abs(largest[s].amount) >= kWorthSaying * std::abs(largest[0].amount)) {
            text += (text.empty() ? "" : "; ") + changed_phrase(largest[s], scenario, currency);
        }
    }
    return text;
}

} // namespace costcurve::model
