// Runs queued jobs. An answer that can't be stored is stored later.
#include "server/jobs/job_runner.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace costcurve::jobs {

JobRunner::JobRunner(storage::Jobs& store, AnswerJob answer, const failure::LogFailure& log)
    : store_(store), answer_(std::move(answer)) {
    while (seats_.size() < kJobSeats) {
        seats_.emplace_back(log);
    }
    for (Seat& seat : seats_) {
        seat.loop.start([this, &seat] { return step(seat); });
    }
}

JobRunner::~JobRunner() {
    for (Seat& seat : seats_) {
        seat.loop.ask_to_stop(); // all at once, then each is waited for
    }
    for (Seat& seat : seats_) {
        seat.loop.stop();
    }
    for (Seat& seat : seats_) {
        seat.loop.guard().run("jobs", [&] { stop_job(seat); });
    }
}

void JobRunner::wake() {
    for (Seat& seat : seats_) {
        seat.loop.wake();
    }
}

void JobRunner::hear() {
    wake();
    leave_cancelled();
}

void JobRunner::leave_cancelled() {
    for (const std::int64_t id : at_hand()) {
        const std::optional<storage::Job> job = store_.job(id);
        if (job && storage::has_ended(job->state)) {
            cancel(id);
        }
    }
}

std::vector<std::int64_t> JobRunner::at_hand() const {
    std::vector<std::int64_t> ids;
    const std::lock_guard lock(mutex_);
    for (const Seat& seat : seats_) {
        if (seat.running != 0) {
            ids.push_back(seat.running);
        }
    }
    return ids;
}

void JobRunner::cancel(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    for (Seat& seat : seats_) {
        seat.is_cancelled = seat.is_cancelled || seat.running == id;
    }
}

std::optional<JobProgress> JobRunner::progress_of(std::int64_t id) const {
    const std::lock_guard lock(mutex_);
    const auto seat = std::find_if(seats_.begin(), seats_.end(), [id](const Seat& one) { return one.running == id; });
    return seat != seats_.end() ? std::optional(seat->progress) : std::nullopt;
}

// Starts the next job of an author without a running one; false if there is none.
bool JobRunner::begin(Seat& seat) {
    const std::lock_guard one(beginning_);
    seat.job = store_.begin_job(at_hand());
    const std::lock_guard lock(mutex_);
    seat.running = seat.job ? seat.job->id : 0;
    seat.progress = {};
    seat.is_cancelled = false;
    return seat.job.has_value();
}

// Does the next step of the current job or of the next one; false if no job waits.
bool JobRunner::step(Seat& seat) {
    if (!seat.job && !begin(seat)) {
        return false;
    }
    if (!seat.end) {
        Watch watch;
        watch.low_priority = true;
        watch.is_unwanted = [&seat] { return seat.loop.is_stopping() || seat.is_cancelled; };
        watch.progress = [this, &seat](std::size_t done, std::size_t total) {
            const std::lock_guard lock(mutex_);
            seat.progress = {done, total};
        };
        seat.end = answer_(*seat.job, watch);
    }
    if (seat.end) {
        store_.end_job(seat.job->id, seat.end->state, seat.end->answer); // false where it was cancelled meanwhile
    } else if (seat.loop.is_stopping()) {
        return false; // goes back
    }
    seat.end.reset();
    seat.job.reset();
    {
        const std::lock_guard lock(mutex_);
        seat.running = 0;
    }
    wake(); // another job of this author may be begun
    return true;
}

// Leaves the current job in the state that the next start expects.
void JobRunner::stop_job(Seat& seat) {
    if (seat.job && seat.end) {
        store_.end_job(seat.job->id, seat.end->state, seat.end->answer);
    } else if (seat.job) {
        store_.put_job_back(seat.job->id);
    }
}

} // namespace costcurve::jobs
