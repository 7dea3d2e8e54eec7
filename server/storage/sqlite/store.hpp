// The store in one SQLite file: its connections, and what its calls share.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/storage/error.hpp"
#include "server/storage/snapshot.hpp"
#include "server/storage/sql/pool.hpp"
#include "server/storage/sql/store.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sqlite {

using Lease = sql::Lease<Database>;
using Pool = sql::Pool<Database>;

/// Runs `call` on one snapshot and returns its result.
template <std::invocable<Database&> Call> auto read_in(Pool& readers, const Call& call, sql::ReadSize size = sql::ReadSize::small) {
    const Lease reader = readers.lease(size);
    const Transaction transaction(*reader, Transaction::Kind::read);
    return call(*reader);
}

/// A snapshot is the number of the last visible change: rows written up to it never change. Each read borrows a reader, so a
/// snapshot kept during a computation blocks nobody.
class SqliteSnapshot final : public Snapshot {
public:
    /// A snapshot as of a moment; of now if none is given.
    SqliteSnapshot(Pool& readers, std::optional<Moment> as_of);

    [[nodiscard]] const std::string& as_of() const override { return as_of_; }
    [[nodiscard]] std::int64_t sequence() const override { return sequence_; }
    [[nodiscard]] std::string reference() const override { return format_sequence(sequence_); }
    [[nodiscard]] std::optional<Revision> load(const DocumentKey& key) const override;
    [[nodiscard]] Page list(const ListQuery& query) const override;
    [[nodiscard]] std::vector<Revision> history(const DocumentKey& key, std::int64_t before, std::size_t limit) const override;
    [[nodiscard]] std::optional<double> value_at(const DocumentKey& key, std::string_view pointer, double x) const override;
    void for_each(const std::function<void(const Revision&)>& visit) const override;
    [[nodiscard]] std::vector<AuditEntry> audit(std::int64_t before, std::size_t limit) const override;

private:
    Pool& readers_;
    std::int64_t sequence_ = 0;
    std::string as_of_;
};

/// Items of runs on which this process works. Another process on the same run may do the same items; the first to finish an item
/// counts. Thread-safe.
class TakenItems {
public:
    /// Calls `find` with the taken items of a run, and takes the items that it returns.
    template <std::invocable<const std::set<std::int64_t>&> Find> std::vector<RunItem> take(std::int64_t run, const Find& find) {
        const std::lock_guard lock(mutex_);
        std::set<std::int64_t>& taken = taken_[run];
        std::vector<RunItem> items = find(taken);
        for (const RunItem& item : items) {
            taken.insert(item.document);
        }
        return items;
    }
    void give_back(std::int64_t run, std::span<const RunItem> items);

private:
    std::mutex mutex_; ///< guards what follows
    std::map<std::int64_t, std::set<std::int64_t>> taken_;
};

/// Idempotency-Keys held by requests of this process, which is the only one that serves this file. Thread-safe.
class HeldKeys {
public:
    [[nodiscard]] bool hold(std::string_view author, std::string_view key);
    void release(std::string_view author, std::string_view key);

private:
    std::mutex mutex_; ///< guards what follows
    std::set<std::pair<std::string, std::string>> held_;
};

class SqliteStore;

class SqliteShare final : public Share {
public:
    SqliteShare(SqliteStore& store, std::int64_t run, std::vector<RunItem> items)
        : store_(store), run_(run), items_(std::move(items)) {}
    ~SqliteShare() override;
    SqliteShare(const SqliteShare&) = delete;
    SqliteShare& operator=(const SqliteShare&) = delete;
    [[nodiscard]] std::span<const RunItem> items() const override { return items_; }
    [[nodiscard]] bool finish(std::span<const RunOutcome> outcomes) override;

private:
    SqliteStore& store_;
    std::int64_t run_;
    std::vector<RunItem> items_;
};

/// One writer, several readers. Every write uses the only writing connection and is flushed at its commit (synchronous FULL).
class SqliteStore final : public sql::SqlStore {
public:
    /// Opens or creates the file and migrates it to this version's schema: each migration in a transaction with its version and
    /// hash, after a copy of a file with content. Throws StoreError if the file is foreign, damaged, newer or has a changed
    /// migration, or for failures of locks or disk.
    explicit SqliteStore(StoreSettings settings);
    ~SqliteStore() override;
    SqliteStore(const SqliteStore&) = delete;
    SqliteStore& operator=(const SqliteStore&) = delete;

    [[nodiscard]] std::variant<std::vector<Saved>, MissingReferences>
    save_all(const Author& author, std::span<const Record> records, const SaveOptions& options) override;
    void keep_answer(const Author& author, std::string_view idempotency_key, const StoredAnswer& answer) override;
    [[nodiscard]] AnswerClaim claim_answer(std::string_view author_name, std::string_view idempotency_key,
                                           std::string_view request_hash) override;
    void release_answer(std::string_view author_name, std::string_view idempotency_key) override;
    [[nodiscard]] std::vector<DueDelivery> take_deliveries(std::size_t limit, std::chrono::seconds lease) override;
    [[nodiscard]] std::unique_ptr<Share> take_items(std::int64_t run, std::string_view model_version, std::size_t limit) override;
    [[nodiscard]] bool wait_for_others(std::chrono::milliseconds timeout, const std::stop_token& stop) override;
    void check_writable() override;
    void backup(const std::string& path) const override;

private:
    friend class SqliteShare;

    void read_with(sql::Reading reading, const std::function<void(sql::Connection&)>& call) const override;
    void write_with(const std::function<bool(sql::Connection&, sql::ChangeMark&)>& call) override;
    [[nodiscard]] std::unique_ptr<Snapshot> open_snapshot(std::optional<Moment> as_of) const override;
    void wait_for_writes() const override; ///< of this process or another
    [[nodiscard]] std::vector<std::optional<SaveOutcome>> save_together(std::span<const WaitingSave> saves) override;
    [[nodiscard]] SaveOutcome save_one(Database& database, const WaitingSave& save) const;
    [[nodiscard]] bool finish_items(std::int64_t run, std::span<const RunOutcome> outcomes);

    // The order matters: the writer migrates the file before readers open it, and closes last.
    TakenItems taken_items_;
    HeldKeys held_keys_;
    mutable Pool writer_;
    mutable Pool readers_;         // for snapshots
    mutable Pool point_read_pool_; // for short reads, so that API keys are checked even if long reads hold all readers
};

} // namespace costcurve::storage::sqlite
