// Rows of any table as a copy between engines takes them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "server/storage/copy.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

/// Of a statement that gives the names and types of columns, as an engine calls them.
[[nodiscard]] std::vector<CopiedColumn> read_columns(Cursor&& rows);

/// Their names, behind one another.
[[nodiscard]] std::string names_of(std::span<const CopiedColumn> columns);

/// Visits all rows of a statement that gives these columns; how many there were.
std::int64_t visit_rows(Cursor&& rows, std::span<const CopiedColumn> columns, const std::function<void(CopiedRow)>& visitor);

} // namespace costcurve::storage::sql
