// The outbox: recipients, due times and outcomes of deliveries; secrets; ticks of schedules.
#include <gtest/gtest.h>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

using Texts = std::vector<std::string>;

constexpr std::int64_t kMinute = 60'000'000;

constexpr std::chrono::seconds kLease{30};

Record webhook(const std::string& id, WebhookFacts facts) {
    Record record{{Kind::webhook, id}, "", "{\"url\":\"" + facts.url + "\"}", {}, {}, std::nullopt};
    record.webhook = std::move(facts);
    return record;
}
WebhookFacts facts(Texts events = {}, bool enabled = true) {
    return {"https://example.org", "sixteen bytes it is", std::move(events), enabled};
}

void save(SampleStore& sample, const Record& record) {
    ASSERT_TRUE(std::holds_alternative<Saved>(sample.store.save(kAlice, record)));
}
Texts due(SampleStore& sample) {
    Texts found;
    for (const DueDelivery& delivery : sample.store.take_deliveries(100, kLease)) {
        found.push_back(delivery.webhook + " " + delivery.event.kind);
    }
    return found;
}

TEST(Outbox, TellsTheWebhooksThatWantTheKind) {
    SampleStore sample;
    save(sample, webhook("all", facts()));
    save(sample, webhook("some", facts({"a", "b"})));
    save(sample, webhook("other", facts({"ab"})));
    save(sample, webhook("off", facts({}, false)));
    sample.store.record_event(kAlice, "test", {"b", "x/1", "{}", "", false});
    EXPECT_EQ(due(sample), (Texts{"all b", "some b"}));
}

TEST(Outbox, TellsOneAloneWhateverItAsksFor) {
    SampleStore sample;
    save(sample, webhook("all", facts()));
    save(sample, webhook("other", facts({"a"})));
    save(sample, webhook("off", facts({}, false)));
    sample.store.record_event(kAlice, "test", {"ping", "x", "{}", "other", true});
    sample.store.record_event(kAlice, "test", {"ping", "x", "{}", "off", true});
    EXPECT_EQ(due(sample), (Texts{"other ping"}));
    sample.store.record_event(kAlice, "test", {"ping", "x", "{}", "other", false});
    EXPECT_EQ(sample.store.deliveries({}).size(), 3U) << "one before, and now it and the one that takes all";
}

TEST(Outbox, GivesOneDueDeliveryAWebhookThatHasWaitedLongest) {
    SampleStore sample;
    save(sample, webhook("w", facts()));
    const std::int64_t first = sample.store.record_event(kAlice, "test", {"a", "x", "{\"n\":1}", "", false});
    sample.time += kMinute;
    sample.store.record_event(kAlice, "test", {"a", "x", "{\"n\":2}", "", false});
    const auto found = sample.store.take_deliveries(100, kLease);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().event.id, first);
    EXPECT_EQ(found.front().event.body, "{\"n\":1}");
    EXPECT_EQ(found.front().url, "https://example.org");
    EXPECT_EQ(found.front().secret, "sixteen bytes it is");
    EXPECT_EQ(found.front().id.size(), 32U);
    EXPECT_EQ(sample.store.next_delivery(), kNoon);
}

TEST(Outbox, WaitsAfterAFailureAndEndsOnce) {
    SampleStore sample;
    save(sample, webhook("w", facts()));
    sample.store.record_event(kAlice, "test", {"a", "x", "{}", "", false});
    const std::int64_t row = sample.store.take_deliveries(1, kLease).front().row;
    sample.store.save_attempt({row, DeliveryState::pending, kNoon + kMinute, 500, "it answered 500"});
    EXPECT_TRUE(due(sample).empty());
    EXPECT_EQ(sample.store.next_delivery(), kNoon + kMinute);
    sample.time += kMinute;
    ASSERT_EQ(sample.store.take_deliveries(1, kLease).size(), 1U);
    EXPECT_EQ(sample.store.take_deliveries(1, kLease).front().attempts, 1);
    sample.store.save_attempt({row, DeliveryState::dead, 0, std::nullopt, "no answer"});
    sample.store.save_attempt({row, DeliveryState::delivered, 0, 200, ""}); // comes too late
    EXPECT_TRUE(due(sample).empty());
    EXPECT_EQ(sample.store.next_delivery(), std::nullopt);
    const Delivery dead = sample.store.deliveries({10, 0, DeliveryState::dead, "", 0}).at(0);
    EXPECT_EQ(dead.attempts, 2);
    EXPECT_EQ(dead.last_status, std::nullopt);
    EXPECT_EQ(dead.last_error, "no answer");
    EXPECT_EQ(dead.next_try_at, "");
    EXPECT_TRUE(sample.store.deliveries({10, 0, DeliveryState::delivered, "", 0}).empty());
}

TEST(Outbox, SendsAgainWhatSomebodyWantsSentAgain) {
    SampleStore sample;
    EXPECT_FALSE(sample.store.retry_delivery(kAlice, "no such"));
    save(sample, webhook("w", facts()));
    const std::int64_t event = sample.store.record_event(kAlice, "test", {"a", "x", "{}", "", false});
    const DueDelivery delivery = sample.store.take_deliveries(1, kLease).front();
    sample.store.save_attempt({delivery.row, DeliveryState::dead, 0, 500, "it answered 500"});
    sample.time += kMinute;
    auto retried = sample.store.retry_delivery(kAlice, delivery.id);
    ASSERT_TRUE(retried);
    EXPECT_EQ(retried->event, event);
    EXPECT_EQ(retried->state, DeliveryState::dead);
    EXPECT_EQ(due(sample), (Texts{"w a"}));
    EXPECT_EQ(sample.store.take_deliveries(1, kLease).front().attempts, 0) << "all of its tries are before it again";
    EXPECT_EQ(sample.store.snapshot()->audit(0, 1).front().action, "retry_delivery");
    sample.store.save_attempt({delivery.row, DeliveryState::pending, sample.time + kHour, 500, "it answered 500"});
    EXPECT_TRUE(sample.store.retry_delivery(kAlice, delivery.id)->is_due()) << "one that waits is due now";
    EXPECT_EQ(due(sample), (Texts{"w a"}));
    sample.store.save_attempt({delivery.row, DeliveryState::delivered, 0, 200, ""});
    EXPECT_FALSE(sample.store.retry_delivery(kAlice, delivery.id)->is_due());
    EXPECT_TRUE(due(sample).empty());
}

TEST(Outbox, SendsNothingAgainToAWebhookThatIsGone) {
    SampleStore sample;
    save(sample, webhook("w", facts()));
    sample.store.record_event(kAlice, "test", {"a", "x", "{}", "", false});
    const std::string id = sample.store.take_deliveries(1, kLease).front().id;
    ASSERT_TRUE(std::holds_alternative<Removed>(sample.store.remove(kAlice, {Kind::webhook, "w"})));
    EXPECT_FALSE(sample.store.retry_delivery(kAlice, id)->has_webhook);
    EXPECT_EQ(sample.store.deliveries({}).at(0).state, DeliveryState::dead);
}

TEST(Outbox, WaitsNotForAClockThatWasAhead) {
    constexpr std::int64_t kDay = 24 * kHour;
    SampleStore sample;
    save(sample, webhook("w", facts()));
    sample.time += 400 * kDay;
    sample.store.record_event(kAlice, "test", {"new", "x", "{}", "", false});
    sample.time = kNoon;
    EXPECT_EQ(due(sample), (Texts{"w new"})) << "recorded under the wrong clock";
    const std::int64_t row = sample.store.take_deliveries(1, kLease).front().row;
    sample.time += 400 * kDay;
    sample.store.save_attempt({row, DeliveryState::pending, sample.time + kHour, 500, "no"});
    sample.time = kNoon + 1;
    EXPECT_EQ(due(sample), (Texts{"w new"})) << "tried under the wrong clock";
    sample.store.save_attempt({row, DeliveryState::pending, sample.time + kHour, 500, "no"});
    EXPECT_EQ(due(sample), Texts{}) << "a pause by the right clock is kept";
    EXPECT_EQ(sample.store.next_delivery(), kNoon + 1 + kHour);
}

TEST(Outbox, HoldsBackWhatIsForADisabledWebhookAndGivesUpOnADeletedOne) {
    SampleStore sample;
    save(sample, webhook("w", facts()));
    sample.store.record_event(kAlice, "test", {"a", "x", "{}", "", false});
    Record off = webhook("w", facts({}, false));
    off.body = "{\"enabled\":false}";
    save(sample, off);
    EXPECT_TRUE(due(sample).empty());
    EXPECT_EQ(sample.store.next_delivery(), std::nullopt);
    save(sample, webhook("w", facts()));
    EXPECT_EQ(due(sample), (Texts{"w a"}));
    ASSERT_TRUE(std::holds_alternative<Removed>(sample.store.remove(kAlice, {Kind::webhook, "w"})));
    EXPECT_TRUE(due(sample).empty());
    const Delivery dead = sample.store.deliveries({}).at(0);
    EXPECT_EQ(dead.state, DeliveryState::dead);
    EXPECT_EQ(dead.last_error, "the webhook was deleted");
    EXPECT_FALSE(sample.store.has_secret("w"));
}

TEST(Outbox, KeepsASecretThatIsNotGivenAgainAndTakesANewOneWithoutARevision) {
    SampleStore sample;
    WebhookFacts without = facts();
    without.secret.clear();
    save(sample, webhook("none", without));
    EXPECT_FALSE(sample.store.has_secret("none"));
    save(sample, webhook("w", facts()));
    EXPECT_TRUE(sample.store.has_secret("w"));
    save(sample, webhook("w", without));
    EXPECT_TRUE(sample.store.has_secret("w"));
    const std::int64_t before = sample.store.sequence();
    save(sample, webhook("w", facts()));
    EXPECT_EQ(sample.store.sequence(), before) << "nothing new";
    WebhookFacts other = facts();
    other.secret = "another sixteen bytes";
    save(sample, webhook("w", other));
    EXPECT_EQ(sample.store.sequence(), before + 1) << "in the audit";
    EXPECT_EQ(sample.store.snapshot()->load({Kind::webhook, "w"})->revision, 1);
    sample.store.record_event(kAlice, "test", {"a", "x", "{}", "w", true});
    EXPECT_EQ(sample.store.take_deliveries(1, kLease).front().secret, "another sixteen bytes");
}

TEST(Outbox, ListsEventsNewestFirstByKindAndSubject) {
    SampleStore sample;
    for (const char* kind : {"a", "b", "a", "a"}) {
        sample.store.record_event(kAlice, "test", {kind, std::string("about/") + kind, "{}", "", false});
    }
    const auto ids = [&](const EventQuery& query) {
        std::vector<std::int64_t> found;
        for (const Event& event : sample.store.events(query)) {
            found.push_back(event.id);
        }
        return found;
    };
    EXPECT_EQ(ids({}), (std::vector<std::int64_t>{4, 3, 2, 1}));
    EXPECT_EQ(ids({2, 0, "a", ""}), (std::vector<std::int64_t>{4, 3}));
    EXPECT_EQ(ids({2, 3, "a", ""}), (std::vector<std::int64_t>{1}));
    EXPECT_EQ(ids({10, 0, "", "about/b"}), (std::vector<std::int64_t>{2}));
    EXPECT_EQ(sample.store.events({1, 0, "", ""}).front().recorded_at, "2026-11-21T12:00:00.000000Z");
}

TEST(Outbox, KeepsWhatWasRecorded) {
    SampleStore sample;
    save(sample, webhook("w", facts()));
    sample.store.record_event(kAlice, "test", {"a", "x", "{}", "", false});
    const auto side = sample.side();
    for (const char* sql : {"UPDATE event SET kind = 'b'", "DELETE FROM event", "DELETE FROM delivery"}) {
        EXPECT_THROW(side->execute(sql), StoreError) << sql;
    }
}

TEST(Ticks, StandWithTheirSchedule) {
    SampleStore sample;
    const auto run = [&] { ASSERT_EQ(sample.store.begin_run(kAlice, {Scope::all, {}, "nightly", "1"}).index(), 0U); };
    run();
    EXPECT_EQ(sample.store.ticked({Kind::schedule, "nightly"}), std::nullopt) << "there is no such schedule";
    save(sample, Record{{Kind::schedule, "nightly"}, "", "{}", {}, {}, std::nullopt});
    EXPECT_EQ(sample.store.ticked({Kind::schedule, "nightly"}), std::nullopt);
    run();
    EXPECT_EQ(sample.store.ticked({Kind::schedule, "nightly"}), kNoon);
    sample.time += kMinute;
    run();
    EXPECT_EQ(sample.store.ticked({Kind::schedule, "nightly"}), kNoon + kMinute);
}

} // namespace
} // namespace costcurve::storage::test
