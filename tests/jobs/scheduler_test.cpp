// When schedules start their runs: over a real store whose clock a test turns; nothing waits.
#include "server/jobs/scheduler.hpp"

#include <atomic>
#include <stdexcept>

#include <gtest/gtest.h>

#include "server/documents/records.hpp"
#include "server/storage/open_store.hpp"
#include "server/storage/timestamp.hpp"
#include "tests/storage/store_place.hpp"

namespace costcurve::jobs {
namespace {

using TickTexts = std::vector<std::string>;

class Schedules : public testing::Test {
protected:
    Schedules() {
        at("2026-11-21T12:00:30Z");
        open();
    }
    // As a daemon that starts.
    void open() {
        scheduler.reset();
        store.reset();
        store = storage::open_store({.path = place.path(), .clock = [this] { return time.load(); }});
        scheduler = std::make_unique<Scheduler>(
            *store, SchedulerSettings{[this](const documents::AnyDocument& document, std::int64_t tick) {
                                          if (const auto* const feed = std::get_if<model::Feed>(&document)) {
                                              asked.push_back("feed " + feed->id);
                                              return store->begin_feed({"a", ""}, {feed->id, false, false, tick})->is_new;
                                          }
                                          const auto& schedule = std::get<model::Schedule>(document);
                                          asked.push_back(schedule.id);
                                          if (schedule.id == failing) {
                                              throw std::runtime_error("no thread, no memory");
                                          }
                                          return !busy && has_queued(schedule);
                                      },
                                      [this](std::string_view what, std::string_view id) {
                                          if (!id.empty()) { // else of the clock
                                              logged.push_back(std::string(id) + ": " + std::string(what));
                                          }
                                      }});
    }
    bool has_queued(const model::Schedule& schedule) {
        return store->begin_run({"a", ""}, {storage::Scope::all, {}, schedule.id, "1"}).index() == 0;
    }
    void at(const std::string& text) { time = storage::parse_time(text).value(); }
    void put(const std::string& id, const std::string& cron, const std::string& title = "", const std::string& zone = "UTC") {
        model::Schedule schedule;
        schedule.cron = cron;
        schedule.time_zone = zone;
        schedule.enabled = title != "off";
        schedule.note = title;
        ASSERT_TRUE(
            std::holds_alternative<storage::Saved>(store->save({"a", ""}, documents::encode_record(std::move(schedule), id))));
    }
    // What a look at that time asks to start.
    TickTexts look(const std::string& text) {
        at(text);
        asked.clear();
        scheduler->look();
        return asked;
    }

    tests::StorePlace place;
    std::atomic<std::int64_t> time = 0;
    std::unique_ptr<storage::Store> store;
    std::unique_ptr<Scheduler> scheduler;
    TickTexts asked;
    bool busy = false;
    std::string failing; // a schedule that can't be started
    TickTexts logged;
};

TEST_F(Schedules, StartAtTheirTickAndOnce) {
    put("quarterly", "*/15 * * * *");
    put("hourly", "@hourly");
    EXPECT_EQ(look("2026-11-21T12:14:59.999Z"), TickTexts{});
    EXPECT_EQ(look("2026-11-21T12:15:00Z"), TickTexts{"quarterly"});
    EXPECT_EQ(look("2026-11-21T12:15:01Z"), TickTexts{});
    EXPECT_EQ(look("2026-11-21T13:00:00.5Z"), (TickTexts{"hourly", "quarterly"}));
    EXPECT_EQ(look("2026-11-21T13:00:01Z"), TickTexts{});
}

TEST_F(Schedules, AreReadAgainWhenTheStoreChanges) {
    EXPECT_EQ(look("2026-11-21T12:20:00Z"), TickTexts{});
    put("a", "30 12 * * *");
    EXPECT_EQ(look("2026-11-21T12:30:00Z"), TickTexts{"a"});
    put("a", "40 12 * * *");
    EXPECT_EQ(look("2026-11-21T12:40:00Z"), TickTexts{"a"});
    put("a", "50 12 * * *", "off");
    EXPECT_EQ(look("2026-11-21T12:50:00Z"), TickTexts{});
}

TEST_F(Schedules, RunNoTickOfTheTimeBeforeTheyWereStoredOrChanged) {
    at("2026-11-21T12:40:00Z");
    put("a", "30 12 * * *");
    EXPECT_EQ(look("2026-11-21T12:40:01Z"), TickTexts{});
    at("2026-11-22T13:00:00Z"); // a tick was missed; now it is another schedule
    put("a", "45 12 * * *");
    EXPECT_EQ(look("2026-11-22T13:00:01Z"), TickTexts{});
    EXPECT_EQ(look("2026-11-23T12:45:00Z"), TickTexts{"a"});
}

TEST_F(Schedules, RunOnceForAllTicksThatWereMissed) {
    put("a", "*/5 * * * *");
    EXPECT_EQ(look("2026-11-21T12:05:00Z"), TickTexts{"a"});
    at("2026-11-23T07:02:00Z");
    open();
    EXPECT_EQ(look("2026-11-23T07:02:00Z"), TickTexts{"a"});
    EXPECT_EQ(look("2026-11-23T07:02:01Z"), TickTexts{});
    open();
    EXPECT_EQ(look("2026-11-23T07:02:02Z"), TickTexts{}) << "that it ran is stored";
    EXPECT_EQ(look("2026-11-23T07:05:00Z"), TickTexts{"a"});
}

TEST_F(Schedules, OneWhoseCronDoesNotParseCostsItselfAlone) {
    put("a", "*/5 * * * *");
    put("broken", "61 * * * *");
    put("c", "*/5 * * * *");
    EXPECT_EQ(look("2026-11-21T12:05:00Z"), (TickTexts{"a", "c"}));
    EXPECT_EQ(look("2026-11-21T12:10:00Z"), (TickTexts{"a", "c"}));
    ASSERT_EQ(logged.size(), 1U) << "at every look it would fill the log";
    EXPECT_TRUE(logged.front().starts_with("schedule/broken: schedule broken revision 1 can't be read")) << logged.front();
    put("broken", "15 * * * *");
    EXPECT_EQ(look("2026-11-21T12:15:00Z"), (TickTexts{"a", "broken", "c"}));
}

TEST_F(Schedules, OneThatCannotBeStartedIsTriedLessAndLessOftenAndTheOthersRun) {
    put("a", "0 13 * * *");
    put("z", "0 13 * * *");
    failing = "a";
    EXPECT_EQ(look("2026-11-21T13:00:00Z"), (TickTexts{"a", "z"}));
    TickTexts tried;
    for (int i = 1; i < 10; ++i) {
        tried.push_back(look("2026-11-21T13:00:0" + std::to_string(i) + "Z").empty() ? "-" : "a");
    }
    EXPECT_EQ(tried, (TickTexts{"a", "-", "a", "-", "-", "-", "a", "-", "-"}));
    EXPECT_EQ(logged, TickTexts{"schedule/a: no thread, no memory"});
}

TEST_F(Schedules, DoNotOverlapWithThemselves) {
    put("a", "*/5 * * * *");
    busy = true;
    EXPECT_EQ(look("2026-11-21T12:05:00Z"), TickTexts{"a"}) << "it is asked, and says no";
    EXPECT_EQ(look("2026-11-21T12:10:00Z"), TickTexts{"a"});
    busy = false;
    EXPECT_EQ(look("2026-11-21T12:12:00Z"), TickTexts{"a"}) << "two ticks, one run";
    EXPECT_EQ(look("2026-11-21T12:12:01Z"), TickTexts{});
}

TEST_F(Schedules, KeepTheirZoneWhereClocksChange) {
    at("2026-03-28T12:00:00Z");
    put("a", "30 2 * * *", "", "Europe/Berlin");
    EXPECT_EQ(look("2026-03-29T00:59:59Z"), TickTexts{});
    EXPECT_EQ(look("2026-03-29T01:00:00Z"), TickTexts{"a"}) << "02:30 is left out: right after";
    EXPECT_EQ(look("2026-03-29T23:00:00Z"), TickTexts{});
    EXPECT_EQ(look("2026-03-30T00:30:00Z"), TickTexts{"a"});
}

TEST_F(Schedules, RunAgainAfterAClockThatWasYearsAheadForSeconds) {
    put("a", "* * * * *");
    EXPECT_EQ(look("2027-12-27T07:31:00Z"), TickTexts{"a"}) << "400 days ahead";
    at("2027-12-27T07:31:02Z");
    put("b", "* * * * *"); // stored under the wrong clock
    EXPECT_EQ(look("2026-11-21T12:00:35Z"), TickTexts{});
    EXPECT_EQ(look("2026-11-21T12:01:00Z"), (TickTexts{"a", "b"}));
    EXPECT_EQ(look("2026-11-21T12:01:01Z"), TickTexts{});
    open(); // what is stored of the wrong clock is still there
    EXPECT_EQ(look("2026-11-21T12:01:30Z"), TickTexts{});
    put("other", "0 0 1 1 *"); // all are read again
    EXPECT_EQ(look("2026-11-21T12:02:00Z"), (TickTexts{"a", "b"}));
}

TEST_F(Schedules, LoseNoTickToAWrongClockThoughTheStoreChangesAllTheTime) {
    at("2027-12-27T07:31:02Z");
    put("a", "* * * * *");
    EXPECT_EQ(look("2026-11-21T12:00:35Z"), TickTexts{});
    for (const char* minute : {"12:01:00Z", "12:02:00Z", "12:03:00Z"}) {
        at("2026-11-21T12:00:59Z");
        put("other", std::string("0 0 1 1 *"), minute);
        EXPECT_EQ(look(std::string("2026-11-21T") + minute), TickTexts{"a"});
    }
}

TEST_F(Schedules, GoOnAfterAClockThatWasSetBackADay) {
    put("a", "*/5 * * * *");
    EXPECT_EQ(look("2026-11-21T12:05:00Z"), TickTexts{"a"});
    EXPECT_EQ(look("2026-11-20T12:05:10Z"), TickTexts{});
    EXPECT_EQ(look("2026-11-20T12:10:00Z"), TickTexts{"a"});
    EXPECT_EQ(look("2026-11-20T12:10:01Z"), TickTexts{});
}

TEST_F(Schedules, DoNotRunATickTwiceWhereTheClockIsSetBackBySeconds) {
    put("a", "* * * * *");
    EXPECT_EQ(look("2026-11-21T12:01:00Z"), TickTexts{"a"});
    EXPECT_EQ(look("2026-11-21T12:00:58Z"), TickTexts{});
    EXPECT_EQ(look("2026-11-21T12:01:01Z"), TickTexts{});
    EXPECT_EQ(look("2026-11-21T12:02:00Z"), TickTexts{"a"});
}

TEST_F(Schedules, RunFeedsByTheirCronToo) {
    model::Feed feed;
    feed.format = "skypilot";
    feed.provider = "lambda";
    feed.from.url = "https://example.org/vms.csv";
    feed.cron = "* * * * *";
    const auto save = [&](const model::Feed& document, const std::string& id) {
        ASSERT_TRUE(std::holds_alternative<storage::Saved>(store->save({"a", ""}, documents::encode_record(document, id))));
    };
    save(feed, "daily");
    feed.enabled = false;
    save(feed, "off");
    feed.enabled = true;
    feed.cron = "";
    save(feed, "by-hand");
    EXPECT_EQ(look("2026-11-21T12:01:00Z"), TickTexts{"feed daily"});
    EXPECT_EQ(look("2026-11-21T12:01:30Z"), TickTexts{}) << "the tick is done by the run";
    open();
    EXPECT_EQ(look("2026-11-21T12:01:40Z"), TickTexts{}) << "after a restart too";
    EXPECT_EQ(look("2026-11-21T12:02:00Z"), TickTexts{"feed daily"}) << "its run goes on: it is asked again";
    const auto run = store->start_feed();
    ASSERT_TRUE(run);
    EXPECT_EQ(run->feed, "daily");
    store->end_feed({"a", ""}, {run->id, storage::FeedState::unchanged, {}, "", "", {}, std::nullopt});
    EXPECT_EQ(look("2026-11-21T12:02:10Z"), TickTexts{"feed daily"});
    EXPECT_EQ(store->feed_runs("daily", 0, 10)->size(), 2U);
}

TEST_F(Schedules, TellOfAClockThatWasSet) {
    std::int64_t steady = 0;
    TickTexts told;
    Scheduler watched(*store,
                      {[](const documents::AnyDocument& /*document*/, std::int64_t /*tick*/) { return true; },
                       [&](std::string_view what, std::string_view /*id*/) { told.emplace_back(what); }, [&] { return steady; }});
    const auto look_at = [&](const char* text, std::int64_t seconds) {
        at(text);
        steady = seconds * 1000000;
        watched.look();
    };
    look_at("2026-11-21T12:00:00Z", 0);
    look_at("2026-11-21T12:00:01Z", 1);
    EXPECT_EQ(told, TickTexts{});
    look_at("2027-12-26T12:00:02Z", 2);
    look_at("2026-11-21T12:00:03Z", 3);
    EXPECT_EQ(told,
              (TickTexts{"the clock was set ahead by 34560000 s, to 2027-12-26T12:00:02.000000Z; schedules go by the new time",
                         "the clock was set back by 34560000 s, to 2026-11-21T12:00:03.000000Z; schedules go by the new time"}));
}

TEST_F(Schedules, QueueOneRunAtATime) {
    put("a", "* * * * *");
    put("b", "* * * * *");
    const std::int64_t tick = time;
    model::Schedule schedule;
    schedule.id = "a";
    schedule.webhook = "hook";
    EXPECT_TRUE(queue_run(*store, schedule, "1", tick));
    EXPECT_FALSE(queue_run(*store, schedule, "1", tick));
    schedule.id = "b";
    schedule.scenarios.coverage = model::Coverage::all;
    EXPECT_TRUE(queue_run(*store, schedule, "1", tick));
    const std::vector<storage::Run> runs = store->runs(0, 10);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].schedule, "b");
    EXPECT_EQ(runs[0].scope, storage::Scope::all);
    EXPECT_EQ(runs[1].schedule, "a");
    EXPECT_EQ(runs[1].scope, storage::Scope::changed);
    EXPECT_EQ(runs[1].author, "schedule");
    EXPECT_EQ(runs[1].webhook, "hook");
    ASSERT_TRUE(store->set_run_state(runs[1].id, storage::RunState::cancelled));
    schedule.id = "a";
    EXPECT_FALSE(queue_run(*store, schedule, "1", tick)) << "the tick is done";
    EXPECT_TRUE(queue_run(*store, schedule, "1", tick + 60'000'000)) << "the one before has ended";
}

TEST_F(Schedules, OfTwoDaemonsOneQueuesTheRunOfATick) {
    put("a", "* * * * *");
    int queued = 0;
    const SchedulerSettings settings{[&](const documents::AnyDocument& document, std::int64_t tick) {
        const bool is_first = queue_run(*store, std::get<model::Schedule>(document), "1", tick);
        queued += is_first ? 1 : 0;
        return is_first;
    }};
    Scheduler one(*store, settings);
    Scheduler other(*store, settings);
    const auto end_runs = [&] {
        for (const storage::Run& run : store->runs(0, 100)) {
            store->set_run_state(run.id, storage::RunState::cancelled);
        }
    };
    one.look();
    other.look();
    at("2026-11-21T12:01:00Z");
    one.look();
    other.look();
    EXPECT_EQ(queued, 1) << "its run goes on";
    end_runs();
    at("2026-11-21T12:01:30Z");
    other.look();
    other.look();
    EXPECT_EQ(queued, 1) << "its run has ended";
    at("2026-11-21T12:02:00Z");
    other.look();
    EXPECT_EQ(queued, 2);
    at("2026-11-21T12:03:10Z");
    one.look();
    EXPECT_EQ(queued, 2) << "the run of the tick before goes on";
    end_runs();
    one.look();
    EXPECT_EQ(queued, 3) << "what the other one would have done, had it lived";
    end_runs();
    at("2026-11-21T12:03:20Z");
    other.look();
    EXPECT_EQ(queued, 3) << "done, and ended, before the other looked; the next tick has not come";
}

TEST_F(Schedules, RunFromAThreadThatStops) {
    std::atomic<int> count = 0;
    put("a", "* * * * *");
    at("2026-11-21T12:05:00Z");
    Scheduler thread(*store, {[&](const documents::AnyDocument& /*document*/, std::int64_t /*tick*/) {
        ++count;
        count.notify_one();
        return true;
    }});
    thread.begin();
    count.wait(0);
    thread.stop();
    EXPECT_EQ(count, 1);
}

} // namespace
} // namespace costcurve::jobs
