// Rows of recalculation runs and results. A run's progress is its item rows, each written in the transaction that stores its
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

// Condition: a later run, with a later state, has done scenario {1} of run {0}, so that run {0}'s result is out of date.
inline constexpr const char* kIsDoneLater = R"(
    EXISTS (SELECT 1 FROM run AS l JOIN run_item AS m ON m.run = l.run
            WHERE l.run > {0} AND l.started_at IS NOT NULL AND m.scenario = {1} AND m.state IN (1, 2)))";

template <class T> [[nodiscard]] std::optional<T> first_of(std::vector<T> all) {
    return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

/// The row number of a document, deleted or not.
[[nodiscard]] std::optional<std::int64_t> row_of(Connection& connection, Kind kind, std::string_view id);

/// Queues a run with its items, or returns the ids of missing scenarios. Needs the lock of all changes, so that the items match the
/// change as of which the run evaluates.
[[nodiscard]] std::variant<std::int64_t, std::vector<std::string>> insert_run(Connection& connection, const Author& author,
                                                                              const RunRequest& request, std::int64_t now);

[[nodiscard]] std::optional<Run> find_run(Connection& connection, std::int64_t run);

/// Changes a run's state: queued to running, running without open items to done, either to cancelled. False if it has ended
/// already, or has open items and should be done.
[[nodiscard]] bool set_state(Connection& connection, std::int64_t run, RunState state, std::string_view model_version,
                             std::int64_t now);

/// Results of a scenario, newest first, below number `before` (0: from the newest). Nothing if the scenario doesn't exist.
[[nodiscard]] std::optional<std::vector<StoredResult>> find_results(Connection& connection, std::string_view scenario,
                                                                    std::int64_t before, std::size_t limit);

[[nodiscard]] std::string load_result_body(Connection& connection, std::int64_t body);

} // namespace costcurve::storage::sql
