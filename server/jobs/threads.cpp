// Threads take the next task from a counter; the one that called waits and watches.
#include "server/jobs/threads.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace costcurve::jobs {

namespace {

// On Linux a priority is a thread's.
void step_back() {
    constexpr int kBehindRequests = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), std::max(kBehindRequests, getpriority(PRIO_PROCESS, 0)));
}

// One run: the tasks that are left, and the threads that have not ended.
struct Run {
    Run(std::size_t the_count, const model::Task& the_task) : count(the_count), task(the_task) {}

    std::size_t count;
    const model::Task& task;
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    std::mutex mutex; ///< guards what follows
    std::condition_variable ended;
    std::size_t working = 0;
    std::exception_ptr thrown;

    void stop() { next = count; }
    void work(std::size_t worker) {
        std::exception_ptr error;
        try {
            for (std::size_t i = next++; i < count; i = next++) {
                task(worker, i);
                ++done;
            }
        } catch (...) {
            error = std::current_exception();
            stop();
        }
        const std::lock_guard lock(mutex);
        thrown = thrown ? thrown : error;
        --working;
        ended.notify_all();
    }
};

struct StopAtEnd {
    explicit StopAtEnd(Run& the_run) : run(the_run) {}
    ~StopAtEnd() { run.stop(); }
    StopAtEnd(const StopAtEnd&) = delete;
    StopAtEnd& operator=(const StopAtEnd&) = delete;
    Run& run;
};

} // namespace

Threads::Threads(std::size_t workers, Watch watch)
    : workers_(workers > 0 ? workers : std::max(1U, std::thread::hardware_concurrency())), watch_(std::move(watch)) {}

model::Runner Threads::runner() {
    return {workers_, [this](std::size_t count, const model::Task& task) { return run(count, task); }};
}

bool Threads::run(std::size_t count, const model::Task& task) {
    constexpr std::chrono::milliseconds kEvery{50};
    ended_ = Ended::whole;
    Run run(count, task);
    std::vector<std::jthread> threads; // ended before what they refer to
    threads.reserve(std::min(workers_, count));
    const StopAtEnd stop_at_end(run); // where what watches throws, the tasks that are left are not waited for
    for (std::size_t worker = 0; worker < std::min(workers_, count); ++worker) {
        {
            const std::lock_guard lock(run.mutex);
            ++run.working;
        }
        const auto body = [&run, worker, back = watch_.low_priority] {
            if (back) {
                step_back();
            }
            run.work(worker);
        };
        try {
            threads.emplace_back(body);
        } catch (...) { // no more threads are to be had: those that there are do the work
            const std::lock_guard lock(run.mutex);
            --run.working;
            if (threads.empty()) {
                throw;
            }
            break;
        }
    }
    std::unique_lock lock(run.mutex);
    while (!run.ended.wait_for(lock, kEvery, [&] { return run.working == 0; })) {
        lock.unlock();
        if (watch_.progress) {
            watch_.progress(run.done, count);
        }
        if (ended_ == Ended::whole && watch_.is_unwanted && watch_.is_unwanted()) {
            ended_ = Ended::unwanted;
        } else if (ended_ == Ended::whole && std::chrono::steady_clock::now() >= watch_.deadline) {
            ended_ = Ended::late;
        }
        if (ended_ != Ended::whole) {
            run.stop();
        }
        lock.lock();
    }
    if (run.thrown) {
        std::rethrow_exception(run.thrown);
    }
    if (run.done == count) {
        ended_ = Ended::whole; // the last task was done meanwhile
    }
    return ended_ == Ended::whole;
}

} // namespace costcurve::jobs
