// Training by the month: gangs in what inference left, the cheapest hours first (model.md, section 6).
#include "model/dispatch/dispatch.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::curve;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::training_scenario;

constexpr double kTrainingHours = 744;

double cost(const Answer& answer, Category category, std::size_t pool = 0) {
    return answer.ledger.cost(0, pool, static_cast<std::size_t>(category));
}

// 3600 units an epoch, so that a gang of 1 unit/s does an epoch an hour: `gang_hours` of work a month.
ScenarioDocument work(double gang_hours) {
    ScenarioDocument document = training_scenario();
    document.workloads[0].units_per_epoch = 3600;
    document.workloads[0].epochs_per_month = flat(gang_hours);
    return document;
}

ScenarioDocument owned_work(double gang_hours, int servers = 1) {
    ScenarioDocument document = work(gang_hours);
    document.pools = tests::owned_scenario().pools;
    document.pools[0].purchases[0].servers = servers;
    return document;
}

void add_inference(ScenarioDocument& document, double demand) {
    document.workloads.push_back(tests::cloud_scenario().workloads[0]);
    document.workloads.back().id = "inference";
    document.workloads.back().demand.mean_per_s = demand;
}

TEST(Training, PaysTheGangHoursItUses) {
    const Answer answer = evaluate_document(training_scenario());
    // 36 x 1000 units at 1 unit/s: 10 hours at 3.6.
    EXPECT_TRUE(is_close(cost(answer, Category::compute), 36));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 10));
    EXPECT_TRUE(is_close(answer.ledger.busy_hours(0, 0), 10));
    EXPECT_TRUE(is_close(answer.ledger.available_hours(0, 0), 10));
    EXPECT_TRUE(is_close(*answer.summary.workloads[0].cost_per_quantity, 1)) << "an epoch";
    EXPECT_TRUE(is_close(*answer.summary.workloads[0].hours_per_epoch[0], 1000.0 / 3600));
}

TEST(Training, GangsFitIntoInstancesAndSpanThem) {
    struct Row {
        int gang, per_instance, instances;
        double free_gangs, instances_a_gang, held;
        const char* arithmetic;
    };
    const std::vector<Row> rows = {
        {1, 1, 3, 3, 1, 1, "one each"},
        {3, 8, 1, 2, 0.5, 4, "two gangs of three in eight"},
        {3, 8, 2, 4, 0.5, 4, "two in each"},
        {1, 3, 1, 3, 1.0 / 3, 1, "thirds"},
        {8, 8, 2, 2, 1, 8, "a whole instance"},
        {5, 8, 2, 2, 1, 8, "three devices stay idle"},
        {9, 8, 5, 2, 2, 9, "two instances for nine; five hold two gangs"},
        {24, 8, 2, 0, 3, 24, "does not fit"},
    };
    for (const Row& row : rows) {
        ScenarioDocument document = work(1e6);
        document.workloads[0].runs_on[0].performance->devices = row.gang;
        document.pools[0].offer->devices = row.per_instance;
        document.pools[0].max_instances = row.instances;
        const Answer answer = evaluate_document(document);
        EXPECT_TRUE(is_close(answer.ledger.served(0, 0), row.free_gangs * kTrainingHours * 3600)) << row.arithmetic;
        EXPECT_TRUE(is_close(cost(answer, Category::compute), row.free_gangs * row.instances_a_gang * kTrainingHours * 3.6))
            << row.arithmetic;
        EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), row.free_gangs * row.held * kTrainingHours)) << row.arithmetic;
        EXPECT_LE(answer.ledger.reserved_hours(0, 0, 0), answer.ledger.available_hours(0, 0) * (1 + 1e-12)) << row.arithmetic;
    }
}

TEST(Training, UnfinishedWorkIsUnservedWhereItIsNotCarriedOver) {
    ScenarioDocument document = work(1000);
    document.workloads[0].carry_over = false;
    document.months = 2;
    document.pools[0].max_instances = 1;
    document.workloads[0].unserved_cost_per_unit = 0.01;
    document.workloads[0].epochs_per_month = curve(CurveKind::demand, Axis::date, {20454, 20485}, {1000, 10}, Interpolation::step);
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 744 * 3600));
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_unserved, 256 * 3600));
    EXPECT_TRUE(is_close(cost(answer, Category::unserved, 1), 256 * 36));
    EXPECT_TRUE(is_close(answer.ledger.demanded(1, 0), 36000)) << "1 February is day 20485";
    EXPECT_TRUE(is_close(answer.ledger.served(1, 0), 36000));
}

// 1000 gang-hours on one instance in January, 10 in February: 256 are carried over, and nothing is left.
TEST(Training, UnfinishedWorkIsDoneInTheNextMonth) {
    ScenarioDocument document = work(1000);
    document.months = 2;
    document.pools[0].max_instances = 1;
    document.workloads[0].unserved_cost_per_unit = 0.01;
    document.workloads[0].epochs_per_month = curve(CurveKind::demand, Axis::date, {20454, 20485}, {1000, 10}, Interpolation::step);
    const Answer answer = evaluate_document(document);
    const WorkloadSummary& workload = answer.summary.workloads[0];
    EXPECT_TRUE(is_close(answer.ledger.served(1, 0), 266 * 3600));
    EXPECT_EQ(workload.units_unserved, 0.0);
    ASSERT_EQ(workload.backlog.size(), 2U);
    EXPECT_TRUE(is_close(workload.backlog[0], 256 * 3600));
    EXPECT_EQ(workload.backlog[1], 0.0);
    document.months = 1;
    const Answer cut = evaluate_document(document);
    EXPECT_TRUE(is_close(cut.summary.workloads[0].units_unserved, 256 * 3600)) << "what the horizon's end cuts off";
    EXPECT_TRUE(is_close(cost(cut, Category::unserved, 1), 256 * 36));
    EXPECT_EQ(cut.summary.workloads[0].backlog, std::vector<double>{0.0});
}

// One request a second of 10 units: an API takes what inference left of its bound, the rest waits.
TEST(Training, BatchWorkTakesWhatInferenceLeavesOfAnApi) {
    ScenarioDocument document = tests::api_scenario();
    document.pools[0].price_per_million_units = tests::one_price(flat(2));
    document.pools[0].batch_price_fraction = 0.5;
    document.pools[0].max_units_per_s = 10;
    document.workloads[0].demand.mean_per_s = 4;
    Workload& batch = document.workloads.emplace_back(document.workloads[0]);
    batch.id = "batch";
    batch.kind = WorkloadKind::batch;
    batch.units_per_request.total = 10;
    batch.requests_per_month = flat(1e6); // 1e7 units; 6/s are left, 16.07e6 in January
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 1e7));
    EXPECT_TRUE(is_close(*answer.summary.workloads[1].cost_per_quantity, 10e-6)) << "half of 2 a million, ten units";
    document.workloads[1].requests_per_month = flat(2e6);
    const Answer full = evaluate_document(document);
    EXPECT_TRUE(is_close(full.ledger.served(0, 1), 744 * 3600 * 6.0));
    EXPECT_TRUE(is_close(full.summary.workloads[1].units_unserved, 2e7 - 744 * 3600 * 6.0));
}

TEST(Training, OverflowsOntoTheNextPool) {
    ScenarioDocument document = work(1000);
    document.pools[0].max_instances = 1;
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "second";
    document.workloads[0].runs_on.push_back(document.workloads[0].runs_on[0]);
    document.workloads[0].runs_on[1].pool = "second";
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 744 * 3600));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 256 * 3600));
}

// 0:00 to 6:00 at 0.3, 6:00 to 18:00 at 0.1, 18:00 to 24:00 at 0.2.
Rate day_tariff() { return curve(CurveKind::tariff, Axis::hour_of_day, {0, 6, 18}, {0.3, 0.1, 0.2}, Interpolation::step); }

TEST(Training, FillsTheCheapestHoursFirst) {
    struct Row {
        double hours_a_day, u_day, u_evening, u_night;
    };
    for (const Row& row : {Row{0, 0, 0, 0}, Row{6, 0.5, 0, 0}, Row{12, 1, 0, 0}, Row{15, 1, 0.5, 0}, Row{18, 1, 1, 0},
                           Row{21, 1, 1, 0.5}, Row{24, 1, 1, 1}, Row{30, 1, 1, 1}}) {
        ScenarioDocument document = owned_work(31 * row.hours_a_day);
        document.pools[0].site->energy_price = day_tariff();
        const Answer answer = evaluate_document(document);
        const auto kw = [](double u) { return 0.15 + 0.45 * u; }; // 50 + 100 W idle to 100 + 500 W
        const double expected = 31 * (12 * kw(row.u_day) * 0.1 + 6 * kw(row.u_evening) * 0.2 + 6 * kw(row.u_night) * 0.3);
        EXPECT_TRUE(is_close(cost(answer, Category::energy), expected)) << row.hours_a_day << " h a day";
        EXPECT_TRUE(is_close(answer.ledger.busy_hours(0, 0), 31 * std::min(24.0, row.hours_a_day)))
            << row.hours_a_day << " h a day";
    }
}

TEST(Training, NegativePricesComeFirst) {
    ScenarioDocument document = owned_work(31 * 4);
    document.pools[0].site->energy_price =
        curve(CurveKind::tariff, Axis::hour_of_day, {0, 10, 14}, {0, -0.1, 0}, Interpolation::step);
    EXPECT_TRUE(is_close(cost(evaluate_document(document), Category::energy), -31 * 4 * 0.6 * 0.1));
}

TEST(Training, HoursOfEqualPriceFillInEqualProportion) {
    // Prices tie at nine decimals; demand peaks show the power of each hour.
    ScenarioDocument document = owned_work(kTrainingHours / 4);
    document.pools[0].site->energy_price =
        curve(CurveKind::tariff, Axis::hour_of_day, {0, 12}, {0.1, 0.1 + 1e-12}, Interpolation::step);
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.peak_kw(0, 0), 0.15 + 0.45 / 4));
    document.pools[0].site->energy_price = flat(0.1);
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.peak_kw(0, 0), 0.15 + 0.45 / 4));
}

TEST(Training, TakesTheDevicesThatInferenceLeaves) {
    ScenarioDocument document = owned_work(1e6, 5);
    document.workloads[0].runs_on[0].performance->devices = 2;
    add_inference(document, 1.5); // two devices of five
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), kTrainingHours * 3600)) << "one gang of two in the three that are left";
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 1), 2 * kTrainingHours));
}

TEST(Training, TakesTheInstancesThatInferenceLeaves) {
    ScenarioDocument document = work(1e6);
    document.pools[0].offer->devices = 8;
    document.pools[0].max_instances = 3;
    document.workloads[0].runs_on[0].performance->devices = 4;
    add_inference(document, 9); // 9 devices: two instances
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 2 * kTrainingHours * 3600)) << "two gangs in the third instance";
    EXPECT_TRUE(is_close(cost(answer, Category::compute), 3 * kTrainingHours * 3.6));
}

TEST(Training, InferenceComesFirstWhereverItStands) {
    ScenarioDocument document = work(1e6);
    document.pools[0].max_instances = 2;
    add_inference(document, 2);
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 0), 0.0);
}

TEST(Training, EarlierTrainingIsCountedInFractionsOfAGang) {
    ScenarioDocument document = owned_work(kTrainingHours / 2, 4); // half a device in every hour
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "second";
    document.workloads[1].epochs_per_month = flat(1e6);
    document.workloads[1].runs_on[0].performance->devices = 2;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), kTrainingHours / 2 * 3600));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), kTrainingHours * 3600)) << "3.5 devices hold one gang of two";
}

TEST(Training, EarlierTrainingIsCountedInFractionsOfAnInstance) {
    ScenarioDocument document = work(kTrainingHours / 2);
    document.pools[0].offer->devices = 4;
    document.pools[0].max_instances = 2;
    document.workloads[0].runs_on[0].performance->devices = 2; // two gangs an instance, a quarter of one runs
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "second";
    document.workloads[1].epochs_per_month = flat(1e6);
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 3 * kTrainingHours * 3600)) << "1.75 instances hold three gangs";
    EXPECT_TRUE(is_close(cost(answer, Category::compute), 1.75 * kTrainingHours * 3.6));
}

TEST(Training, RampServesNothing) {
    for (ScenarioDocument document : {work(10), owned_work(10)}) {
        document.months = 3;
        document.pools[0].ramp_months = 2;
        document.workloads[0].carry_over = false;
        const Answer answer = evaluate_document(document);
        EXPECT_EQ(answer.ledger.served(0, 0) + answer.ledger.served(1, 0), 0.0);
        EXPECT_TRUE(is_close(answer.ledger.served(2, 0), 36000));
    }
}

TEST(Training, MinimumInstancesArePaidWhateverRuns) {
    ScenarioDocument document = work(kTrainingHours * 3);
    document.pools[0].min_instances = 2;
    EXPECT_TRUE(is_close(cost(evaluate_document(document), Category::compute), 3 * kTrainingHours * 3.6)) << "three run";
    document.workloads[0].epochs_per_month = flat(kTrainingHours / 2);
    EXPECT_TRUE(is_close(cost(evaluate_document(document), Category::compute), 2 * kTrainingHours * 3.6)) << "half of one runs";
}

TEST(Training, CheapestRouteTakesTheMeanOverTheMonthsHours) {
    ScenarioDocument document = owned_work(100);
    document.pools[0].site->energy_price = day_tariff(); // mean 0.175; 0.45 kWh a gang-hour: 0.07875
    document.workloads[0].routing = Routing::cheapest;
    document.pools.push_back(training_scenario().pools[0]);
    document.pools[1].id = "cloud";
    document.workloads[0].runs_on.insert(document.workloads[0].runs_on.begin(), document.workloads[0].runs_on[0]);
    document.workloads[0].runs_on[0].pool = "cloud";
    document.pools[1].offer->hourly_price = flat(0.0788);
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 0), 0.0) << "the cloud is dearer";
    document.pools[1].offer->hourly_price = flat(0.0787);
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 1), 0.0) << "the cloud is cheaper";
}

TEST(Training, GoodputStretchesTheWork) {
    ScenarioDocument document = work(100);
    document.workloads[0].checkpoint = {900, 0, 2700.0, std::nullopt}; // keeps 0.75
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 100 / 0.75));
    EXPECT_TRUE(is_close(*answer.summary.workloads[0].hours_per_epoch[0], 1 / 0.75));
}

TEST(Training, NoWorkCostsNothingAndHasNoUnitCost) {
    const Answer answer = evaluate_document(work(0));
    EXPECT_EQ(answer.summary.total.cost, 0.0);
    EXPECT_EQ(answer.summary.workloads[0].quantity, 0.0);
    EXPECT_FALSE(answer.summary.workloads[0].cost_per_quantity);
    EXPECT_FALSE(answer.summary.workloads[0].hours_per_epoch[0]);
    EXPECT_FALSE(answer.summary.workloads[0].evidence);
}

TEST(Training, CostGrowsWithTheWorkUntilTheBound) {
    double last = -1;
    for (double gang_hours = 0; gang_hours < 7440; gang_hours += 500) {
        const double now = evaluate_document(work(gang_hours)).summary.total.cost;
        EXPECT_TRUE(is_close(now, gang_hours * 3.6));
        EXPECT_GT(now, last);
        last = now;
    }
    EXPECT_TRUE(is_close(evaluate_document(work(1e9)).summary.total.cost, 7440 * 3.6));
}

} // namespace
} // namespace costcurve::model
