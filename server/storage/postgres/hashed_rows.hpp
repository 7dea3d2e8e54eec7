// Rows with hashes, read together with all data that the hashes cover, for many documents in a few statements.
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
    std::optional<Hash> body_hash; ///< empty for a deletion or a lost body
    std::optional<Hash> hash;
    std::vector<CurveRows> curves; ///< curves that the revision wrote, by pointer
    std::vector<DocumentKey> references;
};
struct RevisionPage {
    Rows rows; ///< owns the texts of the revisions
    std::vector<CheckedRevision> revisions;
};

/// All revisions of the next documents after document `after`, in order; at most `max_documents` documents.
[[nodiscard]] RevisionPage load_revisions(Connection& connection, std::int64_t after, std::int64_t max_documents);

} // namespace costcurve::storage::postgres
