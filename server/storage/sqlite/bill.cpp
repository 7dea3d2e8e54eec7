// A line that is the same as the stored one writes nothing, so that the same bill twice changes nothing.
#include "server/storage/sqlite/bill.hpp"

#include <tuple>

#include "server/storage/bill.hpp"

namespace costcurve::storage::sqlite {

namespace {

// Columns of names and figures are in the order of kGroupNames, kLineNames and kFigures.
constexpr const char* kFindGroup = R"(
    SELECT item, category, resource, tags, commitment, commitment_status, consumed_unit, priced_unit, virtual_currency,
        hours, device_hours, tokens, consumed_quantity, priced_quantity, virtual_currency_cost, billed_cost,
        effective_cost, list_cost
    FROM bill_item JOIN bill_line USING (item)
    WHERE provider = ? AND region = ? AND sku = ? AND purchase = ? AND device = ? AND currency = ? AND account = ? AND day = ?
    ORDER BY item)";
// Of another write: lines without an account, where this one has one or the other way round, or of a part of the same account.
constexpr const char* kFindBeside = R"(
    SELECT 1 FROM bill_item JOIN bill_line USING (item)
    WHERE provider = ?1 AND region = ?2 AND sku = ?3 AND purchase = ?4 AND device = ?5 AND currency = ?6
        AND account <> ?7 AND day = ?8 AND since <> ?9 AND (?7 = '' OR account = '' OR instr(account, ?7 || '/') = 1
            OR instr(?7, account || '/') = 1) LIMIT 1)";
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
constexpr const char* kTotal = R"(
    SELECT currency, count(*), sum(hours), sum(device_hours), sum(billed_cost), sum(effective_cost), sum(list_cost)
    FROM bill_line JOIN bill_item USING (item)
    WHERE day >= ?1 AND day < ?2 AND (?3 = '' OR provider = ?3) AND (?4 = '' OR region = ?4) AND (?5 = '' OR sku = ?5)
        AND (?6 = '' OR purchase = ?6) AND (?7 = '' OR device = ?7) AND category = 'usage'
    GROUP BY currency ORDER BY currency)";
constexpr const char* kVisit = R"(
    SELECT provider, region, sku, purchase, device, currency, account, category, resource, tags, commitment, commitment_status,
        consumed_unit, priced_unit, virtual_currency, sum(hours), sum(device_hours), sum(tokens), sum(consumed_quantity),
        sum(priced_quantity), sum(virtual_currency_cost), sum(billed_cost), sum(effective_cost), sum(list_cost), min(day),
        max(day), count(*)
    FROM bill_line JOIN bill_item USING (item) WHERE day >= ? AND day < ? GROUP BY item ORDER BY item)";

constexpr auto kNames = std::tuple_cat(kGroupNames, kLineNames);

// The stored lines of a line's group.
StoredLines lines_of_group(Database& database, const BillLine& group) {
    StoredLines found;
    std::apply(
        [&](auto... name) {
            Rows rows(database, kFindGroup, group.*name..., group.day);
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

bool stands_beside_another(Database& database, const BillLine& group, std::int64_t sequence) {
    return std::apply([&](auto... name) { return Rows(database, kFindBeside, group.*name..., group.day, sequence).next(); },
                      kGroupNames);
}

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

void put(Database& database, const BillLine& line, std::int64_t sequence) {
    const std::int64_t item = item_of(database, line);
    std::apply([&](auto... figure) { Rows(database, kPut, line.day, item, line.*figure..., sequence).run(); }, kFigures);
}

// Writes the lines of one group in place of those that are stored of it.
void save_group(Database& database, Change& change, const std::vector<BillLine>& lines, bool replaces_nameless,
                BillOutcome& outcome) {
    const BillLine& group = lines.front();
    StoredLines nameless;
    if (replaces_nameless) {
        BillLine without_account = group;
        without_account.account = "";
        nameless = lines_of_group(database, without_account);
    }
    const GroupDifference difference = group_difference(lines, lines_of_group(database, group), std::move(nameless), outcome);
    if (difference.stale.empty() && difference.lines.empty()) {
        return;
    }
    const std::int64_t sequence = change.sequence();
    if (difference.added_alone > 0 && stands_beside_another(database, group, sequence)) {
        outcome.beside += difference.added_alone;
    }
    for (const std::int64_t item : difference.stale) {
        Rows(database, kRemove, group.day, item).run();
    }
    for (const BillLine* const line : difference.lines) {
        put(database, *line, sequence);
    }
}

} // namespace

BillOutcome save_bill_lines(Database& database, Change& change, std::span<const BillLine> lines) {
    BillOutcome outcome;
    const bool replaces_nameless = all_name_accounts(lines);
    for (const std::vector<BillLine>& group : by_group(added_up(lines))) {
        save_group(database, change, group, replaces_nameless, outcome);
    }
    return outcome;
}

std::vector<BillTotal> total_bill(Database& database, const BillQuery& query) {
    std::vector<BillTotal> totals;
    Rows rows(database, kTotal, query.from_day, query.to_day, query.provider, query.region, query.sku, query.purchase,
              query.device);
    while (rows.next()) {
        totals.push_back(read_bill_total(rows));
    }
    return totals;
}

void visit_bill(Database& database, std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) {
    Rows rows(database, kVisit, from_day, to_day);
    while (rows.next()) {
        visit(read_bill_sum(rows));
    }
}

} // namespace costcurve::storage::sqlite
