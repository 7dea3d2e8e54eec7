// Pool of connections that threads borrow one at a time. Knows no SQL. A borrower has exclusive use of its connection.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/storage/error.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

template <std::derived_from<Connection> Held> class Pool;

/// Size of a read. Large reads always leave one connection to small reads, which so never wait for them.
enum class ReadSize { small, large };

/// A borrowed connection; the destructor returns it to the pool.
template <std::derived_from<Connection> Held> class Lease {
public:
    Lease(Lease&& other) noexcept = default;
    Lease& operator=(Lease&& other) noexcept {
        std::swap(pool_, other.pool_);
        std::swap(connection_, other.connection_);
        return *this;
    }
    ~Lease() {
        if (connection_ != nullptr) {
            pool_->give_back(std::move(connection_));
        }
    }
    Held& operator*() const { return *connection_; }
    Held* operator->() const { return connection_.get(); }

private:
    friend class Pool<Held>;
    Lease(Pool<Held>& pool, std::unique_ptr<Held> connection) : pool_(&pool), connection_(std::move(connection)) {}

    Pool<Held>* pool_;
    std::unique_ptr<Held> connection_;
};

/// Thread-safe. Outlives its leases. Counts the callers that had to wait.
template <std::derived_from<Connection> Held> class Pool {
public:
    /// Opens or repairs a connection before it is lent, outside of the pool's lock. Throws StoreError; its place then stays free.
    using MakeReady = std::function<void(std::unique_ptr<Held>& connection)>;

    /// `connections` may contain null pointers if `make_ready` opens them. `what` names a connection in the busy timeout's message.
    Pool(std::vector<std::unique_ptr<Held>> connections, BusyTimeout busy_timeout, std::string what, MakeReady make_ready = {})
        : busy_timeout_(busy_timeout), what_(std::move(what)), make_ready_(std::move(make_ready)),
          left_by_large_(connections.size() > 1 ? 1 : 0), free_(std::move(connections)) {}

    /// Waits for a free connection. Throws StoreError: busy at the busy timeout, or the error of `make_ready`.
    [[nodiscard]] Lease<Held> lease(ReadSize size = ReadSize::small) {
        const std::size_t left = size == ReadSize::large ? left_by_large_ : 0;
        const auto may_take = [&] { return free_.size() > left; };
        std::unique_lock lock(mutex_);
        if (!may_take()) {
            busy_timeout_.waits->fetch_add(1, std::memory_order_relaxed);
            if (!freed_.wait_for(lock, std::chrono::milliseconds(busy_timeout_.timeout_ms), may_take)) {
                throw StoreError(StoreError::Cause::busy,
                                 fmt::format("no {} was free within {} ms; try again", what_, busy_timeout_.timeout_ms));
            }
        }
        return take(std::move(lock));
    }
    /// A connection; nullopt if all are in use.
    [[nodiscard]] std::optional<Lease<Held>> try_lease() {
        std::unique_lock lock(mutex_);
        return free_.empty() ? std::nullopt : std::optional(take(std::move(lock)));
    }

private:
    friend class Lease<Held>;

    Lease<Held> take(std::unique_lock<std::mutex> lock) {
        std::unique_ptr<Held> connection = std::move(free_.back()); // the connection returned last has most statements prepared
        free_.pop_back();
        lock.unlock();
        if (make_ready_) {
            try {
                make_ready_(connection);
            } catch (...) {
                lock.lock();
                free_.insert(free_.begin(), std::move(connection));
                lock.unlock();
                freed_.notify_all();
                throw;
            }
        }
        return {*this, std::move(connection)};
    }
    void give_back(std::unique_ptr<Held> connection) {
        {
            const std::lock_guard lock(mutex_);
            free_.push_back(std::move(connection));
        }
        freed_.notify_all(); // a woken thread may have to leave the connection to another
    }

    BusyTimeout busy_timeout_;
    std::string what_;
    MakeReady make_ready_;
    std::size_t left_by_large_;
    std::mutex mutex_;
    std::condition_variable freed_;
    std::vector<std::unique_ptr<Held>> free_; // guarded by mutex_
};

} // namespace costcurve::storage::sql
