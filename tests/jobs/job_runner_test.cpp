// Jobs over a real store: answered, cancelled, stopped in the middle, and where the store fails.
#include "server/jobs/job_runner.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>

#include <gtest/gtest.h>

#include "server/storage/open_store.hpp"
#include "tests/storage/store_place.hpp"

namespace costcurve::jobs {
namespace {

class JobRuns : public testing::Test {
protected:
    std::int64_t queue(const std::string& request = "{}", const std::string& author = "alice") const {
        return store->queue_job({author, ""}, {"/v1/map", request}).value();
    }
    // Waits for a state, or a minute.
    [[nodiscard]] bool becomes(std::int64_t id, storage::JobState state) const {
        for (int i = 0; i < 60'000 && store->job(id)->state != state; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return store->job(id)->state == state;
    }
    static std::optional<JobEnd> echo(const storage::Job& job, const Watch& /*watch*/) {
        return JobEnd{storage::JobState::done, job.request};
    }
    // Goes on until nobody wants it.
    static std::optional<JobEnd> endless(const storage::Job& /*job*/, const Watch& watch) {
        watch.progress(3, 9);
        while (!watch.is_unwanted()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return std::nullopt;
    }

    tests::StorePlace place;
    std::unique_ptr<storage::Store> store = storage::open_store({.path = place.path()});
};

TEST_F(JobRuns, AreAnsweredWhenQueuedBeforeAndAfterTheStart) {
    const std::int64_t before = queue(R"({"a":1})");
    JobRunner runner(*store, echo, nullptr);
    EXPECT_TRUE(becomes(before, storage::JobState::done));
    EXPECT_EQ(store->job(before)->answer, R"({"a":1})");
    const std::int64_t after = queue(R"({"a":2})");
    runner.wake();
    EXPECT_TRUE(becomes(after, storage::JobState::done));
    EXPECT_EQ(store->job(after)->answer, R"({"a":2})");
}

TEST_F(JobRuns, ThatAreStoppedWaitForTheNextStart) {
    const std::int64_t id = queue();
    {
        JobRunner runner(*store, endless, nullptr);
        ASSERT_TRUE(becomes(id, storage::JobState::running));
        while (!runner.progress_of(id) || runner.progress_of(id)->total == 0) {
            std::this_thread::yield();
        }
        EXPECT_EQ(runner.progress_of(id)->done, 3);
        EXPECT_FALSE(runner.progress_of(id + 1));
    }
    EXPECT_EQ(store->job(id)->state, storage::JobState::queued);
    EXPECT_EQ(store->job(id)->starts, 0) << "it did not end the daemon";
    const JobRunner runner(*store, echo, nullptr);
    EXPECT_TRUE(becomes(id, storage::JobState::done));
}

TEST_F(JobRuns, ThatAreCancelledMakeRoomForTheNext) {
    const std::int64_t id = queue();
    const std::int64_t next = queue();
    JobRunner runner(
        *store, [&](const storage::Job& job, const Watch& watch) { return job.id == id ? endless(job, watch) : echo(job, watch); },
        nullptr);
    while (!runner.progress_of(id)) {
        std::this_thread::yield();
    }
    EXPECT_TRUE(store->end_job(id, storage::JobState::cancelled));
    runner.cancel(id);
    EXPECT_TRUE(becomes(next, storage::JobState::done));
    EXPECT_EQ(store->job(id)->state, storage::JobState::cancelled);
}

TEST_F(JobRuns, OfOthersAreDoneWhileOneGoesOn) {
    const std::int64_t first = queue();
    const std::int64_t waits = queue();
    std::vector<std::int64_t> others;
    JobRunner runner(
        *store,
        [&](const storage::Job& job, const Watch& watch) { return job.id == first ? endless(job, watch) : echo(job, watch); },
        nullptr);
    ASSERT_TRUE(becomes(first, storage::JobState::running));
    for (const char* const author : {"bob", "carol", "dave", "bob"}) {
        others.push_back(queue("{}", author));
    }
    runner.wake();
    for (const std::int64_t id : others) {
        EXPECT_TRUE(becomes(id, storage::JobState::done));
    }
    EXPECT_TRUE(runner.progress_of(first));
    EXPECT_EQ(store->job(waits)->state, storage::JobState::queued) << "a key has one seat";
    EXPECT_TRUE(store->end_job(first, storage::JobState::cancelled));
    runner.cancel(first);
    EXPECT_TRUE(becomes(waits, storage::JobState::done));
}

TEST_F(JobRuns, AreTriedAgainWhereTheStoreFails) {
    const std::int64_t id = queue();
    std::atomic<int> tries = 0;
    std::atomic<int> logged = 0;
    JobRunner runner(
        *store,
        [&](const storage::Job& job, const Watch& watch) {
            if (++tries == 1) {
                throw storage::StoreError(storage::StoreError::Cause::busy, "locked");
            }
            return echo(job, watch);
        },
        [&](std::string_view, std::string_view) { ++logged; });
    EXPECT_TRUE(becomes(id, storage::JobState::done));
    EXPECT_EQ(tries, 2);
    EXPECT_EQ(store->job(id)->starts, 1) << "it was begun once";
    EXPECT_GE(logged, 1);
}

} // namespace
} // namespace costcurve::jobs
