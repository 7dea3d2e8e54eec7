// Break-even by hand: sums of amounts, owned hardware against a rented instance, over the horizon and over an input.
#include "model/questions/break_even.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using model::Alternatives;
using model::BreakEven;
using model::Crossings;
using model::crossings_of_sums;
using model::Relation;

constexpr double kBreakEvenHours = 744; // January 2026

Alternatives pair_of(const model::ScenarioDocument& a, const model::ScenarioDocument& b) {
    return Alternatives({{a, "/a"}, {b, "/b"}});
}

TEST(BreakEven, OfSumsIsInterpolatedWithinTheMonth) {
    const Crossings bought = crossings_of_sums({100, 0, 0, 0}, {30, 30, 30, 30}); // differences 70, 40, 10, -20
    ASSERT_EQ(bought.crossings.size(), 1U);
    EXPECT_DOUBLE_EQ(bought.crossings[0].at, 3 + 10.0 / 30.0);
    EXPECT_TRUE(bought.crossings[0].a_is_cheaper);
    EXPECT_EQ(bought.relation, Relation::crosses);
    EXPECT_EQ(bought.difference, (std::vector<double>{70, 40, 10, -20}));
}

TEST(BreakEven, OfSumsTellsNoneOneSeveralAndEqualApart) {
    EXPECT_EQ(crossings_of_sums({1, 1}, {2, 2}).relation, Relation::a_always_cheaper);
    EXPECT_EQ(crossings_of_sums({3, 3}, {2, 2}).relation, Relation::b_always_cheaper);
    EXPECT_EQ(crossings_of_sums({2, 2}, {2, 2}).relation, Relation::equal);
    EXPECT_EQ(crossings_of_sums({0.1, 0.2}, {0.3, 0.0}).relation, Relation::a_always_cheaper);
    const Crossings refreshed = crossings_of_sums({50, 0, 0, 60, 0, 0}, {20, 20, 20, 20, 20, 20}); // 30 10 -10 30 10 -10
    ASSERT_EQ(refreshed.crossings.size(), 3U);
    EXPECT_DOUBLE_EQ(refreshed.crossings[0].at, 2.5);
    EXPECT_DOUBLE_EQ(refreshed.crossings[1].at, 3.25);
    EXPECT_FALSE(refreshed.crossings[1].a_is_cheaper);
    EXPECT_DOUBLE_EQ(refreshed.crossings[2].at, 5.5);
}

TEST(BreakEven, OfSumsThatMeetAndPartAgainIsNoCrossing) {
    EXPECT_TRUE(crossings_of_sums({10, 0, 10}, {5, 5, 5}).crossings.empty()); // 5, 0, 5
    const Crossings through = crossings_of_sums({10, 0, 0}, {5, 5, 5});       // 5, 0, -5
    ASSERT_EQ(through.crossings.size(), 1U);
    EXPECT_DOUBLE_EQ(through.crossings[0].at, 2.0);
}

TEST(BreakEven, OfOwnedAgainstRentedOverTheHorizonIsThePriceOverTheMonthlySaving) {
    model::ScenarioDocument owned = owned_scenario();
    model::ScenarioDocument rented = cloud_scenario();
    owned.months = rented.months = 36;
    Alternatives pair = pair_of(owned, rented);
    const BreakEven answer = break_even_over_horizon(pair).value();
    // 36,500 USD at the start; then energy of a device at full load and its host (500 + 100 W at 0.1 USD/kWh, so 0.06 USD/h)
    // against 3.6 USD/h: 36,500 / 3.54 = 10,310.73 hours. January 2026 to January 2027 have 8760 + 744; the rest is in February.
    ASSERT_EQ(answer.cash.crossings.size(), 1U);
    EXPECT_NEAR(answer.cash.crossings[0].at, 14 + (36500 / 3.54 - 8760 - 744 - 672) / kBreakEvenHours, 1e-9);
    EXPECT_TRUE(answer.cash.crossings[0].a_is_cheaper);
    EXPECT_EQ(answer.cost.relation, Relation::a_always_cheaper);
}

TEST(BreakEven, OverThePriceOfTheInstanceIsTheOwnedCostAnHour) {
    Alternatives pair = pair_of(owned_scenario(), cloud_scenario());
    const BreakEven answer = break_even_over_input(pair, "/pools/0/offer/hourly_price", "/input", 0.1, 10.0).value();
    const double owned = evaluate_document(owned_scenario()).summary.total.cost;
    ASSERT_EQ(answer.cost.crossings.size(), 1U);
    EXPECT_NEAR(answer.cost.crossings[0].at, owned / kBreakEvenHours, 1e-12);
    EXPECT_TRUE(answer.cost.crossings[0].a_is_cheaper);
    EXPECT_FALSE(answer.cost.crossings[0].is_jump);
}

TEST(BreakEven, OverAnInputThatNeverDecidesSaysWhoIsCheaper) {
    Alternatives pair = pair_of(cloud_scenario(), owned_scenario());
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

TEST(BreakEven, OverAnInputIsEqualWhereOnlyRoundingDiffers) {
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
    Alternatives pair = pair_of(split, whole);
    const BreakEven answer = break_even_over_input(pair, "/workloads/0/demand/mean_per_s", "/input", 1.0, 20.3).value();
    EXPECT_EQ(answer.cost.relation, Relation::equal);
    EXPECT_TRUE(answer.cost.crossings.empty());
}

TEST(BreakEven, OverAnInputIsWhereTheyStopToCostTheSame) {
    constexpr auto kDemand = "/workloads/0/demand/mean_per_s";
    Alternatives pair = pair_of(limited(10), limited(20));
    const BreakEven parting = break_even_over_input(pair, kDemand, "/input", 1.0, 20.0).value();
    ASSERT_EQ(parting.cost.crossings.size(), 1U);
    EXPECT_NEAR(parting.cost.crossings[0].at, 10.0, 1e-7);
    EXPECT_FALSE(parting.cost.crossings[0].a_is_cheaper);
    model::ScenarioDocument reserve = limited(20); // pays for 10 from the start
    reserve.pools[0].min_instances = 10;
    Alternatives meeting = pair_of(limited(20), reserve);
    EXPECT_EQ(break_even_over_input(meeting, kDemand, "/input", 1.0, 20.0)->cost.relation, Relation::a_always_cheaper);
    Alternatives through = pair_of(limited(10), reserve);
    const BreakEven last = break_even_over_input(through, kDemand, "/input", 1.0, 20.0).value();
    ASSERT_EQ(last.cost.crossings.size(), 1U);
    EXPECT_NEAR(last.cost.crossings[0].at, 10.0, 1e-7);
}

TEST(BreakEven, OverAnInputRefusesWhatItCannotVary) {
    Alternatives pair = pair_of(cloud_scenario(), owned_scenario());
    EXPECT_FALSE(break_even_over_input(pair, "/pools/0/nothing", "/input", 0.1, 1.0));
    EXPECT_FALSE(break_even_over_input(pair, "/pools/0/site/pue", "/input", 0.1, 2.0));
    EXPECT_FALSE(break_even_over_input(pair, "/pools/0/site/pue", "/input", 2.0, 1.0));
}

} // namespace
} // namespace costcurve::tests
