// Who bears what: the scenario's rule of allocation, idle cost, and sums by tag (model.md, section 8).
#include "model/allocation.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::api_scenario;
using tests::cloud_scenario;
using tests::curve;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::issues_of;
using tests::owned_scenario;

constexpr double kHoursOfJanuary = 744;

// Four instances at 1 an hour, always on: a reserves one and keeps half of it busy, b reserves two and keeps 1.5 busy.
ScenarioDocument two_teams() {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].min_instances = document.pools[0].max_instances = 4;
    document.pools[0].offer->hourly_price = flat(1);
    Site& site = document.pools[0].offer->site.emplace();
    site.carbon_g_per_kwh = flat(400);
    document.workloads.push_back(document.workloads[0]);
    document.workloads[0].id = "a";
    document.workloads[0].demand.mean_per_s = 0.5;
    document.workloads[1].id = "b";
    document.workloads[1].demand.mean_per_s = 1.5;
    return document;
}

TEST(AllocationRule, DividesAPoolByItsBasisAndItsIdleHours) {
    struct Row {
        Allocation rule;
        double a, b, idle;
    };
    const std::vector<Row> rows = {
        {{}, 1.0 / 3, 2.0 / 3, 0},
        {{AllocationBasis::reserved, IdleRule::spread}, 1.0 / 3, 2.0 / 3, 0},
        {{AllocationBasis::reserved, IdleRule::apart}, 0.25, 0.5, 0.25},
        {{AllocationBasis::used, IdleRule::spread}, 0.25, 0.75, 0},
        {{AllocationBasis::used, IdleRule::apart}, 0.125, 0.375, 0.5},
        {{AllocationBasis::fixed, std::nullopt, {{"a", 0.9}, {"b", 0.1}}}, 0.9, 0.1, 0},
        {{AllocationBasis::fixed, std::nullopt, {{"b", 1}}}, 0, 1, 0},
    };
    for (const Row& row : rows) {
        ScenarioDocument document = two_teams();
        document.allocation = row.rule;
        const Summary summary = evaluate_document(document).summary;
        SCOPED_TRACE(testing::Message() << name_of(row.rule.basis) << " " << row.idle);
        const auto bears = [&](const Borne& borne, double share) {
            EXPECT_TRUE(is_close(borne.cost, 4 * kHoursOfJanuary * share));
            EXPECT_TRUE(is_close(borne.cash, 4 * kHoursOfJanuary * share));
            EXPECT_TRUE(is_close(borne.meters.energy_kwh.at_least, summary.meters.energy_kwh.at_least * share));
            EXPECT_TRUE(is_close(borne.meters.carbon_kg.at_least, summary.meters.carbon_kg.at_least * share));
        };
        bears(summary.workloads[0], row.a);
        bears(summary.workloads[1], row.b);
        EXPECT_TRUE(is_close(summary.pools[0].idle_cost, 4 * kHoursOfJanuary * row.idle));
        EXPECT_EQ(summary.unallocated_cost, summary.pools[0].idle_cost);
    }
}

TEST(AllocationRule, NothingIsIdleInAnApiPoolThatServes) {
    ScenarioDocument document = api_scenario();
    document.pools[0].extra_costs = {{.name = "support", .per_month = 40}};
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "second";
    document.workloads[1].demand.mean_per_s = 3;
    document.allocation = {AllocationBasis::used, IdleRule::apart};
    const Summary summary = evaluate_document(document).summary;
    EXPECT_TRUE(is_close(summary.workloads[0].cost, 3600 * kHoursOfJanuary * 1e-4 + 10));
    EXPECT_TRUE(is_close(summary.workloads[1].cost, 3 * 3600 * kHoursOfJanuary * 1e-4 + 30));
    EXPECT_EQ(summary.pools[0].idle_cost, 0.0);
}

// Servers stand idle in February: its cost is idle, the purchase is borne by the device-hours of both months.
TEST(AllocationRule, AssetsAreBorneByTheDeviceHoursOfTheHorizonInCash) {
    ScenarioDocument document = owned_scenario();
    document.start = {2027, 1};
    document.months = 2;
    Pool& pool = document.pools[0];
    pool.server->price = 1416;
    pool.server->life_months = 2;
    tests::draw_in_a_line(pool.server->device, 1000, 1000);
    pool.server->host_idle_w = pool.server->host_max_w = 0;
    document.workloads[0].demand.mean_per_s = 0.5;
    document.workloads[0].demand.shape = curve(CurveKind::demand, Axis::date, {20819, 20850}, {1, 0}, Interpolation::step);
    const auto borne = [&](const Allocation& rule) {
        document.allocation = rule;
        const Answer answer = evaluate_document(document);
        EXPECT_TRUE(is_close(answer.summary.workloads[0].cost + answer.summary.unallocated_cost, 1416 + 141.6));
        return answer.summary.workloads[0];
    };
    EXPECT_TRUE(is_close(borne({}).cost, 708 + 74.4));
    EXPECT_TRUE(is_close(borne({}).cash, 1416 + 74.4)) << "the only one who used it";
    const WorkloadSummary reserved = borne({AllocationBasis::reserved, IdleRule::apart});
    EXPECT_TRUE(is_close(reserved.cost, 708 + 74.4));
    EXPECT_TRUE(is_close(reserved.cash, 1416 * 744.0 / 1416 + 74.4));
    const WorkloadSummary used = borne({AllocationBasis::used, IdleRule::apart});
    EXPECT_TRUE(is_close(used.cost, (708 + 74.4) / 2));
    EXPECT_TRUE(is_close(used.cash, 1416 * 372.0 / 1416 + 74.4 / 2));
    EXPECT_TRUE(is_close(*used.levelized_cost_per_million_units, used.cash / (0.5 * 3600 * 744) * 1e6)) << "d = 0";
    const WorkloadSummary fixed = borne({AllocationBasis::fixed, std::nullopt, {{"chat", 1}}});
    EXPECT_TRUE(is_close(fixed.cost, 1416 + 141.6)) << "used or not";
    EXPECT_TRUE(is_close(fixed.cash, 1416 + 141.6));
}

// What b bears of the API that only a uses is split by b's units: it was billed nothing there.
TEST(AllocationRule, ClassesOfAnApiThatAnotherUsesGoByUnits) {
    ScenarioDocument document = api_scenario();
    document.pools[0].id = "first";
    document.pools[0].price_per_million_units = tests::in_and_out(flat(1), flat(4));
    document.pools[0].extra_costs = {{.name = "support", .per_month = 100}};
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "second";
    document.pools[1].extra_costs.clear();
    document.workloads[0].units_per_request = tests::in_and_out(30, 10);
    document.workloads[0].runs_on[0].pool = "first";
    document.workloads.push_back(document.workloads[0]);
    document.workloads[0].id = "a";
    document.workloads[1].id = "b";
    document.workloads[1].runs_on[0].pool = "second";
    document.allocation = {AllocationBasis::fixed, std::nullopt, {{"b", 1}}};
    const WorkloadSummary b = evaluate_document(document).summary.workloads[1];
    const double requests = 3600 * kHoursOfJanuary;
    EXPECT_TRUE(is_close(tests::class_cost(b, UnitClass::input).cost, requests * 30e-6 + 75));
    EXPECT_TRUE(is_close(tests::class_cost(b, UnitClass::output).cost, requests * 40e-6 + 25));
}

TEST(AllocationRule, CostsOfNoPoolAreNobodysWhateverTheRule) {
    ScenarioDocument document = two_teams();
    document.extra_costs = {{.name = "office", .per_month = 50}};
    document.allocation = {AllocationBasis::fixed, std::nullopt, {{"a", 0.5}, {"b", 0.5}}};
    EXPECT_TRUE(is_close(evaluate_document(document).summary.unallocated_cost, 50));
}

TEST(AllocationRule, IsRefusedWhereItDoesNotAddUp) {
    struct Row {
        Allocation rule;
        std::vector<std::string> issues;
    };
    const std::vector<Row> rows = {
        {{AllocationBasis::fixed, std::nullopt, {{"a", 0.5}, {"b", 0.5 + 5e-10}}}, {}},
        {{AllocationBasis::fixed, std::nullopt, {{"a", 0.5}, {"b", 0.4}}}, {"inconsistent /allocation/shares"}},
        {{AllocationBasis::fixed, std::nullopt, {}}, {"missing /allocation/shares"}},
        {{AllocationBasis::fixed, IdleRule::spread, {{"a", 1}}}, {"not_allowed /allocation/idle"}},
        {{AllocationBasis::used, std::nullopt, {{"a", 1}}}, {"not_allowed /allocation/shares"}},
        {{AllocationBasis::fixed, std::nullopt, {{"a", 0.5}, {"c", 0.5}}}, {"unknown_reference /allocation/shares/c"}},
    };
    for (const Row& row : rows) {
        ScenarioDocument document = two_teams();
        document.allocation = row.rule;
        EXPECT_EQ(issues_of(document), row.issues);
    }
}

TEST(Tags, ValuesOfAKeyAddUpToTheTotal) {
    ScenarioDocument document = two_teams();
    document.extra_costs = {{.name = "office", .per_month = 50}};
    document.allocation.idle = IdleRule::apart;
    document.workloads.push_back(document.workloads[0]);
    document.workloads[2].id = "c";
    document.workloads[0].tags = {{"team", "red"}, {"stage", "prod"}};
    document.workloads[1].tags = {{"team", "blue"}};
    document.workloads[2].tags = {{"team", "red"}};
    const Summary summary = evaluate_document(document).summary;
    ASSERT_EQ(summary.by_tag.size(), 2U);
    const TagSummary& stage = summary.by_tag[0];
    const TagSummary& team = summary.by_tag[1];
    EXPECT_EQ(stage.key, "stage");
    EXPECT_EQ(stage.values, (std::vector<std::string>{"prod", "(untagged)", "(idle)"}));
    EXPECT_EQ(team.values, (std::vector<std::string>{"blue", "red", "(idle)"}));
    EXPECT_TRUE(is_close(stage.borne[0].cost, kHoursOfJanuary));
    EXPECT_TRUE(is_close(stage.borne[1].cost, 3 * kHoursOfJanuary));
    EXPECT_TRUE(is_close(team.borne[0].cost, 2 * kHoursOfJanuary));
    EXPECT_TRUE(is_close(team.borne[1].cost, 2 * kHoursOfJanuary));
    EXPECT_TRUE(is_close(team.borne[2].cost, 50)) << "all four instances are reserved";
    for (const TagSummary& tag : summary.by_tag) {
        Borne sum;
        for (const Borne& borne : tag.borne) {
            sum.cost += borne.cost;
            sum.cash += borne.cash;
            add(sum.meters, borne.meters);
        }
        EXPECT_TRUE(is_close(sum.cost, summary.total.cost));
        EXPECT_TRUE(is_close(sum.cash, summary.total.cash));
        EXPECT_TRUE(is_close(sum.meters.energy_kwh.at_least, summary.meters.energy_kwh.at_least));
        EXPECT_TRUE(is_close(sum.meters.carbon_kg.at_least, summary.meters.carbon_kg.at_least));
    }
}

TEST(Tags, NoneAreNoSums) { EXPECT_TRUE(evaluate_document(two_teams()).summary.by_tag.empty()); }

TEST(Tags, AValueThatResultsHaveForOthersIsRefused) {
    ScenarioDocument document = two_teams();
    document.workloads[1].tags = {{"team", "(idle)"}};
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"not_allowed /workloads/1/tags/team"});
}

} // namespace
} // namespace costcurve::model
