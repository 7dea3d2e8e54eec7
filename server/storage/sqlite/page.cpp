// Pages of documents. One index gives the current revisions; pages of the past start from it.
#include "model/documents/text.hpp"
#include "server/storage/sqlite/content.hpp"

namespace costcurve::storage::sqlite {

namespace {

// One index has every current revision, by kind and id, with all filter columns.
constexpr const char* kCurrentPage = R"(
    SELECT {columns} FROM revision r CROSS JOIN change c ON c.sequence = r.since
    WHERE r.kind = ?1 AND r.id > ?2 AND r.until = 9223372036854775807 AND r.deleted = 0{filters}
    ORDER BY r.id LIMIT ?10)";

// A page of the past from the same index: the current revision if it is old enough, otherwise the last one before the moment.
constexpr const char* kPastPage = R"(
    SELECT {columns}
    FROM revision n
    CROSS JOIN revision r ON r.row = iif(n.row & 4294967295 <= ?9, n.row, (
        SELECT max(row) FROM revision WHERE row BETWEEN n.row >> 32 << 32 AND n.row >> 32 << 32 | ?9))
    CROSS JOIN change c ON c.sequence = r.since
    WHERE n.kind = ?1 AND n.id > ?2 AND n.until = 9223372036854775807 AND (n.row & 4294967295 > ?9 OR n.deleted = 0{now_filters})
        AND r.deleted = 0{filters}
    ORDER BY n.id LIMIT ?10)";

} // namespace

std::vector<Stored> find_page(Database& database, const ListQuery& query, std::int64_t sequence) {
    return sql::read_page(database, sequence == kNow ? kCurrentPage : kPastPage, query, model::lower(query.text), sequence);
}

} // namespace costcurve::storage::sqlite
