// COPY writes rows three times as fast as statements do, and nothing but an index checks them.
#include "server/storage/postgres/bulk_insert.hpp"

#include <map>
#include <string>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/storage/list_query.hpp"
#include "server/storage/next_revision.hpp"
#include "server/storage/postgres/content.hpp"
#include "server/storage/postgres/engine/copy_in.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kLastNumbers =
    "SELECT (SELECT coalesce(max(document), 0) FROM document), (SELECT coalesce(max(body), 0) FROM body)";
constexpr const char* kEndRevisions = R"(
    UPDATE revision SET until = $1 WHERE document = ANY ($2::bigint[]) AND until = 9223372036854775807)";
constexpr const char* kFindPointers = "SELECT text, pointer FROM pointer WHERE text = ANY($1)";
constexpr const char* kLastPointer = "SELECT coalesce(max(pointer), 0) FROM pointer";
constexpr const char* kAddPointer = "INSERT INTO pointer (pointer, text) VALUES ($1, $2)";
constexpr const char* kAddDeletion = R"(
    INSERT INTO revision (document, since, until, revision, deleted, kind, id, title, search, hash)
    VALUES ($1, $2, 9223372036854775807, $3, 1, $4, $5, $6, $7, $8))";
constexpr const char* kCopyDocuments = "COPY document (document, kind, id) FROM STDIN (FORMAT binary)";
constexpr const char* kCopyBodies = "COPY body (body, text, hash, encoding) FROM STDIN (FORMAT binary)";
constexpr const char* kCopyRevisions = R"(
    COPY revision (document, since, until, revision, deleted, kind, id, title, search, provider, region, device, purchase,
        hourly_price, body, hash) FROM STDIN (FORMAT binary))";
constexpr const char* kCopyPoints = "COPY point (document, pointer, x, since, y) FROM STDIN (FORMAT binary)";
constexpr const char* kCopyReferences = "COPY reference (source, target, since, until) FROM STDIN (FORMAT binary)";

// By text; those that are new are added, numbered as they come.
std::map<std::string, std::int64_t> number_pointers(Connection& connection, std::span<const NewRevision> revisions) {
    std::map<std::string, std::int64_t> pointers;
    std::vector<std::string> in_order;
    for (const NewRevision& revision : revisions) {
        for (const CurveRows& curve : revision.curves) {
            if (pointers.try_emplace(curve.pointer, 0).second) {
                in_order.push_back(curve.pointer);
            }
        }
    }
    if (in_order.empty()) {
        return pointers;
    }
    Rows rows(connection, kFindPointers, in_order);
    while (rows.next()) {
        pointers[std::string(rows.text(0))] = rows.integer(1);
    }
    std::int64_t last = 0;
    for (const std::string& text : in_order) {
        std::int64_t& number = pointers[text];
        if (number == 0) {
            last = (last == 0 ? connection.number(kLastPointer) : last) + 1;
            number = last;
            Rows(connection, kAddPointer, number, text).run();
        }
    }
    return pointers;
}

void copy_documents(Connection& connection, std::span<const NewRevision> revisions) {
    CopyIn copy(connection, kCopyDocuments);
    for (const NewRevision& each : revisions) {
        if (each.is_first) {
            copy.row(each.document, name_of(each.record->key.kind), each.record->key.id);
        }
    }
    copy.finish();
}

// Those up to the last one that there was are of revisions before.
void copy_bodies(Connection& connection, std::span<const NewRevision> revisions, std::int64_t last) {
    CopyIn copy(connection, kCopyBodies);
    for (const NewRevision& each : revisions) {
        if (*each.body > last) {
            copy.row(*each.body, each.record->body, Bytes{text_of(each.body_hash)}, each.record->encoding);
        }
    }
    copy.finish();
}

void copy_revisions(Connection& connection, Change& change, std::span<const NewRevision> revisions) {
    CopyIn copy(connection, kCopyRevisions);
    const std::int64_t sequence = change.sequence();
    for (const NewRevision& each : revisions) {
        const RevisionRow row = row_of(*each.record, each.document, sequence, each.revision, false);
        const Hash hash = hash_of_revision(row, each.body_hash, each.curves, as_set(each.record->references));
        change.add_hash(each.document, hash);
        copy.row(row.document, sequence, kCurrent, row.revision, 0, row.kind, row.id, row.title, model::lower(row.title),
                 row.provider, row.region, row.device, row.purchase, row.hourly_price, *each.body, Bytes{text_of(hash)});
    }
    copy.finish();
}

void copy_points(Connection& connection, std::int64_t sequence, std::span<const NewRevision> revisions,
                 const std::map<std::string, std::int64_t>& pointers) {
    CopyIn copy(connection, kCopyPoints);
    for (const NewRevision& each : revisions) {
        for (const CurveRows& curve : each.curves) {
            const std::int64_t pointer = pointers.at(curve.pointer);
            for (const PointRow& point : curve.rows) {
                copy.row(each.document, pointer, point.x, sequence, point.y);
            }
        }
    }
    copy.finish();
}

} // namespace

void number_documents(Connection& connection, std::span<NewRevision> revisions) {
    Rows rows(connection, kLastNumbers);
    static_cast<void>(rows.next());
    std::int64_t document = rows.integer(0);
    for (NewRevision& each : revisions) {
        if (each.is_first) {
            each.document = ++document;
        }
    }
}

void insert_revisions(Connection& connection, Change& change, std::span<const NewRevision> given) {
    if (given.empty()) {
        return;
    }
    std::vector<NewRevision> revisions(given.begin(), given.end());
    Rows numbers(connection, kLastNumbers);
    static_cast<void>(numbers.next());
    const std::int64_t last_body = numbers.integer(1);
    std::int64_t body = last_body;
    std::vector<std::int64_t> ended;
    bool has_new = false;
    for (NewRevision& each : revisions) {
        if (!each.is_first) {
            ended.push_back(each.document);
        }
        has_new = has_new || each.is_first;
        if (!each.body) {
            each.body = ++body;
            each.body_hash = hash_of(each.record->body);
        }
    }
    const std::map<std::string, std::int64_t> pointers = number_pointers(connection, revisions); // no other statement amid a COPY
    const std::int64_t sequence = change.sequence();
    if (!ended.empty()) {
        end_revisions(connection, sequence, ended);
    }
    if (has_new) {
        copy_documents(connection, revisions);
    }
    if (body > last_body) {
        copy_bodies(connection, revisions, last_body);
    }
    copy_revisions(connection, change, revisions);
    if (!pointers.empty()) {
        copy_points(connection, sequence, revisions, pointers);
    }
}

void end_revisions(Connection& connection, std::int64_t sequence, const std::vector<std::int64_t>& documents) {
    const Rows rows(connection, kEndRevisions, sequence, documents);
    if (rows.affected() != std::ssize(documents)) {
        throw StoreError(StoreError::Cause::corrupt,
                         fmt::format("{}: a document has no current revision; costcurve check says which", connection.target()));
    }
}

void insert_deletion(Connection& connection, Change& change, const Record& record, std::int64_t document, std::int64_t revision) {
    const std::int64_t sequence = change.sequence();
    end_revisions(connection, sequence, {document});
    const RevisionRow row = row_of(record, document, sequence, revision, true);
    const Hash hash = hash_of_revision(row, Hash{}, {}, {});
    Rows(connection, kAddDeletion, document, sequence, revision, row.kind, row.id, row.title, model::lower(record.title),
         Bytes{text_of(hash)})
        .run();
    change.add_hash(document, hash);
}

void insert_references(Connection& connection, std::int64_t sequence,
                       std::span<const std::pair<std::int64_t, std::int64_t>> references) {
    if (references.empty()) {
        return;
    }
    CopyIn copy(connection, kCopyReferences);
    for (const auto& [source, target] : references) {
        copy.row(source, target, sequence, kCurrent);
    }
    copy.finish();
}

} // namespace costcurve::storage::postgres
