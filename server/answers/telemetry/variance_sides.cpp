// Sums over the ledger's months of one pool, over hours of telemetry and over days of bills.
#include "server/answers/telemetry/variance_sides.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/answers/evaluate.hpp"
#include "server/documents/json_text.hpp"

namespace costcurve::answers {

namespace {

using model::Code;

constexpr double kJoulesPerKwh = 3.6e6;
constexpr double kWattsPerKw = 1000.0;

// ---- predicted ----

// The first and the last month, 0-based, of the horizon.
model::Result<std::pair<std::size_t, std::size_t>> months_of(const model::ScenarioDocument& scenario, const VarianceOf& of) {
    const int first = months_between(scenario.start, of.from);
    const int last = months_between(scenario.start, of.to);
    if (first < 0 || last >= scenario.months) {
        return tl::unexpected(model::Failure{
            {first < 0 ? "/from" : "/to", Code::out_of_range,
             fmt::format("{} to {} is asked for; the scenario has {} to {}", model::to_text(of.from), model::to_text(of.to),
                         model::to_text(scenario.start), model::to_text(model::add_months(scenario.start, scenario.months - 1)))}});
    }
    return std::pair(static_cast<std::size_t>(first), static_cast<std::size_t>(last));
}

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

double sum_over(const model::Cube& cube, std::pair<std::size_t, std::size_t> months, std::size_t at) {
    double sum = 0.0;
    for (std::size_t m = months.first; m <= months.second; ++m) {
        sum += cube(m, at);
    }
    return sum;
}

// Units of all workloads that the pool served. Entries are those of runs_on, workload by workload.
double units_served(const Evaluated& evaluated, std::pair<std::size_t, std::size_t> months, const std::string& pool) {
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
std::optional<double> device_energy(model::ScenarioDocument scenario, std::size_t pool, std::pair<std::size_t, std::size_t> months,
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
    const auto evaluated = evaluate_resolved(std::move(scenario), "/scenario");
    return evaluated ? std::optional(sum_over(evaluated->ledger.energy_kwh, months, pool)) : std::nullopt;
}

// ---- measured ----

struct SourceHour {
    std::optional<double> increase_j;
    std::optional<double> mean_w;
};

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

// A source's energy of an hour is what its counter gained, or else its mean power.
double energy_of(const std::map<std::pair<std::int64_t, std::string>, SourceHour>& hours) {
    double energy_kwh = 0.0;
    for (const auto& [place, hour] : hours) {
        energy_kwh += hour.increase_j ? *hour.increase_j / kJoulesPerKwh : hour.mean_w.value_or(0.0) / kWattsPerKw;
    }
    return energy_kwh;
}

std::optional<model::Failure> add_telemetry(const storage::Store& store, const model::ScenarioDocument& scenario,
                                            const VarianceOf& of, const TelemetryFilter& measured_of, Side& side,
                                            std::vector<std::string>& notes) {
    std::map<std::pair<std::int64_t, std::string>, SourceHour> hours;
    bool has_energy = false;
    double utilization = 0.0;
    double utilization_hours = 0.0;
    double units = 0.0;
    bool has_units = false;
    const auto [first, end] = hours_of(scenario, of);
    const std::vector<std::string> metrics{"power_w", "energy_j", "utilization", "units_per_s"};
    auto visited = visit_hours(store, measured_of, metrics, first, end, [&](const storage::HourRow& row) {
        SourceHour& hour = hours[{row.hour, row.key.source}];
        const std::optional<double> mean =
            row.sum && row.count > 0 ? std::optional(*row.sum / static_cast<double>(row.count)) : std::nullopt;
        if (row.key.metric == "energy_j") {
            if (row.increase && (*row.increase > 0.0 || row.count > 1)) { // a first reading has nothing to subtract
                hour.increase_j = row.increase;
                has_energy = true;
            }
        } else if (mean && row.key.metric == "power_w") {
            hour.mean_w = mean;
            has_energy = true;
        } else if (mean && row.key.metric == "utilization") {
            utilization += *mean;
            utilization_hours += 1.0;
        } else if (mean) {
            units += *mean * static_cast<double>(model::kHour);
            has_units = true;
        }
    });
    if (!visited) {
        return std::move(visited.error());
    }
    if (hours.empty()) {
        notes.push_back(fmt::format("there is no telemetry of {} in these months", text_of(measured_of)));
        return std::nullopt;
    }
    side.telemetry_device_hours = static_cast<double>(hours.size());
    if (has_energy) {
        set(side, &Side::device_energy_kwh, "device_energy_kwh", energy_of(hours), "telemetry");
    }
    if (utilization_hours > 0.0) {
        set(side, &Side::utilization_fraction, "utilization_fraction", utilization / utilization_hours, "telemetry");
    }
    if (has_units) {
        set(side, &Side::units, "units", units, "telemetry");
    }
    set(side, &Side::device_hours, "device_hours", *side.telemetry_device_hours, "telemetry");
    return std::nullopt;
}

// What commitments cover is spread over it: that is the ledger's cost too, not its cash.
std::optional<model::Failure> add_bill(const storage::Store& store, const model::ScenarioDocument& scenario, const VarianceOf& of,
                                       storage::BillQuery query, Side& side, std::vector<std::string>& notes) {
    const model::YearMonth behind = model::add_months(of.to, 1);
    query.from_day = std::llround(model::days_since_epoch(of.from.year, of.from.month, 1));
    query.to_day = std::llround(model::days_since_epoch(behind.year, behind.month, 1));
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

model::Result<Side> predict(const model::ScenarioDocument& scenario, const VarianceOf& of, std::vector<std::string>& notes) {
    const model::Result<std::size_t> pool = pool_of(scenario, of.pool);
    if (!pool) {
        return tl::unexpected(pool.error());
    }
    const auto months = months_of(scenario, of);
    if (!months) {
        return tl::unexpected(months.error());
    }
    const auto evaluated = evaluate_resolved(scenario, "/scenario");
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
    return side;
}

model::Result<Side> measure(const storage::Store& store, const model::ScenarioDocument& scenario, const VarianceOf& of,
                            const Actual& actual, std::vector<std::string>& notes) {
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
        if (auto failure = add_telemetry(store, scenario, of, *actual.telemetry, side, notes)) {
            return tl::unexpected(std::move(*failure));
        }
    }
    return side;
}

} // namespace costcurve::answers
