// Lines of bills as rows.
#pragma once

#include <cstdint>
#include <span>

#include "server/storage/measurement.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/sql/engine.hpp"

namespace costcurve::storage::postgres {

[[nodiscard]] const sql::BillStatements& bill_statements();
void remove_lines(Connection& connection, std::int64_t day, std::span<const std::int64_t> items);
void put_lines(Connection& connection, std::span<const BillLine* const> lines, std::int64_t sequence);

} // namespace costcurve::storage::postgres
