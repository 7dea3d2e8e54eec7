// Runs and results as rows. Writes work inside a transaction of the caller.
#pragma once

#include <set>
#include <span>
#include <variant>

#include "server/storage/audit.hpp"
#include "server/storage/run.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// Queues a run with its items; or the ids of scenarios that aren't there.
[[nodiscard]] std::variant<std::int64_t, std::vector<std::string>> insert_run(Database& database, const Author& author,
                                                                              const RunRequest& request, std::int64_t now);

[[nodiscard]] std::optional<Run> find_run(Database& database, std::int64_t run);
/// Newest first, below `before` (0: from the newest).
[[nodiscard]] std::vector<Run> find_runs(Database& database, std::int64_t before, std::size_t limit);
/// The oldest that is queued or running.
[[nodiscard]] std::optional<Run> find_run_to_do(Database& database);

/// Items to do that are not among those taken, in order.
[[nodiscard]] std::vector<RunItem> find_items(Database& database, std::int64_t run, std::string_view model_version,
                                              const std::set<std::int64_t>& taken, std::size_t limit);
/// Keeps what was found of items that are still to do, results too; each item once, whoever comes. False where the run has ended.
[[nodiscard]] bool finish_items(Database& database, std::int64_t run, std::span<const RunOutcome> outcomes, std::int64_t now);

/// From one state to the next: a queued one starts, one without items to do is done, either is cancelled. False where it has ended
/// already, or has items to do.
[[nodiscard]] bool set_state(Database& database, std::int64_t run, RunState state, std::string_view model_version,
                             std::int64_t now);

[[nodiscard]] std::vector<RunFailure> find_failures(Database& database, std::int64_t run, std::size_t limit);

/// Results of a scenario, newest first, below number `before` (0: from the newest). Nothing where there is no such scenario.
[[nodiscard]] std::optional<std::vector<StoredResult>> find_results(Database& database, std::string_view scenario,
                                                                    std::int64_t before, std::size_t limit);
[[nodiscard]] std::string load_result_body(Database& database, std::int64_t body);

} // namespace costcurve::storage::sqlite
