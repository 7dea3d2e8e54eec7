// Runs of feeds as rows, and their secrets. Writes work inside a transaction of the caller.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/feed.hpp"
#include "server/storage/sqlite/change.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// Keeps the secret where one is given. A change counts as one of the document.
void save_feed(Database& database, Change& change, std::int64_t document, const FeedFacts& facts);
/// Forgets its secret.
void remove_feed(Database& database, std::int64_t document);
[[nodiscard]] std::string find_feed_secret(Database& database, std::string_view feed);

/// Of a feed that is stored: a new run, or the one that goes on, or none where its tick is done. Forgets those beyond what is kept.
[[nodiscard]] std::optional<FeedBegun> insert_feed_run(Database& database, std::string_view author, const FeedRequest& request,
                                                       std::int64_t now);
[[nodiscard]] bool has_open_feed_run(Database& database);
/// The oldest that goes on, or `only` where it does, one time more begun.
[[nodiscard]] std::optional<FeedRun> start_feed_run(Database& database, std::int64_t only);
/// Ends it, records its events, and queues the recalculation. Nothing where it has ended already.
void end_feed_run(Database& database, const Author& author, const FeedEnd& end, std::int64_t now);

[[nodiscard]] std::optional<std::vector<FeedRun>> find_feed_runs(Database& database, std::string_view feed, std::int64_t before,
                                                                 std::size_t limit);
[[nodiscard]] std::optional<FeedRun> find_good_feed_run(Database& database, std::string_view feed);
[[nodiscard]] std::optional<FeedRun> find_landed_feed_run(Database& database, std::string_view feed, std::string_view origin,
                                                          std::string_view hash);

} // namespace costcurve::storage::sqlite
