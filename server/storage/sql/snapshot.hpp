// Reads that snapshots of every engine share: their moment, the audit, all documents.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/storage/list_query.hpp"
#include "server/storage/snapshot.hpp"
#include "server/storage/sql/connection.hpp"
#include "server/storage/sql/pool.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sql {

/// The last change visible to a snapshot; 0 and "" if there is none.
struct SeenChange {
    std::int64_t sequence = 0;
    std::string recorded_at;
    bool is_last = true; ///< no change came after it
};

/// Read size of a page: large if its limit is more than 100 documents.
[[nodiscard]] ReadSize read_size(const ListQuery& query);

/// The last change as of a moment, or of now. Throws StoreError (no_such_change) if the moment names a change after the last one.
[[nodiscard]] SeenChange find_seen(Connection& connection, const std::optional<Moment>& as_of);

/// Changes up to `sequence`, newest first, below `before` (0: from the newest).
[[nodiscard]] std::vector<AuditEntry> find_changes(Connection& connection, std::int64_t sequence, std::int64_t before,
                                                   std::size_t limit);

/// Visits all documents, by kind and id. No statement runs and no connection is held during the visitor's call, so the visitor may
/// read, too.
void visit_documents(const Snapshot& snapshot, const std::function<void(const Revision&)>& visit);

} // namespace costcurve::storage::sql
