// Items of runs. A finished item is a row, written in the transaction that stores its result.
#include "server/storage/sqlite/runs.hpp"

#include <array>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "server/storage/sql/runs.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kAddOne = "INSERT OR IGNORE INTO run_item (run, scenario) VALUES (?, ?)";
constexpr const char* kItems = R"(
    SELECT i.scenario, d.id, (SELECT inputs_hash FROM result AS r WHERE r.scenario = i.scenario AND r.model_version = ?2
        AND r.number = (SELECT max(number) FROM result AS l WHERE l.scenario = i.scenario))
    FROM run_item AS i JOIN document AS d ON d.document = i.scenario
    WHERE i.run = ?1 AND i.state = 0 ORDER BY i.scenario)";
constexpr const char* kFinishItem = "UPDATE run_item SET state = ?, problem = ? WHERE run = ? AND scenario = ? AND state = 0";
constexpr const char* kCount = R"(
    UPDATE run SET evaluated = evaluated + ?, unchanged = unchanged + ?, failed = failed + ? WHERE run = ?)";
constexpr const char* kInsertBody = "INSERT INTO result_body (packed) VALUES (CAST(? AS BLOB))";
constexpr const char* kInsertResult = R"(
    INSERT INTO result (scenario, number, run, recorded_at, inputs_hash, model_version, currency, cost, cash, npv, npv_after_tax,
        energy_kwh, carbon_kg, feasible, decide_by, body, hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS BLOB)))";
const std::string kDoneLater = "SELECT " + fmt::format(sql::kIsDoneLater, "?1", "?2");
constexpr const char* kNextNumber = "SELECT coalesce(max(number), 0) + 1 FROM result WHERE scenario = ?";

void insert_result(Database& database, std::int64_t run, std::int64_t scenario, const NewResult& result, std::int64_t now) {
    database.post(kInsertBody, Bytes{result.packed});
    const std::int64_t body = database.last_row();
    const std::int64_t number = database.number(kNextNumber, scenario);
    const Headline& of = result.headline;
    const Hash hash =
        hash_of_result({scenario, number, run, now, result.inputs_hash, result.model_version, of, body, result.packed});
    database.run(kInsertResult, scenario, number, run, now, result.inputs_hash, result.model_version, of.currency, of.cost, of.cash,
                 of.npv, of.npv_after_tax, of.energy_kwh, of.carbon_kg,
                 of.feasible ? std::optional<std::int64_t>(*of.feasible ? 1 : 0) : std::nullopt, of.decide_by, body, text_of(hash));
}

} // namespace

std::vector<std::string> missing_scenarios(Database& database, std::span<const std::string> ids) {
    std::vector<std::string> missing;
    for (const std::string& id : ids) {
        if (!find_living(database, {Kind::scenario, id}, kNow)) {
            missing.push_back(id);
        }
    }
    return missing;
}

void add_scenarios(Database& database, std::int64_t run, std::span<const std::string> ids) {
    for (const std::string& id : ids) {
        database.post(kAddOne, run, find_living(database, {Kind::scenario, id}, kNow));
    }
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
    const std::optional<Run> current = sql::find_run(database, run);
    if (!current || has_ended(current->state)) {
        return false;
    }
    std::array<std::int64_t, 4> counts{}; // by ItemState
    for (const RunOutcome& outcome : outcomes) {
        const bool is_late = outcome.result && database.number(kDoneLater, run, outcome.document) != 0;
        const ItemState state = is_late ? ItemState::unchanged : item_state_of(outcome);
        const auto problem = state == ItemState::failed ? std::optional<std::string_view>(outcome.problem) : std::nullopt;
        if (database.run(kFinishItem, static_cast<int>(state), problem, run, outcome.document) == 0) {
            continue; // another process has done it
        }
        ++counts.at(static_cast<std::size_t>(state));
        if (state == ItemState::evaluated) {
            insert_result(database, run, outcome.document, *outcome.result, now);
        }
    }
    const auto& [to_do, evaluated, unchanged, failed] = counts;
    database.run(kCount, evaluated, unchanged, failed, run);
    return true;
}

} // namespace costcurve::storage::sqlite
