// The store's calls: each borrows a connection, begins a transaction, calls other files of this room, and commits.
#include "server/storage/sqlite/store.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "server/storage/sql/bill.hpp"
#include "server/storage/sql/feeds.hpp"
#include "server/storage/sql/removal.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/engine/files.hpp"
#include "server/storage/sqlite/open.hpp"
#include "server/storage/sqlite/save.hpp"
#include "server/storage/writes/next_revision.hpp"

namespace costcurve::storage::sqlite {

namespace {

using Connections = std::vector<std::unique_ptr<Database>>;

Connections alone(std::unique_ptr<Database> database) {
    Connections connections;
    connections.push_back(std::move(database));
    return connections;
}

Connections open_readers(const StoreSettings& settings, BusyTimeout busy_timeout) {
    Connections connections;
    for (std::size_t i = 0; i < std::max<std::size_t>(settings.readers, 1); ++i) {
        connections.push_back(open_reader(settings, busy_timeout));
    }
    return connections;
}

} // namespace

SqliteStore::SqliteStore(StoreSettings settings)
    : SqlStore(std::move(settings)),
      writer_(alone(open_writer(settings_, busy_timeout_, migrations(), SqlStore::now())), busy_timeout_, "writer"),
      readers_(open_readers(settings_, busy_timeout_), busy_timeout_, "reader"),
      point_read_pool_(alone(open_reader(settings_, busy_timeout_)), busy_timeout_, "connection for short reads") {}

SqliteStore::~SqliteStore() = default;

void SqliteStore::read_with(sql::Reading reading, const std::function<void(sql::Connection&)>& call) const {
    if (reading == sql::Reading::once || reading == sql::Reading::many) {
        const Lease reader = (reading == sql::Reading::once ? point_read_pool_ : readers_).lease();
        call(*reader);
        return;
    }
    read_in(
        readers_, [&](Database& database) { call(database); },
        reading == sql::Reading::large ? sql::ReadSize::large : sql::ReadSize::small);
}

void SqliteStore::write_with(const std::function<bool(sql::Connection&, sql::ChangeMark&)>& call) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    sql::ChangeMark mark;
    if (call(*writer, mark)) {
        transaction.commit();
    }
}

void SqliteStore::wait_for_writes() const {
    try {
        const Lease lease = writer_.lease();
        const Transaction transaction(*lease, Transaction::Kind::write);
    } catch (const StoreError& error) {
        if (error.cause() == StoreError::Cause::busy) {
            throw;
        }
    }
}

std::unique_ptr<Snapshot> SqliteStore::open_snapshot(std::optional<Moment> as_of) const {
    return std::make_unique<SqliteSnapshot>(readers_, as_of);
}

SaveOutcome SqliteStore::save_one(Database& database, const WaitingSave& save) const {
    if (save.condition.kind != Condition::Kind::none) {
        const std::optional<Stored> current = find_stored(database, save.record.key, kNow);
        if (const auto failed = failing(save.condition, current ? &current->revision : nullptr)) {
            return *failed;
        }
    }
    Savepoint savepoint(database);
    sql::LastChange last;
    Change change(database, last, save.author, "save", sql::subject_of(save.record.key), now());
    auto outcome = save_records(database, change, std::span(&save.record, 1));
    if (auto* missing = std::get_if<MissingReferences>(&outcome)) {
        return std::move(*missing);
    }
    change.finish();
    savepoint.release();
    return std::get<std::vector<Saved>>(outcome).front();
}

std::vector<std::optional<SaveOutcome>> SqliteStore::save_together(std::span<const WaitingSave> saves) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    std::vector<std::optional<SaveOutcome>> outcomes;
    bool is_kept = false;
    for (const WaitingSave& save : saves) {
        const auto& saved = outcomes.emplace_back(save_one(*writer, save));
        is_kept = is_kept || std::holds_alternative<Saved>(*saved);
    }
    if (is_kept) {
        transaction.commit();
    }
    return outcomes;
}

std::variant<std::vector<Saved>, MissingReferences> SqliteStore::save_all(const Author& author, std::span<const Record> records,
                                                                          const SaveOptions& options) {
    check_records(records);
    const Lease writer = writer_.lease();
    const UncheckedKeys unchecked(*writer);
    Transaction transaction(*writer, Transaction::Kind::write);
    sql::LastChange last;
    Change change(*writer, last, author, options.action,
                  options.subject.empty() ? fmt::format("{} documents", records.size()) : options.subject, now());
    auto outcome = save_records(*writer, change, records, options);
    if (std::holds_alternative<std::vector<Saved>>(outcome) && !options.dry_run) {
        sql::remove_documents(*writer, change, options);
        sql::undo_bills(*writer, change, options);
        change.finish();
        if (options.end_feed) {
            sql::end_feed_run(*writer, author, options.end_feed(std::get<std::vector<Saved>>(outcome)), now(),
                              change.is_recorded() ? change.sequence() : 0);
        }
        transaction.commit();
    }
    return outcome;
}

void SqliteStore::keep_answer(const Author& author, std::string_view idempotency_key, const StoredAnswer& answer) {
    SqlStore::keep_answer(author, idempotency_key, answer);
    held_keys_.release(keeper_of(author), idempotency_key);
}

void SqliteStore::check_writable() {
    check_space(std::filesystem::absolute(settings_.path).parent_path()); // the file may be gone
    const std::optional<Lease> writer = writer_.try_lease();
    if (!writer) {
        return; // it is being written to
    }
    Database& database = **writer;
    database.check_place();
    const Transaction transaction(database, Transaction::Kind::write);
    if (database.number("PRAGMA max_page_count") - database.number("PRAGMA page_count") + database.number("PRAGMA freelist_count") <
        kMinFreePages) {
        throw StoreError(StoreError::Cause::full, fmt::format("{}: the database has the {} MB that are allowed; allow more",
                                                              database.path(), settings_.max_database_mb));
    }
    check_file_limit(database);
}

void SqliteStore::backup(const std::string& path) const {
    if (std::filesystem::exists(path)) {
        throw StoreError(StoreError::Cause::unavailable, fmt::format("{}: the file exists; give another name", path));
    }
    const auto reader = open_reader(settings_, busy_timeout_); // a connection of its own, because a backup may take minutes
    copy_to(*reader, path);
}

} // namespace costcurve::storage::sqlite
