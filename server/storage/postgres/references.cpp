// Rows of references: those of a revision that differ from the one before are ended or added.
#include "server/storage/postgres/references.hpp"

#include "server/storage/postgres/bulk_insert.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/writes/next_revision.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::int64_t kMaxListedUsers = 100; // of those that InUse names

constexpr const char* kFindDocuments = R"(
    SELECT r.kind, r.id, r.document FROM unnest($1::text[], $2::text[]) AS k (kind, id)
    CROSS JOIN LATERAL (SELECT kind, id, document FROM revision
        WHERE kind = k.kind AND id = k.id AND until = 9223372036854775807 AND deleted = 0 LIMIT 1) AS r)";
constexpr const char* kTargets =
    "SELECT source, target FROM reference WHERE source = ANY($1) AND until = 9223372036854775807 ORDER BY source, target";
constexpr const char* kEndReferences = R"(
    UPDATE reference f SET until = k.until FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (source, target, until)
    WHERE f.source = k.source AND f.target = k.target AND f.until = 9223372036854775807 AND f.source = ANY ($1))";
constexpr const char* kUsers = R"(
    SELECT d.kind, d.id FROM reference f JOIN document d ON d.document = f.source
    WHERE f.target = $1 AND f.until = 9223372036854775807 AND f.source <> $1 ORDER BY d.kind, d.id LIMIT $2)";
constexpr const char* kCountUsers =
    "SELECT count(*) FROM reference WHERE target = $1 AND until = 9223372036854775807 AND source <> $1";

} // namespace

std::map<DocumentKey, std::int64_t> find_documents(Connection& connection, const std::set<DocumentKey>& keys) {
    std::map<DocumentKey, std::int64_t> found;
    if (keys.empty()) {
        return found;
    }
    std::vector<std::string_view> kinds;
    std::vector<std::string_view> ids;
    for (const DocumentKey& key : keys) {
        kinds.push_back(name_of(key.kind));
        ids.emplace_back(key.id);
    }
    Rows rows(connection, kFindDocuments, kinds, ids);
    while (rows.next()) {
        found.emplace(DocumentKey{kind_of(rows.text(0)), std::string(rows.text(1))}, rows.integer(2));
    }
    return found;
}

void save_references(Connection& connection, const TargetsBySource& targets) {
    if (targets.empty()) {
        return;
    }
    std::vector<std::int64_t> sources;
    for (const auto& [source, ignored] : targets) {
        sources.push_back(source);
    }
    std::map<std::int64_t, std::set<std::int64_t>> before;
    {
        Rows rows(connection, kTargets, sources);
        while (rows.next()) {
            before[rows.integer(0)].insert(rows.integer(1));
        }
    }
    std::vector<std::int64_t> ended_sources;
    std::vector<std::int64_t> ended_targets;
    std::vector<std::int64_t> untils;
    std::vector<NewReference> added;
    for (const auto& [source, after] : targets) {
        const ReferenceDifference difference = reference_difference(before[source], after.targets);
        for (const std::int64_t target : difference.ended) {
            ended_sources.push_back(source);
            ended_targets.push_back(target);
            untils.push_back(after.since);
        }
        for (const std::int64_t target : difference.added) {
            added.push_back({source, target, after.since});
        }
    }
    if (!ended_sources.empty()) {
        connection.post(kEndReferences, ended_sources, ended_targets, untils);
    }
    insert_references(connection, added);
}

InUse users_of(Connection& connection, std::int64_t document) {
    InUse in_use;
    in_use.count = connection.number(kCountUsers, document);
    if (in_use.count > 0) {
        Rows users(connection, kUsers, document, kMaxListedUsers);
        while (users.next()) {
            in_use.users.push_back({kind_of(users.text(0)), std::string(users.text(1))});
        }
    }
    return in_use;
}

} // namespace costcurve::storage::postgres
