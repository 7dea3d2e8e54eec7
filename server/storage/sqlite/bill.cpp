// Bill lines on SQLite. They are written one by one, because there is only one writer.
#include "server/storage/sqlite/bill.hpp"

#include <string>
#include <tuple>

#include <fmt/format.h>

#include "server/storage/bill.hpp"

namespace costcurve::storage::sqlite {

namespace {

const std::string kFindItem = "SELECT item FROM bill_item WHERE " + columns_sql(kBillNames, "{0} = ?", " AND ");
const std::string kAddItem =
    fmt::format("INSERT INTO bill_item ({}) VALUES ({})", columns_sql(kBillNames), columns_sql(kBillNames, "?"));
constexpr const char* kRemove = "DELETE FROM bill_line WHERE day = ? AND item = ?";
const std::string kPut = fmt::format("INSERT OR REPLACE INTO bill_line (day, item, {}, since) VALUES (?, ?, {}, ?)",
                                     columns_sql(kBillFigures), columns_sql(kBillFigures, "?"));

// Row number of a line's names; new names are added.
std::int64_t item_of(Database& database, const BillLine& line) {
    return std::apply(
        [&](auto... name) {
            if (Rows rows(database, kFindItem, line.*name.member...); rows.next()) {
                return rows.integer(0);
            }
            database.run(kAddItem, line.*name.member...);
            return database.last_row();
        },
        kBillNames);
}

const std::string kFindGroup =
    fmt::format("SELECT item, {}, {}, since FROM bill_item JOIN bill_line USING (item) WHERE {} AND day = ? ORDER BY item",
                columns_sql(kBillLineNames), columns_sql(kBillFigures), columns_sql(kBillGroupNames, "{0} = ?", " AND "));
const std::string kFindBeside = fmt::format(R"(
    SELECT 1 FROM bill_item JOIN bill_line USING (item)
    WHERE {} AND account <> ?7 AND day = ?8 AND since <> ?9 AND (?7 = '' OR account = '' OR instr(account, ?7 || '/') = 1
        OR instr(?7, account || '/') = 1) LIMIT 1)",
                                            columns_sql(kNamesBesideAccount, "{0} = ?{1}", " AND "));
constexpr const char* kTotal = R"(
    SELECT currency, count(*), sum(hours), sum(device_hours), sum(billed_cost), sum(effective_cost), sum(list_cost)
    FROM bill_line JOIN bill_item USING (item)
    WHERE day >= ?1 AND day < ?2 AND (?3 = '' OR provider = ?3) AND (?4 = '' OR region = ?4) AND (?5 = '' OR sku = ?5)
        AND (?6 = '' OR purchase = ?6) AND (?7 = '' OR device = ?7) AND category = 'usage'
    GROUP BY currency ORDER BY currency)";
const std::string kVisit = fmt::format(R"(
    SELECT {}, {}, min(day), max(day), count(*)
    FROM bill_line JOIN bill_item USING (item) WHERE day >= ? AND day < ? GROUP BY item ORDER BY item)",
                                       columns_sql(kBillNames), columns_sql(kBillFigures, "sum({0})"));

} // namespace

const sql::BillStatements& bill_statements() {
    static const sql::BillStatements statements = {kFindGroup, kFindBeside, kTotal, kVisit};
    return statements;
}

void remove_lines(Database& database, std::int64_t day, std::span<const std::int64_t> items) {
    for (const std::int64_t item : items) {
        database.post(kRemove, day, item);
    }
}

void put_lines(Database& database, std::span<const BillLine* const> lines, std::int64_t sequence) {
    for (const BillLine* const line : lines) {
        const std::int64_t item = item_of(database, *line);
        std::apply([&](auto... figure) { database.post(kPut, line->day, item, line->*figure.member..., sequence); }, kBillFigures);
    }
}

} // namespace costcurve::storage::sqlite
