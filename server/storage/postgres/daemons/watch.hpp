// A thread that holds one connection, not from a pool: it hears what other daemons change (LISTEN), and renews the leases of what
// this one holds.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// Thread-safe. The thread begins with the first call. Where the connection breaks it makes another one; what is notified meanwhile
/// is not heard.
class StoreWatch {
public:
    StoreWatch(std::string url, ConnectionSettings settings, std::string holder)
        : url_(std::move(url)), settings_(settings), holder_(std::move(holder)) {}
    ~StoreWatch();
    StoreWatch(const StoreWatch&) = delete;
    StoreWatch& operator=(const StoreWatch&) = delete;

    /// Returns true when a change was heard since the last call returned, or at the timeout; false where it was stopped.
    [[nodiscard]] bool wait(std::chrono::milliseconds timeout, const std::stop_token& stop);
    /// Starts renewing this daemon's leases, until it holds no more.
    void hold();

private:
    void begin();
    void run(const std::stop_token& stop);
    void listen(const std::stop_token& stop);
    void renew(Connection& connection);
    void note_heard();

    std::string url_;
    ConnectionSettings settings_;
    std::string holder_;
    std::atomic<bool> is_holding_ = false;
    std::mutex mutex_; ///< guards what follows
    std::condition_variable_any heard_;
    std::uint64_t changes_ = 0; ///< that were heard
    std::uint64_t seen_ = 0;    ///< of them, by wait
    std::jthread thread_;
};

} // namespace costcurve::storage::postgres
