// Waits for notices of other daemons, in turns short enough to stop.
#include "server/storage/postgres/daemons/watch.hpp"

#include <poll.h>

#include "server/storage/postgres/daemons/lease.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::chrono::milliseconds kTurn{200};      // interval between checks of the stop token
constexpr std::chrono::milliseconds kReconnect{500}; // delay before a lost or failed connection is opened again

} // namespace

StoreWatch::~StoreWatch() {
    if (thread_.joinable()) {
        thread_.request_stop();
        heard_.notify_all();
        thread_.join();
    }
}

void StoreWatch::begin() {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) {
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
}

bool StoreWatch::wait(std::chrono::milliseconds timeout, const std::stop_token& stop) {
    begin();
    std::unique_lock lock(mutex_);
    heard_.wait_for(lock, stop, timeout, [this] { return changes_ != seen_; });
    seen_ = changes_;
    return !stop.stop_requested();
}

void StoreWatch::hold() {
    is_holding_ = true;
    begin();
}

void StoreWatch::note_heard() {
    const std::lock_guard lock(mutex_);
    ++changes_;
    heard_.notify_all();
}

void StoreWatch::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        try {
            listen(stop);
        } catch (const StoreError&) { // callers of the store get the same error themselves and poll
            std::unique_lock lock(mutex_);
            heard_.wait_for(lock, stop, kReconnect, [] { return false; });
        }
    }
}

void StoreWatch::renew(Connection& connection) {
    if (!is_holding_) {
        return;
    }
    is_holding_ = false; // the next lease sets it again
    if (renew_leases(connection, holder_)) {
        is_holding_ = true;
    }
}

void StoreWatch::listen(const std::stop_token& stop) {
    Connection connection(url_, settings_);
    connection.execute("LISTEN costcurve");
    note_heard(); // changes from before this connection
    auto next_renewal = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        if (std::chrono::steady_clock::now() >= next_renewal) {
            renew(connection);
            next_renewal = std::chrono::steady_clock::now() + kRenewal;
        }
        if (connection.take_notifications()) { // includes notifications that arrived with a result
            note_heard();
        }
        pollfd waiting{connection.socket(), POLLIN, 0};
        static_cast<void>(poll(&waiting, 1, static_cast<int>(kTurn.count())));
    }
}

} // namespace costcurve::storage::postgres
