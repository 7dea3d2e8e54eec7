// When schedules start their runs: over a real store whose clock a test turns; nothing waits.
#include "server/work/scheduler.hpp"

#include <atomic>
#include <filesystem>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "server/storage/timestamp.hpp"

namespace costcurve::work {
namespace {

using Texts = std::vector<std::string>;

// A body is here what the API's would be: the cron, the zone, and "off" where it is not enabled.
AnyDocument decode(const storage::Revision& revision) {
    model::Schedule schedule;
    schedule.id = revision.record.key.id;
    schedule.cron = revision.record.body.substr(0, revision.record.body.find('|'));
    schedule.time_zone = revision.record.body.substr(schedule.cron.size() + 1);
    schedule.enabled = revision.record.title != "off";
    return schedule;
}

class Schedules : public testing::Test {
protected:
    Schedules() {
        std::string name = (std::filesystem::temp_directory_path() / "costcurve_XXXXXX").string();
        folder = mkdtemp(name.data());
        at("2026-11-21T12:00:30Z");
        open();
    }
    ~Schedules() override {
        scheduler.reset();
        store.reset();
        std::filesystem::remove_all(folder);
    }
    // As a daemon that starts.
    void open() {
        scheduler.reset();
        store.reset();
        store = std::make_unique<storage::Store>(
            storage::StoreSettings{.path = (folder / "store.db").string(), .clock = [this] { return time.load(); }});
        scheduler = std::make_unique<Scheduler>(*store, SchedulerSettings{decode, [this](const model::Schedule& schedule) {
                                                                              asked.push_back(schedule.id);
                                                                              return !busy && has_queued(schedule);
                                                                          }});
    }
    bool has_queued(const model::Schedule& schedule) {
        return store->begin_run({"a", ""}, {storage::Scope::all, {}, schedule.id, "1"}).index() == 0;
    }
    void at(const std::string& text) { time = storage::parse_time(text).value(); }
    void put(const std::string& id, const std::string& cron, const std::string& title = "", const std::string& zone = "UTC") {
        ASSERT_TRUE(std::holds_alternative<storage::Saved>(
            store->save({"a", ""}, {{storage::Kind::schedule, id}, title, cron + "|" + zone, {}, {}, std::nullopt})));
    }
    // What a look at that time asks to start.
    Texts look(const std::string& text) {
        at(text);
        asked.clear();
        scheduler->look();
        return asked;
    }

    std::filesystem::path folder;
    std::atomic<std::int64_t> time = 0;
    std::unique_ptr<storage::Store> store;
    std::unique_ptr<Scheduler> scheduler;
    Texts asked;
    bool busy = false;
};

TEST_F(Schedules, StartAtTheirTickAndOnce) {
    put("quarterly", "*/15 * * * *");
    put("hourly", "@hourly");
    EXPECT_EQ(look("2026-11-21T12:14:59.999Z"), Texts{});
    EXPECT_EQ(look("2026-11-21T12:15:00Z"), Texts{"quarterly"});
    EXPECT_EQ(look("2026-11-21T12:15:01Z"), Texts{});
    EXPECT_EQ(look("2026-11-21T13:00:00.5Z"), (Texts{"hourly", "quarterly"}));
    EXPECT_EQ(look("2026-11-21T13:00:01Z"), Texts{});
}

TEST_F(Schedules, AreReadAgainWhenTheStoreChanges) {
    EXPECT_EQ(look("2026-11-21T12:20:00Z"), Texts{});
    put("a", "30 12 * * *");
    EXPECT_EQ(look("2026-11-21T12:30:00Z"), Texts{"a"});
    put("a", "40 12 * * *");
    EXPECT_EQ(look("2026-11-21T12:40:00Z"), Texts{"a"});
    put("a", "50 12 * * *", "off");
    EXPECT_EQ(look("2026-11-21T12:50:00Z"), Texts{});
}

TEST_F(Schedules, RunNoTickOfTheTimeBeforeTheyWereStoredOrChanged) {
    at("2026-11-21T12:40:00Z");
    put("a", "30 12 * * *");
    EXPECT_EQ(look("2026-11-21T12:40:01Z"), Texts{});
    at("2026-11-22T13:00:00Z"); // a tick was missed; now it is another schedule
    put("a", "45 12 * * *");
    EXPECT_EQ(look("2026-11-22T13:00:01Z"), Texts{});
    EXPECT_EQ(look("2026-11-23T12:45:00Z"), Texts{"a"});
}

TEST_F(Schedules, RunOnceForAllTicksThatWereMissed) {
    put("a", "*/5 * * * *");
    EXPECT_EQ(look("2026-11-21T12:05:00Z"), Texts{"a"});
    at("2026-11-23T07:02:00Z");
    open();
    EXPECT_EQ(look("2026-11-23T07:02:00Z"), Texts{"a"});
    EXPECT_EQ(look("2026-11-23T07:02:01Z"), Texts{});
    open();
    EXPECT_EQ(look("2026-11-23T07:02:02Z"), Texts{}) << "that it ran is stored";
    EXPECT_EQ(look("2026-11-23T07:05:00Z"), Texts{"a"});
}

TEST_F(Schedules, DoNotOverlapWithThemselves) {
    put("a", "*/5 * * * *");
    busy = true;
    EXPECT_EQ(look("2026-11-21T12:05:00Z"), Texts{"a"}) << "it is asked, and says no";
    EXPECT_EQ(look("2026-11-21T12:10:00Z"), Texts{"a"});
    busy = false;
    EXPECT_EQ(look("2026-11-21T12:12:00Z"), Texts{"a"}) << "two ticks, one run";
    EXPECT_EQ(look("2026-11-21T12:12:01Z"), Texts{});
}

TEST_F(Schedules, KeepTheirZoneWhereClocksChange) {
    at("2026-03-28T12:00:00Z");
    put("a", "30 2 * * *", "", "Europe/Berlin");
    EXPECT_EQ(look("2026-03-29T00:59:59Z"), Texts{});
    EXPECT_EQ(look("2026-03-29T01:00:00Z"), Texts{"a"}) << "02:30 is left out: right after";
    EXPECT_EQ(look("2026-03-29T23:00:00Z"), Texts{});
    EXPECT_EQ(look("2026-03-30T00:30:00Z"), Texts{"a"});
}

TEST_F(Schedules, QueueOneRunAtATime) {
    model::Schedule schedule;
    schedule.id = "a";
    schedule.webhook = "hook";
    EXPECT_TRUE(queue_run(*store, schedule, "1"));
    EXPECT_FALSE(queue_run(*store, schedule, "1"));
    schedule.id = "b";
    schedule.scenarios.coverage = model::Coverage::all;
    EXPECT_TRUE(queue_run(*store, schedule, "1"));
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
    EXPECT_TRUE(queue_run(*store, schedule, "1")) << "the one before has ended";
}

TEST_F(Schedules, RunFromAThreadThatStops) {
    std::atomic<int> count = 0;
    put("a", "* * * * *");
    at("2026-11-21T12:05:00Z");
    Scheduler thread(*store, {decode, [&](const model::Schedule& /*schedule*/) {
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
} // namespace costcurve::work
