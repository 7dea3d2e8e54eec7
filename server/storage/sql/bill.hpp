// A line that is the same as the stored one writes nothing, so that the same bill twice changes nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "server/storage/bill.hpp"
#include "server/storage/save_outcome.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/dialect.hpp"

namespace costcurve::storage::sql {

/// How an engine finds and writes lines: statements `kFindGroup`, `kFindBeside` (of another write: lines without an account, where
/// this one has one or the other way round, or of a part of the same account), `kTotal` and `kVisit`, whose columns of names and
/// figures are in the order of kGroupNames, kLineNames and kFigures, and the first's last one is the change that it is since;
/// `remove_lines` and `put_lines`, both of one day.
template <class Connection> struct BillStatements;

// The stored lines of a line's group.
template <class Connection> [[nodiscard]] StoredLines lines_of_group(Connection& connection, const BillLine& group) {
    StoredLines found;
    std::apply(
        [&](auto... name) {
            RowsOf<Connection> rows(connection, BillStatements<Connection>::kFindGroup, group.*name..., group.day);
            while (rows.next()) {
                BillLine stored = group;
                int column = 1;
                read_bill_names(rows, column, kLineNames, stored);
                read_bill_figures(rows, column, stored);
                found.emplace(std::move(stored), LineRow{rows.integer(0), rows.integer(column)});
            }
        },
        kGroupNames);
    return found;
}

// Keeps a stored line as it is before a change replaces or removes it.
template <class Connection>
void keep_replaced(Connection& connection, std::int64_t change, std::int64_t day, std::span<const std::int64_t> items) {
    for (const std::int64_t item : items) {
        connection.post("INSERT INTO replaced_bill_line (day, item, change, hours, device_hours, tokens, consumed_quantity, "
                        "priced_quantity, virtual_currency_cost, billed_cost, effective_cost, list_cost, since) "
                        "SELECT day, item, $1, hours, device_hours, tokens, consumed_quantity, priced_quantity, "
                        "virtual_currency_cost, billed_cost, effective_cost, list_cost, since FROM bill_line "
                        "WHERE day = $2 AND item = $3",
                        change, day, item);
    }
}

// What a bill states as it is stored.
struct AlikeLine {
    std::int64_t day = 0;
    LineRow row;
};

// How many changes that state a line alike are kept of one: the first ones and the last.
inline constexpr std::int64_t kMaxStatements = 4;
inline constexpr const char* kKeepStatement = R"(
    INSERT INTO replaced_bill_line (day, item, change, hours, device_hours, tokens, consumed_quantity, priced_quantity,
        virtual_currency_cost, billed_cost, effective_cost, list_cost, since)
    SELECT day, item, $1, hours, device_hours, tokens, consumed_quantity, priced_quantity, virtual_currency_cost, billed_cost,
        effective_cost, list_cost, since FROM bill_line
    WHERE day = $2 AND item = $3 AND $4 > (SELECT count(*) FROM replaced_bill_line AS r
        WHERE r.day = $2 AND r.item = $3 AND r.hours = bill_line.hours AND r.device_hours = bill_line.device_hours
            AND r.tokens = bill_line.tokens AND r.consumed_quantity = bill_line.consumed_quantity
            AND r.priced_quantity = bill_line.priced_quantity AND r.virtual_currency_cost = bill_line.virtual_currency_cost
            AND r.billed_cost = bill_line.billed_cost AND r.effective_cost = bill_line.effective_cost
            AND r.list_cost = bill_line.list_cost))";
// Where the one before was not kept, this one stands in its place.
inline constexpr const char* kTakePlace = R"(
    UPDATE replaced_bill_line SET change = $1 WHERE day = $2 AND item = $3 AND change = $4
        AND NOT EXISTS (SELECT 1 FROM replaced_bill_line AS k WHERE k.day = $2 AND k.item = $3 AND k.change = $1))";

// Lines that a bill states as they are stored are this change's too, so that they outlive the undoing of the one that they are
// from.
template <class Connection> void state_again(Connection& connection, std::int64_t change, const std::vector<AlikeLine>& alike) {
    for (const auto& [day, row] : alike) {
        connection.post(kKeepStatement, change, day, row.number, kMaxStatements - 1);
        connection.post(kTakePlace, change, day, row.number, row.since);
        connection.post("UPDATE bill_line SET since = $1 WHERE day = $2 AND item = $3", change, day, row.number);
    }
}

// Whether lines are all that the change stated which they are from: the same bill once more changes nothing.
template <class Connection> [[nodiscard]] bool is_bill_of_one(Connection& connection, const std::vector<AlikeLine>& alike) {
    if (alike.empty()) {
        return true;
    }
    const std::int64_t since = alike.front().row.since;
    return std::all_of(alike.begin(), alike.end(), [since](const AlikeLine& line) { return line.row.since == since; }) &&
           connection.number("SELECT (SELECT count(*) FROM bill_line WHERE since = $1) + "
                             "(SELECT count(*) FROM replaced_bill_line WHERE since = $1)",
                             since) == static_cast<std::int64_t>(alike.size());
}

// Writes the lines of one group in place of those that are stored of it.
template <class Connection>
void save_group(Connection& connection, Change<Connection>& change, const std::vector<BillLine>& lines, bool replaces_nameless,
                BillOutcome& outcome, std::vector<AlikeLine>& alike) {
    const BillLine& group = lines.front();
    StoredLines nameless;
    if (replaces_nameless) {
        BillLine without_account = group;
        without_account.account = "";
        nameless = lines_of_group(connection, without_account);
    }
    const GroupDifference difference = group_difference(lines, lines_of_group(connection, group), std::move(nameless), outcome);
    for (const LineRow& row : difference.alike) {
        alike.push_back({group.day, row});
    }
    if (difference.stale.empty() && difference.lines.empty()) {
        return;
    }
    const std::int64_t sequence = change.sequence();
    const auto is_beside = [&](auto... name) {
        return RowsOf<Connection>(connection, BillStatements<Connection>::kFindBeside, group.*name..., group.day, sequence).next();
    };
    if (difference.added_alone > 0 && std::apply(is_beside, kGroupNames)) {
        outcome.beside += difference.added_alone;
    }
    keep_replaced(connection, sequence, group.day, difference.stale);
    keep_replaced(connection, sequence, group.day, difference.outdated);
    BillStatements<Connection>::remove_lines(connection, group.day, difference.stale);
    BillStatements<Connection>::put_lines(connection, difference.lines, sequence);
}

/// Stores lines in place of all of their groups; lines of the same names among them are added up first. Where all of them name
/// accounts, stored groups that name none give way.
template <class Connection>
[[nodiscard]] BillOutcome save_bill_lines(Connection& connection, Change<Connection>& change, std::span<const BillLine> lines) {
    BillOutcome outcome;
    std::vector<AlikeLine> alike;
    const bool replaces_nameless = all_name_accounts(lines);
    for (const std::vector<BillLine>& group : by_group(added_up(lines))) {
        save_group(connection, change, group, replaces_nameless, outcome, alike);
    }
    if (change.is_recorded() || !is_bill_of_one(connection, alike)) {
        state_again(connection, change.sequence(), alike);
    }
    outcome.change = change.is_recorded() ? change.sequence() : 0;
    return outcome;
}

// Lines that the change $1 replaced, each with the first change after it that stated the line's group and day, whatever resources
// it named, and the first that stated them by account, of a line that names none, and none without one; 0 for none.
inline constexpr const char* kReplacedWithNext = R"(
    WITH stated AS (SELECT day, item, since AS change FROM bill_line WHERE since > $1
            UNION ALL SELECT day, item, since FROM replaced_bill_line WHERE since > $1),
        later AS (SELECT l.day, i.provider, i.region, i.sku, i.purchase, i.device, i.currency, i.account, min(l.change) AS change
            FROM (SELECT day, item, change FROM stated
                UNION ALL SELECT day, item, change FROM replaced_bill_line WHERE change > $1) AS l
            JOIN bill_item AS i ON i.item = l.item
            GROUP BY l.day, i.provider, i.region, i.sku, i.purchase, i.device, i.currency, i.account),
        by_account AS (SELECT s.day, i.provider, i.region, i.sku, i.purchase, i.device, i.currency, min(s.change) AS change
            FROM stated AS s JOIN bill_item AS i ON i.item = s.item
            WHERE i.account <> '' AND s.change NOT IN (SELECT n.change FROM stated AS n JOIN bill_item AS w ON w.item = n.item
                WHERE w.account = '')
            GROUP BY s.day, i.provider, i.region, i.sku, i.purchase, i.device, i.currency)
    SELECT p.day, p.item, coalesce(l.change, 0), coalesce(a.change, 0)
    FROM replaced_bill_line AS p JOIN bill_item AS i ON i.item = p.item
    LEFT JOIN later AS l ON l.day = p.day AND l.provider = i.provider AND l.region = i.region AND l.sku = i.sku
        AND l.purchase = i.purchase AND l.device = i.device AND l.currency = i.currency AND l.account = i.account
    LEFT JOIN by_account AS a ON i.account = '' AND a.day = p.day AND a.provider = i.provider AND a.region = i.region
        AND a.sku = i.sku AND a.purchase = i.purchase AND a.device = i.device AND a.currency = i.currency
    WHERE p.change = $1)";

// The smaller of two numbers of changes; 0 for none.
[[nodiscard]] constexpr std::int64_t first_change(std::int64_t a, std::int64_t b) {
    return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

/// Makes of lines what they were without the change `undone`, in whatever order changes are undone: the lines of a group and day
/// are a chain of changes, out of which this one is taken.
template <class Connection> void undo_bill_change(Connection& connection, std::int64_t undone, UndoneBill& outcome) {
    outcome.removed += RowsOf<Connection>(connection, "DELETE FROM bill_line WHERE since = $1", undone).affected();
    struct Before {
        std::int64_t day;
        std::int64_t item;
        std::int64_t next; // the change that came after it; 0 where none has
    };
    const std::vector<Before> replaced = read_all(RowsOf<Connection>(connection, kReplacedWithNext, undone), [](const auto& rows) {
        return Before{rows.integer(0), rows.integer(1), first_change(rows.integer(2), rows.integer(3))};
    });
    outcome.kept += RowsOf<Connection>(connection, "DELETE FROM replaced_bill_line WHERE since = $1", undone).affected();
    for (const Before& line : replaced) {
        if (line.next != 0) {
            connection.post("UPDATE replaced_bill_line SET change = $1 WHERE change = $2 AND day = $3 AND item = $4", line.next,
                            undone, line.day, line.item);
        }
    }
    outcome.restored += RowsOf<Connection>(connection, R"(
        INSERT INTO bill_line (day, item, hours, device_hours, tokens, consumed_quantity, priced_quantity,
            virtual_currency_cost, billed_cost, effective_cost, list_cost, since)
        SELECT day, item, hours, device_hours, tokens, consumed_quantity, priced_quantity, virtual_currency_cost,
            billed_cost, effective_cost, list_cost, since FROM replaced_bill_line WHERE change = $1)",
                                           undone)
                            .affected();
    connection.post("DELETE FROM replaced_bill_line WHERE change = $1", undone);
}

/// What `options` undoes of bills, recorded as the change's where something does.
template <class Connection> void undo_bills(Connection& connection, Change<Connection>& change, const SaveOptions& options) {
    UndoneBill outcome;
    for (const std::int64_t undone : options.undone_bills) {
        undo_bill_change(connection, undone, outcome);
    }
    if (outcome.removed + outcome.restored + outcome.kept > 0) {
        static_cast<void>(change.sequence());
    }
    if (options.on_bills_undone) {
        options.on_bills_undone(outcome);
    }
}

/// Sums of the lines of usage that match a query, by currency in alphabetical order.
template <class Connection> [[nodiscard]] std::vector<BillTotal> total_bill(Connection& connection, const BillQuery& query) {
    return read_all(RowsOf<Connection>(connection, BillStatements<Connection>::kTotal, query.from_day, query.to_day, query.provider,
                                       query.region, query.sku, query.purchase, query.device),
                    read_bill_total<RowsOf<Connection>>);
}

/// Visits sums over days by names, in the order in which names came first.
template <class Connection>
void read_bill(Connection& connection, std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) {
    RowsOf<Connection> rows(connection, BillStatements<Connection>::kVisit, from_day, to_day);
    while (rows.next()) {
        visit(read_bill_sum(rows));
    }
}

} // namespace costcurve::storage::sql
