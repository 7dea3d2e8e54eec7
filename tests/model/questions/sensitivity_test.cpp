// Swings, elasticities and flips that can be worked out by hand.
#include "model/questions/sensitivity.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using model::Alternatives;
using model::Moved;
using model::Sensitivity;

Moved changed(const char* pointer, double change) { return {pointer, "/inputs", std::nullopt, std::nullopt, change}; }

TEST(Sensitivity, OfOneInputEachIsRankedByItsSwing) {
    Alternatives scenario({{owned_scenario(), "/scenario"}});
    const Sensitivity answer = sensitivity(scenario,
                                           {changed("/pools/0/site/energy_price", 0.5),
                                            changed("/pools/0/server/price", 0.1),
                                            {"/pools/0/server/life_months", "/inputs/2", 24.0, 96.0, std::nullopt}},
                                           "/total/cost", "/output")
                                   .value();
    const double hardware = 36500.0 / 48;
    const double energy = 744 * 0.6 * 0.1;
    ASSERT_EQ(answer.swings.size(), 3U);
    EXPECT_EQ(answer.swings[0].pointer, "/pools/0/server/life_months");
    EXPECT_NEAR(*answer.swings[0].low.output, 2 * hardware + energy, 1e-9);
    EXPECT_NEAR(*answer.swings[0].high.output, hardware / 2 + energy, 1e-9);
    EXPECT_EQ(answer.swings[1].pointer, "/pools/0/server/price");
    EXPECT_NEAR(*answer.swings[1].high.output - *answer.base, 0.1 * hardware, 1e-9);
    EXPECT_NEAR(*answer.swings[1].elasticity, hardware / (hardware + energy), 1e-12);
    EXPECT_NEAR(*answer.swings[2].elasticity, energy / (hardware + energy), 1e-12);
    EXPECT_FALSE(answer.swings[0].flips_at) << "there is nothing to flip to";
}

TEST(Sensitivity, TellsAtWhichValueAnotherScenarioBecomesTheCheapest) {
    Alternatives scenarios({{owned_scenario(), "/scenario"}, {cloud_scenario(), "/against/0"}});
    const Sensitivity answer = sensitivity(scenarios,
                                           {{"/pools/0/offer/hourly_price", "/inputs/0", 0.5, 4.0, std::nullopt},
                                            changed("/pools/0/server/price", 0.1),
                                            {"/pools/0/server/price", "/inputs/2", 36500.0, 365000.0, std::nullopt}},
                                           "/total/cost", "/output")
                                   .value();
    EXPECT_EQ(answer.cheapest, 0U);
    const auto swing = [&](double low) {
        return *std::find_if(answer.swings.begin(), answer.swings.end(), [&](const auto& s) { return s.low.input == low; });
    };
    const double owned = 36500.0 / 48 + 744 * 0.06;
    ASSERT_TRUE(swing(0.5).flips_at);
    EXPECT_NEAR(swing(0.5).flips_at->value, owned / 744, 1e-9);
    EXPECT_EQ(swing(0.5).flips_at->cheapest, 1U);
    EXPECT_FALSE(swing(36500.0 - 3650.0).flips_at);
    ASSERT_TRUE(swing(36500.0).flips_at);
    EXPECT_NEAR(swing(36500.0).flips_at->value, (744 * 3.6 - 744 * 0.06) * 48, 1e-6);
}

TEST(Sensitivity, SeesAFlipThatIsTurnedBackBeforeTheEnd) {
    model::ScenarioDocument on_demand = cloud_scenario(); // 1 USD/h for each request/s
    on_demand.pools[0].offer->hourly_price = flat(1.0);
    on_demand.pools[0].max_instances = 100;
    on_demand.workloads[0].peak_utilization = 1.0;
    on_demand.workloads[0].demand.mean_per_s = 5.0;
    model::ScenarioDocument committed = on_demand; // 12 at 0.7: 8.4 USD/h, and 3.6 for each request/s beyond them
    committed.workloads[0].unserved_cost_per_unit = 0.001;
    model::Pool& pool = committed.pools[0];
    pool.offer->purchase = model::Purchase::committed;
    pool.offer->term_months = 1;
    pool.offer->hourly_price = flat(0.7);
    pool.min_instances = pool.max_instances = 12;
    Alternatives scenarios({{on_demand, "/scenario"}, {committed, "/against/0"}});
    const Sensitivity answer =
        sensitivity(scenarios, {{"/workloads/0/demand/mean_per_s", "/inputs/0", 1.0, 30.0, std::nullopt}}, "/total/cost", "/output")
            .value();
    EXPECT_EQ(answer.cheapest, 0U);
    ASSERT_TRUE(answer.swings[0].flips_at);
    EXPECT_NEAR(answer.swings[0].flips_at->value, 8.0, 1e-6); // the ninth instance
    EXPECT_EQ(answer.swings[0].flips_at->cheapest, 1U);
}

TEST(Sensitivity, OfWholeNumbersTheFlipIsTheFirstThatIsAnothers) {
    model::ScenarioDocument rented = cloud_scenario(); // 744 x 3.6 = 2678 USD
    model::ScenarioDocument owned = owned_scenario();
    owned.pools[0].server->life_months = 24; // 1565 USD; over n months 36,500 / n + 45
    Alternatives scenarios({{owned, "/scenario"}, {rented, "/against/0"}});
    const Sensitivity answer =
        sensitivity(scenarios, {{"/pools/0/server/life_months", "/inputs/0", 6.0, 60.0, std::nullopt}}, "/total/cost", "/output")
            .value();
    ASSERT_TRUE(answer.swings[0].flips_at);
    EXPECT_EQ(answer.swings[0].flips_at->value, 13.0); // 2852; of 14 months 2652
}

TEST(Sensitivity, LeavesTheScenariosAsTheyWere) {
    Alternatives scenario({{owned_scenario(), "/scenario"}});
    const double before = scenario.evaluate(0).value()->summary.total.cost;
    ASSERT_TRUE(sensitivity(scenario, {changed("/pools/0/server/price", 0.5), changed("/months", 1)}, "/total/cost", ""));
    EXPECT_EQ(scenario.evaluate(0).value()->summary.total.cost, before);
}

TEST(Sensitivity, SaysAllThatIsWrongAtOnce) {
    Alternatives scenario({{owned_scenario(), "/scenario"}});
    const auto answer = sensitivity(scenario,
                                    {{"/nothing", "/inputs/0", 1.0, 2.0, std::nullopt},
                                     {"/pools/0/site/pue", "/inputs/1", 0.5, 2.0, std::nullopt},
                                     {"/pools/0/site/pue", "/inputs/2", 2.0, 1.5, std::nullopt},
                                     {"/pools/0/server/embodied_kg", "/inputs/3", std::nullopt, std::nullopt, 0.2},
                                     {"/pools/0/site/pue", "/inputs/4", 1.0, std::nullopt, std::nullopt}},
                                    "/total/cots", "/output");
    ASSERT_FALSE(answer);
    std::vector<std::string> at;
    for (const model::Issue& issue : answer.error()) {
        at.push_back(issue.pointer);
    }
    EXPECT_EQ(at, (std::vector<std::string>{"/output", "/inputs/0", "/inputs/1", "/inputs/2", "/inputs/3", "/inputs/4"}));
}

TEST(Sensitivity, WholeInputsMoveByTheNearestWholeStepAndSayHowFarThatIs) {
    model::ScenarioDocument large = owned_scenario();
    large.pools[0].purchases[0].servers = 7; // 1.4 to 1
    large.pools[0].server->life_months = 48; // 9.6 to 10
    Alternatives scenario({{large, "/scenario"}});
    const Sensitivity answer =
        sensitivity(scenario,
                    {changed("/pools/0/purchases/0/servers", 0.2), changed("/pools/0/server/life_months", 0.2),
                     changed("/months", 0.2), changed("/pools/0/server/price", 0.2)},
                    "/total/cost", "/output")
            .value();
    const auto ends = [&](std::string_view pointer) {
        const auto swing =
            std::find_if(answer.swings.begin(), answer.swings.end(), [&](const auto& s) { return s.pointer == pointer; });
        return std::array{swing->low.input, swing->high.input, *swing->low.change, *swing->high.change};
    };
    EXPECT_EQ(ends("/pools/0/purchases/0/servers"), (std::array{6.0, 8.0, -1.0 / 7, 1.0 / 7}));
    EXPECT_EQ(ends("/pools/0/server/life_months"), (std::array{38.0, 58.0, -10.0 / 48, 10.0 / 48}));
    EXPECT_EQ(ends("/months"), (std::array{1.0, 2.0, 0.0, 1.0})) << "as far as the range goes";
    EXPECT_NEAR(ends("/pools/0/server/price")[2], -0.2, 1e-12);
}

TEST(Sensitivity, DecisionsAreLeftOutUnlessAskedForAndWhatHasNoEffectIsCounted) {
    const auto asked = [](bool with_decisions) {
        Alternatives scenario({{owned_scenario(), "/scenario"}});
        return sensitivity(scenario, model::every_input(owned_scenario(), 0.2, with_decisions), "/total/cost", "/output").value();
    };
    const auto has = [](const Sensitivity& answer, std::string_view pointer) {
        return std::any_of(answer.swings.begin(), answer.swings.end(), [&](const auto& s) { return s.pointer == pointer; });
    };
    for (const char* decision : {"/pools/0/purchases/0/servers", "/months"}) {
        EXPECT_FALSE(has(asked(false), decision)) << decision;
        EXPECT_TRUE(has(asked(true), decision)) << decision;
    }
    const Sensitivity answer = asked(false);
    EXPECT_TRUE(has(answer, "/pools/0/server/price"));
    EXPECT_EQ(answer.swings.size() + answer.without_effect.size(), model::every_input(owned_scenario(), 0.2, false).size());
    ASSERT_FALSE(answer.without_effect.empty());
    Alternatives scenario({{owned_scenario(), "/scenario"}});
    const Sensitivity named = sensitivity(scenario, {changed(answer.without_effect[0].c_str(), 0.2)}, "/total/cost", "").value();
    EXPECT_EQ(named.swings.at(0).width(), 0.0) << "an input that is named is answered";
    EXPECT_TRUE(model::is_decision("/pools/3/max_instances"));
    EXPECT_FALSE(model::is_decision("/pools/3/server/life_months"));
}

TEST(Sensitivity, WhatDoesOtherWorkLeavesWorkUndoneOrIsNotKnownNeverBecomesTheCheapest) {
    struct Row {
        const char* what;
        double rival_price;
        void (*change)(model::ScenarioDocument& base, model::ScenarioDocument& rival);
        Moved moved;
        const char* output;
    };
    // By the number alone the rival is the cheaper at an end of each.
    const Row rows[] = {
        {"other work",
         3.7,
         [](auto& base, auto& rival) { // its workloads are in another order
             for (auto* scenario : {&base, &rival}) {
                 scenario->workloads.push_back(scenario->workloads[0]);
                 scenario->workloads[1].id = "other";
                 scenario->workloads[1].demand.mean_per_s = 2.0;
             }
             std::swap(rival.workloads[0], rival.workloads[1]);
         },
         {"/workloads/0/demand/mean_per_s", "/inputs/0", 0.1, 5.0, std::nullopt},
         "/total/cost"},
        {"work undone",
         3.7,
         [](auto& /*base*/, auto& rival) { rival.pools[0].max_instances = 1; },
         {"/workloads/0/demand/mean_per_s", "/inputs/0", 0.5, 5.0, std::nullopt},
         "/total/cost"},
        {"not known",
         0.1,
         [](auto& base, auto& /*rival*/) {
             base = owned_scenario();
             base.pools[0].site->carbon_g_per_kwh = flat(400);
         },
         {"/pools/0/site/pue", "/inputs/0", 1.0, 3.0, std::nullopt},
         "/total/carbon_kg"},
    };
    for (const Row& row : rows) {
        model::ScenarioDocument base = cloud_scenario();
        model::ScenarioDocument rival = cloud_scenario();
        rival.pools[0].offer->hourly_price = flat(row.rival_price);
        row.change(base, rival);
        Alternatives scenarios({{base, "/scenario"}, {rival, "/against/0"}});
        const auto answer = sensitivity(scenarios, {row.moved}, row.output, "/output");
        ASSERT_TRUE(answer) << row.what << answer.error()[0].pointer << answer.error()[0].message;
        EXPECT_EQ(answer->cheapest, 0U) << row.what;
        EXPECT_TRUE(answer->differences.empty()) << row.what;
        EXPECT_FALSE(answer->swings[0].flips_at) << row.what;
        EXPECT_GT(answer->swings[0].width(), 0.0) << row.what;
    }
}

// At 3.7 against 3.6 an hour one instance comes to less than two, which are needed from more than 1 request a second on.
TEST(Sensitivity, WhatLeavesWorkUndoneBecomesTheCheapestWhereThatIsIgnored) {
    model::ScenarioDocument rival = cloud_scenario();
    rival.pools[0].offer->hourly_price = flat(3.7);
    rival.pools[0].max_instances = 1;
    Alternatives scenarios({{cloud_scenario(), "/scenario"}, {rival, "/against/0"}}, true);
    const auto answer =
        sensitivity(scenarios, {{"/workloads/0/demand/mean_per_s", "/inputs/0", 0.5, 5.0, std::nullopt}}, "/total/cost", "/output");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->cheapest, 0U);
    ASSERT_TRUE(answer->swings[0].flips_at);
    EXPECT_EQ(answer->swings[0].flips_at->cheapest, 1U);
    EXPECT_NEAR(answer->swings[0].flips_at->value, 1.0, 1e-6);
}

// One instance at 3.5 serves up to 1 request a second, ten at 3.7 up to 10.
TEST(Sensitivity, FlipsWhereTheCheapestCanDoItsWorkNoMore) {
    model::ScenarioDocument small = cloud_scenario();
    small.pools[0].offer->hourly_price = flat(3.5);
    small.pools[0].max_instances = 1;
    model::ScenarioDocument large = cloud_scenario();
    large.pools[0].offer->hourly_price = flat(3.7);
    Alternatives scenarios({{small, "/scenario"}, {large, "/against/0"}});
    const auto flip_up_to = [&](double high) {
        return sensitivity(scenarios, {{"/workloads/0/demand/mean_per_s", "/inputs/0", 0.5, high, std::nullopt}}, "/total/cost",
                           "/output")
            .value()
            .swings[0]
            .flips_at;
    };
    const auto flip = flip_up_to(5.0);
    ASSERT_TRUE(flip);
    EXPECT_TRUE(flip->is_infeasible);
    EXPECT_EQ(flip->cheapest, 1U);
    EXPECT_NEAR(flip->value, 1.0, 1e-6);
    EXPECT_FALSE(flip_up_to(1.0)) << "it can up to there";
}

// One instance serves up to 1 request a second, alone and beside one that is cheaper by the number and can't at any demand.
TEST(Sensitivity, FlipsToNoneWhereNoneCanDoItsWork) {
    model::ScenarioDocument small = cloud_scenario();
    small.pools[0].max_instances = 1;
    model::ScenarioDocument idle = cloud_scenario();
    idle.pools[0].max_instances = 0;
    const Moved demand{"/workloads/0/demand/mean_per_s", "/inputs/0", 0.5, 5.0, std::nullopt};
    for (const std::vector<model::Placed>& placed : {std::vector<model::Placed>{{small, "/scenario"}},
                                                     {{small, "/scenario"}, {idle, "/against/0"}},
                                                     {{small, "/scenario"}, {small, "/against/0"}}}) {
        Alternatives scenarios(placed);
        const Sensitivity answer = sensitivity(scenarios, {demand}, "/total/cost", "/output").value();
        EXPECT_EQ(answer.cheapest, 0U);
        const std::optional<model::Flip>& flip = answer.swings[0].flips_at;
        ASSERT_TRUE(flip);
        EXPECT_TRUE(flip->is_infeasible);
        EXPECT_EQ(flip->cheapest, std::nullopt);
        EXPECT_NEAR(flip->value, 1.0, 1e-6);
        EXPECT_EQ(scenarios.evaluate(0).value()->summary.is_feasible(), true) << "as it was";
    }
    Alternatives ignoring({{small, "/scenario"}}, true);
    EXPECT_FALSE(sensitivity(ignoring, {demand}, "/total/cost", "/output")->swings[0].flips_at);
}

// Beyond the base their demands differ: neither is in the running there, whatever it can do.
TEST(Sensitivity, OfOtherWorkNothingFlipsThoughTheCheapestCanDoItNoMore) {
    model::ScenarioDocument small = cloud_scenario();
    small.workloads.push_back(small.workloads[0]);
    small.workloads[1].id = "other";
    small.workloads[1].demand.mean_per_s = 2.0;
    model::ScenarioDocument other = small; // its workloads are in another order, so that another one's demand is moved
    std::swap(other.workloads[0], other.workloads[1]);
    other.workloads[0].demand.mean_per_s = 2.0;
    other.pools[0].offer->hourly_price = flat(9.0);
    small.pools[0].max_instances = 3;
    Alternatives scenarios({{small, "/scenario"}, {other, "/against/0"}});
    const Sensitivity answer =
        sensitivity(scenarios, {{"/workloads/0/demand/mean_per_s", "/inputs/0", 0.5, 5.0, std::nullopt}}, "/total/cost", "/output")
            .value();
    EXPECT_EQ(answer.cheapest, 0U);
    EXPECT_TRUE(answer.differences.empty());
    EXPECT_FALSE(answer.swings[0].flips_at);
}

TEST(Sensitivity, EveryInputOfAScenarioCanBeMoved) {
    Alternatives scenario({{owned_scenario(), "/scenario"}});
    const std::vector<Moved> inputs = model::every_input(owned_scenario(), 0.2, true);
    EXPECT_GT(inputs.size(), 12U);
    const auto answer = sensitivity(scenario, inputs, "/total/cost", "/output");
    ASSERT_TRUE(answer) << answer.error()[0].pointer << answer.error()[0].message;
    EXPECT_EQ(answer->swings.size() + answer->without_effect.size(), inputs.size());
    EXPECT_EQ(answer->swings.front().pointer, "/pools/0/purchases/0/servers");
}

TEST(Sensitivity, OfAllInputsMovesByFactorsWhatIsANumberHereAndACurveThere) {
    model::ScenarioDocument by_date = cloud_scenario();
    by_date.pools[0].offer->hourly_price = curve(model::CurveKind::price, model::Axis::date, {10000, 30000}, {2, 2});
    model::Alternatives both({{cloud_scenario(), "/scenarios/0"}, {by_date, "/scenarios/1"}});
    const std::vector<Moved> inputs = model::every_input(cloud_scenario(), 0.2, false);
    const model::Sensitivity answer = sensitivity(both, inputs, "/total/cost", "/output").value();
    const auto price = std::find_if(answer.swings.begin(), answer.swings.end(),
                                    [](const model::Swing& swing) { return swing.pointer == "/pools/0/offer/hourly_price"; });
    ASSERT_NE(price, answer.swings.end());
    EXPECT_EQ(price->unit, "factor");
    EXPECT_DOUBLE_EQ(price->low.input, 0.8);
    EXPECT_NEAR(*price->low.output, 0.8 * *answer.base, 1e-9 * *answer.base) << "rent is all that the first one costs";
}

} // namespace
} // namespace costcurve::tests
