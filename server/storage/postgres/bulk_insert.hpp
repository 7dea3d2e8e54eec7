// Writes revisions of any number of documents, a table after the other: many by one binary COPY each, few by statements that travel
// together.
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

/// A revision to be written. Its record outlives it.
struct NewRevision {
    const Record* record = nullptr;
    Change* change = nullptr;  ///< that it is of; outlives it
    std::int64_t document = 0; ///< of one that was never stored: given by `number_rows`
    std::int64_t revision = 1;
    bool is_first = true;    ///< the document is new; else its current revision ends
    bool keeps_body = false; ///< that of the revision before; else `number_rows` gives the next
    std::int64_t body = 0;
    Hash body_hash{};
    std::vector<CurveRows> curves;
};

/// Gives new documents and bodies their numbers: the last ones and 1, in order. Under the lock of all changes, which all have that
/// write documents.
void number_rows(Connection& connection, std::span<NewRevision> revisions);

/// Writes documents, bodies, revisions and points, all of them numbered, and adds the hashes of the revisions to their changes.
/// References are not written here.
void insert_revisions(Connection& connection, std::span<const NewRevision> revisions);

/// Ends the current revision of each document. Throws StoreError (corrupt) where one has none.
void end_revisions(Connection& connection, std::int64_t sequence, const std::vector<std::int64_t>& documents);

/// A row of a reference that begins with a change: of and to numbers of documents.
struct NewReference {
    std::int64_t source = 0;
    std::int64_t target = 0;
    std::int64_t since = 0;
};
void insert_references(Connection& connection, std::span<const NewReference> references);

} // namespace costcurve::storage::postgres
