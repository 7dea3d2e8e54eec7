// A line that is the same as the stored one writes nothing, so that the same bill twice changes nothing.
#include "server/storage/postgres/bill.hpp"

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

#include "server/storage/bill.hpp"

namespace costcurve::storage::postgres {

namespace {

// Columns of names and figures are in the order of kGroupNames, kLineNames and kFigures.
constexpr const char* kFindGroup = R"(
    SELECT item, category, resource, tags, commitment, commitment_status, consumed_unit, priced_unit, virtual_currency,
        hours, device_hours, tokens, consumed_quantity, priced_quantity, virtual_currency_cost, billed_cost,
        effective_cost, list_cost
    FROM bill_item JOIN bill_line USING (item)
    WHERE provider = $1 AND region = $2 AND sku = $3 AND purchase = $4 AND device = $5 AND currency = $6 AND account = $7
        AND day = $8
        AND md5(md5(provider) || md5(region) || md5(sku) || md5(purchase) || md5(device) || md5(currency))
            = md5(md5($1) || md5($2) || md5($3) || md5($4) || md5($5) || md5($6))
    ORDER BY item)";
// Of another write: lines without an account, where this one has one or the other way round, or of a part of the same account.
constexpr const char* kFindBeside = R"(
    SELECT 1 FROM bill_item JOIN bill_line USING (item)
    WHERE provider = $1 AND region = $2 AND sku = $3 AND purchase = $4 AND device = $5 AND currency = $6
        AND account <> $7 AND day = $8 AND since <> $9 AND ($7 = '' OR account = '' OR strpos(account, $7 || '/') = 1
            OR strpos($7, account || '/') = 1)
        AND md5(md5(provider) || md5(region) || md5(sku) || md5(purchase) || md5(device) || md5(currency))
            = md5(md5($1) || md5($2) || md5($3) || md5($4) || md5($5) || md5($6))
    LIMIT 1)";
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
// Sums in the order of rows: the same bits at every time.
constexpr const char* kTotal = R"(
    SELECT currency, count(*), sum(hours ORDER BY day, item), sum(device_hours ORDER BY day, item),
        sum(billed_cost ORDER BY day, item), sum(effective_cost ORDER BY day, item), sum(list_cost ORDER BY day, item)
    FROM bill_line JOIN bill_item USING (item)
    WHERE day >= $1 AND day < $2 AND ($3 = '' OR provider = $3) AND ($4 = '' OR region = $4) AND ($5 = '' OR sku = $5)
        AND ($6 = '' OR purchase = $6) AND ($7 = '' OR device = $7) AND category = 'usage'
    GROUP BY currency ORDER BY currency)";
constexpr const char* kVisit = R"(
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

constexpr auto kNames = std::tuple_cat(kGroupNames, kLineNames);

// The names of a line as the index bill_item_by_name has them: `{0}` is the alias of a table.
constexpr const char* kNameHash = R"(
    md5(md5({0}.provider) || md5({0}.region) || md5({0}.sku) || md5({0}.purchase) || md5({0}.device) || md5({0}.currency)
        || md5({0}.account) || md5({0}.category) || md5({0}.resource) || md5({0}.tags) || md5({0}.commitment)
        || md5({0}.commitment_status) || md5({0}.consumed_unit) || md5({0}.priced_unit) || md5({0}.virtual_currency)))";
std::string with_items(const char* sql) {
    return fmt::format(fmt::runtime(sql), fmt::format(kLineItems, fmt::format(kNameHash, "i"), fmt::format(kNameHash, "w")));
}

using Lines = std::vector<const BillLine*>;

// The stored lines of a line's group.
StoredLines lines_of_group(Connection& connection, const BillLine& group) {
    StoredLines found;
    std::apply(
        [&](auto... name) {
            Rows rows(connection, kFindGroup, group.*name..., group.day);
            while (rows.next()) {
                BillLine stored = group;
                int column = 1;
                read_bill_names(rows, column, kLineNames, stored);
                read_bill_figures(rows, column, stored);
                found.emplace(std::move(stored), rows.integer(0));
            }
        },
        kGroupNames);
    return found;
}

bool stands_beside_another(Connection& connection, const BillLine& group, std::int64_t sequence) {
    return std::apply([&](auto... name) { return Rows(connection, kFindBeside, group.*name..., group.day, sequence).next(); },
                      kGroupNames);
}

template <class T> auto column_of_lines(const Lines& lines, T BillLine::*member) {
    std::vector<std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>> column;
    column.reserve(lines.size());
    for (const BillLine* const line : lines) {
        column.emplace_back(line->*member);
    }
    return column;
}

// The numbers of lines' names, which are added where they are new. Nobody else adds any meanwhile: that is the lock of all changes.
std::vector<std::int64_t> items_of(Connection& connection, const Lines& lines) {
    return std::apply(
        [&](auto... name) {
            Rows(connection, with_items(kAddItems), column_of_lines(lines, name)...).run();
            std::vector<std::int64_t> items;
            Rows rows(connection, with_items(kFindItems), column_of_lines(lines, name)...);
            while (rows.next()) {
                items.push_back(rows.integer(0));
            }
            return items;
        },
        kNames);
}

// Lines of one day.
void put(Connection& connection, const Lines& lines, std::int64_t sequence) {
    if (lines.empty()) {
        return;
    }
    const std::vector<std::int64_t> items = items_of(connection, lines);
    std::apply(
        [&](auto... figure) {
            Rows(connection, kPut, lines.front()->day, sequence, items, column_of_lines(lines, figure)...).run();
        },
        kFigures);
}

void remove(Connection& connection, std::int64_t day, const std::vector<std::int64_t>& items) {
    if (!items.empty()) {
        Rows(connection, kRemove, day, items).run();
    }
}

// Writes the lines of one group in place of those that are stored of it.
void save_group(Connection& connection, Change& change, const std::vector<BillLine>& lines, bool replaces_nameless,
                BillOutcome& outcome) {
    const BillLine& group = lines.front();
    StoredLines nameless;
    if (replaces_nameless) {
        BillLine without_account = group;
        without_account.account = "";
        nameless = lines_of_group(connection, without_account);
    }
    const GroupDifference difference = group_difference(lines, lines_of_group(connection, group), std::move(nameless), outcome);
    if (difference.stale.empty() && difference.lines.empty()) {
        return;
    }
    const std::int64_t sequence = change.sequence();
    if (difference.added_alone > 0 && stands_beside_another(connection, group, sequence)) {
        outcome.beside += difference.added_alone;
    }
    remove(connection, group.day, difference.stale);
    put(connection, difference.lines, sequence);
}

} // namespace

BillOutcome save_bill_lines(Connection& connection, Change& change, std::span<const BillLine> lines) {
    BillOutcome outcome;
    const bool replaces_nameless = all_name_accounts(lines);
    for (const std::vector<BillLine>& group : by_group(added_up(lines))) {
        save_group(connection, change, group, replaces_nameless, outcome);
    }
    return outcome;
}

std::vector<BillTotal> total_bill(Connection& connection, const BillQuery& query) {
    std::vector<BillTotal> totals;
    Rows rows(connection, kTotal, query.from_day, query.to_day, query.provider, query.region, query.sku, query.purchase,
              query.device);
    while (rows.next()) {
        totals.push_back(read_bill_total(rows));
    }
    return totals;
}

void visit_bill(Connection& connection, std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) {
    Rows rows(connection, kVisit, from_day, to_day);
    while (rows.next()) {
        visit(read_bill_sum(rows));
    }
}

} // namespace costcurve::storage::postgres
