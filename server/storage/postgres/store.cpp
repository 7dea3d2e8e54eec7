// The store's calls: each borrows a connection, begins a transaction, calls other files of this room, and commits.
#include "server/storage/postgres/store.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "server/storage/postgres/content.hpp"
#include "server/storage/postgres/open.hpp"
#include "server/storage/postgres/save.hpp"
#include "server/storage/postgres/snapshot.hpp"
#include "server/storage/sql/bill.hpp"
#include "server/storage/sql/feeds.hpp"
#include "server/storage/sql/removal.hpp"
#include "server/storage/writes/next_revision.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::size_t kWriters = 4;      // one at a time numbers changes; others add samples or end jobs meanwhile
constexpr std::size_t kPointReaders = 2; // for reads that take microseconds
constexpr std::size_t kWorkers = 4;      // a run holds two: the current batch, and the batch being stored

constexpr const char* kLastOfAll = "SELECT coalesce(max(sequence), 0) FROM change";
constexpr const char* kLink = "SELECT link FROM change WHERE sequence = $1";
constexpr const char* kMayWrite = R"(
    SELECT current_setting('transaction_read_only') = 'off', has_table_privilege('change', 'INSERT'))";

ConnectionSettings checked_settings(const StoreSettings& settings, std::int64_t now) {
    ConnectionSettings connecting = connection_settings(settings);
    connecting.lock_key = open_checked(settings, now);
    return connecting;
}

} // namespace

PostgresStore::PostgresStore(StoreSettings settings)
    : SqlStore(std::move(settings)), connection_settings_(checked_settings(settings_, SqlStore::now())),
      writers_(make_pool(settings_.path, connection_settings_, kWriters, busy_timeout_, "writer")),
      readers_(
          make_pool(settings_.path, connection_settings_, std::max<std::size_t>(settings_.readers, 1), busy_timeout_, "reader")),
      workers_(make_pool(settings_.path, connection_settings_, kWorkers, busy_timeout_, "connection for recalculations")),
      point_read_pool_(make_pool(settings_.path, connection_settings_, kPointReaders, busy_timeout_, "connection for short reads")),
      watch_(settings_.path, connection_settings_, holder_) {}

PostgresStore::~PostgresStore() {
    if (!has_leased_) {
        return;
    }
    try {
        with_connection(writers_, [&](Connection& connection) { return_leases(connection, holder_); });
    } catch (...) { // NOLINT(bugprone-empty-catch): they end by themselves
    }
}

void PostgresStore::read_with(sql::Reading reading, const std::function<void(sql::Connection&)>& call) const {
    if (reading == sql::Reading::once) {
        read_short([&](Connection& connection) { call(connection); });
        return;
    }
    const auto read_whole = [&](Connection& connection) {
        std::optional<Transaction> transaction;
        if (reading != sql::Reading::many) {
            transaction.emplace(connection, Transaction::Kind::read);
        }
        call(connection);
    };
    with_connection(readers_, read_whole, reading == sql::Reading::large ? sql::ReadSize::large : sql::ReadSize::small);
}

// Retries the whole write if another transaction conflicted or the connection was lost.
void PostgresStore::write_with(const std::function<bool(sql::Connection&, sql::ChangeMark&)>& call) {
    for (int attempt = 1;; ++attempt) {
        const Lease lease = writers_.lease();
        sql::ChangeMark mark;
        try {
            Transaction transaction(*lease, Transaction::Kind::write);
            if (call(*lease, mark)) {
                transaction.commit();
            }
            return;
        } catch (const CommitUnknown&) {
            if (is_committed(mark)) {
                return;
            }
            if (attempt >= kMaxAttempts) {
                throw;
            }
        } catch (const SqlError& error) {
            if (attempt >= kMaxAttempts || !may_be_retried(error)) {
                throw;
            }
        }
    }
}

// Writers under the lock never take the same number or create the same document. A violation of these indexes thus comes from a
// writer without the lock, and the write may be retried.
bool PostgresStore::may_be_retried(const SqlError& error) {
    return error.may_be_retried() || error.is_lost() || error.constraint() == "current_by_id" ||
           error.constraint() == "change_pkey";
}

// The server may still commit on the broken connection: it holds the lock until it commits or ends.
bool PostgresStore::is_committed(const sql::ChangeMark& mark) {
    if (mark.sequence == 0) {
        return false;
    }
    return read_short([&](Connection& connection) {
        wait_for_changes(connection);
        Rows rows(connection, kLink, mark.sequence);
        return rows.next() && rows.bytes(0) == text_of(mark.link);
    });
}

void PostgresStore::wait_for_writes() const {
    try {
        read_short([](Connection& connection) { wait_for_changes(connection); });
    } catch (const StoreError& error) {
        if (error.cause() == StoreError::Cause::busy) {
            throw;
        }
    }
}

void PostgresStore::note_lease() {
    has_leased_ = true;
    watch_.hold();
}

std::unique_ptr<Snapshot> PostgresStore::open_snapshot(std::optional<Moment> as_of) const {
    return std::make_unique<PostgresSnapshot>(readers_, as_of);
}

std::vector<std::optional<SaveOutcome>> PostgresStore::save_together(std::span<const WaitingSave> saves) {
    std::vector<const Record*> records;
    for (const WaitingSave& save : saves) {
        records.push_back(&save.record);
    }
    const SaveOptions options;
    return write_ours([&](Connection& connection, sql::ChangeMark& mark) -> sql::Outcome<std::vector<std::optional<SaveOutcome>>> {
        lock_changes(connection);
        sql::LastChange last;
        std::vector<Change> changes;
        for (const WaitingSave& save : saves) {
            changes.emplace_back(connection, last, save.author, "save", sql::subject_of(save.record.key), now());
        }
        RecordSave saving(records, options);
        saving.prepare(connection, kNow);
        auto outcomes = saving.write_each(connection, saves, changes);
        std::map<std::int64_t, Change*> recorded; // a change of a secret alone is numbered after all revisions
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
        [&](sql::Connection& connection, Change& change) -> sql::Outcome<std::variant<std::vector<Saved>, MissingReferences>> {
            auto outcome = saving.write(static_cast<Connection&>(connection), change);
            const bool is_kept = std::holds_alternative<std::vector<Saved>>(outcome) && !options.dry_run;
            if (is_kept) {
                sql::remove_documents(connection, change, options);
                sql::undo_bills(connection, change, options);
            }
            if (is_kept && options.end_feed) {
                sql::end_feed_run(connection, author, options.end_feed(std::get<std::vector<Saved>>(outcome)), now(),
                                  change.is_recorded() ? change.sequence() : 0);
            }
            return {std::move(outcome), is_kept};
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

void PostgresStore::backup(const std::string& /*path*/) const {
    throw StoreError(StoreError::Cause::unavailable,
                     "a store in PostgreSQL is backed up by PostgreSQL: pg_dump, or base backups with point-in-time recovery; see "
                     "docs/scaling.md");
}

} // namespace costcurve::storage::postgres
