// Lends connections, and counts the callers that had to wait. Who borrows a connection owns it meanwhile.
#include "server/storage/postgres/engine/pool.hpp"

#include <utility>

#include <fmt/format.h>

namespace costcurve::storage::postgres {

Lease::Lease(Lease&& other) noexcept : pool_(other.pool_), connection_(std::exchange(other.connection_, nullptr)) {}

Lease& Lease::operator=(Lease&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(connection_, other.connection_);
    return *this;
}

Lease::~Lease() {
    if (connection_ != nullptr) {
        pool_->give_back(*connection_);
    }
}

Pool::Pool(std::string url, ConnectionSettings settings, std::size_t size, BusyTimeout busy_timeout, const char* what)
    : url_(std::move(url)), settings_(settings), busy_timeout_(busy_timeout), what_(what), free_(size) {}

// Connects outside of the mutex; a place that couldn't be connected goes back.
Lease Pool::connected(std::unique_ptr<Connection> connection) {
    try {
        if (connection == nullptr) {
            connection = std::make_unique<Connection>(url_, settings_);
        } else if (connection->is_lost()) {
            connection->reconnect();
        }
    } catch (...) {
        {
            const std::lock_guard lock(mutex_);
            free_.insert(free_.begin(), std::move(connection));
        }
        freed_.notify_one();
        throw;
    }
    return {*this, *connection.release()}; // give_back() takes it
}

Lease Pool::lease() {
    std::unique_lock lock(mutex_);
    if (free_.empty()) {
        busy_timeout_.waits->fetch_add(1, std::memory_order_relaxed);
        if (!freed_.wait_for(lock, std::chrono::milliseconds(busy_timeout_.timeout_ms), [this] { return !free_.empty(); })) {
            throw StoreError(StoreError::Cause::busy,
                             fmt::format("no {} was free within {} ms; try again", what_, busy_timeout_.timeout_ms));
        }
    }
    std::unique_ptr<Connection> connection = std::move(free_.back()); // the last one given back knows most statements
    free_.pop_back();
    lock.unlock();
    return connected(std::move(connection));
}

std::optional<Lease> Pool::try_lease() {
    std::unique_lock lock(mutex_);
    if (free_.empty()) {
        return std::nullopt;
    }
    std::unique_ptr<Connection> connection = std::move(free_.back());
    free_.pop_back();
    lock.unlock();
    return connected(std::move(connection));
}

void Pool::give_back(Connection& connection) {
    std::unique_ptr<Connection> owned(&connection);
    {
        const std::lock_guard lock(mutex_);
        free_.push_back(std::move(owned));
    }
    freed_.notify_one();
}

} // namespace costcurve::storage::postgres
