// Simulations that compare: what does other work, leaves work undone or is not known never wins; budgets and differences.
#include "model/questions/chance/simulate.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/model/close.hpp"
#include "tests/model/questions/chance/simulations.hpp"

namespace costcurve::tests::simulations {
namespace {

// Two that do the same work at the same price, 2 requests/s; the input moves the demand of the second alone.
SimulateQuestion of_second_demand(std::vector<double> demands) {
    const std::vector<double> weights(demands.size(), 1.0);
    SimulateQuestion asked = question({{kDemand, discrete(std::move(demands), weights)}}, 1000);
    asked.inputs[0].scenario = 1;
    return asked;
}
model::ScenarioDocument of_two_per_s() {
    model::ScenarioDocument scenario = cloud_scenario();
    scenario.workloads[0].demand.mean_per_s = 2.0;
    return scenario;
}

TEST(SimulateCompared, WhereAnInputMovesTheWorkOfOneAloneNothingIsTheCheapest) {
    const Simulation answer = simulated({of_two_per_s(), of_two_per_s()}, of_second_demand({1, 2})).value();
    ASSERT_LT(spread(answer, 1).p5, 0.6 * spread(answer, 0).p5) << "cheaper by the number";
    EXPECT_NEAR(static_cast<double>(answer.not_comparable), 500, 60);
    EXPECT_DOUBLE_EQ(*answer.probability_none, static_cast<double>(answer.not_comparable) / 1000);
    EXPECT_DOUBLE_EQ(*answer.scenarios[1].probability_cheapest, (1 - *answer.probability_none) / 2);
    EXPECT_DOUBLE_EQ(*answer.scenarios[0].probability_cheapest, *answer.scenarios[1].probability_cheapest);
    EXPECT_TRUE(answer.differences.empty());
    EXPECT_EQ(answer.scenarios[1].difference->samples, 1000 - answer.not_comparable);
    EXPECT_EQ(answer.scenarios[1].difference->mean, 0.0);
}

TEST(SimulateCompared, WhereNoDrawIsComparableItSaysWhatDiffers) {
    const Simulation answer = simulated({of_two_per_s(), of_two_per_s()}, of_second_demand({1})).value();
    EXPECT_EQ(answer.not_comparable, 1000U);
    EXPECT_EQ(answer.probability_none, 1.0);
    EXPECT_FALSE(answer.scenarios[1].difference);
    ASSERT_EQ(answer.differences.size(), 1U);
    EXPECT_EQ(answer.differences[0].what, "workload chat: units demanded");
    EXPECT_EQ(answer.differences[0].scenario, 1U);
}

TEST(SimulateCompared, AnInputThatGivesAllTheSameWorkMakesThemComparable) {
    const Simulation answer = simulated({cloud_scenario(), of_two_per_s()}, question({{kDemand, uniform(1, 2)}}, 100)).value();
    EXPECT_EQ(answer.not_comparable, 0U);
    EXPECT_TRUE(answer.differences.empty());
    EXPECT_DOUBLE_EQ(*answer.scenarios[0].probability_cheapest, 0.5);
}

TEST(SimulateCompared, WhatIsNotKnownIsNeverTheCheapestNorWithinABudget) {
    model::ScenarioDocument known = owned_scenario();
    known.pools[0].site->carbon_g_per_kwh = flat(400);
    SimulateQuestion asked = question({{"/pools/0/site/energy_price", uniform(0.1, 0.2)}}, 100);
    asked.outputs = {"/total/carbon_kg"};
    asked.budgets = {{"", std::nullopt, 1e9}};
    const Simulation answer = simulated({cloud_scenario(), known}, asked).value();
    EXPECT_EQ(answer.scenarios[0].probability_cheapest, 0.0);
    EXPECT_EQ(answer.scenarios[1].probability_cheapest, 1.0);
    EXPECT_EQ(answer.scenarios[0].probability_below[0].probability, 0.0);
    EXPECT_EQ(answer.scenarios[1].probability_below[0].probability, 1.0);
    EXPECT_FALSE(answer.scenarios[1].difference) << "from what is not known";
}

// Four standard errors of a half.
const double kShareError = 4 * std::sqrt(0.25 / kSamples);

TEST(SimulateCompared, ABudgetIsKeptByTheShareAtOrBelowItThatCanDoTheWork) {
    SimulateQuestion asked = question({{kFirst, uniform(0, 14.4)}});
    asked.outputs = {"/total/cost", "/total/cash"};
    asked.budgets = {{"", std::nullopt, kHours * 3.6}, {"/total/cash", 1, kHours * 7.2}};
    asked.inputs[0].scenario = 1;
    Simulation answer = simulated({cloud_scenario(), cloud_scenario()}, asked).value();
    ASSERT_EQ(answer.scenarios[0].probability_below.size(), 1U);
    EXPECT_EQ(answer.scenarios[0].probability_below[0].probability, 1.0) << "at it";
    ASSERT_EQ(answer.scenarios[1].probability_below.size(), 2U);
    EXPECT_NEAR(answer.scenarios[1].probability_below[0].probability, 0.25, kShareError);
    EXPECT_NEAR(answer.scenarios[1].probability_below[1].probability, 0.5, kShareError);
    model::ScenarioDocument small = cloud_scenario();
    small.pools[0].max_instances = 3;
    asked = question({{kDemand, uniform(0, 4)}});
    asked.budgets = {{"/total/cost", 0, 1e9}};
    answer = simulated({small}, asked).value();
    EXPECT_NEAR(answer.scenarios[0].probability_below[0].probability, 0.75, kShareError);
    EXPECT_EQ(answer.scenarios[0].probability_below[0].probability, answer.scenarios[0].probability_feasible);
}

TEST(SimulateCompared, TheDifferenceIsThatToTheBaselineInTheSameDraw) {
    SimulateQuestion asked = question({{kFirst, uniform(0, 14.4)}});
    asked.inputs[0].scenario = 1;
    Simulation answer = simulated({cloud_scenario(), cloud_scenario()}, asked).value();
    EXPECT_FALSE(answer.scenarios[0].difference);
    const Spread difference = *answer.scenarios[1].difference;
    EXPECT_TRUE(is_close(difference.mean, spread(answer, 1).mean - kHours * 3.6));
    EXPECT_TRUE(is_close(difference.p95, spread(answer, 1).p95 - kHours * 3.6));
    EXPECT_TRUE(is_close(difference.standard_error, spread(answer, 1).standard_error));
    asked.baseline = 1;
    answer = simulated({cloud_scenario(), cloud_scenario()}, asked).value();
    EXPECT_FALSE(answer.scenarios[1].difference);
    EXPECT_TRUE(is_close(answer.scenarios[0].difference->mean, -difference.mean));
    asked.inputs[0].scenario = std::nullopt; // the same draw for both
    answer = simulated({cloud_scenario(), cloud_scenario()}, asked).value();
    EXPECT_EQ(answer.scenarios[0].difference->p95, 0.0);
}

} // namespace
} // namespace costcurve::tests::simulations
