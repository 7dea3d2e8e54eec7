// The store in one SQLite file: its connections, and what its calls share.
#pragma once

#include <atomic>
#include <chrono>
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
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/sqlite/engine/pool.hpp"
#include "server/storage/store.hpp"
#include "server/storage/store_settings.hpp"
#include "server/storage/telemetry.hpp"
#include "server/storage/timestamp.hpp"
#include "server/storage/writes/save_queue.hpp"

namespace costcurve::storage::sqlite {

/// A borrowed reader in a transaction, and the last change that it sees.
class SqliteSnapshot final : public Snapshot {
public:
    /// As of a moment, or now.
    SqliteSnapshot(Lease reader, std::optional<Moment> as_of);

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
    Lease reader_;            // goes back after the transaction's end
    Transaction transaction_; // pins what the reader sees
    std::int64_t sequence_ = 0;
    bool is_current_ = true; // no change comes after it
    std::string as_of_;
};

/// Items of runs that are being worked on in this process: another process that works on the same run does them too, and the first
/// to finish one counts. Thread-safe.
class TakenItems {
public:
    /// Calls `find` with what is taken of a run, and takes what it finds.
    template <class Find> std::vector<RunItem> take(std::int64_t run, const Find& find) {
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

/// Idempotency-Keys that requests of this process hold, the only one that answers with a file. Thread-safe.
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

/// One writer, several readers: every write takes the one connection that writes, and is flushed (synchronous FULL) at its commit.
class SqliteStore final : public Store {
public:
    /// Opens or creates the file and brings it to this version's schema: each migration in a transaction with its version
    /// and hash, after a copy of a file that has content. Throws StoreError: a foreign or damaged file, a newer version, a
    /// migration that is not the one that was applied, a lock, a disk.
    explicit SqliteStore(StoreSettings settings);

    [[nodiscard]] std::unique_ptr<Snapshot> snapshot(std::optional<std::string> as_of) const override;
    [[nodiscard]] SaveOutcome save(const Author& author, const Record& record, const Condition& condition) override;
    [[nodiscard]] std::variant<std::vector<Saved>, MissingReferences>
    save_all(const Author& author, std::span<const Record> records, const SaveOptions& options) override;
    [[nodiscard]] RemoveOutcome remove(const Author& author, const DocumentKey& key, const Condition& condition) override;
    void record_action(const Author& author, std::string_view action, std::string_view subject) override;
    [[nodiscard]] bool add_key(const Author& author, const ApiKey& key, std::string_view hash,
                               std::optional<std::int64_t> days) override;
    [[nodiscard]] std::optional<ApiKey> rotate_key(const Author& author, std::string_view name, std::string_view hash,
                                                   const KeyRotation& rotation) override;
    [[nodiscard]] bool revoke_key(const Author& author, std::string_view name) override;
    [[nodiscard]] std::vector<ApiKey> keys() const override;
    [[nodiscard]] std::optional<ApiKey> find_key(std::string_view hash) const override;
    [[nodiscard]] bool has_expired(std::string_view hash) const override;
    void keep_answer(const Author& author, std::string_view idempotency_key, const StoredAnswer& answer) override;
    [[nodiscard]] std::optional<StoredAnswer> kept_answer(std::string_view author_name,
                                                          std::string_view idempotency_key) const override;
    [[nodiscard]] AnswerClaim claim_answer(std::string_view author_name, std::string_view idempotency_key,
                                           std::string_view request_hash) override;
    void release_answer(std::string_view author_name, std::string_view idempotency_key) override;
    [[nodiscard]] AddedSamples add_samples(const Author& author, const SampleBatch& batch) override;
    [[nodiscard]] TelemetryWindow telemetry_window() const override;
    [[nodiscard]] HourPage hours(const HourQuery& query) const override;
    void visit_samples(const SampleQuery& query, const SampleVisitor& visit) const override;
    [[nodiscard]] BillOutcome save_bill(const Author& author, std::span<const BillLine> lines, bool dry_run,
                                        std::string_view source) override;
    [[nodiscard]] std::vector<BillTotal> bill(const BillQuery& query) const override;
    void visit_bill(std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) const override;
    std::int64_t record_event(const Author& author, std::string_view action, const NewEvent& event) override;
    [[nodiscard]] std::vector<Event> events(const EventQuery& query) const override;
    [[nodiscard]] std::vector<Delivery> deliveries(const DeliveryQuery& query) const override;
    [[nodiscard]] bool has_secret(std::string_view webhook) const override;
    [[nodiscard]] std::vector<DueDelivery> take_deliveries(std::size_t limit, std::chrono::seconds lease) override;
    [[nodiscard]] std::optional<std::int64_t> next_delivery() const override;
    void save_attempt(const DeliveryAttempt& attempt) override;
    [[nodiscard]] std::optional<RetriedDelivery> retry_delivery(const Author& author, std::string_view id) override;
    [[nodiscard]] std::optional<std::int64_t> ticked(const DocumentKey& key) const override;
    [[nodiscard]] std::int64_t now() const override;
    [[nodiscard]] std::variant<std::int64_t, std::vector<std::string>> begin_run(const Author& author,
                                                                                 const RunRequest& request) override;
    [[nodiscard]] std::optional<std::int64_t> begin_tick(const Author& author, const RunRequest& request,
                                                         std::int64_t tick) override;
    [[nodiscard]] std::optional<Run> run(std::int64_t id) const override;
    [[nodiscard]] std::vector<Run> runs(std::int64_t before, std::size_t limit) const override;
    [[nodiscard]] std::optional<Run> run_to_do() const override;
    [[nodiscard]] std::unique_ptr<Share> take_items(std::int64_t run, std::string_view model_version, std::size_t limit) override;
    bool set_run_state(std::int64_t run, RunState state, std::string_view model_version,
                       const OnRunCompleted& on_completed) override;
    [[nodiscard]] std::vector<RunFailure> run_failures(std::int64_t run, std::size_t limit) const override;
    [[nodiscard]] std::optional<std::vector<Standing>> standings(std::string_view comparison, std::int64_t before,
                                                                 std::size_t limit) const override;
    [[nodiscard]] std::optional<std::int64_t> queue_job(const Author& author, const NewJob& job) override;
    [[nodiscard]] std::optional<Job> job(std::int64_t id) const override;
    [[nodiscard]] std::vector<Job> jobs(std::string_view author_name, std::int64_t before, std::size_t limit) const override;
    [[nodiscard]] std::optional<Job> begin_job() override;
    void put_job_back(std::int64_t id) override;
    bool end_job(std::int64_t id, JobState state, std::string_view answer) override;
    [[nodiscard]] std::optional<FeedBegun> begin_feed(const Author& author, const FeedRequest& request) override;
    [[nodiscard]] std::optional<FeedRun> start_feed(std::int64_t only) override;
    void end_feed(const Author& author, const FeedEnd& end) override;
    [[nodiscard]] std::optional<std::vector<FeedRun>> feed_runs(std::string_view feed, std::int64_t before,
                                                                std::size_t limit) const override;
    [[nodiscard]] std::optional<FeedRun> last_good_feed_run(std::string_view feed) const override;
    [[nodiscard]] std::optional<FeedRun> landed_feed_run(std::string_view feed, std::string_view origin,
                                                         std::string_view hash) const override;
    [[nodiscard]] std::string feed_secret(std::string_view feed) const override;
    [[nodiscard]] std::optional<std::vector<StoredResult>> results(std::string_view scenario, std::int64_t before,
                                                                   std::size_t limit) const override;
    [[nodiscard]] std::string result_body(const StoredResult& result) const override;
    [[nodiscard]] bool wait_for_others(std::chrono::milliseconds timeout, const std::stop_token& stop) override;
    [[nodiscard]] std::int64_t sequence() const override;
    [[nodiscard]] StoreCounts counts() const override;
    void check_writable() override;
    [[nodiscard]] std::int64_t busy_count() const override;
    void backup(const std::string& path) const override;

private:
    friend class SqliteShare;
    [[nodiscard]] bool finish_items(std::int64_t run, std::span<const RunOutcome> outcomes);

    // The result of a call in a transaction of a reader.
    template <class Call> auto read(const Call& call) const {
        const Lease reader = readers_.lease();
        const Transaction transaction(*reader, Transaction::Kind::read);
        return call(*reader);
    }
    [[nodiscard]] SaveOutcome save_one(Database& database, const WaitingSave& save) const;
    [[nodiscard]] std::vector<std::optional<SaveOutcome>> save_together(std::span<const WaitingSave> saves);
    // Returns once no write is under way, of this process or another. Where nothing can be written there is none.
    void wait_for_writes() const;

    // In this order: the writer brings the file to its schema before readers open it, and closes last.
    StoreSettings settings_;
    NotedSources noted_sources_; // by the writer's lease
    TakenItems taken_items_;
    HeldKeys held_keys_;
    mutable std::atomic<std::int64_t> waits_ = 0;
    BusyTimeout busy_timeout_;
    mutable Pool writer_;
    mutable Pool readers_;         // for snapshots
    mutable Pool point_read_pool_; // for what takes microseconds: a request's key is found though long reads hold every reader
    SaveQueue saves_;
};

} // namespace costcurve::storage::sqlite
