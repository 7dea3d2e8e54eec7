// Runs of feeds in the store; of one feed, one run at a time.
#include "server/storage/sql/feeds.hpp"

#include <initializer_list>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/storage/error.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/run.hpp"
#include "server/storage/sql/engine.hpp"
#include "server/storage/sql/outbox.hpp"
#include "server/storage/sql/runs.hpp"
#include "server/storage/sql/seals.hpp"
#include "server/storage/sql/store.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::sql {

namespace {

constexpr const char* kSaveFeedSecret = R"(
    INSERT INTO feed_secret AS s (feed, secret) VALUES ($1, $2)
    ON CONFLICT (feed) DO UPDATE SET secret = excluded.secret WHERE s.secret <> excluded.secret)";
constexpr const char* kFeedSecret = R"(
    SELECT s.secret FROM named_document d JOIN feed_secret s ON s.feed = d.document WHERE d.kind = 'feed' AND d.id = $1)";
constexpr const char* kLivingFeed = R"(
    SELECT document FROM revision WHERE kind = 'feed' AND id = $1 AND until = 9223372036854775807 AND deleted = 0)";
constexpr const char* kInsertFeedRun =
    "INSERT INTO feed_run (feed, author, dry_run, even_if_odd, started_at) VALUES ($1, $2, $3, $4, $5) RETURNING run{}";
constexpr const char* kInsertImportRun =
    "INSERT INTO feed_run (author, dry_run, even_if_odd, started_at, format, files) VALUES ($1, 0, 0, $2, $3, $4) RETURNING run{}";
constexpr const char* kForgetFeedRuns = R"(
    DELETE FROM feed_run WHERE feed = $1 AND state <> 'running' AND run <= (
        SELECT run FROM feed_run WHERE feed = $1 ORDER BY run DESC LIMIT 1 OFFSET $2))";
constexpr const char* kForgetImportRuns = R"(
    DELETE FROM feed_run WHERE feed IS NULL AND run <= (
        SELECT run FROM feed_run WHERE feed IS NULL ORDER BY run DESC LIMIT 1 OFFSET $1))";
constexpr const char* kEndFeedRun = R"(
    UPDATE feed_run SET state = $1, ended_at = coalesce(ended_at, $2), origin = $3, bytes = $4, hash = $5, etag = $6,
        modified_at = $7, header = $8, rows = $9, until = $10, summary = $11, problem = $12, held = $13, held_documents = $14,
        changes = changes || $15, restated = coalesce($16, restated){}
    WHERE run = $17 AND state = $18 AND held = $19)";
// Marks documents held by older runs of the feed as out of date.
constexpr const char* kSupersedeHeld = R"(
    UPDATE feed_run SET problem = CASE state WHEN 'held' THEN $1 ELSE problem END,
        state = CASE state WHEN 'held' THEN 'failed' ELSE state END, held = 0, held_documents = NULL
    WHERE held > 0 AND run < $2 AND feed = (SELECT feed FROM feed_run WHERE run = $2))";
const std::string kSelectFeedRuns =
    fmt::format("SELECT {} FROM feed_run AS r LEFT JOIN document AS d ON d.document = r.feed WHERE ", kFeedRunColumns);
constexpr const char* kIsGood = "r.feed = $1 AND r.dry_run = 0 AND r.state IN ('landed', 'unchanged') ORDER BY r.run DESC LIMIT 1";
constexpr const char* kOfFile = R"(
    r.feed = $1 AND r.dry_run = 0 AND r.origin = $2 AND r.hash = $3
    AND (r.state IN ('landed', 'held', 'undone') OR r.problem LIKE 'rejected by %') ORDER BY r.run DESC LIMIT 1)";
template <Parameter... Values>
[[nodiscard]] std::vector<FeedRun> read_feed_runs(Connection& connection, std::string_view where, const Values&... values) {
    return read_all(Rows(connection, kSelectFeedRuns + std::string(where), values...), read_feed_run);
}

std::string may_start(Connection& connection) {
    return fmt::format("state = 'running' AND {}", connection.engine().dialect().is_free);
}

std::string find_feed_secret(Connection& connection, std::string_view feed) {
    Rows rows(connection, kFeedSecret, feed);
    return rows.next() ? std::string(rows->text(0)) : "";
}

// Queues a run of a stored feed. Returns the new run, or the one in progress, or none if the tick is done. Deletes runs beyond the
// limit.
std::optional<FeedBegun> insert_feed_run(Connection& connection, std::string_view author, const FeedRequest& request,
                                         std::int64_t now) {
    const std::int64_t feed = connection.number(kLivingFeed, request.feed);
    if (feed == 0) {
        return std::nullopt;
    }
    const std::int64_t open = connection.number("SELECT run FROM feed_run WHERE feed = $1 AND state = 'running'", feed);
    if (open != 0) {
        return FeedBegun{open, false};
    }
    if (request.tick != 0 && !do_tick(connection, {Kind::feed, request.feed}, request.tick, now)) {
        return FeedBegun{};
    }
    const std::int64_t run = connection.number(fmt::format(kInsertFeedRun, connection.engine().dialect().notice), feed, author,
                                               request.dry_run ? 1 : 0, request.even_if_odd ? 1 : 0, now);
    connection.post(kForgetFeedRuns, feed, kMaxFeedRuns);
    return FeedBegun{run, true};
}

// Whether there is an open run that the holder may start.
bool has_open_feed_run(Connection& connection, std::string_view holder) {
    return connection.has_row("SELECT 1 FROM feed_run WHERE " + may_start(connection) + " LIMIT 1", holder);
}

// Starts and leases the oldest open run that no other holder has leased and that is not among `under_way`, or run `only` if it is
// open; counts the start. Concurrent callers get different runs.
std::optional<FeedRun> start_feed_run(Connection& connection, std::string_view holder, std::int64_t only,
                                      std::span<const std::int64_t> under_way) {
    const std::string others = under_way.empty() ? "" : fmt::format(" AND r.run NOT IN ({})", fmt::join(under_way, ", "));
    std::optional<FeedRun> run =
        first_of(read_feed_runs(connection,
                                may_start(connection) + " AND ($2 = 0 OR r.run = $2)" + others + " ORDER BY r.run LIMIT 1" +
                                    locking(connection.engine().dialect().skip_locked, "r"),
                                holder, only));
    if (run) {
        connection.post("UPDATE feed_run SET starts = starts + 1 WHERE run = $1", run->id);
        connection.engine().lease_row(connection, "feed_run", "run", run->id, holder);
        ++run->starts;
    }
    return run;
}

// The run that `end` belongs to; for an import, a new run. Deletes runs beyond the limit.
std::int64_t run_of_end(Connection& connection, const Author& author, const FeedEnd& end, std::int64_t now) {
    if (end.run != 0) {
        return end.run;
    }
    const std::int64_t run = connection.number(fmt::format(kInsertImportRun, connection.engine().dialect().notice), author.name,
                                               now, end.import.format, end.import.names);
    connection.post(kForgetImportRuns, kMaxFeedRuns);
    if (end.on_recorded) {
        end.on_recorded(run);
    }
    return run;
}

// Numbers of changes as "12 13 ", without 0.
std::string numbers_of(std::initializer_list<std::int64_t> changes) {
    std::string text;
    for (const std::int64_t change : changes) {
        text += change == 0 ? "" : fmt::format("{} ", change);
    }
    return text;
}

// Runs of a feed, newest first, below `before` (0: from the newest). Nothing if the feed never existed.
std::optional<std::vector<FeedRun>> find_feed_runs(Connection& connection, std::string_view feed, std::int64_t before,
                                                   std::size_t limit) {
    const std::optional<std::int64_t> row = row_of(connection, Kind::feed, feed);
    if (!row) {
        return std::nullopt;
    }
    return read_feed_runs(connection, "r.feed = $1 AND ($2 = 0 OR r.run < $2) ORDER BY r.run DESC LIMIT $3", *row, before, limit);
}

// Runs of imports, newest first, below `before` (0: from the newest).
std::vector<FeedRun> find_import_runs(Connection& connection, std::int64_t before, std::size_t limit) {
    return read_feed_runs(connection, "r.feed IS NULL AND ($1 = 0 OR r.run < $1) ORDER BY r.run DESC LIMIT $2", before, limit);
}

std::vector<FeedRun> find_undone_runs(Connection& connection) {
    return read_feed_runs(connection, "r.state = 'undone' ORDER BY r.run");
}

std::optional<FeedRun> find_feed_run(Connection& connection, std::int64_t run) {
    return first_of(read_feed_runs(connection, "r.run = $1", run));
}

std::optional<FeedRun> find_feed_run_of_file(Connection& connection, std::string_view feed, std::string_view origin,
                                             std::string_view hash) {
    const std::optional<std::int64_t> row = row_of(connection, Kind::feed, feed);
    return row ? first_of(read_feed_runs(connection, kOfFile, *row, origin, hash)) : std::nullopt;
}

std::string find_held_documents(Connection& connection, std::int64_t run) {
    Rows rows(connection, "SELECT held_documents FROM feed_run WHERE run = $1", run);
    return rows.next() && !rows->is_null(0) ? unpack(rows->bytes(0)) : "";
}

std::string find_restated(Connection& connection, std::int64_t run) {
    Rows rows(connection, "SELECT restated FROM feed_run WHERE run = $1 AND restated IS NOT NULL", run);
    return rows.next() ? unpack(rows->bytes(0)) : "";
}

// Runs after `after` that restated data and aren't undone, ascending.
std::vector<std::int64_t> find_restating_runs(Connection& connection, std::int64_t after) {
    return read_all(Rows(connection, R"(
            SELECT run FROM feed_run WHERE run > $1 AND restated IS NOT NULL AND state IN ('landed', 'unchanged') ORDER BY run)",
                         after),
                    [](const Row& row) { return row.integer(0); });
}

std::optional<FeedRun> find_good_feed_run(Connection& connection, std::string_view feed) {
    const std::optional<std::int64_t> row = row_of(connection, Kind::feed, feed);
    return row ? first_of(read_feed_runs(connection, kIsGood, *row)) : std::nullopt;
}

} // namespace

void save_feed(Connection& connection, Change& change, std::int64_t document, const FeedFacts& facts) {
    if (!facts.secret.empty() && connection.run(kSaveFeedSecret, document, facts.secret) > 0) {
        add_seals(connection, change, feed_states(connection, document));
    }
}

void remove_feed(Connection& connection, std::int64_t document) {
    connection.post("DELETE FROM feed_secret WHERE feed = $1", document);
}

void end_feed_run(Connection& connection, const Author& author, const FeedEnd& end, std::int64_t now, std::int64_t change) {
    const std::int64_t number = run_of_end(connection, author, end, now);
    const FeedFile& file = end.file;
    const std::string packed = end.held > 0 ? pack(end.held_documents) : "";
    const std::string packed_restated = end.restated.empty() ? "" : pack(end.restated);
    const auto restated = end.restated.empty() ? std::nullopt : std::optional(Bytes{packed_restated});
    const auto held_documents = end.held > 0 ? std::optional(Bytes{packed}) : std::nullopt;
    if (connection.run(fmt::format(kEndFeedRun, connection.engine().dialect().end_lease), name_of(end.state), now, file.origin,
                       file.bytes, file.hash, file.etag, file.modified_at, file.header, file.rows, file.until, end.summary,
                       end.problem, static_cast<std::int64_t>(end.held), held_documents, numbers_of({end.bill_change, change}),
                       restated, number, name_of(end.from), end.from_held) == 0) {
        if (end.from != FeedState::running) {
            throw RunConflict(fmt::format("run {} was accepted, rejected, undone or superseded meanwhile", number));
        }
        return;
    }
    if (end.others_undone &&
        connection.number("SELECT count(*) FROM feed_run WHERE state = 'undone' AND run <> $1", number) != *end.others_undone) {
        throw RunConflict("another run was undone meanwhile: try again");
    }
    if (end.from == FeedState::running && (end.state == FeedState::landed || end.state == FeedState::held)) {
        connection.post(kSupersedeHeld, fmt::format("superseded by run {}, whose file is newer", number), number);
    }
    for (const NewEvent& event : end.events) {
        record_event(connection, event, now);
    }
    if (end.recalculation) {
        const auto run = insert_run(connection, author, *end.recalculation, now);
        if (end.state == FeedState::undone && std::holds_alternative<std::int64_t>(run)) {
            connection.post("UPDATE feed_run SET recalculation = $1 WHERE run = $2", std::get<std::int64_t>(run), number);
        }
    }
}

std::optional<FeedBegun> SqlStore::begin_feed(const Author& author, const FeedRequest& request) {
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        connection.engine().lock_changes(connection);
        const std::int64_t time = now();
        const std::optional<FeedBegun> begun = insert_feed_run(connection, author.name, request, time);
        const bool is_new = begun && begun->is_new;
        if (is_new) {
            mark = sql::record_action(connection, author, "run_feed", fmt::format("feed/{}", request.feed), time);
        }
        return Outcome<std::optional<FeedBegun>>{begun, is_new};
    });
}

std::optional<FeedRun> SqlStore::start_feed(std::int64_t only, std::span<const std::int64_t> under_way) {
    if (!read(Reading::once, [&](Connection& connection) { return has_open_feed_run(connection, holder()); })) {
        return std::nullopt;
    }
    return take([&](Connection& connection) { return start_feed_run(connection, holder(), only, under_way); });
}

void SqlStore::end_feed(const Author& author, const FeedEnd& end) {
    const bool is_rejected = end.from != FeedState::running;
    write_marked([&](Connection& connection, ChangeMark& mark) {
        const bool is_new = end.run == 0;
        if (end.recalculation || is_rejected || is_new) {
            connection.engine().lock_changes(connection);
        }
        const std::int64_t time = now();
        if (is_rejected) {
            const FeedRun run = find_feed_run(connection, end.run).value_or(FeedRun());
            mark = sql::record_action(connection, author, run.feed.empty() ? "reject_import" : "reject_feed", name_of(run), time);
        } else if (is_new) {
            mark = sql::record_action(connection, author, "import",
                                      fmt::format("{}: {} documents are held", end.import.format, end.held), time);
        }
        end_feed_run(connection, author, end, time);
        return Outcome<bool>{true};
    });
}

std::optional<std::vector<FeedRun>> SqlStore::feed_runs(std::string_view feed, std::int64_t before, std::size_t limit) const {
    return read(Reading::many, [&](Connection& connection) { return find_feed_runs(connection, feed, before, limit); });
}

std::vector<FeedRun> SqlStore::import_runs(std::int64_t before, std::size_t limit) const {
    return read(Reading::many, [&](Connection& connection) { return find_import_runs(connection, before, limit); });
}

std::optional<FeedRun> SqlStore::feed_run(std::int64_t run) const {
    return read(Reading::many, [&](Connection& connection) { return find_feed_run(connection, run); });
}

std::vector<FeedRun> SqlStore::undone_runs() const {
    return read(Reading::many, [&](Connection& connection) { return find_undone_runs(connection); });
}

std::optional<FeedRun> SqlStore::feed_run_of_file(std::string_view feed, std::string_view origin, std::string_view hash) const {
    return read(Reading::many, [&](Connection& connection) { return find_feed_run_of_file(connection, feed, origin, hash); });
}

std::string SqlStore::held_documents(std::int64_t run) const {
    return read(Reading::many, [&](Connection& connection) { return find_held_documents(connection, run); });
}

std::string SqlStore::restated(std::int64_t run) const {
    return read(Reading::many, [&](Connection& connection) { return find_restated(connection, run); });
}

std::vector<std::int64_t> SqlStore::restating_runs(std::int64_t after) const {
    return read(Reading::many, [&](Connection& connection) { return find_restating_runs(connection, after); });
}

std::optional<FeedRun> SqlStore::last_good_feed_run(std::string_view feed) const {
    return read(Reading::many, [&](Connection& connection) { return find_good_feed_run(connection, feed); });
}

std::string SqlStore::feed_secret(std::string_view feed) const {
    return read(Reading::once, [&](Connection& connection) { return find_feed_secret(connection, feed); });
}

} // namespace costcurve::storage::sql
