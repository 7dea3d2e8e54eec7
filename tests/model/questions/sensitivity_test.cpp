// Swings, elasticities and flips that can be worked out by hand.
#include "model/questions/sensitivity.hpp"

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

TEST(Sensitivity, EveryInputOfAScenarioCanBeMoved) {
    Alternatives scenario({{owned_scenario(), "/scenario"}});
    const std::vector<Moved> inputs = model::every_input(owned_scenario(), 0.2);
    EXPECT_GT(inputs.size(), 12U);
    const auto answer = sensitivity(scenario, inputs, "/total/cost", "/output");
    ASSERT_TRUE(answer) << answer.error()[0].pointer << answer.error()[0].message;
    EXPECT_EQ(answer->swings.size(), inputs.size());
    EXPECT_EQ(answer->swings.front().pointer, "/pools/0/purchases/0/servers");
}

} // namespace
} // namespace costcurve::tests
