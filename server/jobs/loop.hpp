// The thread of a loop: it does what there is to do, sleeps until it is woken, and pauses where a turn fails.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "server/failure/guard.hpp"

namespace costcurve::jobs {

class Loop {
public:
    /// Does the next thing; false where there is none. May throw: it is called again after a pause.
    using Turn = std::function<bool()>;
    /// Before the thread sleeps or pauses: what the last turn threw, or nothing. May be empty.
    using Rests = std::function<void(const std::optional<failure::Thrown>& thrown)>;

    /// `name` is the operator's, in the log.
    Loop(std::string name, failure::LogFailure log) : name_(std::move(name)), guard_(std::move(log)) {}
    ~Loop() { stop(); }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    /// Once; what the functions use must live until `stop` or the destructor has returned.
    void start(Turn turn, Rests rests = {});
    /// The turn at hand is the last; does not wait for its end.
    void ask_to_stop();
    /// Returns when the turn at hand is over.
    void stop();
    /// Looks now for something to do.
    void wake();
    [[nodiscard]] bool is_stopping() const { return stopping_; }
    /// Within a turn; false where the loop is stopped meanwhile.
    [[nodiscard]] bool pause(std::chrono::milliseconds time);
    /// Within a turn, or when the loop has stopped.
    [[nodiscard]] failure::Guard& guard() { return guard_; }

private:
    void run(const Turn& turn, const Rests& rests);

    std::string name_;
    failure::Guard guard_;
    std::atomic<bool> stopping_ = false;
    std::mutex mutex_; ///< guards what follows
    std::condition_variable woken_;
    bool is_woken_ = true;
    std::thread thread_;
};

} // namespace costcurve::jobs
