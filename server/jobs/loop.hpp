// A background thread that works while there is work, sleeps until woken, and pauses after a failure.
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
    /// Does the next piece of work; false if there is none. If it throws, it is called again after a pause.
    using Turn = std::function<bool()>;
    /// Called before the thread sleeps or pauses, with the last turn's exception or nothing. May be empty.
    using Rests = std::function<void(const std::optional<failure::Thrown>& thrown)>;

    /// `name` identifies the loop in the log.
    Loop(std::string name, failure::LogFailure log) : name_(std::move(name)), guard_(std::move(log)) {}
    ~Loop() { stop(); }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    /// Starts the thread; call it once. The functions' data must live until `stop` or the destructor returns.
    void start(Turn turn, Rests rests = {});
    /// Requests a stop after the current turn, without waiting.
    void ask_to_stop();
    /// Stops the thread; returns after the current turn.
    void stop();
    /// Wakes the thread to look for work.
    void wake();
    [[nodiscard]] bool is_stopping() const { return stopping_; }
    /// Pauses within a turn; false if the loop is stopped meanwhile.
    [[nodiscard]] bool pause(std::chrono::milliseconds time);
    /// The loop's guard; use it within a turn or after the loop has stopped.
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
