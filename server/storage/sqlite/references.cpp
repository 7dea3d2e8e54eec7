// Rows of references: those of a revision that differ from the one before are ended or added.
#include "server/storage/sqlite/references.hpp"

#include <algorithm>

#include "server/storage/sqlite/content.hpp"
#include "server/storage/writes/chain.hpp"
#include "server/storage/writes/next_revision.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kReferences = R"(
    SELECT d.kind, d.id FROM reference f CROSS JOIN document d ON d.document = f.target
    WHERE f.source = ?1 AND f.since <= ?2 AND f.until > ?2)";
constexpr const char* kFindTarget = R"(
    SELECT r.document FROM revision r
    WHERE r.kind = ? AND r.id = ? AND r.until = 9223372036854775807 AND r.deleted = 0)";
constexpr const char* kTargets = "SELECT target FROM reference WHERE source = ? AND until = 9223372036854775807";
constexpr const char* kAddReference = "INSERT INTO reference (source, target, since, until) VALUES (?, ?, ?, ?)";
constexpr const char* kEndReference =
    "UPDATE reference SET until = ? WHERE source = ? AND target = ? AND until = 9223372036854775807";

std::set<std::int64_t> current_targets(Database& database, std::int64_t document) {
    std::set<std::int64_t> targets;
    Rows rows(database, kTargets, document);
    while (rows.next()) {
        targets.insert(rows.integer(0));
    }
    return targets;
}

} // namespace

std::vector<DocumentKey> load_references(Database& database, std::int64_t document, std::int64_t sequence) {
    std::vector<DocumentKey> references = sql::read_all(Rows(database, kReferences, document, sequence),
                                                        [](const sql::Row& rows) { return sql::read_document_key(rows); });
    std::sort(references.begin(), references.end());
    return references;
}

std::int64_t ReferenceResolver::find(const DocumentKey& key) {
    Rows rows(database_, kFindTarget, name_of(key.kind), key.id);
    return rows.next() ? rows.integer(0) : 0;
}

std::set<std::int64_t> ReferenceResolver::resolve(const std::vector<DocumentKey>& references) {
    std::set<std::int64_t> rows;
    for (const DocumentKey& key : references) {
        auto found = known_.find(key);
        if (found == known_.end()) {
            found = known_.emplace(key, find(key)).first;
        }
        if (found->second == 0) {
            missing_.insert(key);
        }
        rows.insert(found->second);
    }
    return rows;
}

void save_references(Database& database, std::int64_t document, std::int64_t sequence, const std::set<std::int64_t>& targets) {
    const ReferenceDifference difference = reference_difference(current_targets(database, document), targets);
    for (const std::int64_t target : difference.ended) {
        database.run(kEndReference, sequence, document, target);
    }
    for (const std::int64_t target : difference.added) {
        database.run(kAddReference, document, target, sequence, kCurrent);
    }
}

} // namespace costcurve::storage::sqlite
