// Tables feed_run, which also has the runs of imports, and feed_secret.
#pragma once

#include <cstdint>

#include "server/storage/feed.hpp"
#include "server/storage/record.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

/// Stores the secret if one is given. A changed secret counts as a change of the document.
void save_feed(Connection& connection, Change& change, std::int64_t document, const FeedFacts& facts);

/// Deletes the feed's secret.
void remove_feed(Connection& connection, std::int64_t document);

/// Ends a run, records its events and queues the recalculation. Does nothing if the run has ended already. Throws RunConflict if
/// its state, its held documents or the set of undone runs differ from those that `end` assumes. `change` stored its documents, 0
/// for none.
void end_feed_run(Connection& connection, const Author& author, const FeedEnd& end, std::int64_t now, std::int64_t change = 0);

} // namespace costcurve::storage::sql
