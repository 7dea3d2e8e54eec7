// Rules for bill lines: lines with the same names are merged, and the stored lines decide which new lines are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "server/bill/bill_line.hpp"
#include "server/storage/measurement.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage {

/// SQL that lists the columns. In `form`, {0} is the column's name and {1} its position, counted from `first`.
template <class Columns>
[[nodiscard]] std::string columns_sql(const Columns& columns, std::string_view form = "{0}", std::string_view separator = ", ",
                                      int first = 1) {
    std::string sql;
    for (const auto& column : columns) {
        sql.append(sql.empty() ? "" : separator).append(fmt::format(fmt::runtime(form), column.name, first++));
    }
    return sql;
}
/// Reads the columns that columns_sql lists from `row`, starting at `place`, and advances `place` past them.
template <class Columns> void read_columns(const sql::Row& row, int& place, const Columns& columns, BillLine& line) {
    for (const auto& column : columns) {
        if constexpr (std::is_same_v<std::decay_t<decltype(line.*column.member)>, double>) {
            line.*column.member = row.real(place++);
        } else {
            line.*column.member = row.text(place++);
        }
    }
}

/// Sums lines with the same names; the result is ordered by the first line of each. Throws std::invalid_argument if a name can't be
/// stored in every engine: readers reject such rows.
[[nodiscard]] std::vector<BillLine> added_up(std::span<const BillLine> lines);

/// Lines by group, in the order of each group's first line.
[[nodiscard]] std::vector<std::vector<BillLine>> by_group(std::vector<BillLine> lines);

/// Whether all lines name accounts. If so, they replace stored lines that lack an account and have the same other names.
[[nodiscard]] bool all_name_accounts(std::span<const BillLine> lines);

/// Orders the lines of a group by the names that distinguish them.
struct ByLineNames {
    bool operator()(const BillLine& a, const BillLine& b) const;
};
[[nodiscard]] bool same_figures(const BillLine& a, const BillLine& b);

/// Row of a stored line.
struct LineRow {
    std::int64_t number = 0; ///< number of the row that holds the line's names
    std::int64_t since = 0;  ///< number of the change that last stated the line
};
using StoredLines = std::map<BillLine, LineRow, ByLineNames>; ///< stored lines of one group

/// Difference between new and stored lines of one group. Stored lines without a counterpart are deleted, because the new bill lists
/// their charges under other names.
struct GroupDifference {
    std::vector<std::int64_t> stale;    ///< numbers of stored lines to delete, before anything is written
    std::vector<std::int64_t> outdated; ///< numbers of stored lines whose figures change
    std::vector<LineRow> alike;         ///< stored lines with the same names and figures as a new line
    std::vector<const BillLine*> lines; ///< lines to write; each replaces the stored line with the same names
    std::size_t added_alone = 0;        ///< number of new lines if nothing of their group is stored
};
/// `nameless` are stored lines without an account whose other names match; the new lines replace them. Adds the counts to
/// `outcome`.
[[nodiscard]] GroupDifference group_difference(std::span<const BillLine> lines, StoredLines stored, StoredLines nameless,
                                               BillOutcome& outcome);

/// Reads all names and figures, the first and last day, and the number of lines.
[[nodiscard]] BillSum read_bill_sum(const sql::Row& row);
/// Reads the currency, the number of lines, and the sums of hours, device hours, billed, effective and list cost.
[[nodiscard]] BillTotal read_bill_total(const sql::Row& row);

} // namespace costcurve::storage
