// The past: every kind of read as of a moment gives what was known then, for ever.
#include "server/storage/change_number.hpp"
#include "server/storage/timestamp.hpp"
#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

std::string at(std::int64_t time) { return format_time(time); }

std::vector<std::string> ids_in(const Snapshot& snapshot, const ListQuery& query = every(Kind::device)) {
    std::vector<std::string> found;
    for (const Revision& item : snapshot.list(query).items) {
        found.push_back(item.record.key.id);
    }
    return found;
}

TEST(Timestamp, IsReadInEveryFormOfRfc3339) {
    const std::pair<const char*, std::int64_t> rows[] = {
        {"2026-11-21T12:00:00Z", kNoon},
        {"2026-11-21t12:00:00z", kNoon},
        {"2026-11-21 12:00:00.000000Z", kNoon},
        {"2026-11-21T13:30:00+01:30", kNoon},
        {"2026-11-20T23:00:00-13:00", kNoon},
        {"2026-11-21T12:00:00.5Z", kNoon + 500'000},
        {"2026-11-21T12:00:00.000001Z", kNoon + 1},
        {"2026-11-21T12:00:00.0000019999Z", kNoon + 1}, // cut, not rounded: never later than the moment
        {"1970-01-01T00:00:00Z", 0},
        {"1969-12-31T23:59:59.999999Z", -1},
        {"2016-12-31T23:59:60Z", 1'483'228'800'000'000}, // a leap second
        {"2024-02-29T00:00:00Z", 1'709'164'800'000'000},
    };
    for (const auto& [text, time] : rows) {
        EXPECT_EQ(parse_time(text), time) << text;
    }
}

TEST(Timestamp, IsNotReadFromAnythingElse) {
    for (const char* text : {"", "2026-11-21", "2026-11-21T12:00:00", "2026-11-21T12:00Z", "2026-13-01T00:00:00Z",
                             "2026-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T12:00:00.Z", "2026-11-21T12:00:00Zx",
                             "2026-11-21T12:00:00+1:00", "2026-11-21T12:00:00+01:60", "26-11-21T12:00:00Z",
                             "2026-11-21T12:00:00,5Z", "-026-11-21T12:00:00Z", "2026-00-21T12:00:00Z", "2026-11-00T12:00:00Z"}) {
        EXPECT_FALSE(parse_time(text)) << text;
    }
}

TEST(Timestamp, IsWrittenAsItIsRead) {
    for (const std::int64_t time : {kNoon, kNoon + 1, std::int64_t{0}, std::int64_t{-1}, std::int64_t{253'402'300'799'999'999}}) {
        EXPECT_EQ(parse_time(format_time(time)), time);
        EXPECT_EQ(format_time(time).size(), 27U);
    }
}

TEST(AsOf, GivesADocumentAsItWasKnown) {
    SampleStore sample;
    const std::int64_t start = sample.time;
    for (const char* body : {"1", "2", "3"}) {
        saved(sample.store, device("a", body));
        sample.time += kHour;
    }
    const DocumentKey key{Kind::device, "a"};
    EXPECT_FALSE(sample.store.snapshot(at(start - 1))->load(key));
    EXPECT_EQ(sample.store.snapshot(at(start))->load(key)->record.body, "1"); // at the moment itself too
    EXPECT_EQ(sample.store.snapshot(at(start + kHour - 1))->load(key)->record.body, "1");
    EXPECT_EQ(sample.store.snapshot(at(start + kHour))->load(key)->record.body, "2");
    EXPECT_EQ(sample.store.snapshot(at(start + 9 * kHour))->load(key)->record.body, "3");
    EXPECT_EQ(sample.store.snapshot("2026-11-21T14:30:00+01:00")->load(key)->record.body, "2"); // 13:30 UTC
}

TEST(AsOf, NamesTheLastChangeItSees) {
    SampleStore sample;
    EXPECT_EQ(sample.store.snapshot()->as_of(), "");
    const Saved first = saved(sample.store, device("a", "1"));
    sample.time += kHour;
    EXPECT_EQ(sample.store.snapshot(at(sample.time))->as_of(), first.recorded_at);
    EXPECT_EQ(sample.store.snapshot(at(kNoon - 1))->as_of(), "");
    const std::string before = sample.store.snapshot()->as_of();
    saved(sample.store, device("a", "2"));
    EXPECT_EQ(sample.store.snapshot(before)->load({Kind::device, "a"})->record.body, "1");
    EXPECT_EQ(sample.store.snapshot(before)->as_of(), before);
}

TEST(AsOf, TellsChangesApartWhoseClockStoodStill) {
    SampleStore sample;
    const Saved first = saved(sample.store, device("a", "1"));
    const Saved second = saved(sample.store, device("a", "2"));
    sample.time -= kClockJitter / 2;
    const Saved third = saved(sample.store, device("a", "3"));
    EXPECT_LT(first.recorded_at, second.recorded_at);
    EXPECT_LT(second.recorded_at, third.recorded_at);
    EXPECT_EQ(third.recorded_at, at(kNoon + 2));
    EXPECT_EQ(sample.store.snapshot(second.recorded_at)->load({Kind::device, "a"})->record.body, "2");
}

TEST(AsOf, GivesPointsAsTheyWereKnown) {
    SampleStore sample;
    const std::vector<Series> series = {{"", {1, 2, 3}, {10, 20, 30}},
                                        {"", {1, 2, 3, 4}, {10, 20, 30, 40}}, // one more
                                        {"", {1, 3, 4}, {10, 30, 40}},        // one taken away
                                        {"", {1, 3, 4}, {10, 33, 40}},        // one corrected
                                        {"", {1, 2, 3, 4}, {10, 22, 33, 40}}, // one back, with another value
                                        {"", {0.5}, {5}}};
    std::vector<std::string> times;
    for (const Series& one : series) {
        times.push_back(saved(sample.store, curve("c", one.x, one.y)).recorded_at);
    }
    for (std::size_t i = 0; i < series.size(); ++i) {
        const auto snapshot = sample.store.snapshot(times[i]);
        EXPECT_EQ(snapshot->load({Kind::curve, "c"})->record.series.front(), series[i]) << i;
        for (const double x : {0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 1e9}) {
            std::optional<double> expected; // by going through the points
            for (std::size_t p = 0; p < series[i].x.size() && series[i].x[p] <= x; ++p) {
                expected = series[i].y[p];
            }
            EXPECT_EQ(snapshot->value_at({Kind::curve, "c"}, "", x), expected) << i << ", " << x;
        }
    }
}

TEST(AsOf, GivesNoValueOfWhatIsNotThere) {
    SampleStore sample;
    saved(sample.store, curve("c", {1}, {1}));
    const std::string before = sample.store.snapshot()->as_of();
    EXPECT_FALSE(sample.store.snapshot()->value_at({Kind::curve, "c"}, "/other", 1));
    EXPECT_FALSE(sample.store.snapshot()->value_at({Kind::curve, "d"}, "", 1));
    ASSERT_TRUE(std::holds_alternative<Removed>(sample.store.remove(kAlice, {Kind::curve, "c"})));
    EXPECT_FALSE(sample.store.snapshot()->value_at({Kind::curve, "c"}, "", 1));
    EXPECT_EQ(sample.store.snapshot(before)->value_at({Kind::curve, "c"}, "", 1), 1.0);
    saved(sample.store, curve("c", {2}, {2})); // comes back without its old point
    EXPECT_FALSE(sample.store.snapshot()->value_at({Kind::curve, "c"}, "", 1.5));
    EXPECT_EQ(sample.store.snapshot()->value_at({Kind::curve, "c"}, "", 2), 2.0);
}

TEST(AsOf, GivesListsAsTheyWereKnown) {
    SampleStore sample;
    std::vector<std::string> times;
    const auto note = [&] { times.push_back(sample.store.snapshot()->as_of()); };
    note();
    saved(sample.store, device("b"));
    note();
    saved(sample.store, device("a"));
    note();
    ASSERT_TRUE(std::holds_alternative<Removed>(sample.store.remove(kAlice, {Kind::device, "b"})));
    note();
    saved(sample.store, device("b", "again"));
    note();
    using Ids = std::vector<std::string>;
    const Ids expected[] = {{}, {"b"}, {"a", "b"}, {"a"}, {"a", "b"}};
    for (std::size_t i = 1; i < times.size(); ++i) {
        EXPECT_EQ(ids_in(*sample.store.snapshot(times[i])), expected[i]) << i;
    }
    EXPECT_EQ(ids_in(*sample.store.snapshot(at(kNoon - 1))), Ids{});
}

TEST(AsOf, FiltersByTheFactsOfThen) {
    SampleStore sample;
    saved(sample.store, device("d"));
    const Saved cheap = saved(sample.store, offer("a", "d", {"/hourly_price", {0}, {1.0}}));
    saved(sample.store, offer("a", "d", {"/hourly_price", {0, 1}, {1.0, 5.0}}));
    ListQuery query = every(Kind::offer);
    query.max_hourly_price = 2.0;
    EXPECT_TRUE(ids_in(*sample.store.snapshot(), query).empty());
    EXPECT_EQ(ids_in(*sample.store.snapshot(cheap.recorded_at), query).size(), 1U);
}

TEST(AsOf, GivesReferencesAsTheyWereKnown) {
    SampleStore sample;
    saved(sample.store, device("d"));
    saved(sample.store, device("e"));
    const Saved first = saved(sample.store, offer("a", "d"));
    saved(sample.store, offer("a", "e"));
    const DocumentKey key{Kind::offer, "a"};
    EXPECT_EQ(sample.store.snapshot(first.recorded_at)->load(key)->record.references,
              (std::vector<DocumentKey>{{Kind::device, "d"}}));
    EXPECT_EQ(sample.store.snapshot()->load(key)->record.references, (std::vector<DocumentKey>{{Kind::device, "e"}}));
    EXPECT_TRUE(std::holds_alternative<Removed>(sample.store.remove(kAlice, {Kind::device, "d"}))); // used in the past only
    EXPECT_EQ(sample.store.snapshot(first.recorded_at)->load(key)->record.references,
              (std::vector<DocumentKey>{{Kind::device, "d"}}));
    EXPECT_TRUE(sample.store.snapshot(first.recorded_at)->load({Kind::device, "d"}));
}

TEST(AsOf, EndsTheHistoryAndTheAuditThere) {
    SampleStore sample;
    saved(sample.store, device("a", "1"));
    const Saved second = saved(sample.store, device("a", "2"));
    saved(sample.store, device("a", "3"));
    EXPECT_EQ(sample.store.snapshot(second.recorded_at)->history({Kind::device, "a"}, 0, 10).size(), 2U);
    EXPECT_EQ(sample.store.snapshot(second.recorded_at)->audit(0, 10).size(), 2U);
}

TEST(AsOf, RefusesWhatIsNoMoment) {
    SampleStore sample;
    EXPECT_THROW(static_cast<void>(sample.store.snapshot("yesterday")), std::invalid_argument);
}

TEST(Snapshot, SeesNothingOfWhatComesAfterIt) {
    SampleStore sample;
    saved(sample.store, device("a", "1"));
    saved(sample.store, curve("c", {1}, {1}));
    const auto snapshot = sample.store.snapshot();
    saved(sample.store, device("a", "2"));
    saved(sample.store, device("b"));
    saved(sample.store, curve("c", {1}, {2}));
    EXPECT_EQ(snapshot->load({Kind::device, "a"})->record.body, "1");
    EXPECT_EQ(ids_in(*snapshot), (std::vector<std::string>{"a"}));
    EXPECT_EQ(snapshot->value_at({Kind::curve, "c"}, "", 1), 1.0);
    EXPECT_EQ(snapshot->history({Kind::device, "a"}, 0, 10).size(), 1U);
    EXPECT_EQ(sample.store.snapshot()->load({Kind::device, "a"})->record.body, "2");
}

TEST(Snapshot, VisitsAllDocumentsByKindAndId) {
    SampleStore sample;
    std::vector<Record> records = {curve("z", {1}, {1}), device("d")};
    for (int i = 0; i < 450; ++i) {
        records.push_back(offer("o" + std::to_string(i + 1000), "d"));
    }
    ASSERT_EQ(sample.store.save_all(kAlice, records).index(), 0U);
    ASSERT_EQ(sample.store.remove(kAlice, {Kind::offer, "o1007"}).index(), 0U);
    std::vector<DocumentKey> visited;
    const auto snapshot = sample.store.snapshot();
    snapshot->for_each([&](const Revision& revision) {
        visited.push_back(revision.record.key);
        EXPECT_EQ(snapshot->load(revision.record.key)->record.body, revision.record.body); // it may read meanwhile
    });
    EXPECT_EQ(visited.size(), 451U);
    EXPECT_TRUE(std::is_sorted(visited.begin(), visited.end()));
    EXPECT_EQ(visited.front(), (DocumentKey{Kind::curve, "z"}));
}

} // namespace
} // namespace costcurve::storage::test
