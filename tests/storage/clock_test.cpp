// A clock that jumps: changes keep their order, moments stay findable, and nothing waits for a time that was wrong.
#include "server/storage/change_number.hpp"
#include "server/storage/timestamp.hpp"
#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

constexpr std::int64_t kDay = 24 * kHour;
const DocumentKey kA{Kind::device, "a"};

std::string body_at(const Store& store, const std::string& as_of) { return store.snapshot(as_of)->load(kA)->record.body; }

TEST(Clock, ThatWasYearsAheadForSecondsDatesNothingLaterAhead) {
    SampleStore sample;
    saved(sample.store, device("a", "before"));
    sample.time += 400 * kDay;
    const Saved ahead = saved(sample.store, device("a", "ahead"));
    EXPECT_EQ(ahead.recorded_at, format_time(kNoon + 400 * kDay));
    sample.time = kNoon + kHour;
    const Saved after = saved(sample.store, device("a", "after"));
    EXPECT_EQ(after.recorded_at, format_time(kNoon + kHour));
    sample.time += kHour;
    EXPECT_EQ(saved(sample.store, device("b")).recorded_at, format_time(kNoon + 2 * kHour));

    EXPECT_EQ(body_at(sample.store, format_time(kNoon)), "before");
    EXPECT_EQ(body_at(sample.store, format_time(kNoon + kHour - 1)), "before");
    EXPECT_EQ(body_at(sample.store, after.recorded_at), "after") << "its own time finds a revision";
    EXPECT_EQ(sample.store.snapshot()->as_of(), format_time(kNoon + 2 * kHour));
}

TEST(Clock, DoesNotMatterToTheNumberOfAChange) {
    SampleStore sample;
    saved(sample.store, device("a", "1"));
    sample.time += 400 * kDay;
    saved(sample.store, device("a", "2"));
    const std::string second = sample.store.snapshot()->reference();
    sample.time = kNoon - kDay;
    saved(sample.store, device("a", "3"));
    EXPECT_EQ(second, "@2");
    EXPECT_EQ(body_at(sample.store, "@1"), "1");
    EXPECT_EQ(body_at(sample.store, second), "2");
    EXPECT_EQ(body_at(sample.store, "@3"), "3");
    EXPECT_FALSE(sample.store.snapshot("@0")->load(kA));
    EXPECT_EQ(sample.store.snapshot("@2")->sequence(), 2);
    EXPECT_EQ(cause_of([&] { static_cast<void>(sample.store.snapshot("@4")); }), StoreError::Cause::no_such_change);
    EXPECT_THROW(static_cast<void>(sample.store.snapshot("@")), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(sample.store.snapshot("@1x")), std::invalid_argument);
    const std::vector<Revision> history = sample.store.snapshot()->history(kA, 0, 10);
    EXPECT_EQ((std::vector{history[0].sequence, history[1].sequence, history[2].sequence}), (std::vector<std::int64_t>{3, 2, 1}));
}

TEST(Clock, ThatWasSetBackMakesAMomentComeTwiceAndItStandsForTheSecondTime) {
    SampleStore sample;
    saved(sample.store, device("a", "1"));
    sample.time += 2 * kHour;
    saved(sample.store, device("a", "2"));
    sample.time = kNoon + kHour; // back, into what has been
    saved(sample.store, device("a", "3"));
    EXPECT_EQ(body_at(sample.store, format_time(kNoon + kHour - 1)), "1") << "before that, as ever";
    EXPECT_EQ(body_at(sample.store, format_time(kNoon + kHour)), "3");
    EXPECT_EQ(body_at(sample.store, format_time(kNoon + 2 * kHour)), "3");
}

TEST(Clock, ThatWasAheadKeepsNoAnswerForYears) {
    SampleStore sample;
    sample.time += 400 * kDay;
    sample.store.keep_answer(kAlice, "key", {"hash", 200, "text/plain", "ahead", ""});
    sample.time = kNoon;
    EXPECT_FALSE(sample.store.kept_answer("alice", "key"));
    sample.store.keep_answer(kAlice, "key", {"hash", 200, "text/plain", "now", ""});
    EXPECT_EQ(sample.store.kept_answer("alice", "key")->body, "now");
}

TEST(Actions, StandInTheAuditWithTheirAddressAndChangeNothing) {
    SampleStore sample;
    saved(sample.store, device("a"));
    const std::int64_t before = sample.store.sequence();
    sample.store.record_action({"mallory", "req-9", "192.0.2.7"}, "refused", "401 PUT /v1/devices/x");
    EXPECT_EQ(sample.store.sequence(), before) << "what is stored is the same";
    const AuditEntry entry = sample.store.snapshot()->audit(0, 1).front();
    EXPECT_EQ(entry.sequence, before + 1);
    EXPECT_EQ(std::tuple(entry.author, entry.request_id, entry.address, entry.action, entry.subject),
              std::tuple("mallory", "req-9", "192.0.2.7", "refused", "401 PUT /v1/devices/x"));
    saved(sample.store, device("b"));
    EXPECT_EQ(sample.store.sequence(), before + 2);
}

TEST(Actions, AreTheStartsOfRecalculationsTestsOfWebhooksAndASourceOfTelemetryAnHour) {
    SampleStore sample;
    ASSERT_EQ(sample.store.begin_run(kAlice, {Scope::all, {}, "", "1"}).index(), 0U);
    sample.store.record_event(kAlice, "test_webhook", {"ping", "webhook/w", "{}", "w", true});
    SampleBatch batch;
    batch.series = {{"source", "device", "power_w"}};
    for (int i = 0; i < 3; ++i) {
        batch.samples = {{0, kNoon / 1000 + i, 1.0}};
        EXPECT_EQ(sample.store.add_samples({"agent", "r", "192.0.2.1"}, batch).accepted, 1U);
    }
    batch.samples = {{0, kNoon / 1000 + 4, 1.0}};
    static_cast<void>(sample.store.add_samples({"agent", "r", "192.0.2.2"}, batch));
    sample.time += kHour;
    batch.samples = {{0, (kNoon + kHour) / 1000, 1.0}};
    static_cast<void>(sample.store.add_samples({"agent", "r", "192.0.2.1"}, batch));
    std::string rows;
    for (const AuditEntry& entry : sample.store.snapshot()->audit(0, 100)) {
        rows.insert(0, entry.author + " " + entry.action + " " + entry.subject + " " + entry.address + "\n");
    }
    EXPECT_EQ(rows, "alice begin_recalculation recalculation/1 \n"
                    "alice test_webhook webhook/w \n"
                    "agent add_samples in the hour of 2026-11-21T12:00:00.000000Z 192.0.2.1\n"
                    "agent add_samples in the hour of 2026-11-21T12:00:00.000000Z 192.0.2.2\n"
                    "agent add_samples in the hour of 2026-11-21T13:00:00.000000Z 192.0.2.1\n");
}

} // namespace
} // namespace costcurve::storage::test
