// A run's items are its memory: what is done is a row, in the transaction that keeps its result.
#include "server/storage/postgres/daemons/runs.hpp"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "server/storage/rows.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kInsertRun = R"(
    INSERT INTO run (state, scope, schedule, webhook, author, request_id, sequence, created_at, total)
    VALUES ('queued', $1, $2, $3, $4, $5, (SELECT coalesce(max(sequence), 0) FROM change), $6, 0)
    RETURNING run, pg_notify('costcurve', ''))";
constexpr const char* kAddAll = R"(
    INSERT INTO run_item (run, scenario) SELECT $1, document FROM revision
    WHERE kind = 'scenario' AND until = 9223372036854775807 AND deleted = 0)";
// Documents with a revision since the last run, what refers to them, what refers to that, and so on: the scenarios among these. And
// what failed in the last run, which stays wrong until somebody mends it.
constexpr const char* kAddChanged = R"(
    WITH RECURSIVE reached (document) AS (
        SELECT document FROM revision WHERE since > (SELECT sequence FROM recalculated)
        UNION
        SELECT source FROM reached JOIN reference ON target = reached.document AND until = 9223372036854775807)
    INSERT INTO run_item (run, scenario) SELECT $1, r.document FROM (
        SELECT document FROM reached
        UNION
        SELECT scenario FROM run_item
        WHERE state = 3 AND run = (SELECT max(run) FROM run WHERE scope <> 'some' AND state = 'done')
    ) AS d JOIN revision AS r USING (document)
    WHERE r.kind = 'scenario' AND r.until = 9223372036854775807 AND r.deleted = 0)";
constexpr const char* kMissing = R"(
    SELECT w.id FROM unnest($1) WITH ORDINALITY AS w (id, place)
    WHERE NOT EXISTS (SELECT 1 FROM revision AS r WHERE r.kind = 'scenario' AND r.id = w.id AND r.until = 9223372036854775807
                                                        AND r.deleted = 0)
    ORDER BY w.place)";
constexpr const char* kAddSome = R"(
    INSERT INTO run_item (run, scenario) SELECT DISTINCT $1::bigint, document FROM revision
    WHERE kind = 'scenario' AND id = ANY ($2) AND until = 9223372036854775807 AND deleted = 0)";
constexpr const char* kSetTotal = R"(
    UPDATE run SET total = (SELECT count(*) FROM run_item AS i WHERE i.run = run.run) WHERE run = $1)";
constexpr const char* kSameFormulas = "SELECT count(*) FROM recalculated WHERE model_version = $1";

const std::string kSelectRuns = fmt::format("SELECT {} FROM run LEFT JOIN change AS c USING (sequence) ", kRunColumns);

constexpr const char* kLockItems = R"(
    SELECT i.scenario, d.id, (SELECT inputs_hash FROM result AS r WHERE r.scenario = i.scenario AND r.model_version = $2
        AND r.number = (SELECT max(number) FROM result AS l WHERE l.scenario = i.scenario))
    FROM run_item AS i JOIN document AS d ON d.document = i.scenario
    WHERE i.run = $1 AND i.state = 0 ORDER BY i.scenario LIMIT $3 FOR UPDATE OF i SKIP LOCKED)";

constexpr const char* kStart = "UPDATE run SET state = 'running', started_at = $1 WHERE run = $2 AND state = 'queued'";
constexpr const char* kLockRun = "SELECT 1 FROM run WHERE run = $1 AND state IN ('queued', 'running') FOR NO KEY UPDATE";
constexpr const char* kHasItems = "SELECT 1 FROM run_item WHERE run = $1 AND state = 0 LIMIT 1";
constexpr const char* kEnd = R"(
    UPDATE run SET state = $1, ended_at = $2 WHERE run = $3 AND state IN ('queued', 'running')
    RETURNING run, pg_notify('costcurve', ''))";
constexpr const char* kForgetAttempts = R"(
    DELETE FROM run_attempt AS a
    WHERE a.run = $1 OR EXISTS (SELECT 1 FROM run AS r WHERE r.run = a.run AND r.state IN ('done', 'cancelled')))";
constexpr const char* kHold = R"(
    INSERT INTO recalculated AS r (one, sequence, model_version)
    SELECT 1, sequence, $1 FROM run WHERE run = $2 AND scope <> 'some'
    ON CONFLICT (one) DO UPDATE SET sequence = greatest(r.sequence, excluded.sequence), model_version = excluded.model_version)";
constexpr const char* kFailures = R"(
    SELECT d.id, i.problem FROM run_item AS i JOIN document AS d ON d.document = i.scenario
    WHERE i.run = $1 AND i.state = 3 ORDER BY i.scenario LIMIT $2)";
constexpr const char* kFindScenario = "SELECT document FROM named_document WHERE kind = 'scenario' AND id = $1";
constexpr const char* kResults = R"(
    SELECT {} FROM result WHERE scenario = $1 AND ($2 = 0 OR number < $2) ORDER BY number DESC LIMIT $3)";
constexpr const char* kResultBody = "SELECT packed FROM result_body WHERE body = $1";

template <class... Values> std::vector<Run> read_runs(Connection& connection, const std::string& where, const Values&... values) {
    std::vector<Run> runs;
    Rows rows(connection, kSelectRuns + where, values...);
    while (rows.next()) {
        runs.push_back(read_run(rows));
    }
    return runs;
}

std::optional<Run> first_run(std::vector<Run> runs) { return runs.empty() ? std::nullopt : std::optional(std::move(runs.front())); }

std::vector<std::string> missing_scenarios(Connection& connection, const std::vector<std::string>& ids) {
    std::vector<std::string> missing;
    Rows rows(connection, kMissing, ids);
    while (rows.next()) {
        missing.emplace_back(rows.text(0));
    }
    return missing;
}

} // namespace

std::variant<std::int64_t, std::vector<std::string>> insert_run(Connection& connection, const Author& author,
                                                                const RunRequest& request, std::int64_t now) {
    if (request.scope == Scope::some) {
        if (auto missing = missing_scenarios(connection, request.scenarios); !missing.empty()) {
            return missing;
        }
    }
    const std::int64_t run = connection.number(kInsertRun, name_of(request.scope), request.schedule, request.webhook, author.name,
                                               author.request_id, now);
    if (request.scope == Scope::some) {
        Rows(connection, kAddSome, run, request.scenarios).run();
    } else {
        const bool all = request.scope == Scope::all || connection.number(kSameFormulas, request.model_version) == 0;
        Rows(connection, all ? kAddAll : kAddChanged, run).run();
    }
    Rows(connection, kSetTotal, run).run();
    return run;
}

std::optional<Run> find_run(Connection& connection, std::int64_t run) {
    return first_run(read_runs(connection, "WHERE run = $1", run));
}

std::vector<Run> find_runs(Connection& connection, std::int64_t before, std::size_t limit) {
    return read_runs(connection, "WHERE $1 = 0 OR run < $1 ORDER BY run DESC LIMIT $2", before, limit);
}

std::optional<Run> find_run_to_do(Connection& connection) {
    return first_run(read_runs(connection, "WHERE state IN ('queued', 'running') ORDER BY run LIMIT 1"));
}

std::vector<RunItem> lock_items(Connection& connection, std::int64_t run, std::string_view model_version, std::size_t limit) {
    std::vector<RunItem> items;
    Rows rows(connection, kLockItems, run, model_version, limit);
    while (rows.next()) {
        items.push_back({rows.integer(0), std::string(rows.text(1)), std::string(rows.text(2)), 0});
    }
    return items;
}

bool set_state(Connection& connection, std::int64_t run, RunState state, std::string_view model_version, std::int64_t now) {
    if (state == RunState::running) {
        return Rows(connection, kStart, now, run).affected() > 0;
    }
    // What was finished before the run was locked is seen by the statement after it.
    if (!Rows(connection, kLockRun, run).next() || (state == RunState::done && Rows(connection, kHasItems, run).next())) {
        return false;
    }
    Rows(connection, kEnd, name_of(state), now, run).run();
    Rows(connection, kForgetAttempts, run).run();
    if (state == RunState::done) {
        Rows(connection, kHold, model_version, run).run();
    }
    return true;
}

std::vector<RunFailure> find_failures(Connection& connection, std::int64_t run, std::size_t limit) {
    std::vector<RunFailure> failures;
    Rows rows(connection, kFailures, run, limit);
    while (rows.next()) {
        failures.push_back({std::string(rows.text(0)), std::string(rows.text(1))});
    }
    return failures;
}

std::optional<std::vector<StoredResult>> find_results(Connection& connection, std::string_view scenario, std::int64_t before,
                                                      std::size_t limit) {
    Rows found(connection, kFindScenario, scenario);
    if (!found.next()) {
        return std::nullopt;
    }
    std::vector<StoredResult> results;
    Rows rows(connection, fmt::format(kResults, kStoredResultColumns), found.integer(0), before, limit);
    while (rows.next()) {
        results.push_back(read_stored_result(rows));
    }
    return results;
}

std::string load_result_body(Connection& connection, std::int64_t body) {
    Rows rows(connection, kResultBody, body);
    return rows.next() ? unpack(rows.bytes(0)) : "";
}

} // namespace costcurve::storage::postgres
