// Plans over an uncertain future, against the newsvendor's closed form, and what is refused.
#include "model/questions/optimize/hedge.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/questions/optimize/optimize.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using namespace costcurve::model;

constexpr double kHedgeHours = 744;
constexpr double kReserved = 1.5; // USD an instance-hour
constexpr double kOnDemand = 3.6;
constexpr int kMax = 39; // requests/s: demand is uniform from 0 to this, and an instance serves 1

// Work runs on reserved instances, and what they can't do on demand.
ScenarioDocument newsvendor() {
    ScenarioDocument scenario = cloud_scenario();
    Pool reserved = scenario.pools.front();
    reserved.id = "reserved";
    reserved.offer->purchase = Purchase::reserved;
    reserved.offer->term_months = 1;
    reserved.offer->hourly_price = flat(kReserved);
    reserved.min_instances = reserved.max_instances = 0;
    scenario.pools.front().max_instances = 100;
    scenario.pools.push_back(reserved);
    Workload& work = scenario.workloads.front();
    work.peak_utilization = 1.0;
    work.runs_on.insert(work.runs_on.begin(), work.runs_on.front());
    work.runs_on.front().pool = "reserved";
    return scenario;
}

OptimizeQuestion hedge_question() {
    OptimizeQuestion asked;
    asked.decide = {{"/pools/1/min_instances", 0, kMax}};
    Distribution demand;
    demand.low = 0.0;
    demand.high = kMax;
    asked.uncertain.emplace();
    asked.uncertain->inputs = {{"/workloads/0/demand/mean_per_s", "/uncertain/inputs/0", demand, std::nullopt}};
    asked.uncertain->samples = 1024;
    asked.uncertain->sampling = Sampling::sobol;
    asked.uncertain->at = "/uncertain";
    return asked;
}

// Mean instance-hours on demand beside `reserved` ones: demand takes 1 to kMax whole instances, each as likely.
double mean_on_demand(int reserved) {
    const int beyond = kMax - reserved;
    return 0.5 * beyond * (beyond + 1) / kMax;
}

double mean_cost(int reserved) { return kHedgeHours * (kReserved * reserved + kOnDemand * mean_on_demand(reserved)); }

TEST(Hedge, ReservesTheNewsvendorsQuantile) {
    // The least number beyond which demand goes with a probability of no more than 1.5 / 3.6: 23 of 39, not the mean's 20.
    const Result<Optimum> optimum = optimize({newsvendor(), ""}, hedge_question(), {}, one_by_one());
    ASSERT_TRUE(optimum) << optimum.error().front().message;
    EXPECT_EQ(optimum->best.plan, Plan{23});
    EXPECT_EQ(optimum->proof, Proof::exhaustive);
    EXPECT_NEAR(optimum->best.objective, mean_cost(23), 2e-3 * mean_cost(23));
    ASSERT_TRUE(optimum->hedge);
    const Hedge& hedge = *optimum->hedge;
    EXPECT_EQ(hedge.spread.samples, 1024U);
    EXPECT_EQ(hedge.spread.mean, optimum->best.objective);
    EXPECT_EQ(hedge.plan_at_means, Plan{20});
    EXPECT_NEAR(hedge.value_of_hedging.value(), mean_cost(20) - mean_cost(23), 0.05 * (mean_cost(20) - mean_cost(23)));
    // Who knows the demand reserves just that: 20 instances on average.
    EXPECT_NEAR(hedge.value_of_foresight.value(), mean_cost(23) - kHedgeHours * kReserved * 20, 0.01 * mean_cost(23));
}

TEST(Hedge, IsTheSameOnAnyNumberOfWorkersAndFoundBySteps) {
    const Runner three{3, [](std::size_t count, const Task& task) {
                           for (std::size_t i = 0; i < count; ++i) {
                               task(i % 3, i);
                           }
                           return true;
                       }};
    const auto one = optimize({newsvendor(), ""}, hedge_question(), {}, one_by_one());
    const auto other = optimize({newsvendor(), ""}, hedge_question(), {}, three);
    ASSERT_TRUE(one && other);
    EXPECT_EQ(one->best.objective, other->best.objective);
    EXPECT_EQ(one->hedge->value_of_foresight, other->hedge->value_of_foresight);
    OptimizeEffort few;
    few.hedged_evaluations = 0;
    const auto stepped = optimize({newsvendor(), ""}, hedge_question(), few, one_by_one());
    ASSERT_TRUE(stepped);
    EXPECT_EQ(stepped->best.plan, one->best.plan);
    EXPECT_EQ(stepped->bound, -HUGE_VAL);
    EXPECT_FALSE(stepped->hedge->value_of_foresight);
}

TEST(Hedge, KeepsLimitsOnAverage) {
    ScenarioDocument scenario = newsvendor();
    scenario.pools.front().max_instances = 0; // reserved ones alone: what they can't do is undone
    OptimizeQuestion asked = hedge_question();
    asked.subject_to.max_unserved_fraction = 0.1;
    const auto optimum = optimize({scenario, ""}, asked, {}, one_by_one());
    ASSERT_TRUE(optimum) << optimum.error().front().message;
    // Of a demand d > q the share 1 - q / d is undone: on average 1 - q / 39 - q / 39 ln(39 / q), at most 0.1 from q = 24.
    const double q = optimum->best.plan.front();
    const auto undone = [](double n) { return 1 - n / kMax - n / kMax * std::log(kMax / n); };
    EXPECT_LE(undone(q), 0.1 + 1e-3);
    EXPECT_GT(undone(q - 1), 0.1 - 1e-3);
    EXPECT_NEAR(optimum->taken.front(), undone(q), 2e-3);
    EXPECT_FALSE(optimum->hedge->value_of_hedging) << "the plan for the mean leaves more undone";
}

TEST(Hedge, ForesightKeepsTheLimitsOfEachFutureInIt) {
    ScenarioDocument scenario = newsvendor();
    scenario.pools.front().max_instances = 0;
    OptimizeQuestion asked = hedge_question();
    Distribution& demand = asked.uncertain->inputs[0].distribution;
    demand.kind = DistributionKind::discrete;
    demand.values = {5.0, 10.0};
    demand.weights = {1.0, 1.0};
    const auto optimum = optimize({scenario, ""}, asked, {}, one_by_one());
    ASSERT_TRUE(optimum) << optimum.error().front().message;
    EXPECT_EQ(optimum->best.plan, Plan{10}) << "nothing may be left undone";
    const double foreseen = kHedgeHours * kReserved * 7.5; // 5 or 10
    EXPECT_NEAR(optimum->hedge->value_of_foresight.value(), kHedgeHours * kReserved * 10 - foreseen, 0.01 * foreseen);
}

TEST(Hedge, RefusesWhatIsDecidedOrLeavesItsRange) {
    OptimizeQuestion asked = hedge_question();
    asked.uncertain->inputs.push_back(
        {"/pools/1/min_instances", "/uncertain/inputs/1", asked.uncertain->inputs[0].distribution, {}});
    asked.uncertain->inputs[0].distribution.low = -1;
    const auto optimum = optimize({newsvendor(), ""}, asked, {}, one_by_one());
    ASSERT_FALSE(optimum);
    ASSERT_EQ(optimum.error().size(), 2U);
    EXPECT_EQ(optimum.error()[0].pointer, "/uncertain/inputs/0/distribution");
    EXPECT_EQ(optimum.error()[0].code, Code::out_of_range);
    EXPECT_EQ(optimum.error()[1].pointer, "/uncertain/inputs/1/pointer");
    EXPECT_EQ(optimum.error()[1].code, Code::duplicate);
}

} // namespace
} // namespace costcurve::tests
