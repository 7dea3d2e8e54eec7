// Simulations whose answer is known: sums of normals, lognormal means, correlated prices; and what is refused.
#include "model/questions/chance/simulate.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "model/questions/break_even.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/chance/simulations.hpp"

namespace costcurve::tests::simulations {
namespace {

// Costs 744 x (first price + second price): one instance serves, one of the other pool is paid for.
model::ScenarioDocument two_prices() {
    model::ScenarioDocument scenario = cloud_scenario();
    scenario.pools.push_back(scenario.pools.front());
    scenario.pools[1].id = "idle";
    scenario.pools[1].min_instances = 1;
    return scenario;
}

Distribution normal(double mean, double sd) {
    Distribution made;
    made.kind = DistributionKind::normal;
    made.mean = mean;
    made.sd = sd;
    return made;
}

Distribution lognormal(double median, double sigma) {
    Distribution made;
    made.kind = DistributionKind::lognormal;
    made.median = median;
    made.sigma = sigma;
    return made;
}

TEST(Simulate, ASumOfNormalsIsNormal) {
    const Simulation answer = simulated({two_prices()}, question({{kFirst, normal(20, 1)}, {kSecond, normal(40, 2)}})).value();
    const Spread& cost = spread(answer);
    const double sd = kHours * std::sqrt(5.0);
    const double z95 = 1.6448536269514722;
    EXPECT_EQ(cost.samples, kSamples);
    EXPECT_NEAR(cost.mean, kHours * 60, 4 * sd / std::sqrt(kSamples));
    EXPECT_TRUE(is_close(cost.standard_error, sd / std::sqrt(kSamples), 0.02));
    EXPECT_NEAR(cost.p5, kHours * 60 - z95 * sd, 0.03 * sd);
    EXPECT_NEAR(cost.p10, kHours * 60 - 1.2815515655446004 * sd, 0.03 * sd);
    EXPECT_NEAR(cost.p50, kHours * 60, 0.03 * sd);
    EXPECT_NEAR(cost.p95, kHours * 60 + z95 * sd, 0.03 * sd);
    const double density = std::exp(-z95 * z95 / 2) / std::sqrt(2 * std::numbers::pi);
    EXPECT_NEAR(cost.cvar_95, kHours * 60 + density / 0.05 * sd, 0.04 * sd);
    EXPECT_NEAR(*answer.scenarios[0].outputs[0].explained_shares[0], 0.2, 0.02); // 1 / (1 + 4)
    EXPECT_NEAR(*answer.scenarios[0].outputs[0].explained_shares[1], 0.8, 0.02);
    EXPECT_EQ(answer.scenarios[0].outputs[0].unit, "USD");
    EXPECT_EQ(answer.failed, 0U);
}

TEST(Simulate, SobolComesNearerThanRandomNumbers) {
    SimulateQuestion asked = question({{kFirst, normal(20, 1)}, {kSecond, normal(40, 2)}}, 4096);
    asked.sampling = model::Sampling::sobol;
    const Simulation answer = simulated({two_prices()}, asked).value();
    EXPECT_NEAR(spread(answer).mean, kHours * 60, spread(answer).standard_error / 10); // that of random ones
}

TEST(Simulate, TheMeanOfALognormalIsItsMedianTimesEToHalfItsVariance) {
    const Simulation answer = simulated({cloud_scenario()}, question({{kFirst, lognormal(4, 0.5)}})).value();
    const double mean = kHours * 4 * std::exp(0.125);
    EXPECT_NEAR(spread(answer).mean, mean, 4 * spread(answer).standard_error);
    EXPECT_TRUE(is_close(spread(answer).p50, kHours * 4, 4.5 * 1.2533 * 0.5 / std::sqrt(kSamples)))
        << "standard errors of a median";
}

TEST(Simulate, CorrelatedPricesVaryTogether) {
    SimulateQuestion asked = question({{kFirst, normal(20, 1)}, {kSecond, normal(40, 2)}});
    asked.correlations = {{kFirst, kSecond, 0.8, "/correlations/0"}};
    const double r = 2 * std::sin(std::numbers::pi * 0.8 / 6);
    const double sd = kHours * std::sqrt(1 + 4 + 2 * r * 2);
    EXPECT_TRUE(is_close(spread(simulated({two_prices()}, asked).value()).standard_error, sd / std::sqrt(kSamples), 0.02));
}

TEST(Simulate, ARelativeDistributionMultipliesWhatTheScenarioStates) {
    Distribution doubled = uniform(2, 2);
    doubled.relative = true;
    model::ScenarioDocument dearer = cloud_scenario();
    dearer.pools[0].offer->hourly_price = flat(36);
    const Simulation answer = simulated({cloud_scenario(), dearer}, question({{kFirst, doubled}}, 4)).value();
    EXPECT_TRUE(is_close(spread(answer, 0).mean, kHours * 7.2));
    EXPECT_TRUE(is_close(spread(answer, 1).mean, kHours * 72));
}

TEST(Simulate, TheSameSeedGivesTheSameBitsOnAnyNumberOfWorkers) {
    SimulateQuestion asked = question({{kFirst, lognormal(20, 0.4)}, {"/workloads/0/demand/mean_per_s", uniform(0.5, 3.5)}}, 777);
    asked.correlations = {{kFirst, "/workloads/0/demand/mean_per_s", 0.5, ""}};
    asked.outputs = {"/total/cost", "/by_workload/chat/cost_per_inference"};
    asked.by_month = true;
    asked.budgets = {{"", std::nullopt, kHours * 40}};
    for (const model::Sampling sampling : {model::Sampling::random, model::Sampling::sobol}) {
        asked.sampling = sampling;
        const Simulation one = simulated({two_prices(), cloud_scenario()}, asked).value();
        for (const std::size_t workers : {2U, 16U}) {
            const model::Runner scrambled{workers, [workers](std::size_t count, const model::Task& task) {
                                              for (std::size_t i = 0; i < count; ++i) { // 7919 is a prime: all tasks, mixed
                                                  task((i * 5) % workers, (i * 7919 + 11) % count);
                                              }
                                              return true;
                                          }};
            const Simulation other = simulated({two_prices(), cloud_scenario()}, asked, scrambled).value();
            EXPECT_EQ(one.scenarios[1].difference->mean, other.scenarios[1].difference->mean);
            for (std::size_t s = 0; s < 2; ++s) {
                EXPECT_EQ(one.scenarios[s].probability_below[0].probability, other.scenarios[s].probability_below[0].probability);
                EXPECT_EQ(one.scenarios[s].probability_cheapest, other.scenarios[s].probability_cheapest);
                EXPECT_EQ(one.scenarios[s].by_month[0].p50, other.scenarios[s].by_month[0].p50);
                for (std::size_t o = 0; o < 2; ++o) {
                    const Spread& a = *one.scenarios[s].outputs[o].spread;
                    const Spread& b = *other.scenarios[s].outputs[o].spread;
                    EXPECT_EQ(a.mean, b.mean);
                    EXPECT_EQ(a.standard_error, b.standard_error);
                    EXPECT_EQ(a.p5, b.p5);
                    EXPECT_EQ(a.cvar_95, b.cvar_95);
                    EXPECT_EQ(one.scenarios[s].outputs[o].explained_shares, other.scenarios[s].outputs[o].explained_shares);
                }
            }
        }
    }
}

TEST(Simulate, AnotherSeedGivesOtherSamples) {
    SimulateQuestion asked = question({{kFirst, uniform(1, 2)}}, 100);
    const double mean = spread(simulated({cloud_scenario()}, asked).value()).mean;
    asked.seed = 43;
    EXPECT_NE(spread(simulated({cloud_scenario()}, asked).value()).mean, mean);
}

TEST(Simulate, TheProbabilityOfBeingTheCheapestIsThatOfTheLowerPrice) {
    SimulateQuestion asked = question({{kFirst, uniform(0, 14.4)}});
    asked.inputs[0].scenario = 1; // the first stays at 3.6
    Simulation answer = simulated({cloud_scenario(), cloud_scenario()}, asked).value();
    EXPECT_NEAR(*answer.scenarios[1].probability_cheapest, 0.25, 0.015);
    EXPECT_DOUBLE_EQ(*answer.scenarios[0].probability_cheapest + *answer.scenarios[1].probability_cheapest, 1.0);
    EXPECT_FALSE(answer.scenarios[0].outputs[0].explained_shares[0]) << "the scenario that the input does not drive";
    asked.inputs[0].scenario = std::nullopt; // the same draw for all: they tie
    answer = simulated({cloud_scenario(), cloud_scenario()}, asked).value();
    EXPECT_DOUBLE_EQ(*answer.scenarios[0].probability_cheapest, 0.5);
}

TEST(Simulate, ADrawThatCannotDoTheWorkIsInNoRunning) {
    model::ScenarioDocument small = cloud_scenario(); // three devices, at a third of the other's price
    small.pools[0].max_instances = 3;
    small.pools[0].offer->hourly_price = flat(1.2);
    model::ScenarioDocument large = cloud_scenario();
    large.pools[0].max_instances = 4;
    SimulateQuestion asked = question({{"/workloads/0/demand/mean_per_s", uniform(0, 4)}});
    Simulation answer = simulated({small, large}, asked).value();
    EXPECT_NEAR(*answer.scenarios[0].probability_feasible, 0.75, 0.015);
    EXPECT_DOUBLE_EQ(*answer.scenarios[1].probability_feasible, 1.0);
    EXPECT_DOUBLE_EQ(*answer.scenarios[0].probability_cheapest, *answer.scenarios[0].probability_feasible);
    EXPECT_DOUBLE_EQ(*answer.probability_none, 0.0);
    large.pools[0].max_instances = 3;
    answer = simulated({small, large}, asked).value();
    EXPECT_NEAR(*answer.probability_none, 0.25, 0.015);
    EXPECT_DOUBLE_EQ(*answer.probability_none + *answer.scenarios[0].probability_cheapest, 1.0);
}

TEST(Simulate, ADrawThatLeavesWorkUndoneIsInTheRunningWhereThatIsIgnored) {
    model::ScenarioDocument small = cloud_scenario(); // three devices, at a third of the other's price
    small.pools[0].max_instances = 3;
    small.pools[0].offer->hourly_price = flat(1.2);
    SimulateQuestion asked = question({{"/workloads/0/demand/mean_per_s", uniform(0, 4)}});
    asked.ignore_unserved = true;
    const Simulation answer = simulated({small, cloud_scenario()}, asked).value();
    EXPECT_NEAR(*answer.scenarios[0].probability_feasible, 0.75, 0.015);
    EXPECT_DOUBLE_EQ(*answer.scenarios[0].probability_cheapest, 1.0);
    EXPECT_DOUBLE_EQ(*answer.probability_none, 0.0);
    model::ScenarioDocument over = owned_scenario(); // nearly for nothing, and beyond its site's power
    over.pools[0].server->price = 0.01;
    over.pools[0].site->max_kw = 0.1;
    EXPECT_EQ(*simulated({over, cloud_scenario()}, asked)->scenarios[0].probability_cheapest, 0.0) << "power is no choice";
}

TEST(Simulate, BandsAreThoseOfTheCashOfEachMonth) {
    model::ScenarioDocument owned = owned_scenario();
    model::ScenarioDocument rented = cloud_scenario();
    owned.months = rented.months = 24;
    SimulateQuestion asked = question({{"/pools/0/site/energy_price", uniform(0.1, 0.1)}}, 10);
    asked.by_month = true;
    const Simulation answer = simulated({owned, rented}, asked).value();
    const Answer bought = evaluate_document(owned);
    const Answer paid = evaluate_document(rented);
    double of_bought = 0.0;
    double of_paid = 0.0;
    ASSERT_EQ(answer.scenarios[0].by_month.size(), 24U);
    for (std::size_t m = 0; m < 24; ++m) {
        of_bought += bought.summary.months[m].total.cash;
        of_paid += paid.summary.months[m].total.cash;
        EXPECT_TRUE(is_close(answer.scenarios[0].by_month[m].p50, of_bought));
        EXPECT_TRUE(is_close(answer.scenarios[1].by_month[m].p95, of_paid));
    }
}

// Servers that cost nothing to run, over a year; `payment` a month, growing evenly.
model::ScenarioDocument year_of(double price, double payment) {
    model::ScenarioDocument document = owned_scenario();
    document.months = 12;
    document.pools[0].server->price = price;
    document.pools[0].server->life_months = 24;
    document.pools[0].site->energy_price = flat(0);
    document.pools[0].site->network_per_month = payment;
    return document;
}

TEST(Simulate, BreakEvenOfOneDrawIsThatOfBreakEvenInExactTime) {
    model::ScenarioDocument another = year_of(0, 0); // 1100 more at the start of month 4, to be passed again by 275 a month
    another.pools[0].purchases.push_back(another.pools[0].purchases[0]);
    another.pools[0].purchases[1].month = 4;
    another.pools[0].purchases[1].price = 1100;
    struct Row {
        const char* what;
        model::ScenarioDocument a;
        model::ScenarioDocument b;
        std::optional<double> at; ///< worked by hand
    };
    const Row rows[] = {
        {"a price over a monthly saving", year_of(1000, 0), year_of(0, 150), 1000.0 / 150},
        {"at the end of a month", year_of(1200, 0), year_of(0, 150), 8.0},
        {"a payment of the other, passed again within the month", year_of(0, 250), another, 4.0},
        {"half of it comes back at the end, which settles and makes no crossing", year_of(1200, 0), year_of(0, 60), std::nullopt},
        {"from the start", year_of(0, 10), year_of(0, 20), 0.0},
        {"equal", year_of(0, 10), year_of(0, 10), 0.0},
    };
    for (const Row& row : rows) {
        model::Alternatives pair({{row.a, "/a"}, {row.b, "/b"}});
        const model::BreakEven alone = break_even_over_horizon(pair).value();
        const std::optional<double> from = cheaper_from(alone.cash);
        ASSERT_EQ(from.has_value(), row.at.has_value()) << row.what;
        EXPECT_NEAR(from.value_or(0.0), row.at.value_or(0.0), 1e-9) << row.what;
        SimulateQuestion asked = question({{"/finance/tax_rate", uniform(0, 0)}}, 2);
        asked.break_even = {0, 1};
        const Simulation answer = simulated({row.a, row.b}, asked).value();
        ASSERT_EQ(answer.break_even.size(), 12U);
        for (std::size_t m = 0; m < 12; ++m) {
            const bool is_even = row.at && *row.at <= static_cast<double>(m + 1);
            EXPECT_EQ(answer.break_even[m], is_even ? 1.0 : 0.0) << row.what << ", month " << m;
        }
    }
}

TEST(Simulate, WhatCannotDoItsWorkNeverBecomesTheCheaper) {
    model::ScenarioDocument undone = cloud_scenario();
    undone.pools[0].max_instances = 0;
    SimulateQuestion asked = question({{"/finance/tax_rate", uniform(0, 0)}}, 2);
    asked.break_even = {0, 1};
    EXPECT_EQ(simulated({undone, cloud_scenario()}, asked)->break_even.back(), 0.0);
    asked.ignore_unserved = true;
    EXPECT_EQ(simulated({undone, cloud_scenario()}, asked)->break_even.back(), 1.0);
    model::ScenarioDocument longer = cloud_scenario();
    longer.months = 2;
    EXPECT_EQ(simulated({cloud_scenario(), longer}, asked)->break_even.back(), 0.0) << "other work";
}

TEST(Simulate, AFigureThatSomeSamplesLackIsThatOfTheOthers) {
    SimulateQuestion asked = question({{"/workloads/0/demand/mean_per_s", discrete({0, 1}, {1, 1})}}, 1000);
    asked.outputs = {"/by_workload/chat/cost_per_inference"};
    const Simulation answer = simulated({cloud_scenario()}, asked).value();
    EXPECT_GT(spread(answer).samples, 400U);
    EXPECT_LT(spread(answer).samples, 600U);
    EXPECT_TRUE(is_close(spread(answer).mean, 0.001)); // 3.6 an hour for one a second
    EXPECT_EQ(answer.failed, 0U);
}

TEST(Simulate, AHorizonThatIsDrawnShortensTheBands) {
    SimulateQuestion asked = question({{"/months", discrete({2, 3}, {1, 1})}}, 50);
    asked.by_month = true;
    asked.outputs = {"/total/cost", "/by_month/2/cash"};
    model::ScenarioDocument scenario = cloud_scenario();
    scenario.months = 3;
    const Simulation answer = simulated({scenario}, asked).value();
    EXPECT_EQ(answer.scenarios[0].by_month.size(), 2U);
    EXPECT_LT(answer.scenarios[0].outputs[1].spread->samples, 50U);
}

TEST(Simulate, FewSamplesThatBreakRulesAreCountedAndManyAreRefused) {
    const auto pointer = "/pools/0/min_instances"; // at most 10, max_instances
    const Simulation answer = simulated({cloud_scenario()}, question({{pointer, discrete({1, 20}, {996, 4})}}, 5000)).value();
    EXPECT_GT(answer.failed, 5U);
    EXPECT_LE(answer.failed, 50U);
    EXPECT_EQ(spread(answer).samples + answer.failed, 5000U);
    EXPECT_EQ(answer.first_failure->code, model::Code::inconsistent);
    EXPECT_EQ(answer.first_failure->pointer, "/scenarios/0/pools/0/min_instances");
    const auto refused = simulated({cloud_scenario()}, question({{pointer, discrete({1, 20}, {1, 1})}}, 1000));
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error()[0].message.find("of 1000 samples break rules"), std::string::npos) << refused.error()[0].message;
}

TEST(Simulate, WhatIsWrongWithAQuestionIsSaidAtOnce) {
    struct Row {
        const char* pointer;
        model::Code code;
        const char* says;
        void (*change)(SimulateQuestion&);
    };
    using model::Code;
    const Row rows[] = {
        {"/inputs/0/pointer", Code::unknown_reference, "hourly_price",
         [](auto& q) { q.inputs[0].pointer = "/pools/0/offer/prise"; }},
        {"/inputs/0/scenario", Code::out_of_range, "allowed 0 to 0", [](auto& q) { q.inputs[0].scenario = 1; }},
        {"/inputs/0/distribution/high", Code::out_of_range, "below low", [](auto& q) { q.inputs[0].distribution = uniform(2, 1); }},
        {"/inputs/0/distribution", Code::out_of_range, "the least value of its distribution",
         [](auto& q) { q.inputs[0].distribution = uniform(-1, 1); }},
        {"/inputs/0/distribution", Code::out_of_range, "of which a share of 0.159 lies outside",
         [](auto& q) { q.inputs[0].distribution = normal(1, 1); }},
        {"/inputs/1/pointer", Code::duplicate, "already",
         [](auto& q) {
             q.inputs.push_back({kFirst, "/inputs/1", uniform(1, 2), 0});
         }},
        {"/inputs/0/pointer", Code::inconsistent, "states nothing",
         [](auto& q) {
             q.inputs[0].pointer = "/pools/0/offer/term_months";
             q.inputs[0].distribution.relative = true;
         }},
        {"/outputs/1", Code::unknown_reference, "there is cost", [](auto& q) { q.outputs.emplace_back("/total/costs"); }},
        {"/correlations/0/b", Code::unknown_reference, "none of the inputs",
         [](auto& q) {
             q.correlations = {{kFirst, kSecond, 0.5, "/correlations/0"}};
         }},
        {"/correlations/0", Code::duplicate, "different inputs",
         [](auto& q) {
             q.correlations = {{kFirst, kFirst, 0.5, "/correlations/0"}};
         }},
        {"/baseline", Code::out_of_range, "allowed 0 to 0", [](auto& q) { q.baseline = 1; }},
        {"/budgets/0/scenario", Code::out_of_range, "allowed 0 to 0",
         [](auto& q) {
             q.budgets = {{"", 1, 9.0}};
         }},
        {"/budgets/0/output", Code::unknown_reference, "not one of the outputs: /total/cost",
         [](auto& q) {
             q.budgets = {{"/total/cash", std::nullopt, 9.0}};
         }},
        {"/samples", Code::too_large, "more than the 50000000 that are kept", [](auto& q) { q.samples = 30'000'000; }},
    };
    for (const Row& row : rows) {
        SimulateQuestion asked = question({{kFirst, uniform(1, 2)}}, 1000);
        row.change(asked);
        const auto answer = simulated({two_prices()}, asked);
        ASSERT_FALSE(answer) << row.pointer;
        ASSERT_EQ(answer.error().size(), 1U) << row.pointer;
        EXPECT_EQ(answer.error()[0].pointer, row.pointer);
        EXPECT_EQ(answer.error()[0].code, row.code) << row.pointer;
        EXPECT_NE(answer.error()[0].message.find(row.says), std::string::npos) << answer.error()[0].message;
    }
}

TEST(Simulate, ARunnerThatIsToldToStopLeavesNoAnswerAndNoIssue) {
    const model::Runner stopped{1, [](std::size_t /*count*/, const model::Task& /*task*/) { return false; }};
    const auto answer = simulated({cloud_scenario()}, question({{kFirst, uniform(1, 2)}}, 10), stopped);
    ASSERT_FALSE(answer);
    EXPECT_TRUE(answer.error().empty());
}

TEST(Simulate, ScenariosThatDifferByRoundingTie) {
    model::ScenarioDocument a = cloud_scenario();
    model::ScenarioDocument b = cloud_scenario();
    b.pools.push_back(b.pools[0]); // the same instances at a price that rounding has touched
    b.pools[0].id = "idle";
    SimulateQuestion asked = question({{kFirst, discrete({3.6, 3.6 * (1 - 1e-14), 3.6 * (1 + 1e-14)}, {1, 1, 1})}}, 200);
    asked.break_even = model::BreakEvenPair{0, 1};
    const Simulation answer = simulated({a, b}, asked).value();
    EXPECT_DOUBLE_EQ(*answer.scenarios[0].probability_cheapest, 0.5);
    EXPECT_DOUBLE_EQ(*answer.scenarios[1].probability_cheapest, 0.5);
    EXPECT_DOUBLE_EQ(answer.break_even.back(), 1.0);
}

} // namespace
} // namespace costcurve::tests::simulations
