// Waterfalls: every step is the difference it alone makes, and all add up.
#include "model/questions/compare.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using model::ScenarioDocument;
using model::Step;

std::optional<double> cost_of(const ScenarioDocument& document) {
    const auto scenario = model::make_scenario(document);
    return scenario ? std::optional(evaluate_document(document).summary.total.cost) : std::nullopt;
}

std::vector<Step> causes(const ScenarioDocument& from, const ScenarioDocument& to) {
    return steps_by_cause(from, *cost_of(from), to, *cost_of(to), cost_of);
}

double sum_of(const std::vector<Step>& steps) {
    return std::accumulate(steps.begin(), steps.end(), 0.0, [](double sum, const Step& step) { return sum + step.amount; });
}

TEST(Compare, ChargesEachCauseWithItsOwnDifference) {
    ScenarioDocument to = cloud_scenario();
    to.pools[0].offer->hourly_price.number = 7.2;
    to.workloads[0].demand.mean_per_s = 0.5; // still one instance: no step
    to.workloads[0].runs_on[0].porting.engineer_weeks = 2;
    to.finance.engineer_week_cost = 100;
    const std::vector<Step> steps = causes(cloud_scenario(), to);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].cause, "porting");
    EXPECT_TRUE(is_close(steps[0].amount, 200, 1e-9));
    EXPECT_EQ(steps[1].cause, "prices");
    EXPECT_TRUE(is_close(steps[1].amount, 744 * 3.6, 1e-9));
}

TEST(Compare, OtherPoolsAreOneStepWithTheirRouting) {
    ScenarioDocument to = owned_scenario();
    to.pools[0].id = "own";
    to.workloads[0].runs_on[0].pool = "own";
    const std::vector<Step> steps = causes(cloud_scenario(), to);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].cause, "pools and routing");
    EXPECT_TRUE(is_close(sum_of(steps), *cost_of(to) - *cost_of(cloud_scenario()), 1e-12));
}

TEST(Compare, SharesAreOfTheRouting) {
    ScenarioDocument to = cloud_scenario();
    to.pools.push_back(to.pools[0]);
    to.pools[1].id = "dear";
    to.pools[1].offer->hourly_price.number = 7.2;
    to.workloads[0].runs_on.push_back(to.workloads[0].runs_on[0]);
    to.workloads[0].runs_on[1].pool = "dear";
    to.workloads[0].runs_on[0].share = to.workloads[0].runs_on[1].share = 0.5;
    const std::vector<Step> steps = causes(cloud_scenario(), to);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].cause, "pools and routing");
    EXPECT_TRUE(is_close(steps[0].amount, 744 * 7.2, 1e-9)) << "a replica for each half";
    ScenarioDocument less = to;
    less.workloads[0].runs_on[0].share = 1;
    less.workloads[0].runs_on[1].share = 0;
    EXPECT_EQ(causes(to, less).at(0).cause, "pools and routing");
    EXPECT_TRUE(is_close(sum_of(causes(to, less)), -744 * 7.2, 1e-9));
}

TEST(Compare, EqualScenariosHaveNoSteps) {
    EXPECT_TRUE(causes(owned_scenario(), owned_scenario()).empty());
    const auto summary = evaluate_document(owned_scenario()).summary;
    EXPECT_TRUE(steps_by_category(summary, summary).empty());
}

TEST(Compare, StepsByCategoryAddUp) {
    const auto from = evaluate_document(cloud_scenario()).summary;
    const auto to = evaluate_document(owned_scenario()).summary;
    const std::vector<Step> steps = steps_by_category(from, to);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[0].cause, "compute");
    EXPECT_EQ(steps[1].cause, "hardware");
    EXPECT_EQ(steps[2].cause, "energy");
    EXPECT_TRUE(is_close(sum_of(steps), to.total.cost - from.total.cost, 1e-12));
}

TEST(Compare, WhatCannotBeEvaluatedInBetweenIsJoinedToTheNextStep) {
    ScenarioDocument from = cloud_scenario();
    from.finance.engineer_week_cost = 1;
    from.workloads[0].runs_on[0].porting.engineer_weeks = 1;
    ScenarioDocument to = cloud_scenario();
    to.months = 2;
    to.pools[0].offer->hourly_price.number = 1.0;
    const auto no_short_horizon = [](const ScenarioDocument& document) {
        return document.months == 2 && document.finance.engineer_week_cost == 1 ? std::nullopt : cost_of(document);
    };
    const auto steps = steps_by_cause(from, *cost_of(from), to, *cost_of(to), no_short_horizon);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].cause, "horizon + finance");
    EXPECT_EQ(steps[1].cause, "prices");
    EXPECT_TRUE(is_close(sum_of(steps), *cost_of(to) - *cost_of(from), 1e-12));
}

} // namespace
} // namespace costcurve::tests
