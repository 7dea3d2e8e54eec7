// A worker's items of a run: the open transaction that has locked them. No lease, no clock: whatever ends it, they are free.
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

/// Counts workers that work on items of a run, one more each; how many there were before, by item. In a transaction of its own,
/// that is committed before the work begins.
[[nodiscard]] std::vector<int> count_attempts(Connection& connection, std::int64_t run, std::span<const RunItem> items);
/// Takes that back: the worker has not ended.
void forget_attempts(Connection& connection, std::int64_t run, std::span<const RunItem> items);

/// Items that a worker gave back where it could not be noted: of no consequence to others, and noted later.
struct LostShare {
    std::int64_t run = 0;
    std::vector<RunItem> items;
};

class PostgresShare final : public Share {
public:
    /// What is done with items that are given back; must not throw.
    using GiveBack = std::function<void(LostShare share)>;

    /// Locks items; they are counted by `begin`.
    PostgresShare(const DocumentStore& store, Lease lease, std::int64_t run, std::string_view model_version, std::size_t limit);
    ~PostgresShare() override;
    PostgresShare(const PostgresShare&) = delete;
    PostgresShare& operator=(const PostgresShare&) = delete;

    [[nodiscard]] std::span<const RunItem> items() const override { return items_; }
    [[nodiscard]] bool finish(std::span<const RunOutcome> outcomes) override;

    /// From here on the items are given back where they aren't finished; `before` is how many workers each has ended.
    void begin(const std::vector<int>& before, GiveBack give_back);

private:
    const DocumentStore& store_; // whose clock dates results
    Lease lease_;
    std::optional<Transaction> transaction_; // ends before the connection goes back
    std::int64_t run_;
    std::vector<RunItem> items_;
    GiveBack give_back_;
};

} // namespace costcurve::storage::postgres
