// A job is begun, answered and ended; what can't be stored is stored later.
#include "server/jobs/job_runner.hpp"

#include <utility>

namespace costcurve::jobs {

JobRunner::JobRunner(storage::Store& store, AnswerJob answer, failure::LogFailure log)
    : store_(store), answer_(std::move(answer)), loop_("jobs", std::move(log)) {
    loop_.start([this] { return step(); });
}

JobRunner::~JobRunner() {
    loop_.stop();
    loop_.guard().run("jobs", [this] { stop_job(); });
}

void JobRunner::hear() {
    wake();
    std::int64_t running = 0;
    {
        const std::lock_guard lock(mutex_);
        running = running_;
    }
    const std::optional<storage::Job> job = running != 0 ? store_.job(running) : std::nullopt;
    if (job && storage::has_ended(job->state)) {
        cancel(running);
    }
}

void JobRunner::cancel(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = is_cancelled_ || running_ == id;
}

std::optional<JobProgress> JobRunner::progress_of(std::int64_t id) const {
    const std::lock_guard lock(mutex_);
    return running_ == id ? std::optional(progress_) : std::nullopt;
}

// The next step of the job at hand, or of the next one; false where there is none.
bool JobRunner::step() {
    if (!job_) {
        job_ = store_.begin_job();
        const std::lock_guard lock(mutex_);
        running_ = job_ ? job_->id : 0;
        progress_ = {};
        is_cancelled_ = false;
    }
    if (!job_) {
        return false;
    }
    if (!end_) {
        Watch watch;
        watch.low_priority = true;
        watch.is_unwanted = [this] { return loop_.is_stopping() || is_cancelled_; };
        watch.progress = [this](std::size_t done, std::size_t total) {
            const std::lock_guard lock(mutex_);
            progress_ = {done, total};
        };
        end_ = answer_(*job_, watch);
    }
    if (end_) {
        store_.end_job(job_->id, end_->state, end_->answer); // false where it was cancelled meanwhile
    } else if (loop_.is_stopping()) {
        return false; // goes back
    }
    end_.reset();
    job_.reset();
    return true;
}

// Leaves the job at hand as the next start should find it.
void JobRunner::stop_job() {
    if (job_ && end_) {
        store_.end_job(job_->id, end_->state, end_->answer);
    } else if (job_) {
        store_.put_job_back(job_->id);
    }
}

} // namespace costcurve::jobs
