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

constexpr double kHours = 744; // January 2026

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
    EXPECT_NEAR(answer.cash.crossings[0].at, 14 + (36500 / 3.54 - 8760 - 744 - 672) / kHours, 1e-9);
    EXPECT_TRUE(answer.cash.crossings[0].a_is_cheaper);
    EXPECT_EQ(answer.cost.relation, Relation::a_always_cheaper);
}

TEST(BreakEven, OverThePriceOfTheInstanceIsTheOwnedCostAnHour) {
    Alternatives pair = pair_of(owned_scenario(), cloud_scenario());
    const BreakEven answer = break_even_over_input(pair, "/pools/0/offer/hourly_price", "/input", 0.1, 10.0).value();
    const double owned = evaluate_document(owned_scenario()).summary.total.cost;
    ASSERT_EQ(answer.cost.crossings.size(), 1U);
    EXPECT_NEAR(answer.cost.crossings[0].at, owned / kHours, 1e-12);
    EXPECT_TRUE(answer.cost.crossings[0].a_is_cheaper);
    EXPECT_FALSE(answer.cost.crossings[0].is_jump);
}

TEST(BreakEven, OverAnInputThatNeverDecidesSaysWhoIsCheaper) {
    Alternatives pair = pair_of(cloud_scenario(), owned_scenario());
    const BreakEven answer = break_even_over_input(pair, "/pools/0/site/energy_price", "/input", 0.01, 1.0).value();
    EXPECT_TRUE(answer.cost.crossings.empty());
    EXPECT_EQ(answer.cost.relation, Relation::b_always_cheaper);
}

TEST(BreakEven, OverAnInputRefusesWhatItCannotVary) {
    Alternatives pair = pair_of(cloud_scenario(), owned_scenario());
    EXPECT_FALSE(break_even_over_input(pair, "/pools/0/nothing", "/input", 0.1, 1.0));
    EXPECT_FALSE(break_even_over_input(pair, "/pools/0/site/pue", "/input", 0.1, 2.0));
    EXPECT_FALSE(break_even_over_input(pair, "/pools/0/site/pue", "/input", 2.0, 1.0));
}

} // namespace
} // namespace costcurve::tests
