// Simulations and maps over the API: answers, everything that is wrong with a question, seats, deadlines, events.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

constexpr auto kSimulatedPrice = "/pools/0/offer/hourly_price";

json simulation() {
    return {{"scenarios", {json::parse(kSmallest), json::parse(kSmallest)}},
            {"inputs",
             {{{"pointer", kSimulatedPrice}, {"scenario", 0}, {"distribution", {{"kind", "uniform"}, {"low", 0}, {"high", 7.2}}}}}},
            {"samples", 1000},
            {"seed", 1}};
}

json map_question() {
    return {{"scenarios", {json::parse(kSmallest)}},
            {"x", {{"pointer", kSimulatedPrice}, {"from", 1}, {"to", 100}, {"steps", 3}, {"spacing", "log"}}},
            {"y", {{"pointer", "/workloads/0/demand/mean_per_s"}, {"values", {0.5, 1.5}}}}};
}

struct Asked {
    int status;
    json body;
};
Asked ask_simulate(TestService& service, const std::string& path, const json& question) {
    const http::Response response = service.ask("POST", path, question.dump());
    return {response.status, json::parse(response.body)};
}

// "code pointer" of each issue.
std::vector<std::string> issues_of(const json& problem) {
    std::vector<std::string> all;
    for (const json& error : problem["errors"]) {
        all.push_back(error["code"].get<std::string>() + " " + error["pointer"].get<std::string>());
    }
    return all;
}

TEST(SimulateRoute, AnswersTheSameBytesForTheSameSeed) {
    TestService service;
    const Asked first = ask_simulate(service, "/v1/simulate", simulation());
    ASSERT_EQ(first.status, 200) << first.body;
    EXPECT_EQ(first.body, ask_simulate(service, "/v1/simulate", simulation()).body);
    const json& uncertain = first.body["scenarios"][0]["outputs"]["/total/cost"];
    EXPECT_EQ(uncertain["unit"], "USD");
    EXPECT_EQ(uncertain["samples"], 1000);
    EXPECT_GT(uncertain["variance_by_input"][kSimulatedPrice], 0.98);
    EXPECT_NEAR(first.body["scenarios"][0]["probability_cheapest"], 0.5, 0.06);
    EXPECT_TRUE(first.body["scenarios"][1]["outputs"]["/total/cost"]["variance_by_input"].empty());
    EXPECT_EQ(first.body["first_failure"], nullptr);
}

TEST(SimulateRoute, BudgetsAndTheDifferenceToTheBaseline) {
    TestService service;
    json question = simulation();
    question["budgets"] = {{{"amount", 1e9}}, {{"amount", 0}, {"scenario", 0}}};
    question["baseline"] = 1;
    const json answer = ask_simulate(service, "/v1/simulate", question).body;
    const json& first = answer["scenarios"][0];
    EXPECT_EQ(first["probability_below"], json({{{"output", "/total/cost"}, {"amount", 1e9}, {"probability", 1.0}},
                                                {{"output", "/total/cost"}, {"amount", 0.0}, {"probability", 0.0}}}));
    EXPECT_EQ(answer["scenarios"][1]["probability_below"].size(), 1);
    EXPECT_EQ(first["difference"]["unit"], "USD");
    EXPECT_EQ(first["difference"]["samples"], 1000);
    EXPECT_EQ(answer["scenarios"][1]["difference"], nullptr);
    EXPECT_EQ(answer["not_comparable"], 0);
}

TEST(SimulateRoute, WhatIsWrongIsSaidAtOnce) {
    TestService service;
    json question = simulation();
    question["samples"] = 1.5;
    question["seed"] = -1;
    question["sampling"] = "dice";
    question["break_even"] = {{"a", 0}, {"b", 2}};
    question["deadline_s"] = 1e9;
    question["inputs"].push_back({{"pointer", kSimulatedPrice}, {"distribution", {{"kind", "normal"}, {"low", 1}, {"sd", "x"}}}});
    question["inputs"].push_back({{"pointer", kSimulatedPrice}, {"distribution", {{"kind", "cauchy"}}}});
    question["correlations"] = {{{"a", kSimulatedPrice}, {"b", kSimulatedPrice}, {"rho", 2}}};
    const Asked asked = ask_simulate(service, "/v1/simulate", question);
    EXPECT_EQ(asked.status, 422);
    std::vector<std::string> issues = issues_of(asked.body);
    std::sort(issues.begin(), issues.end());
    EXPECT_EQ(issues, (std::vector<std::string>{
                          "missing /inputs/1/distribution/mean", "out_of_range /break_even/b", "out_of_range /correlations/0/rho",
                          "out_of_range /deadline_s", "out_of_range /samples", "out_of_range /seed",
                          "unknown_field /inputs/1/distribution/low", "unknown_value /inputs/2/distribution/kind",
                          "unknown_value /sampling", "wrong_type /inputs/1/distribution/sd"}));
}

TEST(SensitivityRoute, WhatToTakeOfEveryNumberHasNoPlaceBesideInputs) {
    TestService service;
    json question = {{"scenario", json::parse(kSmallest)}, {"change", 0.5}, {"decisions", true}};
    const json answer = ask_simulate(service, "/v1/sensitivity", question).body;
    EXPECT_NEAR(answer["inputs"][0]["high"]["change"], 0.5, 1e-12);
    EXPECT_EQ(answer["without_effect"], answer["first_without_effect"].size());
    question["inputs"] = {{{"pointer", kSimulatedPrice}, {"change", 0.2}}};
    EXPECT_EQ(issues_of(ask_simulate(service, "/v1/sensitivity", question).body),
              (std::vector<std::string>{"inconsistent /change", "inconsistent /decisions"}));
}

TEST(SimulateRoute, LimitsAreNamed) {
    TestService service;
    json question = simulation();
    question["samples"] = 2'000'000;
    Asked asked = ask_simulate(service, "/v1/simulate", question);
    EXPECT_EQ(issues_of(asked.body), std::vector<std::string>{"too_large /samples"});
    EXPECT_NE(asked.body.dump().find("--max-samples"), std::string::npos);
    question = map_question();
    question["x"]["steps"] = 200'000;
    asked = ask_simulate(service, "/v1/map", question);
    EXPECT_EQ(issues_of(asked.body), std::vector<std::string>{"too_large "});
    EXPECT_NE(asked.body.dump().find("--max-cells"), std::string::npos);
}

TEST(SimulateRoute, PastItsDeadlineItIsA422AtDeadline) {
    TestService service;
    json question = simulation();
    question["samples"] = 1'000'000;
    question["deadline_s"] = 0.001;
    const Asked asked = ask_simulate(service, "/v1/simulate", question);
    EXPECT_EQ(asked.status, 422);
    EXPECT_EQ(issues_of(asked.body), std::vector<std::string>{"too_large /deadline_s"});
}

TEST(SimulateRoute, WithoutASeatItIsA503ThatSaysWhenToComeAgain) {
    TestService service;
    const auto one = service.service.seats.take("one");
    const auto two = service.service.seats.take("two");
    service.service.seats.wait_at_most(0);
    auto other = service.service.seats.take("other");
    const http::Response refused = service.ask("POST", "/v1/simulate", simulation().dump());
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(header_of(refused, "Retry-After"), "5");
    other.reset();
    EXPECT_EQ(service.ask("POST", "/v1/simulate", simulation().dump()).status, 200);
    EXPECT_EQ(service.ask("POST", "/v1/map", map_question().dump()).status, 200) << "a seat is given back";
}

TEST(SimulateRoute, EventsEndWithTheResultThatJsonIs) {
    TestService service;
    const http::Response whole = service.ask("POST", "/v1/simulate", simulation().dump());
    http::Response streamed = service.ask("POST", "/v1/simulate", simulation().dump(), {{"accept", "text/event-stream"}});
    std::string events;
    while (streamed.stream(events)) {}
    EXPECT_NE(events.find("event: result\ndata: " + whole.body), std::string::npos) << events;
}

TEST(SimulateRoute, AStreamThatIsDroppedGivesBackItsSeat) {
    TestService service;
    json question = simulation();
    question["samples"] = 1'000'000;
    for (int i = 0; i < 5; ++i) { // more than there are seats
        http::Response streamed = service.ask("POST", "/v1/simulate", question.dump(), {{"accept", "text/event-stream"}});
        ASSERT_EQ(streamed.status, 200);
        std::string events;
        streamed.stream(events);
    }
}

TEST(MapRoute, HasARowForEachYAndAColumnForEachX) {
    TestService service;
    const Asked asked = ask_simulate(service, "/v1/map", map_question());
    ASSERT_EQ(asked.status, 200) << asked.body;
    EXPECT_EQ(asked.body["x"]["values"], (json{1.0, 10.0, 100.0}));
    EXPECT_EQ(asked.body["cheapest"], (json{{0, 0, 0}, {0, 0, 0}}));
    ASSERT_EQ(asked.body["values"][0].size(), 2U);
    EXPECT_EQ(asked.body["values"][0][0][1].get<double>() * 10, asked.body["values"][0][0][2].get<double>());
    EXPECT_EQ(asked.body["x"]["unit"], "USD/instance-hour");
    EXPECT_TRUE(asked.body["boundary"].empty());
}

TEST(MapRoute, WhatIsWrongIsSaidAtOnce) {
    TestService service;
    json question = map_question();
    question["x"]["from"] = -1;
    question["y"]["steps"] = 3;
    question["output"] = 5;
    const Asked asked = ask_simulate(service, "/v1/map", question);
    EXPECT_EQ(asked.status, 422);
    EXPECT_EQ(issues_of(asked.body),
              (std::vector<std::string>{"wrong_type /output", "inconsistent /x/from", "inconsistent /y/steps"}));
}

} // namespace
} // namespace costcurve::tests
