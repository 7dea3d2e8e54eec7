// Bulk inserts: one statement per table for some hundred documents.
#include "server/storage/sqlite/bulk_insert.hpp"

#include <utility>

#include "model/documents/text.hpp"
#include "server/storage/sqlite/points.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr std::size_t kMaxDocumentsPerStatement = 250; // their rows fit in the processor's cache

constexpr const char* kLastDocument = "SELECT coalesce(max(document), 0) FROM document";
constexpr const char* kLastBody = "SELECT coalesce(max(body), 0) FROM body";
constexpr const char* kAddDocuments = "INSERT INTO document (document, kind, id) SELECT c0, c1, c2 FROM input_rows";
constexpr const char* kAddBodies =
    "INSERT INTO body (body, text, hash, encoding) SELECT c0, c1, CAST(c2 AS BLOB), c3 FROM input_rows";
constexpr const char* kEndRevisions = "UPDATE revision SET until = ? WHERE row IN (SELECT c0 FROM input_rows)";
constexpr const char* kAddRevisions = R"(
    INSERT INTO revision (row, document, revision, since, until, deleted, kind, id, title, search, body,
                          provider, region, device, purchase, hourly_price, hash)
    SELECT c0 << 32 | c1, c0, c13, c1, 9223372036854775807, 0, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, CAST(c12 AS BLOB)
    FROM input_rows)";
constexpr const char* kAddPoints = "INSERT INTO point (document, pointer, x, since, y) SELECT c0, c1, c2, c3, c4 FROM input_rows";

template <class T> Cell cell_of(const std::optional<T>& value) { return value ? Cell(*value) : Cell(); }

} // namespace

BulkInsert::Entry& BulkInsert::add_entry(const Record& given) {
    if (entries_.size() >= kMaxDocumentsPerStatement) {
        write();
    }
    Entry& entry = entries_.emplace_back();
    entry.given = &given;
    return entry;
}

std::int64_t BulkInsert::add(const Record& record) {
    Entry& entry = add_entry(record);
    last_document_ = last_document_ == 0 ? database_.number(kLastDocument) : last_document_;
    entry.document = ++last_document_;
    entry.curves = rows_of(record.series);
    return entry.document;
}

void BulkInsert::add_next(const Stored& current, const Record& given, std::optional<Record>&& merged, NextRevision&& next) {
    Entry& entry = add_entry(given);
    entry.merged = std::move(merged);
    entry.document = current.document;
    entry.revision = current.revision.revision + 1;
    entry.ended = row_number(current);
    entry.curves = std::move(next.curves);
    if (next.keeps_body) {
        if (!current.body_hash) {
            throw StoreError(StoreError::Cause::corrupt, database_.path() + ": a body has no hash; restore a backup");
        }
        entry.body = current.body;
        entry.body_hash = *current.body_hash;
    }
}

void BulkInsert::write() {
    if (entries_.empty()) {
        return;
    }
    write_documents();
    write_bodies();
    write_revisions();
    write_points();
    entries_.clear();
}

void BulkInsert::write_documents() {
    InputRows documents;
    for (const Entry& entry : entries_) {
        if (entry.ended == 0) {
            documents.add({entry.document, name_of(entry.record().key.kind), entry.record().key.id});
        }
    }
    if (!documents.cells.empty()) {
        database_.run(kAddDocuments, documents);
    }
}

void BulkInsert::write_bodies() {
    InputRows bodies;
    std::int64_t last = database_.number(kLastBody);
    for (Entry& entry : entries_) {
        if (!entry.body) {
            const Record& record = entry.record();
            entry.body = ++last;
            entry.body_hash = hash_of(record.body);
            bodies.add({last, record.body, text_of(entry.body_hash), static_cast<std::int64_t>(record.encoding)});
        }
    }
    if (!bodies.cells.empty()) {
        database_.run(kAddBodies, bodies);
    }
}

void BulkInsert::write_revisions() {
    InputRows ended;
    InputRows revisions;
    std::vector<std::string> searched;
    std::vector<Hash> hashes;
    searched.reserve(entries_.size()); // views of their elements stay valid
    hashes.reserve(entries_.size());
    for (const Entry& entry : entries_) {
        const Record& record = entry.record();
        if (entry.ended != 0) {
            ended.add({entry.ended});
        }
        searched.push_back(model::lower(record.title));
        const RevisionRow row = row_of(record, entry.document, change_.sequence(), entry.revision, false);
        hashes.push_back(hash_of_revision(row, entry.body_hash, entry.curves, as_set(record.references)));
        change_.add_hash(entry.document, hashes.back());
        revisions.add({entry.document, row.since, row.kind, row.id, row.title, searched.back(), *entry.body, cell_of(row.provider),
                       cell_of(row.region), cell_of(row.device), cell_of(row.purchase), cell_of(row.hourly_price),
                       text_of(hashes.back()), row.revision});
    }
    if (!ended.cells.empty()) {
        database_.run(kEndRevisions, change_.sequence(), ended);
    }
    database_.run(kAddRevisions, revisions);
}

void BulkInsert::write_points() {
    InputRows points;
    for (const Entry& entry : entries_) {
        for (const CurveRows& curve : entry.curves) {
            auto known = pointers_.find(curve.pointer);
            if (known == pointers_.end()) {
                known = pointers_.emplace(curve.pointer, find_or_add_pointer(database_, curve.pointer)).first;
            }
            for (const PointRow& point : curve.rows) {
                points.add({entry.document, known->second, point.x, change_.sequence(), cell_of(point.y)});
            }
        }
    }
    if (!points.cells.empty()) {
        database_.run(kAddPoints, points);
    }
}

} // namespace costcurve::storage::sqlite
