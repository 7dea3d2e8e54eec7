// Writes revisions of any number of documents, a table after the other: each by one binary COPY.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "server/storage/chain.hpp"
#include "server/storage/curve_rows.hpp"
#include "server/storage/postgres/change.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/record.hpp"

namespace costcurve::storage::postgres {

/// A revision to be written. Its record outlives it.
struct NewRevision {
    const Record* record = nullptr;
    std::int64_t document = 0; ///< of one that was never stored: given by `number_documents`
    std::int64_t revision = 1;
    bool is_first = true;             ///< the document is new; else its current revision ends
    std::optional<std::int64_t> body; ///< that of the revision before, where it stays
    Hash body_hash{};
    std::vector<CurveRows> curves;
};

/// Gives new documents and bodies their numbers: the last ones and 1, in order. Under the lock of all changes, which all have that
/// write documents.
void number_documents(Connection& connection, std::span<NewRevision> revisions);

/// Writes documents, bodies, revisions and points, and adds the hashes of the revisions to the change. References are not written
/// here.
void insert_revisions(Connection& connection, Change& change, std::span<const NewRevision> revisions);

/// Ends the current revision of each document. Throws StoreError (corrupt) where one has none.
void end_revisions(Connection& connection, std::int64_t sequence, const std::vector<std::int64_t>& documents);

/// Adds the revision behind the current one of a document that deletes it, and ends that.
void insert_deletion(Connection& connection, Change& change, const Record& record, std::int64_t document, std::int64_t revision);

/// Rows of references that begin with a change: of and to numbers of documents.
void insert_references(Connection& connection, std::int64_t sequence,
                       std::span<const std::pair<std::int64_t, std::int64_t>> references);

} // namespace costcurve::storage::postgres
