// What snapshots of every engine read in the same way: their moment, the audit, all documents.
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

/// The last change that a snapshot sees; 0 and "" where there is none.
struct SeenChange {
    std::int64_t sequence = 0;
    std::string recorded_at;
    bool is_last = true; ///< no change came after it
};

/// Of a page: one of many documents takes as long as a hundred others.
[[nodiscard]] ReadSize read_size(const ListQuery& query);

/// As of a moment, or now. Throws StoreError (no_such_change) where it names a change that has yet to come.
[[nodiscard]] SeenChange find_seen(Connection& connection, const std::optional<Moment>& as_of);

/// Changes up to one, newest first, below `before` (0: from the newest).
[[nodiscard]] std::vector<AuditEntry> find_changes(Connection& connection, std::int64_t sequence, std::int64_t before,
                                                   std::size_t limit);

/// Visits all documents, by kind and id. No statement runs and no connection is taken while the visitor does, so that it may read
/// too.
void visit_documents(const Snapshot& snapshot, const std::function<void(const Revision&)>& visit);

} // namespace costcurve::storage::sql
