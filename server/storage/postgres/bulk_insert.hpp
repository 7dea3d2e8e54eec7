// Writes revisions of any number of documents, table by table: many rows by a binary COPY per table, few rows by pipelined
// statements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "server/storage/hash.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/record.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::postgres {

using sql::Change;

/// A revision to write. Its record must outlive it.
struct NewRevision {
    const Record* record = nullptr;
    Change* change = nullptr;  ///< the change of the revision; outlives it
    std::int64_t document = 0; ///< number of the document; `number_rows` numbers a new document
    std::int64_t revision = 1;
    bool is_first = true;    ///< whether the document is new; otherwise its current revision ends
    bool keeps_body = false; ///< reuses the body of the previous revision; otherwise `number_rows` assigns a new body number
    std::int64_t body = 0;
    Hash body_hash{};
    std::vector<CurveRows> curves;
};

/// Numbers new documents and bodies in order, from the last number + 1. Requires the lock of all changes, which every writer of
/// documents holds.
void number_rows(Connection& connection, std::span<NewRevision> revisions);

/// Writes documents, bodies, revisions and points that are already numbered, and adds the revisions' hashes to their changes.
/// References are written elsewhere.
void insert_revisions(Connection& connection, std::span<const NewRevision> revisions);

/// Ends the current revision of each document. Throws StoreError (corrupt) if a document has no current revision.
void end_revisions(Connection& connection, std::int64_t sequence, const std::vector<std::int64_t>& documents);

/// A reference row that begins with a change; `of` and `to` are numbers of documents.
struct NewReference {
    std::int64_t source = 0;
    std::int64_t target = 0;
    std::int64_t since = 0;
};
void insert_references(Connection& connection, std::span<const NewReference> references);

} // namespace costcurve::storage::postgres
