// Stores the results of a batch of run items with a few statements per batch.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "server/storage/postgres/daemons/runs.hpp"
#include "server/storage/sql/runs.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kFinishItems = R"(
    UPDATE run_item AS i SET state = o.state, problem = o.problem
    FROM unnest($2, $3, $4) AS o (scenario, state, problem)
    WHERE i.run = $1 AND i.scenario = o.scenario AND i.scenario = ANY ($2) AND i.state = 0 RETURNING i.scenario)";
// Last statement of the transaction, so that workers on the same run wait for one another only during a commit.
constexpr const char* kCount = R"(
    UPDATE run SET evaluated = evaluated + $1, unchanged = unchanged + $2, failed = failed + $3
    WHERE run = $4 AND state IN ('queued', 'running'))";
// Locks that serialize the numbering of a scenario's results, taken in order of scenarios. A run from the command line may compute
// the same scenarios.
constexpr std::int64_t kResultLocks = 0x72736c74; // "rslt"
constexpr const char* kLockScenarios = R"(
    SELECT pg_advisory_xact_lock($1::integer, (s % 2147483647)::integer) FROM unnest($2) AS s)";
const std::string kDoneLater = "SELECT s FROM unnest($2) AS s WHERE " + fmt::format(sql::kIsDoneLater, "$1", "s");
constexpr const char* kNextNumbers = R"(
    SELECT s, (SELECT coalesce(max(number), 0) + 1 FROM result AS r WHERE r.scenario = s),
           nextval(pg_get_serial_sequence('result_body', 'body'))
    FROM unnest($1) WITH ORDINALITY AS w (s, place) ORDER BY place)";
constexpr const char* kInsertBodies = "INSERT INTO result_body (body, packed) SELECT * FROM unnest($1, $2)";
constexpr const char* kInsertResults = R"(
    INSERT INTO result (run, recorded_at, scenario, number, body, inputs_hash, model_version, currency, cost, cash, npv,
        npv_after_tax, energy_kwh, carbon_kg, feasible, decide_by, hash)
    SELECT $1, $2, * FROM unnest($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17))";

struct Numbered {
    std::int64_t number = 0;
    std::int64_t body = 0;
};

std::vector<Numbered> number_results(Connection& connection, const std::vector<std::int64_t>& scenarios) {
    return sql::read_all(Rows(connection, kNextNumbers, scenarios), [](const sql::Row& rows) {
        return Numbered{rows.integer(1), rows.integer(2)};
    });
}

// Inserts results of different scenarios, in ascending order.
void insert_results(Connection& connection, std::int64_t run, const std::vector<const RunOutcome*>& outcomes, std::int64_t now) {
    const std::vector<std::int64_t> scenarios = column_of(outcomes, &RunOutcome::document);
    const auto results = column_of(outcomes, [](const RunOutcome* outcome) { return &*outcome->result; });
    const auto headlines = column_of(results, [](const NewResult* result) { return &result->headline; });
    const std::vector<Numbered> numbered = number_results(connection, scenarios);
    std::vector<Hash> hashes;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const NewResult& result = *results[i];
        hashes.push_back(hash_of_result({scenarios[i], numbered[i].number, run, now, result.inputs_hash, result.model_version,
                                         result.headline, numbered[i].body, result.packed}));
    }
    const std::vector<std::int64_t> bodies = column_of(numbered, &Numbered::body);
    connection.run(kInsertBodies, bodies, column_of(results, [](const NewResult* result) { return Bytes{result->packed}; }));
    connection.run(
        kInsertResults, run, now, scenarios, column_of(numbered, &Numbered::number), bodies,
        column_of(results, &NewResult::inputs_hash), column_of(results, &NewResult::model_version),
        column_of(headlines, &Headline::currency), column_of(headlines, &Headline::cost), column_of(headlines, &Headline::cash),
        column_of(headlines, &Headline::npv), column_of(headlines, &Headline::npv_after_tax),
        column_of(headlines, &Headline::energy_kwh), column_of(headlines, &Headline::carbon_kg),
        column_of(
            headlines,
            [](const Headline* of) { return of->feasible ? std::optional<std::int64_t>(*of->feasible ? 1 : 0) : std::nullopt; }),
        column_of(headlines, &Headline::decide_by), column_of(hashes, [](const Hash& hash) { return Bytes{text_of(hash)}; }));
}

// The scenarios for which a later run has already stored a result; locks the scenarios that have results.
std::set<std::int64_t> find_late(Connection& connection, std::int64_t run, std::span<const RunOutcome> outcomes) {
    std::set<std::int64_t> with_result;
    for (const RunOutcome& outcome : outcomes) {
        if (outcome.result) {
            with_result.insert(outcome.document);
        }
    }
    if (with_result.empty()) {
        return {};
    }
    const std::vector<std::int64_t> scenarios(with_result.begin(), with_result.end());
    connection.run(kLockScenarios, kResultLocks, scenarios);
    std::set<std::int64_t> late;
    Rows rows(connection, kDoneLater, run, scenarios);
    while (rows.next()) {
        late.insert(rows.integer(0));
    }
    return late;
}

ItemState state_of(const RunOutcome& outcome, const std::set<std::int64_t>& late) {
    return late.contains(outcome.document) ? ItemState::unchanged : item_state_of(outcome);
}

// Marks items as done and returns the outcomes of those that were open, by scenario.
std::vector<const RunOutcome*> mark_items(Connection& connection, std::int64_t run, std::span<const RunOutcome> outcomes,
                                          const std::set<std::int64_t>& late) {
    std::map<std::int64_t, const RunOutcome*> by_scenario;
    std::vector<std::int64_t> scenarios;
    std::vector<std::int64_t> states;
    std::vector<std::optional<std::string_view>> problems;
    for (const RunOutcome& outcome : outcomes) {
        if (!by_scenario.emplace(outcome.document, &outcome).second) {
            continue; // the first one stays
        }
        const ItemState state = state_of(outcome, late);
        scenarios.push_back(outcome.document);
        states.push_back(static_cast<std::int64_t>(state));
        problems.push_back(state == ItemState::failed ? std::optional<std::string_view>(outcome.problem) : std::nullopt);
    }
    std::vector<const RunOutcome*> marked;
    Rows rows(connection, kFinishItems, run, scenarios, states, problems);
    while (rows.next()) {
        marked.push_back(by_scenario.at(rows.integer(0)));
    }
    std::sort(marked.begin(), marked.end(), [](const RunOutcome* a, const RunOutcome* b) { return a->document < b->document; });
    return marked;
}

} // namespace

bool finish_items(Connection& connection, std::int64_t run, std::span<const RunOutcome> outcomes, std::int64_t now) {
    std::array<std::int64_t, 4> counts{}; // by ItemState
    std::vector<const RunOutcome*> with_result;
    const std::set<std::int64_t> late = find_late(connection, run, outcomes);
    for (const RunOutcome* const outcome : mark_items(connection, run, outcomes, late)) {
        const ItemState state = state_of(*outcome, late);
        ++counts.at(static_cast<std::size_t>(state));
        if (state == ItemState::evaluated) {
            with_result.push_back(outcome);
        }
    }
    if (!with_result.empty()) {
        insert_results(connection, run, with_result, now);
    }
    const auto& [to_do, evaluated, unchanged, failed] = counts;
    return connection.run(kCount, evaluated, unchanged, failed, run) > 0;
}

} // namespace costcurve::storage::postgres
