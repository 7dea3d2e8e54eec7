// The calls of a store that are the same on every engine.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "server/storage/sql/change.hpp"
#include "server/storage/sql/connection.hpp"
#include "server/storage/sql/engine.hpp"
#include "server/storage/store.hpp"
#include "server/storage/store_settings.hpp"
#include "server/storage/telemetry.hpp"
#include "server/storage/timestamp.hpp"
#include "server/storage/writes/next_revision.hpp"
#include "server/storage/writes/save_queue.hpp"

namespace costcurve::storage::sql {

/// Outcome of a write, which is rolled back unless it is to be kept.
template <class T> struct Outcome {
    T value;
    bool is_kept = true;
};

/// Kinds of reads. moment and large: several statements in one transaction, with few or with many rows. once and many: no
/// transaction; once for one short statement, many for one statement with many rows or for rows that never change.
enum class Reading { moment, large, once, many };

template <class Call>
concept Reads = std::invocable<const Call&, Connection&>;
/// A write call that returns an Outcome. It may be retried if nothing of it was committed, so it must have no effects except on the
/// connection.
template <class Call>
concept Writes = requires(const Call& call, Connection& connection, ChangeMark& mark) {
    { call(connection, mark).is_kept } -> std::convertible_to<bool>;
    call(connection, mark).value;
};

[[nodiscard]] inline std::string subject_of(const DocumentKey& key) { return fmt::format("{}/{}", name_of(key.kind), key.id); }

/// Throws StoreError (unavailable) if the visitor has already been called: a retry would visit rows twice.
void refuse_second_visit(bool has_begun);

/// Each call borrows a connection, begins a transaction, calls other files of this room or of the engine, and commits.
class SqlStore : public Store {
public:
    [[nodiscard]] std::int64_t now() const override { return settings_.clock ? settings_.clock() : system_microseconds(); }
    [[nodiscard]] std::int64_t busy_count() const override { return waits_.load(std::memory_order_relaxed); }
    [[nodiscard]] SaveOutcome save(const Author& author, const Record& record, const Condition& condition) override;

    [[nodiscard]] std::unique_ptr<Snapshot> snapshot(std::optional<std::string> as_of) const override;
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
    [[nodiscard]] bool is_upgrade_due(std::string_view name) const override;
    void end_upgrade(std::string_view name) override;
    [[nodiscard]] TelemetryWindow telemetry_window() const override;
    [[nodiscard]] AddedSamples add_samples(const Author& author, const SampleBatch& batch) override;
    [[nodiscard]] HourPage hours(const HourQuery& query) const override;
    void visit_samples(const SampleQuery& query, const SampleVisitor& visit) const override;
    [[nodiscard]] BillOutcome save_bill(const Author& author, std::span<const BillLine> lines, bool dry_run,
                                        std::string_view source) override;
    [[nodiscard]] std::vector<BillTotal> bill(const BillQuery& query) const override;
    void visit_bill(std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) const override;
    [[nodiscard]] std::int64_t sequence() const override;
    [[nodiscard]] StoreCounts counts() const override;
    std::int64_t record_event(const Author& author, std::string_view action, const NewEvent& event) override;
    [[nodiscard]] std::vector<Event> events(const EventQuery& query) const override;
    [[nodiscard]] std::vector<Delivery> deliveries(const DeliveryQuery& query) const override;
    [[nodiscard]] bool has_secret(std::string_view webhook) const override;
    [[nodiscard]] std::optional<std::int64_t> next_delivery() const override;
    void save_attempt(const DeliveryAttempt& attempt) override;
    [[nodiscard]] std::optional<RetriedDelivery> retry_delivery(const Author& author, std::string_view id) override;
    [[nodiscard]] std::optional<std::int64_t> ticked(const DocumentKey& key) const override;
    [[nodiscard]] std::variant<std::int64_t, std::vector<std::string>> begin_run(const Author& author,
                                                                                 const RunRequest& request) override;
    [[nodiscard]] std::optional<std::int64_t> begin_tick(const Author& author, const RunRequest& request,
                                                         std::int64_t tick) override;
    [[nodiscard]] std::optional<Run> run(std::int64_t id) const override;
    [[nodiscard]] std::vector<Run> runs(std::int64_t before, std::size_t limit) const override;
    [[nodiscard]] std::vector<Run> runs_to_do() const override;
    bool set_run_state(std::int64_t run, RunState state, std::string_view model_version,
                       const OnRunCompleted& on_completed) override;
    [[nodiscard]] std::vector<RunFailure> run_failures(std::int64_t run, std::size_t limit) const override;
    [[nodiscard]] std::optional<std::vector<Standing>> standings(std::string_view comparison, std::int64_t before,
                                                                 std::size_t limit) const override;
    [[nodiscard]] std::optional<std::int64_t> queue_job(const Author& author, const NewJob& job) override;
    [[nodiscard]] std::optional<Job> job(std::int64_t id) const override;
    [[nodiscard]] std::vector<Job> jobs(std::string_view author_name, std::int64_t before, std::size_t limit) const override;
    [[nodiscard]] std::optional<Job> begin_job(std::span<const std::int64_t> at_hand) override;
    void put_job_back(std::int64_t id) override;
    bool end_job(std::int64_t id, JobState state, std::string_view answer) override;
    [[nodiscard]] std::optional<FeedBegun> begin_feed(const Author& author, const FeedRequest& request) override;
    [[nodiscard]] std::optional<FeedRun> start_feed(std::int64_t only, std::span<const std::int64_t> under_way) override;
    void end_feed(const Author& author, const FeedEnd& end) override;
    [[nodiscard]] std::optional<std::vector<FeedRun>> feed_runs(std::string_view feed, std::int64_t before,
                                                                std::size_t limit) const override;
    [[nodiscard]] std::vector<FeedRun> import_runs(std::int64_t before, std::size_t limit) const override;
    [[nodiscard]] std::optional<FeedRun> feed_run(std::int64_t run) const override;
    [[nodiscard]] std::vector<FeedRun> undone_runs() const override;
    [[nodiscard]] std::optional<FeedRun> feed_run_of_file(std::string_view feed, std::string_view origin,
                                                          std::string_view hash) const override;
    [[nodiscard]] std::string held_documents(std::int64_t run) const override;
    [[nodiscard]] std::string restated(std::int64_t run) const override;
    [[nodiscard]] std::vector<std::int64_t> restating_runs(std::int64_t after) const override;
    [[nodiscard]] std::optional<FeedRun> last_good_feed_run(std::string_view feed) const override;
    [[nodiscard]] std::string feed_secret(std::string_view feed) const override;
    [[nodiscard]] std::optional<std::vector<StoredResult>> results(std::string_view scenario, std::int64_t before,
                                                                   std::size_t limit) const override;
    [[nodiscard]] std::string result_body(const StoredResult& result) const override;

protected:
    explicit SqlStore(StoreSettings settings);

    // Implemented by engines: runs a read on one of their connections.
    virtual void read_with(Reading reading, const std::function<void(Connection&)>& call) const = 0;
    /// Runs a write in a transaction; commits if the call returns true.
    virtual void write_with(const std::function<bool(Connection&, ChangeMark&)>& call) = 0;
    [[nodiscard]] virtual std::unique_ptr<Snapshot> open_snapshot(std::optional<Moment> as_of) const = 0;
    /// Waits until no write that numbers a change is in progress; returns at once for a read-only store.
    virtual void wait_for_writes() const = 0;
    [[nodiscard]] virtual std::vector<std::optional<SaveOutcome>> save_together(std::span<const WaitingSave> saves) = 0;
    /// Holder name of this store's leases. note_lease() is called when the store takes a lease.
    [[nodiscard]] virtual std::string_view holder() const { return ""; }
    virtual void note_lease() {}

    template <Reads Call> auto read(Reading reading, const Call& call) const {
        using Result = std::invoke_result_t<const Call&, Connection&>;
        if constexpr (std::is_void_v<Result>) {
            read_with(reading, std::cref(call));
        } else {
            std::optional<Result> result;
            read_with(reading, [&](Connection& connection) { result.emplace(call(connection)); });
            return std::move(*result);
        }
    }
    template <Writes Call> auto write_marked(const Call& call) {
        std::optional<std::invoke_result_t<const Call&, Connection&, ChangeMark&>> outcome;
        write_with([&](Connection& connection, ChangeMark& mark) {
            outcome.emplace(call(connection, mark));
            return outcome->is_kept;
        });
        return std::move(outcome->value);
    }
    /// Runs `call(connection, change)` under the lock of all changes; returns the value of its Outcome.
    template <std::invocable<Connection&, Change&> Call>
    auto write_change(const Author& author, std::string_view action, const std::string& subject, const Call& call) {
        return write_marked([&](Connection& connection, ChangeMark& mark) {
            connection.engine().lock_changes(connection);
            LastChange last;
            Change change(connection, last, author, action, subject, now());
            auto outcome = call(connection, change);
            if (outcome.is_kept) {
                mark = change.finish();
            }
            return outcome;
        });
    }
    /// Runs `call(connection)` and commits.
    template <Reads Call> void write(const Call& call) {
        write_with([&](Connection& connection, ChangeMark& /*mark*/) {
            call(connection);
            return true;
        });
    }
    /// Runs `call(connection)`; if it returns something, starts renewing leases.
    template <Reads Call> auto take(const Call& call) {
        auto taken = write_marked([&](Connection& connection, ChangeMark& /*mark*/) {
            auto found = call(connection);
            const bool is_kept = found.has_value();
            return Outcome<decltype(found)>{std::move(found), is_kept};
        });
        if (taken) {
            note_lease();
        }
        return taken;
    }
    [[nodiscard]] AnswerRoom answer_room(std::string_view author_name) const;
    /// Makes deliveries due whose times come from a clock that was ahead.
    void forget_future_tries(std::int64_t now);

    StoreSettings settings_;
    mutable std::atomic<std::int64_t> waits_ = 0;
    BusyTimeout busy_timeout_;

private:
    SaveQueue saves_;
    std::mutex sources_mutex_; // guards the next one
    NotedSources noted_sources_;
};

} // namespace costcurve::storage::sql
