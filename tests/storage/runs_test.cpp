// Runs: what each scope reaches, that every scenario of one is done once, and that results stay.
#include <algorithm>
#include <array>
#include <utility>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

constexpr auto kVersion = "1";

class Runs : public testing::Test {
protected:
    // Two scenarios with an offer each, of one device; a third with nothing.
    Runs() {
        save(Kind::device, "gpu", "{}");
        save(Kind::offer, "a", "{}", {{Kind::device, "gpu"}});
        save(Kind::offer, "b", "{}", {{Kind::device, "gpu"}});
        save(Kind::scenario, "of-a", "{}", {{Kind::offer, "a"}});
        save(Kind::scenario, "of-b", "{}", {{Kind::offer, "b"}});
        save(Kind::scenario, "alone", "{}");
    }
    void save(Kind kind, const std::string& id, const std::string& body, std::vector<DocumentKey> references = {}) {
        const Record record{{kind, id}, id, body, {}, std::move(references), std::nullopt};
        ASSERT_TRUE(std::holds_alternative<Saved>(sample.store.save(kAlice, record)));
    }
    std::int64_t begin(Scope scope, std::vector<std::string> scenarios = {}) {
        const auto begun = sample.store.begin_run(kAlice, {scope, std::move(scenarios), "", kVersion});
        return std::get<std::int64_t>(begun);
    }
    std::vector<std::string> to_do(std::int64_t run) {
        std::vector<std::string> ids;
        const auto share = sample.store.take_items(run, kVersion, 100); // outlives its items
        for (const RunItem& item : share->items()) {
            ids.push_back(item.scenario);
        }
        std::sort(ids.begin(), ids.end());
        return ids;
    }
    SampleStore sample;

    static RunOutcome result(std::int64_t document, const std::string& hash) {
        return {document,
                NewResult{hash, kVersion, {"USD", 1, 2, 3, 4, std::nullopt, 6, true, "npv"}, pack("{\"n\":\"" + hash + "\"}")}, ""};
    }
    // Does all items of a run; every result has this hash.
    void do_items(std::int64_t run, const std::string& hash) {
        std::vector<RunOutcome> outcomes;
        const auto share = sample.store.take_items(run, kVersion, 100);
        for (const RunItem& item : share->items()) {
            outcomes.push_back(item.inputs_hash == hash ? RunOutcome{item.document, std::nullopt, ""}
                                                        : result(item.document, hash));
        }
        EXPECT_TRUE(share->finish(outcomes));
    }
    void finish(std::int64_t run, const std::string& hash) {
        do_items(run, hash);
        EXPECT_TRUE(sample.store.set_run_state(run, RunState::done, kVersion));
    }
};

using RunIds = std::vector<std::string>;

TEST_F(Runs, ReachAllAtFirstAndThenWhatAChangeCanReach) {
    const auto first = begin(Scope::changed);
    EXPECT_EQ(to_do(first), (RunIds{"alone", "of-a", "of-b"}));
    finish(first, "h");
    EXPECT_EQ(to_do(begin(Scope::changed)), RunIds{});
    save(Kind::offer, "a", "{\"price\":2}", {{Kind::device, "gpu"}});
    const auto second = begin(Scope::changed);
    EXPECT_EQ(to_do(second), RunIds{"of-a"});
    finish(second, "h2");
    save(Kind::device, "gpu", "{\"tdp_w\":2}");
    save(Kind::scenario, "new", "{}");
    EXPECT_EQ(to_do(begin(Scope::changed)), (RunIds{"new", "of-a", "of-b"}));
}

TEST_F(Runs, ReachAllAgainByOtherFormulas) {
    finish(begin(Scope::all), "h");
    const auto run = std::get<std::int64_t>(sample.store.begin_run(kAlice, {Scope::changed, {}, "", "2"}));
    EXPECT_EQ(to_do(run).size(), 3U);
    EXPECT_EQ(sample.store.take_items(run, "2", 1)->items().front().inputs_hash, "") << "a result by other formulas is none";
}

TEST_F(Runs, OfSomeReachTheseAndHoldNothingForTheOthers) {
    const auto some = begin(Scope::some, {"of-a", "of-a", "alone"});
    EXPECT_EQ(to_do(some), (RunIds{"alone", "of-a"}));
    finish(some, "h");
    EXPECT_EQ(to_do(begin(Scope::changed)).size(), 3U);
    const auto missing = sample.store.begin_run(kAlice, {Scope::some, {"of-a", "none"}, "", kVersion});
    EXPECT_EQ(std::get<RunIds>(missing), RunIds{"none"});
}

TEST_F(Runs, ACancelledRunTakesNothingMoreAndHoldsNothing) {
    const auto run = begin(Scope::changed);
    const auto share = sample.store.take_items(run, kVersion, 100);
    EXPECT_TRUE(sample.store.set_run_state(run, RunState::cancelled)) << "nobody waits for the one who works on it";
    EXPECT_FALSE(share->finish(std::vector{result(share->items()[0].document, "h")}));
    EXPECT_FALSE(sample.store.set_run_state(run, RunState::done, kVersion));
    EXPECT_FALSE(sample.store.set_run_state(run, RunState::cancelled));
    EXPECT_EQ(to_do(begin(Scope::changed)).size(), 3U);
    EXPECT_TRUE(sample.store.results("of-a", 0, 10)->empty());
}

TEST_F(Runs, EndWithWhatIsRecordedOfThemOrNotAtAll) {
    save(Kind::comparison, "rent", "{}");
    const auto run = begin(Scope::some);
    int called = 0;
    const auto on_completed = [&](RunCompletion& completion) {
        EXPECT_EQ(completion.run().state, RunState::done);
        EXPECT_EQ(completion.comparisons().size(), 1U);
        const std::int64_t event = completion.record({"told", "recalculation/1", "{}", ""});
        completion.keep({"rent", "cost", "USD", "of-a", 1.5, true, "{}"}, event);
        if (++called == 1) {
            throw std::runtime_error("in the middle");
        }
    };
    EXPECT_THROW(sample.store.set_run_state(run, RunState::done, kVersion, on_completed), std::runtime_error);
    EXPECT_EQ(sample.store.run(run)->state, RunState::queued);
    EXPECT_TRUE(sample.store.events({}).empty());
    EXPECT_TRUE(sample.store.standings("rent", 0, 10)->empty());
    EXPECT_TRUE(sample.store.set_run_state(run, RunState::done, kVersion, on_completed));
    EXPECT_FALSE(sample.store.set_run_state(run, RunState::done, kVersion, on_completed));
    EXPECT_EQ(called, 2);
    EXPECT_EQ(sample.store.events({}).size(), 1U);
    const auto standings = sample.store.standings("rent", 0, 10).value();
    ASSERT_EQ(standings.size(), 1U);
    EXPECT_EQ(standings[0].cheapest, "of-a");
    EXPECT_EQ(standings[0].figure, 1.5);
    EXPECT_EQ(standings[0].event, sample.store.events({})[0].id);
    EXPECT_FALSE(sample.store.standings("none", 0, 10));
    const auto side = sample.side();
    EXPECT_THROW(side->execute("UPDATE standing SET figure = 0"), StoreError);
    EXPECT_THROW(side->execute("DELETE FROM standing"), StoreError);
}

TEST_F(Runs, StandingsAreMeasuredAgainstTheNewestBaseOfTheirObjectiveAndCurrency) {
    save(Kind::comparison, "rent", "{}");
    save(Kind::comparison, "other", "{}");
    struct Row {
        const char* comparison;
        const char* objective;
        const char* currency;
        double figure;
        bool is_base;
    };
    for (const Row& row : std::to_array<Row>({{"rent", "cost", "USD", 1, true},
                                              {"rent", "cost", "USD", 2, false},
                                              {"rent", "cost", "EUR", 3, true},
                                              {"rent", "npv", "USD", 4, true},
                                              {"other", "cost", "USD", 5, true}})) {
        sample.store.set_run_state(begin(Scope::some), RunState::done, kVersion, [&](RunCompletion& completion) {
            completion.keep({row.comparison, row.objective, row.currency, "of-a", row.figure, row.is_base, "{}"}, std::nullopt);
        });
    }
    sample.store.set_run_state(begin(Scope::some), RunState::done, kVersion, [&](RunCompletion& completion) {
        EXPECT_EQ(completion.base("rent", "cost", "USD")->figure, 1);
        EXPECT_EQ(completion.base("rent", "cost", "EUR")->figure, 3);
        EXPECT_EQ(completion.base("rent", "npv", "USD")->figure, 4);
        EXPECT_FALSE(completion.base("rent", "npv", "EUR"));
        EXPECT_FALSE(completion.newest("of-a")) << "no result was stored";
    });
    EXPECT_EQ(sample.store.standings("rent", 0, 2)->back().figure, 3);
    EXPECT_EQ(sample.store.standings("rent", 3, 1)->front().figure, 2);
}

TEST_F(Runs, EachScenarioIsDoneOnceWhoeverComes) {
    const auto run = begin(Scope::all);
    const auto share = sample.store.take_items(run, kVersion, 1);
    const RunItem item = share->items().front();
    EXPECT_TRUE(share->finish(std::vector{result(item.document, "h")}));
    EXPECT_TRUE(sample.store.take_items(run, kVersion, 1)->finish(std::vector{result(item.document, "h")}));
    EXPECT_EQ(sample.store.results(item.scenario, 0, 10)->size(), 1U);
    EXPECT_EQ(sample.store.run(run)->evaluated, 1);
    EXPECT_EQ(to_do(run).size(), 2U);
}

TEST_F(Runs, AnItemIsOneWorkersUntilItIsDoneOrGivenBack) {
    const auto run = begin(Scope::all);
    auto first = sample.store.take_items(run, kVersion, 2);
    auto second = sample.store.take_items(run, kVersion, 2);
    ASSERT_EQ(first->items().size(), 2U);
    ASSERT_EQ(second->items().size(), 1U);
    EXPECT_GT(second->items()[0].document, first->items()[1].document);
    EXPECT_TRUE(sample.store.take_items(run, kVersion, 2)->items().empty());
    EXPECT_TRUE(second->finish(std::vector{result(second->items()[0].document, "h")}));
    second.reset();
    EXPECT_FALSE(sample.store.set_run_state(run, RunState::done, kVersion)) << "others work on the rest";
    first.reset();
    EXPECT_FALSE(sample.store.set_run_state(run, RunState::done, kVersion)) << "the rest is to do again";
    EXPECT_EQ(to_do(run).size(), 2U);
    EXPECT_EQ(sample.store.run(run)->evaluated, 1);
    finish(run, "h");
    EXPECT_EQ(sample.store.run(run)->state, RunState::done);
}

TEST_F(Runs, ATickQueuesOneRunWhoeverComes) {
    save(Kind::schedule, "nightly", "{}");
    const auto begin_tick = [&](std::int64_t tick) {
        return sample.store.begin_tick(kAlice, {Scope::all, {}, "nightly", kVersion}, tick);
    };
    const auto run = begin_tick(kNoon - 5);
    ASSERT_TRUE(run);
    EXPECT_EQ(sample.store.run(*run)->schedule, "nightly");
    EXPECT_EQ(sample.store.run(*run)->total, 3);
    EXPECT_EQ(sample.store.ticked({Kind::schedule, "nightly"}), kNoon);
    EXPECT_FALSE(begin_tick(kNoon - 5)) << "another daemon was first";
    EXPECT_FALSE(begin_tick(kNoon));
    EXPECT_EQ(sample.store.runs(0, 10).size(), 1U);
    sample.time += kHour;
    EXPECT_TRUE(begin_tick(kNoon + kHour));
    sample.time -= 10 * kHour;
    EXPECT_TRUE(begin_tick(kNoon - 9 * kHour)) << "what is done is of a clock that was wrong";
    EXPECT_THROW(
        static_cast<void>(sample.store.begin_tick(kAlice, {Scope::some, {"none"}, "nightly", kVersion}, kNoon - 8 * kHour)),
        StoreError);
    EXPECT_EQ(sample.store.ticked({Kind::schedule, "nightly"}), kNoon - 9 * kHour) << "that tick is still to do";
}

TEST_F(Runs, ResultsAreNewestFirstByPagesAndKeepTheirBytes) {
    for (const char* const hash : {"h1", "h2", "h3"}) {
        finish(begin(Scope::all), hash);
    }
    const auto page = sample.store.results("of-a", 0, 2).value();
    ASSERT_EQ(page.size(), 2U);
    EXPECT_EQ(page[0].number, 3);
    EXPECT_EQ(page[0].inputs_hash, "h3");
    EXPECT_EQ(page[0].headline.carbon_kg, 6.0);
    EXPECT_EQ(page[0].headline.energy_kwh, std::nullopt) << "not known";
    EXPECT_EQ(page[0].headline.feasible, true);
    EXPECT_EQ(page[0].headline.decide_by, "npv");
    EXPECT_EQ(sample.store.result_body(page[1]), "{\"n\":\"h2\"}");
    const auto rest = sample.store.results("of-a", page.back().number, 2).value();
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0].number, 1);
    EXPECT_FALSE(sample.store.results("none", 0, 10));
}

TEST_F(Runs, FailuresAreKeptWithTheirIssues) {
    const auto run = begin(Scope::some, {"of-a"});
    const auto share = sample.store.take_items(run, kVersion, 1);
    EXPECT_TRUE(share->finish(std::vector{RunOutcome{share->items().front().document, std::nullopt, "[]"}}));
    EXPECT_EQ(sample.store.run(run)->failed, 1);
    EXPECT_EQ(sample.store.run_failures(run, 10).front().scenario, "of-a");
}

TEST_F(Runs, WhatFailedIsTriedAgainUntilItIsRight) {
    const auto first = begin(Scope::all);
    std::vector<RunOutcome> outcomes;
    auto share = sample.store.take_items(first, kVersion, 100);
    for (const RunItem& item : share->items()) {
        outcomes.push_back(item.scenario == "of-a" ? RunOutcome{item.document, std::nullopt, "[]"} : result(item.document, "h"));
    }
    EXPECT_TRUE(share->finish(outcomes));
    EXPECT_TRUE(sample.store.set_run_state(first, RunState::done, kVersion));
    const auto again = begin(Scope::changed);
    EXPECT_EQ(to_do(again), RunIds{"of-a"});
    share = sample.store.take_items(again, kVersion, 1);
    EXPECT_TRUE(share->finish(std::vector{RunOutcome{share->items().front().document, std::nullopt, "[]"}}));
    share.reset();
    EXPECT_TRUE(sample.store.set_run_state(again, RunState::done, kVersion));
    const auto mended = begin(Scope::changed);
    EXPECT_EQ(to_do(mended), RunIds{"of-a"}) << "as often as it takes";
    finish(mended, "h");
    EXPECT_EQ(to_do(begin(Scope::changed)), RunIds{});
}

TEST_F(Runs, AreListedNewestFirstAndTheOldestIsNext) {
    const auto first = begin(Scope::all);
    do_items(first, "h");
    const auto second = begin(Scope::all);
    EXPECT_EQ(sample.store.runs_to_do().front().id, first);
    EXPECT_TRUE(sample.store.set_run_state(first, RunState::running));
    EXPECT_FALSE(sample.store.set_run_state(first, RunState::running));
    EXPECT_EQ(sample.store.runs_to_do().front().id, first);
    EXPECT_TRUE(sample.store.set_run_state(first, RunState::done, kVersion));
    EXPECT_EQ(sample.store.runs_to_do().front().id, second);
    const auto runs = sample.store.runs(0, 10);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].id, second);
    EXPECT_EQ(runs[1].state, RunState::done);
    EXPECT_FALSE(runs[1].as_of.empty());
    EXPECT_FALSE(sample.store.run(99));
}

TEST_F(Runs, OfEachAuthorTheOldestIsNext) {
    const auto first = begin(Scope::all);
    static_cast<void>(begin(Scope::all));
    const auto bobs = std::get<std::int64_t>(sample.store.begin_run({"bob", ""}, {Scope::all, {}, "", kVersion}));
    const auto runs = sample.store.runs_to_do();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].id, first);
    EXPECT_EQ(runs[1].id, bobs);
}

TEST_F(Runs, WhatALaterRunHasDoneIsNotStoredOfTheStateBefore) {
    finish(begin(Scope::all), "h");
    save(Kind::offer, "a", "{\"price\":2}", {{Kind::device, "gpu"}});
    const auto before = begin(Scope::all);
    EXPECT_TRUE(sample.store.set_run_state(before, RunState::running));
    save(Kind::offer, "a", "{\"price\":1}", {{Kind::device, "gpu"}});
    const auto after = std::get<std::int64_t>(sample.store.begin_run({"bob", ""}, {Scope::some, {"of-a"}, "", kVersion}));
    EXPECT_TRUE(sample.store.set_run_state(after, RunState::running));
    finish(after, "h"); // as at first
    do_items(before, "h2");
    EXPECT_EQ(sample.store.results("of-a", 0, 10)->front().inputs_hash, "h");
    EXPECT_EQ(sample.store.results("of-b", 0, 10)->front().inputs_hash, "h2");
    EXPECT_EQ(sample.store.run(before)->evaluated, 2);
    EXPECT_EQ(sample.store.run(before)->unchanged, 1);
    EXPECT_TRUE(sample.store.set_run_state(before, RunState::done, kVersion));
}

TEST(Pack, GivesBackWhatWasPackedAndKnowsDamage) {
    for (const std::string& text : {std::string(), std::string("x"), std::string(100000, 'y')}) {
        EXPECT_EQ(unpack(pack(text)), text);
    }
    std::string packed = pack(std::string(1000, 'z'));
    packed.resize(packed.size() - 3);
    EXPECT_THROW(static_cast<void>(unpack(packed)), StoreError);
    EXPECT_THROW(static_cast<void>(unpack("short")), StoreError);
}

// Python's zlib.compress(text, 1), after the length: as results were packed by zlib.
TEST(Pack, ReadsWhatZlibWroteAndKnowsEachDamage) {
    constexpr auto kPacked =
        std::to_array<unsigned char>({28,   0,    0,    0,    0,    0,    0,    0,    0x78, 0x01, 0xab, 0x56, 0x4a, 0xce, 0x2f,
                                      0x2e, 0x51, 0xb2, 0x32, 0xd4, 0xc1, 0x60, 0xd4, 0x02, 0x00, 0x7d, 0xa4, 0x08, 0x89});
    const std::string packed(kPacked.begin(), kPacked.end());
    EXPECT_EQ(unpack(packed), R"({"cost":1,"cost":1,"cost":1})");
    for (const auto& [at, what] : {std::pair<std::size_t, const char*>{0, "a length"}, {packed.size() - 1, "a checksum"}}) {
        for (const int change : {-1, 1}) {
            std::string damaged = packed;
            damaged[at] = static_cast<char>(damaged[at] + change);
            EXPECT_THROW(static_cast<void>(unpack(damaged)), StoreError) << what;
        }
    }
}

} // namespace
} // namespace costcurve::storage::test
