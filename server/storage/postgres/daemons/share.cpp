// A worker's items of a run, locked by an open transaction. Attempts are counted in an unlogged table: a server crash empties it,
// because that crash is no worker's fault.
#include "server/storage/postgres/daemons/share.hpp"

#include <unordered_map>
#include <utility>

#include "server/storage/postgres/daemons/runs.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kCountAttempts = R"(
    INSERT INTO run_attempt AS a (run, scenario, attempts) SELECT $1, *, 1 FROM unnest($2)
    ON CONFLICT (run, scenario) DO UPDATE SET attempts = a.attempts + 1 RETURNING scenario, attempts - 1)";
constexpr const char* kUncountAttempts =
    "UPDATE run_attempt SET attempts = attempts - 1 WHERE run = $1 AND scenario = ANY ($2) AND attempts > 0";

} // namespace

std::vector<int> count_attempts(Connection& connection, std::int64_t run, std::span<const RunItem> items) {
    std::unordered_map<std::int64_t, int> counts;
    Rows rows(connection, kCountAttempts, run, column_of(items, &RunItem::document));
    while (rows.next()) {
        counts.emplace(rows.integer(0), static_cast<int>(rows.integer(1)));
    }
    std::vector<int> before;
    for (const RunItem& item : items) {
        before.push_back(counts[item.document]);
    }
    return before;
}

void forget_attempts(Connection& connection, std::int64_t run, std::span<const RunItem> items) {
    connection.run(kUncountAttempts, run, column_of(items, &RunItem::document));
}

PostgresShare::PostgresShare(const DocumentStore& store, Lease lease, std::int64_t run, std::string_view model_version,
                             std::size_t limit)
    : store_(store), lease_(std::move(lease)), transaction_(std::in_place, *lease_, Transaction::Kind::write), run_(run),
      items_(lock_items(*lease_, run, model_version, limit)) {}

void PostgresShare::begin(const std::vector<int>& before, GiveBack give_back) {
    for (std::size_t i = 0; i < items_.size(); ++i) {
        items_[i].lost_attempts = before[i];
    }
    give_back_ = std::move(give_back);
}

PostgresShare::~PostgresShare() {
    transaction_.reset();
    if (give_back_) {
        give_back_({run_, std::move(items_)});
    }
}

bool PostgresShare::finish(std::span<const RunOutcome> outcomes) {
    if (!finish_items(*lease_, run_, outcomes, store_.now())) {
        return false;
    }
    transaction_->commit();
    give_back_ = {};
    return true;
}

} // namespace costcurve::storage::postgres
