// The store's calls: each takes a connection, begins, does what other files of this room do, and commits.
#include "server/storage/postgres/store.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "server/storage/postgres/access.hpp"
#include "server/storage/postgres/content.hpp"
#include "server/storage/postgres/daemons/feeds.hpp"
#include "server/storage/postgres/daemons/lease.hpp"
#include "server/storage/postgres/open.hpp"
#include "server/storage/postgres/save.hpp"
#include "server/storage/postgres/snapshot.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/writes/next_revision.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::size_t kWriters = 4;      // one at a time numbers changes; others add samples or end jobs meanwhile
constexpr std::size_t kPointReaders = 2; // for what takes microseconds
constexpr std::size_t kWorkers = 4;      // a daemon uses one

constexpr const char* kLastSequence =
    "SELECT coalesce((SELECT sequence FROM change WHERE content IS NOT NULL ORDER BY sequence DESC LIMIT 1), 0)";
constexpr const char* kLastOfAll = "SELECT coalesce(max(sequence), 0) FROM change";
constexpr const char* kCountRevisions = "SELECT count(*) FROM revision";
constexpr const char* kCountPoints = "SELECT count(*) FROM point";
constexpr const char* kCountDocuments =
    "SELECT kind, count(*) FROM revision WHERE until = 9223372036854775807 AND deleted = 0 GROUP BY kind";
constexpr const char* kBytes = R"(
    SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
    WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()))";
constexpr const char* kLink = "SELECT link FROM change WHERE sequence = $1";
constexpr const char* kMayWrite = R"(
    SELECT current_setting('transaction_read_only') = 'off', has_table_privilege('change', 'INSERT'))";

std::string subject_of(const DocumentKey& key) { return fmt::format("{}/{}", name_of(key.kind), key.id); }

ConnectionSettings checked_settings(const StoreSettings& settings, std::int64_t now) {
    ConnectionSettings connecting = connection_settings(settings);
    connecting.lock_key = open_checked(settings, now);
    return connecting;
}

} // namespace

PostgresStore::PostgresStore(StoreSettings settings)
    : settings_(std::move(settings)), busy_timeout_{settings_.busy_timeout_ms, &waits_},
      connection_settings_(checked_settings(settings_, PostgresStore::now())),
      writers_(settings_.path, connection_settings_, kWriters, busy_timeout_, "writer"),
      readers_(settings_.path, connection_settings_, std::max<std::size_t>(settings_.readers, 1), busy_timeout_, "reader"),
      workers_(settings_.path, connection_settings_, kWorkers, busy_timeout_, "connection for recalculations"),
      point_read_pool_(settings_.path, connection_settings_, kPointReaders, busy_timeout_, "connection for short reads"),
      watch_(settings_.path, connection_settings_, holder_),
      saves_(busy_timeout_, [this](std::span<const WaitingSave> saves) { return save_together(saves); }) {}

PostgresStore::~PostgresStore() {
    if (!has_leased_) {
        return;
    }
    try {
        with_connection(writers_, [&](Connection& connection) { return_leases(connection, holder_); });
    } catch (...) { // NOLINT(bugprone-empty-catch): they end by themselves
    }
}

std::int64_t PostgresStore::now() const { return settings_.clock ? settings_.clock() : system_microseconds(); }

// No two writers take the same number or make the same document under the lock: where an index says so, somebody writes without it.
bool PostgresStore::may_be_retried(const SqlError& error) {
    return error.may_be_retried() || error.is_lost() || error.constraint() == "current_by_id" ||
           error.constraint() == "change_pkey";
}

// The connection's other end may still commit: it holds the lock until it has, or until it is gone.
bool PostgresStore::is_committed(const ChangeMark& mark) {
    if (mark.sequence == 0) {
        return false;
    }
    return read_once([&](Connection& connection) {
        wait_for_changes(connection);
        Rows rows(connection, kLink, mark.sequence);
        return rows.next() && rows.bytes(0) == text_of(mark.link);
    });
}

void PostgresStore::wait_for_writes() const {
    try {
        read_once([](Connection& connection) { wait_for_changes(connection); });
    } catch (const StoreError& error) {
        if (error.cause() == StoreError::Cause::busy) {
            throw;
        }
    }
}

std::unique_ptr<Snapshot> PostgresStore::snapshot(std::optional<std::string> as_of) const {
    const std::optional<Moment> moment = as_of ? std::optional(moment_of(*as_of)) : std::nullopt;
    // A write that is under way has its time already: what it writes belongs to this moment, or else to a later one.
    if (moment && !moment->is_sequence &&
        parse_time(PostgresSnapshot(readers_, std::nullopt).as_of()).value_or(0) < moment->value) {
        wait_for_writes();
    }
    return std::make_unique<PostgresSnapshot>(readers_, moment);
}

SaveOutcome PostgresStore::save(const Author& author, const Record& record, const Condition& condition) {
    check_records(std::span(&record, 1));
    return saves_.save({author, record, condition});
}

std::vector<std::optional<SaveOutcome>> PostgresStore::save_together(std::span<const WaitingSave> saves) {
    std::vector<const Record*> records;
    for (const WaitingSave& save : saves) {
        records.push_back(&save.record);
    }
    const SaveOptions options;
    return write_marked([&](Connection& connection, ChangeMark& mark) -> Outcome<std::vector<std::optional<SaveOutcome>>> {
        lock_changes(connection);
        LastChange last;
        std::vector<Change> changes;
        for (const WaitingSave& save : saves) {
            changes.emplace_back(connection, last, save.author, "save", subject_of(save.record.key), now());
        }
        RecordSave saving(records, options);
        saving.prepare(connection, kNow);
        auto outcomes = saving.write_each(connection, saves, changes);
        std::map<std::int64_t, Change*> recorded; // a secret alone is numbered behind all revisions
        for (Change& change : changes) {
            if (change.is_recorded()) {
                recorded.emplace(change.sequence(), &change);
            }
        }
        for (const auto& [sequence, change] : recorded) {
            mark = change->finish();
        }
        const bool is_kept =
            std::ranges::any_of(outcomes, [](const auto& outcome) { return outcome && std::holds_alternative<Saved>(*outcome); });
        return {std::move(outcomes), is_kept};
    });
}

std::variant<std::vector<Saved>, MissingReferences> PostgresStore::save_all(const Author& author, std::span<const Record> records,
                                                                            const SaveOptions& options) {
    check_records(records);
    std::vector<const Record*> pointers;
    for (const Record& record : records) {
        pointers.push_back(&record);
    }
    RecordSave saving(std::move(pointers), options);
    with_connection(readers_, [&](Connection& connection) {
        if (options.restart) {
            options.restart();
        }
        saving.prepare(connection, connection.number(kLastOfAll));
    });
    const std::string subject = options.subject.empty() ? fmt::format("{} documents", records.size()) : options.subject;
    return write_change(
        author, options.action, subject,
        [&](Connection& connection, Change& change) -> Outcome<std::variant<std::vector<Saved>, MissingReferences>> {
            auto outcome = saving.write(connection, change);
            const bool is_kept = std::holds_alternative<std::vector<Saved>>(outcome) && !options.dry_run;
            if (is_kept && options.end_feed) {
                end_feed_run(connection, author, options.end_feed(std::get<std::vector<Saved>>(outcome)), now());
            }
            return {std::move(outcome), is_kept};
        });
}

RemoveOutcome PostgresStore::remove(const Author& author, const DocumentKey& key, const Condition& condition) {
    return write_change(author, "remove", subject_of(key), [&](Connection& connection, Change& change) -> Outcome<RemoveOutcome> {
        const std::optional<Stored> current = find_stored(connection, std::span(&key, 1), kNow).front();
        if (!current || current->revision.deleted) {
            return {NotFound{}, false};
        }
        if (const auto failed = failing(condition, &current->revision)) {
            return {*failed, false};
        }
        RemoveOutcome outcome = remove_document(connection, change, *current);
        const bool is_kept = std::holds_alternative<Removed>(outcome);
        return {std::move(outcome), is_kept};
    });
}

void PostgresStore::record_action(const Author& author, std::string_view action, std::string_view subject) {
    write_marked([&](Connection& connection, ChangeMark& mark) -> Outcome<bool> {
        lock_changes(connection);
        mark = postgres::record_action(connection, author, action, std::string(subject), now());
        return {true, true};
    });
}

bool PostgresStore::add_key(const Author& author, const ApiKey& key, std::string_view hash, std::optional<std::int64_t> days) {
    return write_change(author, "add_key", key.name, [&](Connection& connection, Change& change) -> Outcome<bool> {
        const bool added = insert_key(connection, change, key, hash, days);
        return {added, added};
    });
}

std::optional<ApiKey> PostgresStore::rotate_key(const Author& author, std::string_view name, std::string_view hash,
                                                const KeyRotation& rotation) {
    return write_change(author, "rotate_key", std::string(name),
                        [&](Connection& connection, Change& change) -> Outcome<std::optional<ApiKey>> {
                            if (!replace_secret(connection, change, name, hash, rotation)) {
                                return {std::nullopt, false};
                            }
                            return {find_keys(connection, name, now()).front(), true};
                        });
}

bool PostgresStore::revoke_key(const Author& author, std::string_view name) {
    return write_change(author, "revoke_key", std::string(name), [&](Connection& connection, Change& change) -> Outcome<bool> {
        const bool ended = end_key(connection, change, name);
        return {ended, ended};
    });
}

std::vector<ApiKey> PostgresStore::keys() const {
    return read_once([&](Connection& connection) { return find_keys(connection, "", now()); });
}

std::optional<ApiKey> PostgresStore::find_key(std::string_view hash) const {
    return read_once([&](Connection& connection) { return key_of(connection, hash, now()); });
}

bool PostgresStore::has_expired(std::string_view hash) const {
    return read_once([&](Connection& connection) { return postgres::has_expired(connection, hash, now()); });
}

void PostgresStore::keep_answer(const Author& author, std::string_view idempotency_key, const StoredAnswer& answer) {
    write([&](Connection& connection) -> Outcome<bool> {
        insert_answer(connection, author.name, idempotency_key, answer, now());
        return {true, true};
    });
}

std::optional<StoredAnswer> PostgresStore::kept_answer(std::string_view author_name, std::string_view idempotency_key) const {
    return read_once([&](Connection& connection) { return answer_of(connection, author_name, idempotency_key, now()); });
}

std::int64_t PostgresStore::sequence() const {
    return read_once([](Connection& connection) { return connection.number(kLastSequence); });
}

StoreCounts PostgresStore::counts() const {
    return read([](Connection& connection) {
        StoreCounts counts;
        counts.documents.resize(kind_names.size());
        Rows rows(connection, kCountDocuments);
        while (rows.next()) {
            counts.documents[static_cast<std::size_t>(kind_of(rows.text(0)))] = rows.integer(1);
        }
        counts.revisions = connection.number(kCountRevisions);
        counts.points = connection.number(kCountPoints);
        counts.bytes = connection.number(kBytes);
        return counts;
    });
}

void PostgresStore::check_writable() {
    const std::optional<Lease> writer = writers_.try_lease();
    if (!writer) {
        return; // it is being written to
    }
    Connection& connection = **writer;
    const auto check = [&] {
        const Transaction transaction(connection, Transaction::Kind::write);
        Rows rows(connection, kMayWrite);
        static_cast<void>(rows.next());
        if (rows.integer(0) == 0) {
            throw StoreError(StoreError::Cause::read_only,
                             fmt::format("{}: transactions are read-only (a standby, or default_transaction_read_only); give the "
                                         "primary's address, or change the setting",
                                         connection.target()));
        }
        if (rows.integer(1) == 0) {
            throw StoreError(
                StoreError::Cause::read_only,
                fmt::format("{}: the role may not write; grant the rights that docs/scaling.md names", connection.target()));
        }
    };
    try {
        check();
    } catch (const SqlError& error) {
        if (!error.is_lost()) {
            throw;
        }
        connection.reconnect();
        check();
    }
}

std::int64_t PostgresStore::busy_count() const { return waits_.load(std::memory_order_relaxed); }

void PostgresStore::backup(const std::string& /*path*/) const {
    throw StoreError(StoreError::Cause::unavailable,
                     "a store in PostgreSQL is backed up by PostgreSQL: pg_dump, or base backups with point-in-time recovery; see "
                     "docs/scaling.md");
}

} // namespace costcurve::storage::postgres
