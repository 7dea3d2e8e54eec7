// Recalculations and their results as rows. A run's items are its memory: what is done is a row, in the transaction that keeps its
// result. Which items are taken, and how they are finished, is the engine's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "server/storage/audit.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/run.hpp"
#include "server/storage/sql/dialect.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::sql {

inline constexpr const char* kInsertRun = R"(
    INSERT INTO run (state, scope, schedule, webhook, author, request_id, sequence, created_at, total)
    VALUES ('queued', $1, $2, $3, $4, $5, (SELECT coalesce(max(sequence), 0) FROM change), $6, 0) RETURNING run{})";
inline constexpr const char* kAddAll = R"(
    INSERT INTO run_item (run, scenario) SELECT $1, document FROM revision
    WHERE kind = 'scenario' AND until = 9223372036854775807 AND deleted = 0)";
// Documents with a revision since the last run, what refers to them, what refers to that, and so on: the scenarios among these. A
// measurement moves the rates of other models, too: after one, and after a model, all models count, and performances, which are
// read by them for other requests than they were measured with. And what failed in the last run, which stays wrong until somebody
// mends it.
inline constexpr const char* kAddChanged = R"(
    WITH RECURSIVE reached (document) AS (
        SELECT document FROM revision WHERE since > (SELECT sequence FROM recalculated)
        UNION
        SELECT document FROM revision WHERE kind IN ('model', 'performance') AND until = 9223372036854775807 AND EXISTS (
            SELECT 1 FROM revision WHERE since > (SELECT sequence FROM recalculated) AND kind IN ('measurement', 'model'))
        UNION
        SELECT source FROM reached JOIN reference ON target = reached.document AND until = 9223372036854775807)
    INSERT INTO run_item (run, scenario) SELECT $1, r.document FROM (
        SELECT document FROM reached
        UNION
        SELECT scenario FROM run_item
        WHERE state = 3 AND run = (SELECT max(run) FROM run WHERE scope <> 'some' AND state = 'done')
    ) AS d JOIN revision AS r USING (document)
    WHERE r.kind = 'scenario' AND r.until = 9223372036854775807 AND r.deleted = 0)";
inline constexpr const char* kSetTotal = R"(
    UPDATE run SET total = (SELECT count(*) FROM run_item AS i WHERE i.run = run.run) WHERE run = $1)";
inline constexpr const char* kSameFormulas = "SELECT count(*) FROM recalculated WHERE model_version = $1";
inline const std::string kSelectRuns = fmt::format("SELECT {} FROM run LEFT JOIN change AS c USING (sequence) ", kRunColumns);
inline constexpr const char* kOldestOpen = R"(
    WHERE run IN (SELECT min(run) FROM run WHERE state IN ('queued', 'running') GROUP BY author) ORDER BY run)";
// Whether a later run, which saw a later state, has done a scenario, {1}, of a run, {0}: what that one finds is out of date.
inline constexpr const char* kIsDoneLater = R"(
    EXISTS (SELECT 1 FROM run AS l JOIN run_item AS m ON m.run = l.run
            WHERE l.run > {0} AND l.started_at IS NOT NULL AND m.scenario = {1} AND m.state IN (1, 2)))";
inline constexpr const char* kStart = "UPDATE run SET state = 'running', started_at = $1 WHERE run = $2 AND state = 'queued'";
inline constexpr const char* kOpenRun = "SELECT 1 FROM run WHERE run = $1 AND state IN ('queued', 'running')";
inline constexpr const char* kHasItems = "SELECT 1 FROM run_item WHERE run = $1 AND state = 0 LIMIT 1";
inline constexpr const char* kEndRun =
    "UPDATE run SET state = $1, ended_at = $2 WHERE run = $3 AND state IN ('queued', 'running'){}";
inline constexpr const char* kHold = R"(
    INSERT INTO recalculated AS r (one, sequence, model_version)
    SELECT 1, sequence, $1 FROM run WHERE run = $2 AND scope <> 'some'
    ON CONFLICT (one) DO UPDATE SET model_version = excluded.model_version,
        sequence = CASE WHEN excluded.sequence > r.sequence THEN excluded.sequence ELSE r.sequence END)";
inline constexpr const char* kFailures = R"(
    SELECT d.id, i.problem FROM run_item AS i JOIN document AS d ON d.document = i.scenario
    WHERE i.run = $1 AND i.state = 3 ORDER BY i.scenario LIMIT $2)";
inline const std::string kResults = fmt::format(
    "SELECT {} FROM result WHERE scenario = $1 AND ($2 = 0 OR number < $2) ORDER BY number DESC LIMIT $3", kStoredResultColumns);

template <class Connection, class... Values>
[[nodiscard]] std::vector<Run> read_runs(Connection& connection, const std::string& where, const Values&... values) {
    return read_all(RowsOf<Connection>(connection, kSelectRuns + where, values...), read_run<RowsOf<Connection>>);
}

template <class T> [[nodiscard]] std::optional<T> first_of(std::vector<T> all) {
    return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

/// The row of a document of a kind, deleted or not.
template <class Connection>
[[nodiscard]] std::optional<std::int64_t> row_of(Connection& connection, Kind kind, std::string_view id) {
    RowsOf<Connection> rows(connection, "SELECT document FROM named_document WHERE kind = $1 AND id = $2", name_of(kind), id);
    return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

/// Queues a run with its items; or the ids of scenarios that aren't there. Under the lock of all changes: the items are those of
/// the change that it is evaluated as of.
template <class Connection>
[[nodiscard]] std::variant<std::int64_t, std::vector<std::string>> insert_run(Connection& connection, const Author& author,
                                                                              const RunRequest& request, std::int64_t now) {
    if (request.scope == Scope::some) {
        if (auto missing = missing_scenarios(connection, request.scenarios); !missing.empty()) {
            return missing;
        }
    }
    const std::int64_t run = connection.number(fmt::format(kInsertRun, Dialect<Connection>::kNotice), name_of(request.scope),
                                               request.schedule, request.webhook, author.name, author.request_id, now);
    if (request.scope == Scope::some) {
        add_scenarios(connection, run, request.scenarios);
    } else {
        const bool all = request.scope == Scope::all || connection.number(kSameFormulas, request.model_version) == 0;
        connection.post(all ? kAddAll : kAddChanged, run);
    }
    connection.post(kSetTotal, run);
    return run;
}

template <class Connection> [[nodiscard]] std::optional<Run> find_run(Connection& connection, std::int64_t run) {
    return first_of(read_runs(connection, "WHERE run = $1", run));
}

/// Newest first, below `before` (0: from the newest).
template <class Connection>
[[nodiscard]] std::vector<Run> find_runs(Connection& connection, std::int64_t before, std::size_t limit) {
    return read_runs(connection, "WHERE $1 = 0 OR run < $1 ORDER BY run DESC LIMIT $2", before, limit);
}

/// Of each author the oldest that is queued or running, oldest first.
template <class Connection> [[nodiscard]] std::vector<Run> find_runs_to_do(Connection& connection) {
    return read_runs(connection, kOldestOpen);
}

/// From one state to the next: a queued one starts, one without items to do is done, either is cancelled. False where it has ended
/// already, or has items to do.
template <class Connection>
[[nodiscard]] bool set_state(Connection& connection, std::int64_t run, RunState state, std::string_view model_version,
                             std::int64_t now) {
    using Rows = RowsOf<Connection>;
    if (state == RunState::running) {
        return Rows(connection, kStart, now, run).affected() > 0;
    }
    // What was finished before the run was locked is seen by the statement after it.
    if (!Rows(connection, kOpenRun + Dialect<Connection>::lock("run"), run).next() ||
        (state == RunState::done && Rows(connection, kHasItems, run).next())) {
        return false;
    }
    connection.post(fmt::format(kEndRun, Dialect<Connection>::kReturnNotice), name_of(state), now, run);
    remove_attempts(connection, run);
    if (state == RunState::done) {
        connection.post(kHold, model_version, run);
    }
    return true;
}

template <class Connection>
[[nodiscard]] std::vector<RunFailure> find_failures(Connection& connection, std::int64_t run, std::size_t limit) {
    return read_all(RowsOf<Connection>(connection, kFailures, run, limit), [](const auto& rows) {
        return RunFailure{std::string(rows.text(0)), std::string(rows.text(1))};
    });
}

/// Results of a scenario, newest first, below number `before` (0: from the newest). Nothing where there is no such scenario.
template <class Connection>
[[nodiscard]] std::optional<std::vector<StoredResult>> find_results(Connection& connection, std::string_view scenario,
                                                                    std::int64_t before, std::size_t limit) {
    const std::optional<std::int64_t> document = row_of(connection, Kind::scenario, scenario);
    if (!document) {
        return std::nullopt;
    }
    return read_all(RowsOf<Connection>(connection, kResults, *document, before, limit), read_stored_result<RowsOf<Connection>>);
}

template <class Connection> [[nodiscard]] std::string load_result_body(Connection& connection, std::int64_t body) {
    RowsOf<Connection> rows(connection, "SELECT packed FROM result_body WHERE body = $1", body);
    return rows.next() ? unpack(rows.bytes(0)) : "";
}

} // namespace costcurve::storage::sql
