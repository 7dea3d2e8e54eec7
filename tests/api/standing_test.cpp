// Schedules and webhooks over the document routes, the log of events and its deliveries; without sockets and without a dispatcher.
#include <gtest/gtest.h>

#include "server/storage/timestamp.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

using Words = std::vector<std::string>;

constexpr std::int64_t kNoon = 1'795'262'400'000'000; // 2026-11-21T12:00:00Z, in microseconds
const json kWebhook = {{"url", "https://example.org/hook"}, {"secret", "sixteen bytes it is"}};

class Standing : public testing::Test {
protected:
    http::Response put(const std::string& path, const json& document) { return service.ask("PUT", path, document.dump()); }
    json get(const std::string& target) {
        const http::Response response = service.ask("GET", target);
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    }
    // Codes and pointers of a refusal.
    static Words words(const http::Response& response) {
        EXPECT_EQ(response.status, 422) << response.body;
        Words found;
        const json body = json::parse(response.body);
        for (const json& error : body.at("errors")) {
            found.push_back(error.at("code").get<std::string>() + " " + error.at("pointer").get<std::string>());
        }
        return found;
    }

    TestService service{{}, [] { return kNoon; }};
};

TEST_F(Standing, SaysWhenAScheduleRunsNext) {
    const http::Response added = put("/v1/schedules/nightly", {{"cron", "30 2 * * sun"}, {"time_zone", "Europe/Berlin"}});
    ASSERT_EQ(added.status, 201) << added.body;
    const json stored = json::parse(added.body);
    EXPECT_EQ(stored.at("next_runs"), json({"2026-11-22T02:30:00+01:00", "2026-11-29T02:30:00+01:00", "2026-12-06T02:30:00+01:00",
                                            "2026-12-13T02:30:00+01:00", "2026-12-20T02:30:00+01:00"}));
    EXPECT_EQ(stored.at("scenarios"), "changed");
    EXPECT_EQ(stored.at("enabled"), true);
    EXPECT_EQ(get("/v1/schedules").at("items").at(0), stored);
    EXPECT_EQ(put("/v1/schedules/nightly", stored).status, 200) << "what was answered can be sent back";
    EXPECT_EQ(get("/v1/schedules/nightly").at("revision"), 1);
    json off = stored;
    off["enabled"] = false;
    EXPECT_EQ(json::parse(put("/v1/schedules/nightly", off).body).at("next_runs"), json::array());
}

TEST_F(Standing, RefusesWhatIsNoSchedule) {
    EXPECT_EQ(words(put("/v1/schedules/s", {{"cron", "61 * * * *"}})), Words{"bad_format /cron"});
    EXPECT_EQ(words(put("/v1/schedules/s", {{"cron", "0 0 30 2 *"}})), Words{"inconsistent /cron"});
    EXPECT_EQ(words(put("/v1/schedules/s", {{"cron", "61 24 * * *"}, {"time_zone", "Mars/Olympus"}})),
              (Words{"bad_format /cron", "bad_format /cron", "unknown_value /time_zone"}));
    EXPECT_EQ(words(put("/v1/schedules/s", json::object())), Words{"missing /cron"});
    EXPECT_EQ(words(put("/v1/schedules/s", {{"cron", "@daily"}, {"scenarios", json::array()}})), Words{"out_of_range /scenarios"});
    EXPECT_EQ(words(put("/v1/schedules/s", {{"cron", "@daily"}, {"scenarios", "some"}})), Words{"unknown_value /scenarios"});
    EXPECT_EQ(words(put("/v1/schedules/s", {{"cron", "@daily"}, {"scenarios", {"x", 1}}})), Words{"wrong_type /scenarios/1"});
}

TEST_F(Standing, NeedsWhatAScheduleNamesAndKeepsIt) {
    const json schedule = {{"cron", "@daily"}, {"webhook", "hook"}, {"scenarios", {"plan"}}};
    EXPECT_EQ(words(put("/v1/schedules/s", schedule)), Words{"unknown_reference "});
    ASSERT_EQ(put("/v1/webhooks/hook", kWebhook).status, 201);
    EXPECT_EQ(words(put("/v1/schedules/s", schedule)), Words{"unknown_reference "});
    ASSERT_EQ(put("/v1/scenarios/plan", json::parse(kSmallest)).status, 201);
    ASSERT_EQ(put("/v1/schedules/s", schedule).status, 201);
    EXPECT_EQ(service.ask("DELETE", "/v1/webhooks/hook").status, 409);
    EXPECT_EQ(service.ask("DELETE", "/v1/scenarios/plan").status, 409);
    EXPECT_EQ(service.ask("DELETE", "/v1/schedules/s").status, 204);
    EXPECT_EQ(service.ask("DELETE", "/v1/webhooks/hook").status, 204);
}

TEST_F(Standing, NeedsASecretOnceAndNeverGivesItBack) {
    const json without = {{"url", "https://example.org/hook"}};
    EXPECT_EQ(words(put("/v1/webhooks/hook", without)), Words{"missing /secret"});
    const http::Response added = put("/v1/webhooks/hook", kWebhook);
    ASSERT_EQ(added.status, 201) << added.body;
    EXPECT_EQ(added.body.find("secret"), std::string::npos);
    EXPECT_FALSE(get("/v1/webhooks/hook").contains("secret"));
    EXPECT_EQ(put("/v1/webhooks/hook", without).status, 200);
    EXPECT_TRUE(service.store.has_secret("hook"));
    EXPECT_EQ(service.ask("DELETE", "/v1/webhooks/hook").status, 204);
    EXPECT_EQ(words(put("/v1/webhooks/hook", without)), Words{"missing /secret"});
}

TEST_F(Standing, RefusesWhatIsNoWebhookAndQuotesNoSecret) {
    const auto refused = [&](const char* name, const json& value) {
        json webhook = kWebhook;
        webhook[name] = value;
        const http::Response response = put("/v1/webhooks/hook", webhook);
        EXPECT_EQ(response.body.find("very private"), std::string::npos) << response.body;
        return words(response);
    };
    EXPECT_EQ(refused("url", "ftp://example.org"), Words{"bad_format /url"});
    EXPECT_EQ(refused("url", "https://me:very%20private@example.org"), Words{"bad_format /url"});
    EXPECT_EQ(refused("secret", "very private"), Words{"out_of_range /secret"});
    EXPECT_EQ(refused("secret", {"very private"}), Words{"wrong_type /secret"});
    EXPECT_EQ(refused("secret", std::string(257, 'x')), Words{"out_of_range /secret"});
    EXPECT_EQ(refused("events", {"ping", "pong"}), Words{"unknown_value /events/1"});
    EXPECT_EQ(refused("events", "ping"), Words{"wrong_type /events"});
}

TEST_F(Standing, PingsOneWebhookAndTellsTheDispatcher) {
    int woken = 0;
    service.service.wake_dispatcher = [&] { ++woken; };
    EXPECT_EQ(service.ask("POST", "/v1/webhooks/hook/test").status, 404);
    json webhook = kWebhook;
    webhook["events"] = {"recalculation_done"};
    put("/v1/webhooks/hook", webhook);
    put("/v1/webhooks/other", kWebhook);
    const http::Response begun = service.ask("POST", "/v1/webhooks/hook/test");
    ASSERT_EQ(begun.status, 202) << begun.body;
    EXPECT_EQ(begun.body, R"({"event":1})");
    EXPECT_EQ(header_of(begun, "Location"), "/v1/deliveries?event=1");
    EXPECT_EQ(woken, 1);
    const json events = get("/v1/events").at("items");
    EXPECT_EQ(events, json::parse(R"([{"event": 1, "recorded_at": "2026-11-21T12:00:00.000000Z", "kind": "ping",
                                       "subject": "webhook/hook", "data": {}}])"));
    const json deliveries = get("/v1/deliveries?state=pending").at("items");
    ASSERT_EQ(deliveries.size(), 1U);
    EXPECT_EQ(deliveries.at(0).at("webhook"), "hook");
    EXPECT_EQ(deliveries.at(0).at("attempts"), 0);
    EXPECT_EQ(deliveries.at(0).at("last_status"), nullptr);
    EXPECT_EQ(deliveries.at(0).at("next_try_at"), "2026-11-21T12:00:00.000000Z");
    webhook["enabled"] = false;
    put("/v1/webhooks/hook", webhook);
    EXPECT_EQ(service.ask("POST", "/v1/webhooks/hook/test").status, 409);
    EXPECT_EQ(get("/v1/events").at("items").size(), 1U);
}

TEST_F(Standing, PagesThroughEvents) {
    for (int i = 0; i < 5; ++i) {
        service.store.record_event({"alice", "", ""}, "test", {"ping", "x", "{}", "", false});
    }
    const json first = get("/v1/events?limit=2");
    EXPECT_EQ(first.at("items").at(1).at("event"), 4);
    const json second = get("/v1/events?limit=3&after=" + first.at("next").get<std::string>());
    EXPECT_EQ(second.at("items").at(0).at("event"), 3);
    EXPECT_EQ(second.at("next"), nullptr);
    EXPECT_EQ(service.ask("GET", "/v1/events?after=x").status, 422);
}

} // namespace
} // namespace costcurve::tests
