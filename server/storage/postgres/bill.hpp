// Lines of bills as rows, one a day and thing. Writes work inside a transaction of the caller.
#pragma once

#include <span>
#include <vector>

#include "server/storage/measurement.hpp"
#include "server/storage/postgres/change.hpp"
#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// Stores lines in place of all of their groups; lines of the same names among them are added up first. Where all of them name
/// accounts, stored groups that name none give way.
[[nodiscard]] BillOutcome save_bill_lines(Connection& connection, Change& change, std::span<const BillLine> lines);

/// Sums of the lines of usage that match a query, by currency in alphabetical order.
[[nodiscard]] std::vector<BillTotal> total_bill(Connection& connection, const BillQuery& query);

/// Visits sums over days by names, in the order in which names came first.
void visit_bill(Connection& connection, std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit);

} // namespace costcurve::storage::postgres
