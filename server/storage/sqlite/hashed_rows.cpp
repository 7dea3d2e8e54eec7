// Reads columns in the order of their lists.
#include "server/storage/sqlite/hashed_rows.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

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

Headline read_headline(const Rows& rows, int& column) {
    Headline headline;
    headline.currency = rows.text(column++);
    for (double Headline::*const figure : {&Headline::cost, &Headline::cash, &Headline::npv, &Headline::npv_after_tax}) {
        headline.*figure = rows.real(column++);
    }
    headline.energy_kwh = rows.real_or_null(column++);
    headline.carbon_kg = rows.real_or_null(column++);
    if (!rows.is_null(column++)) {
        headline.feasible = rows.integer(column - 1) != 0;
    }
    headline.decide_by = rows.text(column++);
    return headline;
}

std::string result_columns(std::string_view headline) {
    return fmt::format("scenario, number, run, recorded_at, inputs_hash, model_version, {}, body, packed", headline);
}

ResultRow read_result_row(const Rows& rows) {
    int column = 0;
    ResultRow row;
    row.scenario = rows.integer(column++);
    row.number = rows.integer(column++);
    row.run = rows.integer(column++);
    row.recorded_at = rows.integer(column++);
    row.inputs_hash = rows.text(column++);
    row.model_version = rows.text(column++);
    row.headline = read_headline(rows, column);
    row.body = rows.integer(column++);
    row.packed = rows.text(column);
    return row;
}

} // namespace costcurve::storage::sqlite
