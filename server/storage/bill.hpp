// Lines of bills as rows, one a day and thing. Writes work inside a transaction of the caller.
#pragma once

#include <span>

#include "server/storage/measurement.hpp"
#include "server/storage/save.hpp"

namespace costcurve::storage {

/// Stores lines in place of those of the same names; lines of the same names among them are added up first. Where all of them name
/// accounts, stored lines that name none give way.
[[nodiscard]] BillOutcome save_bill_lines(Database& database, Change& change, std::span<const BillLine> lines);

/// What the lines of a query come to, by currency in alphabetical order.
[[nodiscard]] std::vector<BillTotal> total_bill(Database& database, const BillQuery& query);

} // namespace costcurve::storage
