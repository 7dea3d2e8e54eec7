// Only what can be compared is compared: what differs in work, horizon or money has no cheapest in any question.
#include "model/questions/comparable.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "model/questions/chance/simulate.hpp"
#include "model/questions/map.hpp"
#include "model/questions/sensitivity.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::cloud_scenario;
using tests::evaluate_document;

std::vector<std::string> differences_of(const ScenarioDocument& a, const ScenarioDocument& b, Objective decide_by) {
    std::vector<std::string> texts;
    for (const WorkDifference& difference :
         work_differences(a, evaluate_document(a).summary, b, evaluate_document(b).summary, decide_by)) {
        texts.push_back(difference.what + ": " + difference.a + ", " + difference.b);
    }
    return texts;
}

TEST(Comparable, IsTheSameWorkByOtherMeans) {
    ScenarioDocument owned = tests::owned_scenario();
    owned.workloads[0].demand = cloud_scenario().workloads[0].demand;
    EXPECT_EQ(differences_of(cloud_scenario(), owned, Objective::npv_after_tax), std::vector<std::string>{});
    ScenarioDocument by_utilization = cloud_scenario(); // the same units a second, stated otherwise
    Demand& demand = by_utilization.workloads[0].demand;
    demand.mean_per_s.reset();
    demand.utilization = tests::flat(0.5);
    demand.reference_devices = 4;
    demand.units_per_s_per_device = 0.5;
    EXPECT_EQ(differences_of(cloud_scenario(), by_utilization, Objective::cost), std::vector<std::string>{});
    ScenarioDocument shared = cloud_scenario(); // some of it elsewhere
    Workload& work = shared.workloads[0];
    shared.pools.push_back(shared.pools[0]);
    shared.pools[1].id = "other";
    work.runs_on.push_back(work.runs_on[0]);
    work.runs_on[1].pool = "other";
    work.runs_on[0].share = 0.7;
    work.runs_on[1].share = 0.3;
    EXPECT_EQ(differences_of(cloud_scenario(), shared, Objective::cost), std::vector<std::string>{});
}

TEST(Comparable, NamesWhatDiffersWithBothValues) {
    struct Row {
        std::string expected;
        std::function<void(ScenarioDocument&)> change;
        Objective decide_by = Objective::cost;
    };
    const std::vector<Row> rows = {
        {"months: 1, 2", [](auto& d) { d.months = 2; }},
        {"start: 2026-01, 2026-02",
         [](auto& d) {
             d.start = {2026, 2};
         }},
        {"currency: USD, EUR", [](auto& d) { d.currency = "EUR"; }},
        {"workload chat: units demanded: 2678400, 5356800", [](auto& d) { d.workloads[0].demand.mean_per_s = 2; }},
        {"workload chat: demand/burst: none, 4 times for 0.1 of the time",
         [](auto& d) {
             d.workloads[0].demand.burst = Burst{4, 360, 24};
         }},
        {"workload chat: unit: unit, token", [](auto& d) { d.workloads[0].unit = "token"; }},
        {"workload chat: slo/itl_s: none, 1", [](auto& d) { d.workloads[0].slo.itl_s = 1; }},
        {"workload chat: there, none", [](auto& d) { d.workloads[0].id = "play"; }},
        {"discount_rate: 0, 0.08", [](auto& d) { d.finance.discount_rate = 0.08; }, Objective::npv},
        {"at_end: exit, continue", [](auto& d) { d.finance.at_end = AtEnd::continuing; }, Objective::npv},
        {"tax_rate: 0, 0.25", [](auto& d) { d.finance.tax_rate = 0.25; }, Objective::npv_after_tax},
    };
    for (const Row& row : rows) {
        ScenarioDocument changed = cloud_scenario();
        row.change(changed);
        const std::vector<std::string> found = differences_of(cloud_scenario(), changed, row.decide_by);
        EXPECT_TRUE(std::find(found.begin(), found.end(), row.expected) != found.end())
            << row.expected << ", not " << (found.empty() ? "nothing" : found.front());
    }
    ScenarioDocument discounted = cloud_scenario();
    discounted.finance.discount_rate = 0.08;
    EXPECT_EQ(differences_of(cloud_scenario(), discounted, Objective::cost), std::vector<std::string>{});
    ScenarioDocument named = cloud_scenario(); // one that states no model may run any
    named.workloads[0].model = "llama-3.1-8b";
    EXPECT_EQ(differences_of(cloud_scenario(), named, Objective::cost), std::vector<std::string>{});
}

// A month beside three: by the number alone the month is the cheapest.
struct OtherHorizon : testing::Test {
    OtherHorizon() : scenarios{{cloud_scenario(), "/scenarios/0"}, {cloud_scenario(), "/scenarios/1"}} {
        scenarios[0].document.months = 3;
    }
    std::vector<Placed> scenarios;
    const std::string price = "/pools/0/offer/hourly_price";
};

TEST_F(OtherHorizon, HasNoCheapestInAMap) {
    MapQuestion question{{price, "/x", {1, 2}}, {"/finance/tax_rate", "/y", {0, 0.1}}, "/total/cost"};
    const auto map = map_cheapest(scenarios, question, one_by_one());
    ASSERT_TRUE(map);
    EXPECT_EQ(map->cheapest[0][0], std::nullopt);
    EXPECT_EQ(map->differences.front().what, "months");
    scenarios[0].document.months = 1;
    EXPECT_EQ(map_cheapest(scenarios, question, one_by_one())->cheapest[0][0], 0U);
}

// Discount rates make no difference to a cost, and do to a net present value: to that by which the first scenario decides, whatever
// figure the question is asked of, and to one that is asked for.
TEST_F(OtherHorizon, OfDiscountRatesMattersWhereTheDecisionOrTheOutputIsDiscounted) {
    scenarios[0].document.months = 1;
    scenarios[1].document.finance.discount_rate = 0.08;
    const auto differences_by = [&](const char* output) {
        MapQuestion question{{price, "/x", {1, 2}}, {"/finance/tax_rate", "/y", {0, 0.1}}, output};
        const auto map = map_cheapest(scenarios, question, one_by_one());
        EXPECT_EQ(map->cheapest[0][0].has_value(), map->differences.empty()) << output;
        Alternatives alternatives(scenarios);
        const auto swings = sensitivity(alternatives, {{price, "/inputs/0", 1.0, 9.0, std::nullopt}}, output, "/output");
        EXPECT_EQ(swings->differences.size(), map->differences.size()) << output;
        SimulateQuestion simulated;
        simulated.samples = 4;
        simulated.outputs = {output};
        EXPECT_EQ(simulate(scenarios, simulated, one_by_one())->probability_none, map->differences.empty() ? 0.0 : 1.0) << output;
        return map->differences.size();
    };
    EXPECT_EQ(differences_by("/total/cost"), 0U);
    EXPECT_EQ(differences_by("/total/npv"), 1U);
    scenarios[0].document.finance.decide_by = scenarios[1].document.finance.decide_by = Objective::npv;
    EXPECT_EQ(differences_by("/total/cost"), 1U);
    EXPECT_EQ(differences_by("/total/cash"), 1U);
    scenarios[0].document.finance.decide_by = Objective::cost; // the first one's
    EXPECT_EQ(differences_by("/total/cost"), 0U);
    scenarios[0].document.finance.decide_by = Objective::npv_after_tax;
    EXPECT_EQ(differences_by("/total/npv"), 1U);
}

// What can't do its work costs nothing, and never wins, by whatever figure.
TEST_F(OtherHorizon, AndWorkUndoneNeverWinByAnyOutput) {
    scenarios[0].document.months = 1;
    scenarios[1].document.pools[0].max_instances = 0;
    for (const std::optional<Objective> decide_by : {std::optional<Objective>{}, std::optional(Objective::npv)}) {
        scenarios[0].document.finance.decide_by = scenarios[1].document.finance.decide_by = decide_by;
        for (const char* const output : {"/total/cost", "/total/npv", "/total/cash"}) {
            MapQuestion question{{price, "/x", {1, 2}}, {"/finance/tax_rate", "/y", {0, 0.1}}, output};
            EXPECT_EQ(map_cheapest(scenarios, question, one_by_one())->cheapest[0][0], 0U) << output;
            Alternatives alternatives(scenarios);
            const auto swings = sensitivity(alternatives, {{price, "/inputs/0", 1.0, 9.0, std::nullopt}}, output, "/output");
            EXPECT_EQ(swings->cheapest, 0U) << output;
            EXPECT_FALSE(swings->swings.front().flips_at) << output;
        }
    }
}

TEST_F(OtherHorizon, HasNoCheapestInASensitivity) {
    Alternatives alternatives(scenarios);
    const auto answer = sensitivity(alternatives, {{price, "/inputs/0", 1.0, 9.0, std::nullopt}}, "/total/cost", "/output");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->cheapest, std::nullopt);
    EXPECT_FALSE(answer->swings.front().flips_at);
    EXPECT_EQ(answer->differences.front().scenario, 1U);
}

TEST_F(OtherHorizon, HasNoCheapestInASimulation) {
    SimulateQuestion question;
    question.samples = 4;
    question.outputs = {"/total/cost"};
    const auto answer = simulate(scenarios, question, one_by_one());
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->probability_none, 1.0);
    EXPECT_EQ(answer->scenarios[1].probability_cheapest, 0.0);
    EXPECT_EQ(answer->scenarios[1].probability_feasible, 1.0);
}

// A month of twice the work costs more, and each unit of it less; what can't do its work has no place, nor has another unit.
TEST(Comparable, OtherWorkOfTheSameUnitIsRankedByIt) {
    const ScenarioDocument one = cloud_scenario();
    ScenarioDocument two = cloud_scenario();
    two.months = 2;
    two.workloads[0].demand.mean_per_s = 2 * *one.workloads[0].demand.mean_per_s;
    two.pools[0].max_instances = 10;
    two.pools[0].offer->hourly_price.number /= 2;
    ScenarioDocument undone = two;
    undone.workloads[0].demand.mean_per_s = 1e6;
    const Summary of_one = evaluate_document(one).summary;
    const Summary of_two = evaluate_document(two).summary;
    const Summary of_undone = evaluate_document(undone).summary;
    ASSERT_FALSE(of_undone.is_feasible());
    const auto ranking = rank_by_unit({&one, &two, &undone}, {&of_one, &of_two, &of_undone});
    ASSERT_TRUE(ranking);
    EXPECT_EQ(ranking->unit, "unit");
    EXPECT_DOUBLE_EQ(*ranking->levelized[0], *of_one.workloads[0].levelized_cost_per_million_units);
    EXPECT_DOUBLE_EQ(*ranking->levelized[1], *of_two.workloads[0].levelized_cost_per_million_units);
    EXPECT_EQ(ranking->levelized[2], std::nullopt);
    EXPECT_EQ(ranking->cheapest, 1U);
    two.workloads[0].unit = "token";
    EXPECT_FALSE(rank_by_unit({&one, &two}, {&of_one, &of_two}));
    two = one;
    two.currency = "EUR";
    EXPECT_FALSE(rank_by_unit({&one, &two}, {&of_one, &of_one}));
}

} // namespace
} // namespace costcurve::model
