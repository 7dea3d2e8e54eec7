// Forecast of a month's bill before its end: billed cost so far, and the rest extrapolated from bills or taken from the plan: POST
// /v1/forecast.
#pragma once

#include "server/actuals/bill_lines.hpp"
#include "server/actuals/variance_sides.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/encode_result.hpp"
#include "server/documents/references.hpp"
#include "server/storage/store.hpp"

namespace costcurve::actuals {

struct ForecastRequest {
    using Answer = struct ForecastAnswer;
    static constexpr answers::QuestionNames names{
        "/v1/forecast", "a month's bill: what is billed so far and the rest as what runs, with an interval", "forecast_request",
        "forecast"};
    answers::ScenarioInput scenario;
    model::YearMonth month;
    std::optional<std::string> through; ///< a day; the one before the newest with lines where absent
    int history_days = 28;
    double interval = 0.8;
    std::vector<PoolBill> pools;
    std::optional<BillMatch> bill;
    std::vector<BillCategory> categories;
    answers::WhatIf set;
    answers::Scaling scale;
    answers::Moment as_of;
};
/// Checks that the day is valid, that categories don't count a charge twice, and that filters aren't empty.
void check(ForecastRequest& request, const answers::QuestionLimits& limits, model::Failure& issues);

/// Source of the rest of the month.
enum class ForecastBasis { bill, plan };

/// Amounts in the scenario's currency; empty if unknown.
struct MonthForecast {
    std::optional<double> so_far;
    std::optional<double> remainder;
    std::optional<double> forecast; ///< the sum of the two
    std::optional<double> low;      ///< of the forecast
    std::optional<double> high;
};
struct PoolForecast : MonthForecast {
    std::string pool;
    ForecastBasis basis = ForecastBasis::plan;
    double planned = 0.0;
};
struct TotalForecast : MonthForecast {
    double planned = 0.0;
    std::optional<double> difference; ///< forecast less planned
};
struct DayForecast {
    std::string day;
    double planned = 0.0;
    std::optional<double> billed;
    std::optional<double> forecast; ///< of a day that is not known
};
struct ForecastAnswer {
    model::YearMonth month;
    std::string currency;
    std::string through; ///< "" where no line is there
    double interval = 0.0;
    std::size_t known_days = 0; ///< that the rest goes by, of this month and those before
    std::size_t days_to_come = 0;
    bool by_weekday = false;
    TotalForecast total;
    std::vector<PoolForecast> pools;
    MonthForecast unmatched;
    std::vector<DayForecast> days;
    std::vector<std::string> notes;
};

/// Forecast by UTC days, as in bills. A pool without lines follows the plan. A pool with lines counts its billed cost so far, and
/// forecast_days for each future day. Days of other months are scaled pool by pool by this month's planned daily cost over theirs.
/// The interval covers only pools with lines.
[[nodiscard]] model::Result<ForecastAnswer> forecast(const ForecastRequest& request, const model::ScenarioDocument& scenario,
                                                     const storage::Store& store);
/// The same for an evaluated scenario.
[[nodiscard]] model::Result<ForecastAnswer> forecast(const ForecastRequest& request, const answers::Evaluated& evaluated,
                                                     const storage::Store& store);
[[nodiscard]] model::Result<std::string> answer(const ForecastRequest& request, const model::ScenarioDocument& scenario,
                                                const storage::Store& store);

} // namespace costcurve::actuals

namespace costcurve::model {

template <> inline constexpr auto enum_names<actuals::ForecastBasis> = std::to_array<std::string_view>({"bill", "plan"});

template <>
inline constexpr auto fields<actuals::ForecastRequest> =
    join(Rows{Field{"scenario", &actuals::ForecastRequest::scenario, answers::kScenarioSpec},
              Field{"month", &actuals::ForecastRequest::month, {.required = true, .help = "whose bill, YYYY-MM"}},
              Field{"through",
                    &actuals::ForecastRequest::through,
                    {.format = Format::date, .help = "the last whole day of the bill; the one before its newest where absent"}},
              Field{"history_days",
                    &actuals::ForecastRequest::history_days,
                    {.unit = "days", .min = 7, .max = 366, .help = "up to it, that the rest of the month goes by"}},
              Field{"interval",
                    &actuals::ForecastRequest::interval,
                    {.min = 0.01, .max = 0.999, .help = "the probability that the bill is from low to high"}}},
         bill_filter_fields<actuals::ForecastRequest>, answers::what_if_fields<actuals::ForecastRequest>);

template <class T>
inline constexpr auto forecast_figures =
    Rows{Field<T, std::optional<double>>{"so_far", &T::so_far, {.help = "billed, of whole days"}},
         Field<T, std::optional<double>>{"remainder", &T::remainder, {.help = "of days that are not known"}},
         Field<T, std::optional<double>>{"forecast", &T::forecast, {.help = "of the month: so_far and remainder"}},
         Field<T, std::optional<double>>{"low", &T::low, {}}, Field<T, std::optional<double>>{"high", &T::high, {}}};
template <> inline constexpr auto fields<actuals::MonthForecast> = forecast_figures<actuals::MonthForecast>;
template <>
inline constexpr auto fields<actuals::PoolForecast> =
    join(Rows{Field{"pool", &actuals::PoolForecast::pool, {}},
              Field{"basis", &actuals::PoolForecast::basis, {.help = "bill, or plan where no line is the pool's"}},
              Field{"planned", &actuals::PoolForecast::planned, {}}},
         forecast_figures<actuals::PoolForecast>);
template <>
inline constexpr auto fields<actuals::TotalForecast> = join(
    Rows{Field{"planned", &actuals::TotalForecast::planned, {.help = "of all pools"}}}, forecast_figures<actuals::TotalForecast>,
    Rows{Field{"difference", &actuals::TotalForecast::difference, {.help = "forecast less planned"}}});
template <>
inline constexpr auto fields<actuals::DayForecast> =
    Rows{Field{"day", &actuals::DayForecast::day, {.format = Format::date}},
         Field{"planned", &actuals::DayForecast::planned, {.help = "the month's, spread evenly"}},
         Field{"billed", &actuals::DayForecast::billed, {}},
         Field{"forecast", &actuals::DayForecast::forecast, {.help = "of a day that is not known"}}};
template <>
inline constexpr auto fields<actuals::ForecastAnswer> =
    Rows{Field{"month", &actuals::ForecastAnswer::month, {}},
         Field{"currency", &actuals::ForecastAnswer::currency, {.format = Format::currency}},
         Field{"through", &actuals::ForecastAnswer::through, {.format = Format::date, .null_if_empty = true}},
         Field{"interval", &actuals::ForecastAnswer::interval, {}},
         Field{"known_days", &actuals::ForecastAnswer::known_days, {.help = "that the rest goes by"}},
         Field{"days_to_come", &actuals::ForecastAnswer::days_to_come, {}},
         Field{"by_weekday", &actuals::ForecastAnswer::by_weekday, {.help = "each day as those of its weekday; else as all"}},
         Field{"total", &actuals::ForecastAnswer::total, {.help = "of all pools and of lines that are of none"}},
         Field{"pools", &actuals::ForecastAnswer::pools, {}},
         Field{"unmatched", &actuals::ForecastAnswer::unmatched, {.help = "compared lines of no pool, or of several"}},
         Field{"days", &actuals::ForecastAnswer::days, {.help = "of the month"}},
         Field{"notes", &actuals::ForecastAnswer::notes, {.help = "why a figure is null, and what was left out"}}};

} // namespace costcurve::model
