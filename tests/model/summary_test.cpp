// Allocation to workloads, unit costs, evidence, warnings, and the rows of the ledger (model.md, section 8).
#include "model/summary.hpp"

#include <map>

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
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
    EXPECT_GT(summary.unallocated_cost, 0.0) << "the site is paid after the servers have gone";
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
    EXPECT_TRUE(is_close(answer.summary.energy_kwh, energy));
    EXPECT_TRUE(is_close(answer.summary.carbon_kg, carbon));
    EXPECT_TRUE(is_close(answer.summary.pools[0].energy_kwh, energy));
    EXPECT_TRUE(is_close(answer.summary.workloads[0].energy_kwh + answer.summary.workloads[1].energy_kwh, energy, 1e-11))
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
    for (const LedgerRow& row : ledger_rows(answer.ledger)) {
        EXPECT_TRUE(row.cost != 0.0 || row.cash != 0.0);
        total.cost += row.cost;
        total.cash += row.cash;
        by_workload[row.workload] += row.cost;
        by_pool[row.pool] += row.cost;
        by_category[row.category].cost += row.cost;
        by_category[row.category].cash += row.cash;
        EXPECT_EQ(row.pool == LedgerRow::kNone, row.category == Category::unserved);
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
        EXPECT_TRUE(is_close(summary.workloads[w].energy_kwh, summary.energy_kwh * share));
        EXPECT_TRUE(is_close(summary.workloads[w].carbon_kg, summary.carbon_kg * share));
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
    for (const LedgerRow& row : ledger_rows(answer.ledger)) {
        cash_of_none += row.workload == LedgerRow::kNone ? row.cash : 0;
    }
    EXPECT_EQ(cash_of_none, 0.0) << "cash goes by the device-hours of the whole horizon";
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
    EXPECT_FALSE(workload.cost_per_million_input_units) << "units are not split";
    EXPECT_FALSE(workload.cost_per_million_output_units);
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
        document.workloads[0].units_per_request = {true, 1.0, 30, 10};
        document.workloads[0].demand.mean_per_s = 1.0 / 40;
        document.workloads[0].output_cost_ratio = row.ratio;
        const WorkloadSummary workload = evaluate_document(document).summary.workloads[0];
        EXPECT_TRUE(is_close(*workload.cost_per_million_units, 1000)) << row.arithmetic;
        EXPECT_TRUE(is_close(*workload.cost_per_million_input_units, row.input)) << row.arithmetic;
        EXPECT_TRUE(is_close(*workload.cost_per_million_output_units, row.output)) << row.arithmetic;
        const double requests = workload.quantity;
        EXPECT_TRUE(is_close(requests * (30 * row.input + 10 * row.output) / 1e6, workload.cost)) << "they pay the whole";
    }
}

TEST(UnitCost, NothingServedIsNullNeverZero) {
    ScenarioDocument document = owned_scenario();
    document.workloads[0].demand.mean_per_s = 0;
    document.workloads[0].units_per_request = {true, 1.0, 1, 1};
    const Summary summary = evaluate_document(document).summary;
    const WorkloadSummary& workload = summary.workloads[0];
    for (const std::optional<double>& figure :
         {workload.cost_per_quantity, workload.cost_per_million_units, workload.cost_per_million_input_units,
          workload.cost_per_million_output_units, workload.levelized_cost_per_million_units}) {
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
    document.workloads[0].latency_objective_s = 0.5;
    Performance& performance = *document.workloads[0].runs_on[0].performance;
    performance.units_per_s = curve(CurveKind::throughput, Axis::batch, {1, 8}, {10, 45});
    performance.latency_s = curve(CurveKind::latency, Axis::batch, {1, 8}, {0.1, 0.8});
    const WorkloadSummary workload = evaluate_document(document).summary.workloads[0];
    EXPECT_EQ(workload.batch.at(0), 5);
    EXPECT_EQ(workload.evidence, Evidence::interpolated);
    EXPECT_EQ(evaluate_document(cloud_scenario()).summary.workloads[0].batch.at(0), std::nullopt);
}

std::map<std::string, Code> warnings(const ScenarioDocument& document) {
    std::map<std::string, Code> found;
    for (const Issue& issue : evaluate_document(document).summary.warnings) {
        found.emplace(issue.pointer, issue.code);
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
    EXPECT_EQ(warnings(document), (Found{{"/workloads/0", Code::unserved_work}, {"/workloads/0/runs_on/0", Code::no_capacity}}));
}

} // namespace
} // namespace costcurve::model
