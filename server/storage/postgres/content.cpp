// Reads revisions, bodies, points and references by index, for many documents at a time: the newest row of each at or before a
// change.
#include "server/storage/postgres/content.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::postgres {

namespace {

// LATERAL finds the newest row up to a change in one index step, however long the document's history. LIMIT or OFFSET keeps this
// one step per key even in a plan made for empty tables; a join might then scan the whole table.
const std::string kFindStored = fmt::format(R"(
    SELECT {}, k.place FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (kind, id, place)
    CROSS JOIN LATERAL (SELECT document FROM revision
        WHERE kind = k.kind AND id = k.id AND until = 9223372036854775807 LIMIT 1) AS n
    CROSS JOIN LATERAL (
        SELECT * FROM revision o WHERE o.document = n.document AND o.since <= $3 ORDER BY o.since DESC LIMIT 1) AS r
    JOIN change c ON c.sequence = r.since)",
                                            sql::kStoredColumns);
const std::string kHistory = fmt::format(R"(
    SELECT {} FROM revision n JOIN revision r ON r.document = n.document JOIN change c ON c.sequence = r.since
    WHERE n.kind = $1 AND n.id = $2 AND n.until = 9223372036854775807 AND r.since <= $3 AND r.revision < $4
    ORDER BY r.since DESC LIMIT $5)",
                                         sql::kStoredColumns);
constexpr const char* kBodies = R"(
    SELECT k.place, b.text, b.encoding, b.hash FROM unnest($1::bigint[]) WITH ORDINALITY AS k (body, place)
    CROSS JOIN LATERAL (SELECT text, encoding, hash FROM body WHERE body = k.body LIMIT 1) AS b)";
// One row for each curve; the index gives the order.
constexpr const char* kPoints = R"(
    SELECT k.place, (SELECT text FROM pointer WHERE pointer = c.pointer), c.x, c.y
    FROM unnest($1::bigint[]) WITH ORDINALITY AS k (document, place)
    CROSS JOIN LATERAL (
        SELECT p.pointer, array_agg(p.x) AS x, array_agg(p.y) AS y FROM (
            SELECT pointer, x, y FROM point WHERE document = k.document AND since <= $2 ORDER BY pointer, x, since OFFSET 0) AS p
        GROUP BY p.pointer ORDER BY p.pointer OFFSET 0) AS c)";
constexpr const char* kReferences = R"(
    SELECT k.place, d.kind, d.id FROM unnest($1::bigint[]) WITH ORDINALITY AS k (document, place)
    CROSS JOIN LATERAL (SELECT target FROM reference WHERE source = k.document AND since <= $2 AND until > $2 OFFSET 0) AS f
    CROSS JOIN LATERAL (SELECT kind, id FROM document WHERE document = f.target LIMIT 1) AS d)";
// `until` of a current row is the largest number, which `until > $2` excludes at the largest $2.
constexpr const char* kCurrentReferences = R"(
    SELECT k.place, d.kind, d.id FROM unnest($1::bigint[]) WITH ORDINALITY AS k (document, place)
    CROSS JOIN LATERAL (
        SELECT target FROM reference WHERE source = k.document AND until = 9223372036854775807 OFFSET 0) AS f
    CROSS JOIN LATERAL (SELECT kind, id FROM document WHERE document = f.target LIMIT 1) AS d)";

// The entry for a row's ORDINALITY, which counts from 1.
Stored& at_place(std::span<Stored* const> stored, const Rows& rows) {
    return *stored[static_cast<std::size_t>(rows.integer(0) - 1)];
}

void read_bodies(Rows rows, std::span<Stored* const> stored) {
    while (rows.next()) {
        Stored& found = at_place(stored, rows);
        found.revision.record.body = rows.text(1);
        found.revision.record.encoding = static_cast<int>(rows.integer(2));
        found.body_hash = as_hash(rows.bytes(3));
    }
    for (Stored* each : stored) {
        if (each->body && !each->body_hash) {
            each->revision.unreadable = sql::kDamaged;
        }
    }
}

void read_points(Rows rows, std::span<Stored* const> stored) {
    std::vector<CurveFold> folds(stored.size());
    while (rows.next()) {
        CurveFold& fold = folds[static_cast<std::size_t>(rows.integer(0) - 1)];
        if (rows.is_null(1)) { // the row's curve pointer is missing, which `costcurve check` reports
            continue;
        }
        fold.begin_curve(std::string(rows.text(1)));
        const std::vector<std::optional<double>> x = rows.reals(2);
        const std::vector<std::optional<double>> y = rows.reals(3);
        for (std::size_t i = 0; i < x.size(); ++i) {
            fold.add(*x[i], y[i]);
        }
    }
    for (std::size_t i = 0; i < stored.size(); ++i) {
        stored[i]->revision.record.series = folds[i].take();
    }
}

void read_references(Rows rows, std::span<Stored* const> stored) {
    while (rows.next()) {
        Stored& found = at_place(stored, rows);
        try {
            found.revision.record.references.push_back(sql::read_document_key(rows, 1));
        } catch (const StoreError&) { found.revision.unreadable = sql::kDamaged; }
    }
    for (Stored* each : stored) {
        std::sort(each->revision.record.references.begin(), each->revision.record.references.end());
    }
}

} // namespace

std::vector<std::optional<Stored>> find_stored(Connection& connection, std::span<const DocumentKey> keys, std::int64_t sequence) {
    std::vector<std::optional<Stored>> found(keys.size());
    Rows rows(connection, kFindStored, column_of(keys, kind_of_key), column_of(keys, &DocumentKey::id), sequence);
    while (rows.next()) {
        found[static_cast<std::size_t>(rows.integer(sql::kBehindStored) - 1)] = sql::read_stored(rows);
    }
    return found;
}

void load_contents(Connection& connection, std::span<Stored* const> stored, std::int64_t sequence) {
    if (stored.empty()) {
        return;
    }
    const std::vector<std::int64_t> documents = column_of(stored, &Stored::document);
    const Statement statements[] = {Statement(kBodies, column_of(stored, &Stored::body)), Statement(kPoints, documents, sequence),
                                    sequence == kNow ? Statement(kCurrentReferences, documents)
                                                     : Statement(kReferences, documents, sequence)};
    std::vector<Rows> rows = connection.run_all(statements);
    read_bodies(std::move(rows[0]), stored);
    read_points(std::move(rows[1]), stored);
    read_references(std::move(rows[2]), stored);
    for (Stored* each : stored) {
        if (!each->revision.unreadable.empty()) {
            each->revision.record.body.clear();
            each->revision.record.series.clear();
        }
    }
}

std::vector<std::optional<Stored>> load_stored(Connection& connection, std::span<const DocumentKey> keys, std::int64_t sequence) {
    std::vector<std::optional<Stored>> found = find_stored(connection, keys, sequence);
    std::vector<Stored*> stored;
    for (std::optional<Stored>& each : found) {
        if (each) {
            stored.push_back(&*each);
        }
    }
    load_contents(connection, stored, sequence);
    for (const Stored* each : stored) {
        if (!each->revision.unreadable.empty()) {
            throw StoreError(StoreError::Cause::corrupt,
                             fmt::format("{}: {} {}: {}", connection.target(), name_of(each->revision.record.key.kind),
                                         each->revision.record.key.id, each->revision.unreadable));
        }
    }
    return found;
}

std::vector<Revision> find_history(Connection& connection, const DocumentKey& key, std::int64_t before, std::size_t limit,
                                   std::int64_t sequence) {
    return sql::read_all(Rows(connection, kHistory, name_of(key.kind), key.id, sequence, before, limit),
                         [](const sql::Row& rows) { return sql::read_stored(rows).revision; });
}

} // namespace costcurve::storage::postgres
