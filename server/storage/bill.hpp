// Rules of bills: lines of the same names are one, and what is stored of a line decides what becomes of it.
#pragma once

#include <array>
#include <optional>
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

/// Counts a line by what the store had in its place: nothing, or figures under its names.
void count_line(BillOutcome& outcome, const BillLine& line, const std::optional<BillLine>& stored);

} // namespace costcurve::storage
