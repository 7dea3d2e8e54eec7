// Reads and writes the tables feed_run and feed_secret.
#include "server/storage/postgres/daemons/feeds.hpp"

#include <fmt/format.h>

#include "server/storage/postgres/daemons/lease.hpp"
#include "server/storage/postgres/daemons/outbox.hpp"
#include "server/storage/postgres/daemons/runs.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kSaveFeedSecret = R"(
    INSERT INTO feed_secret AS s (feed, secret) VALUES ($1, $2)
    ON CONFLICT (feed) DO UPDATE SET secret = excluded.secret WHERE s.secret <> excluded.secret)";
constexpr const char* kRemoveFeedSecret = "DELETE FROM feed_secret WHERE feed = $1";
constexpr const char* kFeedSecret = R"(
    SELECT s.secret FROM named_document d JOIN feed_secret s ON s.feed = d.document WHERE d.kind = 'feed' AND d.id = $1)";

constexpr const char* kFindFeed = "SELECT document FROM named_document WHERE kind = 'feed' AND id = $1";
constexpr const char* kLivingFeed = R"(
    SELECT document FROM revision WHERE kind = 'feed' AND id = $1 AND until = 9223372036854775807 AND deleted = 0)";
constexpr const char* kOpenRunOfFeed = "SELECT run FROM feed_run WHERE feed = $1 AND state = 'running'";
constexpr const char* kInsertFeedRun = R"(
    INSERT INTO feed_run (feed, author, dry_run, accepts, started_at) VALUES ($1, $2, $3, $4, $5)
    RETURNING run, pg_notify('costcurve', ''))";
constexpr const char* kForgetFeedRuns = R"(
    DELETE FROM feed_run WHERE feed = $1 AND state <> 'running' AND run <= (
        SELECT run FROM feed_run WHERE feed = $1 ORDER BY run DESC LIMIT 1 OFFSET $2))";
constexpr const char* kBeginFeedRun = "UPDATE feed_run SET starts = starts + 1, holder = $2, lease_until = {} + $3 WHERE run = $1";
constexpr const char* kEndFeedRun = R"(
    UPDATE feed_run SET state = $1, ended_at = $2, origin = $3, bytes = $4, hash = $5, etag = $6, modified_at = $7, header = $8,
        rows = $9, until = $10, summary = $11, problem = $12, holder = NULL, lease_until = NULL
    WHERE run = $13 AND state = 'running')";
const std::string kSelectFeedRuns =
    fmt::format("SELECT {} FROM feed_run AS r JOIN document AS d ON d.document = r.feed WHERE ", kFeedRunColumns);
constexpr const char* kMayStart = "r.state = 'running' AND (r.holder IS NULL OR r.holder = $1 OR r.lease_until <= {})";
constexpr const char* kOldestToStart = " AND ($2 = 0 OR r.run = $2) ORDER BY r.run LIMIT 1 FOR UPDATE OF r SKIP LOCKED";
constexpr const char* kIsGood = "r.feed = $1 AND r.dry_run = 0 AND r.state IN ('landed', 'unchanged') ORDER BY r.run DESC LIMIT 1";
constexpr const char* kHasLanded = R"(
    r.feed = $1 AND r.dry_run = 0 AND r.state = 'landed' AND r.origin = $2 AND r.hash = $3 ORDER BY r.run DESC LIMIT 1)";

template <class... Values>
std::vector<FeedRun> read_feed_runs(Connection& connection, std::string_view where, const Values&... values) {
    std::vector<FeedRun> runs;
    Rows rows(connection, kSelectFeedRuns + std::string(where), values...);
    while (rows.next()) {
        runs.push_back(read_feed_run(rows));
    }
    return runs;
}

std::optional<FeedRun> first_of(std::vector<FeedRun> runs) {
    return runs.empty() ? std::nullopt : std::optional(std::move(runs.front()));
}

std::string may_start() { return fmt::format(kMayStart, kDatabaseClock); }

// Its row, deleted or not.
std::optional<std::int64_t> row_of_feed(Connection& connection, std::string_view feed) {
    Rows rows(connection, kFindFeed, feed);
    return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

} // namespace

void save_feed(Connection& connection, Change& change, std::int64_t document, const FeedFacts& facts) {
    if (facts.secret.empty()) {
        return;
    }
    if (Rows(connection, kSaveFeedSecret, document, facts.secret).affected() > 0) {
        static_cast<void>(change.sequence());
    }
}

void remove_feed(Connection& connection, std::int64_t document) { Rows(connection, kRemoveFeedSecret, document).run(); }

std::string find_feed_secret(Connection& connection, std::string_view feed) {
    Rows rows(connection, kFeedSecret, feed);
    return rows.next() ? std::string(rows.text(0)) : "";
}

std::optional<FeedBegun> insert_feed_run(Connection& connection, std::string_view author, const FeedRequest& request,
                                         std::int64_t now) {
    Rows living(connection, kLivingFeed, request.feed);
    if (!living.next()) {
        return std::nullopt;
    }
    const std::int64_t feed = living.integer(0);
    if (Rows open(connection, kOpenRunOfFeed, feed); open.next()) {
        return FeedBegun{open.integer(0), false};
    }
    if (request.tick != 0 && !do_tick(connection, {Kind::feed, request.feed}, request.tick, now)) {
        return FeedBegun{};
    }
    const std::int64_t run = connection.number(kInsertFeedRun, feed, author, request.dry_run ? 1 : 0, request.accepts ? 1 : 0, now);
    Rows(connection, kForgetFeedRuns, feed, kMaxFeedRuns).run();
    return FeedBegun{run, true};
}

bool has_open_feed_run(Connection& connection, std::string_view holder) {
    return Rows(connection, "SELECT 1 FROM feed_run AS r WHERE " + may_start() + " LIMIT 1", holder).next();
}

std::optional<FeedRun> start_feed_run(Connection& connection, std::string_view holder, std::int64_t only) {
    std::optional<FeedRun> run = first_of(read_feed_runs(connection, may_start() + kOldestToStart, holder, only));
    if (run) {
        Rows(connection, fmt::format(kBeginFeedRun, kDatabaseClock), run->id, holder, microseconds(kLease)).run();
        ++run->starts;
    }
    return run;
}

void end_feed_run(Connection& connection, const Author& author, const FeedEnd& end, std::int64_t now) {
    const FeedFile& file = end.file;
    if (Rows(connection, kEndFeedRun, name_of(end.state), now, file.origin, file.bytes, file.hash, file.etag, file.modified_at,
             file.header, file.rows, file.until, end.summary, end.problem, end.run)
            .affected() == 0) {
        return;
    }
    for (const NewEvent& event : end.events) {
        record_event(connection, event, now);
    }
    if (end.recalculation) {
        static_cast<void>(insert_run(connection, author, *end.recalculation, now));
    }
}

std::optional<std::vector<FeedRun>> find_feed_runs(Connection& connection, std::string_view feed, std::int64_t before,
                                                   std::size_t limit) {
    const std::optional<std::int64_t> row = row_of_feed(connection, feed);
    if (!row) {
        return std::nullopt;
    }
    return read_feed_runs(connection, "r.feed = $1 AND ($2 = 0 OR r.run < $2) ORDER BY r.run DESC LIMIT $3", *row, before, limit);
}

std::optional<FeedRun> find_good_feed_run(Connection& connection, std::string_view feed) {
    const std::optional<std::int64_t> row = row_of_feed(connection, feed);
    return row ? first_of(read_feed_runs(connection, kIsGood, *row)) : std::nullopt;
}

std::optional<FeedRun> find_landed_feed_run(Connection& connection, std::string_view feed, std::string_view origin,
                                            std::string_view hash) {
    const std::optional<std::int64_t> row = row_of_feed(connection, feed);
    return row ? first_of(read_feed_runs(connection, kHasLanded, *row, origin, hash)) : std::nullopt;
}

} // namespace costcurve::storage::postgres
