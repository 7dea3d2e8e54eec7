// Whole comparisons of two ways to do the same work: which one is named, and by which figure (reviews of the economics, A6 and B1).
#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

// Three years of a request a second on a server of 36,000 that is then worth nothing; energy and the rest are free.
constexpr std::string_view kOwned = R"({
  "name": "own", "start": "2027-01", "months": 36,
  "workloads": [{"id": "chat", "kind": "inference", "demand": {"mean_per_s": 1},
                 "runs_on": [{"pool": "own", "performance": {"units_per_s": 1}}]}],
  "pools": [{"id": "own", "kind": "owned", "purchases": [{"month": 0, "servers": 1}],
             "server": {"device": {"kind": "gpu", "tdp_w": 500}, "devices": 1, "price": 36000, "life_months": 36},
             "site": {"energy_price": 0, "carbon_g_per_kwh": 0}}]
})";

// The same work on an instance at 1.44 an hour: 37,877.76 in 26,304 hours, some 1,052 a month as it goes.
constexpr std::string_view kRented = R"({
  "name": "cloud", "start": "2027-01", "months": 36,
  "workloads": [{"id": "chat", "kind": "inference", "demand": {"mean_per_s": 1},
                 "runs_on": [{"pool": "cloud", "performance": {"units_per_s": 1}}]}],
  "pools": [{"id": "cloud", "kind": "cloud", "max_instances": 8,
             "offer": {"provider": "p", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1, "purchase": "on_demand",
                       "hourly_price": 1.44}}]
})";

json compared(const json& own, const json& cloud) {
    static TestService service;
    const http::Response response = service.ask("POST", "/v1/compare", json{{"scenarios", {own, cloud}}}.dump());
    EXPECT_EQ(response.status, 200) << response.body;
    return json::parse(response.body);
}

json with_finance(const json& finance) {
    return compared(with(json::parse(kOwned), "/finance", finance), with(json::parse(kRented), "/finance", finance));
}

double total(const json& comparison, std::size_t scenario, const std::string& figure) {
    return comparison.at("scenarios").at(scenario).at("result").at("total").at(figure);
}

// 36,000 now against 1,052 a month: at 9 % a year the months are worth 33,200.
TEST(Decisions, OwningIsCheaperByCostAndTheCloudByPresentValueWhichDecides) { // B1
    const json by_cost = with_finance(json::object());
    EXPECT_EQ(by_cost.at("decide_by"), "cost");
    EXPECT_EQ(by_cost.at("cheapest"), 0);
    EXPECT_NEAR(total(by_cost, 0, "cost"), 36000, 1e-6);
    EXPECT_NEAR(total(by_cost, 1, "cost"), 37877.76, 1e-6);

    const json by_npv = with_finance({{"discount_rate", 0.09}});
    EXPECT_EQ(by_npv.at("decide_by"), "npv");
    EXPECT_EQ(by_npv.at("cheapest"), 1);
    EXPECT_LT(total(by_npv, 0, "cost"), total(by_npv, 1, "cost")) << "own by cost";
    EXPECT_NEAR(total(by_npv, 0, "npv"), 36000, 1e-6);
    EXPECT_NEAR(total(by_npv, 1, "npv"), 33250, 100);

    const json by_cost_all_the_same = with_finance({{"discount_rate", 0.09}, {"decide_by", "cost"}});
    EXPECT_EQ(by_cost_all_the_same.at("decide_by"), "cost");
    EXPECT_EQ(by_cost_all_the_same.at("cheapest"), 0);

    const json after_tax = with_finance({{"discount_rate", 0.09}, {"tax_rate", 0.25}});
    EXPECT_EQ(after_tax.at("decide_by"), "npv_after_tax");
    EXPECT_EQ(after_tax.at("cheapest"), 1);
    EXPECT_NEAR(total(after_tax, 1, "npv_after_tax"), 0.75 * total(after_tax, 1, "npv"), 1e-6);
    for (const json& comparison : {by_cost, by_npv, after_tax}) {
        for (const json& scenario : comparison.at("scenarios")) {
            const json& result = scenario.at("result");
            EXPECT_EQ(result.at("decisive"), result.at("total").at(comparison.at("decide_by").get<std::string>()));
            EXPECT_TRUE(result.at("feasible"));
        }
    }
}

// The same after an investment: the flows after the purchase return 3.4 % a year, less than the 9 % asked.
TEST(Decisions, TheInvestmentSaysWhyThePresentValueIsAgainstIt) {
    const json investment = compared(with(json::parse(kRented), "/finance/discount_rate", 0.09),
                                     with(json::parse(kOwned), "/finance/discount_rate", 0.09))
                                .at("scenarios")
                                .at(1)
                                .at("investment");
    EXPECT_FALSE(investment.at("reversed"));
    ASSERT_EQ(investment.at("irr").size(), 1U);
    EXPECT_GT(investment.at("irr").at(0), 0.0);
    EXPECT_LT(investment.at("irr").at(0), 0.09);
    EXPECT_TRUE(investment.at("discounted_payback_month").is_null());
    EXPECT_NEAR(investment.at("payback_month"), 36000 / (37877.76 / 36), 0.1) << "months differ by their days";
    EXPECT_NEAR(investment.at("npv_difference"), 36000 - 33250, 100);
}

json training(const std::string& pool) {
    return {{"id", "fine-tuning"},
            {"kind", "training"},
            {"units_per_epoch", 3600},
            {"epochs_per_month", 300},
            {"runs_on", {{{"pool", pool}, {"performance", {{"units_per_s", 1}}}}}}};
}

// The server is busy all hours with the chat, so that nothing of the training is done; the cloud rents what both take.
TEST(Decisions, WhatLeavesWorkUndoneIsNotTheCheapest) { // A6
    json own = json::parse(kOwned);
    json cloud = json::parse(kRented);
    own["workloads"].push_back(training("own"));
    cloud["workloads"].push_back(training("cloud"));
    const json comparison = compared(own, cloud);
    EXPECT_LT(total(comparison, 0, "cost"), total(comparison, 1, "cost")) << "what is not done costs nothing";
    EXPECT_EQ(comparison.at("cheapest"), 1);
    const json& undone = comparison.at("scenarios").at(0).at("result");
    EXPECT_FALSE(undone.at("feasible"));
    EXPECT_EQ(undone.at("infeasible_because"),
              json::parse(R"([{"workload": "fine-tuning", "code": "unserved", "value": 1.0, "limit": 0.0}])"));
    EXPECT_TRUE(comparison.at("scenarios").at(1).at("result").at("feasible"));

    const json neither = compared(own, with(cloud, "/pools/0/max_instances", 1));
    EXPECT_TRUE(neither.at("cheapest").is_null()) << "where none does the work, none is named";

    // Where it may be left undone, or what is left has a price, it is in the running again.
    const json allowed = compared(with(own, "/workloads/1/max_unserved_fraction", 1), cloud);
    EXPECT_EQ(allowed.at("cheapest"), 0);
    const json priced = compared(with(own, "/workloads/1/unserved_cost_per_unit", 1), cloud);
    EXPECT_EQ(priced.at("cheapest"), 1);
    EXPECT_TRUE(priced.at("scenarios").at(0).at("result").at("feasible"));
}

// A cell of the map by demand: at two requests a second the server leaves half of them.
TEST(Decisions, AMapNamesNoneThatLeavesWorkUndone) { // A6
    static TestService service;
    const json request = {{"scenarios", {json::parse(kOwned), json::parse(kRented)}},
                          {"x", {{"pointer", "/workloads/0/demand/mean_per_s"}, {"values", {1, 2, 9}}}},
                          {"y", {{"pointer", "/months"}, {"values", {36}}}}};
    const http::Response response = service.ask("POST", "/v1/map", request.dump());
    ASSERT_EQ(response.status, 200) << response.body;
    const json answer = json::parse(response.body);
    EXPECT_EQ(answer.at("cheapest"), json::parse("[[0, 1, null]]")) << "8 instances do not do 9 a second";
}

} // namespace
} // namespace costcurve::tests
