// Runs jobs (requests answered later) on its own threads. The constructor's argument knows how to answer them.
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

/// Answers a job; nothing if the watch stopped it. Called from several threads. May throw StoreError: the job is then retried.
using AnswerJob = std::function<std::optional<JobEnd>(const storage::Job& job, const Watch& watch)>;

/// Progress of a job: done tasks of the current stage.
struct JobProgress {
    std::size_t done = 0;
    std::size_t total = 0;
};

/// Number of concurrent jobs, each of a different author, so that a long job delays only its author's next ones.
inline constexpr std::size_t kJobSeats = 3;

/// The daemon's threads that answer jobs. A job interrupted by a stop or crash is restarted at the next start. Store failures are
/// retried; a finished answer isn't lost.
class JobRunner {
public:
    JobRunner(storage::Jobs& store, AnswerJob answer, const failure::LogFailure& log);
    ~JobRunner();
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;

    /// Looks for jobs now: one was queued, or ended.
    void wake();
    /// Called after another process's change: looks for jobs, and for cancelled running jobs. May throw StoreError.
    void hear();
    /// Stops running jobs that have ended in the store: cancelled by another process, or their author's key was revoked. May throw
    /// StoreError.
    void leave_cancelled();
    /// Stops a cancelled job if it is running here.
    void cancel(std::int64_t id);
    /// Progress of a job; nothing unless it is running here.
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
