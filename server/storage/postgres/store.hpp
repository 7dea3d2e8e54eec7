// The store in PostgreSQL: its connections, and what its calls share. Any number of daemons may have it open.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/storage/error.hpp"
#include "server/storage/postgres/change.hpp"
#include "server/storage/postgres/daemons/lease.hpp"
#include "server/storage/postgres/daemons/share.hpp"
#include "server/storage/postgres/daemons/watch.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/postgres/engine/pool.hpp"
#include "server/storage/postgres/engine/transaction.hpp"
#include "server/storage/snapshot.hpp"
#include "server/storage/store.hpp"
#include "server/storage/store_settings.hpp"
#include "server/storage/telemetry.hpp"
#include "server/storage/timestamp.hpp"
#include "server/storage/writes/save_queue.hpp"

namespace costcurve::storage::postgres {

/// What a write comes to, and whether it is to be kept: else it is undone.
template <class T> struct Outcome {
    T value;
    bool is_kept = true;
};

/// One writer of changes at a time over all daemons; other writes lock rows. Reads of documents need no transaction: what was
/// written up to a change stays as it is.
class PostgresStore final : public Store {
public:
    /// Connects, and checks that this is a PostgreSQL that keeps what it promises, with a store of this version, which is made
    /// where the schema is empty. Throws StoreError; then nothing is written.
    explicit PostgresStore(StoreSettings settings);
    /// Others may go on at once with what it held.
    ~PostgresStore() override;
    PostgresStore(const PostgresStore&) = delete;
    PostgresStore& operator=(const PostgresStore&) = delete;

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
    /// The result of a call that reads, in a transaction of one moment; once more where the connection was lost.
    template <class Call> auto read(const Call& call) const {
        return with_connection(readers_, [&](Connection& connection) {
            const Transaction transaction(connection, Transaction::Kind::read);
            return call(connection);
        });
    }
    /// The same of a single statement, or of what stays as it is: without a transaction.
    template <class Call> auto read_once(const Call& call) const { return with_connection(point_read_pool_, call); }
    /// The value of `call`, an Outcome, in a transaction of a writer. The whole is done again where another transaction came first
    /// or the connection was lost: it must have no effects but on the connection.
    template <class Call> auto write(const Call& call) {
        return write_marked([&](Connection& connection, ChangeMark&) { return call(connection); });
    }
    /// The same of what writes a change: under the lock of all changes, with the change that `call` gets besides.
    template <class Call>
    auto write_change(const Author& author, std::string_view action, const std::string& subject, const Call& call) {
        return write_marked([&](Connection& connection, ChangeMark& mark) {
            lock_changes(connection);
            LastChange last;
            Change change(connection, last, author, action, subject, now());
            auto outcome = call(connection, change);
            if (outcome.is_kept) {
                mark = change.finish();
            }
            return outcome;
        });
    }
    template <class Call> auto write_marked(const Call& call) {
        for (int attempt = 1;; ++attempt) {
            const Lease lease = writers_.lease();
            ChangeMark mark;
            std::optional<decltype(call(*lease, mark))> outcome;
            try {
                Transaction transaction(*lease, Transaction::Kind::write);
                outcome = call(*lease, mark);
                if (outcome->is_kept) {
                    transaction.commit();
                }
                return std::move(outcome->value);
            } catch (const CommitUnknown&) {
                if (is_committed(mark)) {
                    return std::move(outcome->value);
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
    [[nodiscard]] std::vector<std::optional<SaveOutcome>> save_together(std::span<const WaitingSave> saves);
    /// Whether a change is in the store; called once its connection is gone.
    [[nodiscard]] bool is_committed(const ChangeMark& mark);
    [[nodiscard]] static bool may_be_retried(const SqlError& error);
    /// Returns once no write that numbers a change is under way, of any daemon. Where nothing can be written there is none.
    void wait_for_writes() const;

    /// Notes that the worker of a share has not ended, now or, where that fails, before the next one is taken.
    void give_back(LostShare share);
    void note_lost_shares();

    static constexpr int kMaxAttempts = 5;

    StoreSettings settings_;
    mutable std::atomic<std::int64_t> waits_ = 0;
    BusyTimeout busy_timeout_;
    ConnectionSettings connection_settings_;
    mutable Pool writers_;
    mutable Pool readers_;         // for what reads much
    Pool workers_;                 // for items of runs, which their transactions hold
    mutable Pool point_read_pool_; // for what takes microseconds: a request's key is found though long reads hold every reader
    std::string holder_ = make_holder(); // what leases of this store are known by
    std::atomic<bool> has_leased_ = false;
    StoreWatch watch_;
    SaveQueue saves_;
    std::mutex mutex_; // guards what follows
    NotedSources noted_sources_;
    std::vector<LostShare> lost_shares_;
};

} // namespace costcurve::storage::postgres
