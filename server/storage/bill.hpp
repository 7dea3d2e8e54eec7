// Rules of bills: lines of the same names are one, and what is stored of a line decides what becomes of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "server/storage/measurement.hpp"

namespace costcurve::storage {

/// Lines of the same names are added up, in the order of their first.
[[nodiscard]] std::vector<BillLine> added_up(std::span<const BillLine> lines);

/// Whether all lines name accounts: then stored ones of the same other names without an account give way.
[[nodiscard]] bool all_name_accounts(std::span<const BillLine> lines);

[[nodiscard]] bool same_figures(const BillLine& a, const BillLine& b);

/// Counts a line by what the store had in its place: nothing, or figures under its names.
void count_line(BillOutcome& outcome, const BillLine& line, const std::optional<BillLine>& stored);

} // namespace costcurve::storage
