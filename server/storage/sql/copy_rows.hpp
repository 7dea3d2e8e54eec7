// Rows of any table as a copy between engines takes them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/storage/copy.hpp"

namespace costcurve::storage::sql {

/// Of a statement that gives the names and types of columns, as an engine calls them.
template <class Rows> [[nodiscard]] std::vector<CopiedColumn> read_columns(Rows rows) {
    using Type = CopiedColumn::Type;
    std::vector<CopiedColumn> columns;
    while (rows.next()) {
        const std::string_view type = rows.text(1);
        columns.push_back({std::string(rows.text(0)), type == "bigint" || type == "INTEGER"          ? Type::integer
                                                      : type == "double precision" || type == "REAL" ? Type::real
                                                      : type == "bytea" || type == "BLOB"            ? Type::blob
                                                                                                     : Type::text});
    }
    return columns;
}

[[nodiscard]] inline std::string names_of(std::span<const CopiedColumn> columns) {
    std::vector<std::string_view> names;
    for (const CopiedColumn& column : columns) {
        names.emplace_back(column.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

template <class Rows> [[nodiscard]] CopiedCell cell_of(const Rows& rows, int column, CopiedColumn::Type type) {
    if (rows.is_null(column)) {
        return {};
    }
    switch (type) {
    case CopiedColumn::Type::integer:
        return rows.integer(column);
    case CopiedColumn::Type::real:
        return rows.real(column);
    case CopiedColumn::Type::text:
        return rows.text(column);
    case CopiedColumn::Type::blob:
        return Blob{rows.bytes(column)};
    }
    return {};
}

/// Visits all rows of a statement that gives these columns; how many there were.
template <class Rows>
std::int64_t visit_rows(Rows rows, std::span<const CopiedColumn> columns, const std::function<void(CopiedRow)>& visitor) {
    std::vector<CopiedCell> cells(columns.size());
    std::int64_t count = 0;
    for (; rows.next(); ++count) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            cells[i] = cell_of(rows, static_cast<int>(i), columns[i].type);
        }
        visitor(cells);
    }
    return count;
}

} // namespace costcurve::storage::sql
