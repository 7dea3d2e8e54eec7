// Pages of documents, and prices by offer and date.
#include "model/documents/text.hpp"
#include "server/storage/postgres/content.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::postgres {

namespace {

// One index has every current revision, by kind and id, with all filter columns. A current revision no newer than the snapshot is
// the right one; otherwise the last revision before the snapshot is looked up.
constexpr const char* kPage = R"(
    SELECT {columns} FROM revision n
    CROSS JOIN LATERAL (
        SELECT * FROM revision o WHERE o.document = n.document AND o.since <= $9 ORDER BY o.since DESC LIMIT 1) AS r
    JOIN change c ON c.sequence = r.since
    WHERE n.kind = $1 AND n.id > $2 AND n.until = 9223372036854775807 AND (n.since > $9 OR (n.deleted = 0{now_filters}))
        AND r.deleted = 0{filters}
    ORDER BY n.id LIMIT $10)";

// The newest row of a point decides: a later row of the same x may have removed it.
constexpr const char* kValues = R"(
    SELECT k.place, p.x, p.y FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[]) WITH ORDINALITY
        AS k (kind, id, pointer, x, place)
    CROSS JOIN LATERAL (SELECT pointer FROM pointer WHERE text = k.pointer LIMIT 1) AS t
    CROSS JOIN LATERAL (SELECT document FROM revision
        WHERE kind = k.kind AND id = k.id AND until = 9223372036854775807 LIMIT 1) AS n
    CROSS JOIN LATERAL (
        SELECT o.deleted FROM revision o WHERE o.document = n.document AND o.since <= $5 ORDER BY o.since DESC LIMIT 1) AS r
    CROSS JOIN LATERAL (
        SELECT x, y FROM point q WHERE q.document = n.document AND q.pointer = t.pointer AND q.x <= k.x AND q.since <= $5
        ORDER BY q.x DESC, q.since DESC LIMIT 1) AS p
    WHERE r.deleted = 0)";
constexpr const char* kRowsUpTo = R"(
    SELECT p.x, p.y FROM revision n JOIN point p ON p.document = n.document JOIN pointer t ON t.pointer = p.pointer
    WHERE n.kind = $1 AND n.id = $2 AND n.until = 9223372036854775807 AND t.text = $3 AND p.x <= $4 AND p.since <= $5
    ORDER BY p.x DESC, p.since DESC)";

std::optional<double> value_behind(Connection& connection, const PointQuery& query, std::int64_t sequence) {
    Rows rows(connection, kRowsUpTo, name_of(query.key.kind), query.key.id, query.pointer, query.x, sequence);
    LastPoint last;
    while (rows.next() && last.add(rows.real(0), rows.real_or_null(1))) {}
    return last.y();
}

} // namespace

std::vector<Stored> find_page(Connection& connection, const ListQuery& query, std::int64_t sequence) {
    return sql::read_page(connection, kPage, query, model::lower(query.text), sequence);
}

std::vector<std::optional<double>> values_at(Connection& connection, std::span<const PointQuery> queries, std::int64_t sequence) {
    std::vector<std::optional<double>> values(queries.size());
    std::vector<std::size_t> taken_away;
    {
        Rows rows(connection, kValues, column_of(queries, [](const PointQuery& query) { return name_of(query.key.kind); }),
                  column_of(queries, [](const PointQuery& query) -> const std::string& { return query.key.id; }),
                  column_of(queries, &PointQuery::pointer), column_of(queries, &PointQuery::x), sequence);
        while (rows.next()) {
            const auto place = static_cast<std::size_t>(rows.integer(0) - 1);
            values[place] = rows.real_or_null(2);
            if (!values[place]) {
                taken_away.push_back(place);
            }
        }
    }
    for (const std::size_t place : taken_away) {
        values[place] = value_behind(connection, queries[place], sequence);
    }
    return values;
}

} // namespace costcurve::storage::postgres
