// One statement a table, for some hundred documents at a time.
#include "server/storage/sqlite/bulk_insert.hpp"

#include "model/documents/text.hpp"
#include "server/storage/chain.hpp"
#include "server/storage/curve_rows.hpp"
#include "server/storage/list_query.hpp"
#include "server/storage/next_revision.hpp"
#include "server/storage/sqlite/points.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr std::size_t kMaxDocumentsPerStatement = 250; // their rows fit in the processor's cache

constexpr const char* kLastDocument = "SELECT coalesce(max(document), 0) FROM document";
constexpr const char* kLastBody = "SELECT coalesce(max(body), 0) FROM body";
constexpr const char* kAddDocuments = "INSERT INTO document (document, kind, id) SELECT c0, c1, c2 FROM input_rows";
constexpr const char* kAddBodies =
    "INSERT INTO body (body, text, hash, encoding) SELECT c0, c1, CAST(c2 AS BLOB), c3 FROM input_rows";
constexpr const char* kAddRevisions = R"(
    INSERT INTO revision (row, document, revision, since, until, deleted, kind, id, title, search, body,
                          provider, region, device, purchase, hourly_price, hash)
    SELECT c0 << 32 | c1, c0, 1, c1, 9223372036854775807, 0, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, CAST(c12 AS BLOB)
    FROM input_rows)";
constexpr const char* kAddPoints = "INSERT INTO point (document, pointer, x, since, y) SELECT c0, c1, c2, c3, c4 FROM input_rows";

template <class T> Cell cell_of(const std::optional<T>& value) { return value ? Cell(*value) : Cell(); }

} // namespace

std::int64_t BulkInsert::add(const Record& record) {
    if (records_.size() >= kMaxDocumentsPerStatement) {
        write();
    }
    if (first_ == 0) {
        first_ = database_.number(kLastDocument) + 1;
    }
    records_.push_back(&record);
    return first_ + std::ssize(records_) - 1;
}

void BulkInsert::write() {
    if (records_.empty()) {
        return;
    }
    write_documents();
    write_points();
    first_ += std::ssize(records_);
    records_.clear();
}

void BulkInsert::write_documents() {
    InputRows documents;
    InputRows bodies;
    InputRows revisions;
    std::vector<std::string> searched;
    std::vector<Hash> hashes;
    searched.reserve(records_.size()); // views of their elements stay valid
    hashes.reserve(2 * records_.size());
    std::int64_t document = first_;
    std::int64_t body = database_.number(kLastBody);
    for (const Record* const record : records_) {
        searched.push_back(model::lower(record->title));
        documents.add({document, name_of(record->key.kind), record->key.id});
        hashes.push_back(hash_of(record->body));
        bodies.add({++body, record->body, text_of(hashes.back()), static_cast<std::int64_t>(record->encoding)});
        const RevisionRow row = row_of(*record, document, change_.sequence(), 1, false);
        hashes.push_back(hash_of_revision(row, hashes.back(), rows_of(record->series), as_set(record->references)));
        change_.add_hash(document, hashes.back());
        revisions.add({document, row.since, row.kind, row.id, row.title, searched.back(), body, cell_of(row.provider),
                       cell_of(row.region), cell_of(row.device), cell_of(row.purchase), cell_of(row.hourly_price),
                       text_of(hashes.back())});
        ++document;
    }
    Rows(database_, kAddDocuments, documents).run();
    Rows(database_, kAddBodies, bodies).run();
    Rows(database_, kAddRevisions, revisions).run();
}

void BulkInsert::write_points() {
    InputRows points;
    std::int64_t document = first_;
    for (const Record* const record : records_) {
        for (const Series& series : record->series) {
            auto known = pointers_.find(series.pointer);
            if (known == pointers_.end()) {
                known = pointers_.emplace(series.pointer, find_or_add_pointer(database_, series.pointer)).first;
            }
            for (std::size_t i = 0; i < series.x.size(); ++i) {
                points.add({document, known->second, series.x[i], change_.sequence(), series.y[i]});
            }
        }
        ++document;
    }
    Rows(database_, kAddPoints, points).run();
}

} // namespace costcurve::storage::sqlite
