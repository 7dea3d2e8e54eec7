// A runner over threads of its own, for questions that take long: it watches the deadline and whether the answer is still wanted,
// and tells how far it is. Knows no question.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "model/questions/runner.hpp"

namespace costcurve::jobs {

/// What ends a run before its tasks are done, and who hears how far it is. The functions may be empty; the thread that calls run
/// calls them, about twenty times a second, but not while it does its `meanwhile`.
struct Watch {
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::function<bool()> is_unwanted;                                 ///< true: nobody waits for the answer any more
    std::function<void(std::size_t done, std::size_t total)> progress; ///< tasks of the run at hand
    std::function<bool()> has_turn;                                    ///< false: tasks wait until it is true again
    bool low_priority = false;                                         ///< at nice +10, so that short requests go first
};

enum class Ended { whole, late, unwanted };

/// One thread at a time calls run; it waits while the others work. Threads start at the first run that has tasks for them and end
/// with this: between runs they wait, and keep their memory.
class Threads {
public:
    /// `workers` of 0 is one a core.
    Threads(std::size_t workers, Watch watch);
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    /// As model::Runner::run. `meanwhile`, where given, is what the calling thread does first. What that or a task throws ends the
    /// run, and is thrown once no thread works on it any more.
    bool run(std::size_t count, const model::Task& task, const std::function<void()>& meanwhile = {});

    /// Refers to this.
    [[nodiscard]] model::Runner runner();

    /// How the last run ended.
    [[nodiscard]] Ended ended() const { return ended_; }

private:
    struct Pool;

    void watch(Pool& pool, std::size_t count);

    std::size_t workers_;
    Watch watch_;
    std::unique_ptr<Pool> pool_;
    Ended ended_ = Ended::whole;
};

} // namespace costcurve::jobs
