// Rows of revisions and points, as hashes cover them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/writes/chain.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::sql {

template <class Rows> [[nodiscard]] std::optional<std::string_view> text_or_null(const Rows& rows, int column) {
    return rows.is_null(column) ? std::nullopt : std::optional(rows.text(column));
}

/// What `read_revision_row` takes, of a revision `r`.
inline constexpr const char* kRevisionColumns = "r.document, r.since, r.revision, r.deleted, r.kind, r.id, r.title, r.provider, "
                                                "r.region, r.device, r.purchase, r.hourly_price, "
                                                "r.body, r.until";
inline constexpr int kBehindRevisionRow = 14; // the next column
template <class Rows> [[nodiscard]] RevisionRow read_revision_row(const Rows& rows) {
    int column = 0;
    RevisionRow row;
    row.document = rows.integer(column++);
    row.since = rows.integer(column++);
    row.revision = rows.integer(column++);
    row.deleted = rows.integer(column++) != 0;
    row.kind = rows.text(column++);
    row.id = rows.text(column++);
    row.title = rows.text(column++);
    row.provider = text_or_null(rows, column++);
    row.region = text_or_null(rows, column++);
    row.device = text_or_null(rows, column++);
    row.purchase = text_or_null(rows, column++);
    row.hourly_price = rows.real_or_null(column);
    ++column;
    row.body = rows.is_null(column) ? std::nullopt : std::optional(rows.integer(column));
    row.until = rows.integer(++column);
    return row;
}

/// Adds a point, of pointer, x and y from a column on, to curves whose points come one curve after the other.
template <class Rows> void add_point(std::vector<CurveRows>& curves, const Rows& rows, int first) {
    if (curves.empty() || curves.back().pointer != rows.text(first)) {
        curves.push_back({std::string(rows.text(first)), {}});
    }
    curves.back().rows.push_back({rows.real(first + 1), rows.real_or_null(first + 2)});
}

} // namespace costcurve::storage::sql
