// Items of runs. A finished item is a row, written in the transaction that stores its result.
#include "server/storage/postgres/daemons/runs.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kMissing = R"(
    SELECT w.id FROM unnest($1) WITH ORDINALITY AS w (id, place)
    WHERE NOT EXISTS (SELECT 1 FROM revision AS r WHERE r.kind = 'scenario' AND r.id = w.id AND r.until = 9223372036854775807
                                                        AND r.deleted = 0)
    ORDER BY w.place)";
constexpr const char* kAddSome = R"(
    INSERT INTO run_item (run, scenario) SELECT DISTINCT $1::bigint, document FROM revision
    WHERE kind = 'scenario' AND id = ANY ($2) AND until = 9223372036854775807 AND deleted = 0)";
// If an earlier run still has to compute a scenario as of its own change, another daemon may store that result meanwhile. The
// outcome is then stored even if the newest result is equal.
constexpr const char* kLockItems = R"(
    SELECT i.scenario, d.id, (SELECT inputs_hash FROM result AS r WHERE r.scenario = i.scenario AND r.model_version = $2
        AND r.number = (SELECT max(number) FROM result AS l WHERE l.scenario = i.scenario)
        AND NOT EXISTS (SELECT 1 FROM run AS b JOIN run_item AS m ON m.run = b.run
            WHERE b.run < $1 AND b.state IN ('queued', 'running') AND m.scenario = i.scenario AND m.state = 0
                AND b.sequence <> (SELECT sequence FROM run WHERE run = $1)))
    FROM run_item AS i JOIN document AS d ON d.document = i.scenario
    WHERE i.run = $1 AND i.state = 0 ORDER BY i.scenario LIMIT $3 FOR UPDATE OF i SKIP LOCKED)";
constexpr const char* kRemoveAttempts = R"(
    DELETE FROM run_attempt AS a
    WHERE a.run = $1 OR EXISTS (SELECT 1 FROM run AS r WHERE r.run = a.run AND r.state IN ('done', 'cancelled')))";

} // namespace

std::vector<std::string> missing_scenarios(Connection& connection, std::span<const std::string> ids) {
    return sql::read_all(Rows(connection, kMissing, ids), [](const sql::Row& rows) { return std::string(rows.text(0)); });
}

void add_scenarios(Connection& connection, std::int64_t run, std::span<const std::string> ids) {
    connection.post(kAddSome, run, ids);
}

std::vector<RunItem> lock_items(Connection& connection, std::int64_t run, std::string_view model_version, std::size_t limit) {
    return sql::read_all(Rows(connection, kLockItems, run, model_version, limit), [](const sql::Row& rows) {
        return RunItem{rows.integer(0), std::string(rows.text(1)), std::string(rows.text(2)), 0};
    });
}

void remove_attempts(Connection& connection, std::int64_t run) { connection.post(kRemoveAttempts, run); }

} // namespace costcurve::storage::postgres
