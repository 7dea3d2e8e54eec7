// The store's calls: each takes a connection, begins, does what other files of this room do, and commits.
#include "server/storage/sqlite/store.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "server/storage/sqlite/access.hpp"
#include "server/storage/sqlite/engine/files.hpp"
#include "server/storage/sqlite/feeds.hpp"
#include "server/storage/sqlite/open.hpp"
#include "server/storage/sqlite/save.hpp"
#include "server/storage/stored_names.hpp"
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

std::string text_of(const DocumentKey& key) { return fmt::format("{}/{}", name_of(key.kind), key.id); }

constexpr const char* kLastSequence = "SELECT coalesce(max(sequence), 0) FROM change WHERE content IS NOT NULL";
constexpr const char* kCountRevisions = "SELECT count(*) FROM revision";
constexpr const char* kCountPoints = "SELECT count(*) FROM point";
constexpr const char* kCountDocuments =
    "SELECT kind, count(*) FROM revision WHERE until = 9223372036854775807 AND deleted = 0 GROUP BY kind";

} // namespace

SqliteStore::SqliteStore(StoreSettings settings)
    : settings_(std::move(settings)), busy_timeout_{settings_.busy_timeout_ms, &waits_},
      writer_(alone(open_writer(settings_, busy_timeout_, migrations(), SqliteStore::now())), busy_timeout_, "writer"),
      readers_(open_readers(settings_, busy_timeout_), busy_timeout_, "reader"),
      point_read_pool_(alone(open_reader(settings_, busy_timeout_)), busy_timeout_, "connection for short reads"),
      saves_(busy_timeout_, [this](std::span<const WaitingSave> saves) { return save_together(saves); }) {}

std::int64_t SqliteStore::now() const { return settings_.clock ? settings_.clock() : system_microseconds(); }

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

std::unique_ptr<Snapshot> SqliteStore::snapshot(std::optional<std::string> as_of) const {
    const std::optional<Moment> moment = as_of ? std::optional(moment_of(*as_of)) : std::nullopt;
    // A write that is under way has its time already: what it writes belongs to this moment, or else to a later one.
    if (moment && !moment->is_sequence &&
        parse_time(SqliteSnapshot(readers_.lease(), std::nullopt).as_of()).value_or(0) < moment->value) {
        wait_for_writes();
    }
    return std::make_unique<SqliteSnapshot>(readers_.lease(), moment);
}

SaveOutcome SqliteStore::save(const Author& author, const Record& record, const Condition& condition) {
    check_records(std::span(&record, 1));
    return saves_.save({author, record, condition});
}

SaveOutcome SqliteStore::save_one(Database& database, const WaitingSave& save) const {
    if (save.condition.kind != Condition::Kind::none) {
        const std::optional<Stored> current = find_stored(database, save.record.key, kNow);
        if (const auto failed = failing(save.condition, current ? &current->revision : nullptr)) {
            return *failed;
        }
    }
    Savepoint savepoint(database);
    Change change(database, save.author, "save", text_of(save.record.key), now());
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
        outcomes.emplace_back(save_one(*writer, save));
        is_kept = is_kept || std::holds_alternative<Saved>(*outcomes.back());
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
    Change change(*writer, author, options.action,
                  options.subject.empty() ? fmt::format("{} documents", records.size()) : options.subject, now());
    auto outcome = save_records(*writer, change, records, options);
    if (std::holds_alternative<std::vector<Saved>>(outcome) && !options.dry_run) {
        change.finish();
        if (options.end_feed) {
            end_feed_run(*writer, author, options.end_feed(std::get<std::vector<Saved>>(outcome)), now());
        }
        transaction.commit();
    }
    return outcome;
}

RemoveOutcome SqliteStore::remove(const Author& author, const DocumentKey& key, const Condition& condition) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::optional<Stored> current = find_stored(*writer, key, kNow);
    if (!current || current->revision.deleted) {
        return NotFound{};
    }
    if (const auto failed = failing(condition, &current->revision)) {
        return *failed;
    }
    Change change(*writer, author, "remove", text_of(key), now());
    RemoveOutcome outcome = remove_document(*writer, change, *current);
    if (std::holds_alternative<Removed>(outcome)) {
        change.finish();
        transaction.commit();
    }
    return outcome;
}

void SqliteStore::record_action(const Author& author, std::string_view action, std::string_view subject) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    Change change(*writer, author, action, std::string(subject), now());
    change.finish_as_action();
    transaction.commit();
}

bool SqliteStore::add_key(const Author& author, const ApiKey& key, std::string_view hash, std::optional<std::int64_t> days) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    Change change(*writer, author, "add_key", key.name, now());
    const bool added = insert_key(*writer, change, key, hash, days);
    if (added) {
        change.finish();
        transaction.commit();
    }
    return added;
}

std::optional<ApiKey> SqliteStore::rotate_key(const Author& author, std::string_view name, std::string_view hash,
                                              const KeyRotation& rotation) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    Change change(*writer, author, "rotate_key", std::string(name), now());
    if (!replace_secret(*writer, change, name, hash, rotation)) {
        return std::nullopt;
    }
    change.finish();
    ApiKey key = find_keys(*writer, name, now()).front();
    transaction.commit();
    return key;
}

bool SqliteStore::revoke_key(const Author& author, std::string_view name) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    Change change(*writer, author, "revoke_key", std::string(name), now());
    const bool ended = end_key(*writer, change, name);
    if (ended) {
        change.finish();
        transaction.commit();
    }
    return ended;
}

std::vector<ApiKey> SqliteStore::keys() const { return find_keys(*point_read_pool_.lease(), "", now()); }

std::optional<ApiKey> SqliteStore::find_key(std::string_view hash) const { return key_of(*point_read_pool_.lease(), hash, now()); }

bool SqliteStore::has_expired(std::string_view hash) const { return sqlite::has_expired(*point_read_pool_.lease(), hash, now()); }

void SqliteStore::keep_answer(const Author& author, std::string_view idempotency_key, const StoredAnswer& answer) {
    const Lease writer = writer_.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    insert_answer(*writer, author.name, idempotency_key, answer, now());
    transaction.commit();
    held_keys_.release(author.name, idempotency_key);
}

std::optional<StoredAnswer> SqliteStore::kept_answer(std::string_view author_name, std::string_view idempotency_key) const {
    return answer_of(*point_read_pool_.lease(), author_name, idempotency_key, now());
}

std::int64_t SqliteStore::sequence() const { return (*point_read_pool_.lease()).number(kLastSequence); }

StoreCounts SqliteStore::counts() const {
    const Lease reader = readers_.lease();
    const Transaction transaction(*reader, Transaction::Kind::read);
    StoreCounts counts;
    counts.documents.resize(kind_names.size());
    {
        Rows rows(*reader, kCountDocuments);
        while (rows.next()) {
            counts.documents[static_cast<std::size_t>(kind_of(rows.text(0)))] = rows.integer(1);
        }
    }
    counts.revisions = (*reader).number(kCountRevisions);
    counts.points = (*reader).number(kCountPoints);
    counts.bytes = (*reader).number("PRAGMA page_count") * (*reader).number("PRAGMA page_size");
    return counts;
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
    if (database.number("PRAGMA page_count") >= database.number("PRAGMA max_page_count") &&
        database.number("PRAGMA freelist_count") == 0) {
        throw StoreError(StoreError::Cause::full, fmt::format("{}: the database has the {} MB that are allowed; allow more",
                                                              database.path(), settings_.max_database_mb));
    }
}

std::int64_t SqliteStore::busy_count() const { return waits_.load(std::memory_order_relaxed); }

void SqliteStore::backup(const std::string& path) const {
    if (std::filesystem::exists(path)) {
        throw StoreError(StoreError::Cause::unavailable, fmt::format("{}: the file exists; give another name", path));
    }
    const auto reader = open_reader(settings_, busy_timeout_); // of its own: it may take minutes
    copy_to(*reader, path);
}

} // namespace costcurve::storage::sqlite
