// Every task once, on any number of workers; and what ends a run early.
#include "server/jobs/threads.hpp"

#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "model/stop.hpp"

namespace costcurve::tests {
namespace {

using jobs::Ended;
using jobs::Threads;
using jobs::Watch;

TEST(Threads, EveryTaskRunsOnceWithAWorkerBelowTheirNumber) {
    for (const std::size_t workers : {1U, 2U, 5U}) {
        for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
            Threads threads(workers, {});
            std::vector<std::atomic<int>> times(count);
            std::atomic<bool> in_range = true;
            EXPECT_TRUE(threads.runner().run(count, [&](std::size_t worker, std::size_t task) {
                in_range = in_range && worker < workers;
                ++times[task];
            }));
            EXPECT_TRUE(in_range);
            EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](const auto& n) { return n == 1; }));
            EXPECT_EQ(threads.ended(), Ended::whole);
        }
    }
}

TEST(Threads, AsManyTasksAreUnderWayAtOnceAsThereAreWorkers) {
    Threads threads(3, {});
    std::latch all_under_way(3);
    EXPECT_TRUE(threads.runner().run(3, [&](std::size_t /*worker*/, std::size_t /*task*/) { all_under_way.arrive_and_wait(); }));
}

// A task that goes on until it is cancelled.
bool run_until_stopped(Threads& threads, std::atomic<std::size_t>& begun) {
    return threads.runner().run(1'000'000'000, [&](std::size_t /*worker*/, std::size_t /*task*/) {
        ++begun;
        std::this_thread::yield();
    });
}

TEST(Threads, ARunThatNobodyWantsEnds) {
    std::atomic<std::size_t> begun = 0;
    Watch watch;
    watch.is_unwanted = [&] { return begun > 0; };
    Threads threads(2, watch);
    EXPECT_FALSE(run_until_stopped(threads, begun));
    EXPECT_EQ(threads.ended(), Ended::unwanted);
}

TEST(Threads, ARunPastItsDeadlineEndsAndTheNextOneTells) {
    std::atomic<std::size_t> begun = 0;
    Watch watch;
    watch.deadline = std::chrono::steady_clock::now();
    Threads threads(2, watch);
    EXPECT_FALSE(run_until_stopped(threads, begun));
    EXPECT_EQ(threads.ended(), Ended::late);
    EXPECT_FALSE(run_until_stopped(threads, begun));
    EXPECT_EQ(threads.ended(), Ended::late);
}

TEST(Threads, ProgressGrowsToNoMoreThanTheTotal) {
    std::atomic<bool> heard = false;
    std::size_t last = 0;
    Watch watch;
    watch.progress = [&](std::size_t done, std::size_t total) {
        EXPECT_GE(done, last);
        EXPECT_LE(done, total);
        EXPECT_EQ(total, 64U);
        last = done;
        heard = true;
    };
    Threads threads(2, watch);
    EXPECT_TRUE(threads.runner().run(64, [&](std::size_t /*worker*/, std::size_t task) {
        while (task == 63 && !heard) { // the last one waits until somebody has asked
            std::this_thread::yield();
        }
    }));
    EXPECT_TRUE(heard);
}

TEST(Threads, WhatATaskThrowsIsThrownByTheRun) {
    Threads threads(3, {});
    EXPECT_THROW(std::ignore = threads.runner().run(100,
                                                    [](std::size_t /*worker*/, std::size_t task) {
                                                        if (task == 7) {
                                                            throw std::runtime_error("seven");
                                                        }
                                                    }),
                 std::runtime_error);
}

TEST(Threads, AreTheSameInRunAfterRun) {
    Threads threads(2, {});
    std::mutex mutex;
    std::set<std::thread::id> seen;
    for (const std::size_t count : {1U, 100U, 0U, 1U, 100U}) {
        std::atomic<std::size_t> done = 0;
        EXPECT_TRUE(threads.run(count, [&](std::size_t /*worker*/, std::size_t /*task*/) {
            const std::lock_guard lock(mutex);
            seen.insert(std::this_thread::get_id());
            ++done;
        }));
        EXPECT_EQ(done, count);
    }
    EXPECT_LE(seen.size(), 2U);
}

TEST(Threads, TheCallerDoesItsOwnMeanwhile) {
    Threads threads(2, {});
    std::latch both(2);
    std::thread::id caller;
    EXPECT_TRUE(threads.run(
        1, [&](std::size_t /*worker*/, std::size_t /*task*/) { both.arrive_and_wait(); },
        [&] {
            caller = std::this_thread::get_id();
            both.arrive_and_wait();
        }));
    EXPECT_EQ(caller, std::this_thread::get_id());

    const auto nothing = [](std::size_t /*worker*/, std::size_t /*task*/) {};
    EXPECT_THROW(threads.run(1'000'000'000, nothing, [] { throw std::runtime_error("the disk is full"); }), std::runtime_error);
    EXPECT_TRUE(threads.run(3, nothing)) << "and the next run is a run";
}

TEST(Threads, ATaskThatNeverEndsEndsWithItsRun) {
    Watch watch;
    watch.is_unwanted = [] { return true; };
    Threads threads(2, watch);
    EXPECT_FALSE(threads.runner().run(2, [](std::size_t /*worker*/, std::size_t /*task*/) {
        while (true) {
            model::stop_where_unwanted();
        }
    }));
    EXPECT_EQ(threads.ended(), Ended::unwanted);
}

TEST(Threads, ThreadsThatStepBackAreNicerThanTheCaller) {
    Watch watch;
    watch.low_priority = true;
    Threads threads(1, watch);
    const int mine = getpriority(PRIO_PROCESS, 0);
    int theirs = 0;
    EXPECT_TRUE(
        threads.runner().run(1, [&](std::size_t /*worker*/, std::size_t /*task*/) { theirs = getpriority(PRIO_PROCESS, 0); }));
    EXPECT_EQ(theirs, std::max(mine, 10));
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), mine);
}

} // namespace
} // namespace costcurve::tests
