// Runs of feeds: one at a time, ended once, with what is recorded beside the end; and secrets that stay.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

Record feed_record(const std::string& id, const std::string& body = "{}", const std::string& secret = "") {
    Record record{{Kind::feed, id}, "", body, {}, {}, std::nullopt};
    record.feed = FeedFacts{secret};
    return record;
}

void save_feed(SampleStore& sample, const Record& record) {
    ASSERT_TRUE(std::holds_alternative<Saved>(sample.store.save(kAlice, record)));
}

std::int64_t begin_feed(SampleStore& sample, const std::string& feed) {
    return sample.store.begin_feed(kAlice, {feed, false, false, 0})->run;
}

FeedEnd ended(std::int64_t run, FeedState state, const std::string& hash = "", const std::string& origin = "here") {
    FeedEnd end;
    end.run = run;
    end.state = state;
    end.file.origin = origin;
    end.file.hash = hash;
    end.file.rows = 7;
    end.file.modified_at = kNoon;
    return end;
}

TEST(Feeds, RunOneAtATimeAndEndOnce) {
    SampleStore sample;
    EXPECT_FALSE(sample.store.begin_feed(kAlice, {"daily", false, false, 0})) << "there is no such feed";
    EXPECT_FALSE(sample.store.feed_runs("daily", 0, 10));
    save_feed(sample, feed_record("daily"));
    const std::int64_t run = begin_feed(sample, "daily");
    EXPECT_FALSE(sample.store.begin_feed(kAlice, {"daily", false, false, 0})->is_new);
    EXPECT_EQ(sample.store.begin_feed(kAlice, {"daily", false, false, 0})->run, run);
    ASSERT_EQ(sample.store.start_feed()->id, run);
    EXPECT_EQ(sample.store.start_feed()->starts, 2) << "as after a daemon that was killed";
    FeedEnd end = ended(run, FeedState::landed, "ab");
    end.summary = "{}";
    end.events = {{"feed_landed", "feed/daily", "{}", ""}};
    end.recalculation = RunRequest{Scope::changed, {}, "", "1"};
    sample.store.end_feed(kAlice, end);
    sample.store.end_feed(kAlice, end); // again: nothing
    EXPECT_FALSE(sample.store.start_feed());
    EXPECT_EQ(sample.store.events({}).size(), 1U);
    EXPECT_EQ(sample.store.runs(0, 10).size(), 1U) << "the recalculation that follows";
    const FeedRun found = sample.store.feed_runs("daily", 0, 10)->front();
    EXPECT_EQ(found.state, FeedState::landed);
    EXPECT_EQ(found.file.rows, 7);
    EXPECT_EQ(found.file.modified_at, kNoon);
    EXPECT_EQ(found.author, kAlice.name);
    EXPECT_TRUE(sample.store.begin_feed(kAlice, {"daily", false, false, 0})->is_new);
}

TEST(Feeds, KnowTheLastGoodRun) {
    SampleStore sample;
    save_feed(sample, feed_record("daily"));
    EXPECT_FALSE(sample.store.last_good_feed_run("daily"));
    sample.store.end_feed(kAlice, ended(begin_feed(sample, "daily"), FeedState::landed, "monday"));
    sample.store.end_feed(kAlice, ended(begin_feed(sample, "daily"), FeedState::landed, "tuesday"));
    sample.store.end_feed(kAlice, ended(begin_feed(sample, "daily"), FeedState::failed, "broken"));
    EXPECT_EQ(sample.store.last_good_feed_run("daily")->file.hash, "tuesday");
    const std::int64_t dry = sample.store.begin_feed(kAlice, {"daily", true, false, 0})->run;
    sample.store.end_feed(kAlice, ended(dry, FeedState::unchanged, "dry"));
    EXPECT_EQ(sample.store.last_good_feed_run("daily")->file.hash, "tuesday") << "a dry run stores nothing";
}

TEST(Feeds, KeepTheirLastRunsOnly) {
    SampleStore sample;
    save_feed(sample, feed_record("daily"));
    std::int64_t last = 0;
    for (std::int64_t i = 0; i < kMaxFeedRuns + 5; ++i) {
        last = begin_feed(sample, "daily");
        sample.store.end_feed(kAlice, ended(last, FeedState::unchanged));
    }
    const auto runs = sample.store.feed_runs("daily", 0, 2000).value();
    EXPECT_EQ(runs.size(), static_cast<std::size_t>(kMaxFeedRuns));
    EXPECT_EQ(runs.front().id, last);
}

TEST(Feeds, LandWithWhatTheyStoreOrNotAtAll) {
    SampleStore sample;
    save_feed(sample, feed_record("daily"));
    const std::int64_t run = begin_feed(sample, "daily");
    const std::vector<Record> records{Record{{Kind::site, "x"}, "", "{}", {}, {}, std::nullopt}};
    SaveOptions options;
    options.end_feed = [&](const std::vector<Saved>& /*saved*/) -> FeedEnd { throw std::runtime_error("no memory"); };
    EXPECT_THROW(static_cast<void>(sample.store.save_all(kAlice, records, options)), std::runtime_error);
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::site, "x"}));
    EXPECT_EQ(sample.store.start_feed()->id, run) << "it goes on";
    std::size_t count = 0;
    options.end_feed = [&](const std::vector<Saved>& saved) {
        count = saved.size();
        return ended(run, FeedState::landed);
    };
    EXPECT_TRUE(std::holds_alternative<std::vector<Saved>>(sample.store.save_all(kAlice, records, options)));
    EXPECT_EQ(count, 1U);
    EXPECT_TRUE(sample.store.snapshot()->load({Kind::site, "x"}));
    EXPECT_FALSE(sample.store.start_feed());
}

FeedEnd held(std::int64_t run, const std::string& documents = "device {}") {
    FeedEnd end = ended(run, FeedState::held, "odd");
    end.held = 2;
    end.held_documents = documents;
    return end;
}

FeedEnd reviewed(std::int64_t run, FeedState from, FeedState state, const std::string& problem = "") {
    FeedEnd end = ended(run, state, "odd");
    end.from = from;
    end.from_held = 2;
    end.problem = problem;
    return end;
}

TEST(Feeds, StartBesideThoseThatAreUnderWay) {
    SampleStore sample;
    save_feed(sample, feed_record("daily"));
    save_feed(sample, feed_record("hourly"));
    const std::int64_t first = begin_feed(sample, "daily");
    const std::int64_t second = begin_feed(sample, "hourly");
    EXPECT_EQ(sample.store.start_feed()->id, first);
    const std::vector<std::int64_t> under_way{first};
    EXPECT_EQ(sample.store.start_feed(0, under_way)->id, second);
    const std::vector<std::int64_t> both{first, second};
    EXPECT_FALSE(sample.store.start_feed(0, both));
}

TEST(Feeds, DeleteWhatARunAddedUnlessItChangedOrIsReferredTo) {
    SampleStore sample;
    save_feed(sample, feed_record("daily"));
    const std::int64_t run = begin_feed(sample, "daily");
    const std::vector<Record> records{device("used"), device("free"), device("changed"), offer("of-it", "used")};
    static_cast<void>(sample.store.save_all(kAlice, records));
    ASSERT_TRUE(std::holds_alternative<Saved>(sample.store.save(kAlice, device("changed", R"({"a":1})"))));
    SaveOptions options;
    options.removals = {{{Kind::device, "used"}, 1}, {{Kind::device, "free"}, 1}, {{Kind::device, "changed"}, 1}};
    std::vector<std::string> kept;
    options.on_kept = [&](const DocumentKey& key) { kept.push_back(key.id); };
    options.end_feed = [&](const std::vector<Saved>& /*saved*/) {
        EXPECT_EQ(kept.size(), 2U) << "they are known when it ends";
        return ended(run, FeedState::landed);
    };
    static_cast<void>(sample.store.save_all(kAlice, {}, options));
    EXPECT_EQ(kept, (std::vector<std::string>{"used", "changed"}));
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::device, "free"}));
    EXPECT_TRUE(sample.store.snapshot()->load({Kind::device, "changed"}));
}

TEST(Feeds, HoldDocumentsUntilTheyAreAcceptedOrRejectedOnce) {
    SampleStore sample;
    save_feed(sample, feed_record("daily"));
    const std::int64_t run = begin_feed(sample, "daily");
    sample.store.end_feed(kAlice, held(run));
    EXPECT_EQ(sample.store.feed_run(run)->held, 2);
    EXPECT_EQ(sample.store.held_documents(run), "device {}");
    EXPECT_FALSE(sample.store.last_good_feed_run("daily")) << "what is held is no standard for the next";
    EXPECT_EQ(sample.store.feed_run_of_file("daily", "here", "odd")->state, FeedState::held);
    sample.store.end_feed(kAlice, reviewed(run, FeedState::held, FeedState::failed, "rejected by alice"));
    EXPECT_EQ(sample.store.feed_run(run)->held, 0);
    EXPECT_EQ(sample.store.held_documents(run), "");
    EXPECT_EQ(sample.store.snapshot()->audit(0, 1).front().action, "reject_feed");
    EXPECT_EQ(sample.store.feed_run_of_file("daily", "here", "odd")->state, FeedState::failed);
    EXPECT_THROW(sample.store.end_feed(kAlice, reviewed(run, FeedState::held, FeedState::landed)), RunConflict) << "once";
}

TEST(Feeds, StoreNothingOfAReviewOfARunThatWasReviewedMeanwhile) {
    struct Case {
        std::string name;
        FeedState first;
        FeedState second;
    };
    for (const Case& review :
         {Case{"accept, accept", FeedState::landed, FeedState::landed}, Case{"accept, undo", FeedState::landed, FeedState::undone},
          Case{"undo, accept", FeedState::undone, FeedState::landed}}) {
        SCOPED_TRACE(review.name);
        SampleStore sample;
        save_feed(sample, feed_record("daily"));
        const std::int64_t run = begin_feed(sample, "daily");
        FeedEnd part = held(run);
        part.state = FeedState::landed;
        sample.store.end_feed(kAlice, part);
        const auto save = [&](const std::string& site, FeedState state) {
            SaveOptions options;
            options.end_feed = [&](const std::vector<Saved>& /*saved*/) { return reviewed(run, FeedState::landed, state); };
            const std::vector<Record> records{Record{{Kind::site, site}, "", "{}", {}, {}, std::nullopt}};
            static_cast<void>(sample.store.save_all(kAlice, records, options));
        };
        save("first", review.first);
        const FeedRun after_first = *sample.store.feed_run(run);
        const std::int64_t sequence = sample.store.snapshot()->sequence();
        EXPECT_THROW(save("second", review.second), RunConflict);
        EXPECT_THROW(sample.store.end_feed(kAlice, reviewed(run, FeedState::landed, FeedState::landed)), RunConflict) << "reject";
        EXPECT_FALSE(sample.store.snapshot()->load({Kind::site, "second"}));
        EXPECT_EQ(sample.store.snapshot()->sequence(), sequence) << "nor a row in the audit";
        EXPECT_EQ(sample.store.feed_run(run)->state, after_first.state);
        EXPECT_EQ(sample.store.feed_run(run)->changes, after_first.changes);
    }
}

TEST(Feeds, UndoNothingWhereAnotherRunWasUndoneMeanwhile) {
    SampleStore sample;
    save_feed(sample, feed_record("daily"));
    const auto land = [&] {
        const std::int64_t run = begin_feed(sample, "daily");
        sample.store.end_feed(kAlice, ended(run, FeedState::landed));
        return run;
    };
    const std::int64_t first = land();
    const std::int64_t second = land();
    const auto undo = [&](std::int64_t run, std::int64_t others_undone) {
        FeedEnd end = ended(run, FeedState::undone);
        end.from = FeedState::landed;
        end.others_undone = others_undone;
        SaveOptions options;
        options.end_feed = [&](const std::vector<Saved>& /*saved*/) { return end; };
        const std::vector<Record> records{Record{{Kind::site, fmt::format("of-{}", run)}, "", "{}", {}, {}, std::nullopt}};
        static_cast<void>(sample.store.save_all(kAlice, records, options));
    };
    EXPECT_TRUE(sample.store.undone_runs().empty());
    undo(first, 0);
    EXPECT_THROW(undo(second, 0), RunConflict) << "what it restores may be of the first";
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::site, fmt::format("of-{}", second)}));
    EXPECT_EQ(sample.store.feed_run(second)->state, FeedState::landed);
    undo(second, 1);
    ASSERT_EQ(sample.store.undone_runs().size(), 2U);
    EXPECT_EQ(sample.store.undone_runs().front().id, first);
}

// Of an import, whose number `run` gets.
FeedEnd imported(FeedState state, std::int64_t& run) {
    FeedEnd end{0, state, {}, "{}", "", {}, std::nullopt};
    end.import = {"skypilot", "vms.csv"};
    end.held = state == FeedState::held ? 1 : 0;
    end.held_documents = state == FeedState::held ? "device {}" : "";
    end.on_recorded = [&run](std::int64_t number) { run = number; };
    return end;
}

TEST(Feeds, RunsOfImportsAreOfNoFeedAndShareTheirNumbers) {
    SampleStore sample;
    save_feed(sample, feed_record("daily"));
    const std::int64_t of_feed = begin_feed(sample, "daily");
    std::int64_t first = 0;
    std::int64_t second = 0;
    const std::vector<Record> records{Record{{Kind::site, "x"}, "", "{}", {}, {}, std::nullopt}};
    SaveOptions options;
    options.end_feed = [&](const std::vector<Saved>& /*saved*/) { return imported(FeedState::landed, first); };
    static_cast<void>(sample.store.save_all(kAlice, records, options));
    sample.store.end_feed(kAlice, imported(FeedState::held, second));
    EXPECT_LT(of_feed, first);
    EXPECT_LT(first, second);
    const std::vector<FeedRun> runs = sample.store.import_runs(0, 10);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].id, second);
    EXPECT_EQ(runs[0].feed, "");
    EXPECT_EQ(runs[0].author, "alice");
    EXPECT_EQ(runs[0].import.format, "skypilot");
    EXPECT_EQ(runs[0].import.names, "vms.csv");
    EXPECT_EQ(runs[1].changes, std::vector{sample.store.snapshot()->sequence() - 1}) << "the second is a row of the audit";
    EXPECT_EQ(sample.store.import_runs(second, 10).size(), 1U);
    EXPECT_EQ(sample.store.feed_runs("daily", 0, 10)->size(), 1U) << "and no others";
    EXPECT_EQ(sample.store.start_feed()->id, of_feed) << "an import is never begun again";
    FeedEnd rejected = reviewed(second, FeedState::held, FeedState::failed, "rejected by alice");
    rejected.from_held = 1;
    sample.store.end_feed(kAlice, rejected);
    EXPECT_EQ(sample.store.snapshot()->audit(0, 1).front().action, "reject_import");
    EXPECT_EQ(sample.store.held_documents(second), "");
}

TEST(Feeds, ForgetTheOldestRunsOfImports) {
    SampleStore sample;
    std::int64_t run = 0;
    for (std::int64_t i = 0; i < kMaxFeedRuns + 2; ++i) {
        sample.store.end_feed(kAlice, imported(FeedState::landed, run));
    }
    const std::vector<FeedRun> runs = sample.store.import_runs(0, 2000);
    EXPECT_EQ(runs.size(), static_cast<std::size_t>(kMaxFeedRuns));
    EXPECT_EQ(runs.front().id, run);
}

TEST(Feeds, NoteTheChangeThatStoredTheirDocuments) {
    SampleStore sample;
    save_feed(sample, feed_record("daily"));
    const std::int64_t run = begin_feed(sample, "daily");
    const std::vector<Record> records{Record{{Kind::site, "x"}, "", "{}", {}, {}, std::nullopt}};
    SaveOptions options;
    options.end_feed = [&](const std::vector<Saved>& /*saved*/) { return held(run); };
    static_cast<void>(sample.store.save_all(kAlice, records, options));
    EXPECT_EQ(sample.store.feed_run(run)->changes, std::vector{sample.store.snapshot()->sequence()});
    options.end_feed = [&](const std::vector<Saved>& /*saved*/) { return reviewed(run, FeedState::held, FeedState::landed); };
    static_cast<void>(sample.store.save_all(kAlice, records, options));
    EXPECT_EQ(sample.store.feed_run(run)->changes.size(), 1U) << "nothing was changed by the second";
    EXPECT_EQ(sample.store.feed_run(run)->state, FeedState::landed);
}

TEST(Feeds, SupersedeWhatOlderRunsHold) {
    SampleStore sample;
    save_feed(sample, feed_record("daily"));
    const std::int64_t first = begin_feed(sample, "daily");
    sample.store.end_feed(kAlice, held(first));
    const std::int64_t second = begin_feed(sample, "daily");
    FeedEnd part = held(second);
    part.state = FeedState::landed;
    sample.store.end_feed(kAlice, part);
    EXPECT_EQ(sample.store.feed_run(first)->state, FeedState::failed);
    EXPECT_EQ(sample.store.feed_run(first)->held, 0);
    sample.store.end_feed(kAlice, ended(begin_feed(sample, "daily"), FeedState::failed));
    EXPECT_EQ(sample.store.feed_run(second)->held, 2) << "what fails has no newer file";
    sample.store.end_feed(kAlice, ended(begin_feed(sample, "daily"), FeedState::landed));
    EXPECT_EQ(sample.store.feed_run(second)->held, 0);
    EXPECT_EQ(sample.store.feed_run(second)->state, FeedState::landed);
}

TEST(Feeds, KeepTheirSecretWhereNoneIsGiven) {
    SampleStore sample;
    save_feed(sample, feed_record("daily", "{}", "first secret of it"));
    save_feed(sample, feed_record("daily", R"({"note":"other"})"));
    EXPECT_EQ(sample.store.feed_secret("daily"), "first secret of it");
    save_feed(sample, feed_record("daily", R"({"note":"other"})", "second secret of it"));
    EXPECT_EQ(sample.store.feed_secret("daily"), "second secret of it");
    ASSERT_TRUE(std::holds_alternative<Removed>(sample.store.remove(kAlice, {Kind::feed, "daily"})));
    EXPECT_EQ(sample.store.feed_secret("daily"), "");
}

} // namespace
} // namespace costcurve::storage::test
