// What is recorded at the end of a recalculation: an event that it ended, and how watched comparisons stand.
#pragma once

#include "model/documents/automation.hpp"
#include "server/answers/answer.hpp"
#include "server/failure/guard.hpp"
#include "server/storage/standing.hpp"

namespace costcurve::recalculation {

/// Records that the run has ended and, where it is done, which scenario of each comparison is the cheapest now; an event where that
/// is another one than was told last, or its figure has changed beyond the comparison's threshold; and one for each scenario whose
/// figure has gone above the comparison's budget.
void record_end(storage::RunCompletion& ending);
/// The same; a comparison that can't be read is logged, and left out.
void record_end_logged(storage::RunCompletion& ending, const failure::LogFailure& log);

/// What a result's figure is made of, as comparisons break it down (model::Drivers); kept to say what moved it later.
struct StandingDrivers {
    double units = 0.0; ///< 0: not known by device
    std::string unit;
    double busy_device_hours = 0.0;
    double available_device_hours = 0.0;
    double device_cost = 0.0;
    answers::ByName<double> other_costs;                ///< by category
    std::optional<double> device_figure = std::nullopt; ///< of energy or carbon, as the next
    std::optional<double> other_figure = std::nullopt;
};
/// A scenario whose figure moved, and what moved it.
struct StandingReason {
    std::string scenario;
    double before = 0.0;
    double now = 0.0;
    std::string why;
};
/// How a comparison stands: kept as JSON, with what follows it in a list.
struct StandingScenario {
    std::string scenario;
    std::optional<std::int64_t> result;
    std::optional<double> figure;
    std::optional<bool> feasible;
    std::string currency;            ///< of the figure; "" where it is no money
    std::optional<bool> over_budget; ///< nothing without a budget, or where the figure is not known
    std::optional<StandingDrivers> drivers = std::nullopt;
};
struct StandingAnswer {
    std::int64_t recalculation = 0;
    std::string objective;
    std::string currency;
    std::string cheapest;
    std::optional<double> figure;
    std::string problem;
    std::vector<StandingScenario> scenarios;
    std::optional<double> budget;
};
/// Data of a budget's event. `before` is absent at the first recalculation, and where the figure before was unknown.
struct BudgetExceeded {
    std::string comparison;
    std::int64_t recalculation = 0;
    std::string scenario;
    std::string objective;
    std::string currency;
    double budget = 0.0;
    std::optional<double> before;
    double figure = 0.0;
    std::string cause; ///< "model_version", or ""
};
struct StandingEntry : storage::Standing {
    explicit StandingEntry(storage::Standing standing) : Standing(std::move(standing)) {}
    [[nodiscard]] answers::Kept<StandingAnswer> kept() const { return {body}; }
};

} // namespace costcurve::recalculation

namespace costcurve::model {

template <>
inline constexpr auto fields<recalculation::StandingDrivers> = Rows{
    Field{"units", &recalculation::StandingDrivers::units, {.help = "served by devices; 0 where a hosted model serves some"}},
    Field{"unit", &recalculation::StandingDrivers::unit, {.help = "of all workloads; empty where they differ"}},
    Field{"busy_device_hours", &recalculation::StandingDrivers::busy_device_hours, {.unit = "device-hours"}},
    Field{"available_device_hours", &recalculation::StandingDrivers::available_device_hours, {.unit = "device-hours"}},
    Field{"device_cost", &recalculation::StandingDrivers::device_cost, {.unit = "currency"}},
    Field{"other_costs", &recalculation::StandingDrivers::other_costs, {.help = "by category; those that are not 0"}},
    Field{"device_figure",
          &recalculation::StandingDrivers::device_figure,
          {.help = "what devices have of the energy or carbon that decides; absent where money does", .omit = true}},
    Field{"other_figure", &recalculation::StandingDrivers::other_figure, {.help = "what hosted models have of it", .omit = true}},
};
template <>
inline constexpr auto fields<recalculation::StandingReason> = Rows{
    Field{"scenario", &recalculation::StandingReason::scenario, {.format = Format::slug}},
    Field{"before", &recalculation::StandingReason::before, {}},
    Field{"now", &recalculation::StandingReason::now, {}},
    Field{"why", &recalculation::StandingReason::why, {}},
};
template <>
inline constexpr auto fields<recalculation::StandingScenario> = Rows{
    Field{"scenario", &recalculation::StandingScenario::scenario, {.format = Format::slug}},
    Field{"result",
          &recalculation::StandingScenario::result,
          {.min = 1, .help = "the number of its newest result; null where it has none"}},
    Field{"figure", &recalculation::StandingScenario::figure, {.help = "null where it is not known"}},
    Field{"feasible", &recalculation::StandingScenario::feasible, {.help = "null of results that did not say"}},
    Field{"currency",
          &recalculation::StandingScenario::currency,
          {.help = "of the figure; absent where it is no money", .omit = true}},
    Field{"over_budget",
          &recalculation::StandingScenario::over_budget,
          {.help = "whether the figure is above the budget; absent without a budget, or where the figure is not known",
           .omit = true}},
    Field{"drivers",
          &recalculation::StandingScenario::drivers,
          {.help =
               "what its cost, or where cash decides its cash, is made of, and the energy or carbon that decides; absent where it "
               "has no result",
           .omit = true}},
};
template <>
inline constexpr auto fields<recalculation::StandingAnswer> = Rows{
    Field{"recalculation", &recalculation::StandingAnswer::recalculation, {.format = Format::digits}},
    Field{"objective", &recalculation::StandingAnswer::objective, {.words = enum_names<Objective>}},
    Field{"currency",
          &recalculation::StandingAnswer::currency,
          {.help = "of the figures; null where they are no money", .null_if_empty = true}},
    Field{"cheapest",
          &recalculation::StandingAnswer::cheapest,
          {.help = "the id of a scenario; null where there is a problem", .null_if_empty = true}},
    Field{"figure", &recalculation::StandingAnswer::figure, {.help = "its objective"}},
    Field{"problem",
          &recalculation::StandingAnswer::problem,
          {.help = "why none can be said to be the cheapest", .null_if_empty = true}},
    Field{"scenarios", &recalculation::StandingAnswer::scenarios, {}},
    Field{"budget", &recalculation::StandingAnswer::budget, {.help = "as the comparison stated it", .omit = true}},
};
template <>
inline constexpr auto fields<recalculation::BudgetExceeded> = Rows{
    Field{"comparison", &recalculation::BudgetExceeded::comparison, {.format = Format::slug}},
    Field{"recalculation", &recalculation::BudgetExceeded::recalculation, {.format = Format::digits}},
    Field{"scenario", &recalculation::BudgetExceeded::scenario, {.format = Format::slug}},
    Field{"objective", &recalculation::BudgetExceeded::objective, {.words = enum_names<Objective>}},
    Field{"currency", &recalculation::BudgetExceeded::currency, {.null_if_empty = true}},
    Field{"budget", &recalculation::BudgetExceeded::budget, {}},
    Field{"before",
          &recalculation::BudgetExceeded::before,
          {.help = "the figure in the standing before; null where it was not known"}},
    Field{"figure", &recalculation::BudgetExceeded::figure, {}},
    Field{"cause",
          &recalculation::BudgetExceeded::cause,
          {.help = "model_version where another version of the model put it there, and no price: no webhook is called; else absent",
           .omit = true}},
};
template <> inline constexpr std::string_view document_name<recalculation::StandingEntry> = "standing";
template <>
inline constexpr auto fields<recalculation::StandingEntry> = Rows{
    Field{"body", &recalculation::StandingEntry::kept, {}},
    Field{"recorded_at", &storage::Standing::recorded_at, {.format = Format::date_time}},
    Field{"event", &storage::Standing::event, {.min = 1, .help = "the event of it; null where there is none"}},
};

} // namespace costcurve::model
