// Rules of bills: lines of the same names are one, and what is stored of a line decides what becomes of it.
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

/// SQL of each column: `form` with its name for {0} and its place, from `first` on, for {1}.
template <class Columns>
[[nodiscard]] std::string columns_sql(const Columns& columns, std::string_view form = "{0}", std::string_view separator = ", ",
                                      int first = 1) {
    std::string sql;
    for (const auto& column : columns) {
        sql.append(sql.empty() ? "" : separator).append(fmt::format(fmt::runtime(form), column.name, first++));
    }
    return sql;
}
/// The columns of `row` from `place` on, which is advanced past them, as a statement has them by columns_sql.
template <class Columns> void read_columns(const sql::Row& row, int& place, const Columns& columns, BillLine& line) {
    for (const auto& column : columns) {
        if constexpr (std::is_same_v<std::decay_t<decltype(line.*column.member)>, double>) {
            line.*column.member = row.real(place++);
        } else {
            line.*column.member = row.text(place++);
        }
    }
}

/// Lines of the same names are added up, in the order of their first. Throws std::invalid_argument where a name is none that every
/// engine keeps: readers refuse its row.
[[nodiscard]] std::vector<BillLine> added_up(std::span<const BillLine> lines);

/// Lines by group, in the order of each group's first line.
[[nodiscard]] std::vector<std::vector<BillLine>> by_group(std::vector<BillLine> lines);

/// Whether all lines name accounts: then stored ones of the same other names without an account give way.
[[nodiscard]] bool all_name_accounts(std::span<const BillLine> lines);

/// Orders lines of a group by what tells them apart.
struct ByLineNames {
    bool operator()(const BillLine& a, const BillLine& b) const;
};
[[nodiscard]] bool same_figures(const BillLine& a, const BillLine& b);

/// A stored line.
struct LineRow {
    std::int64_t number = 0; ///< of its names
    std::int64_t since = 0;  ///< the change that stated it last
};
using StoredLines = std::map<BillLine, LineRow, ByLineNames>; ///< of a group

/// How the lines of one group differ from the stored lines of that group. Stored lines without a counterpart are deleted: the
/// bill has other names for their charges by now.
struct GroupDifference {
    std::vector<std::int64_t> stale;    ///< numbers of names: they go first
    std::vector<std::int64_t> outdated; ///< numbers of names: their figures change
    std::vector<LineRow> alike;         ///< of the same names and figures
    std::vector<const BillLine*> lines; ///< to be written, in place of those of the same names
    std::size_t added_alone = 0;        ///< so many are new, and nothing of their group is stored
};
/// `nameless`: stored lines of the same other names without an account, that give way to these. Counts them in the outcome.
[[nodiscard]] GroupDifference group_difference(std::span<const BillLine> lines, StoredLines stored, StoredLines nameless,
                                               BillOutcome& outcome);

/// All names and figures, the first and the last day, and how many lines.
[[nodiscard]] BillSum read_bill_sum(const sql::Row& row);
/// The currency, how many lines, and sums of hours, device hours, billed, effective and list cost.
[[nodiscard]] BillTotal read_bill_total(const sql::Row& row);

} // namespace costcurve::storage
