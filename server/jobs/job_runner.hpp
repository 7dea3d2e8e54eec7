// Questions that are answered later, on threads of their own. What a question is, its maker knows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/loop.hpp"
#include "server/jobs/threads.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::jobs {

/// How a job ended: done with an answer, or failed with a problem.
struct JobEnd {
    storage::JobState state = storage::JobState::done;
    std::string answer; ///< JSON
};

/// Answers a job; nothing where the watch found it unwanted. From several threads at once. May throw StoreError: it is tried again
/// then.
using AnswerJob = std::function<std::optional<JobEnd>(const storage::Job& job, const Watch& watch)>;

/// How far a job is: tasks of the stage at hand.
struct JobProgress {
    std::size_t done = 0;
    std::size_t total = 0;
};

/// How many jobs are done at once, each of another author: a long one keeps its author's next waiting, not others'.
inline constexpr std::size_t kJobSeats = 3;

/// The daemon's threads that answer jobs. What was begun when the daemon was stopped or killed is begun again at its next start. A
/// store that fails makes them wait and try again; an answer that was made is not lost by that.
class JobRunner {
public:
    JobRunner(storage::Jobs& store, AnswerJob answer, const failure::LogFailure& log);
    ~JobRunner();
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;

    /// Looks for jobs now: one was queued, or ended.
    void wake();
    /// Another process has changed something: looks for jobs, and whether those at hand were cancelled. May throw StoreError.
    void hear();
    /// Ends the work at jobs at hand that the store has as ended: by another process, or because their author's key was revoked.
    /// May throw StoreError.
    void leave_cancelled();
    /// Ends the work at a job that was cancelled, where it is at hand.
    void cancel(std::int64_t id);
    /// Nothing where the job isn't at hand.
    [[nodiscard]] std::optional<JobProgress> progress_of(std::int64_t id) const;

private:
    struct Seat {
        explicit Seat(const failure::LogFailure& log) : loop("jobs", log) {}
        std::optional<storage::Job> job; ///< at hand; of the thread alone, as the next
        std::optional<JobEnd> end;       ///< that is to be stored
        std::atomic<bool> is_cancelled = false;
        std::int64_t running = 0; ///< guarded by `mutex_`, as the next
        JobProgress progress;
        Loop loop; ///< last: it uses the others
    };

    [[nodiscard]] std::vector<std::int64_t> at_hand() const;
    [[nodiscard]] bool begin(Seat& seat);
    bool step(Seat& seat);
    void stop_job(Seat& seat);

    storage::Jobs& store_;
    AnswerJob answer_;
    std::mutex beginning_; ///< one seat at a time looks for its next job
    mutable std::mutex mutex_;
    std::deque<Seat> seats_;
};

} // namespace costcurve::jobs
