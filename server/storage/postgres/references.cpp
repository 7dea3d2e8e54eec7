// Rows of references: those of a revision that differ from the one before are ended or added.
#include "server/storage/postgres/references.hpp"

#include "server/storage/postgres/bulk_insert.hpp"
#include "server/storage/postgres/content.hpp"
#include "server/storage/writes/next_revision.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kFindDocuments = R"(
    SELECT r.kind, r.id, r.document FROM unnest($1::text[], $2::text[]) AS k (kind, id)
    CROSS JOIN LATERAL (SELECT kind, id, document FROM revision
        WHERE kind = k.kind AND id = k.id AND until = 9223372036854775807 AND deleted = 0 LIMIT 1) AS r)";
constexpr const char* kTargets =
    "SELECT source, target FROM reference WHERE source = ANY($1) AND until = 9223372036854775807 ORDER BY source, target";
constexpr const char* kEndReferences = R"(
    UPDATE reference f SET until = k.until FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (source, target, until)
    WHERE f.source = k.source AND f.target = k.target AND f.until = 9223372036854775807 AND f.source = ANY ($1))";

struct EndedReference {
    std::int64_t source = 0;
    std::int64_t target = 0;
    std::int64_t until = 0;
};

} // namespace

std::map<DocumentKey, std::int64_t> find_documents(Connection& connection, const std::set<DocumentKey>& keys) {
    std::map<DocumentKey, std::int64_t> found;
    if (keys.empty()) {
        return found;
    }
    Rows rows(connection, kFindDocuments, column_of(keys, kind_of_key), column_of(keys, &DocumentKey::id));
    while (rows.next()) {
        found.emplace(sql::read_document_key(rows), rows.integer(2));
    }
    return found;
}

void save_references(Connection& connection, const TargetsBySource& targets) {
    if (targets.empty()) {
        return;
    }
    std::map<std::int64_t, std::set<std::int64_t>> before;
    {
        Rows rows(connection, kTargets, column_of(targets, &TargetsBySource::value_type::first));
        while (rows.next()) {
            before[rows.integer(0)].insert(rows.integer(1));
        }
    }
    std::vector<EndedReference> ended;
    std::vector<NewReference> added;
    for (const auto& [source, after] : targets) {
        const ReferenceDifference difference = reference_difference(before[source], after.targets);
        for (const std::int64_t target : difference.ended) {
            ended.push_back({source, target, after.since});
        }
        for (const std::int64_t target : difference.added) {
            added.push_back({source, target, after.since});
        }
    }
    if (!ended.empty()) {
        connection.post(kEndReferences, column_of(ended, &EndedReference::source), column_of(ended, &EndedReference::target),
                        column_of(ended, &EndedReference::until));
    }
    insert_references(connection, added);
}

} // namespace costcurve::storage::postgres
