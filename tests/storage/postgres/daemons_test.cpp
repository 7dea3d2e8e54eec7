// Several daemons on one PostgreSQL: each thing is done by one of them, and goes to another one when that ends.
#include <algorithm>
#include <chrono>
#include <stop_token>
#include <thread>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

constexpr std::chrono::seconds kDeliveryLease{30};

/// Two stores of one database, as two daemons have them.
class Daemons : public testing::Test {
protected:
    void save(Kind kind, const std::string& id, const std::string& body = "{}") {
        saved(sample.store, {{kind, id}, id, body, {}, {}, std::nullopt});
    }
    std::int64_t begin_all() { return std::get<std::int64_t>(sample.store.begin_run(kAlice, {Scope::all, {}, "", "1"})); }
    /// As if a daemon had ended so long ago that its leases are over.
    void end_leases(const std::string& table) {
        sample.side()->execute("UPDATE " + table + " SET lease_until = 0, holder = 'gone'"); // nobody renews them meanwhile
    }

    SampleStore sample;
    std::unique_ptr<Store> other = open_store(sample.settings);
};

RunOutcome result_of(const RunItem& item) {
    return {item.document, NewResult{"h", "1", {"USD", 1, 2, 3, 4, 5, 6, true, "npv"}, pack("{}")}, ""};
}

TEST_F(Daemons, EachScenarioOfARunIsOneDaemonsAndFreeWhenThatEnds) {
    for (const char* const id : {"a", "b", "c"}) {
        save(Kind::scenario, id);
    }
    const std::int64_t run = begin_all();
    auto share = sample.store.take_items(run, "1", 2);
    auto others = other->take_items(run, "1", 2);
    ASSERT_EQ(share->items().size(), 2U);
    ASSERT_EQ(others->items().size(), 1U);
    EXPECT_TRUE(others->finish(std::vector{result_of(others->items()[0])}));
    others.reset();
    EXPECT_FALSE(other->set_run_state(run, RunState::done, "1")) << "the rest is being done";
    // The daemon is killed: its connections end without a word.
    sample.side()->execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                           "WHERE datname = current_database() AND state = 'idle in transaction'");
    others = other->take_items(run, "1", 10);
    ASSERT_EQ(others->items().size(), 2U);
    EXPECT_EQ(others->items()[0].lost_attempts, 1);
    EXPECT_THROW(static_cast<void>(share->finish(std::vector{result_of(share->items()[0])})), StoreError) << "it is late";
    share.reset(); // it was no daemon that ended after all
    EXPECT_TRUE(others->finish(std::vector{result_of(others->items()[0]), result_of(others->items()[1])}));
    others.reset();
    EXPECT_TRUE(other->set_run_state(run, RunState::done, "1"));
    EXPECT_EQ(other->run(run)->evaluated, 3);
    EXPECT_EQ(sample.side()->number("SELECT count(*) FROM result"), 3);
    EXPECT_EQ(sample.side()->number("SELECT count(*) FROM run_attempt"), 0) << "forgotten with the run";
}

TEST_F(Daemons, WhatIsGivenBackCountsNoLostAttempt) {
    save(Kind::scenario, "a");
    const std::int64_t run = begin_all();
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(sample.store.take_items(run, "1", 1)->items()[0].lost_attempts, 0);
    }
    sample.side()->execute("UPDATE run_attempt SET attempts = 3"); // three workers ended
    EXPECT_EQ(other->take_items(run, "1", 1)->items()[0].lost_attempts, kMaxLostAttempts);
}

TEST_F(Daemons, ATickQueuesTheRunOfOneOfMany) {
    save(Kind::schedule, "nightly");
    constexpr int kDaemons = 4;
    std::atomic<int> queued = 0;
    {
        std::vector<std::jthread> daemons;
        for (int i = 0; i < kDaemons; ++i) {
            daemons.emplace_back([&, store = i % 2 == 0 ? sample.opened.get() : other.get()] {
                queued += store->begin_tick(kAlice, {Scope::all, {}, "nightly", "1"}, kNoon) ? 1 : 0;
            });
        }
    }
    EXPECT_EQ(queued, 1);
    EXPECT_EQ(sample.store.runs(0, 10).size(), 1U);
}

TEST_F(Daemons, ADeliveryIsOneDaemonsUntilItsLeaseIsOver) {
    Record webhook{{Kind::webhook, "hook"}, "", "{}", {}, {}, std::nullopt};
    webhook.webhook = WebhookFacts{"https://example.org", "sixteen bytes it is", {}, true};
    saved(sample.store, webhook);
    sample.store.record_event(kAlice, "test", {"a", "x", "{}", ""});
    sample.store.record_event(kAlice, "test", {"b", "x", "{}", ""});
    const auto taken = sample.store.take_deliveries(10, kDeliveryLease);
    ASSERT_EQ(taken.size(), 1U) << "one a webhook";
    EXPECT_TRUE(other->take_deliveries(10, kDeliveryLease).empty());
    EXPECT_GT(other->next_delivery().value(), sample.time);
    EXPECT_LE(sample.store.next_delivery().value(), sample.time);
    end_leases("delivery");
    ASSERT_EQ(other->take_deliveries(10, kDeliveryLease).size(), 1U);
    EXPECT_EQ(other->take_deliveries(10, kDeliveryLease)[0].row, taken[0].row);
    EXPECT_TRUE(sample.store.take_deliveries(10, kDeliveryLease).empty());
    other->save_attempt({taken[0].row, DeliveryState::delivered, 0, 200, ""});
    const auto next = sample.store.take_deliveries(10, kDeliveryLease);
    ASSERT_EQ(next.size(), 1U);
    EXPECT_EQ(next[0].event.kind, "b");
}

TEST_F(Daemons, AJobIsOneDaemonsUntilItsLeaseIsOver) {
    const auto id = sample.store.queue_job(kAlice, {"/v1/solve", "{}"}).value();
    ASSERT_EQ(sample.store.begin_job()->id, id);
    EXPECT_FALSE(other->begin_job());
    end_leases("job");
    EXPECT_EQ(other->begin_job()->starts, 2);
    EXPECT_FALSE(sample.store.begin_job());
    EXPECT_TRUE(other->end_job(id, JobState::done, "[]"));
    EXPECT_FALSE(sample.store.end_job(id, JobState::failed, "[]")) << "the first answer stays";
    EXPECT_EQ(sample.store.job(id)->answer, "[]");
}

TEST_F(Daemons, AFeedsRunIsOneDaemonsUntilItsLeaseIsOver) {
    save(Kind::feed, "daily");
    const auto begun = sample.store.begin_feed(kAlice, {"daily", false, false, kNoon});
    ASSERT_TRUE(begun && begun->is_new);
    EXPECT_EQ(other->begin_feed(kAlice, {"daily", false, false, kNoon})->run, begun->run);
    ASSERT_EQ(sample.store.start_feed()->id, begun->run);
    EXPECT_FALSE(other->start_feed());
    end_leases("feed_run");
    EXPECT_EQ(other->start_feed()->starts, 2);
    other->end_feed(kAlice, {begun->run, FeedState::unchanged, {}, "", "", {}, std::nullopt});
    EXPECT_FALSE(other->begin_feed(kAlice, {"daily", false, false, kNoon})->is_new) << "the tick is done";
}

TEST_F(Daemons, WhatADaemonHeldIsFreeOnceItHasStopped) {
    Record webhook{{Kind::webhook, "hook"}, "", "{}", {}, {}, std::nullopt};
    webhook.webhook = WebhookFacts{"https://example.org", "sixteen bytes it is", {}, true};
    saved(sample.store, webhook);
    sample.store.record_event(kAlice, "test", {"a", "x", "{}", ""});
    save(Kind::feed, "daily");
    ASSERT_TRUE(sample.store.begin_feed(kAlice, {"daily", false, false, kNoon}));
    ASSERT_TRUE(sample.store.queue_job(kAlice, {"/v1/solve", "{}"}));
    EXPECT_EQ(other->take_deliveries(10, kDeliveryLease).size(), 1U);
    EXPECT_TRUE(other->start_feed() && other->begin_job());
    EXPECT_TRUE(sample.store.take_deliveries(10, kDeliveryLease).empty());
    other.reset();
    EXPECT_EQ(sample.store.take_deliveries(10, kDeliveryLease).size(), 1U);
    EXPECT_TRUE(sample.store.start_feed() && sample.store.begin_job());
}

TEST_F(Daemons, AKeyIsOneRequestsUntilItsAnswerIsKept) {
    EXPECT_TRUE(sample.store.claim_answer("alice", "k", "hash").is_held);
    const AnswerClaim refused = other->claim_answer("alice", "k", "hash");
    EXPECT_FALSE(refused.is_held);
    EXPECT_FALSE(refused.kept);
    EXPECT_TRUE(other->claim_answer("bob", "k", "hash").is_held) << "another author's";
    sample.store.release_answer("alice", "k");
    EXPECT_TRUE(other->claim_answer("alice", "k", "hash").is_held);
    end_leases("answer");
    EXPECT_TRUE(sample.store.claim_answer("alice", "k", "hash").is_held) << "the daemon that held it has ended";
    sample.store.keep_answer(kAlice, "k", {"hash", 201, "application/json", "{}", "/v1/x"});
    other->release_answer("alice", "k");
    const AnswerClaim kept = other->claim_answer("alice", "k", "hash");
    EXPECT_FALSE(kept.is_held);
    EXPECT_EQ(kept.kept->status, 201);
}

TEST_F(Daemons, HearOfEachOther) {
    std::stop_source stop;
    EXPECT_TRUE(other->wait_for_others(std::chrono::milliseconds(1), stop.get_token())) << "the time is over";
    std::jthread writer([&] { save(Kind::scenario, "a"); });
    while (other->sequence() == 0) { // it may hear of the beginning of its listening first
        EXPECT_TRUE(other->wait_for_others(std::chrono::hours(1), stop.get_token()));
    }
    writer.join();
    stop.request_stop();
    EXPECT_FALSE(other->wait_for_others(std::chrono::hours(1), stop.get_token()));
}

TEST_F(Daemons, CountersFromTwoDaemonsAddUp) {
    constexpr std::int64_t kMinute = 60'000;
    constexpr int kReadings = 40;
    const std::int64_t start = kNoon / 1000 - kReadings * kMinute;
    const auto add = [&](Store& store, int first) {
        for (int i = first; i < kReadings; i += 2) {
            SampleBatch batch;
            batch.series = {{"meter", "", "energy_j"}, {"meter", "", "power_w"}};
            batch.samples = {{0, start + i * kMinute, 10.0 * i}, {1, start + i * kMinute, 1.0}};
            EXPECT_EQ(store.add_samples(kAlice, batch).accepted, 2U);
        }
    };
    {
        const std::jthread first([&] { add(sample.store, 0); });
        const std::jthread second([&] { add(*other, 1); });
    }
    double increase = 0.0;
    double sum = 0.0;
    for (const HourRow& hour : sample.store.hours({}).items) {
        increase += hour.increase.value_or(0.0);
        sum += hour.sum.value_or(0.0);
    }
    EXPECT_NEAR(increase, 10.0 * (kReadings - 1), 1e-6);
    EXPECT_EQ(sum, kReadings);
}

} // namespace
} // namespace costcurve::storage::test
