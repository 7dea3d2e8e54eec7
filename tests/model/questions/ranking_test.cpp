// Which scenario is the cheapest, and which can't do its work (model.md, sections 6 and 8).
#include "model/questions/ranking.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/finance.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::cloud_scenario;
using tests::evaluate_document;
using tests::flat;
using tests::owned_scenario;

bool has(const Summary& summary, Code code) {
    return std::any_of(summary.warnings.begin(), summary.warnings.end(), [&](const Issue& issue) { return issue.code == code; });
}

// Figures of reviews/economics.md, B1: cost without a cost of capital names another winner than npv_after_tax.
Summary with_figures(double cost, double npv_after_tax) {
    Summary summary;
    summary.total.cost = cost;
    summary.npv_after_tax = npv_after_tax;
    return summary;
}

TEST(Ranking, TheStatedFigureDecides) {
    const Summary own = with_figures(820804, 663644);
    const Summary cloud = with_figures(977000, 640744);
    EXPECT_EQ(cheapest_of({&own, &cloud}, Objective::cost), 0U);
    EXPECT_EQ(cheapest_of({&own, &cloud}, Objective::npv_after_tax), 1U);
}

TEST(Ranking, OfEqualFiguresTheFirstIsNamed) {
    const Summary a = with_figures(1000, 0);
    const Summary b = with_figures(1000 * (1 - 1e-10), 0);
    EXPECT_EQ(cheapest_of({&a, &b}, Objective::cost), 0U);
    EXPECT_EQ(cheapest_of({&b, &a}, Objective::cost), 0U);
}

TEST(Ranking, OfEqualFiguresTheIncumbentStays) {
    const std::vector<Candidate> equal = {{1.0}, {1.0}, {1.0 + 1e-12}};
    EXPECT_EQ(cheapest_of(equal), 0U);
    EXPECT_EQ(cheapest_of(equal, 2), 2U);
    const std::vector<Candidate> revenue = {{-1.0}, {-2.0}};
    EXPECT_EQ(cheapest_of(revenue, 0), 1U);
    const std::vector<Candidate> lost = {{1.0, false}, {3.0}, {std::nullopt}};
    EXPECT_EQ(cheapest_of(lost, 0), 1U) << "an incumbent that can't do its work is none";
}

TEST(Ranking, WhatCannotDoTheWorkIsNeverTheCheapest) { // economics.md, A6
    Summary own = with_figures(488828, 0);
    own.infeasible_because.push_back({InfeasibleCode::unserved, "fine-tuning", 1.0, 0.0});
    const Summary cloud = with_figures(973143, 0);
    EXPECT_EQ(cheapest_of({&own, &cloud}, Objective::cost), 1U);
    EXPECT_EQ(cheapest_of({&own}, Objective::cost), std::nullopt);
}

TEST(Ranking, WhatIsNotKnownNeverWins) { // A3: all to Lambda, zero carbon, proven
    const Summary unknown = evaluate_document(cloud_scenario()).summary;
    ScenarioDocument document = owned_scenario();
    document.pools[0].site->carbon_g_per_kwh = flat(400);
    const Summary owned = evaluate_document(document).summary;
    EXPECT_EQ(cheapest_of({&unknown, &owned}, Objective::carbon_kg), 1U);
    EXPECT_EQ(cheapest_of({&unknown}, Objective::carbon_kg), std::nullopt);
    EXPECT_EQ(cheapest_of({&unknown, &owned}, Objective::energy_kwh), 1U);
}

TEST(Ranking, DecideByFollowsTaxAndDiscountRate) {
    Finance finance;
    EXPECT_EQ(decide_by(finance), Objective::cost);
    finance.discount_rate = 0.09;
    EXPECT_EQ(decide_by(finance), Objective::npv);
    finance.tax_rate = 0.25;
    EXPECT_EQ(decide_by(finance), Objective::npv_after_tax);
    finance.decide_by = Objective::cash;
    EXPECT_EQ(decide_by(finance), Objective::cash);
}

// One instance does 1 of 4 units/s.
ScenarioDocument overloaded() {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.mean_per_s = 4.0;
    document.pools[0].max_instances = 1;
    return document;
}

TEST(Feasible, WorkLeftUndoneBeyondTheLimit) {
    ScenarioDocument document = overloaded();
    const Summary summary = evaluate_document(document).summary;
    ASSERT_EQ(summary.infeasible_because.size(), 1U);
    EXPECT_EQ(summary.infeasible_because[0].code, InfeasibleCode::unserved);
    EXPECT_EQ(summary.infeasible_because[0].id, "chat");
    EXPECT_NEAR(summary.infeasible_because[0].value, 0.75, 1e-12);
    document.workloads[0].max_unserved_fraction = 0.75;
    EXPECT_TRUE(evaluate_document(document).summary.is_feasible());
    document.workloads[0].max_unserved_fraction = 0.74;
    EXPECT_FALSE(evaluate_document(document).summary.is_feasible());
    document.workloads[0].unserved_cost_per_unit = 1e-6; // what is left undone has a price
    EXPECT_TRUE(evaluate_document(document).summary.is_feasible());
}

TEST(Feasible, PowerBeyondTheSite) {
    ScenarioDocument document = owned_scenario(); // 0.6 kW: one device and host at full load
    document.pools[0].site->max_kw = 0.6;
    EXPECT_TRUE(evaluate_document(document).summary.is_feasible());
    document.pools[0].site->max_kw = 0.5;
    const Summary summary = evaluate_document(document).summary;
    ASSERT_EQ(summary.infeasible_because.size(), 1U);
    EXPECT_EQ(summary.infeasible_because[0].code, InfeasibleCode::over_power);
    EXPECT_NEAR(summary.infeasible_because[0].value, 0.6, 1e-12);
    EXPECT_EQ(summary.infeasible_because[0].limit, 0.5);
}

TEST(Feasible, WorkLeftUndoneMayWinWhereItIsMeant) {
    const Summary able = evaluate_document(cloud_scenario()).summary;
    ScenarioDocument document = cloud_scenario();
    document.pools[0].max_instances = 0;
    Summary undone = evaluate_document(document).summary;
    ASSERT_LT(undone.total.cost, able.total.cost);
    EXPECT_EQ(cheapest_of({&able, &undone}, Objective::cost), 0U);
    EXPECT_EQ(cheapest_of({&able, &undone}, Objective::cost, true), 1U);
    undone.infeasible_because.push_back({InfeasibleCode::over_power, "site", 2, 1});
    EXPECT_EQ(cheapest_of({&able, &undone}, Objective::cost, true), 0U) << "power is no choice";
}

TEST(Known, ASpotOfferWithoutARateOfInterruptionsIsGraded) { // economics.md, A13
    ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->purchase = Purchase::spot;
    const Summary unknown = evaluate_document(document).summary;
    EXPECT_TRUE(has(unknown, Code::interruptions_unknown));
    EXPECT_EQ(unknown.workloads[0].evidence, Evidence::assumed);
    document.pools[0].offer->interruptions_per_hour = 0.0;
    const Summary stated = evaluate_document(document).summary;
    EXPECT_FALSE(has(stated, Code::interruptions_unknown));
    EXPECT_EQ(stated.workloads[0].evidence, Evidence::measured);
    EXPECT_EQ(stated.total.cost, unknown.total.cost);
}

TEST(Known, PricesHaveAnAge) { // economics.md, B4
    ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->hourly_price = tests::curve(CurveKind::price, Axis::date, {20758, 20759}, {3.6, 3.6}); // 2026-11
    document.start = {2035, 1};
    EXPECT_TRUE(has(evaluate_document(document).summary, Code::stale_price));
    document.start = {2020, 1};
    EXPECT_TRUE(has(evaluate_document(document).summary, Code::price_before_history));
    document.start = {2026, 12};
    const Summary now = evaluate_document(document).summary;
    EXPECT_FALSE(has(now, Code::stale_price) || has(now, Code::price_before_history));
}

} // namespace
} // namespace costcurve::model
