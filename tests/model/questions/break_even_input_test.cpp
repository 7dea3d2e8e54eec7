// Break-even over an input by hand: a price, a demand, a number of instances; and the stretches in which nothing is the cheaper.
#include "model/questions/break_even.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using model::Alternatives;
using model::BreakEven;
using model::Relation;
using model::Stretch;
using model::StretchCause;

constexpr double kHoursOfJanuary = 744;
constexpr auto kDemandInput = "/workloads/0/demand/mean_per_s";

Alternatives two_of(const model::ScenarioDocument& a, const model::ScenarioDocument& b) {
    return Alternatives({{a, "/a"}, {b, "/b"}});
}

TEST(BreakEvenInput, OverThePriceOfTheInstanceIsTheOwnedCostAnHour) {
    Alternatives pair = two_of(owned_scenario(), cloud_scenario());
    const BreakEven answer = break_even_over_input(pair, "/pools/0/offer/hourly_price", "/input", 0.1, 10.0).value();
    const double owned = evaluate_document(owned_scenario()).summary.total.cost;
    ASSERT_EQ(answer.cost.crossings.size(), 1U);
    EXPECT_NEAR(answer.cost.crossings[0].at, owned / kHoursOfJanuary, 1e-12);
    EXPECT_TRUE(answer.cost.crossings[0].a_is_cheaper);
    EXPECT_FALSE(answer.cost.crossings[0].is_jump);
}

TEST(BreakEvenInput, OverAnInputThatNeverDecidesSaysWhoIsCheaper) {
    Alternatives pair = two_of(cloud_scenario(), owned_scenario());
    const BreakEven answer = break_even_over_input(pair, "/pools/0/site/energy_price", "/input", 0.01, 1.0).value();
    EXPECT_TRUE(answer.cost.crossings.empty());
    EXPECT_EQ(answer.cost.relation, Relation::b_always_cheaper);
}

// One pool of at most so many instances at 1 USD/h, for up to 1 request/s each; what is left undone costs 0.01 USD a request.
model::ScenarioDocument limited(int most) {
    model::ScenarioDocument scenario = cloud_scenario();
    scenario.pools[0].offer->hourly_price = flat(1.0);
    scenario.pools[0].max_instances = most;
    scenario.workloads[0].peak_utilization = 1.0;
    scenario.workloads[0].unserved_cost_per_unit = 0.01;
    return scenario;
}

TEST(BreakEvenInput, OverAnInputIsEqualWhereOnlyRoundingDiffers) {
    model::ScenarioDocument split = limited(3); // the same instances, in two pools
    split.pools[0].offer->hourly_price = flat(1.1);
    split.pools.push_back(split.pools[0]);
    split.pools[1].id = "more";
    split.pools[1].max_instances = 100;
    split.workloads[0].runs_on.push_back(split.workloads[0].runs_on[0]);
    split.workloads[0].runs_on[1].pool = "more";
    model::ScenarioDocument whole = limited(100);
    whole.pools[0].offer->hourly_price = flat(1.1);
    split.months = whole.months = 12;
    Alternatives pair = two_of(split, whole);
    const BreakEven answer = break_even_over_input(pair, "/workloads/0/demand/mean_per_s", "/input", 1.0, 20.3).value();
    EXPECT_EQ(answer.cost.relation, Relation::equal);
    EXPECT_TRUE(answer.cost.crossings.empty());
}

TEST(BreakEvenInput, OverAnInputIsWhereTheyStopToCostTheSame) {
    Alternatives pair = two_of(limited(10), limited(20));
    const BreakEven parting = break_even_over_input(pair, kDemandInput, "/input", 1.0, 20.0).value();
    ASSERT_EQ(parting.cost.crossings.size(), 1U);
    EXPECT_NEAR(parting.cost.crossings[0].at, 10.0, 1e-7);
    EXPECT_FALSE(parting.cost.crossings[0].a_is_cheaper);
    model::ScenarioDocument reserve = limited(20); // pays for 10 from the start
    reserve.pools[0].min_instances = 10;
    Alternatives meeting = two_of(limited(20), reserve);
    EXPECT_EQ(break_even_over_input(meeting, kDemandInput, "/input", 1.0, 20.0)->cost.relation, Relation::a_always_cheaper);
    Alternatives through = two_of(limited(10), reserve);
    const BreakEven last = break_even_over_input(through, kDemandInput, "/input", 1.0, 20.0).value();
    ASSERT_EQ(last.cost.crossings.size(), 1U);
    EXPECT_NEAR(last.cost.crossings[0].at, 10.0, 1e-7);
}

// The same, where what is left undone is a failure.
model::ScenarioDocument able_to(int most) {
    model::ScenarioDocument scenario = limited(most);
    scenario.workloads[0].unserved_cost_per_unit = 0.0;
    return scenario;
}

TEST(BreakEvenInput, OverTheHorizonIsNoneWhereOneIsInfeasible) {
    model::ScenarioDocument small = able_to(10);
    model::ScenarioDocument large = able_to(20);
    small.workloads[0].demand.mean_per_s = large.workloads[0].demand.mean_per_s = 15;
    Alternatives pair = two_of(small, large);
    const BreakEven answer = break_even_over_horizon(pair).value();
    EXPECT_EQ(answer.feasible, (std::array<bool, 2>{false, true}));
    EXPECT_TRUE(answer.differences.empty());
    EXPECT_EQ(answer.cost.relation, Relation::none);
    EXPECT_EQ(answer.cash.relation, Relation::none);
    ASSERT_EQ(answer.cost.difference.size(), 1U);
    EXPECT_DOUBLE_EQ(answer.cost.difference[0], -5 * kHoursOfJanuary);
}

TEST(BreakEvenInput, WorkLeftUndoneThatIsIgnoredIsRanked) {
    model::ScenarioDocument small = able_to(10);
    model::ScenarioDocument large = able_to(20);
    small.workloads[0].demand.mean_per_s = large.workloads[0].demand.mean_per_s = 15;
    Alternatives pair({{small, "/a"}, {large, "/b"}}, true);
    const BreakEven over_horizon = break_even_over_horizon(pair).value();
    EXPECT_EQ(over_horizon.feasible, (std::array<bool, 2>{false, true}));
    EXPECT_EQ(over_horizon.cost.relation, Relation::a_always_cheaper);
    EXPECT_DOUBLE_EQ(over_horizon.cost.difference[0], -5 * kHoursOfJanuary);
    const BreakEven over_input = break_even_over_input(pair, kDemandInput, "/input", 11.0, 40.0).value();
    EXPECT_EQ(over_input.cost.relation, Relation::a_always_cheaper);
    EXPECT_TRUE(over_input.stretches.empty());
    EXPECT_EQ(over_input.feasible, (std::array<bool, 2>{false, true}));
}

TEST(BreakEvenInput, PowerBeyondTheSiteIsNeverIgnored) {
    model::ScenarioDocument over = owned_scenario();
    over.pools[0].site->max_kw = 0.5; // it draws 0.6
    Alternatives pair({{over, "/a"}, {owned_scenario(), "/b"}}, true);
    EXPECT_EQ(break_even_over_horizon(pair)->cost.relation, Relation::none);
    EXPECT_EQ(break_even_over_input(pair, "/pools/0/server/price", "/input", 1.0, 1e5)->stretches.size(), 1U);
}

BreakEven over_demand(const model::ScenarioDocument& a, const model::ScenarioDocument& b, double low, double high) {
    Alternatives pair = two_of(a, b);
    return break_even_over_input(pair, kDemandInput, "/input", low, high).value();
}

TEST(BreakEvenInput, OverAnInputLeavesOutWhereOneIsInfeasible) {
    model::ScenarioDocument dear = able_to(20);
    dear.pools[0].offer->hourly_price = flat(2.0);
    const BreakEven answer = over_demand(able_to(10), dear, 1.0, 20.0);
    EXPECT_EQ(answer.cost.relation, Relation::a_always_cheaper);
    EXPECT_EQ(answer.low, 1.0);
    EXPECT_EQ(answer.high, 20.0);
    ASSERT_EQ(answer.stretches.size(), 1U);
    EXPECT_EQ(answer.stretches[0].because, StretchCause::a_infeasible);
    EXPECT_NEAR(answer.stretches[0].from, 10.0, 1e-6);
    EXPECT_EQ(answer.stretches[0].to, 20.0);
    EXPECT_EQ(answer.feasible, (std::array<bool, 2>{true, true})) << "at some value";
    const BreakEven both = over_demand(able_to(10), dear, 11.0, 40.0);
    EXPECT_EQ(both.cost.relation, Relation::none);
    ASSERT_EQ(both.stretches.size(), 2U);
    EXPECT_NEAR(both.stretches[0].to, 20.0, 1e-6);
    EXPECT_EQ(both.stretches[1].because, StretchCause::both_infeasible);
    EXPECT_EQ(both.feasible, (std::array<bool, 2>{false, true}));
}

TEST(BreakEvenInput, OverAnInputIsFoundUpToTheEdgeOfAStretchAndNotInIt) {
    // Of 33 values of the range 9.90625 is the last below 10; by the unit 10 instances cost as much at 9.95, and less behind it.
    model::ScenarioDocument hosted = api_scenario();
    hosted.pools[0].price_per_million_units = one_price(flat(10 / 3600.0 / 9.95 * 1e6));
    const BreakEven answer = over_demand(able_to(10), hosted, 1.0, 20.0);
    ASSERT_FALSE(answer.cost.crossings.empty());
    EXPECT_NEAR(answer.cost.crossings.back().at, 9.95, 1e-9);
    EXPECT_TRUE(answer.cost.crossings.back().a_is_cheaper);
    ASSERT_EQ(answer.stretches.size(), 1U);
    EXPECT_EQ(answer.stretches[0].because, StretchCause::a_infeasible);
}

TEST(BreakEvenInput, OverAWholeInputStretchesEndAtWholeNumbers) {
    model::ScenarioDocument rented = able_to(20);
    rented.workloads[0].demand.mean_per_s = 10;
    model::ScenarioDocument hosted = api_scenario();
    hosted.workloads[0].demand.mean_per_s = 10;
    Alternatives pair = two_of(hosted, rented);
    const BreakEven answer = break_even_over_input(pair, "/pools/0/max_instances", "/input", 1, 100).value();
    ASSERT_EQ(answer.stretches.size(), 1U);
    EXPECT_EQ(answer.stretches[0].from, 1.0);
    EXPECT_EQ(answer.stretches[0].to, 9.0);
    EXPECT_EQ(answer.stretches[0].because, StretchCause::b_infeasible);
    EXPECT_EQ(answer.cost.relation, Relation::a_always_cheaper);
}

TEST(BreakEvenInput, OverAnInputThatMovesTheDemandOfOneAloneIsNotComparable) {
    // The input is the demand of `work` in a and of `more` in b: the same work where both are 1.
    model::ScenarioDocument a = able_to(100);
    a.workloads.push_back(a.workloads[0]);
    a.workloads[1].id = "more";
    model::ScenarioDocument b = a;
    std::swap(b.workloads[0], b.workloads[1]);
    b.pools[0].offer->hourly_price = flat(2.0);
    const BreakEven middle = over_demand(a, b, 0.5, 1.5);
    EXPECT_EQ(middle.cost.relation, Relation::a_always_cheaper);
    EXPECT_TRUE(middle.differences.empty());
    ASSERT_EQ(middle.stretches.size(), 2U);
    for (const Stretch& stretch : middle.stretches) {
        EXPECT_EQ(stretch.because, StretchCause::not_comparable);
    }
    EXPECT_NEAR(middle.stretches[0].to, 1.0, 2e-6);
    EXPECT_NEAR(middle.stretches[1].from, 1.0, 2e-6);
    const BreakEven nowhere = over_demand(a, b, 2.0, 3.0);
    EXPECT_EQ(nowhere.cash.relation, Relation::none);
    EXPECT_EQ(nowhere.differences.size(), 2U);
    ASSERT_EQ(nowhere.stretches.size(), 1U);
    EXPECT_EQ(nowhere.stretches[0].to, 3.0);
}

TEST(BreakEvenInput, OverAnInputNamesWhereItsValuesBreakARule) {
    model::ScenarioDocument reserve = able_to(20);
    reserve.pools[0].min_instances = 5;
    Alternatives pair = two_of(reserve, able_to(20));
    const BreakEven answer = break_even_over_input(pair, "/pools/0/max_instances", "/input", 2, 20).value();
    ASSERT_EQ(answer.stretches.size(), 1U);
    EXPECT_EQ(answer.stretches[0].to, 4.0);
    EXPECT_EQ(answer.stretches[0].because, StretchCause::invalid);
    EXPECT_EQ(answer.cost.relation, Relation::b_always_cheaper);
}

TEST(BreakEvenInput, OverAnInputRefusesWhatItCannotVary) {
    Alternatives pair = two_of(cloud_scenario(), owned_scenario());
    EXPECT_FALSE(break_even_over_input(pair, "/pools/0/nothing", "/input", 0.1, 1.0));
    EXPECT_FALSE(break_even_over_input(pair, "/pools/0/site/pue", "/input", 0.1, 2.0));
    EXPECT_FALSE(break_even_over_input(pair, "/pools/0/site/pue", "/input", 2.0, 1.0));
}

} // namespace
} // namespace costcurve::tests
