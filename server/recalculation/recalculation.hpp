// Evaluates stored scenarios for runs: connects their JSON with the run loop.
#pragma once

#include <string>

#include "server/answers/answer.hpp"
#include "server/answers/evaluate.hpp"
#include "server/documents/references.hpp"
#include "server/failure/guard.hpp"
#include "server/recalculation/recalculate.hpp"
#include "server/storage/run.hpp"

namespace costcurve::recalculation {

/// The figures that are kept beside a result.
[[nodiscard]] storage::Headline headline_of(const answers::Evaluated& evaluated);

/// Implements Recalculate: the packed result, nothing new if the inputs hash is unchanged, or the issues as JSON.
[[nodiscard]] storage::RunOutcome recalculate(const storage::RunItem& item, Worker& worker);

/// The same; what a scenario throws, beside a failure of the store, is logged and ends that scenario alone.
[[nodiscard]] Recalculate guarded_recalculate(failure::LogFailure log);

/// {id, state, scenarios, …, total, done, evaluated, unchanged, failed, eta_s, waits_for}: `done` may be ahead of what is stored;
/// `waits_for` "" is null; `elapsed_s` since it started gives the time that is left. With failures where they are given.
[[nodiscard]] std::string encode_run(const storage::Run& run, std::int64_t done, std::string_view waits_for, double elapsed_s,
                                     std::optional<std::vector<storage::RunFailure>> failures = std::nullopt);

/// A run, how far it is, and when it will be done.
struct RunAnswer : storage::Run {
    std::int64_t processed = 0;
    std::optional<double> eta_s;
    std::string waits_for;
    std::optional<std::vector<storage::RunFailure>> failures;
};

} // namespace costcurve::recalculation

namespace costcurve::model {

template <> inline constexpr auto enum_names<storage::RunState> = storage::run_state_names;
template <> inline constexpr auto enum_names<storage::Scope> = storage::scope_names;
template <>
inline constexpr auto fields<storage::RunFailure> =
    Rows{Field{"scenario", &storage::RunFailure::scenario, {.format = Format::slug}},
         Field{"errors", &storage::RunFailure::problem, {.schema = "issue[]"}}};
template <> inline constexpr std::string_view document_name<recalculation::RunAnswer> = "recalculation";
template <>
inline constexpr auto fields<recalculation::RunAnswer> = Rows{
    Field{"id", &storage::Run::id, {.format = Format::digits, .pattern = "^[1-9][0-9]*$"}},
    Field{"state", &storage::Run::state, {}},
    Field{"scenarios", &storage::Run::scope, {}},
    Field{"schedule", &storage::Run::schedule, {.null_if_empty = true}},
    Field{"recorded_by", &storage::Run::author, {}},
    Field{"as_of",
          &storage::Run::as_of,
          {.format = Format::date_time, .help = "all of its scenarios see the store as it was known then", .null_if_empty = true}},
    Field{"created_at", &storage::Run::created_at, {.format = Format::date_time}},
    Field{"started_at", &storage::Run::started_at, {.format = Format::date_time, .null_if_empty = true}},
    Field{"ended_at", &storage::Run::ended_at, {.format = Format::date_time, .null_if_empty = true}},
    Field{"total", &storage::Run::total, {.min = 0}},
    Field{"done", &recalculation::RunAnswer::processed, {.min = 0, .help = "it may be ahead of what is stored"}},
    Field{"evaluated", &storage::Run::evaluated, {.min = 0, .help = "results that were kept"}},
    Field{"unchanged", &storage::Run::unchanged, {.min = 0, .help = "whose inputs are those of the newest result"}},
    Field{"failed", &storage::Run::failed, {.min = 0}},
    Field{"eta_s", &recalculation::RunAnswer::eta_s, {.help = "seconds that are left"}},
    Field{"waits_for", &recalculation::RunAnswer::waits_for, {.help = "why it stands still", .null_if_empty = true}},
    Field{"failures", &recalculation::RunAnswer::failures, {.help = "of one recalculation: the first 100", .omit = true}},
};

} // namespace costcurve::model
