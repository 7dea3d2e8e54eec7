// What is recorded at the end of a recalculation: an event that it ended, and how watched comparisons stand.
#pragma once

#include "model/documents/automation.hpp"
#include "server/answers/answer.hpp"
#include "server/jobs/guard.hpp"
#include "server/storage/standing.hpp"

namespace costcurve::answers {

/// Records that the run has ended and, where it is done, which scenario of each comparison is the cheapest now; an event where that
/// is another one than was told last, or its figure has changed beyond the comparison's threshold; and one for each scenario whose
/// figure has gone above the comparison's budget.
void record_end(storage::RunCompletion& ending);
/// The same; a comparison that can't be read is logged, and left out.
void record_end_logged(storage::RunCompletion& ending, const jobs::LogFailure& log);

/// How a comparison stands: kept as JSON, with what follows it in a list.
struct StandingScenario {
    std::string scenario;
    std::optional<std::int64_t> result;
    std::optional<double> figure;
    std::optional<bool> feasible;
    std::string currency;            ///< of the figure; "" where it is no money
    std::optional<bool> over_budget; ///< nothing without a budget, or where the figure is not known
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
/// What an event of a budget says: at the first recalculation, and behind a figure that was not known, there is no `before`.
struct BudgetExceeded {
    std::string comparison;
    std::int64_t recalculation = 0;
    std::string scenario;
    std::string objective;
    std::string currency;
    double budget = 0.0;
    std::optional<double> before;
    double figure = 0.0;
};
struct StandingEntry : storage::Standing {
    explicit StandingEntry(storage::Standing standing) : Standing(std::move(standing)) {}
    [[nodiscard]] Kept<StandingAnswer> kept() const { return {body}; }
};

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<answers::StandingScenario> = std::tuple{
    Field{"scenario", &answers::StandingScenario::scenario, {.format = Format::slug}},
    Field{"result",
          &answers::StandingScenario::result,
          {.min = 1, .help = "the number of its newest result; null where it has none"}},
    Field{"figure", &answers::StandingScenario::figure, {.help = "null where it is not known"}},
    Field{"feasible", &answers::StandingScenario::feasible, {.help = "null of results that did not say"}},
    Field{"currency", &answers::StandingScenario::currency, {.help = "of the figure; absent where it is no money", .omit = true}},
    Field{"over_budget",
          &answers::StandingScenario::over_budget,
          {.help = "whether the figure is above the budget; absent without a budget, or where the figure is not known",
           .omit = true}},
};
template <>
inline constexpr auto fields<answers::StandingAnswer> = std::tuple{
    Field{"recalculation", &answers::StandingAnswer::recalculation, {.format = Format::digits}},
    Field{"objective", &answers::StandingAnswer::objective, {.words = enum_names<Objective>}},
    Field{"currency",
          &answers::StandingAnswer::currency,
          {.help = "of the figures; null where they are no money", .null_if_empty = true}},
    Field{"cheapest",
          &answers::StandingAnswer::cheapest,
          {.help = "the id of a scenario; null where there is a problem", .null_if_empty = true}},
    Field{"figure", &answers::StandingAnswer::figure, {.help = "its objective"}},
    Field{"problem", &answers::StandingAnswer::problem, {.help = "why none can be said to be the cheapest", .null_if_empty = true}},
    Field{"scenarios", &answers::StandingAnswer::scenarios, {}},
    Field{"budget", &answers::StandingAnswer::budget, {.help = "as the comparison stated it", .omit = true}},
};
template <>
inline constexpr auto fields<answers::BudgetExceeded> = std::tuple{
    Field{"comparison", &answers::BudgetExceeded::comparison, {.format = Format::slug}},
    Field{"recalculation", &answers::BudgetExceeded::recalculation, {.format = Format::digits}},
    Field{"scenario", &answers::BudgetExceeded::scenario, {.format = Format::slug}},
    Field{"objective", &answers::BudgetExceeded::objective, {.words = enum_names<Objective>}},
    Field{"currency", &answers::BudgetExceeded::currency, {.null_if_empty = true}},
    Field{"budget", &answers::BudgetExceeded::budget, {}},
    Field{"before", &answers::BudgetExceeded::before, {.help = "the figure in the standing before; null where it was not known"}},
    Field{"figure", &answers::BudgetExceeded::figure, {}},
};
template <> inline constexpr std::string_view document_name<answers::StandingEntry> = "standing";
template <>
inline constexpr auto fields<answers::StandingEntry> = std::tuple{
    Field{"body", &answers::StandingEntry::kept, {}},
    Field{"recorded_at", &storage::Standing::recorded_at, {.format = Format::date_time}},
    Field{"event", &storage::Standing::event, {.min = 1, .help = "that told of it; null where nothing was to be told"}},
};

} // namespace costcurve::model
