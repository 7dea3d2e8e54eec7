// Gauges of a stored scenario: the month's plan by pool, and the forecast of its bill.
#include "server/api/handlers/plan_gauges.hpp"

#include <cmath>

#include "server/actuals/planned.hpp"
#include "server/actuals/runs/forecast_answer.hpp"
#include "server/actuals/samples.hpp"

namespace costcurve::api {

namespace {

// The scenario's month (from 0) that contains a time.
std::optional<std::size_t> month_at(const model::ScenarioDocument& scenario, std::int64_t now) {
    const std::int64_t day = now / (24 * actuals::kMicrosecondsPerHour);
    for (int m = 0; m < scenario.months; ++m) {
        const model::YearMonth month = model::add_months(scenario.start, m);
        const auto [begin, end] = actuals::days_of_months({month, month});
        if (day >= begin && day < end) {
            return static_cast<std::size_t>(m);
        }
    }
    return std::nullopt;
}

void add_known(std::vector<Gauge>& gauges, const char* name, const char* help, const std::optional<double>& value,
               const std::string& labels) {
    if (value) {
        gauges.push_back({name, help, *value, false, labels});
    }
}

} // namespace

void add_plan_gauges(std::vector<Gauge>& gauges, std::string_view id, const answers::Evaluated& evaluated,
                     const storage::Store& store, std::int64_t now, bool with_forecast) {
    const model::ScenarioDocument& scenario = evaluated.scenario.document();
    const std::optional<std::size_t> month = month_at(scenario, now);
    if (!month) {
        return;
    }
    const std::vector<actuals::PlannedPool> planned = actuals::planned_by_pool(evaluated, {*month, *month});
    const std::string of_scenario = label("scenario", id);
    const std::string in_currency = of_scenario + "," + label("currency", scenario.currency);
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const std::string of_pool = of_scenario + "," + label("pool", scenario.pools[p].id);
        add_known(gauges, "costcurve_month_planned_cost", "planned cost of this month by pool, in currency", planned[p].cost,
                  of_pool + "," + label("currency", scenario.currency));
        add_known(gauges, "costcurve_month_planned_device_hours", "planned device-hours of this month", planned[p].device_hours,
                  of_pool);
        add_known(gauges, "costcurve_month_planned_tokens", "tokens that are planned to be served this month", planned[p].tokens,
                  of_pool);
        if (evaluated.summary.pools[p].meters.energy_kwh.is_known) {
            add_known(gauges, "costcurve_month_planned_energy_kwh", "planned energy of this month, of the facility",
                      actuals::sum_over(evaluated.ledger.energy_kwh, {*month, *month}, p), of_pool);
        }
    }
    if (!with_forecast) {
        return;
    }
    actuals::ForecastRequest request;
    request.month = model::add_months(scenario.start, static_cast<int>(*month));
    const auto forecast = actuals::forecast(request, evaluated, store);
    if (!forecast) { // bills are in a currency for which the scenario has no rate
        return;
    }
    const actuals::TotalForecast& total = forecast->total;
    add_known(gauges, "costcurve_month_billed_cost", "billed of this month so far, of whole days, in currency", total.so_far,
              in_currency);
    add_known(gauges, "costcurve_month_forecast_cost", "what this month's bill will come to, in currency", total.forecast,
              in_currency);
    add_known(gauges, "costcurve_month_forecast_low", "of the forecast's interval of 80 %", total.low, in_currency);
    add_known(gauges, "costcurve_month_forecast_high", "of the forecast's interval of 80 %", total.high, in_currency);
}

} // namespace costcurve::api
