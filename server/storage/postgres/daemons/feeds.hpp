// Runs of feeds as rows, and their secrets. A run has a lease of who does it: it calls the outside world, which no transaction
// waits for. Writes work inside a transaction of the caller.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/feed.hpp"
#include "server/storage/postgres/change.hpp"
#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// Keeps the secret where one is given. A change counts as one of the document.
void save_feed(Connection& connection, Change& change, std::int64_t document, const FeedFacts& facts);
/// Forgets its secret.
void remove_feed(Connection& connection, std::int64_t document);
[[nodiscard]] std::string find_feed_secret(Connection& connection, std::string_view feed);

/// Of a feed that is stored: a new run, or the one that goes on, or none where its tick is done. Forgets those beyond what is kept.
[[nodiscard]] std::optional<FeedBegun> insert_feed_run(Connection& connection, std::string_view author, const FeedRequest& request,
                                                       std::int64_t now);
/// Whether one goes on that a holder may start.
[[nodiscard]] bool has_open_feed_run(Connection& connection, std::string_view holder);
/// The oldest that goes on and that nobody else has a lease of, or `only` where it does, one time more begun with a lease. Two that
/// start one at once get different ones.
[[nodiscard]] std::optional<FeedRun> start_feed_run(Connection& connection, std::string_view holder, std::int64_t only);
/// Ends it, records its events, and queues the recalculation. Nothing where it has ended already.
void end_feed_run(Connection& connection, const Author& author, const FeedEnd& end, std::int64_t now);

[[nodiscard]] std::optional<std::vector<FeedRun>> find_feed_runs(Connection& connection, std::string_view feed, std::int64_t before,
                                                                 std::size_t limit);
[[nodiscard]] std::optional<FeedRun> find_good_feed_run(Connection& connection, std::string_view feed);
[[nodiscard]] std::optional<FeedRun> find_landed_feed_run(Connection& connection, std::string_view feed, std::string_view origin,
                                                          std::string_view hash);

} // namespace costcurve::storage::postgres
