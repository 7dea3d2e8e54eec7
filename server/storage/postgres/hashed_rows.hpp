// Rows that have hashes, read with all that these cover, many documents in a few statements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/writes/chain.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::postgres {

/// A revision with what its hash covers.
struct CheckedRevision {
    RevisionRow row; ///< without its texts, which view() adds
    std::string kind, id, title, search;
    std::optional<std::string> provider, region, device, purchase;
    std::optional<Hash> body_hash; ///< nothing of a deletion, or where the body is lost
    std::optional<Hash> hash;
    std::vector<CurveRows> curves; ///< that it wrote, by pointer
    std::vector<DocumentKey> references;

    /// The row, with texts that are good as long as this.
    [[nodiscard]] RevisionRow view() const;
};

/// All revisions of the documents behind one, in order; at most so many documents.
[[nodiscard]] std::vector<CheckedRevision> load_revisions(Connection& connection, std::int64_t after, std::int64_t max_documents);

} // namespace costcurve::storage::postgres
