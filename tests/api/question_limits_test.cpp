// What one client's questions may take from the others: seats, deadlines, an end where nobody waits for the answer.
#include "model/questions/evaluation_cost.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "model/questions/variant.hpp"
#include "server/answers/sensitivity.hpp"
#include "server/api/gate.hpp"
#include "server/documents/decode.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

constexpr auto kPrice = "/pools/0/offer/hourly_price";

// Many pools over the longest horizon: an evaluation takes a tenth of a second and more.
json large_scenario() {
    json scenario = smallest();
    scenario["months"] = 240;
    const json pool = scenario["pools"][0];
    const json runs = scenario["workloads"][0]["runs_on"][0];
    for (int i = 1; i < 60; ++i) {
        json more = pool;
        more["id"] = fmt::format("pool{}", i);
        scenario["pools"].push_back(more);
        json more_runs = runs;
        more_runs["pool"] = more["id"];
        scenario["workloads"][0]["runs_on"].push_back(more_runs);
    }
    return scenario;
}
json sensitivity_of(const json& scenario, std::size_t against = 0) {
    return {{"scenario", scenario}, {"against", json(std::vector<json>(against, scenario))}};
}

// A question of each path that reads nothing but scenarios.
std::vector<std::pair<std::string, json>> short_questions() {
    const json one = smallest();
    return {
        {"/v1/compare", {{"scenarios", {one, one}}}},
        {"/v1/break-even", {{"a", one}, {"b", one}}},
        {"/v1/solve", {{"scenario", one}, {"input", kPrice}, {"low", 1}, {"high", 9}, {"output", "/total/cost"}, {"target", 5000}}},
        {"/v1/sensitivity", {{"scenario", one}}},
        {"/v1/explain", {{"scenario", one}, {"figure", "/total/cost"}}},
        {"/v1/profile", {{"scenario", one}, {"month", "2026-01"}}},
    };
}

TEST(Seats, TheLastIsForClientsThatHaveNone) {
    api::Seats seats(3);
    const auto first = seats.take("ann");
    auto second = seats.take("ann");
    EXPECT_TRUE(first && second);
    EXPECT_FALSE(seats.take("ann")) << "it is another's";
    auto bobs = seats.take("bob");
    EXPECT_TRUE(bobs);
    EXPECT_FALSE(seats.take("eve"));
    second.reset();
    EXPECT_FALSE(seats.take("ann"));
    EXPECT_TRUE(seats.take("eve"));
    bobs.reset();
    api::Seats only(1);
    EXPECT_TRUE(only.take("ann"));
}

// Ann and Bob hold all seats, and ask for more whenever one comes free.
TEST(Seats, AreGivenToWhoWaitsBeforeAnybodysSecond) {
    api::Seats seats(3);
    auto first = seats.take("ann");
    const auto second = seats.take("ann");
    const auto bobs = seats.take("bob");
    std::atomic<bool> has_seat = false;
    std::atomic<bool> may_leave = false;
    std::thread eve([&] {
        const auto own = seats.take_in_turn("eve", {});
        has_seat = own != nullptr;
        while (!may_leave) {
            std::this_thread::yield();
        }
    });
    EXPECT_FALSE(seats.take_in_turn("ann", {})) << "who has one doesn't wait";
    EXPECT_FALSE(seats.take_in_turn("bob", {}));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    first.reset();
    const auto again = seats.take("ann"); // before eve has awoken, or after
    for (int i = 0; i < 500 && !has_seat; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(has_seat);
    EXPECT_FALSE(again);
    may_leave = true;
    eve.join();
    EXPECT_TRUE(seats.take_in_turn("dan", {}));
}

// However long its questions are, a client has one seat where others wait.
TEST(Seats, AreGivenUpByWhoHasSeveralAndTakenAgain) {
    api::Seats seats(3);
    const auto first = seats.take("ann");
    const auto second = seats.take("ann");
    const auto bobs = seats.take("bob");
    auto eves = seats.take_in_turn("eve", {});
    ASSERT_TRUE(eves);
    EXPECT_TRUE(first->has_turn() && bobs->has_turn() && eves->has_turn());
    EXPECT_FALSE(second->has_turn());
    eves.reset();
    EXPECT_TRUE(second->has_turn());
}

// Two hold both, and neither ends.
TEST(Seats, GoRoundWhereAllAreHeld) {
    api::Seats seats(2, 60, 0.0);
    std::vector<std::shared_ptr<api::Seats::Seat>> held = {seats.take("ann"), seats.take("bob")};
    for (const char* const client : {"eve", "dan"}) {
        held.push_back(seats.take_in_turn(client, {}));
        ASSERT_TRUE(held.back()) << client;
    }
    EXPECT_FALSE(seats.take_in_turn("joe", {})) << "as many wait as there are seats";
    std::vector<int> turns(held.size());
    std::mt19937 chance(7); // of who asks next
    for (int i = 0; i < 4000; ++i) {
        const std::size_t one = chance() % held.size();
        turns[one] += held[one]->has_turn() ? 1 : 0;
    }
    EXPECT_GT(std::ranges::min(turns), 300);
}

TEST(Seats, AreWaitedForSomeSecondsAndNotByWhoHasLeft) {
    api::Seats seats(1, 0.05);
    const auto taken = seats.take("ann");
    EXPECT_FALSE(seats.take_in_turn("eve", {}));
    seats.wait_at_most(60);
    EXPECT_FALSE(seats.take_in_turn("eve", [] { return true; }));
}

TEST(ShortQuestions, OfManyEvaluationsNeedASeat) {
    TestService service;
    service.service.seats.wait_at_most(0);
    const auto one = service.service.seats.take("one");
    const auto two = service.service.seats.take("two");
    const auto three = service.service.seats.take("three");
    const http::Response refused = service.ask("POST", "/v1/sensitivity", sensitivity_of(large_scenario()).dump());
    EXPECT_EQ(refused.status, 503) << refused.body;
    EXPECT_EQ(header_of(refused, "Retry-After"), "5");
    for (const auto& [path, question] : short_questions()) {
        const http::Response answered = service.ask("POST", path, question.dump());
        EXPECT_EQ(answered.status, 200) << path << answered.body;
    }
}

TEST(ShortQuestions, EndWhereTheirClientLeaves) {
    TestService service;
    service.client_gone = [] { return true; };
    for (const auto& [path, question] : short_questions()) {
        const http::Response left = service.ask("POST", path, question.dump());
        EXPECT_EQ(left.status, 503) << path << left.body;
        EXPECT_NE(left.body.find("the client has left"), std::string::npos) << path;
    }
    EXPECT_EQ(service.ask("POST", "/v1/evaluate", json{{"scenario", smallest()}}.dump()).status, 503);
    std::size_t asked = 0;
    service.client_gone = [&] { return ++asked > 1000; };
    EXPECT_EQ(service.ask("POST", "/v1/sensitivity", sensitivity_of(large_scenario(), 20).dump()).status, 503);
    EXPECT_EQ(asked, 1001) << "some evaluations of hundreds";
    EXPECT_EQ(service.ask("POST", "/v1/map", "{}").status, 422) << "and its seat is free";
}

TEST(Imports, EndWhereTheirClientLeaves) {
    TestService service;
    service.client_gone = [] { return true; };
    const std::string list = "region,instance_type,gpu_count,gpu_type,price\n";
    const http::Response left = service.ask("POST", "/v1/imports?format=api_prices&date=2026-11-01", list);
    EXPECT_EQ(left.status, 503) << left.body;
    EXPECT_NE(left.body.find("the client has left"), std::string::npos);
}

TEST(ShortQuestions, EndAtTheSettingsDeadline) {
    TestService service;
    service.service.questions.seconds = 0;
    for (const auto& [path, question] : short_questions()) {
        const http::Response late = service.ask("POST", path, question.dump());
        EXPECT_EQ(late.status, 422) << path << late.body;
        EXPECT_EQ(json::parse(late.body)["errors"][0]["pointer"], "/deadline_s") << path;
    }
}

TEST(LongQuestions, EndAlsoInWhatTheyEvaluateBesideTheirTasks) {
    const model::ScenarioDocument document = documents::decode_scenario(smallest()).document;
    const auto evaluate = [&](const model::Runner& /*runner*/) -> api::Attempt<std::string> {
        model::Variant variant(document);
        return variant.evaluate() ? "evaluated" : "refused";
    };
    EXPECT_EQ(api::answer_watched({60.0, 0, "", evaluate}, 1, {}).value(), "evaluated");
    EXPECT_EQ(api::answer_watched({0.0, 0, "", evaluate}, 1, {}).error().status, 422);
    jobs::Watch watch;
    watch.is_unwanted = [] { return true; };
    EXPECT_EQ(api::answer_watched({60.0, 0, "", evaluate}, 1, watch).error().status, 503);
}

// The budget of memory knows what questions hold that are answered at once.
TEST(LongQuestions, BookMemoryUntilTheirAnswerIsThere) {
    TestService service;
    std::size_t booked = 0;
    std::size_t room = 0;
    bool is_held = false;
    service.service.memory = [&] {
        std::shared_ptr<void> hold(nullptr, [&](void* /*nothing*/) { is_held = false; });
        is_held = true;
        return [&, hold](std::size_t bytes) {
            booked = bytes;
            return bytes <= room;
        };
    };
    const json input = {{"pointer", kPrice}, {"distribution", {{"kind", "uniform"}, {"low", 1}, {"high", 2}}}};
    const json asked = {{"scenarios", json::array({smallest()})}, {"inputs", json::array({input})}, {"samples", 100'000}};
    const http::Response refused = service.ask("POST", "/v1/simulate", asked.dump());
    EXPECT_EQ(refused.status, 503) << refused.body;
    EXPECT_GE(booked, 2 * sizeof(double) * 100'000U) << "an input and an output of each sample";
    EXPECT_FALSE(is_held);
    room = 2 * booked;
    json few = asked;
    few["samples"] = 1000;
    const http::Response answered = service.ask("POST", "/v1/simulate", few.dump());
    EXPECT_EQ(answered.status, 200) << answered.body;
    EXPECT_FALSE(is_held);
}

TEST(Probes, SmallRequestsThatWaitMakeItNotReady) {
    TestService service;
    service.service.gate->renew(service.service);
    double waited = 4.9;
    service.service.waited_s = [&] { return waited; };
    const auto probe = [&](const char* path) {
        http::Request head;
        head.method = "GET";
        head.path = path;
        return api::admit_head(service.service, head).answer->status;
    };
    EXPECT_EQ(probe("/readyz"), 200);
    waited = 5.1;
    EXPECT_EQ(probe("/readyz"), 503);
    EXPECT_EQ(probe("/healthz"), 200);
}

TEST(EvaluationCost, GrowsWithInputsScenariosAndMonths) {
    const std::vector<model::Placed> small{{documents::decode_scenario(smallest()).document, ""}};
    const std::vector<model::Placed> large{{documents::decode_scenario(large_scenario()).document, ""}};
    const answers::SensitivityRequest every_input;
    const double one = model::cost_of_evaluations(large, evaluations(every_input, large)).seconds;
    EXPECT_GT(one, 1.0);
    EXPECT_NEAR(model::cost_of_evaluations({large[0], large[0]}, evaluations(every_input, large)).seconds, 2 * one, 1e-9);
    EXPECT_LT(model::cost_of_evaluations(small, evaluations(every_input, small)).seconds, 0.01);
    EXPECT_LT(model::cost_of_evaluations(std::vector<model::Placed>(100, small[0]), 4).seconds, 0.1);
    EXPECT_GT(model::cost_of_evaluations(std::vector<model::Placed>(101, large[0]), 1).bytes, 200'000'000U);
}

} // namespace
} // namespace costcurve::tests
