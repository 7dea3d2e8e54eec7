// Both sides of a variance: months of a pool's ledger, and its hours of telemetry and days of bills.
#include "server/actuals/variance_sides.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/answers/evaluate.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::actuals {

namespace {

using model::Code;

constexpr double kJoulesPerKwh = 3.6e6;
constexpr double kWattsPerKw = 1000.0;

// ---- predicted ----

model::Result<std::size_t> pool_of(const model::ScenarioDocument& scenario, const std::string& id) {
    const auto found =
        std::find_if(scenario.pools.begin(), scenario.pools.end(), [&](const model::Pool& pool) { return pool.id == id; });
    if (found == scenario.pools.end()) {
        std::string names;
        for (const model::Pool& pool : scenario.pools) {
            names += (names.empty() ? "" : ", ") + pool.id;
        }
        return tl::unexpected(model::Failure{
            {"/pool", Code::unknown_reference, fmt::format("pool is {}; the scenario has {}", shortened(id, 60), names)}});
    }
    return static_cast<std::size_t>(found - scenario.pools.begin());
}

// Units of all workloads that the pool served. Entries are those of runs_on, workload by workload.
double units_served(const answers::Evaluated& evaluated, MonthRange months, const std::string& pool) {
    double sum = 0.0;
    std::size_t entry = 0;
    for (const model::Workload& workload : evaluated.scenario.document().workloads) {
        for (const model::RunsOn& runs_on : workload.runs_on) {
            sum += runs_on.pool == pool ? sum_over(evaluated.ledger.served, months, entry) : 0.0;
            ++entry;
        }
    }
    return sum;
}

// The energy of the devices alone is that of the same scenario with hosts that draw nothing and a PUE of 1.
std::optional<double> device_energy(model::ScenarioDocument scenario, std::size_t pool, MonthRange months,
                                    std::vector<std::string>& notes) {
    const bool by_price = std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                                      [](const model::Workload& w) { return w.routing == model::Routing::cheapest; });
    if (by_price) {
        notes.emplace_back(
            "the devices' share of the predicted energy is not known: a workload is routed by price, which depends on "
            "hosts and PUE");
        return std::nullopt;
    }
    model::Pool& changed = scenario.pools[pool];
    if (changed.server) {
        changed.server->host_idle_w = 0.0;
        changed.server->host_max_w = 0.0;
    }
    if (changed.offer && changed.offer->site) {
        changed.offer->site->pue = {1.0, std::nullopt};
    }
    if (changed.site) {
        changed.site->pue = {1.0, std::nullopt};
    }
    const auto evaluated = answers::evaluate_resolved(std::move(scenario), "/scenario");
    return evaluated ? std::optional(sum_over(evaluated->ledger.energy_kwh, months, pool)) : std::nullopt;
}

// ---- measured ----

struct SourceHour {
    std::optional<double> increase_j;
    std::optional<double> mean_w;
    std::optional<double> tokens; // that counters gained
    std::optional<double> mean_units_per_s;
    std::optional<double> utilization;
};
using SourceHours = std::map<std::pair<std::int64_t, std::string>, SourceHour>;

// Whole hours of the months, in the scenario's zone.
std::pair<std::int64_t, std::int64_t> hours_of(const model::ScenarioDocument& scenario, const VarianceOf& of) {
    const auto starts = model::month_starts(of.from, months_between(of.from, of.to) + 1, scenario.time_zone);
    const auto whole = [](std::int64_t seconds) { return (seconds + model::kHour - 1) / model::kHour; };
    return {whole(starts.front()), whole(starts.back())};
}

void set(Side& side, std::optional<double> Side::*figure, const char* name, double value, const char* basis) {
    if (!(side.*figure)) {
        side.*figure = value;
        side.basis[name] = basis;
    }
}

// kWh summed over hours and sources: an hour's counter increase, otherwise its mean power. Nothing if no hour has either.
std::optional<double> energy_of(const SourceHours& hours) {
    std::optional<double> energy_kwh;
    for (const auto& [place, hour] : hours) {
        if (hour.increase_j || hour.mean_w) {
            energy_kwh =
                energy_kwh.value_or(0.0) + (hour.increase_j ? *hour.increase_j / kJoulesPerKwh : *hour.mean_w / kWattsPerKw);
        }
    }
    return energy_kwh;
}

// Work summed over hours and sources: an hour's increase of token counters if the plan is in tokens, otherwise its mean rate.
std::optional<double> units_of(const SourceHours& hours, bool of_tokens) {
    std::optional<double> units;
    for (const auto& [place, hour] : hours) {
        const bool is_counted = of_tokens && hour.tokens;
        if (is_counted || hour.mean_units_per_s) {
            units = units.value_or(0.0) + (is_counted ? *hour.tokens : *hour.mean_units_per_s * static_cast<double>(model::kHour));
        }
    }
    return units;
}

bool is_in_tokens(const model::ScenarioDocument& scenario) {
    return std::all_of(scenario.workloads.begin(), scenario.workloads.end(),
                       [](const model::Workload& workload) { return workload.unit == "token"; });
}

void add_hour(const storage::HourRow& row, SourceHour& hour) {
    const bool has_gain = row.increase && (*row.increase > 0.0 || row.count > 1); // a first reading has nothing to subtract
    if (has_gain && row.key.metric == "energy_j") {
        hour.increase_j = row.increase;
    } else if (has_gain && row.key.metric.ends_with("_tokens")) {
        hour.tokens = hour.tokens.value_or(0.0) + *row.increase;
    }
    if (!row.sum || row.count == 0) {
        return;
    }
    const double mean = *row.sum / static_cast<double>(row.count);
    if (row.key.metric == "power_w") {
        hour.mean_w = mean;
    } else if (row.key.metric == "units_per_s") {
        hour.mean_units_per_s = mean;
    } else if (row.key.metric == "utilization") {
        hour.utilization = mean;
    }
}

std::optional<double> utilization_of(const SourceHours& hours) {
    double sum = 0.0;
    int count = 0;
    for (const auto& [place, hour] : hours) {
        sum += hour.utilization.value_or(0.0);
        count += hour.utilization ? 1 : 0;
    }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

bool serves_inference(const model::ScenarioDocument& scenario, const std::string& pool) {
    return std::ranges::any_of(scenario.workloads, [&](const model::Workload& workload) {
        return workload.kind == model::WorkloadKind::inference &&
               std::ranges::find(workload.runs_on, pool, &model::RunsOn::pool) != workload.runs_on.end();
    });
}

// Measured work as a share of the plan's rate.
std::optional<double> throughput_share(const Side& predicted, const std::optional<double>& units, double device_hours) {
    if (!units || !predicted.units || *predicted.units <= 0.0 || !predicted.utilization_fraction || !predicted.device_hours) {
        return std::nullopt;
    }
    return *units * *predicted.utilization_fraction * *predicted.device_hours / *predicted.units / device_hours;
}

std::optional<model::Failure> add_telemetry(const storage::Store& store, const model::ScenarioDocument& scenario,
                                            const VarianceOf& of, const TelemetryFilter& measured_of, const Side& predicted,
                                            Side& side, std::vector<std::string>& notes) {
    SourceHours hours;
    const auto [first, end] = hours_of(scenario, of);
    const std::vector<std::string> metrics{"power_w", "energy_j", "utilization", "units_per_s", "input_tokens", "output_tokens"};
    auto visited = visit_hours(store, measured_of, metrics, first, end, [&](const storage::HourRow& row) {
        add_hour(row, hours[{row.hour, row.key.source}]);
    });
    if (!visited) {
        return std::move(visited.error());
    }
    if (hours.empty()) {
        notes.push_back(fmt::format("there is no telemetry of {} in these months", text_of(measured_of)));
        return std::nullopt;
    }
    side.telemetry_device_hours = static_cast<double>(hours.size());
    const auto set_known = [&](std::optional<double> Side::*figure, const char* name, const std::optional<double>& value) {
        if (value) {
            set(side, figure, name, *value, "telemetry");
        }
    };
    set_known(&Side::device_energy_kwh, "device_energy_kwh", energy_of(hours));
    const std::optional<double> busy_time = utilization_of(hours);
    const std::optional<double> units = units_of(hours, is_in_tokens(scenario));
    const bool is_by_rate = serves_inference(scenario, of.pool);
    set_known(&Side::busy_time_fraction, "busy_time_fraction", busy_time);
    set_known(&Side::utilization_fraction, "utilization_fraction",
              is_by_rate ? throughput_share(predicted, units, *side.telemetry_device_hours) : busy_time);
    set_known(&Side::units, "units", units);
    if (is_by_rate && busy_time && !side.utilization_fraction) {
        notes.emplace_back(
            "the measured utilization is not known: devices report the time in which they are busy, not the share of "
            "their rate; counters of tokens or units_per_s tell it");
    }
    set(side, &Side::device_hours, "device_hours", *side.telemetry_device_hours, "telemetry");
    return std::nullopt;
}

// Uses cost with commitments amortized, like the ledger's cost, not its cash.
std::optional<model::Failure> add_bill(const storage::Store& store, const model::ScenarioDocument& scenario, const VarianceOf& of,
                                       storage::BillQuery query, Side& side, std::vector<std::string>& notes) {
    std::tie(query.from_day, query.to_day) = days_of_months(of);
    const std::vector<storage::BillTotal> totals = store.bill(query);
    if (totals.empty()) {
        notes.emplace_back("there is no line of a bill of these months that fits");
        return std::nullopt;
    }
    double cost = 0.0;
    double device_hours = 0.0;
    for (const storage::BillTotal& total : totals) {
        const auto rate = scenario.exchange_rates.find(total.currency);
        if (total.currency != scenario.currency && rate == scenario.exchange_rates.end()) {
            return model::Failure{{"/actual/bill", Code::missing_exchange_rate,
                                   fmt::format("the bill has {} lines in {}; give its rate in the scenario's exchange_rates",
                                               total.lines, total.currency)}};
        }
        cost += total.effective_cost * (total.currency == scenario.currency ? 1.0 : rate->second);
        device_hours += total.device_hours;
    }
    set(side, &Side::cost, "cost", cost, "bill");
    if (device_hours > 0.0) {
        set(side, &Side::device_hours, "device_hours", device_hours, "bill");
    }
    return std::nullopt;
}

} // namespace

int months_between(model::YearMonth from, model::YearMonth to) { return (to.year - from.year) * 12 + to.month - from.month; }

model::Result<MonthRange> months_of(const model::ScenarioDocument& scenario, const MonthsOf& of) {
    const int first = months_between(scenario.start, of.from);
    const int last = months_between(scenario.start, of.to);
    if (first < 0 || last >= scenario.months) {
        return tl::unexpected(model::Failure{
            {first < 0 ? "/from" : "/to", Code::out_of_range,
             fmt::format("the request is for {} to {}; the scenario has {} to {}", model::to_text(of.from), model::to_text(of.to),
                         model::to_text(scenario.start), model::to_text(model::add_months(scenario.start, scenario.months - 1)))}});
    }
    return MonthRange(static_cast<std::size_t>(first), static_cast<std::size_t>(last));
}

double sum_over(const model::Cube& cube, MonthRange months, std::size_t at) {
    double sum = 0.0;
    for (std::size_t m = months.first; m <= months.second; ++m) {
        sum += cube(m, at);
    }
    return sum;
}

std::pair<std::int64_t, std::int64_t> days_of_months(const MonthsOf& of) {
    const model::YearMonth behind = model::add_months(of.to, 1);
    return {std::llround(model::days_since_epoch(of.from.year, of.from.month, 1)),
            std::llround(model::days_since_epoch(behind.year, behind.month, 1))};
}

void check_months(const MonthsOf& of, model::Failure& issues) {
    if (months_between(of.from, of.to) < 0) {
        issues.push_back(
            {"/to", Code::out_of_range,
             fmt::format("to is {}; it must not come before from, {}", model::to_text(of.to), model::to_text(of.from))});
    }
}

model::Result<Side> predict(const model::ScenarioDocument& scenario, const VarianceOf& of, std::vector<std::string>& notes) {
    const model::Result<std::size_t> pool = pool_of(scenario, of.pool);
    if (!pool) {
        return tl::unexpected(pool.error());
    }
    const auto months = months_of(scenario, of);
    if (!months) {
        return tl::unexpected(months.error());
    }
    const auto evaluated = answers::evaluate_resolved(scenario, "/scenario");
    if (!evaluated) {
        return tl::unexpected(evaluated.error());
    }
    const model::Ledger& ledger = evaluated->ledger;
    Side side;
    side.cost = 0.0;
    for (std::size_t m = months->first; m <= months->second; ++m) {
        for (std::size_t c = 0; c < model::kCategories; ++c) {
            *side.cost += ledger.cost(m, *pool, c);
        }
    }
    side.device_hours = sum_over(ledger.available_hours, *months, *pool);
    side.units = units_served(*evaluated, *months, of.pool);
    side.energy_kwh = sum_over(ledger.energy_kwh, *months, *pool);
    if (*side.device_hours > 0.0) {
        side.utilization_fraction = sum_over(ledger.busy_hours, *months, *pool) / *side.device_hours;
    }
    side.device_energy_kwh = device_energy(scenario, *pool, *months, notes);
    if (!evaluated->summary.pools[*pool].meters.energy_kwh.is_known) { // of an offer without a site, or a hosted model
        side.energy_kwh = side.device_energy_kwh = std::nullopt;
    }
    return side;
}

model::Result<Side> measure(const storage::Store& store, const model::ScenarioDocument& scenario, const VarianceOf& of,
                            const Actual& actual, const Side& predicted, std::vector<std::string>& notes) {
    Side side;
    const auto give = [&](std::optional<double> Side::*figure, const char* name) {
        if (actual.*figure) {
            set(side, figure, name, *(actual.*figure), "given");
        }
    };
    give(&Side::cost, "cost");
    give(&Side::device_hours, "device_hours");
    give(&Side::units, "units");
    give(&Side::energy_kwh, "energy_kwh");
    give(&Side::utilization_fraction, "utilization_fraction");
    if (actual.bill) {
        if (auto failure = add_bill(store, scenario, of, *actual.bill, side, notes)) {
            return tl::unexpected(std::move(*failure));
        }
    }
    if (actual.telemetry) {
        if (auto failure = add_telemetry(store, scenario, of, *actual.telemetry, predicted, side, notes)) {
            return tl::unexpected(std::move(*failure));
        }
    }
    return side;
}

} // namespace costcurve::actuals
