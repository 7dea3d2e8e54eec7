// A pool of threads that take tasks by a counter; the calling thread waits and reports progress.
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

#include "model/stop.hpp"

namespace costcurve::jobs {

namespace {

// On Linux a priority is a thread's.
void step_back() {
    constexpr int kBehindRequests = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), std::max(kBehindRequests, getpriority(PRIO_PROCESS, 0)));
}

} // namespace

// The threads, and the run at hand: its tasks that are left, and how many threads have not ended it.
struct Threads::Pool {
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> count = 0; ///< tasks of the run
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> stopped = false; ///< tasks that are under way end too
    std::atomic<bool> paused = false;  ///< tasks that are under way wait
    std::mutex mutex;                  ///< guards what follows
    std::condition_variable wake;
    std::condition_variable ended;
    const model::Task* task = nullptr;
    std::size_t run = 0; ///< its number
    std::size_t working = 0;
    std::exception_ptr thrown;
    bool ending = false;
    std::vector<std::jthread> threads;

    ~Pool() {
        {
            const std::lock_guard lock(mutex);
            ending = true;
        }
        wake.notify_all();
        threads.clear(); // before what they refer to
    }

    void stop() {
        stopped = true;
        next = count.load();
        pause(false);
    }

    void pause(bool is_paused) {
        paused = is_paused && !stopped;
        paused.notify_all();
    }

    // Threads for so many tasks, with the mutex held. Where no more are to be had, those that there are do the work.
    void grow(std::size_t wanted, bool low_priority) {
        while (threads.size() < wanted) {
            try {
                threads.emplace_back([this, worker = threads.size(), last = run, low_priority] {
                    if (low_priority) {
                        step_back();
                    }
                    work(worker, last);
                });
            } catch (...) {
                if (threads.empty()) {
                    throw;
                }
                break;
            }
        }
    }

    // Of one thread: runs after the last, until the pool ends.
    void work(std::size_t worker, std::size_t last) {
        const std::function<bool()> goes_on = [this] {
            paused.wait(true);
            return !stopped;
        };
        const model::Stoppable here(goes_on);
        std::unique_lock lock(mutex);
        while (true) {
            wake.wait(lock, [&] { return ending || run != last; });
            if (ending) {
                return;
            }
            last = run;
            const model::Task& of_run = *task;
            lock.unlock();
            std::exception_ptr error;
            try {
                for (std::size_t i = next++; i < count; i = next++) {
                    of_run(worker, i);
                    ++done;
                }
            } catch (const model::Stopped&) { // NOLINT(bugprone-empty-catch): the run is not whole, which says it
            } catch (...) {
                error = std::current_exception();
                stop();
            }
            lock.lock();
            thrown = thrown ? thrown : error;
            if (--working == 0) {
                ended.notify_all();
            }
        }
    }

    // Where what watches throws, the tasks that are left are not waited for.
    struct End {
        explicit End(Pool& of) : pool(of) {}
        ~End() {
            pool.stop();
            std::unique_lock lock(pool.mutex);
            pool.ended.wait(lock, [&] { return pool.working == 0; });
        }
        End(const End&) = delete;
        End& operator=(const End&) = delete;
        Pool& pool;
    };
};

Threads::Threads(std::size_t workers, Watch watch)
    : workers_(workers > 0 ? workers : std::max(1U, std::thread::hardware_concurrency())), watch_(std::move(watch)),
      pool_(std::make_unique<Pool>()) {}
Threads::~Threads() = default;

model::Runner Threads::runner() {
    return {workers_, [this](std::size_t count, const model::Task& task) { return run(count, task); }};
}

bool Threads::run(std::size_t count, const model::Task& task, const std::function<void()>& meanwhile) {
    ended_ = Ended::whole;
    Pool& pool = *pool_;
    {
        const std::lock_guard lock(pool.mutex);
        pool.grow(std::min(workers_, count), watch_.low_priority);
        pool.next = 0;
        pool.count = count;
        pool.done = 0;
        pool.stopped = false;
        pool.paused = false;
        pool.task = &task;
        pool.thrown = nullptr;
        pool.working = pool.threads.size();
        ++pool.run;
    }
    pool.wake.notify_all();
    {
        const Pool::End end(pool);
        if (meanwhile) {
            meanwhile();
        }
        watch(pool, count);
    }
    if (pool.thrown) {
        std::rethrow_exception(pool.thrown);
    }
    if (pool.done == count) {
        ended_ = Ended::whole; // the last task was done meanwhile
    }
    return ended_ == Ended::whole;
}

// Until no thread works on the run any more.
void Threads::watch(Pool& pool, std::size_t count) {
    constexpr std::chrono::milliseconds kEvery{50};
    std::unique_lock lock(pool.mutex);
    while (!pool.ended.wait_for(lock, kEvery, [&] { return pool.working == 0; })) {
        lock.unlock();
        if (watch_.progress) {
            watch_.progress(pool.done, count);
        }
        if (ended_ == Ended::whole && watch_.is_unwanted && watch_.is_unwanted()) {
            ended_ = Ended::unwanted;
        } else if (ended_ == Ended::whole && std::chrono::steady_clock::now() >= watch_.deadline) {
            ended_ = Ended::late;
        }
        pool.pause(watch_.has_turn && !watch_.has_turn());
        if (ended_ != Ended::whole) {
            pool.stop();
        }
        lock.lock();
    }
}

} // namespace costcurve::jobs
