// Reads rows of points and references for hashing.
#include "server/storage/sql/hashed_rows.hpp"

#include <string>

namespace costcurve::storage::sql {

RevisionRow read_revision_row(const Row& row) {
    int column = 0;
    RevisionRow found;
    found.document = row.integer(column++);
    found.since = row.integer(column++);
    found.revision = row.integer(column++);
    found.deleted = row.integer(column++) != 0;
    found.kind = row.text(column++);
    found.id = row.text(column++);
    found.title = row.text(column++);
    found.provider = row.text_or_null(column++);
    found.region = row.text_or_null(column++);
    found.device = row.text_or_null(column++);
    found.purchase = row.text_or_null(column++);
    found.hourly_price = row.real_or_null(column);
    ++column;
    found.body = row.is_null(column) ? std::nullopt : std::optional(row.integer(column));
    found.until = row.integer(++column);
    return found;
}

void add_point(std::vector<CurveRows>& curves, const Row& row, int first) {
    if (curves.empty() || curves.back().pointer != row.text(first)) {
        curves.push_back({std::string(row.text(first)), {}});
    }
    curves.back().rows.push_back({row.real(first + 1), row.real_or_null(first + 2)});
}

} // namespace costcurve::storage::sql
