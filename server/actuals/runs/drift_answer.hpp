// Compares a pool's last day with the days before and with the plan, and finds the cause: POST /v1/drift, and schedules that watch
// pools.
#pragma once

#include "server/actuals/runs/drift.hpp"
#include "server/actuals/variance_answer.hpp"
#include "server/actuals/variance_sides.hpp"
#include "server/answers/answer.hpp"
#include "server/documents/references.hpp"
#include "server/storage/store.hpp"

namespace costcurve::actuals {

struct DriftRequest : model::DriftTerms {
    using Answer = struct DriftAnswer;
    static constexpr answers::QuestionNames names{
        "/v1/drift", "a pool's last day against the days before and the plan, at the same load", "drift_request", "drift"};
    answers::ScenarioInput scenario;
    std::string pool;
    std::optional<TelemetryFilter> telemetry;
    std::optional<storage::BillQuery> bill;
    std::optional<std::string> until; ///< RFC 3339; now where absent
    answers::WhatIf set;
    answers::Scaling scale;
    answers::Moment as_of;
};
/// Checks that the time is valid and that there is something to compare.
void check(DriftRequest& request, const answers::QuestionLimits& limits, model::Failure& issues);

enum class DriftMeasure { tokens_per_joule, output_tokens_per_s, price_per_device_hour, cost_per_million_tokens };
enum class DriftCause { none, price, rate, energy, price_and_rate };

struct MeasureDrift {
    DriftMeasure measure = DriftMeasure::tokens_per_joule;
    std::optional<double> measured;          ///< of the last day
    std::optional<double> expected;          ///< at its load, by the days before
    std::optional<double> planned;           ///< of its month, at the plan's load
    std::optional<double> change_fraction;   ///< of the last day, against expected
    std::optional<double> spread_fraction;   ///< of days, among those before
    std::optional<double> off_plan_fraction; ///< measured against planned
    bool drifted = false;
    std::size_t hours = 0; ///< compared; of a price days
    std::size_t reference_hours = 0;
    std::optional<std::string> first_hour; ///< compared: its beginning
    std::optional<std::string> last_hour;
};
struct DriftAnswer {
    std::string pool;
    std::string currency;
    std::string until;
    double threshold_fraction = 0.0;
    int reference_days = 0;
    bool drifted = false;
    DriftCause cause = DriftCause::none;
    std::vector<MeasureDrift> measures;
    std::vector<std::string> notes;
};

/// Tokens a joule and output tokens a second as load_drift has them: joules over tokens of whole hours, output tokens a second over
/// the batch. The price of a device-hour is that of the bill's newest whole day, over the days before. Cost a million tokens is at
/// the same load: the price's change over the rate's; its spread is theirs together. A price that crosses the threshold from its
/// plan by little steps is one that drifted, too.
[[nodiscard]] model::Result<DriftAnswer> drift(const DriftRequest& request, const model::ScenarioDocument& scenario,
                                               const storage::Store& store);
[[nodiscard]] model::Result<std::string> answer(const DriftRequest& request, const model::ScenarioDocument& scenario,
                                                const storage::Store& store);

/// Issues for missing items that a schedule watches: a scenario, its pool, or a device or source without any telemetry. Messages
/// suggest similar names.
[[nodiscard]] model::Failure watch_issues(const storage::Store& store, const model::Schedule& schedule);
/// The same issues as warnings for a stored schedule, and devices and sources without telemetry in the last two days.
[[nodiscard]] std::vector<std::string> watch_warnings(const storage::Store& store, const model::Schedule& schedule);
/// Checks the pools that a schedule watches and records an event for each drifting pool, once per cause within the reference days.
/// Returns messages about pools that could not be checked.
[[nodiscard]] std::vector<std::string> watch_drift(storage::Store& store, const model::Schedule& schedule);

} // namespace costcurve::actuals

namespace costcurve::model {

template <>
inline constexpr auto enum_names<actuals::DriftMeasure> = std::to_array<std::string_view>(
    {"tokens_per_joule", "output_tokens_per_s", "price_per_device_hour", "cost_per_million_tokens"});
template <>
inline constexpr auto enum_names<actuals::DriftCause> = std::to_array<std::string_view>({"none", "price", "rate", "energy",
                                                                                         "price_and_rate"});
template <>
inline constexpr auto fields<actuals::DriftRequest> = join(
    Rows{Field{"scenario", &actuals::DriftRequest::scenario, answers::kScenarioSpec},
         Field{"pool",
               &actuals::DriftRequest::pool,
               {.required = true, .format = Format::name, .help = "the id of a pool of the scenario"}},
         Field{"telemetry", &actuals::DriftRequest::telemetry, {.help = "whose energy, tokens and batch"}},
         Field{"bill", &actuals::DriftRequest::bill, {.help = "lines whose price of a device-hour is watched"}},
         Field{"until", &actuals::DriftRequest::until, {.format = Format::date_time, .help = "the end of the last day; else now"}}},
    drift_terms<actuals::DriftRequest>, answers::what_if_fields<actuals::DriftRequest>);
template <>
inline constexpr auto fields<actuals::MeasureDrift> = Rows{
    Field{"measure", &actuals::MeasureDrift::measure, {}},
    Field{"measured", &actuals::MeasureDrift::measured, {.help = "of the last day"}},
    Field{"expected", &actuals::MeasureDrift::expected, {.help = "at the same load, by the days before"}},
    Field{"planned", &actuals::MeasureDrift::planned, {.help = "of the month, at the plan's load"}},
    Field{"change_fraction", &actuals::MeasureDrift::change_fraction, {.help = "of the last day against expected"}},
    Field{"spread_fraction", &actuals::MeasureDrift::spread_fraction, {.help = "standard deviation of the days before"}},
    Field{"off_plan_fraction", &actuals::MeasureDrift::off_plan_fraction, {.help = "measured against planned, whatever the load"}},
    Field{"drifted", &actuals::MeasureDrift::drifted, {}},
    Field{"hours", &actuals::MeasureDrift::hours, {.help = "of the last day; of a price days"}},
    Field{"reference_hours", &actuals::MeasureDrift::reference_hours, {}},
    Field{"first_hour", &actuals::MeasureDrift::first_hour, {.format = Format::date_time, .help = "compared: its beginning"}},
    Field{"last_hour", &actuals::MeasureDrift::last_hour, {.format = Format::date_time, .help = "compared: its beginning"}}};
template <>
inline constexpr auto fields<actuals::DriftAnswer> =
    Rows{Field{"pool", &actuals::DriftAnswer::pool, {}},
         Field{"currency", &actuals::DriftAnswer::currency, {.format = Format::currency}},
         Field{"until", &actuals::DriftAnswer::until, {.format = Format::date_time}},
         Field{"threshold_fraction", &actuals::DriftAnswer::threshold_fraction, {}},
         Field{"reference_days", &actuals::DriftAnswer::reference_days, {}},
         Field{"drifted", &actuals::DriftAnswer::drifted, {}},
         Field{"cause", &actuals::DriftAnswer::cause, {.help = "energy: more of it for the same work at the same rate"}},
         Field{"measures", &actuals::DriftAnswer::measures, {}},
         Field{"notes", &actuals::DriftAnswer::notes, {.help = "why a figure is null or not of the last day"}}};

} // namespace costcurve::model
