// A run's items are its memory: what is done is a row, in the transaction that keeps its result.
#include "server/storage/sqlite/runs.hpp"

#include <array>

#include <fmt/format.h>

#include "server/storage/rows.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/hashed_rows.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kInsertRun = R"(
    INSERT INTO run (state, scope, schedule, webhook, author, request_id, sequence, created_at, total)
    VALUES ('queued', ?, ?, ?, ?, ?, (SELECT coalesce(max(sequence), 0) FROM change), ?, 0))";
constexpr const char* kAddAll = R"(
    INSERT INTO run_item (run, scenario) SELECT ?, document FROM revision
    WHERE kind = 'scenario' AND until = 9223372036854775807 AND deleted = 0)";
// Documents with a revision since the last run, what refers to them, what refers to that, and so on: the scenarios among these. And
// what failed in the last run, which stays wrong until somebody mends it.
constexpr const char* kAddChanged = R"(
    WITH RECURSIVE reached (document) AS (
        SELECT document FROM revision WHERE since > (SELECT sequence FROM recalculated)
        UNION
        SELECT source FROM reached JOIN reference ON target = reached.document AND until = 9223372036854775807)
    INSERT INTO run_item (run, scenario) SELECT ?, r.document FROM (
        SELECT document FROM reached
        UNION
        SELECT scenario FROM run_item
        WHERE state = 3 AND run = (SELECT max(run) FROM run WHERE scope <> 'some' AND state = 'done')
    ) JOIN revision AS r USING (document)
    WHERE r.kind = 'scenario' AND r.until = 9223372036854775807 AND r.deleted = 0)";
constexpr const char* kAddOne = "INSERT OR IGNORE INTO run_item (run, scenario) VALUES (?, ?)";
constexpr const char* kSetTotal = R"(
    UPDATE run SET total = (SELECT count(*) FROM run_item AS i WHERE i.run = run.run) WHERE run = ?)";
constexpr const char* kSameFormulas = "SELECT count(*) FROM recalculated WHERE model_version = ?";

const std::string kSelectRuns = fmt::format("SELECT {} FROM run LEFT JOIN change AS c USING (sequence) ", kRunColumns);

constexpr const char* kItems = R"(
    SELECT i.scenario, d.id, (SELECT inputs_hash FROM result AS r WHERE r.scenario = i.scenario AND r.model_version = ?2
        AND r.number = (SELECT max(number) FROM result AS l WHERE l.scenario = i.scenario))
    FROM run_item AS i JOIN document AS d ON d.document = i.scenario
    WHERE i.run = ?1 AND i.state = 0 ORDER BY i.scenario)";
constexpr const char* kHasItems = "SELECT 1 FROM run_item WHERE run = ? AND state = 0 LIMIT 1";
constexpr const char* kFinishItem = "UPDATE run_item SET state = ?, problem = ? WHERE run = ? AND scenario = ? AND state = 0";
constexpr const char* kCount = R"(
    UPDATE run SET evaluated = evaluated + ?, unchanged = unchanged + ?, failed = failed + ? WHERE run = ?)";
constexpr const char* kInsertBody = "INSERT INTO result_body (packed) VALUES (CAST(? AS BLOB))";
constexpr const char* kInsertResult = R"(
    INSERT INTO result (scenario, number, run, recorded_at, inputs_hash, model_version, currency, cost, cash, npv, npv_after_tax,
        energy_kwh, carbon_kg, feasible, decide_by, body, hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS BLOB)))";
constexpr const char* kNextNumber = "SELECT coalesce(max(number), 0) + 1 FROM result WHERE scenario = ?";

constexpr const char* kStart = "UPDATE run SET state = 'running', started_at = ? WHERE run = ? AND state = 'queued'";
constexpr const char* kEnd = "UPDATE run SET state = ?, ended_at = ? WHERE run = ? AND state IN ('queued', 'running')";
constexpr const char* kHold = R"(
    INSERT INTO recalculated (one, sequence, model_version)
    SELECT 1, sequence, ? FROM run WHERE run = ? AND scope <> 'some'
    ON CONFLICT (one) DO UPDATE SET sequence = max(sequence, excluded.sequence), model_version = excluded.model_version)";
constexpr const char* kFailures = R"(
    SELECT d.id, i.problem FROM run_item AS i JOIN document AS d ON d.document = i.scenario
    WHERE i.run = ? AND i.state = 3 ORDER BY i.scenario LIMIT ?)";
constexpr const char* kFindScenario = "SELECT document FROM named_document WHERE kind = 'scenario' AND id = ?";
constexpr const char* kResults = R"(
    SELECT {} FROM result WHERE scenario = ? AND (?2 = 0 OR number < ?2) ORDER BY number DESC LIMIT ?3)";
constexpr const char* kResultBody = "SELECT packed FROM result_body WHERE body = ?";

template <class... Values> std::vector<Run> read_runs(Database& database, const std::string& where, const Values&... values) {
    std::vector<Run> runs;
    Rows rows(database, kSelectRuns + where, values...);
    while (rows.next()) {
        runs.push_back(read_run(rows));
    }
    return runs;
}

bool holds_by(Database& database, std::string_view model_version) {
    Rows rows(database, kSameFormulas, model_version);
    return rows.next() && rows.integer(0) > 0;
}

void insert_result(Database& database, std::int64_t run, std::int64_t scenario, const NewResult& result, std::int64_t now) {
    Rows(database, kInsertBody, result.packed).run();
    const std::int64_t body = database.last_row();
    std::int64_t number = 1;
    {
        Rows rows(database, kNextNumber, scenario);
        number = rows.next() ? rows.integer(0) : number;
    }
    const Headline& of = result.headline;
    const Hash hash =
        hash_of_result({scenario, number, run, now, result.inputs_hash, result.model_version, of, body, result.packed});
    Rows(database, kInsertResult, scenario, number, run, now, result.inputs_hash, result.model_version, of.currency, of.cost,
         of.cash, of.npv, of.npv_after_tax, of.energy_kwh, of.carbon_kg,
         of.feasible ? std::optional<std::int64_t>(*of.feasible ? 1 : 0) : std::nullopt, of.decide_by, body, text_of(hash))
        .run();
}

} // namespace

std::variant<std::int64_t, std::vector<std::string>> insert_run(Database& database, const Author& author, const RunRequest& request,
                                                                std::int64_t now) {
    Rows(database, kInsertRun, name_of(request.scope), request.schedule, request.webhook, author.name, author.request_id, now)
        .run();
    const std::int64_t run = database.last_row();
    std::vector<std::string> missing;
    if (request.scope == Scope::some) {
        for (const std::string& id : request.scenarios) {
            const auto found = find_living(database, {Kind::scenario, id}, kNow);
            if (found) {
                Rows(database, kAddOne, run, *found).run();
            } else {
                missing.push_back(id);
            }
        }
    } else {
        const bool all = request.scope == Scope::all || !holds_by(database, request.model_version);
        Rows(database, all ? kAddAll : kAddChanged, run).run();
    }
    if (!missing.empty()) {
        return missing;
    }
    Rows(database, kSetTotal, run).run();
    return run;
}

std::optional<Run> find_run(Database& database, std::int64_t run) {
    std::vector<Run> runs = read_runs(database, "WHERE run = ?", run);
    return runs.empty() ? std::nullopt : std::optional(std::move(runs.front()));
}

std::vector<Run> find_runs(Database& database, std::int64_t before, std::size_t limit) {
    return read_runs(database, "WHERE ?1 = 0 OR run < ?1 ORDER BY run DESC LIMIT ?2", before, limit);
}

std::optional<Run> find_run_to_do(Database& database) {
    std::vector<Run> runs = read_runs(database, "WHERE state IN ('queued', 'running') ORDER BY run LIMIT 1");
    return runs.empty() ? std::nullopt : std::optional(std::move(runs.front()));
}

std::vector<RunItem> find_items(Database& database, std::int64_t run, std::string_view model_version,
                                const std::set<std::int64_t>& taken, std::size_t limit) {
    std::vector<RunItem> items;
    items.reserve(limit);
    Rows rows(database, kItems, run, model_version);
    while (items.size() < limit && rows.next()) {
        if (!taken.contains(rows.integer(0))) {
            items.push_back({rows.integer(0), std::string(rows.text(1)), std::string(rows.text(2))});
        }
    }
    return items;
}

bool finish_items(Database& database, std::int64_t run, std::span<const RunOutcome> outcomes, std::int64_t now) {
    const std::optional<Run> current = find_run(database, run);
    if (!current || has_ended(current->state)) {
        return false;
    }
    std::array<std::int64_t, 4> counts{}; // by ItemState
    for (const RunOutcome& outcome : outcomes) {
        const ItemState state = item_state_of(outcome);
        const auto problem = state == ItemState::failed ? std::optional<std::string_view>(outcome.problem) : std::nullopt;
        Rows(database, kFinishItem, static_cast<int>(state), problem, run, outcome.document).run();
        if (database.changed() == 0) {
            continue; // another process has done it
        }
        ++counts.at(static_cast<std::size_t>(state));
        if (outcome.result) {
            insert_result(database, run, outcome.document, *outcome.result, now);
        }
    }
    const auto& [to_do, evaluated, unchanged, failed] = counts;
    Rows(database, kCount, evaluated, unchanged, failed, run).run();
    return true;
}

bool set_state(Database& database, std::int64_t run, RunState state, std::string_view model_version, std::int64_t now) {
    if (state == RunState::running) {
        Rows(database, kStart, now, run).run();
        return database.changed() > 0;
    }
    if (state == RunState::done && Rows(database, kHasItems, run).next()) {
        return false;
    }
    Rows(database, kEnd, name_of(state), now, run).run();
    const bool ended = database.changed() > 0;
    if (ended && state == RunState::done) {
        Rows(database, kHold, model_version, run).run();
    }
    return ended;
}

std::vector<RunFailure> find_failures(Database& database, std::int64_t run, std::size_t limit) {
    std::vector<RunFailure> failures;
    Rows rows(database, kFailures, run, limit);
    while (rows.next()) {
        failures.push_back({std::string(rows.text(0)), std::string(rows.text(1))});
    }
    return failures;
}

std::optional<std::vector<StoredResult>> find_results(Database& database, std::string_view scenario, std::int64_t before,
                                                      std::size_t limit) {
    std::int64_t document = 0;
    {
        Rows rows(database, kFindScenario, scenario);
        if (!rows.next()) {
            return std::nullopt;
        }
        document = rows.integer(0);
    }
    std::vector<StoredResult> results;
    Rows rows(database, fmt::format(kResults, kStoredResultColumns), document, before, limit);
    while (rows.next()) {
        results.push_back(read_stored_result(rows));
    }
    return results;
}

std::string load_result_body(Database& database, std::int64_t body) {
    Rows rows(database, kResultBody, body);
    return rows.next() ? unpack(rows.text(0)) : "";
}

} // namespace costcurve::storage::sqlite
