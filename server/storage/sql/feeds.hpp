// Reads and writes the tables feed_run, in which imports have their runs too, and feed_secret.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/storage/error.hpp"
#include "server/storage/feed.hpp"
#include "server/storage/record.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/run.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/dialect.hpp"
#include "server/storage/sql/outbox.hpp"
#include "server/storage/sql/runs.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::sql {

inline constexpr const char* kSaveFeedSecret = R"(
    INSERT INTO feed_secret AS s (feed, secret) VALUES ($1, $2)
    ON CONFLICT (feed) DO UPDATE SET secret = excluded.secret WHERE s.secret <> excluded.secret)";
inline constexpr const char* kFeedSecret = R"(
    SELECT s.secret FROM named_document d JOIN feed_secret s ON s.feed = d.document WHERE d.kind = 'feed' AND d.id = $1)";
inline constexpr const char* kLivingFeed = R"(
    SELECT document FROM revision WHERE kind = 'feed' AND id = $1 AND until = 9223372036854775807 AND deleted = 0)";
inline constexpr const char* kInsertFeedRun =
    "INSERT INTO feed_run (feed, author, dry_run, even_if_odd, started_at) VALUES ($1, $2, $3, $4, $5) RETURNING run{}";
inline constexpr const char* kInsertImportRun =
    "INSERT INTO feed_run (author, dry_run, even_if_odd, started_at, format, files) VALUES ($1, 0, 0, $2, $3, $4) RETURNING run{}";
inline constexpr const char* kForgetFeedRuns = R"(
    DELETE FROM feed_run WHERE feed = $1 AND state <> 'running' AND run <= (
        SELECT run FROM feed_run WHERE feed = $1 ORDER BY run DESC LIMIT 1 OFFSET $2))";
inline constexpr const char* kForgetImportRuns = R"(
    DELETE FROM feed_run WHERE feed IS NULL AND run <= (
        SELECT run FROM feed_run WHERE feed IS NULL ORDER BY run DESC LIMIT 1 OFFSET $1))";
inline constexpr const char* kEndFeedRun = R"(
    UPDATE feed_run SET state = $1, ended_at = coalesce(ended_at, $2), origin = $3, bytes = $4, hash = $5, etag = $6,
        modified_at = $7, header = $8, rows = $9, until = $10, summary = $11, problem = $12, held = $13, held_documents = $14,
        changes = changes || $15, restated = coalesce($16, restated){}
    WHERE run = $17 AND state = $18 AND held = $19)";
// What older runs of the feed hold is out of date.
inline constexpr const char* kSupersedeHeld = R"(
    UPDATE feed_run SET problem = CASE state WHEN 'held' THEN $1 ELSE problem END,
        state = CASE state WHEN 'held' THEN 'failed' ELSE state END, held = 0, held_documents = NULL
    WHERE held > 0 AND run < $2 AND feed = (SELECT feed FROM feed_run WHERE run = $2))";
inline const std::string kSelectFeedRuns =
    fmt::format("SELECT {} FROM feed_run AS r LEFT JOIN document AS d ON d.document = r.feed WHERE ", kFeedRunColumns);
inline constexpr const char* kIsGood =
    "r.feed = $1 AND r.dry_run = 0 AND r.state IN ('landed', 'unchanged') ORDER BY r.run DESC LIMIT 1";
inline constexpr const char* kOfFile = R"(
    r.feed = $1 AND r.dry_run = 0 AND r.origin = $2 AND r.hash = $3
    AND (r.state IN ('landed', 'held', 'undone') OR r.problem LIKE 'rejected by %') ORDER BY r.run DESC LIMIT 1)";

template <class Connection, class... Values>
[[nodiscard]] std::vector<FeedRun> read_feed_runs(Connection& connection, std::string_view where, const Values&... values) {
    return read_all(RowsOf<Connection>(connection, kSelectFeedRuns + std::string(where), values...),
                    read_feed_run<RowsOf<Connection>>);
}

template <class Connection> [[nodiscard]] std::string may_start() {
    return fmt::format("state = 'running' AND {}", Dialect<Connection>::kIsFree);
}

/// Keeps the secret where one is given. A change counts as one of the document.
template <class Connection>
void save_feed(Connection& connection, Change<Connection>& change, std::int64_t document, const FeedFacts& facts) {
    if (!facts.secret.empty() && RowsOf<Connection>(connection, kSaveFeedSecret, document, facts.secret).affected() > 0) {
        add_seals(connection, change, feed_states(connection, document));
    }
}

/// Forgets its secret.
template <class Connection> void remove_feed(Connection& connection, std::int64_t document) {
    connection.post("DELETE FROM feed_secret WHERE feed = $1", document);
}

template <class Connection> [[nodiscard]] std::string find_feed_secret(Connection& connection, std::string_view feed) {
    RowsOf<Connection> rows(connection, kFeedSecret, feed);
    return rows.next() ? std::string(rows.text(0)) : "";
}

/// Of a feed that is stored: a new run, or the one that goes on, or none where its tick is done. Forgets those beyond what is kept.
template <class Connection>
[[nodiscard]] std::optional<FeedBegun> insert_feed_run(Connection& connection, std::string_view author, const FeedRequest& request,
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
    const std::int64_t run = connection.number(fmt::format(kInsertFeedRun, Dialect<Connection>::kNotice), feed, author,
                                               request.dry_run ? 1 : 0, request.even_if_odd ? 1 : 0, now);
    connection.post(kForgetFeedRuns, feed, kMaxFeedRuns);
    return FeedBegun{run, true};
}

/// Whether one goes on that a holder may start.
template <class Connection> [[nodiscard]] bool has_open_feed_run(Connection& connection, std::string_view holder) {
    return RowsOf<Connection>(connection, "SELECT 1 FROM feed_run WHERE " + may_start<Connection>() + " LIMIT 1", holder).next();
}

/// The oldest that goes on, that nobody else has a lease of and that is not among `under_way`, or `only` where it does, one time
/// more begun with a lease. Two that start one at once get different ones.
template <class Connection>
[[nodiscard]] std::optional<FeedRun> start_feed_run(Connection& connection, std::string_view holder, std::int64_t only,
                                                    std::span<const std::int64_t> under_way) {
    const std::string others = under_way.empty() ? "" : fmt::format(" AND r.run NOT IN ({})", fmt::join(under_way, ", "));
    std::optional<FeedRun> run = first_of(read_feed_runs(connection,
                                                         may_start<Connection>() + " AND ($2 = 0 OR r.run = $2)" + others +
                                                             " ORDER BY r.run LIMIT 1" + Dialect<Connection>::skip_locked("r"),
                                                         holder, only));
    if (run) {
        connection.post("UPDATE feed_run SET starts = starts + 1 WHERE run = $1", run->id);
        lease_row(connection, "feed_run", "run", run->id, holder);
        ++run->starts;
    }
    return run;
}

/// The end's run; of an import a new one. Forgets those beyond what is kept.
template <class Connection>
[[nodiscard]] std::int64_t run_of_end(Connection& connection, const Author& author, const FeedEnd& end, std::int64_t now) {
    if (end.run != 0) {
        return end.run;
    }
    const std::int64_t run = connection.number(fmt::format(kInsertImportRun, Dialect<Connection>::kNotice), author.name, now,
                                               end.import.format, end.import.names);
    connection.post(kForgetImportRuns, kMaxFeedRuns);
    if (end.on_recorded) {
        end.on_recorded(run);
    }
    return run;
}

/// "12 13 " of changes; those that are 0 are none.
[[nodiscard]] inline std::string numbers_of(std::initializer_list<std::int64_t> changes) {
    std::string text;
    for (const std::int64_t change : changes) {
        text += change == 0 ? "" : fmt::format("{} ", change);
    }
    return text;
}

/// Ends it, records its events, and queues the recalculation. Nothing where it has ended already; throws RunConflict where it was
/// to go on from another state than it is in, or held something else, or other runs are undone than
/// it knew of. `change` stored its documents, 0 for none.
template <class Connection>
void end_feed_run(Connection& connection, const Author& author, const FeedEnd& end, std::int64_t now, std::int64_t change = 0) {
    const std::int64_t number = run_of_end(connection, author, end, now);
    const FeedFile& file = end.file;
    const std::string packed = end.held > 0 ? pack(end.held_documents) : "";
    const std::string packed_restated = end.restated.empty() ? "" : pack(end.restated);
    const auto restated = end.restated.empty() ? std::nullopt : std::optional(Bytes{packed_restated});
    const auto held_documents = end.held > 0 ? std::optional(Bytes{packed}) : std::nullopt;
    if (RowsOf<Connection>(connection, fmt::format(kEndFeedRun, Dialect<Connection>::kEndLease), name_of(end.state), now,
                           file.origin, file.bytes, file.hash, file.etag, file.modified_at, file.header, file.rows, file.until,
                           end.summary, end.problem, static_cast<std::int64_t>(end.held), held_documents,
                           numbers_of({end.bill_change, change}), restated, number, name_of(end.from), end.from_held)
            .affected() == 0) {
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

/// Newest first, below `before` (0: from the newest). Nothing where there never was such a feed.
template <class Connection>
[[nodiscard]] std::optional<std::vector<FeedRun>> find_feed_runs(Connection& connection, std::string_view feed, std::int64_t before,
                                                                 std::size_t limit) {
    const std::optional<std::int64_t> row = row_of(connection, Kind::feed, feed);
    if (!row) {
        return std::nullopt;
    }
    return read_feed_runs(connection, "r.feed = $1 AND ($2 = 0 OR r.run < $2) ORDER BY r.run DESC LIMIT $3", *row, before, limit);
}

/// Of imports, newest first, below `before` (0: from the newest).
template <class Connection>
[[nodiscard]] std::vector<FeedRun> find_import_runs(Connection& connection, std::int64_t before, std::size_t limit) {
    return read_feed_runs(connection, "r.feed IS NULL AND ($1 = 0 OR r.run < $1) ORDER BY r.run DESC LIMIT $2", before, limit);
}

template <class Connection> [[nodiscard]] std::vector<FeedRun> find_undone_runs(Connection& connection) {
    return read_feed_runs(connection, "r.state = 'undone' ORDER BY r.run");
}

template <class Connection> [[nodiscard]] std::optional<FeedRun> find_feed_run(Connection& connection, std::int64_t run) {
    return first_of(read_feed_runs(connection, "r.run = $1", run));
}

template <class Connection>
[[nodiscard]] std::optional<FeedRun> find_feed_run_of_file(Connection& connection, std::string_view feed, std::string_view origin,
                                                           std::string_view hash) {
    const std::optional<std::int64_t> row = row_of(connection, Kind::feed, feed);
    return row ? first_of(read_feed_runs(connection, kOfFile, *row, origin, hash)) : std::nullopt;
}

template <class Connection> [[nodiscard]] std::string find_held_documents(Connection& connection, std::int64_t run) {
    RowsOf<Connection> rows(connection, "SELECT held_documents FROM feed_run WHERE run = $1", run);
    return rows.next() && !rows.is_null(0) ? unpack(rows.bytes(0)) : "";
}

template <class Connection> [[nodiscard]] std::string find_restated(Connection& connection, std::int64_t run) {
    RowsOf<Connection> rows(connection, "SELECT restated FROM feed_run WHERE run = $1 AND restated IS NOT NULL", run);
    return rows.next() ? unpack(rows.bytes(0)) : "";
}

/// Those that stand and restated something after a run, ascending.
template <class Connection>
[[nodiscard]] std::vector<std::int64_t> find_restating_runs(Connection& connection, std::int64_t after) {
    return read_all(RowsOf<Connection>(connection, R"(
            SELECT run FROM feed_run WHERE run > $1 AND restated IS NOT NULL AND state IN ('landed', 'unchanged') ORDER BY run)",
                                       after),
                    [](const auto& rows) { return rows.integer(0); });
}

template <class Connection> [[nodiscard]] std::optional<FeedRun> find_good_feed_run(Connection& connection, std::string_view feed) {
    const std::optional<std::int64_t> row = row_of(connection, Kind::feed, feed);
    return row ? first_of(read_feed_runs(connection, kIsGood, *row)) : std::nullopt;
}

} // namespace costcurve::storage::sql
