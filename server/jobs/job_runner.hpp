// Questions that are answered later, one after another, on a thread of its own. What a question is, its maker knows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "server/jobs/loop.hpp"
#include "server/jobs/threads.hpp"
#include "server/storage/store.hpp"

namespace costcurve::jobs {

/// How a job ended: done with an answer, or failed with a problem.
struct JobEnd {
    storage::JobState state = storage::JobState::done;
    std::string answer; ///< JSON
};

/// Answers a job; nothing where the watch found it unwanted. May throw StoreError: it is tried again then.
using AnswerJob = std::function<std::optional<JobEnd>(const storage::Job& job, const Watch& watch)>;

/// How far a job is: tasks of the stage at hand.
struct JobProgress {
    std::size_t done = 0;
    std::size_t total = 0;
};

/// The daemon's thread that answers jobs. What was begun when the daemon was stopped or killed is begun again at its next start. A
/// store that fails makes it wait and try again; an answer that was made is not lost by that.
class JobRunner {
public:
    JobRunner(storage::Store& store, AnswerJob answer, failure::LogFailure log);
    ~JobRunner();
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;

    /// Looks for jobs now: one was queued.
    void wake() { loop_.wake(); }
    /// Another process has changed something: looks for jobs, and whether the one at hand was cancelled. May throw StoreError.
    void hear();
    /// Ends the work at a job that was cancelled, where it is the one at hand.
    void cancel(std::int64_t id);
    /// Nothing where the job isn't the one at hand.
    [[nodiscard]] std::optional<JobProgress> progress_of(std::int64_t id) const;

private:
    bool step();
    void stop_job();

    storage::Store& store_;
    AnswerJob answer_;
    std::optional<storage::Job> job_; ///< at hand; of the thread alone, as the next
    std::optional<JobEnd> end_;       ///< that is to be stored
    std::atomic<bool> is_cancelled_ = false;
    mutable std::mutex mutex_; ///< guards what follows
    std::int64_t running_ = 0;
    JobProgress progress_;
    Loop loop_; ///< last: it uses the others
};

} // namespace costcurve::jobs
