// Reads and writes the tables feed_run and feed_secret.
#include "server/storage/sqlite/feeds.hpp"

#include <fmt/format.h>

#include "server/storage/rows.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/outbox.hpp"
#include "server/storage/sqlite/runs.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kSaveFeedSecret = R"(
    INSERT INTO feed_secret (feed, secret) VALUES (?, ?)
    ON CONFLICT (feed) DO UPDATE SET secret = excluded.secret WHERE secret <> excluded.secret)";
constexpr const char* kRemoveFeedSecret = "DELETE FROM feed_secret WHERE feed = ?";
constexpr const char* kFeedSecret = R"(
    SELECT s.secret FROM named_document d JOIN feed_secret s ON s.feed = d.document WHERE d.kind = 'feed' AND d.id = ?)";

constexpr const char* kFindFeed = "SELECT document FROM named_document WHERE kind = 'feed' AND id = ?";
constexpr const char* kOpenRunOfFeed = "SELECT run FROM feed_run WHERE feed = ? AND state = 'running'";
constexpr const char* kHasOpenFeedRun = "SELECT 1 FROM feed_run WHERE state = 'running' LIMIT 1";
constexpr const char* kInsertFeedRun = "INSERT INTO feed_run (feed, author, dry_run, accepts, started_at) VALUES (?, ?, ?, ?, ?)";
constexpr const char* kForgetFeedRuns = R"(
    DELETE FROM feed_run WHERE feed = ?1 AND state <> 'running' AND run <= (
        SELECT run FROM feed_run WHERE feed = ?1 ORDER BY run DESC LIMIT 1 OFFSET ?2))";
constexpr const char* kBeginFeedRun = "UPDATE feed_run SET starts = starts + 1 WHERE run = ?";
constexpr const char* kEndFeedRun = R"(
    UPDATE feed_run SET state = ?, ended_at = ?, origin = ?, bytes = ?, hash = ?, etag = ?, modified_at = ?, header = ?, rows = ?,
        until = ?, summary = ?, problem = ?
    WHERE run = ? AND state = 'running')";
const std::string kSelectFeedRuns =
    fmt::format("SELECT {} FROM feed_run AS r JOIN document AS d ON d.document = r.feed WHERE ", kFeedRunColumns);
constexpr const char* kIsOpen = "r.state = 'running' AND (?1 = 0 OR r.run = ?1) ORDER BY r.run LIMIT 1";
constexpr const char* kIsGood = "r.feed = ? AND r.dry_run = 0 AND r.state IN ('landed', 'unchanged') ORDER BY r.run DESC LIMIT 1";
constexpr const char* kHasLanded = R"(
    r.feed = ? AND r.dry_run = 0 AND r.state = 'landed' AND r.origin = ? AND r.hash = ? ORDER BY r.run DESC LIMIT 1)";

template <class... Values>
std::vector<FeedRun> read_feed_runs(Database& database, std::string_view where, const Values&... values) {
    std::vector<FeedRun> runs;
    Rows rows(database, kSelectFeedRuns + std::string(where), values...);
    while (rows.next()) {
        runs.push_back(read_feed_run(rows));
    }
    return runs;
}

std::optional<FeedRun> first_of(std::vector<FeedRun> runs) {
    return runs.empty() ? std::nullopt : std::optional(std::move(runs.front()));
}

// Its row, deleted or not.
std::optional<std::int64_t> row_of_feed(Database& database, std::string_view feed) {
    Rows rows(database, kFindFeed, feed);
    return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

} // namespace

void save_feed(Database& database, Change& change, std::int64_t document, const FeedFacts& facts) {
    if (facts.secret.empty()) {
        return;
    }
    Rows(database, kSaveFeedSecret, document, facts.secret).run();
    if (database.changed() > 0) {
        static_cast<void>(change.sequence());
    }
}

void remove_feed(Database& database, std::int64_t document) { Rows(database, kRemoveFeedSecret, document).run(); }

std::string find_feed_secret(Database& database, std::string_view feed) {
    Rows rows(database, kFeedSecret, feed);
    return rows.next() ? std::string(rows.text(0)) : "";
}

std::optional<FeedBegun> insert_feed_run(Database& database, std::string_view author, const FeedRequest& request,
                                         std::int64_t now) {
    const std::optional<std::int64_t> feed = find_living(database, {Kind::feed, request.feed}, kNow);
    if (!feed) {
        return std::nullopt;
    }
    {
        Rows rows(database, kOpenRunOfFeed, *feed);
        if (rows.next()) {
            return FeedBegun{rows.integer(0), false};
        }
    }
    if (request.tick != 0 && !do_tick(database, {Kind::feed, request.feed}, request.tick, now)) {
        return FeedBegun{};
    }
    Rows(database, kInsertFeedRun, *feed, author, request.dry_run ? 1 : 0, request.accepts ? 1 : 0, now).run();
    const FeedBegun begun{database.last_row(), true};
    Rows(database, kForgetFeedRuns, *feed, kMaxFeedRuns).run();
    return begun;
}

bool has_open_feed_run(Database& database) { return Rows(database, kHasOpenFeedRun).next(); }

std::optional<FeedRun> start_feed_run(Database& database, std::int64_t only) {
    std::optional<FeedRun> run = first_of(read_feed_runs(database, kIsOpen, only));
    if (run) {
        Rows(database, kBeginFeedRun, run->id).run();
        ++run->starts;
    }
    return run;
}

void end_feed_run(Database& database, const Author& author, const FeedEnd& end, std::int64_t now) {
    const FeedFile& file = end.file;
    Rows(database, kEndFeedRun, name_of(end.state), now, file.origin, file.bytes, file.hash, file.etag, file.modified_at,
         file.header, file.rows, file.until, end.summary, end.problem, end.run)
        .run();
    if (database.changed() == 0) {
        return;
    }
    for (const NewEvent& event : end.events) {
        record_event(database, event, now);
    }
    if (end.recalculation) {
        static_cast<void>(insert_run(database, author, *end.recalculation, now));
    }
}

std::optional<std::vector<FeedRun>> find_feed_runs(Database& database, std::string_view feed, std::int64_t before,
                                                   std::size_t limit) {
    const std::optional<std::int64_t> row = row_of_feed(database, feed);
    if (!row) {
        return std::nullopt;
    }
    return read_feed_runs(database, "r.feed = ?1 AND (?2 = 0 OR r.run < ?2) ORDER BY r.run DESC LIMIT ?3", *row, before, limit);
}

std::optional<FeedRun> find_good_feed_run(Database& database, std::string_view feed) {
    const std::optional<std::int64_t> row = row_of_feed(database, feed);
    return row ? first_of(read_feed_runs(database, kIsGood, *row)) : std::nullopt;
}

std::optional<FeedRun> find_landed_feed_run(Database& database, std::string_view feed, std::string_view origin,
                                            std::string_view hash) {
    const std::optional<std::int64_t> row = row_of_feed(database, feed);
    return row ? first_of(read_feed_runs(database, kHasLanded, *row, origin, hash)) : std::nullopt;
}

} // namespace costcurve::storage::sqlite
