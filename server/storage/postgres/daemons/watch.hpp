// A thread with one connection of its own: listens for other daemons' changes (LISTEN) and renews this daemon's leases.
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

/// Thread-safe. The thread starts with the first call and reconnects after a failure; notifications sent meanwhile are lost.
class StoreWatch {
public:
    StoreWatch(std::string url, ConnectionSettings settings, std::string holder)
        : url_(std::move(url)), settings_(settings), holder_(std::move(holder)) {}
    ~StoreWatch();
    StoreWatch(const StoreWatch&) = delete;
    StoreWatch& operator=(const StoreWatch&) = delete;

    /// Waits for a change since the last call. True if there was one or at the timeout; false if stopped.
    [[nodiscard]] bool wait(std::chrono::milliseconds timeout, const std::stop_token& stop);
    /// Starts renewing this daemon's leases; renewal stops once it holds none.
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
    std::uint64_t changes_ = 0; ///< number of notified changes
    std::uint64_t seen_ = 0;    ///< number of changes that wait() has reported
    std::jthread thread_;
};

} // namespace costcurve::storage::postgres
