// Runs and results as rows. Writes work inside a transaction of the caller; items of a run belong to the transaction that took
// them.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "server/storage/audit.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/run.hpp"

namespace costcurve::storage::postgres {

/// Queues a run with its items; or the ids of scenarios that aren't there. Under the lock of all changes: the items are those of
/// the change that it is evaluated as of.
[[nodiscard]] std::variant<std::int64_t, std::vector<std::string>> insert_run(Connection& connection, const Author& author,
                                                                              const RunRequest& request, std::int64_t now);

[[nodiscard]] std::optional<Run> find_run(Connection& connection, std::int64_t run);
/// Newest first, below `before` (0: from the newest).
[[nodiscard]] std::vector<Run> find_runs(Connection& connection, std::int64_t before, std::size_t limit);
/// The oldest that is queued or running.
[[nodiscard]] std::optional<Run> find_run_to_do(Connection& connection);

/// Locks items to do that no other transaction has locked, in order, until the transaction's end, whatever that is.
[[nodiscard]] std::vector<RunItem> lock_items(Connection& connection, std::int64_t run, std::string_view model_version,
                                              std::size_t limit);
/// Keeps what was found of items that are still to do, results too. False where the run has ended: then it must not be committed.
[[nodiscard]] bool finish_items(Connection& connection, std::int64_t run, std::span<const RunOutcome> outcomes, std::int64_t now);

/// From one state to the next: a queued one starts, one without items to do is done, either is cancelled. False where it has ended
/// already, or has items to do.
[[nodiscard]] bool set_state(Connection& connection, std::int64_t run, RunState state, std::string_view model_version,
                             std::int64_t now);

[[nodiscard]] std::vector<RunFailure> find_failures(Connection& connection, std::int64_t run, std::size_t limit);

/// Results of a scenario, newest first, below number `before` (0: from the newest). Nothing where there is no such scenario.
[[nodiscard]] std::optional<std::vector<StoredResult>> find_results(Connection& connection, std::string_view scenario,
                                                                    std::int64_t before, std::size_t limit);
[[nodiscard]] std::string load_result_body(Connection& connection, std::int64_t body);

} // namespace costcurve::storage::postgres
