// One writer: lines go one by one.
#include "server/storage/sqlite/bill.hpp"

#include <tuple>

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kFindItem = R"(
    SELECT item FROM bill_item
    WHERE provider = ? AND region = ? AND sku = ? AND purchase = ? AND device = ? AND currency = ? AND account = ?
        AND category = ? AND resource = ? AND tags = ? AND commitment = ? AND commitment_status = ? AND consumed_unit = ?
        AND priced_unit = ? AND virtual_currency = ?)";
constexpr const char* kAddItem = R"(
    INSERT INTO bill_item (provider, region, sku, purchase, device, currency, account, category, resource, tags, commitment,
        commitment_status, consumed_unit, priced_unit, virtual_currency) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))";
constexpr const char* kRemove = "DELETE FROM bill_line WHERE day = ? AND item = ?";
constexpr const char* kPut = R"(
    INSERT OR REPLACE INTO bill_line (day, item, hours, device_hours, tokens, consumed_quantity, priced_quantity,
        virtual_currency_cost, billed_cost, effective_cost, list_cost, since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))";

constexpr auto kNames = std::tuple_cat(kGroupNames, kLineNames);

// The number of a line's names, which are added where they are new.
std::int64_t item_of(Database& database, const BillLine& line) {
    return std::apply(
        [&](auto... name) {
            if (Rows rows(database, kFindItem, line.*name...); rows.next()) {
                return rows.integer(0);
            }
            Rows(database, kAddItem, line.*name...).run();
            return database.last_row();
        },
        kNames);
}

} // namespace

} // namespace costcurve::storage::sqlite

namespace costcurve::storage::sql {

const char* const BillStatements<sqlite::Database>::kFindGroup = R"(
    SELECT item, category, resource, tags, commitment, commitment_status, consumed_unit, priced_unit, virtual_currency,
        hours, device_hours, tokens, consumed_quantity, priced_quantity, virtual_currency_cost, billed_cost,
        effective_cost, list_cost, since
    FROM bill_item JOIN bill_line USING (item)
    WHERE provider = ? AND region = ? AND sku = ? AND purchase = ? AND device = ? AND currency = ? AND account = ? AND day = ?
    ORDER BY item)";
const char* const BillStatements<sqlite::Database>::kFindBeside = R"(
    SELECT 1 FROM bill_item JOIN bill_line USING (item)
    WHERE provider = ?1 AND region = ?2 AND sku = ?3 AND purchase = ?4 AND device = ?5 AND currency = ?6
        AND account <> ?7 AND day = ?8 AND since <> ?9 AND (?7 = '' OR account = '' OR instr(account, ?7 || '/') = 1
            OR instr(?7, account || '/') = 1) LIMIT 1)";
const char* const BillStatements<sqlite::Database>::kTotal = R"(
    SELECT currency, count(*), sum(hours), sum(device_hours), sum(billed_cost), sum(effective_cost), sum(list_cost)
    FROM bill_line JOIN bill_item USING (item)
    WHERE day >= ?1 AND day < ?2 AND (?3 = '' OR provider = ?3) AND (?4 = '' OR region = ?4) AND (?5 = '' OR sku = ?5)
        AND (?6 = '' OR purchase = ?6) AND (?7 = '' OR device = ?7) AND category = 'usage'
    GROUP BY currency ORDER BY currency)";
const char* const BillStatements<sqlite::Database>::kVisit = R"(
    SELECT provider, region, sku, purchase, device, currency, account, category, resource, tags, commitment, commitment_status,
        consumed_unit, priced_unit, virtual_currency, sum(hours), sum(device_hours), sum(tokens), sum(consumed_quantity),
        sum(priced_quantity), sum(virtual_currency_cost), sum(billed_cost), sum(effective_cost), sum(list_cost), min(day),
        max(day), count(*)
    FROM bill_line JOIN bill_item USING (item) WHERE day >= ? AND day < ? GROUP BY item ORDER BY item)";

void BillStatements<sqlite::Database>::remove_lines(sqlite::Database& database, std::int64_t day,
                                                    std::span<const std::int64_t> items) {
    for (const std::int64_t item : items) {
        database.post(sqlite::kRemove, day, item);
    }
}

void BillStatements<sqlite::Database>::put_lines(sqlite::Database& database, std::span<const BillLine* const> lines,
                                                 std::int64_t sequence) {
    for (const BillLine* const line : lines) {
        const std::int64_t item = sqlite::item_of(database, *line);
        std::apply([&](auto... figure) { database.post(sqlite::kPut, line->day, item, line->*figure..., sequence); }, kFigures);
    }
}

} // namespace costcurve::storage::sql
