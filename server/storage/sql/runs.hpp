// Recalculations and their results as rows. A run's items are its memory: what is done is a row, in the transaction that keeps its
// result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/storage/audit.hpp"
#include "server/storage/record.hpp"
#include "server/storage/run.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

// Whether a later run, which saw a later state, has done a scenario, {1}, of a run, {0}: what that one finds is out of date.
inline constexpr const char* kIsDoneLater = R"(
    EXISTS (SELECT 1 FROM run AS l JOIN run_item AS m ON m.run = l.run
            WHERE l.run > {0} AND l.started_at IS NOT NULL AND m.scenario = {1} AND m.state IN (1, 2)))";

template <class T> [[nodiscard]] std::optional<T> first_of(std::vector<T> all) {
    return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

/// The row of a document of a kind, deleted or not.
[[nodiscard]] std::optional<std::int64_t> row_of(Connection& connection, Kind kind, std::string_view id);

/// Queues a run with its items; or the ids of scenarios that aren't there. Under the lock of all changes: the items are those of
/// the change that it is evaluated as of.
[[nodiscard]] std::variant<std::int64_t, std::vector<std::string>> insert_run(Connection& connection, const Author& author,
                                                                              const RunRequest& request, std::int64_t now);

[[nodiscard]] std::optional<Run> find_run(Connection& connection, std::int64_t run);

/// From one state to the next: a queued one starts, one without items to do is done, either is cancelled. False where it has ended
/// already, or has items to do.
[[nodiscard]] bool set_state(Connection& connection, std::int64_t run, RunState state, std::string_view model_version,
                             std::int64_t now);

/// Results of a scenario, newest first, below number `before` (0: from the newest). Nothing where there is no such scenario.
[[nodiscard]] std::optional<std::vector<StoredResult>> find_results(Connection& connection, std::string_view scenario,
                                                                    std::int64_t before, std::size_t limit);

[[nodiscard]] std::string load_result_body(Connection& connection, std::int64_t body);

} // namespace costcurve::storage::sql
