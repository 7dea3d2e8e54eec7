// POST /v1/optimize with choices among values: offers by id, leases or none, and everything that can be wrong with a choice.
#include <string>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

using Words = std::vector<std::string>;

class ChoicesRoute : public testing::Test {
protected:
    json optimum(const json& body) {
        const http::Response response = service.ask("POST", "/v1/optimize", body.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    }
    // "code pointer" of each error, in order.
    Words refused(const json& body) {
        const http::Response response = service.ask("POST", "/v1/optimize", body.dump());
        EXPECT_EQ(response.status, 422) << response.body;
        Words words;
        const json problem = json::parse(response.body);
        for (const json& error : problem.at("errors")) {
            words.push_back(error.at("code").get<std::string>() + " " + error.at("pointer").get<std::string>());
        }
        return words;
    }
    void store_offer(const std::string& id, double price) {
        json offer = smallest()["pools"][0]["offer"];
        offer["hourly_price"] = price;
        ASSERT_LT(service.ask("PUT", "/v1/offers/" + id, offer.dump()).status, 300);
    }

    TestService service;
};

const json kInstances = {{"pointer", "/pools/0/max_instances"}, {"min", 0}, {"max", 9}};

TEST_F(ChoicesRoute, TheCheapestOfferThatDoesTheWorkIsNamedByItsId) {
    store_offer("dear", 9.0);
    store_offer("cheap", 3.0);
    const json decide = {kInstances,
                         {{"pointer", "/pools/0/offer"}, {"values", {"dear", "cheap"}}},
                         {{"pointer", "/pools/0/from_month"}, {"values", {0, 1}}}};
    json scenario = smallest();
    scenario["months"] = 2;
    const json answer = optimum({{"scenario", scenario}, {"decide", decide}});
    EXPECT_EQ(answer.at("choices"), json({{"/pools/0/offer", "cheap"}, {"/pools/0/from_month", 0}}));
    EXPECT_NEAR(answer.at("objective").get<double>(), (31 + 28) * 24 * 3.0, 1e-6);
    EXPECT_EQ(answer.at("result").at("total").at("cost"), answer.at("objective"));
    EXPECT_EQ(answer.at("decisions").at("/pools/0/max_instances"), 1);
    EXPECT_EQ(answer.at("runners_up").at(0).at("choices").at("/pools/0/offer"), "dear");
    EXPECT_EQ(answer.at("combinations").at("stated"), 4);
    EXPECT_EQ(answer.at("combinations").at("infeasible"), 2) << "from the second month on no plan does the first month's work";
}

TEST_F(ChoicesRoute, ALeaseOrNoneAndTheMonthOfAPurchase) {
    json scenario = smallest();
    scenario["months"] = 3;
    scenario["pools"][0] = {
        {"id", "pool"},
        {"kind", "owned"},
        {"site", {{"energy_price", 0.1}}},
        {"server", {{"device", {{"kind", "gpu"}, {"tdp_w", 500}}}, {"devices", 1}, {"price", 36500}, {"life_months", 48}}},
        {"purchases", {{{"month", 0}, {"servers", 1}}}}};
    const json lease = {{"payment_per_server_month", 100}, {"term_months", 3}};
    const json body = {{"scenario", scenario},
                       {"decide",
                        {{{"pointer", "/pools/0/purchases/0/servers"}, {"min", 0}, {"max", 3}},
                         {{"pointer", "/pools/0/purchases/0/lease"}, {"values", {nullptr, lease}}},
                         {{"pointer", "/pools/0/purchases/0/month"}, {"values", {0, 1}}}}}};
    const json answer = optimum(body);
    EXPECT_EQ(answer.at("choices").at("/pools/0/purchases/0/lease"), lease) << "300 of rent instead of 36500";
    EXPECT_EQ(answer.at("choices").at("/pools/0/purchases/0/month"), 0);
    json owned = body;
    owned["scenario"]["pools"][0]["purchases"][0]["lease"] = lease;
    EXPECT_EQ(optimum(owned).at("objective"), answer.at("objective"));
    owned["decide"][1]["values"] = {nullptr};
    EXPECT_GT(optimum(owned).at("objective").get<double>(), 36500 / 48.0 * 3) << "null clears the lease that is stated";
}

// evaluate refuses the one without the other.
TEST_F(ChoicesRoute, InstancesOfACommittedPoolAreBothTheirNumbers) {
    json scenario = smallest();
    scenario["pools"][0]["offer"]["purchase"] = "reserved";
    scenario["pools"][0]["min_instances"] = scenario["pools"][0]["max_instances"];
    const json found =
        optimum({{"scenario", scenario}, {"decide", {{{"pointer", "/pools/0/min_instances"}, {"min", 0}, {"max", 9}}}}});
    const json& decisions = found.at("decisions");
    EXPECT_EQ(decisions.at("/pools/0/min_instances"), decisions.at("/pools/0/max_instances"));
    const http::Response set = service.ask("POST", "/v1/evaluate", json{{"scenario", scenario}, {"set", decisions}}.dump());
    ASSERT_EQ(set.status, 200) << set.body;
    EXPECT_EQ(json::parse(set.body)["total"]["cost"], found.at("objective"));
}

TEST_F(ChoicesRoute, CombinationsThatBreakARuleAreCountedWithTheReason) {
    const json body = {{"scenario", smallest()},
                       {"decide",
                        {{{"pointer", "/pools/0/min_instances"}, {"values", {0, 99}}},
                         {{"pointer", "/pools/0/offer/hourly_price"}, {"values", {3, 2}}}}}};
    const json answer = optimum(body);
    EXPECT_EQ(answer.at("combinations").at("refused"), 2);
    EXPECT_EQ(answer.at("combinations").at("examined"), 2);
    const json reason = answer.at("combinations").at("reasons").at(0);
    EXPECT_EQ(reason.at("count"), 2);
    EXPECT_EQ(reason.at("pointer"), "/scenario/pools/0/min_instances");
    EXPECT_EQ(reason.at("example").at("/pools/0/min_instances"), 99);
    EXPECT_EQ(answer.at("proof"), "exhaustive");
    json none = body;
    none["decide"][0]["values"] = {98, 99};
    EXPECT_EQ(refused(none), (Words{"inconsistent /scenario/pools/0/min_instances"}));
}

TEST_F(ChoicesRoute, SaysWhatIsWrongWithAChoice) {
    const auto of = [](json decide) { return json{{"scenario", smallest()}, {"decide", json::array({std::move(decide)})}}; };
    const auto chosen = [&](const std::string& pointer, json values) {
        return of({{"pointer", pointer}, {"values", std::move(values)}});
    };
    EXPECT_EQ(refused(chosen("/pools/0/offer", {"nowhere"})), (Words{"unknown_reference /decide/0/values/0"}));
    EXPECT_EQ(refused(chosen("/pools/0/offer/hourly_price", {1, -1})), (Words{"out_of_range /decide/0/values/1"}));
    EXPECT_EQ(refused(chosen("/pools/7/offer", {"x"})), (Words{"unknown_reference /decide/0/pointer"}));
    EXPECT_EQ(refused(chosen("/pools/0/from_month", json::array())), (Words{"out_of_range /decide/0/values"}));
    EXPECT_EQ(refused(chosen("/pools/0/from_month", {0, 0})), (Words{"duplicate /decide/0/values/1"}));
    EXPECT_EQ(refused(chosen("/workloads/0/demand/mean_per_s", {1, 2})), (Words{"inconsistent /decide"}));
    EXPECT_EQ(refused(of({{"pointer", "/pools/0/max_instances"}, {"min", 0}})), (Words{"inconsistent /decide/0"}));
    json both = kInstances;
    both["values"] = {1};
    EXPECT_EQ(refused(of(both)), (Words{"inconsistent /decide/0"}));
    json many = {{"scenario", smallest()}, {"decide", json::array()}};
    for (const char* const field : {"hourly_price", "upfront", "egress_per_gb"}) {
        many["decide"].push_back({{"pointer", std::string("/pools/0/offer/") + field}, {"values", {0, 1, 2, 3, 4, 5}}});
    }
    EXPECT_EQ(refused(many), (Words{"too_large /decide"}));
    many["decide"].erase(2);
    many["decide"].push_back(kInstances);
    EXPECT_EQ(
        refused({{"scenario", smallest()}, {"decide", {kInstances, {{"pointer", "/pools/0/max_instances"}, {"values", {1}}}}}}),
        (Words{"duplicate /decide/1/pointer"}));
}

} // namespace
} // namespace costcurve::tests
