// Delivers the outbox's events to webhooks on its own thread, until each delivery is delivered or dead. At least once: a delivery
// sent but not recorded when the process ends is sent again under the same delivery id.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "server/failure/guard.hpp"
#include "server/outgoing/backoff.hpp"
#include "server/outgoing/courier.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::outgoing {

struct DispatchSettings {
    bool allow_private = false; ///< addresses that are not public too
    double first_retry_s = kFirstRetry;
    std::function<std::string(const storage::DueDelivery& delivery)> encode; ///< the body that is sent
    failure::LogFailure log = nullptr;                                       ///< the store or the service failed
    failure::LogFailure log_dead = nullptr;                                  ///< a delivery that is given up
};

class Dispatcher {
public:
    /// Begins at once.
    Dispatcher(storage::Outbox& outbox, const storage::DocumentStore& clock, DispatchSettings settings);
    /// Stops; what is under way is cut off and will be sent again.
    ~Dispatcher();
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    /// Wakes the thread for a new event. Without it, events are noticed within seconds, like those of other processes. Callable
    /// from any thread.
    void wake() { courier_.wake(); }

private:
    void run();
    void wait(std::chrono::milliseconds max_wait);
    void note_what_ended();
    void start_what_is_due();
    [[nodiscard]] std::chrono::milliseconds pause() const;
    void end(const storage::DueDelivery& delivery, const Sent& sent);

    storage::Outbox& outbox_;
    const storage::DocumentStore& clock_; // source of the current time
    DispatchSettings settings_;
    failure::Guard guard_;
    Courier courier_;
    std::map<std::int64_t, storage::DueDelivery> under_way_; ///< by row; at most one a webhook
    std::deque<storage::DeliveryAttempt> ended_;             ///< not yet in the store
    std::mutex mutex_;                                       ///< guards the wait for it
    std::condition_variable stopped_;
    std::atomic<bool> stopping_ = false;
    std::thread thread_; ///< the last: it uses the others
};

} // namespace costcurve::outgoing
