// Types of columns by the engines' names of them.
#include "server/storage/sql/copy_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace costcurve::storage::sql {

namespace {

CopiedCell cell_of(const Row& row, int column, CopiedColumn::Type type) {
    if (row.is_null(column)) {
        return {};
    }
    switch (type) {
    case CopiedColumn::Type::integer:
        return row.integer(column);
    case CopiedColumn::Type::real:
        return row.real(column);
    case CopiedColumn::Type::text:
        return row.text(column);
    case CopiedColumn::Type::blob:
        return Blob{row.bytes(column)};
    }
    return {};
}

} // namespace

std::vector<CopiedColumn> read_columns(Cursor&& rows) {
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

std::string names_of(std::span<const CopiedColumn> columns) {
    std::vector<std::string_view> names;
    for (const CopiedColumn& column : columns) {
        names.emplace_back(column.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

std::int64_t visit_rows(Cursor&& rows, std::span<const CopiedColumn> columns, const std::function<void(CopiedRow)>& visitor) {
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
