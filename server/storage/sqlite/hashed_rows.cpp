// Points of revisions for hashing, by revision and pointer.
#include "server/storage/sqlite/hashed_rows.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kWritten = R"(
    SELECT p.since, t.text, p.x, p.y FROM point p JOIN pointer t USING (pointer)
    WHERE p.document = ? ORDER BY p.since, t.text, p.x)";

} // namespace

std::vector<WrittenPoints> load_written_points(Database& database, std::int64_t document) {
    std::vector<WrittenPoints> written;
    Rows rows(database, kWritten, document);
    while (rows.next()) {
        if (written.empty() || written.back().since != rows.integer(0)) {
            written.push_back({rows.integer(0), {}});
        }
        sql::add_point(written.back().curves, rows, 1);
    }
    return written;
}

} // namespace costcurve::storage::sqlite
