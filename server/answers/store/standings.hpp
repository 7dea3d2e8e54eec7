// What is recorded at the end of a recalculation: an event that it ended, and how watched comparisons stand.
#pragma once

#include "model/documents/automation.hpp"
#include "server/answers/answer.hpp"
#include "server/jobs/guard.hpp"
#include "server/storage/standing.hpp"

namespace costcurve::answers {

/// Records that the run has ended and, where it is done, which scenario of each comparison is the cheapest now; an event where that
/// is another one than was told last, or its figure has changed beyond the comparison's threshold.
void record_end(storage::RunCompletion& ending);
/// The same; a comparison that can't be read is logged, and left out.
void record_end_logged(storage::RunCompletion& ending, const jobs::LogFailure& log);

/// How a comparison stands: kept as JSON, with what follows it in a list.
struct StandingScenario {
    std::string scenario;
    std::optional<std::int64_t> result;
    std::optional<double> figure;
    std::optional<bool> feasible;
};
struct StandingAnswer {
    std::int64_t recalculation = 0;
    std::string objective;
    std::string currency;
    std::string cheapest;
    std::optional<double> figure;
    std::string problem;
    std::vector<StandingScenario> scenarios;
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
};
template <> inline constexpr std::string_view document_name<answers::StandingEntry> = "standing";
template <>
inline constexpr auto fields<answers::StandingEntry> = std::tuple{
    Field{"body", &answers::StandingEntry::kept, {}},
    Field{"recorded_at", &storage::Standing::recorded_at, {.format = Format::date_time}},
    Field{"event", &storage::Standing::event, {.min = 1, .help = "that told of it; null where nothing was to be told"}},
};

} // namespace costcurve::model
