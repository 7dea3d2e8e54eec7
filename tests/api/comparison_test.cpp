// Comparisons that are watched: what is stored of them, how they stand after recalculations, and the events of it. Without
// sockets.
#include <gtest/gtest.h>

#include "model/version.hpp"
#include "server/recalculation/comparison_event.hpp"
#include "server/recalculation/recalculate.hpp"
#include "server/recalculation/recalculation.hpp"
#include "server/recalculation/standings.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

using Words = std::vector<std::string>;

class Comparisons : public testing::Test {
protected:
    http::Response put(const std::string& path, const json& document) { return service.ask("PUT", path, document.dump()); }
    json get(const std::string& target) {
        const http::Response response = service.ask("GET", target);
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    }
    json items(const std::string& target) { return get(target).at("items"); }
    // A scenario whose one instance costs this an hour.
    void priced(const std::string& id, double price, const std::string& currency = "USD") {
        json scenario = json::parse(kSmallest);
        scenario["currency"] = currency;
        scenario["pools"][0]["offer"]["currency"] = currency;
        scenario["pools"][0]["offer"]["hourly_price"] = price;
        const http::Response response = put("/v1/scenarios/" + id, scenario);
        ASSERT_LT(response.status, 300) << response.body;
    }
    // The same with the energy of its devices known.
    void metered(const std::string& id) {
        json scenario = json::parse(kSmallest);
        scenario["pools"][0]["offer"]["site"] = {{"energy_price", 0.1}};
        const http::Response response = put("/v1/scenarios/" + id, scenario);
        ASSERT_LT(response.status, 300) << response.body;
    }
    void compare(json more = json::object()) {
        more["scenarios"] = {"a", "b"};
        const http::Response response = put("/v1/comparisons/rent", more);
        ASSERT_LT(response.status, 300) << response.body;
    }
    std::int64_t run(const storage::RunRequest& request = {
                         .scenarios = {}, .schedule = "", .model_version = std::string(model::kModelVersion)}) {
        const auto id = std::get<std::int64_t>(service.store.begin_run({"local", ""}, request));
        recalculation::execute_run(service.store, id,
                                   {.model_version = std::string(model::kModelVersion),
                                    .recalculate = recalculation::recalculate,
                                    .threads = 1,
                                    .at_end = recalculation::record_end,
                                    .ended = [this] { ++ended; }});
        return id;
    }
    // What the log of events has of a kind, the oldest first.
    json told(const std::string& kind) {
        json found = items("/v1/events?kind=" + kind);
        std::reverse(found.begin(), found.end());
        return found;
    }
    // The cheapest after each run, the oldest first; "" where none could be said.
    Words standing() {
        Words found;
        for (const json& item : items("/v1/comparisons/rent/standings")) {
            found.insert(found.begin(), item.at("cheapest").is_null() ? "" : item.at("cheapest").get<std::string>());
        }
        return found;
    }

    TestService service;
    int ended = 0;
};

// What webhooks are sent stays the same text.
TEST(ComparisonEvents, HaveTheirMembersInThisOrder) {
    using recalculation::ComparisonMoved;
    EXPECT_EQ(answers::encode_answer(ComparisonMoved{"serving", R"({"figure":2})", R"({"figure":1})", {}, "", {}}),
              R"({"comparison":"serving","before":{"figure":2},"now":{"figure":1},"because":[]})");
    EXPECT_EQ(answers::encode_answer(ComparisonMoved{
                  "serving", "{}", "{}", {{"rented", 2.5, 1.0, "a price fell"}}, "model_version", {{"", 7}, {"lambda", 8}}}),
              R"({"comparison":"serving","before":{},"now":{},"because":[{"scenario":"rented","before":2.5,"now":1,)"
              R"("why":"a price fell"}],"cause":"model_version","undone":[{"run":7},{"feed":"lambda","run":8}]})");
}

TEST_F(Comparisons, NameStoredScenariosEachOnce) {
    priced("a", 1);
    const auto refused = [&](const json& document) {
        const http::Response response = put("/v1/comparisons/rent", document);
        EXPECT_EQ(response.status, 422) << response.body;
        const json error = json::parse(response.body).at("errors").at(0);
        return error.at("code").get<std::string>() + " " + error.at("pointer").get<std::string>();
    };
    EXPECT_EQ(refused(json::object()), "missing /scenarios");
    EXPECT_EQ(refused({{"scenarios", json::array()}}), "out_of_range /scenarios");
    EXPECT_EQ(refused({{"scenarios", std::vector<std::string>(101, "a")}}), "out_of_range /scenarios");
    EXPECT_EQ(refused({{"scenarios", {"a", "a"}}}), "inconsistent /scenarios/1");
    EXPECT_EQ(refused({{"scenarios", {"a", "b"}}}), "unknown_reference ");
    priced("b", 2);
    EXPECT_EQ(refused({{"scenarios", {"a", "b"}}, {"objective", "beauty"}}), "unknown_value /objective");
    EXPECT_EQ(refused({{"scenarios", {"a", "b"}}, {"threshold_fraction", -0.1}}), "out_of_range /threshold_fraction");
    EXPECT_EQ(refused({{"scenarios", {"a"}}, {"budget", 0}}), "out_of_range /budget");
    compare();
    const json stored = get("/v1/comparisons/rent");
    EXPECT_FALSE(stored.contains("objective")) << "that of its first scenario";
    EXPECT_FALSE(stored.contains("threshold_fraction"));
    EXPECT_EQ(service.ask("DELETE", "/v1/scenarios/a").status, 409) << "it is compared";
    EXPECT_EQ(service.ask("GET", "/v1/comparisons/none/standings").status, 404);
    EXPECT_EQ(items("/v1/comparisons/rent/standings"), json::array());
}

TEST_F(Comparisons, TellAFlipAndNothingElseWithoutAThreshold) {
    priced("a", 1);
    priced("b", 2);
    compare();
    run();
    EXPECT_TRUE(told("comparison_flipped").empty()) << "the first one is no flip";
    priced("a", 1.9);
    run();
    priced("a", 2);
    run();
    EXPECT_TRUE(told("comparison_flipped").empty()) << "as dear is no flip";
    priced("a", 2.5);
    run();
    priced("a", 3);
    run();
    priced("b", 4);
    run();
    EXPECT_EQ(standing(), (Words{"a", "a", "a", "b", "b", "a"}));
    const json flips = told("comparison_flipped");
    ASSERT_EQ(flips.size(), 2U);
    EXPECT_EQ(flips[0].at("subject"), "comparison/rent");
    const json& data = flips[0].at("data");
    EXPECT_EQ(data.at("comparison"), "rent");
    EXPECT_EQ(data.at("before").at("cheapest"), "a");
    EXPECT_EQ(data.at("before").at("recalculation"), "1");
    EXPECT_EQ(data.at("now").at("cheapest"), "b");
    EXPECT_EQ(data.at("now").at("recalculation"), "4");
    EXPECT_EQ(data.at("now").at("currency"), "USD");
    EXPECT_NEAR(data.at("now").at("figure").get<double>(), 744 * 2, 1e-9);
    const json& a = data.at("now").at("scenarios").at(0);
    EXPECT_EQ(a.at("scenario"), "a");
    EXPECT_EQ(a.at("result"), 4);
    EXPECT_NEAR(a.at("figure").get<double>(), 744 * 2.5, 1e-9);
    EXPECT_TRUE(told("comparison_changed").empty());
    EXPECT_EQ(told("recalculation_done").size(), 6U);
    EXPECT_EQ(ended, 6);
    const json newest = items("/v1/comparisons/rent/standings?limit=1").at(0);
    EXPECT_EQ(newest.at("event"), flips[1].at("event"));
    EXPECT_EQ(newest.at("recalculation"), "6");
}

TEST_F(Comparisons, TellAChangeBeyondTheThresholdSinceTheLastOneTold) {
    priced("a", 100);
    priced("b", 200);
    compare({{"threshold_fraction", 0.05}});
    for (const double price : {100.0, 104.0, 106.0, 110.0, 112.0, 100.0}) { // told at 106 and 112, and at 100 again
        priced("a", price);
        run();
    }
    const json changes = told("comparison_changed");
    ASSERT_EQ(changes.size(), 3U);
    const auto figure = [](const json& event, const char* when) {
        return event.at("data").at(when).at("figure").get<double>() / 744;
    };
    constexpr std::array kTold = {100.0, 106.0, 112.0, 100.0};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(figure(changes[i], "before"), kTold.at(i), 1e-9);
        EXPECT_NEAR(figure(changes[i], "now"), kTold.at(i + 1), 1e-9);
    }
}

TEST_F(Comparisons, SayWhyNoneIsTheCheapest) {
    priced("a", 1);
    priced("b", 2);
    compare();
    run({.scope = storage::Scope::some, .scenarios = {"a"}, .schedule = "", .model_version = std::string(model::kModelVersion)});
    json newest = items("/v1/comparisons/rent/standings").at(0);
    EXPECT_EQ(newest.at("problem"), "b has no result yet");
    EXPECT_EQ(newest.at("figure"), nullptr);
    EXPECT_EQ(newest.at("scenarios").at(1),
              json({{"scenario", "b"}, {"result", nullptr}, {"figure", nullptr}, {"feasible", nullptr}}));
    priced("b", 0.5, "EUR");
    run();
    newest = items("/v1/comparisons/rent/standings").at(0);
    EXPECT_EQ(newest.at("problem"), "its scenarios are in USD and EUR");
    compare({{"objective", "energy_kwh"}});
    run();
    newest = items("/v1/comparisons/rent/standings").at(0);
    EXPECT_EQ(newest.at("problem"), "none of its scenarios can do its work with energy_kwh known");
    EXPECT_EQ(newest.at("currency"), nullptr) << "energy has none";
    EXPECT_EQ(newest.at("scenarios").at(0).at("figure"), nullptr) << "not known is not 0";
    metered("b");
    run();
    EXPECT_EQ(standing(), (Words{"", "", "", "b"})) << "of a the energy is not known";
    compare();
    priced("b", 0.5);
    run();
    EXPECT_EQ(standing(), (Words{"", "", "", "b", "b"}));
    EXPECT_TRUE(told("comparison_flipped").empty()) << "another objective is measured anew";
}

// A month against two, or another demand: by the number the cheapest, and it never wins.
TEST_F(Comparisons, OtherWorkIsNeverTheCheapest) {
    priced("a", 1);
    priced("b", 2);
    compare();
    run();
    json scenario = json::parse(kSmallest);
    scenario["pools"][0]["offer"]["hourly_price"] = 0.1;
    scenario["workloads"][0]["demand"]["mean_per_s"] = 0.5;
    ASSERT_LT(put("/v1/scenarios/b", scenario).status, 300);
    run();
    EXPECT_EQ(standing(), (Words{"a", ""}));
    EXPECT_EQ(items("/v1/comparisons/rent/standings").at(0).at("problem"), "a and b do not do the same work: workload work");
    scenario["workloads"][0]["demand"]["mean_per_s"] = 1;
    scenario["months"] = 2;
    ASSERT_LT(put("/v1/scenarios/b", scenario).status, 300);
    run();
    EXPECT_EQ(items("/v1/comparisons/rent/standings").at(0).at("problem"), "a and b do not do the same work: months 1 and 2");
    scenario["months"] = 1;
    ASSERT_LT(put("/v1/scenarios/b", scenario).status, 300);
    run();
    EXPECT_EQ(standing(), (Words{"a", "", "", "b"}));
}

TEST_F(Comparisons, WhatCannotDoItsWorkIsNeverTheCheapest) {
    priced("a", 1);
    priced("b", 2);
    compare();
    run();
    json scenario = json::parse(kSmallest);
    scenario["pools"][0]["offer"]["hourly_price"] = 1;
    scenario["workloads"][0]["runs_on"][0]["performance"]["units_per_s"] = 0.05; // of ten devices
    ASSERT_LT(put("/v1/scenarios/a", scenario).status, 300);
    run();
    EXPECT_EQ(standing(), (Words{"a", "b"}));
    EXPECT_TRUE(told("comparison_flipped").empty());
    const json events = told("comparison_infeasible");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].at("data").at("before").at("cheapest"), "a");
    EXPECT_EQ(events[0].at("data").at("now").at("cheapest"), "b");
    EXPECT_EQ(events[0].at("data").at("now").at("scenarios").at(0).at("feasible"), false);
    run({.scope = storage::Scope::all, .scenarios = {}, .schedule = "", .model_version = std::string(model::kModelVersion)});
    EXPECT_EQ(told("comparison_infeasible").size(), 1U) << "told once";
}

TEST_F(Comparisons, GoByTheFigureThatDecidesTheFirst) {
    json scenario = json::parse(kSmallest);
    scenario["finance"] = {{"discount_rate", 0.1}};
    ASSERT_LT(put("/v1/scenarios/a", scenario).status, 300);
    priced("b", 2);
    compare();
    run();
    EXPECT_EQ(items("/v1/comparisons/rent/standings").at(0).at("objective"), "npv");
}

TEST_F(Comparisons, AreLookedAtAfterARunThatIsDoneOnly) {
    priced("a", 1);
    priced("b", 2);
    compare();
    ASSERT_EQ(service.ask("POST", "/v1/recalculations", "{}").status, 202);
    int woken = 0;
    service.service.wake_dispatcher = [&] { ++woken; };
    ASSERT_EQ(service.ask("DELETE", "/v1/recalculations/1").status, 200);
    EXPECT_EQ(woken, 1);
    ASSERT_EQ(service.ask("DELETE", "/v1/recalculations/1").status, 409);
    const json events = told("recalculation_done");
    ASSERT_EQ(events.size(), 1U) << "it ended once";
    EXPECT_EQ(events[0].at("subject"), "recalculation/1");
    EXPECT_EQ(events[0].at("data").at("state"), "cancelled");
    EXPECT_EQ(standing(), Words{});
}

TEST_F(Comparisons, AreKeptWhereTheyAreDeleted) {
    priced("a", 1);
    priced("b", 2);
    compare();
    run();
    EXPECT_EQ(service.ask("DELETE", "/v1/comparisons/rent").status, 204);
    run();
    EXPECT_EQ(standing(), Words{"a"});
}

TEST_F(Comparisons, TheEndOfARunIsToldToTheWebhookOfItsSchedule) {
    const json hook = {{"url", "https://example.org/hook"}, {"secret", "sixteen bytes it is"}, {"events", {"ping"}}};
    ASSERT_EQ(put("/v1/webhooks/of-schedule", hook).status, 201);
    ASSERT_EQ(put("/v1/webhooks/other", hook).status, 201);
    ASSERT_EQ(put("/v1/schedules/nightly", {{"cron", "@daily"}, {"webhook", "of-schedule"}}).status, 201);
    const std::string version(model::kModelVersion);
    run({.scenarios = {}, .schedule = "nightly", .model_version = version, .webhook = "of-schedule"});
    run({.scenarios = {}, .schedule = "", .model_version = version});
    const json deliveries = items("/v1/deliveries");
    ASSERT_EQ(deliveries.size(), 1U);
    EXPECT_EQ(deliveries[0].at("webhook"), "of-schedule");
    EXPECT_EQ(deliveries[0].at("kind"), "recalculation_done");
    EXPECT_EQ(deliveries[0].at("subject"), "recalculation/1");
}

} // namespace
} // namespace costcurve::tests
