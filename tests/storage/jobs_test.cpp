// Jobs as rows: what is begun, ended, put back and forgotten, and how many there may be.
#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

const NewJob kMapJob{"/v1/map", R"({"x":1})"};
const Author kBob{"bob", "req-2"};

TEST(Jobs, AreBegunInOrderAndEndOnce) {
    SampleStore sample;
    EXPECT_FALSE(sample.store.begin_job());
    const auto first = sample.store.queue_job(kAlice, kMapJob);
    static_cast<void>(saved(sample.store, device("d")));
    const auto second = sample.store.queue_job(kBob, {"/v1/rank", "{}"});
    ASSERT_TRUE(first && second);
    const auto job = sample.store.begin_job();
    ASSERT_TRUE(job);
    EXPECT_EQ(job->id, *first);
    EXPECT_EQ(job->state, JobState::running);
    EXPECT_EQ(job->author, "alice");
    EXPECT_EQ(job->question, "/v1/map");
    EXPECT_EQ(job->request, kMapJob.request);
    EXPECT_EQ(job->sequence, 0) << "nothing was stored then";
    EXPECT_EQ(job->starts, 1);
    EXPECT_TRUE(sample.store.end_job(*first, JobState::done, R"({"cells":[]})"));
    EXPECT_FALSE(sample.store.end_job(*first, JobState::cancelled)) << "it has ended";
    const auto done = sample.store.job(*first);
    EXPECT_EQ(done->state, JobState::done);
    EXPECT_EQ(done->answer, R"({"cells":[]})");
    EXPECT_EQ(done->ended_at, "2026-11-21T12:00:00.000000Z");
    EXPECT_EQ(sample.store.begin_job()->id, *second);
    EXPECT_EQ(sample.store.job(*second)->sequence, 1);
    EXPECT_FALSE(sample.store.job(99));
}

TEST(Jobs, OfAKeyAreCancelledWhenItIsRevoked) {
    SampleStore sample;
    ASSERT_TRUE(sample.store.add_key(kBob, {"alice", Role::viewer, "", ""}, std::string(32, 'h')));
    const std::int64_t running = sample.store.queue_job(kAlice, kMapJob).value();
    const std::int64_t queued = sample.store.queue_job(kAlice, kMapJob).value();
    const std::int64_t bobs = sample.store.queue_job(kBob, kMapJob).value();
    ASSERT_EQ(sample.store.begin_job()->id, running);
    ASSERT_TRUE(sample.store.revoke_key(kBob, "alice"));
    EXPECT_EQ(sample.store.job(running)->state, JobState::cancelled);
    EXPECT_EQ(sample.store.job(queued)->state, JobState::cancelled);
    EXPECT_NE(sample.store.job(queued)->ended_at, "");
    EXPECT_FALSE(sample.store.end_job(running, JobState::done, "{}")) << "it has ended";
    EXPECT_EQ(sample.store.begin_job()->id, bobs);
}

TEST(Jobs, OfAuthorsAreBegunInTurns) {
    SampleStore sample;
    std::vector<std::int64_t> alices;
    for (int i = 0; i < 3; ++i) {
        alices.push_back(sample.store.queue_job(kAlice, kMapJob).value());
    }
    const std::int64_t bobs = sample.store.queue_job(kBob, kMapJob).value();
    std::vector<std::int64_t> begun;
    while (const auto job = sample.store.begin_job()) {
        begun.push_back(job->id);
        EXPECT_TRUE(sample.store.end_job(job->id, JobState::done, "{}"));
        sample.time += 1;
    }
    EXPECT_EQ(begun, (std::vector<std::int64_t>{alices[0], bobs, alices[1], alices[2]}));
}

TEST(Jobs, OfAnAuthorWhoHasOneAtHandWait) {
    SampleStore sample;
    const std::int64_t first = sample.store.queue_job(kAlice, kMapJob).value();
    const std::int64_t second = sample.store.queue_job(kAlice, kMapJob).value();
    const std::int64_t bobs = sample.store.queue_job(kBob, kMapJob).value();
    ASSERT_EQ(sample.store.begin_job()->id, first);
    ASSERT_EQ(sample.store.begin_job(std::vector{first})->id, bobs);
    EXPECT_FALSE(sample.store.begin_job(std::vector{first, bobs}));
    EXPECT_TRUE(sample.store.end_job(first, JobState::done, "{}"));
    EXPECT_EQ(sample.store.begin_job(std::vector{bobs})->id, second);
}

TEST(Jobs, ThatWereBegunAreBegunAgainAndThoseThatWerePutBackAsIfNot) {
    SampleStore sample;
    const std::int64_t id = sample.store.queue_job(kAlice, kMapJob).value();
    EXPECT_EQ(sample.store.begin_job()->starts, 1);
    EXPECT_EQ(sample.store.begin_job()->starts, 2) << "a daemon was killed";
    sample.store.put_job_back(id);
    EXPECT_EQ(sample.store.job(id)->state, JobState::queued);
    EXPECT_EQ(sample.store.job(id)->started_at, "");
    EXPECT_EQ(sample.store.begin_job()->starts, 2);
    EXPECT_TRUE(sample.store.end_job(id, JobState::cancelled));
    sample.store.put_job_back(id);
    EXPECT_EQ(sample.store.job(id)->state, JobState::cancelled) << "what has ended does not wait again";
    EXPECT_FALSE(sample.store.begin_job());
}

TEST(Jobs, AreForgottenADayAfterTheirEnd) {
    SampleStore sample;
    const std::int64_t id = sample.store.queue_job(kAlice, kMapJob).value();
    const std::int64_t waiting = sample.store.queue_job(kAlice, kMapJob).value();
    EXPECT_TRUE(sample.store.end_job(id, JobState::done, "{}"));
    sample.time += 24 * kHour;
    EXPECT_TRUE(sample.store.job(id));
    sample.time += 1;
    EXPECT_FALSE(sample.store.job(id));
    EXPECT_TRUE(sample.store.job(waiting)) << "it waits as long as it has to";
    EXPECT_EQ(sample.store.jobs("alice", 0, 10).size(), 1);
    const std::int64_t next = sample.store.queue_job(kAlice, kMapJob).value();
    const auto side = sample.side();
    EXPECT_EQ(count(*side, "job"), 2);
    EXPECT_GT(next, waiting);
    EXPECT_TRUE(sample.store.end_job(next, JobState::done, "{}"));
    sample.time -= 48 * kHour; // the clock was wrong, and is set
    EXPECT_FALSE(sample.store.job(next));
    EXPECT_GT(sample.store.queue_job(kAlice, kMapJob).value(), next) << "no id is given again";
    EXPECT_EQ(count(*side, "job"), 2);
}

TEST(Jobs, AreListedToTheirAuthor) {
    SampleStore sample;
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(sample.store.queue_job(kAlice, kMapJob));
        ASSERT_TRUE(sample.store.queue_job(kBob, kMapJob));
    }
    const auto newest = sample.store.jobs("alice", 0, 2);
    ASSERT_EQ(newest.size(), 2);
    EXPECT_GT(newest[0].id, newest[1].id);
    EXPECT_EQ(newest[0].author, "alice");
    EXPECT_EQ(newest[0].request, "");
    EXPECT_EQ(sample.store.jobs("alice", newest[1].id, 2).size(), 1);
    EXPECT_TRUE(sample.store.jobs("nobody", 0, 2).empty());
}

TEST(Jobs, AreRefusedBeyondTheLimits) {
    SampleStore sample;
    StoreSettings settings = sample.settings;
    settings.jobs = {.open = 3, .open_of_author = 2, .bytes = 400};
    const auto opened = open_store(settings);
    Store& store = *opened;
    const std::int64_t id = store.queue_job(kAlice, kMapJob).value();
    EXPECT_TRUE(store.queue_job(kAlice, kMapJob));
    EXPECT_FALSE(store.queue_job(kAlice, kMapJob)) << "one author";
    EXPECT_TRUE(store.queue_job(kBob, kMapJob));
    EXPECT_FALSE(store.queue_job({"carol", ""}, kMapJob)) << "all";
    std::string noise;
    for (unsigned i = 0, x = 1; i < 390; ++i, x = x * 1664525U + 1013904223U) {
        noise += static_cast<char>('!' + (x >> 24U) % 90);
    }
    EXPECT_TRUE(store.end_job(id, JobState::done, noise));
    EXPECT_FALSE(store.queue_job({"carol", ""}, kMapJob)) << "what is kept";
    sample.time += 25 * kHour;
    EXPECT_TRUE(store.queue_job({"carol", ""}, kMapJob));
}

} // namespace
} // namespace costcurve::storage::test
