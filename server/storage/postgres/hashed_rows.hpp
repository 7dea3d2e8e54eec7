// Rows that have hashes, read with all that these cover, many documents in a few statements.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/writes/chain.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::postgres {

/// A revision with what its hash covers.
struct CheckedRevision {
    RevisionRow row;
    std::string_view search;
    std::optional<Hash> body_hash; ///< nothing of a deletion, or where the body is lost
    std::optional<Hash> hash;
    std::vector<CurveRows> curves; ///< that it wrote, by pointer
    std::vector<DocumentKey> references;
};
struct RevisionPage {
    Rows rows; ///< whose texts the revisions have
    std::vector<CheckedRevision> revisions;
};

/// All revisions of the documents behind one, in order; at most so many documents.
[[nodiscard]] RevisionPage load_revisions(Connection& connection, std::int64_t after, std::int64_t max_documents);

} // namespace costcurve::storage::postgres
