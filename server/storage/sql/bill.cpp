// Saves bill lines in place of stored lines of the same groups, undoes a save, and computes sums. Unchanged lines aren't written.
#include "server/storage/sql/bill.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/storage/bill.hpp"
#include "server/storage/sql/engine.hpp"
#include "server/storage/sql/store.hpp"

namespace costcurve::storage::sql {

namespace {

// The stored lines of the group that `group` belongs to.
StoredLines lines_of_group(Connection& connection, const BillLine& group) {
    StoredLines found;
    std::apply(
        [&](auto... name) {
            Rows rows(connection, connection.engine().bill().find_group, group.*name.member..., group.day);
            while (rows.next()) {
                BillLine stored = group;
                int column = 1;
                read_columns(*rows, column, kBillLineNames, stored);
                read_columns(*rows, column, kBillFigures, stored);
                found.emplace(std::move(stored), LineRow{rows->integer(0), rows->integer(column)});
            }
        },
        kBillGroupNames);
    return found;
}

const std::string kFigureColumns = columns_sql(kBillFigures);
// Copies the stored line of day $2 and item $3 into the lines that change $1 replaces.
const std::string kKeepLine = fmt::format("INSERT INTO replaced_bill_line (day, item, change, {0}, since) "
                                          "SELECT day, item, $1, {0}, since FROM bill_line WHERE day = $2 AND item = $3",
                                          kFigureColumns);

// Saves a copy of stored lines before a change replaces or removes them.
void keep_replaced(Connection& connection, std::int64_t change, std::int64_t day, std::span<const std::int64_t> items) {
    for (const std::int64_t item : items) {
        connection.post(kKeepLine, change, day, item);
    }
}

// A line of a new bill that equals a stored line.
struct AlikeLine {
    std::int64_t day = 0;
    LineRow row;
};

// How many of the changes that state the same line are remembered: the first ones and the last.
constexpr std::int64_t kMaxStatements = 4;
const std::string kKeepStatement =
    fmt::format("{} AND $4 > (SELECT count(*) FROM replaced_bill_line AS r WHERE r.day = $2 AND r.item = $3 AND {})", kKeepLine,
                columns_sql(kBillFigures, "r.{0} = bill_line.{0}", " AND "));
// Lines that the previous change replaced count as replaced by this change, unless this change has kept a copy of its own.
constexpr const char* kTakePlace = R"(
    UPDATE replaced_bill_line SET change = $1 WHERE day = $2 AND item = $3 AND change = $4
        AND NOT EXISTS (SELECT 1 FROM replaced_bill_line AS k WHERE k.day = $2 AND k.item = $3 AND k.change = $1))";

// Attributes unchanged lines also to this change, so that they survive the undoing of the change that stored them.
void state_again(Connection& connection, std::int64_t change, const std::vector<AlikeLine>& alike) {
    for (const auto& [day, row] : alike) {
        connection.post(kKeepStatement, change, day, row.number, kMaxStatements - 1);
        connection.post(kTakePlace, change, day, row.number, row.since);
        connection.post("UPDATE bill_line SET since = $1 WHERE day = $2 AND item = $3", change, day, row.number);
    }
}

// Whether the lines are exactly those stated by the change that stored them: importing the same bill again changes nothing.
bool is_bill_of_one(Connection& connection, const std::vector<AlikeLine>& alike) {
    if (alike.empty()) {
        return true;
    }
    const std::int64_t since = alike.front().row.since;
    return std::all_of(alike.begin(), alike.end(), [since](const AlikeLine& line) { return line.row.since == since; }) &&
           connection.number("SELECT (SELECT count(*) FROM bill_line WHERE since = $1) + "
                             "(SELECT count(*) FROM replaced_bill_line WHERE since = $1)",
                             since) == static_cast<std::int64_t>(alike.size());
}

// Replaces the stored lines of one group.
void save_group(Connection& connection, Change& change, const std::vector<BillLine>& lines, bool replaces_nameless,
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
        return connection.has_row(connection.engine().bill().find_beside, group.*name.member..., group.day, sequence);
    };
    if (difference.added_alone > 0 && std::apply(is_beside, kBillGroupNames)) {
        outcome.beside += difference.added_alone;
    }
    keep_replaced(connection, sequence, group.day, difference.stale);
    keep_replaced(connection, sequence, group.day, difference.outdated);
    connection.engine().remove_lines(connection, group.day, difference.stale);
    connection.engine().put_lines(connection, difference.lines, sequence);
}

// Replaces the stored lines of all groups of `lines`; lines with the same names are summed first. If all lines name accounts, they
// also replace stored groups without an account.
BillOutcome save_bill_lines(Connection& connection, Change& change, std::span<const BillLine> lines) {
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

// Lines that change $1 replaced, each with two later changes (0: none): the first that stated or replaced lines of its group and
// day; and, for a line without an account, the first that stated such lines with an account, among changes that stated no line
// without an account.
const std::string kReplacedWithNext =
    fmt::format(R"(
    WITH stated AS (SELECT day, item, since AS change FROM bill_line WHERE since > $1
            UNION ALL SELECT day, item, since FROM replaced_bill_line WHERE since > $1),
        later AS (SELECT l.day, {0}, min(l.change) AS change
            FROM (SELECT day, item, change FROM stated
                UNION ALL SELECT day, item, change FROM replaced_bill_line WHERE change > $1) AS l
            JOIN bill_item AS i ON i.item = l.item GROUP BY l.day, {0}),
        by_account AS (SELECT s.day, {1}, min(s.change) AS change
            FROM stated AS s JOIN bill_item AS i ON i.item = s.item
            WHERE i.account <> '' AND s.change NOT IN (SELECT n.change FROM stated AS n JOIN bill_item AS w ON w.item = n.item
                WHERE w.account = '')
            GROUP BY s.day, {1})
    SELECT p.day, p.item, coalesce(l.change, 0), coalesce(a.change, 0)
    FROM replaced_bill_line AS p JOIN bill_item AS i ON i.item = p.item
    LEFT JOIN later AS l ON l.day = p.day AND {2}
    LEFT JOIN by_account AS a ON i.account = '' AND a.day = p.day AND {3}
    WHERE p.change = $1)",
                columns_sql(kBillGroupNames, "i.{0}"), columns_sql(kNamesBesideAccount, "i.{0}"),
                columns_sql(kBillGroupNames, "l.{0} = i.{0}", " AND "), columns_sql(kNamesBesideAccount, "a.{0} = i.{0}", " AND "));

// The smaller of two numbers of changes; 0 stands for no change.
constexpr std::int64_t first_change(std::int64_t a, std::int64_t b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

const std::string kRestoreLines = fmt::format("INSERT INTO bill_line (day, item, {0}, since) "
                                              "SELECT day, item, {0}, since FROM replaced_bill_line WHERE change = $1",
                                              kFigureColumns);

// Restores lines to their state without change `undone`, whatever the order of undoing: the changes of a group and day form a
// chain, and this removes one link.
void undo_bill_change(Connection& connection, std::int64_t undone, UndoneBill& outcome) {
    outcome.removed += connection.run("DELETE FROM bill_line WHERE since = $1", undone);
    struct Before {
        std::int64_t day;
        std::int64_t item;
        std::int64_t next; // the next change of the group and day; 0 if none
    };
    const std::vector<Before> replaced = read_all(Rows(connection, kReplacedWithNext, undone), [](const Row& row) {
        return Before{row.integer(0), row.integer(1), first_change(row.integer(2), row.integer(3))};
    });
    outcome.kept += connection.run("DELETE FROM replaced_bill_line WHERE since = $1", undone);
    for (const Before& line : replaced) {
        if (line.next != 0) {
            connection.post("UPDATE replaced_bill_line SET change = $1 WHERE change = $2 AND day = $3 AND item = $4", line.next,
                            undone, line.day, line.item);
        }
    }
    outcome.restored += connection.run(kRestoreLines, undone);
    connection.post("DELETE FROM replaced_bill_line WHERE change = $1", undone);
}

// Sums over the usage lines that match a query, by currency in alphabetical order.
std::vector<BillTotal> total_bill(Connection& connection, const BillQuery& query) {
    return read_all(Rows(connection, connection.engine().bill().total, query.from_day, query.to_day, query.provider, query.region,
                         query.sku, query.purchase, query.device),
                    read_bill_total);
}

// Visits lines summed over days by names, in the order in which the names first appeared.
void read_bill(Connection& connection, std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) {
    Rows rows(connection, connection.engine().bill().visit, from_day, to_day);
    while (rows.next()) {
        visit(read_bill_sum(*rows));
    }
}

} // namespace

void undo_bills(Connection& connection, Change& change, const SaveOptions& options) {
    UndoneBill outcome;
    for (const std::int64_t undone : options.undone_bills) {
        undo_bill_change(connection, undone, outcome);
    }
    if (outcome.removed + outcome.restored + outcome.kept > 0) {
        change.record();
    }
    if (options.on_bills_undone) {
        options.on_bills_undone(outcome);
    }
}

BillOutcome SqlStore::save_bill(const Author& author, std::span<const BillLine> lines, bool dry_run, std::string_view source) {
    const std::string subject = fmt::format("{} lines{}{}", lines.size(), source.empty() ? "" : " of ", source);
    return write_change(author, "save_bill", subject, [&](Connection& connection, Change& change) {
        const BillOutcome outcome = save_bill_lines(connection, change, lines);
        return Outcome<BillOutcome>{outcome, !dry_run && change.is_recorded()};
    });
}

std::vector<BillTotal> SqlStore::bill(const BillQuery& query) const {
    return read(Reading::moment, [&](Connection& connection) { return total_bill(connection, query); });
}

void SqlStore::visit_bill(std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) const {
    bool has_begun = false;
    const auto visit_all = [&](Connection& connection) {
        refuse_second_visit(has_begun);
        sql::read_bill(connection, from_day, to_day, [&](const BillSum& sum) {
            has_begun = true;
            visit(sum);
        });
    };
    read(Reading::large, visit_all);
}

} // namespace costcurve::storage::sql
