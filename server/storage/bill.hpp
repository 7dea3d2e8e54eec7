// Rules of bills: lines of the same names are one, and what is stored of a line decides what becomes of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "server/storage/measurement.hpp"

namespace costcurve::storage {

/// With the day, what names a group: a bill's lines replace all stored ones of their groups. The order is the database's.
inline constexpr std::array kGroupNames = {&BillLine::provider, &BillLine::region,   &BillLine::sku,    &BillLine::purchase,
                                           &BillLine::device,   &BillLine::currency, &BillLine::account};
/// What tells lines of a group apart.
inline constexpr std::array kLineNames = {&BillLine::category,    &BillLine::resource,          &BillLine::tags,
                                          &BillLine::commitment,  &BillLine::commitment_status, &BillLine::consumed_unit,
                                          &BillLine::priced_unit, &BillLine::virtual_currency};
/// What is added up.
inline constexpr std::array kFigures = {
    &BillLine::hours,           &BillLine::device_hours,          &BillLine::tokens,      &BillLine::consumed_quantity,
    &BillLine::priced_quantity, &BillLine::virtual_currency_cost, &BillLine::billed_cost, &BillLine::effective_cost,
    &BillLine::list_cost};

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

/// What the lines of one group change of those that are stored of it. Stored ones that have no counterpart go: the bill names their
/// charges otherwise now.
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

// Columns of rows of an engine, from `column` on, which is advanced past them.
template <class Rows, class Names> void read_bill_names(const Rows& rows, int& column, const Names& names, BillLine& line) {
    for (const auto name : names) {
        line.*name = rows.text(column++);
    }
}
template <class Rows> void read_bill_figures(const Rows& rows, int& column, BillLine& line) {
    for (const auto figure : kFigures) {
        line.*figure = rows.real(column++);
    }
}
/// All names and figures, the first and the last day, and how many lines.
template <class Rows> [[nodiscard]] BillSum read_bill_sum(const Rows& rows) {
    BillSum sum;
    int column = 0;
    read_bill_names(rows, column, kGroupNames, sum.line);
    read_bill_names(rows, column, kLineNames, sum.line);
    read_bill_figures(rows, column, sum.line);
    sum.line.day = rows.integer(column++);
    sum.last_day = rows.integer(column++);
    sum.lines = rows.integer(column);
    return sum;
}
/// The currency, how many lines, and sums of hours, device hours, billed, effective and list cost.
template <class Rows> [[nodiscard]] BillTotal read_bill_total(const Rows& rows) {
    return {std::string(rows.text(0)), rows.integer(1), rows.real(2), rows.real(3), rows.real(4), rows.real(5), rows.real(6)};
}

} // namespace costcurve::storage
