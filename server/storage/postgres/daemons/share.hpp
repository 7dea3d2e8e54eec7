// A worker's items of a run: the open transaction that locks them. Without leases or clocks, the items become free however the
// transaction ends.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "server/storage/postgres/engine/pool.hpp"
#include "server/storage/postgres/engine/transaction.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::storage::postgres {

/// Increments each item's number of started workers; returns the numbers before, by item. Runs in its own transaction, committed
/// before the work begins.
[[nodiscard]] std::vector<int> count_attempts(Connection& connection, std::int64_t run, std::span<const RunItem> items);
/// Reverts count_attempts for a worker that didn't die.
void forget_attempts(Connection& connection, std::int64_t run, std::span<const RunItem> items);

/// Items that a worker returned while the database couldn't record it. Other workers aren't affected, and the return is recorded
/// later.
struct LostShare {
    std::int64_t run = 0;
    std::vector<RunItem> items;
};

class PostgresShare final : public Share {
public:
    /// Called with returned items; must not throw.
    using GiveBack = std::function<void(LostShare share)>;

    /// Locks items; `begin` counts their attempts.
    PostgresShare(const DocumentStore& store, Lease lease, std::int64_t run, std::string_view model_version, std::size_t limit);
    ~PostgresShare() override;
    PostgresShare(const PostgresShare&) = delete;
    PostgresShare& operator=(const PostgresShare&) = delete;

    [[nodiscard]] std::span<const RunItem> items() const override { return items_; }
    [[nodiscard]] bool finish(std::span<const RunOutcome> outcomes) override;

    /// Starts the work. Unfinished items are returned from now on; `before` is the number of workers that died on each item.
    void begin(const std::vector<int>& before, GiveBack give_back);

private:
    const DocumentStore& store_; // its clock dates the results
    Lease lease_;
    std::optional<Transaction> transaction_; // ends before the connection returns to its pool
    std::int64_t run_;
    std::vector<RunItem> items_;
    GiveBack give_back_;
};

} // namespace costcurve::storage::postgres
