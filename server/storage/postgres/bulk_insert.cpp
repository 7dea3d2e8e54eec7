// Bulk inserts with COPY, which writes rows three times as fast as INSERT, and takes two round trips a table.
#include "server/storage/postgres/bulk_insert.hpp"

#include <map>
#include <string>

#include "model/documents/text.hpp"
#include "server/storage/postgres/content.hpp"
#include "server/storage/postgres/engine/new_rows.hpp"
#include "server/storage/writes/next_revision.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kLastNumbers =
    "SELECT (SELECT coalesce(max(document), 0) FROM document), (SELECT coalesce(max(body), 0) FROM body)";
// Rows are found by physical position (ctid): with other keys, a plan made for an empty table scans a whole index.
constexpr const char* kEndRevisions = R"(
    UPDATE revision SET until = $1 WHERE ctid = ANY (ARRAY(
        SELECT r.ctid FROM unnest($2::bigint[]) AS k (document) CROSS JOIN LATERAL (
            SELECT ctid, until FROM revision WHERE document = k.document ORDER BY since DESC LIMIT 1) AS r
        WHERE r.until = 9223372036854775807)))";
constexpr const char* kFindPointers = "SELECT text, pointer FROM pointer WHERE text = ANY($1)";
constexpr const char* kLastPointer = "SELECT coalesce(max(pointer), 0) FROM pointer";
constexpr const char* kAddPointer = "INSERT INTO pointer (pointer, text) VALUES ($1, $2)";
const Table kDocumentTable("document", {"document", "kind", "id"});
const Table kBodyTable("body", {"body", "text", "hash", "encoding"});
const Table kRevisionTable("revision", {"document", "since", "until", "revision", "deleted", "kind", "id", "title", "search",
                                        "provider", "region", "device", "purchase", "hourly_price", "body", "hash"});
const Table kPointTable("point", {"document", "pointer", "x", "since", "y"});
const Table kReferenceTable("reference", {"source", "target", "since", "until"});

// Numbers of curve pointers by text. New pointers are added and numbered in order.
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
            connection.post(kAddPointer, number, text);
        }
    }
    return pointers;
}

void insert_documents(Connection& connection, std::span<const NewRevision> revisions) {
    NewRows rows(connection, kDocumentTable, revisions.size());
    for (const NewRevision& each : revisions) {
        if (each.is_first) {
            rows.add(each.document, name_of(each.record->key.kind), each.record->key.id);
        }
    }
    rows.finish();
}

void insert_bodies(Connection& connection, std::span<const NewRevision> revisions) {
    NewRows rows(connection, kBodyTable, revisions.size());
    for (const NewRevision& each : revisions) {
        if (!each.keeps_body) {
            rows.add(each.body, each.record->body, Bytes{text_of(each.body_hash)}, each.record->encoding);
        }
    }
    rows.finish();
}

void insert_rows(Connection& connection, std::span<const NewRevision> revisions) {
    NewRows rows(connection, kRevisionTable, revisions.size());
    for (const NewRevision& each : revisions) {
        const std::int64_t since = each.change->sequence();
        const RevisionRow row = row_of(*each.record, each.document, since, each.revision, false);
        const Hash hash = hash_of_revision(row, each.body_hash, each.curves, as_set(each.record->references));
        each.change->add_hash(each.document, hash);
        rows.add(row.document, since, kCurrent, row.revision, 0, row.kind, row.id, row.title, model::lower(row.title), row.provider,
                 row.region, row.device, row.purchase, row.hourly_price, each.body, Bytes{text_of(hash)});
    }
    rows.finish();
}

void insert_points(Connection& connection, std::span<const NewRevision> revisions,
                   const std::map<std::string, std::int64_t>& pointers) {
    std::size_t count = 0;
    for (const NewRevision& each : revisions) {
        for (const CurveRows& curve : each.curves) {
            count += curve.rows.size();
        }
    }
    NewRows rows(connection, kPointTable, count);
    for (const NewRevision& each : revisions) {
        for (const CurveRows& curve : each.curves) {
            const std::int64_t pointer = pointers.at(curve.pointer);
            for (const PointRow& point : curve.rows) {
                rows.add(each.document, pointer, point.x, each.change->sequence(), point.y);
            }
        }
    }
    rows.finish();
}

} // namespace

void number_rows(Connection& connection, std::span<NewRevision> revisions) {
    Rows rows(connection, kLastNumbers);
    static_cast<void>(rows.next());
    std::int64_t document = rows.integer(0);
    std::int64_t body = rows.integer(1);
    for (NewRevision& each : revisions) {
        if (each.is_first) {
            each.document = ++document;
        }
        if (!each.keeps_body) {
            each.body = ++body;
            each.body_hash = hash_of(each.record->body);
        }
    }
}

void insert_revisions(Connection& connection, std::span<const NewRevision> revisions) {
    const std::map<std::string, std::int64_t> pointers =
        number_pointers(connection, revisions); // no other statement may run during a COPY
    std::vector<std::int64_t> ended;            // documents whose current revision ends with the change of `first`
    for (std::size_t first = 0; first < revisions.size();) {
        Change& change = *revisions[first].change;
        ended.clear();
        for (; first < revisions.size() && revisions[first].change == &change; ++first) {
            if (!revisions[first].is_first) {
                ended.push_back(revisions[first].document);
            }
        }
        end_revisions(connection, change.sequence(), ended);
    }
    insert_documents(connection, revisions);
    insert_bodies(connection, revisions);
    insert_rows(connection, revisions);
    insert_points(connection, revisions, pointers);
}

void end_revisions(Connection& connection, std::int64_t sequence, const std::vector<std::int64_t>& documents) {
    if (!documents.empty()) {
        connection.post_to(std::ssize(documents), kEndRevisions, sequence, documents);
    }
}

void insert_references(Connection& connection, std::span<const NewReference> references) {
    NewRows rows(connection, kReferenceTable, references.size());
    for (const NewReference& each : references) {
        rows.add(each.source, each.target, each.since, kCurrent);
    }
    rows.finish();
}

} // namespace costcurve::storage::postgres
