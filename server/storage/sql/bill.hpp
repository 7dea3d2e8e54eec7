// A line that is the same as the stored one writes nothing, so that the same bill twice changes nothing.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "server/storage/bill.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/dialect.hpp"

namespace costcurve::storage::sql {

/// How an engine finds and writes lines: statements `kFindGroup`, `kFindBeside` (of another write: lines without an account, where
/// this one has one or the other way round, or of a part of the same account), `kTotal` and `kVisit`, whose columns of names and
/// figures are in the order of kGroupNames, kLineNames and kFigures; `remove_lines` and `put_lines`, both of one day.
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
                found.emplace(std::move(stored), rows.integer(0));
            }
        },
        kGroupNames);
    return found;
}

// Writes the lines of one group in place of those that are stored of it.
template <class Connection>
void save_group(Connection& connection, Change<Connection>& change, const std::vector<BillLine>& lines, bool replaces_nameless,
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
    const auto is_beside = [&](auto... name) {
        return RowsOf<Connection>(connection, BillStatements<Connection>::kFindBeside, group.*name..., group.day, sequence).next();
    };
    if (difference.added_alone > 0 && std::apply(is_beside, kGroupNames)) {
        outcome.beside += difference.added_alone;
    }
    BillStatements<Connection>::remove_lines(connection, group.day, difference.stale);
    BillStatements<Connection>::put_lines(connection, difference.lines, sequence);
}

/// Stores lines in place of all of their groups; lines of the same names among them are added up first. Where all of them name
/// accounts, stored groups that name none give way.
template <class Connection>
[[nodiscard]] BillOutcome save_bill_lines(Connection& connection, Change<Connection>& change, std::span<const BillLine> lines) {
    BillOutcome outcome;
    const bool replaces_nameless = all_name_accounts(lines);
    for (const std::vector<BillLine>& group : by_group(added_up(lines))) {
        save_group(connection, change, group, replaces_nameless, outcome);
    }
    return outcome;
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
