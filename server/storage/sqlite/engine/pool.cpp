// Lends connections, and counts the callers that had to wait.
#include "server/storage/sqlite/engine/pool.hpp"

#include <utility>

#include <fmt/format.h>

namespace costcurve::storage::sqlite {

Lease::Lease(Lease&& other) noexcept : pool_(other.pool_), database_(std::exchange(other.database_, nullptr)) {}

Lease& Lease::operator=(Lease&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(database_, other.database_);
    return *this;
}

Lease::~Lease() {
    if (database_ != nullptr) {
        pool_->give_back(*database_);
    }
}

Pool::Pool(std::vector<std::unique_ptr<Database>> connections, BusyTimeout busy_timeout, const char* what)
    : busy_timeout_(busy_timeout), what_(what), connections_(std::move(connections)) {
    for (const auto& connection : connections_) {
        free_.push_back(connection.get());
    }
}

Lease Pool::lease() {
    std::unique_lock lock(mutex_);
    if (free_.empty()) {
        busy_timeout_.waits->fetch_add(1, std::memory_order_relaxed);
        if (!freed_.wait_for(lock, std::chrono::milliseconds(busy_timeout_.timeout_ms), [this] { return !free_.empty(); })) {
            throw StoreError(StoreError::Cause::busy, fmt::format("{}: no {} was free within {} ms; try again",
                                                                  connections_.front()->path(), what_, busy_timeout_.timeout_ms));
        }
    }
    Database* database = free_.back(); // the last one given back has the warmest cache
    free_.pop_back();
    return {*this, *database};
}

std::optional<Lease> Pool::try_lease() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        return std::nullopt;
    }
    Database* database = free_.back();
    free_.pop_back();
    return Lease(*this, *database);
}

void Pool::give_back(Database& database) {
    {
        const std::lock_guard lock(mutex_);
        free_.push_back(&database);
    }
    freed_.notify_one();
}

} // namespace costcurve::storage::sqlite
