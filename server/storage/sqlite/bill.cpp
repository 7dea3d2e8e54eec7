// A line that is the same as the stored one writes nothing, so that the same bill twice changes nothing.
#include "server/storage/sqlite/bill.hpp"

#include <optional>

#include "server/storage/bill.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kFind = R"(
    SELECT hours, device_hours, billed_cost, effective_cost, list_cost FROM bill_line
    WHERE day = ? AND provider = ? AND region = ? AND sku = ? AND purchase = ? AND device = ? AND currency = ? AND account = ?)";
// Of another write: a line without an account, where this one has one or the other way round, or of a part of the same account.
constexpr const char* kFindBeside = R"(
    SELECT 1 FROM bill_line
    WHERE day = ?1 AND provider = ?2 AND region = ?3 AND sku = ?4 AND purchase = ?5 AND device = ?6 AND currency = ?7
        AND account <> ?8 AND since <> ?9 AND (?8 = '' OR account = '' OR instr(account, ?8 || '/') = 1
            OR instr(?8, account || '/') = 1) LIMIT 1)";
constexpr const char* kRemove = R"(
    DELETE FROM bill_line
    WHERE day = ? AND provider = ? AND region = ? AND sku = ? AND purchase = ? AND device = ? AND currency = ? AND account = ?)";
constexpr const char* kPut = R"(
    INSERT OR REPLACE INTO bill_line (day, provider, region, sku, purchase, device, currency, account, hours, device_hours,
        billed_cost, effective_cost, list_cost, since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))";
constexpr const char* kTotal = R"(
    SELECT currency, count(*), sum(hours), sum(device_hours), sum(billed_cost), sum(effective_cost), sum(list_cost) FROM bill_line
    WHERE day >= ?1 AND day < ?2 AND (?3 = '' OR provider = ?3) AND (?4 = '' OR region = ?4) AND (?5 = '' OR sku = ?5)
        AND (?6 = '' OR purchase = ?6) AND (?7 = '' OR device = ?7)
    GROUP BY currency ORDER BY currency)";

// The stored line of the same names.
std::optional<BillLine> find(Database& database, const BillLine& line) {
    Rows rows(database, kFind, line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency,
              line.account);
    if (!rows.next()) {
        return std::nullopt;
    }
    BillLine stored = line;
    stored.hours = rows.real(0);
    stored.device_hours = rows.real(1);
    stored.billed_cost = rows.real(2);
    stored.effective_cost = rows.real(3);
    stored.list_cost = rows.real(4);
    return stored;
}

bool stands_beside_another(Database& database, const BillLine& line, std::int64_t sequence) {
    return Rows(database, kFindBeside, line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency,
                line.account, sequence)
        .next();
}

void remove(Database& database, const BillLine& line) {
    Rows(database, kRemove, line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency, line.account)
        .run();
}

void put(Database& database, const BillLine& line, std::int64_t sequence) {
    Rows(database, kPut, line.day, line.provider, line.region, line.sku, line.purchase, line.device, line.currency, line.account,
         line.hours, line.device_hours, line.billed_cost, line.effective_cost, line.list_cost, sequence)
        .run();
}

} // namespace

BillOutcome save_bill_lines(Database& database, Change& change, std::span<const BillLine> lines) {
    BillOutcome outcome;
    const bool replaces_nameless = all_name_accounts(lines);
    for (const BillLine& line : added_up(lines)) {
        std::optional<BillLine> stored = find(database, line);
        const bool is_same = stored && same_figures(*stored, line);
        if (!stored && replaces_nameless) {
            BillLine nameless = line;
            nameless.account = "";
            stored = find(database, nameless);
            if (stored) {
                remove(database, nameless);
            }
        }
        count_line(outcome, line, stored);
        if (is_same) {
            continue;
        }
        outcome.beside += !stored && stands_beside_another(database, line, change.sequence()) ? 1U : 0U;
        put(database, line, change.sequence());
    }
    return outcome;
}

std::vector<BillTotal> total_bill(Database& database, const BillQuery& query) {
    std::vector<BillTotal> totals;
    Rows rows(database, kTotal, query.from_day, query.to_day, query.provider, query.region, query.sku, query.purchase,
              query.device);
    while (rows.next()) {
        totals.push_back(
            {std::string(rows.text(0)), rows.integer(1), rows.real(2), rows.real(3), rows.real(4), rows.real(5), rows.real(6)});
    }
    return totals;
}

} // namespace costcurve::storage::sqlite
