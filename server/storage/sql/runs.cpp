// Recalculation runs. Engines lease and finish the items.
#include "server/storage/sql/runs.hpp"

#include <fmt/format.h>

#include "server/storage/rows.hpp"
#include "server/storage/sql/engine.hpp"
#include "server/storage/sql/outbox.hpp"
#include "server/storage/sql/store.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::sql {

namespace {

constexpr const char* kInsertRun = R"(
    INSERT INTO run (state, scope, schedule, webhook, author, request_id, sequence, created_at, total)
    VALUES ('queued', $1, $2, $3, $4, $5, (SELECT coalesce(max(sequence), 0) FROM change), $6, 0) RETURNING run{})";
constexpr const char* kAddAll = R"(
    INSERT INTO run_item (run, scenario) SELECT $1, document FROM revision
    WHERE kind = 'scenario' AND until = 9223372036854775807 AND deleted = 0)";
// Scenarios affected since the last run: documents with a new revision and, transitively, all documents that refer to them. A
// measurement changes the rates of other models, too: after a new measurement or model, all models count as changed. So do
// performances, which are also read for requests other than those measured. Scenarios that failed in the last run are included.
constexpr const char* kAddChanged = R"(
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
constexpr const char* kSetTotal = R"(
    UPDATE run SET total = (SELECT count(*) FROM run_item AS i WHERE i.run = run.run) WHERE run = $1)";
constexpr const char* kSameFormulas = "SELECT count(*) FROM recalculated WHERE model_version = $1";
const std::string kSelectRuns = fmt::format("SELECT {} FROM run LEFT JOIN change AS c USING (sequence) ", kRunColumns);
constexpr const char* kOldestOpen = R"(
    WHERE run IN (SELECT min(run) FROM run WHERE state IN ('queued', 'running') GROUP BY author) ORDER BY run)";
constexpr const char* kStart = "UPDATE run SET state = 'running', started_at = $1 WHERE run = $2 AND state = 'queued'";
constexpr const char* kOpenRun = "SELECT 1 FROM run WHERE run = $1 AND state IN ('queued', 'running')";
constexpr const char* kHasItems = "SELECT 1 FROM run_item WHERE run = $1 AND state = 0 LIMIT 1";
constexpr const char* kEndRun = "UPDATE run SET state = $1, ended_at = $2 WHERE run = $3 AND state IN ('queued', 'running'){}";
constexpr const char* kHold = R"(
    INSERT INTO recalculated AS r (one, sequence, model_version)
    SELECT 1, sequence, $1 FROM run WHERE run = $2 AND scope <> 'some'
    ON CONFLICT (one) DO UPDATE SET model_version = excluded.model_version,
        sequence = CASE WHEN excluded.sequence > r.sequence THEN excluded.sequence ELSE r.sequence END)";
constexpr const char* kFailures = R"(
    SELECT d.id, i.problem FROM run_item AS i JOIN document AS d ON d.document = i.scenario
    WHERE i.run = $1 AND i.state = 3 ORDER BY i.scenario LIMIT $2)";
const std::string kResults = fmt::format(
    "SELECT {} FROM result WHERE scenario = $1 AND ($2 = 0 OR number < $2) ORDER BY number DESC LIMIT $3", kStoredResultColumns);
template <Parameter... Values>
[[nodiscard]] std::vector<Run> read_runs(Connection& connection, const std::string& where, const Values&... values) {
    return read_all(Rows(connection, kSelectRuns + where, values...), read_run);
}

// Newest first, below `before` (0: from the newest).
std::vector<Run> find_runs(Connection& connection, std::int64_t before, std::size_t limit) {
    return read_runs(connection, "WHERE $1 = 0 OR run < $1 ORDER BY run DESC LIMIT $2", before, limit);
}

// The oldest queued or running run of each author, oldest first.
std::vector<Run> find_runs_to_do(Connection& connection) { return read_runs(connection, kOldestOpen); }

std::vector<RunFailure> find_failures(Connection& connection, std::int64_t run, std::size_t limit) {
    return read_all(Rows(connection, kFailures, run, limit), [](const Row& row) {
        return RunFailure{std::string(row.text(0)), std::string(row.text(1))};
    });
}

ChangeMark record_begun(Connection& connection, const Author& author, std::int64_t run, std::int64_t now) {
    return sql::record_action(connection, author, "begin_recalculation", fmt::format("recalculation/{}", run), now);
}

} // namespace

std::optional<std::int64_t> row_of(Connection& connection, Kind kind, std::string_view id) {
    Rows rows(connection, "SELECT document FROM named_document WHERE kind = $1 AND id = $2", name_of(kind), id);
    return rows.next() ? std::optional(rows->integer(0)) : std::nullopt;
}

std::variant<std::int64_t, std::vector<std::string>> insert_run(Connection& connection, const Author& author,
                                                                const RunRequest& request, std::int64_t now) {
    if (request.scope == Scope::some) {
        if (auto missing = connection.engine().missing_scenarios(connection, request.scenarios); !missing.empty()) {
            return missing;
        }
    }
    const std::int64_t run =
        connection.number(fmt::format(kInsertRun, connection.engine().dialect().notice), name_of(request.scope), request.schedule,
                          request.webhook, author.name, author.request_id, now);
    if (request.scope == Scope::some) {
        connection.engine().add_scenarios(connection, run, request.scenarios);
    } else {
        const bool all = request.scope == Scope::all || connection.number(kSameFormulas, request.model_version) == 0;
        connection.post(all ? kAddAll : kAddChanged, run);
    }
    connection.post(kSetTotal, run);
    return run;
}

std::optional<Run> find_run(Connection& connection, std::int64_t run) {
    return first_of(read_runs(connection, "WHERE run = $1", run));
}

bool set_state(Connection& connection, std::int64_t run, RunState state, std::string_view model_version, std::int64_t now) {
    if (state == RunState::running) {
        return connection.run(kStart, now, run) > 0;
    }
    // A statement after the lock sees all items that were finished before it.
    if (!connection.has_row(kOpenRun + locking(connection.engine().dialect().lock, "run"), run) ||
        (state == RunState::done && connection.has_row(kHasItems, run))) {
        return false;
    }
    connection.post(fmt::format(kEndRun, connection.engine().dialect().return_notice), name_of(state), now, run);
    connection.engine().remove_attempts(connection, run);
    if (state == RunState::done) {
        connection.post(kHold, model_version, run);
    }
    return true;
}

std::optional<std::vector<StoredResult>> find_results(Connection& connection, std::string_view scenario, std::int64_t before,
                                                      std::size_t limit) {
    const std::optional<std::int64_t> document = row_of(connection, Kind::scenario, scenario);
    if (!document) {
        return std::nullopt;
    }
    return read_all(Rows(connection, kResults, *document, before, limit), read_stored_result);
}

std::string load_result_body(Connection& connection, std::int64_t body) {
    Rows rows(connection, "SELECT packed FROM result_body WHERE body = $1", body);
    return rows.next() ? unpack(rows->bytes(0)) : "";
}

std::variant<std::int64_t, std::vector<std::string>> SqlStore::begin_run(const Author& author, const RunRequest& request) {
    using Begun = std::variant<std::int64_t, std::vector<std::string>>;
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        connection.engine().lock_changes(connection);
        const std::int64_t time = now();
        Outcome<Begun> outcome{insert_run(connection, author, request, time)};
        const auto* const run = std::get_if<std::int64_t>(&outcome.value);
        outcome.is_kept = run != nullptr;
        if (run != nullptr && !request.schedule.empty()) {
            save_ticked(connection, {Kind::schedule, request.schedule}, time);
        }
        if (run != nullptr) {
            mark = record_begun(connection, author, *run, time);
        }
        return outcome;
    });
}

std::optional<std::int64_t> SqlStore::begin_tick(const Author& author, const RunRequest& request, std::int64_t tick) {
    return write_marked([&](Connection& connection, ChangeMark& mark) -> Outcome<std::optional<std::int64_t>> {
        connection.engine().lock_changes(connection);
        const std::int64_t time = now();
        if (!do_tick(connection, {Kind::schedule, request.schedule}, tick, time)) {
            return {std::nullopt, false};
        }
        const auto outcome = insert_run(connection, author, request, time);
        const auto* const run = std::get_if<std::int64_t>(&outcome);
        if (run == nullptr) {
            throw StoreError(StoreError::Cause::unreadable,
                             fmt::format("schedule/{} names scenarios that aren't there", request.schedule));
        }
        mark = record_begun(connection, author, *run, time);
        return {*run};
    });
}

std::optional<Run> SqlStore::run(std::int64_t id) const {
    return read(Reading::once, [&](Connection& connection) { return find_run(connection, id); });
}

std::vector<Run> SqlStore::runs(std::int64_t before, std::size_t limit) const {
    return read(Reading::many, [&](Connection& connection) { return find_runs(connection, before, limit); });
}

std::vector<Run> SqlStore::runs_to_do() const {
    return read(Reading::once, [&](Connection& connection) { return find_runs_to_do(connection); });
}

std::vector<RunFailure> SqlStore::run_failures(std::int64_t run, std::size_t limit) const {
    return read(Reading::many, [&](Connection& connection) { return find_failures(connection, run, limit); });
}

std::optional<std::vector<StoredResult>> SqlStore::results(std::string_view scenario, std::int64_t before,
                                                           std::size_t limit) const {
    return read(Reading::moment, [&](Connection& connection) { return find_results(connection, scenario, before, limit); });
}

std::string SqlStore::result_body(const StoredResult& result) const {
    return read(Reading::many, [&](Connection& connection) { return load_result_body(connection, result.body); });
}

} // namespace costcurve::storage::sql
