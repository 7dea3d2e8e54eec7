// The store in PostgreSQL: its connections, and what its calls share. Any number of daemons may have it open.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
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
#include "server/storage/postgres/daemons/lease.hpp"
#include "server/storage/postgres/daemons/share.hpp"
#include "server/storage/postgres/daemons/watch.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/postgres/engine/pool.hpp"
#include "server/storage/postgres/engine/transaction.hpp"
#include "server/storage/snapshot.hpp"
#include "server/storage/sql/store.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::postgres {

/// One writer of changes at a time across all daemons; other writes lock rows. Reads of documents need no transaction, because rows
/// written up to a change never change.
class PostgresStore final : public sql::SqlStore {
public:
    /// Connects and checks the server and the version of its store; creates the store in an empty schema. Throws StoreError;
    /// nothing is then written.
    explicit PostgresStore(StoreSettings settings);
    /// Returns its leases, so that other daemons continue at once.
    ~PostgresStore() override;
    PostgresStore(const PostgresStore&) = delete;
    PostgresStore& operator=(const PostgresStore&) = delete;

    [[nodiscard]] std::variant<std::vector<Saved>, MissingReferences>
    save_all(const Author& author, std::span<const Record> records, const SaveOptions& options) override;
    [[nodiscard]] AnswerClaim claim_answer(std::string_view author_name, std::string_view idempotency_key,
                                           std::string_view request_hash) override;
    void release_answer(std::string_view author_name, std::string_view idempotency_key) override;
    [[nodiscard]] std::vector<DueDelivery> take_deliveries(std::size_t limit, std::chrono::seconds lease) override;
    [[nodiscard]] std::unique_ptr<Share> take_items(std::int64_t run, std::string_view model_version, std::size_t limit) override;
    [[nodiscard]] bool wait_for_others(std::chrono::milliseconds timeout, const std::stop_token& stop) override;
    void check_writable() override;
    void backup(const std::string& path) const override;

private:
    void read_with(sql::Reading reading, const std::function<void(sql::Connection&)>& call) const override;
    void write_with(const std::function<bool(sql::Connection&, sql::ChangeMark&)>& call) override;
    [[nodiscard]] std::unique_ptr<Snapshot> open_snapshot(std::optional<Moment> as_of) const override;
    void wait_for_writes() const override; ///< of any daemon
    [[nodiscard]] std::vector<std::optional<SaveOutcome>> save_together(std::span<const WaitingSave> saves) override;
    [[nodiscard]] std::string_view holder() const override { return holder_; }
    void note_lease() override;

    /// The same with connections of this engine.
    template <std::invocable<Connection&> Call> auto read_short(const Call& call) const {
        return with_connection(point_read_pool_, call);
    }
    template <std::invocable<Connection&, sql::ChangeMark&> Call> auto write_ours(const Call& call) {
        return write_marked(
            [&](sql::Connection& connection, sql::ChangeMark& mark) { return call(static_cast<Connection&>(connection), mark); });
    }
    /// Whether a change was committed; called after its connection was closed.
    [[nodiscard]] bool is_committed(const sql::ChangeMark& mark);
    [[nodiscard]] static bool may_be_retried(const SqlError& error);

    /// Records that a share's worker didn't die: now or, if that fails, before the next share is taken.
    void give_back(LostShare share);
    void note_lost_shares();

    static constexpr int kMaxAttempts = 5;

    ConnectionSettings connection_settings_;
    mutable Pool writers_;
    mutable Pool readers_;               // for long reads
    Pool workers_;                       // for items of runs, which their transactions hold
    mutable Pool point_read_pool_;       // for short reads, so that API keys are checked even if long reads hold all readers
    std::string holder_ = make_holder(); // holder name of this store's leases
    std::atomic<bool> has_leased_ = false;
    StoreWatch watch_;
    std::mutex mutex_; // guards the next one
    std::vector<LostShare> lost_shares_;
};

} // namespace costcurve::storage::postgres
