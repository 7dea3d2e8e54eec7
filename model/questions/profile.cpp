// Compiles with a curve whose value is the hour of the week, so that no two hours of the week are merged into one row.
#include "model/questions/profile.hpp"

#include <numeric>

#include "model/compile.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/evaluate.hpp"

namespace costcurve::model {

namespace {

// The scenario compiled so that each row of the hour table covers a single hour of the week; the last row of a set holds its
// number.
Compiled compile_by_hour_of_week(const Scenario& scenario) {
    HourlyCurve number{Axis::hour_of_week, std::vector<double>(kHoursOfWeek), scenario.document().time_zone};
    std::iota(number.values.begin(), number.values.end(), 0.0);
    return compile(scenario, {}, {number});
}

struct WeekOfMonth {
    const MonthView& month;
    const double* number; ///< by row of the hour table: hour of the week
    Week hours{};

    WeekOfMonth(const MonthView& view, const double* numbers) : month(view), number(numbers) {
        for (std::size_t h = 0; h < month.distinct; ++h) {
            hours[static_cast<std::size_t>(number[h])] += month.weights[h];
        }
    }
    // Means of level x values by hour of the week; means of the level alone if `values` is null.
    [[nodiscard]] Week mean(const double* values, double level = 1.0) const {
        Week week{};
        for (std::size_t h = 0; h < month.distinct; ++h) {
            week[static_cast<std::size_t>(number[h])] += month.weights[h] * (values == nullptr ? 1.0 : values[h]);
        }
        for (std::size_t i = 0; i < kHoursOfWeek; ++i) {
            week[i] = hours[i] > 0 ? level * week[i] / hours[i] : 0.0;
        }
        return week;
    }
};

Profile::PoolWeek week_of_pool(const CompiledPool& pool, const Workspace::PoolHours& hours, std::size_t m,
                               const WeekOfMonth& week) {
    Profile::PoolWeek result;
    if (pool.kind == PoolKind::api) {
        return result;
    }
    result.busy_devices = week.mean(hours.busy.data());
    result.available_devices = week.mean(hours.available.data());
    if (pool.metered) {
        result.power_kw = week.mean(hours.kw.data());
    }
    if (pool.kind == PoolKind::owned) {
        result.energy_price = week.mean(week.month.values(pool.energy_price), pool.energy_price.monthly[m]);
    }
    return result;
}

} // namespace

Profile profile(const Scenario& scenario, std::size_t month) {
    const Compiled compiled = compile_by_hour_of_week(scenario);
    Workspace work(compiled);
    evaluate(compiled, work);
    Profile result;
    for (std::size_t e = 0; e < compiled.entries.size(); ++e) {
        Profile::Served& served =
            result.served.emplace_back(Profile::Served{compiled.entries[e].workload, compiled.entries[e].pool, {}});
        served.units.resize(compiled.months);
        for (std::size_t m = 0; m < compiled.months; ++m) {
            served.units[m] = work.ledger.served(m, e);
        }
    }
    work.keeps_hours = true;
    work.ledger = compiled.fixed;
    for (std::size_t m = 0; m <= month; ++m) { // earlier months too, because carried-over work runs in later months
        evaluate_month(compiled, m, work);
    }
    const MonthView view = view_month(compiled, month);
    const WeekOfMonth week(view, compiled.hours.values_of(view.set, compiled.hours.made_from.curves.size() - 1));
    result.hours = week.hours;
    for (const CompiledWorkload& workload : compiled.workloads) {
        result.demand.push_back(workload.kind == WorkloadKind::inference
                                    ? std::optional(week.mean(view.values(workload.demand), workload.demand.monthly[month]))
                                    : std::nullopt);
    }
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        result.pools.push_back(week_of_pool(compiled.pools[p], work.pools[p], month, week));
    }
    return result;
}

} // namespace costcurve::model
