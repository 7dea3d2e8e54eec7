// Allocation to workloads, unit costs, evidence, warnings, and the rows of the ledger (model.md, section 8).
#include "model/summary.hpp"

#include <map>

#include "model/figures.hpp"
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
using tests::owned_scenario;
using tests::training_scenario;

// Owned pool, shared by inference and training, with overflow to a cloud pool; work for some months only.
ScenarioDocument shared_scenario() {
    ScenarioDocument document = owned_scenario();
    document.months = 17;
    document.finance.engineer_week_cost = 4000;
    document.finance.carbon_price_per_tonne = 80;
    document.pools[0].purchases = {{-2, 2, std::nullopt}, {5, 1, std::nullopt}};
    document.pools[0].server->life_months = 10;
    document.pools[0].server->maintenance_rate = 0.05;
    document.pools[0].site->carbon_g_per_kwh = flat(300);
    document.pools[0].site->network_per_month = 100;
    document.extra_costs = {{.name = "office", .per_month = 50}};
    document.pools.push_back(cloud_scenario().pools[0]);
    document.pools[1].id = "cloud";
    document.pools[1].max_instances = 1;
    Workload& work = document.workloads[0];
    work.demand.shape = curve(CurveKind::demand, Axis::hour_of_week, {0, 60, 120}, {0.2, 2.5, 0.7});
    work.unserved_cost_per_unit = 1e-3;
    work.runs_on.push_back(work.runs_on[0]);
    work.runs_on[1].pool = "cloud";
    work.runs_on[1].porting.engineer_weeks = 2;
    document.workloads.push_back(training_scenario().workloads[0]);
    document.workloads[1].id = "training";
    document.workloads[1].epochs_per_month = curve(CurveKind::demand, Axis::date, {20454, 20600}, {900, 0}, Interpolation::step);
    return document;
}

TEST(Summary, EveryWayOfSummingGivesTheTotal) {
    const Summary summary = evaluate_document(shared_scenario()).summary;
    Amounts months, pools, categories, pool_months;
    const auto add = [](Amounts& sum, const Amounts& each) {
        sum.cost += each.cost;
        sum.cash += each.cash;
    };
    for (const MonthSummary& month : summary.months) {
        add(months, month.total);
        for (const Amounts& pool : month.by_pool) {
            add(pool_months, pool);
        }
    }
    for (const PoolSummary& pool : summary.pools) {
        add(pools, pool.total);
    }
    for (const Amounts& category : summary.by_category) {
        add(categories, category);
    }
    double workloads = summary.unallocated_cost;
    for (const WorkloadSummary& workload : summary.workloads) {
        workloads += workload.cost;
    }
    for (const Amounts& sum : {months, pools, categories, pool_months}) {
        EXPECT_TRUE(is_close(sum.cost, summary.total.cost, 1e-11));
        EXPECT_TRUE(is_close(sum.cash, summary.total.cash, 1e-11));
    }
    EXPECT_TRUE(is_close(workloads, summary.total.cost, 1e-11));
    EXPECT_GT(summary.unallocated_cost, 0.0) << "an extra cost of the scenario is nobody's";
    EXPECT_GT(summary.workloads[0].units_unserved, 0.0);
}

TEST(Summary, EnergyAndCarbonAddUp) {
    const Answer answer = evaluate_document(shared_scenario());
    double energy = 0;
    double carbon = 0;
    for (std::size_t m = 0; m < 17; ++m) {
        energy += answer.ledger.energy_kwh(m, 0) + answer.ledger.energy_kwh(m, 1);
        carbon += answer.ledger.carbon_kg(m, 0) + answer.ledger.carbon_kg(m, 1);
    }
    EXPECT_TRUE(is_close(answer.summary.meters.energy_kwh.at_least, energy));
    EXPECT_TRUE(is_close(answer.summary.meters.carbon_kg.at_least, carbon));
    EXPECT_TRUE(is_close(answer.summary.pools[0].meters.energy_kwh.at_least, energy));
    EXPECT_TRUE(
        is_close(answer.summary.workloads[0].meters.energy_kwh.at_least + answer.summary.workloads[1].meters.energy_kwh.at_least,
                 energy, 1e-11))
        << "servers serve in every month they draw power";
}

TEST(Summary, ServedAndUnservedAreTheDemand) {
    const Summary summary = evaluate_document(shared_scenario()).summary;
    for (const WorkloadSummary& workload : summary.workloads) {
        EXPECT_TRUE(is_close(workload.units_served + workload.units_unserved, workload.units_demanded));
    }
}

TEST(Summary, LedgerRowsAddUpToTheTotals) {
    const Answer answer = evaluate_document(shared_scenario());
    Amounts total;
    std::map<std::size_t, double> by_workload, by_pool;
    std::map<Category, Amounts> by_category;
    for (const LedgerRow& row : ledger_rows(answer.scenario.document(), answer.ledger)) {
        EXPECT_TRUE(row.cost != 0.0 || row.cash != 0.0);
        total.cost += row.cost;
        total.cash += row.cash;
        by_workload[row.workload] += row.cost;
        by_pool[row.pool] += row.cost;
        by_category[row.category].cost += row.cost;
        by_category[row.category].cash += row.cash;
        EXPECT_EQ(row.pool == LedgerRow::kNone, row.category == Category::unserved || row.category == Category::other);
    }
    const Summary& summary = answer.summary;
    EXPECT_TRUE(is_close(total.cost, summary.total.cost, 1e-11));
    EXPECT_TRUE(is_close(total.cash, summary.total.cash, 1e-11));
    EXPECT_TRUE(is_close(by_workload[0], summary.workloads[0].cost, 1e-11));
    EXPECT_TRUE(is_close(by_workload[1], summary.workloads[1].cost, 1e-11));
    EXPECT_TRUE(is_close(by_workload[LedgerRow::kNone], summary.unallocated_cost, 1e-11));
    EXPECT_TRUE(is_close(by_pool[1], summary.pools[1].total.cost, 1e-11));
    EXPECT_TRUE(is_close(by_pool[LedgerRow::kNone], summary.pools[2].total.cost, 1e-11));
    for (const auto& [category, amounts] : by_category) {
        EXPECT_TRUE(is_close(amounts.cost, summary.by_category[static_cast<std::size_t>(category)].cost, 1e-11))
            << name_of(category);
        EXPECT_TRUE(is_close(amounts.cash, summary.by_category[static_cast<std::size_t>(category)].cash, 1e-10))
            << name_of(category);
    }
}

TEST(Allocation, GoesByReservedDeviceHoursOfTheMonth) {
    ScenarioDocument document = owned_scenario();
    document.pools[0].purchases[0].servers = 10;
    document.pools[0].site->carbon_g_per_kwh = flat(100);
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "second";
    document.workloads[1].demand.mean_per_s = 2.1; // three devices; six stay idle
    const Summary summary = evaluate_document(document).summary;
    for (std::size_t w = 0; w < 2; ++w) {
        const double share = w == 0 ? 0.25 : 0.75;
        EXPECT_TRUE(is_close(summary.workloads[w].cost, summary.total.cost * share));
        EXPECT_TRUE(is_close(summary.workloads[w].meters.energy_kwh.at_least, summary.meters.energy_kwh.at_least * share));
        EXPECT_TRUE(is_close(summary.workloads[w].meters.carbon_kg.at_least, summary.meters.carbon_kg.at_least * share));
    }
    EXPECT_EQ(summary.unallocated_cost, 0.0) << "idle time is paid by those who use the pool";
}

TEST(Allocation, PoolThatNobodyUsesIsUnallocated) {
    ScenarioDocument document = owned_scenario();
    document.months = 2;
    document.workloads[0].demand.shape = curve(CurveKind::demand, Axis::date, {20454, 20485}, {1, 0}, Interpolation::step);
    const Answer answer = evaluate_document(document);
    // February: hardware and 150 W idle.
    const double february = 36500.0 / 48 + 672 * 0.15 * 0.1;
    EXPECT_TRUE(is_close(answer.summary.unallocated_cost, february));
    EXPECT_TRUE(is_close(answer.summary.workloads[0].cost, answer.summary.total.cost - february));
    double cash_of_none = 0;
    for (const LedgerRow& row : ledger_rows(answer.scenario.document(), answer.ledger)) {
        cash_of_none += row.workload == LedgerRow::kNone ? row.cash : 0;
    }
    EXPECT_TRUE(is_close(cash_of_none, 672 * 0.15 * 0.1)) << "servers are paid by the use of the horizon, energy by the month's";
}

// hand-2.json, cash-over-the-horizon: 708 a month and energy at 0.1, of a in January (744 h) and b in February (672 h).
TEST(Allocation, AssetsAreBorneOverTheHorizonInCash) {
    ScenarioDocument document = owned_scenario();
    document.start = {2027, 1};
    document.months = 2;
    Pool& pool = document.pools[0];
    pool.server->price = 1416;
    pool.server->life_months = 2;
    tests::draw_in_a_line(pool.server->device, 0, 1000);
    pool.server->host_idle_w = pool.server->host_max_w = 0;
    Workload& a = document.workloads[0];
    a.demand.shape = curve(CurveKind::demand, Axis::date, {20819, 20850}, {1, 0}, Interpolation::step);
    document.workloads.push_back(a);
    document.workloads[1].id = "b";
    document.workloads[1].demand.shape = curve(CurveKind::demand, Axis::date, {20819, 20850}, {0, 1}, Interpolation::step);
    const Summary summary = evaluate_document(document).summary;
    EXPECT_TRUE(is_close(summary.workloads[0].cost, 782.4));
    EXPECT_TRUE(is_close(summary.workloads[1].cost, 775.2));
    EXPECT_TRUE(is_close(summary.workloads[0].cash, 818.4));
    EXPECT_TRUE(is_close(summary.workloads[1].cash, 739.2));
    EXPECT_EQ(summary.unallocated_cost, 0.0);
    EXPECT_EQ(summary.terminal.sale, 0.0);
}

// economics.md, A11: a team that begins in month 7 pays nothing of an on-demand pool before.
TEST(Allocation, CashOfAnOnDemandPoolIsItsCostByMonthAndWorkload) {
    ScenarioDocument document = cloud_scenario();
    document.months = 12;
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "late";
    document.workloads[1].demand.shape = curve(CurveKind::demand, Axis::date, {20454, 20635}, {0, 1}, Interpolation::step); // July
    const Answer answer = evaluate_document(document);
    for (const LedgerRow& row : ledger_rows(answer.scenario.document(), answer.ledger)) {
        EXPECT_TRUE(is_close(row.cash, row.cost));
        EXPECT_TRUE(row.month >= 6 || row.workload == 0) << row.month;
    }
    EXPECT_TRUE(is_close(answer.summary.workloads[1].cash, answer.summary.workloads[1].cost));
}

// What the bill of a hosted model costs beside it is borne by units served.
TEST(Allocation, ExtraCostsOfAnApiGoByUnitsServed) {
    ScenarioDocument document = api_scenario();
    document.pools[0].extra_costs = {{.name = "support", .fraction_of_bill = 0.1}};
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "second";
    document.workloads[1].demand.mean_per_s = 3;
    const Summary summary = evaluate_document(document).summary;
    EXPECT_TRUE(is_close(summary.total.cost, 4 * 3600 * 744 * 1e-4 * 1.1));
    EXPECT_TRUE(is_close(summary.workloads[1].cost, 0.75 * summary.total.cost));
    EXPECT_EQ(summary.unallocated_cost, 0.0);
    EXPECT_EQ(summary.pools[0].reserved_device_hours, 0.0);
}

TEST(UnitCost, IsCostOverWorkDone) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].units_per_request.total = 4;
    document.workloads[0].demand.mean_per_s = 0.25;
    const WorkloadSummary workload = evaluate_document(document).summary.workloads[0];
    EXPECT_TRUE(is_close(workload.quantity, 744 * 900)) << "requests";
    EXPECT_TRUE(is_close(workload.units_served, 744 * 3600));
    EXPECT_TRUE(is_close(*workload.cost_per_quantity, 0.004));
    EXPECT_TRUE(is_close(*workload.cost_per_million_units, 1000));
    EXPECT_FALSE(figures::cost_per_million_of<UnitClass::input>(workload)) << "units are not split";
    EXPECT_FALSE(figures::cost_per_million_of<UnitClass::output>(workload));
}

TEST(UnitCost, SplitsIntoInputAndOutput) {
    struct Row {
        double ratio, input, output;
        const char* arithmetic;
    };
    // 30 units in and 10 out; 3.6 an hour at 3600 units/h: 1000 a million units.
    for (const Row& row : {Row{4, 4e4 / 70, 1.6e5 / 70, "40 x 1000 / (30 + 40)"}, Row{1, 1000, 1000, "the same price"},
                           Row{7, 400, 2800, "40 x 1000 / (30 + 70)"}}) {
        ScenarioDocument document = cloud_scenario();
        document.workloads[0].units_per_request = tests::in_and_out(30, 10);
        document.workloads[0].demand.mean_per_s = 1.0 / 40;
        document.workloads[0].output_cost_ratio = row.ratio;
        const WorkloadSummary workload = evaluate_document(document).summary.workloads[0];
        EXPECT_TRUE(is_close(*workload.cost_per_million_units, 1000)) << row.arithmetic;
        EXPECT_TRUE(is_close(*figures::cost_per_million_of<UnitClass::input>(workload), row.input)) << row.arithmetic;
        EXPECT_TRUE(is_close(*figures::cost_per_million_of<UnitClass::output>(workload), row.output)) << row.arithmetic;
        const double requests = workload.quantity;
        EXPECT_TRUE(is_close(requests * (30 * row.input + 10 * row.output) / 1e6, workload.cost)) << "they pay the whole";
    }
}

// economics.md, A7: a hosted model's prices come out as they went in.
TEST(UnitCost, InputAndOutputOfAnApiAreWhatItBills) {
    for (const auto& [input, output] : {std::pair(0.3, 0.3), {0.5, 1.5}}) {
        ScenarioDocument document = api_scenario();
        document.pools[0].price_per_million_units = tests::in_and_out(flat(input), flat(output));
        document.workloads[0].units_per_request = tests::in_and_out(500, 150);
        const WorkloadSummary workload = evaluate_document(document).summary.workloads[0];
        EXPECT_TRUE(is_close(*figures::cost_per_million_of<UnitClass::input>(workload), input));
        EXPECT_TRUE(is_close(*figures::cost_per_million_of<UnitClass::output>(workload), output));
        EXPECT_TRUE(
            is_close(tests::class_cost(workload, UnitClass::input).cost + tests::class_cost(workload, UnitClass::output).cost,
                     workload.cost));
        EXPECT_TRUE(is_close(tests::class_cost(workload, UnitClass::input).units, workload.units_served * 500 / 650));
    }
}

// On own devices an output unit weighs output_cost_ratio; the API's part stays as billed.
TEST(UnitCost, ClassesOfAHybridAreSplitPoolByPool) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].max_instances = 1;
    document.workloads[0].units_per_request = tests::in_and_out(3, 1);
    document.workloads[0].demand.mean_per_s = 0.5; // 2 units/s: one by the instance, one by the API
    Pool& api = document.pools.emplace_back();
    api.id = "api";
    api.kind = PoolKind::api;
    api.price_per_million_units = tests::one_price(flat(1000));
    document.workloads[0].runs_on.emplace_back().pool = "api";
    const WorkloadSummary workload = evaluate_document(document).summary.workloads[0];
    const double each = 744 * 3.6; // a pool, 3600 units an hour at 1000 a million
    EXPECT_TRUE(is_close(tests::class_cost(workload, UnitClass::input).cost, each * 3 / 7 + each * 3 / 4));
    EXPECT_TRUE(is_close(tests::class_cost(workload, UnitClass::output).cost, each * 4 / 7 + each / 4));
}

TEST(UnitCost, NothingServedIsNullNeverZero) {
    ScenarioDocument document = owned_scenario();
    document.workloads[0].demand.mean_per_s = 0;
    document.workloads[0].units_per_request = tests::in_and_out(1, 1);
    const Summary summary = evaluate_document(document).summary;
    const WorkloadSummary& workload = summary.workloads[0];
    for (const std::optional<double>& figure :
         {workload.cost_per_quantity, workload.cost_per_million_units, figures::cost_per_million_of<UnitClass::input>(workload),
          figures::cost_per_million_of<UnitClass::output>(workload), workload.levelized_cost_per_million_units}) {
        EXPECT_FALSE(figure);
    }
    EXPECT_FALSE(workload.evidence);
    EXPECT_FALSE(summary.pools[0].cost_per_reserved_device_hour);
    EXPECT_EQ(summary.pools[0].utilization_fraction, 0.0) << "paid, and idle";
    EXPECT_FALSE(summary.pools[1].utilization_fraction);
}

TEST(Pools, ReportHoursUtilizationAndRacks) {
    ScenarioDocument document = owned_scenario();
    document.months = 3;
    document.pools[0].purchases = {{0, 2, std::nullopt}, {1, 3, std::nullopt}};
    document.pools[0].server->life_months = 2;
    document.pools[0].server->rack_units = 20; // two a rack
    document.workloads[0].demand.mean_per_s = 0.5;
    const PoolSummary pool = evaluate_document(document).summary.pools[0];
    EXPECT_EQ(pool.racks, 3.0) << "five servers in February";
    EXPECT_TRUE(is_close(pool.available_device_hours, 744 * 2 + 672 * 5 + 744 * 3));
    EXPECT_TRUE(is_close(pool.reserved_device_hours, 744 + 672 + 744));
    EXPECT_TRUE(is_close(pool.busy_device_hours, (744 + 672 + 744) / 2.0));
    EXPECT_TRUE(is_close(*pool.utilization_fraction, 1080.0 / 7080));
    EXPECT_TRUE(is_close(*pool.cost_per_reserved_device_hour, pool.total.cost / 2160));
}

TEST(Evidence, IsTheWeakestOfWhatServed) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].max_instances = 1;
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "second";
    document.workloads[0].runs_on.push_back(document.workloads[0].runs_on[0]);
    document.workloads[0].runs_on[1].pool = "second";
    document.workloads[0].runs_on[1].performance->basis = Evidence::assumed;
    EXPECT_EQ(evaluate_document(document).summary.workloads[0].evidence, Evidence::measured) << "the second served nothing";
    document.workloads[0].demand.mean_per_s = 2;
    EXPECT_EQ(evaluate_document(document).summary.workloads[0].evidence, Evidence::assumed);
}

TEST(Evidence, ChosenBatchIsNamed) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].slo.itl_s = 0.5;
    document.workloads[0].slo.percentile = 0;
    Performance& performance = *document.workloads[0].runs_on[0].performance;
    performance.units_per_s = curve(CurveKind::throughput, Axis::batch, {1, 8}, {10, 45});
    performance.itl_s = curve(CurveKind::latency, Axis::batch, {1, 8}, {0.1, 0.8});
    const WorkloadSummary workload = evaluate_document(document).summary.workloads[0];
    EXPECT_EQ(workload.batch.at(0), 5);
    EXPECT_EQ(workload.evidence, Evidence::interpolated);
    EXPECT_EQ(evaluate_document(cloud_scenario()).summary.workloads[0].batch.at(0), std::nullopt);
}

// All but that prices of tests have no date.
std::map<std::string, Code> warnings(const ScenarioDocument& document) {
    std::map<std::string, Code> found;
    for (const Issue& issue : evaluate_document(document).summary.warnings) {
        if (issue.code != Code::undated_price) {
            found.emplace(issue.pointer, issue.code);
        }
    }
    return found;
}
using Found = std::map<std::string, Code>;

TEST(Warnings, NoneWhereAllIsWell) { EXPECT_EQ(warnings(cloud_scenario()), Found{}); }

TEST(Warnings, WorkThatFindsNoCapacity) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.mean_per_s = 10.001;
    EXPECT_EQ(warnings(document), (Found{{"/workloads/0", Code::unserved_work}}));
    document.workloads[0].demand.mean_per_s = 10 * (1 + 1e-14);
    EXPECT_EQ(warnings(document), Found{}) << "rounding";
}

TEST(Warnings, PoolThatCanNeverHoldAReplica) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].runs_on[0].performance->devices = 11;
    document.workloads[0].runs_on[0].performance->spans_hosts = true;
    EXPECT_EQ(warnings(document), (Found{{"/workloads/0", Code::unserved_work}, {"/workloads/0/runs_on/0", Code::no_capacity}}));
}

} // namespace
} // namespace costcurve::model
