// Break-even by hand: sums of amounts, owned hardware against a rented instance, over the horizon and over an input.
#include "model/questions/break_even.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using model::Alternatives;
using model::BreakEven;
using model::Crossings;
using model::Relation;
using model::TimedCash;

constexpr double kBreakEvenHours = 744; // January 2026

Alternatives pair_of(const model::ScenarioDocument& a, const model::ScenarioDocument& b) {
    return Alternatives({{a, "/a"}, {b, "/b"}});
}

// Payments that grow evenly over their months.
TimedCash evenly(const std::vector<double>& amounts) {
    const std::vector<double> none(amounts.size(), 0.0);
    return {none, amounts, none, 0.0};
}
Crossings crossings_of_sums(const std::vector<double>& a, const std::vector<double>& b) {
    return model::crossings_of(evenly(a), evenly(b));
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

TEST(BreakEven, AtAStepIsAtItsTimeAndAJump) {
    // a pays 10 at the start and 30 at month 2, b 10 a month: 10 against 10 t, then 40.
    const Crossings found =
        model::crossings_of({{10, 0, 30, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, 0}, evenly({10, 10, 10, 10, 10}));
    ASSERT_EQ(found.crossings.size(), 3U);
    EXPECT_DOUBLE_EQ(found.crossings[0].at, 1.0);
    EXPECT_FALSE(found.crossings[0].is_jump);
    EXPECT_DOUBLE_EQ(found.crossings[1].at, 2.0);
    EXPECT_TRUE(found.crossings[1].is_jump);
    EXPECT_FALSE(found.crossings[1].a_is_cheaper);
    EXPECT_DOUBLE_EQ(found.crossings[2].at, 4.0);
    EXPECT_EQ(found.difference, (std::vector<double>{0, -10, 10, 0, -10})) << "what is paid as the next month starts is not in it";
}

TEST(BreakEven, OfASaleAndAPurchaseAtOneTimeIsOfBothTogether) {
    const TimedCash renewed{{10, 10}, {5, 5}, {-10, 0}, 0}; // 10 … 15, then 15 … 20
    EXPECT_EQ(model::crossings_of(renewed, {{8, 0}, {5, 5}, {0, 0}, 0}).relation, Relation::b_always_cheaper);
}

TEST(BreakEven, OfEqualSumsAtTimeZeroIsNone) {
    const Crossings found = model::crossings_of({{100, 0}, {1, 1}, {0, 0}, 0}, {{100, 0}, {2, 2}, {0, 0}, 0});
    EXPECT_TRUE(found.crossings.empty());
    EXPECT_EQ(found.relation, Relation::a_always_cheaper);
}

TEST(BreakEven, OfTerminalValuesIsApart) {
    const Crossings found = model::crossings_of({{100, 0}, {0, 0}, {0, 0}, -90}, evenly({20, 20}));
    EXPECT_EQ(found.relation, Relation::b_always_cheaper);
    EXPECT_EQ(found.difference, (std::vector<double>{80, 60}));
    EXPECT_DOUBLE_EQ(found.at_end.value(), -30);
}

// Apart from the code: what is paid by a time, steps at it included.
double paid_by(const TimedCash& cash, double time) {
    double paid = 0.0;
    for (std::size_t m = 0; m < cash.start.size(); ++m) {
        const auto month = static_cast<double>(m);
        paid += (month <= time ? cash.start[m] : 0.0) + cash.during[m] * std::clamp(time - month, 0.0, 1.0) +
                (month + 1 <= time ? cash.end[m] : 0.0);
    }
    return paid;
}

TEST(BreakEven, OfRandomCashIsWhatAFineGridOfTimesFinds) {
    constexpr unsigned kSeed = 20260101;
    constexpr int kMonths = 12;
    constexpr int kPerMonth = 997;
    std::mt19937 random(kSeed);
    std::uniform_real_distribution<double> amount(-1.0, 1.0);
    const auto draw = [&] {
        TimedCash cash;
        for (std::vector<double>* const amounts : {&cash.start, &cash.during, &cash.end}) {
            for (int m = 0; m < kMonths; ++m) {
                const double drawn = amount(random);
                amounts->push_back(amounts == &cash.during || drawn > 0.5 ? drawn : 0.0); // few steps
            }
        }
        return cash;
    };
    std::size_t crossings = 0;
    for (int round = 0; round < 40; ++round) {
        const TimedCash a = draw();
        const TimedCash b = draw();
        const Crossings found = model::crossings_of(a, b);
        crossings += found.crossings.size();
        const auto is_a_less = [&](double time) { return paid_by(a, time) < paid_by(b, time); };
        for (int i = 1; i <= kMonths * kPerMonth; ++i) {
            const double from = static_cast<double>(i - 1) / kPerMonth;
            const double to = static_cast<double>(i) / kPerMonth;
            const auto within = std::count_if(found.crossings.begin(), found.crossings.end(), [&](const model::Crossing& crossing) {
                return from < crossing.at && crossing.at <= to;
            });
            if (i == 1 && paid_by(a, from) == paid_by(b, from)) {
                continue; // they part at time 0
            }
            ASSERT_EQ(is_a_less(from) != is_a_less(to), within % 2 == 1) << "seed " << kSeed << " round " << round << " at " << to;
        }
        for (const model::Crossing& crossing : found.crossings) {
            EXPECT_EQ(is_a_less(crossing.at + 1e-9), crossing.a_is_cheaper) << "seed " << kSeed << " round " << round;
        }
    }
    EXPECT_GT(crossings, 40U);
}

// Servers at a price that live so long and cost nothing to run, over a year or two; and the same work at so much a month.
model::ScenarioDocument bought_for(double price, int life, int months) {
    model::ScenarioDocument document = owned_scenario();
    document.months = months;
    document.pools[0].server->price = price;
    document.pools[0].server->life_months = life;
    document.pools[0].site->energy_price = flat(0);
    return document;
}
model::ScenarioDocument paid_by_month(double payment, int months) {
    model::ScenarioDocument document = bought_for(0, months, months);
    document.pools[0].site->network_per_month = payment;
    return document;
}
BreakEven over_horizon(const model::ScenarioDocument& a, const model::ScenarioDocument& b) {
    Alternatives pair = pair_of(a, b);
    return break_even_over_horizon(pair).value();
}

TEST(BreakEven, OfAnUpfrontLeaseAgainstHoursIsInTheFirstMonth) {
    model::ScenarioDocument leased = bought_for(1, 12, 12);
    leased.pools[0].purchases[0].lease.emplace();
    leased.pools[0].purchases[0].lease->term_months = 12;
    leased.pools[0].purchases[0].lease->upfront_per_server = 1000;
    model::ScenarioDocument rented = cloud_scenario();
    rented.months = 12;
    const BreakEven answer = over_horizon(leased, rented);
    ASSERT_EQ(answer.cash.crossings.size(), 1U);
    EXPECT_DOUBLE_EQ(answer.cash.crossings[0].at, 1000 / (3.6 * kBreakEvenHours));
    EXPECT_TRUE(answer.cash.crossings[0].a_is_cheaper);
    EXPECT_FALSE(answer.cash.crossings[0].is_jump);
    EXPECT_EQ(answer.cost.relation, Relation::a_always_cheaper);
    EXPECT_DOUBLE_EQ(answer.cash.at_end.value(), 1000 - 3.6 * 8760);
}

TEST(BreakEven, OfAPurchaseIsAtItsMonth) {
    model::ScenarioDocument twice = bought_for(1200, 12, 24); // 1200, and 2400 from month 12 on, against 150 a month
    twice.pools[0].purchases.push_back(twice.pools[0].purchases[0]);
    twice.pools[0].purchases[1].month = 12;
    const BreakEven answer = over_horizon(twice, paid_by_month(150, 24));
    ASSERT_EQ(answer.cash.crossings.size(), 3U);
    EXPECT_DOUBLE_EQ(answer.cash.crossings[0].at, 8);
    EXPECT_DOUBLE_EQ(answer.cash.crossings[1].at, 12);
    EXPECT_TRUE(answer.cash.crossings[1].is_jump);
    EXPECT_FALSE(answer.cash.crossings[1].a_is_cheaper);
    EXPECT_DOUBLE_EQ(answer.cash.crossings[2].at, 16);
    twice.pools[0].server->residual_fraction = flat(0.25); // 300 come back at month 12: 2100 from then on
    EXPECT_DOUBLE_EQ(over_horizon(twice, paid_by_month(150, 24)).cash.crossings.at(2).at, 14);
}

TEST(BreakEven, OfWhatIsSoldAtTheEndIsNoCrossingOfTheLastMonth) {
    model::ScenarioDocument sold = bought_for(1200, 24, 12); // 600 come back at the end
    const BreakEven answer = over_horizon(sold, paid_by_month(60, 12));
    EXPECT_EQ(answer.cash.relation, Relation::b_always_cheaper);
    EXPECT_DOUBLE_EQ(answer.cash.difference.back(), 1200 - 720);
    EXPECT_DOUBLE_EQ(answer.cash.at_end.value(), 600 - 720);
    EXPECT_EQ(answer.cost.relation, Relation::a_always_cheaper) << "50 a month";
    EXPECT_DOUBLE_EQ(answer.cost.at_end.value(), 600 - 720);
    sold.pools[0].server->residual_fraction =
        curve(model::CurveKind::residual, model::Axis::age_months, {0, 12, 24}, {1.0, 0.1, 0.0}); // 120 come back, not 600
    const BreakEven at_a_loss = over_horizon(sold, paid_by_month(60, 12));
    EXPECT_EQ(at_a_loss.cost.relation, Relation::a_always_cheaper);
    EXPECT_DOUBLE_EQ(at_a_loss.cost.difference.front(), 50 - 60) << "the loss is the end's";
    EXPECT_DOUBLE_EQ(at_a_loss.cost.difference.back(), 600 - 720);
    EXPECT_DOUBLE_EQ(at_a_loss.cost.at_end.value(), 1200 - 120 - 720);
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

TEST(BreakEven, OverTheHorizonIsNoneWhereTheWorkDiffers) {
    const BreakEven answer = over_horizon(paid_by_month(10, 12), bought_for(1, 24, 24));
    ASSERT_EQ(answer.differences.size(), 2U);
    EXPECT_EQ(answer.differences[0].what, "months");
    EXPECT_EQ(answer.differences[1].what, "workload chat: units demanded");
    EXPECT_EQ(answer.cost.relation, Relation::none);
    EXPECT_TRUE(answer.cash.crossings.empty());
    EXPECT_EQ(answer.cash.difference.size(), 12U);
    EXPECT_FALSE(answer.cash.at_end);
}

} // namespace
} // namespace costcurve::tests
