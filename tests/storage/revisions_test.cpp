// Saving and reading back: revisions, conditions, and points that are written only where they differ.
#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

using What = Saved::What;

TEST(Store, GivesBackWhatWasSaved) {
    SampleStore sample;
    saved(sample.store, device("h100"));
    const Record record = offer("a", "h100", {"/hourly_price", {0, 10, 20.5}, {3.0, 2.5, -1e300}});
    const Saved first = saved(sample.store, record);
    EXPECT_EQ(first.revision, 1);
    EXPECT_EQ(first.what, What::added);
    EXPECT_EQ(first.recorded_at, "2026-11-21T12:00:00.000001Z");
    const auto loaded = sample.store.snapshot()->load(record.key);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->record.key, record.key);
    EXPECT_EQ(loaded->record.title, record.title);
    EXPECT_EQ(loaded->record.body, record.body);
    EXPECT_EQ(loaded->record.series, record.series);
    EXPECT_EQ(loaded->record.references, record.references);
    EXPECT_EQ(loaded->record.offer, record.offer);
    EXPECT_EQ(loaded->recorded_at, first.recorded_at);
    EXPECT_EQ(loaded->recorded_by, "alice");
    EXPECT_EQ(loaded->revision, 1);
    EXPECT_FALSE(loaded->deleted);
}

TEST(Store, GivesBackBytesOfAnyKind) {
    SampleStore sample;
    Record record = device("ünï/ code");
    record.title = "a\x01\x7F b";
    record.body = "\"\xF0\x9F\x92\xB8\" '; DROP TABLE revision; --";
    saved(sample.store, record);
    const auto loaded = sample.store.snapshot()->load(record.key);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->record.title, record.title);
    EXPECT_EQ(loaded->record.body, record.body);
}

TEST(Store, KnowsNoDocumentOfAnotherKindOrId) {
    SampleStore sample;
    saved(sample.store, device("a"));
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::server, "a"}));
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::device, "A"}));
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::device, ""}));
}

TEST(Store, CountsRevisionsFromOne) {
    SampleStore sample;
    EXPECT_EQ(saved(sample.store, device("a", "1")).revision, 1);
    const Saved second = saved(sample.store, device("a", "2"));
    EXPECT_EQ(second.revision, 2);
    EXPECT_EQ(second.what, What::changed);
    EXPECT_EQ(sample.store.snapshot()->load({Kind::device, "a"})->record.body, "2");
}

TEST(Store, MakesNoRevisionOfTheSameContent) {
    SampleStore sample;
    saved(sample.store, device("d"));
    saved(sample.store, device("e"));
    Record record = offer("a", "d");
    record.references = {{Kind::device, "e"}, {Kind::device, "d"}};
    record.series = {{"/b", {1}, {1}}, {"/a", {2}, {2}}};
    const Saved first = saved(sample.store, record);
    const std::int64_t sequence = sample.store.sequence();
    sample.time += kHour;
    std::swap(record.series[0], record.series[1]); // neither order is content
    record.references = {{Kind::device, "d"}, {Kind::device, "e"}, {Kind::device, "d"}};
    const Saved again = saved(sample.store, record);
    EXPECT_EQ(again.what, What::unchanged);
    EXPECT_EQ(again.revision, first.revision);
    EXPECT_EQ(again.recorded_at, first.recorded_at);
    EXPECT_EQ(sample.store.sequence(), sequence);
}

TEST(Store, KeepsABodyOfAnEarlierEncodingThatSaysTheSame) {
    SampleStore sample;
    saved(sample.store, device("d"));
    saved(sample.store, offer("a", "d", {"/hourly_price", {0}, {2}})); // encoding 1
    Record record = offer("a", "d", {"/hourly_price", {0}, {2}});
    record.body = "{}";
    record.encoding = 2;
    record.equals_older_body = [](const Record& stored, const Record& next) {
        return stored.encoding == 1 && stored.body == "{\"id\":\"a\"}" && next.body == "{}" && stored.series == next.series;
    };
    EXPECT_EQ(saved(sample.store, record).what, What::unchanged);
    EXPECT_EQ(saved(sample.store, record, {Condition::Kind::revision, 1}).what, What::unchanged);
    const auto encoding = [&] { return sample.store.snapshot()->load(record.key)->record.encoding; };
    EXPECT_EQ(sample.store.snapshot()->load(record.key)->record.body, "{\"id\":\"a\"}");
    EXPECT_EQ(encoding(), 1);
    record.series[0].y = {3};
    EXPECT_EQ(saved(sample.store, record).what, What::changed);
    EXPECT_EQ(encoding(), 2) << "its points may stand elsewhere than in the body of before";
    record.encoding = 3;
    record.equals_older_body = nullptr;
    EXPECT_EQ(saved(sample.store, record).what, What::changed);
    EXPECT_EQ(encoding(), 3);
}

TEST(Store, MakesARevisionOfEachThingThatDiffers) {
    SampleStore sample;
    saved(sample.store, device("d"));
    saved(sample.store, device("e"));
    Record record = offer("a", "d");
    const std::vector<std::pair<const char*, void (*)(Record&)>> changes = {
        {"title", [](Record& r) { r.title += "!"; }},
        {"body", [](Record& r) { r.body += " "; }},
        {"y", [](Record& r) { r.series[0].y[1] = 1.5; }},
        {"x", [](Record& r) { r.series[0].x[1] = 11; }},
        {"a point more", [](Record& r) { r.series[0].x.push_back(30), r.series[0].y.push_back(1); }},
        {"a point less", [](Record& r) { r.series[0].x.pop_back(), r.series[0].y.pop_back(); }},
        {"pointer", [](Record& r) { r.series[0].pointer = "/other"; }},
        {"no curve", [](Record& r) { r.series.clear(); }},
        {"reference",
         [](Record& r) {
             r.references.push_back({Kind::device, "e"});
         }},
        {"provider", [](Record& r) { r.offer->provider = "p"; }},
        {"region", [](Record& r) { r.offer->region = "r"; }},
        {"device", [](Record& r) { r.offer->device = "d2"; }},
        {"purchase", [](Record& r) { r.offer->purchase = "spot"; }},
        {"price", [](Record& r) { r.offer->hourly_price = 9; }},
    };
    saved(sample.store, record);
    std::int64_t revision = 1;
    for (const auto& [what, change] : changes) {
        change(record);
        const Saved next = saved(sample.store, record);
        EXPECT_EQ(next.what, What::changed) << what;
        EXPECT_EQ(next.revision, ++revision) << what;
        const auto loaded = sample.store.snapshot()->load(record.key);
        ASSERT_TRUE(loaded) << what;
        EXPECT_EQ(loaded->record.title, record.title) << what;
        EXPECT_EQ(loaded->record.body, record.body) << what;
        EXPECT_EQ(loaded->record.series, record.series) << what;
        EXPECT_EQ(loaded->record.references, record.references) << what;
        EXPECT_EQ(loaded->record.offer, record.offer) << what;
    }
}

TEST(Store, WritesOneRowForOnePointMore) {
    SampleStore sample;
    std::vector<double> x(1000);
    std::vector<double> y(1000, 2.0);
    std::iota(x.begin(), x.end(), 0.0);
    saved(sample.store, curve("c", x, y));
    x.push_back(1000);
    y.push_back(1.9);
    saved(sample.store, curve("c", x, y));
    EXPECT_EQ(sample.store.counts().points, 1001);
    const auto side = sample.side();
    EXPECT_EQ(count(*side, "body"), 1); // the same text is kept once
    EXPECT_EQ(sample.store.snapshot()->load({Kind::curve, "c"})->record.series.front().x.size(), 1001U);
}

TEST(Store, WritesOneRowForAPointTakenAwayOrChanged) {
    SampleStore sample;
    saved(sample.store, curve("c", {1, 2, 3}, {1, 2, 3}));
    saved(sample.store, curve("c", {1, 3}, {1, 3}));
    EXPECT_EQ(sample.store.counts().points, 4);
    saved(sample.store, curve("c", {1, 3}, {1, 4}));
    EXPECT_EQ(sample.store.counts().points, 5);
    saved(sample.store, curve("c", {1, 2, 3}, {1, 2, 4}));
    EXPECT_EQ(sample.store.counts().points, 6);
    const Series series = sample.store.snapshot()->load({Kind::curve, "c"})->record.series.front();
    EXPECT_EQ(series, (Series{"", {1, 2, 3}, {1, 2, 4}}));
}

struct ConditionRow {
    const char* name;
    Condition condition;
    std::int64_t stored; // revisions that are there before
    bool holds;
};

TEST(Store, SavesOnlyWhereTheConditionHolds) {
    const ConditionRow rows[] = {
        {"none, absent", {}, 0, true},
        {"none, there", {}, 2, true},
        {"absent, absent", {Condition::Kind::absent, 0}, 0, true},
        {"absent, there", {Condition::Kind::absent, 0}, 1, false},
        {"present, absent", {Condition::Kind::present, 0}, 0, false},
        {"present, there", {Condition::Kind::present, 0}, 2, true},
        {"revision, absent", {Condition::Kind::revision, 1}, 0, false},
        {"revision 0, absent", {Condition::Kind::revision, 0}, 0, false},
        {"revision, there", {Condition::Kind::revision, 2}, 2, true},
        {"revision before", {Condition::Kind::revision, 1}, 2, false},
        {"revision to come", {Condition::Kind::revision, 3}, 2, false},
    };
    for (const ConditionRow& row : rows) {
        SampleStore sample;
        for (std::int64_t i = 0; i < row.stored; ++i) {
            saved(sample.store, device("a", std::to_string(i)));
        }
        const SaveOutcome outcome = sample.store.save(kAlice, device("a", "next"), row.condition);
        EXPECT_EQ(std::holds_alternative<Saved>(outcome), row.holds) << row.name;
        if (!row.holds) {
            EXPECT_EQ(std::get<ConditionFailed>(outcome).current, row.stored) << row.name;
            EXPECT_EQ(sample.store.sequence(), row.stored) << row.name;
        }
    }
}

TEST(Store, CountsADeletedDocumentAsAbsentInACondition) {
    SampleStore sample;
    saved(sample.store, device("a"));
    ASSERT_TRUE(std::holds_alternative<Removed>(sample.store.remove(kAlice, {Kind::device, "a"})));
    EXPECT_EQ(std::get<ConditionFailed>(sample.store.save(kAlice, device("a"), {Condition::Kind::revision, 2})).current, 0);
    EXPECT_EQ(saved(sample.store, device("a"), {Condition::Kind::absent, 0}).revision, 3);
}

TEST(Store, ReportsFaultsOfItsCaller) {
    SampleStore sample;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Record facts = device("a");
    facts.offer = OfferFacts{};
    Record twice = curve("c", {1}, {1});
    twice.series.push_back(twice.series.front());
    Record zero = device("a"); // U+0000, which PostgreSQL can't keep
    zero.title = std::string("a\0b", 3);
    for (const Record& wrong : {curve("c", {}, {}), curve("c", {1, 1}, {1, 2}), curve("c", {2, 1}, {1, 2}), curve("c", {1}, {nan}),
                                curve("c", {nan}, {1}), curve("c", {1, 2}, {1}), facts, twice, zero}) {
        EXPECT_THROW(static_cast<void>(sample.store.save(kAlice, wrong)), std::invalid_argument);
    }
    const Record same[] = {device("a"), device("a", "2")};
    EXPECT_THROW(static_cast<void>(sample.store.save_all(kAlice, same)), std::invalid_argument);
    EXPECT_EQ(sample.store.sequence(), 0);
}

// Adds the given points to those that are stored.
Record with_more_points(const Record& stored, const Record& given) {
    Record merged = stored;
    merged.series.front().x.insert(merged.series.front().x.end(), given.series.front().x.begin(), given.series.front().x.end());
    merged.series.front().y.insert(merged.series.front().y.end(), given.series.front().y.begin(), given.series.front().y.end());
    return merged;
}

TEST(Store, MergesWhatIsGivenIntoWhatIsStored) {
    SampleStore sample;
    saved(sample.store, curve("c", {1, 2}, {10, 20}));
    const Record given[] = {curve("c", {3}, {30}), curve("new", {5}, {50})};
    const auto outcome = sample.store.save_all(kAlice, given, {.merge = with_more_points});
    const auto& both = std::get<std::vector<Saved>>(outcome);
    EXPECT_EQ(both[0].what, Saved::What::changed);
    EXPECT_EQ(both[0].revision, 2);
    EXPECT_EQ(both[1].what, Saved::What::added) << "there was nothing to merge with";
    EXPECT_EQ(sample.store.snapshot()->load({Kind::curve, "c"})->record.series.front().x, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(sample.store.snapshot()->load({Kind::curve, "new"})->record.series.front().x, (std::vector<double>{5}));
}

TEST(Store, LeavesEverythingAsItIsInADryRun) {
    SampleStore sample;
    saved(sample.store, curve("c", {1}, {10}));
    const auto before = sample.store.sequence();
    const Record given[] = {curve("c", {1}, {11}), curve("new", {5}, {50})};
    const auto outcome = sample.store.save_all(kAlice, given, {.dry_run = true});
    EXPECT_EQ(std::get<std::vector<Saved>>(outcome)[0].what, Saved::What::changed);
    EXPECT_EQ(std::get<std::vector<Saved>>(outcome)[1].what, Saved::What::added);
    EXPECT_EQ(sample.store.sequence(), before);
    EXPECT_EQ(sample.store.snapshot()->load({Kind::curve, "c"})->record.series.front().y, (std::vector<double>{10}));
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::curve, "new"}));
}

// A dry run is the same write: what only the database finds is found, a second time too.
TEST(Store, FindsInADryRunWhatTheDatabaseRefuses) {
    SampleStore sample;
    saved(sample.store, curve("c", {1}, {10}));
    const auto side = sample.place.side();
    if (sample.place.engine() == tests::Engine::sqlite) {
        side->execute("CREATE TRIGGER refusing BEFORE INSERT ON point WHEN new.x = 5 BEGIN SELECT RAISE(ABORT, 'refused'); END");
    } else {
        side->execute("ALTER TABLE point ADD CONSTRAINT refusing CHECK (x <> 5)");
    }
    const Record refused[] = {curve("c", {1}, {11}), curve("new", {5}, {50})};
    for (int i = 0; i < 2; ++i) {
        EXPECT_THROW(static_cast<void>(sample.store.save_all(kAlice, refused, {.dry_run = true})), StoreError);
    }
    const Record taken[] = {curve("c", {1}, {11}), curve("new", {6}, {50})};
    EXPECT_EQ(std::get<std::vector<Saved>>(sample.store.save_all(kAlice, taken, {.dry_run = true}))[1].what, Saved::What::added);
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::curve, "new"}));
    EXPECT_EQ(sample.store.sequence(), 1);
}

TEST(Store, ReadsWhatAnotherStoreWrote) {
    SampleStore sample;
    saved(sample.store, device("a"));
    const auto opened_other = open_store(sample.settings);
    Store& other = *opened_other;
    EXPECT_TRUE(other.snapshot()->load({Kind::device, "a"}));
    saved(other, device("b"));
    EXPECT_TRUE(sample.store.snapshot()->load({Kind::device, "b"}));
    EXPECT_EQ(sample.store.sequence(), 2);
}

} // namespace
} // namespace costcurve::storage::test
