// Requests with `scale`, and questions over inputs with *: the same answers as
// of scenarios with those numbers.
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

constexpr auto kPrices = "/pools/*/offer/hourly_price";

struct Scaled {
    int status;
    json body;
    [[nodiscard]] std::vector<std::string> issues() const {
        std::vector<std::string> all;
        for (const json& error : body.at("errors")) {
            all.push_back(error.at("code").get<std::string>() + " " + error.at("pointer").get<std::string>());
        }
        return all;
    }
};

class Scale : public testing::Test {
protected:
    Scaled ask(const std::string& path, const json& question) {
        const http::Response response = service.ask("POST", path, question.dump());
        return {response.status, json::parse(response.body)};
    }
    double cost(const json& question) {
        const Scaled answer = ask("/v1/evaluate", question);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.body.at("total").at("cost");
    }
    // A rented pool, a second one before it that stays empty and has another
    // price, and demand of half as much.
    json second = [] {
        json scenario = json::parse(kSmallest);
        json other = scenario["pools"][0];
        other["id"] = "other";
        other["min_instances"] = 1;
        other["offer"]["hourly_price"] = 7.2;
        scenario["pools"].insert(scenario["pools"].begin(), other);
        return scenario;
    }();
    const json first = json::parse(kSmallest);
    TestService service;
};

TEST_F(Scale, IsTheSetOfTheSameNumbers) {
    const json set = {{"/pools/0/offer/hourly_price", 7.2 * 1.5}, {"/pools/1/offer/hourly_price", 3.6 * 1.5}};
    const double scaled = cost({{"scenario", second}, {"scale", {{kPrices, 1.5}}}});
    EXPECT_EQ(scaled, cost({{"scenario", second}, {"set", set}}));
    EXPECT_NE(scaled, cost({{"scenario", second}}));
    EXPECT_EQ(
        cost({{"scenario", second}, {"set", {{"/pools/0/offer/hourly_price", 1}}}, {"scale", {{kPrices, 1.5}}}}),
        cost({{"scenario", second}, {"set", {{"/pools/0/offer/hourly_price", 1.5}, {"/pools/1/offer/hourly_price", 3.6 * 1.5}}}}))
        << "after set";
    EXPECT_EQ(cost({{"scenario", second}, {"scale", json::object()}}), cost({{"scenario", second}}));
}

TEST_F(Scale, ActsOnEveryScenarioThatHasSuchNumbers) {
    const auto by_set = [](json scenario) {
        for (json& pool : scenario["pools"]) {
            json& price = pool["offer"]["hourly_price"];
            price = price.get<double>() * 0.5;
        }
        return scenario;
    };
    const Scaled scaled = ask("/v1/compare", {{"scenarios", {first, second}}, {"scale", {{kPrices, 0.5}}}});
    ASSERT_EQ(scaled.status, 200) << scaled.body;
    const Scaled written = ask("/v1/compare", {{"scenarios", {by_set(first), by_set(second)}}});
    for (const int s : {0, 1}) {
        EXPECT_EQ(scaled.body.at("scenarios").at(s).at("result").at("total"),
                  written.body.at("scenarios").at(s).at("result").at("total"));
    }
    EXPECT_EQ(ask("/v1/compare", {{"scenarios", {first, second}}, {"scale", {{"/pools/1/offer/hourly_price", 0.5}}}}).status, 200)
        << "one that only the second has";
}

TEST_F(Scale, ThatNoScenarioHasOrThatLeavesARangeIsRefused) {
    using Words = std::vector<std::string>;
    const auto issues = [&](const json& scale) {
        const Scaled answer = ask("/v1/compare", {{"scenarios", {first, second}}, {"scale", scale}});
        EXPECT_EQ(answer.status, 422) << answer.body;
        return answer.issues();
    };
    EXPECT_EQ(issues({{"/pools/*/server/price", 2}}), Words{"unknown_reference /scale/~1pools~1*~1server~1price"});
    EXPECT_EQ(issues({{"pools", 2}}), Words{"unknown_reference /scale/pools"});
    EXPECT_EQ(issues({{kPrices, -1}}), Words{"out_of_range /scale/~1pools~1*~1offer~1hourly_price"});
    EXPECT_EQ(issues({{kPrices, "2"}}), Words{"wrong_type /scale/~1pools~1*~1offer~1hourly_price"});
    EXPECT_EQ(issues(json::array()), Words{"wrong_type /scale"});
    const Words both(2, "out_of_range /scale/~1workloads~1*~1peak_utilization");
    EXPECT_EQ(issues({{"/workloads/*/peak_utilization", 9}}), both) << "of each scenario";
}

TEST_F(Scale, ADocumentThatItChangesIsNotTheStoredOne) {
    const auto used = [&](const json& question) {
        const json answer = ask("/v1/evaluate", question).body;
        std::vector<std::string> ids;
        for (const json& document : answer.at("provenance").at("documents")) {
            if (!document.at("revision").is_null()) {
                ids.push_back(document.at("id"));
            }
        }
        std::sort(ids.begin(), ids.end());
        return ids;
    };
    json offer = first["pools"][0]["offer"];
    offer["device"] = "gpu-a";
    ASSERT_EQ(service.ask("PUT", "/v1/devices/gpu-a", R"({"kind":"gpu","tdp_w":500})").status, 201);
    ASSERT_EQ(service.ask("PUT", "/v1/offers/rent", offer.dump()).status, 201);
    const json scenario = with(first, "/pools/0/offer", "rent");
    using Ids = std::vector<std::string>;
    EXPECT_EQ(used({{"scenario", scenario}}), (Ids{"gpu-a", "rent"}));
    EXPECT_EQ(used({{"scenario", scenario}, {"scale", {{kPrices, 2}}}}), Ids{"gpu-a"});
    EXPECT_EQ(used({{"scenario", scenario}, {"scale", {{kPrices, 1}}}}), (Ids{"gpu-a", "rent"})) << "nothing is changed";
}

TEST_F(Scale, AMapOverAFactorHasTheScaledScenariosCosts) {
    const Scaled map = ask("/v1/map", {{"scenarios", {first, second}},
                                       {"x", {{"pointer", kPrices}, {"values", {0.5, 2}}}},
                                       {"y", {{"pointer", "/workloads/*/demand/mean_per_s"}, {"values", {0.25}}}},
                                       {"output", "/total/cost"}});
    ASSERT_EQ(map.status, 200) << map.body;
    for (const std::size_t s : {0U, 1U}) {
        for (const std::size_t x : {0U, 1U}) {
            const json scale = {{kPrices, x == 0 ? 0.5 : 2}, {"/workloads/*/demand/mean_per_s", 0.25}};
            EXPECT_EQ(map.body["values"][s][0][x], cost({{"scenario", s == 0 ? first : second}, {"scale", scale}}));
        }
    }
    EXPECT_EQ(map.body["x"]["unit"], "factor");
}

TEST_F(Scale, AConstantDistributionOfAFactorIsTheScaledScenario) {
    for (const bool relative : {false, true}) {
        const Scaled simulated =
            ask("/v1/simulate",
                {{"scenarios", {first, second}},
                 {"inputs",
                  {{{"pointer", kPrices},
                    {"distribution", {{"kind", "discrete"}, {"values", {1.2}}, {"weights", {1}}, {"relative", relative}}}}}},
                 {"outputs", {"/total/cost"}},
                 {"samples", 100}});
        ASSERT_EQ(simulated.status, 200) << simulated.body;
        for (const std::size_t s : {0U, 1U}) {
            const json& output = simulated.body["scenarios"][s]["outputs"]["/total/cost"];
            EXPECT_EQ(output["p50"], cost({{"scenario", s == 0 ? first : second}, {"scale", {{kPrices, 1.2}}}}));
        }
    }
}

TEST_F(Scale, OtherQuestionsTakeFactorsAndOptimizeDecidesNone) {
    const double base = cost({{"scenario", second}});
    const Scaled solved =
        ask("/v1/solve",
            {{"scenario", second}, {"input", kPrices}, {"low", 0.5}, {"high", 3}, {"output", "/total/cost"}, {"target", 2 * base}});
    ASSERT_EQ(solved.status, 200) << solved.body;
    EXPECT_NEAR(solved.body["value"].get<double>(), 2, 1e-9) << "all costs are rent";
    const Scaled moved =
        ask("/v1/sensitivity",
            {{"scenario", second}, {"inputs", {{{"pointer", kPrices}, {"change", 0.5}}}}, {"output", "/total/cost"}});
    ASSERT_EQ(moved.status, 200) << moved.body;
    EXPECT_DOUBLE_EQ(moved.body["inputs"][0]["high"]["output"], 1.5 * base);
    const Scaled even = ask("/v1/break-even", {{"a", first}, {"b", second}, {"input", kPrices}, {"low", 0.5}, {"high", 2}});
    ASSERT_EQ(even.status, 200) << even.body;
    const Scaled decided =
        ask("/v1/optimize", {{"scenario", second}, {"decide", {{{"pointer", "/pools/*/max_instances"}, {"min", 0}, {"max", 3}}}}});
    EXPECT_EQ(decided.status, 422);
    EXPECT_EQ(decided.issues(), std::vector<std::string>{"unknown_reference /decide/0/pointer"});
}

} // namespace
} // namespace costcurve::tests
