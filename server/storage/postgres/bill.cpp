// Bill lines on PostgreSQL, written by a fixed number of statements whatever their number.
#include "server/storage/postgres/bill.hpp"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "server/storage/bill.hpp"

namespace costcurve::storage::postgres {

namespace {

// SQL hash of a line's names in table `alias`, the expression of index bill_item_by_name.
std::string name_hash(std::string_view alias) {
    return fmt::format("md5({})", columns_sql(kBillNames, fmt::format("md5({}.{{0}})", alias), " || "));
}

// The names of lines as columns, in order; new names are numbered in this order.
const std::string kLineItems =
    fmt::format("FROM unnest({}) WITH ORDINALITY AS w ({}, place) LEFT JOIN bill_item AS i ON {} = {}",
                columns_sql(kBillNames, "${1}"), columns_sql(kBillNames), name_hash("i"), name_hash("w"));
const std::string kFindItems = fmt::format("SELECT i.item {} ORDER BY w.place", kLineItems);
const std::string kAddItems = fmt::format("INSERT INTO bill_item ({}) SELECT {} {} WHERE i.item IS NULL ORDER BY w.place",
                                          columns_sql(kBillNames), columns_sql(kBillNames, "w.{0}"), kLineItems);
constexpr const char* kRemove = "DELETE FROM bill_line WHERE day = $1 AND item = ANY ($2)";
const std::string kPut = fmt::format(R"(
    INSERT INTO bill_line (day, item, {}, since) SELECT $1, *, $2 FROM unnest($3, {})
    ON CONFLICT (day, item) DO UPDATE SET {}, since = excluded.since)",
                                     columns_sql(kBillFigures), columns_sql(kBillFigures, "${1}", ", ", 4),
                                     columns_sql(kBillFigures, "{0} = excluded.{0}"));

using Lines = std::span<const BillLine* const>;

// The row numbers of the lines' names; new names are added. The lock of all changes keeps other writers from adding names
// meanwhile.
std::vector<std::int64_t> items_of(Connection& connection, Lines lines) {
    return std::apply(
        [&](auto... name) {
            connection.run(kAddItems, column_of(lines, name.member)...);
            return sql::read_all(Rows(connection, kFindItems, column_of(lines, name.member)...),
                                 [](const sql::Row& rows) { return rows.integer(0); });
        },
        kBillNames);
}

// Condition on all names except the account, passed as the first parameters; the expression of index bill_item_by_group.
const std::string kIsGroup = fmt::format("md5({}) = md5({})", columns_sql(kNamesBesideAccount, "md5({0})", " || "),
                                         columns_sql(kNamesBesideAccount, "md5(${1})", " || "));
const std::string kFindGroup = fmt::format(R"(
    SELECT item, {}, {}, since FROM bill_item JOIN bill_line USING (item)
    WHERE {} AND day = $8 AND {} ORDER BY item)",
                                           columns_sql(kBillLineNames), columns_sql(kBillFigures),
                                           columns_sql(kBillGroupNames, "{0} = ${1}", " AND "), kIsGroup);
const std::string kFindBeside = fmt::format(R"(
    SELECT 1 FROM bill_item JOIN bill_line USING (item)
    WHERE {} AND account <> $7 AND day = $8 AND since <> $9 AND ($7 = '' OR account = '' OR strpos(account, $7 || '/') = 1
            OR strpos($7, account || '/') = 1) AND {} LIMIT 1)",
                                            columns_sql(kNamesBesideAccount, "{0} = ${1}", " AND "), kIsGroup);
// Sums in row order, so that every run gives the same bits.
constexpr const char* kTotal = R"(
    SELECT currency, count(*), sum(hours ORDER BY day, item), sum(device_hours ORDER BY day, item),
        sum(billed_cost ORDER BY day, item), sum(effective_cost ORDER BY day, item), sum(list_cost ORDER BY day, item)
    FROM bill_line JOIN bill_item USING (item)
    WHERE day >= $1 AND day < $2 AND ($3 = '' OR provider = $3) AND ($4 = '' OR region = $4) AND ($5 = '' OR sku = $5)
        AND ($6 = '' OR purchase = $6) AND ($7 = '' OR device = $7) AND category = 'usage'
    GROUP BY currency ORDER BY currency)";
const std::string kVisit =
    fmt::format(R"(
    SELECT {}, {}, first_day, last_day, days
    FROM bill_item JOIN (
        SELECT item, {}, min(day) AS first_day, max(day) AS last_day, count(*) AS days
        FROM bill_line WHERE day >= $1 AND day < $2 GROUP BY item) AS s USING (item)
    ORDER BY item)",
                columns_sql(kBillNames), columns_sql(kBillFigures), columns_sql(kBillFigures, "sum({0} ORDER BY day) AS {0}"));

} // namespace

const sql::BillStatements& bill_statements() {
    static const sql::BillStatements statements = {kFindGroup, kFindBeside, kTotal, kVisit};
    return statements;
}

void remove_lines(Connection& connection, std::int64_t day, std::span<const std::int64_t> items) {
    if (!items.empty()) {
        connection.post(kRemove, day, items);
    }
}

void put_lines(Connection& connection, std::span<const BillLine* const> lines, std::int64_t sequence) {
    if (lines.empty()) {
        return;
    }
    const std::vector<std::int64_t> items = items_of(connection, lines);
    std::apply(
        [&](auto... figure) { connection.post(kPut, lines.front()->day, sequence, items, column_of(lines, figure.member)...); },
        kBillFigures);
}

} // namespace costcurve::storage::postgres
