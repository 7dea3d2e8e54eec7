// Lines go by a few statements, however many they are.
#include "server/storage/postgres/bill.hpp"

#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

namespace costcurve::storage::postgres {

namespace {

// The names of lines as columns, in their order: those that are new are numbered in it.
constexpr const char* kLineItems = R"(
    FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) WITH ORDINALITY AS w (provider, region, sku,
        purchase, device, currency, account, category, resource, tags, commitment, commitment_status, consumed_unit, priced_unit,
        virtual_currency, place) LEFT JOIN bill_item AS i ON {} = {})";
constexpr const char* kFindItems = "SELECT i.item {} ORDER BY w.place";
constexpr const char* kAddItems = R"(
    INSERT INTO bill_item (provider, region, sku, purchase, device, currency, account, category, resource, tags, commitment,
        commitment_status, consumed_unit, priced_unit, virtual_currency)
    SELECT w.provider, w.region, w.sku, w.purchase, w.device, w.currency, w.account, w.category, w.resource, w.tags, w.commitment,
        w.commitment_status, w.consumed_unit, w.priced_unit, w.virtual_currency {} WHERE i.item IS NULL ORDER BY w.place)";
constexpr const char* kRemove = "DELETE FROM bill_line WHERE day = $1 AND item = ANY ($2)";
constexpr const char* kPut = R"(
    INSERT INTO bill_line (day, item, hours, device_hours, tokens, consumed_quantity, priced_quantity, virtual_currency_cost,
        billed_cost, effective_cost, list_cost, since)
    SELECT $1, *, $2 FROM unnest($3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT (day, item) DO UPDATE SET hours = excluded.hours, device_hours = excluded.device_hours, tokens = excluded.tokens,
        consumed_quantity = excluded.consumed_quantity, priced_quantity = excluded.priced_quantity,
        virtual_currency_cost = excluded.virtual_currency_cost, billed_cost = excluded.billed_cost,
        effective_cost = excluded.effective_cost, list_cost = excluded.list_cost, since = excluded.since)";

constexpr auto kNames = std::tuple_cat(kGroupNames, kLineNames);

// The names of a line as the index bill_item_by_name has them: `{0}` is the alias of a table.
constexpr const char* kNameHash = R"(
    md5(md5({0}.provider) || md5({0}.region) || md5({0}.sku) || md5({0}.purchase) || md5({0}.device) || md5({0}.currency)
        || md5({0}.account) || md5({0}.category) || md5({0}.resource) || md5({0}.tags) || md5({0}.commitment)
        || md5({0}.commitment_status) || md5({0}.consumed_unit) || md5({0}.priced_unit) || md5({0}.virtual_currency)))";
std::string with_items(const char* sql) {
    return fmt::format(fmt::runtime(sql), fmt::format(kLineItems, fmt::format(kNameHash, "i"), fmt::format(kNameHash, "w")));
}

using Lines = std::span<const BillLine* const>;

// The numbers of lines' names, which are added where they are new. Nobody else adds any meanwhile: that is the lock of all changes.
std::vector<std::int64_t> items_of(Connection& connection, Lines lines) {
    return std::apply(
        [&](auto... name) {
            Rows(connection, with_items(kAddItems), column_of(lines, name)...).run();
            return sql::read_all(Rows(connection, with_items(kFindItems), column_of(lines, name)...),
                                 [](const Rows& rows) { return rows.integer(0); });
        },
        kNames);
}

} // namespace

} // namespace costcurve::storage::postgres

namespace costcurve::storage::sql {

const char* const BillStatements<postgres::Connection>::kFindGroup = R"(
    SELECT item, category, resource, tags, commitment, commitment_status, consumed_unit, priced_unit, virtual_currency,
        hours, device_hours, tokens, consumed_quantity, priced_quantity, virtual_currency_cost, billed_cost,
        effective_cost, list_cost, since
    FROM bill_item JOIN bill_line USING (item)
    WHERE provider = $1 AND region = $2 AND sku = $3 AND purchase = $4 AND device = $5 AND currency = $6 AND account = $7
        AND day = $8
        AND md5(md5(provider) || md5(region) || md5(sku) || md5(purchase) || md5(device) || md5(currency))
            = md5(md5($1) || md5($2) || md5($3) || md5($4) || md5($5) || md5($6))
    ORDER BY item)";
const char* const BillStatements<postgres::Connection>::kFindBeside = R"(
    SELECT 1 FROM bill_item JOIN bill_line USING (item)
    WHERE provider = $1 AND region = $2 AND sku = $3 AND purchase = $4 AND device = $5 AND currency = $6
        AND account <> $7 AND day = $8 AND since <> $9 AND ($7 = '' OR account = '' OR strpos(account, $7 || '/') = 1
            OR strpos($7, account || '/') = 1)
        AND md5(md5(provider) || md5(region) || md5(sku) || md5(purchase) || md5(device) || md5(currency))
            = md5(md5($1) || md5($2) || md5($3) || md5($4) || md5($5) || md5($6))
    LIMIT 1)";
// Sums in the order of rows: the same bits at every time.
const char* const BillStatements<postgres::Connection>::kTotal = R"(
    SELECT currency, count(*), sum(hours ORDER BY day, item), sum(device_hours ORDER BY day, item),
        sum(billed_cost ORDER BY day, item), sum(effective_cost ORDER BY day, item), sum(list_cost ORDER BY day, item)
    FROM bill_line JOIN bill_item USING (item)
    WHERE day >= $1 AND day < $2 AND ($3 = '' OR provider = $3) AND ($4 = '' OR region = $4) AND ($5 = '' OR sku = $5)
        AND ($6 = '' OR purchase = $6) AND ($7 = '' OR device = $7) AND category = 'usage'
    GROUP BY currency ORDER BY currency)";
const char* const BillStatements<postgres::Connection>::kVisit = R"(
    SELECT provider, region, sku, purchase, device, currency, account, category, resource, tags, commitment, commitment_status,
        consumed_unit, priced_unit, virtual_currency, hours, device_hours, tokens, consumed_quantity, priced_quantity,
        virtual_currency_cost, billed_cost, effective_cost, list_cost, first_day, last_day, days
    FROM bill_item JOIN (
        SELECT item, sum(hours ORDER BY day) AS hours, sum(device_hours ORDER BY day) AS device_hours,
            sum(tokens ORDER BY day) AS tokens, sum(consumed_quantity ORDER BY day) AS consumed_quantity,
            sum(priced_quantity ORDER BY day) AS priced_quantity,
            sum(virtual_currency_cost ORDER BY day) AS virtual_currency_cost, sum(billed_cost ORDER BY day) AS billed_cost,
            sum(effective_cost ORDER BY day) AS effective_cost, sum(list_cost ORDER BY day) AS list_cost,
            min(day) AS first_day, max(day) AS last_day, count(*) AS days
        FROM bill_line WHERE day >= $1 AND day < $2 GROUP BY item) AS s USING (item)
    ORDER BY item)";

void BillStatements<postgres::Connection>::remove_lines(postgres::Connection& connection, std::int64_t day,
                                                        std::span<const std::int64_t> items) {
    if (!items.empty()) {
        connection.post(postgres::kRemove, day, items);
    }
}

void BillStatements<postgres::Connection>::put_lines(postgres::Connection& connection, std::span<const BillLine* const> lines,
                                                     std::int64_t sequence) {
    if (lines.empty()) {
        return;
    }
    const std::vector<std::int64_t> items = postgres::items_of(connection, lines);
    std::apply(
        [&](auto... figure) {
            connection.post(postgres::kPut, lines.front()->day, sequence, items, postgres::column_of(lines, figure)...);
        },
        kFigures);
}

} // namespace costcurve::storage::sql
