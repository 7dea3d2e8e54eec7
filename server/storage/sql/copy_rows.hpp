// Rows of any table in the form that a copy between engines uses.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "server/storage/copy.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

/// Reads columns from a statement that lists their names and engine types.
[[nodiscard]] std::vector<CopiedColumn> read_columns(Cursor&& rows);

/// The columns' names as a list.
[[nodiscard]] std::string names_of(std::span<const CopiedColumn> columns);

/// Visits all rows of a statement with these columns; returns the number of rows.
std::int64_t visit_rows(Cursor&& rows, std::span<const CopiedColumn> columns, const std::function<void(CopiedRow)>& visitor);

} // namespace costcurve::storage::sql
