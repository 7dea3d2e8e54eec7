// Reads the newest row of each point at or before a change, by index.
#include "server/storage/sqlite/points.hpp"

#include <string>

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kFindPointer = "SELECT pointer FROM pointer WHERE text = ?";
constexpr const char* kPointerText = "SELECT text FROM pointer WHERE pointer = ?";
constexpr const char* kAddPointer = "INSERT INTO pointer (text) VALUES (?)";
constexpr const char* kPoints = "SELECT pointer, x, y FROM point WHERE document = ? AND since <= ? ORDER BY pointer, x, since";
constexpr const char* kPointsUpTo = R"(
    SELECT x, y FROM point WHERE document = ?1 AND pointer = ?2 AND x <= ?3 AND since <= ?4 ORDER BY x DESC, since DESC)";

std::optional<std::int64_t> find_pointer(Database& database, std::string_view text) {
    Rows rows(database, kFindPointer, text);
    return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

} // namespace

std::string text_of_pointer(Database& database, std::int64_t pointer) {
    Rows rows(database, kPointerText, pointer);
    return rows.next() ? std::string(rows.text(0)) : "";
}

std::int64_t find_or_add_pointer(Database& database, std::string_view text) {
    if (const auto found = find_pointer(database, text)) {
        return *found;
    }
    database.run(kAddPointer, text);
    return database.last_row();
}

std::vector<Series> load_series(Database& database, std::int64_t document, std::int64_t sequence) {
    CurveFold fold;
    std::int64_t pointer = 0;
    Rows rows(database, kPoints, document, sequence);
    while (rows.next()) {
        if (rows.integer(0) != pointer) {
            pointer = rows.integer(0);
            fold.begin_curve(text_of_pointer(database, pointer));
        }
        fold.add(rows.real(1), rows.real_or_null(2));
    }
    return fold.take();
}

std::optional<double> value_at(Database& database, std::int64_t document, std::string_view pointer, double x,
                               std::int64_t sequence) {
    const auto found = find_pointer(database, pointer);
    if (!found) {
        return std::nullopt;
    }
    Rows rows(database, kPointsUpTo, document, *found, x, sequence);
    LastPoint last;
    while (rows.next() && last.add(rows.real(0), rows.real_or_null(1))) {}
    return last.y();
}

} // namespace costcurve::storage::sqlite
