// Reads columns in the order of their lists.
#include "server/storage/sqlite/hashed_rows.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kWritten = R"(
    SELECT p.since, t.text, p.x, p.y FROM point p JOIN pointer t USING (pointer)
    WHERE p.document = ? ORDER BY p.since, t.text, p.x)";

std::optional<std::string_view> text_or_none(const Rows& rows, int column) {
    return rows.is_null(column) ? std::nullopt : std::optional(rows.text(column));
}

} // namespace

RevisionRow read_revision_row(const Rows& rows) {
    int column = 0;
    RevisionRow row;
    row.document = rows.integer(column++);
    row.since = rows.integer(column++);
    row.revision = rows.integer(column++);
    row.deleted = rows.integer(column++) != 0;
    row.kind = rows.text(column++);
    row.id = rows.text(column++);
    row.title = rows.text(column++);
    row.provider = text_or_none(rows, column++);
    row.region = text_or_none(rows, column++);
    row.device = text_or_none(rows, column++);
    row.purchase = text_or_none(rows, column++);
    row.hourly_price = rows.real_or_null(column);
    ++column;
    row.body = rows.is_null(column) ? std::nullopt : std::optional(rows.integer(column));
    row.until = rows.integer(++column);
    return row;
}

std::vector<WrittenPoints> load_written_points(Database& database, std::int64_t document) {
    std::vector<WrittenPoints> written;
    Rows rows(database, kWritten, document);
    while (rows.next()) {
        if (written.empty() || written.back().since != rows.integer(0)) {
            written.push_back({rows.integer(0), {}});
        }
        std::vector<CurveRows>& curves = written.back().curves;
        if (curves.empty() || curves.back().pointer != rows.text(1)) {
            curves.push_back({std::string(rows.text(1)), {}});
        }
        curves.back().rows.push_back({rows.real(2), rows.real_or_null(3)});
    }
    return written;
}

} // namespace costcurve::storage::sqlite
