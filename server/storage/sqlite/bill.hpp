// Lines of bills as rows.
#pragma once

#include <cstdint>
#include <span>

#include "server/storage/measurement.hpp"
#include "server/storage/sql/engine.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

[[nodiscard]] const sql::BillStatements& bill_statements();
void remove_lines(Database& database, std::int64_t day, std::span<const std::int64_t> items);
void put_lines(Database& database, std::span<const BillLine* const> lines, std::int64_t sequence);

} // namespace costcurve::storage::sqlite
