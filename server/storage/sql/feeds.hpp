// The tables feed_run, in which imports have their runs too, and feed_secret.
#pragma once

#include <cstdint>

#include "server/storage/feed.hpp"
#include "server/storage/record.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

/// Keeps the secret where one is given. A change counts as one of the document.
void save_feed(Connection& connection, Change& change, std::int64_t document, const FeedFacts& facts);

/// Forgets its secret.
void remove_feed(Connection& connection, std::int64_t document);

/// Ends it, records its events, and queues the recalculation. Nothing where it has ended already; throws RunConflict where it was
/// to go on from another state than it is in, or held something else, or other runs are undone than
/// it knew of. `change` stored its documents, 0 for none.
void end_feed_run(Connection& connection, const Author& author, const FeedEnd& end, std::int64_t now, std::int64_t change = 0);

} // namespace costcurve::storage::sql
