// Batch work that is to be done within hours of the day that brings it, by hand (model.md, Work and performance).
#include <gtest/gtest.h>

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::evaluate_document;
using tests::is_close;
using tests::training_scenario;

// A gang of 1 unit/s does 3600 requests of a unit an hour, in January 2026 (744 hours); the instance costs 3.6 an hour.
ScenarioDocument batch_of(double hours, std::optional<double> deadline, int instances = 1) {
    ScenarioDocument document = training_scenario();
    document.months = 1;
    document.pools[0].max_instances = instances;
    Workload& work = document.workloads[0];
    work.kind = WorkloadKind::batch;
    work.units_per_epoch = 0;
    work.epochs_per_month.reset();
    work.requests_per_month = tests::flat(3600 * hours);
    work.deadline_hours = deadline;
    return document;
}

TEST(BatchDeadlines, AreKeptByAsManyAsDoADaysWorkInThem) {
    const Answer alone = evaluate_document(batch_of(186, 6)); // 6 of the 24 hours of 31 days
    EXPECT_TRUE(alone.summary.is_feasible());
    EXPECT_TRUE(is_close(alone.summary.total.cost, 3.6 * 186));
    const Summary late = evaluate_document(batch_of(248, 6)).summary; // 8 hours a day
    ASSERT_EQ(late.infeasible_because.size(), 2U);
    EXPECT_EQ(late.infeasible_because[0].code, InfeasibleCode::unserved);
    EXPECT_EQ(late.infeasible_because[1].code, InfeasibleCode::deadline);
    EXPECT_TRUE(is_close(late.infeasible_because[1].value, 8));
    EXPECT_EQ(late.infeasible_because[1].limit, 6);
    EXPECT_TRUE(is_close(late.total.cost, 3.6 * 186));
    EXPECT_TRUE(evaluate_document(batch_of(248, 6, 2)).summary.is_feasible()) << "two do it in 4 hours a day";
    EXPECT_TRUE(evaluate_document(batch_of(248, std::nullopt)).summary.is_feasible());
}

// A quarter of an hour for each start, and whole instances.
TEST(BatchDeadlines, StartsArePaidOnInstancesThatAreRentedForThem) {
    struct Row {
        double hours_a_day; // of gangs of which `per_instance` fit into one
        std::optional<double> deadline;
        double held_a_day; // instance-hours
        int per_instance = 1;
        int least = 0;
    };
    for (const Row& row : {Row{2, 24, 2.25}, Row{5, 4, 5.5}, Row{3.75, 4, 4}, Row{30, 24, 30.25}, Row{48, 24, 48},
                           Row{2, std::nullopt, 2 + 0.25 / 31}, Row{2, 24, 1.25, 2}, Row{30, 24, 15.25, 2}, Row{2, 24, 24, 1, 1},
                           Row{30, 24, 30.25, 1, 1}}) {
        ScenarioDocument document = batch_of(31 * row.hours_a_day, row.deadline, 3);
        document.workloads[0].checkpoint.restart_s = 900;
        document.pools[0].min_instances = row.least;
        document.pools[0].offer->devices = row.per_instance;
        const Answer answer = evaluate_document(document);
        EXPECT_TRUE(answer.summary.is_feasible()) << row.hours_a_day;
        EXPECT_TRUE(is_close(answer.summary.total.cost, 3.6 * 31 * row.held_a_day))
            << row.hours_a_day << " hours a day: " << answer.summary.total.cost / 3.6 / 31;
        EXPECT_TRUE(is_close(answer.summary.pools[0].busy_device_hours, 31 * row.hours_a_day)) << "what starts does no work";
        document.pools[0].offer->purchase = Purchase::reserved; // always on
        document.pools[0].min_instances = 3;
        EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 3.6 * 744 * 3));
    }
    for (const double restart_s : {23.5 * 3600, 24.0 * 3600, 1e6}) {
        ScenarioDocument slow = batch_of(31 * 2, 24, 3);
        slow.workloads[0].checkpoint.restart_s = restart_s;
        EXPECT_TRUE(is_close(evaluate_document(slow).summary.total.cost, 3.6 * 31 * 24)) << "it runs all day rather than start";
    }
    ScenarioDocument late = batch_of(31 * 0.1, 1);
    late.workloads[0].deadline_hours = 1;
    late.workloads[0].checkpoint.restart_s = 3600;
    EXPECT_FALSE(evaluate_document(late).summary.is_feasible()) << "it starts as long as it has";
}

// While another instance comes nothing is paid; of an instance that is always on everything is.
TEST(BatchDeadlines, AnInterruptionCostsTheLoadAlone) {
    ScenarioDocument document = batch_of(31 * 48, 24, 4);
    document.workloads[0].checkpoint.restart_s = 900;
    document.pools[0].offer->interruptions_per_hour = 0.4;
    document.pools[0].offer->replacement_s = 3600;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.pools[0].busy_device_hours, 31 * 48 * (1 + 0.4 * 0.25)));
    document.pools[0].offer->purchase = Purchase::reserved;
    document.pools[0].min_instances = 4;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.pools[0].busy_device_hours, 31 * 48 * (1 + 0.4 * 1.25)));
}

TEST(BatchDeadlines, OfMoreThanADayAreBrokenByALineThatGrows) {
    ScenarioDocument document = batch_of(744, 48);
    document.months = 3;
    EXPECT_FALSE(evaluate_document(document).summary.is_feasible())
        << "February has 672 hours: 72 are left, and done a month later";
    document.workloads[0].deadline_hours = 72;
    document.workloads[0].requests_per_month = tests::flat(3600.0 * 740);
    const Summary kept = evaluate_document(document).summary; // 68 of 672 hours are left in February, 64 in March
    ASSERT_EQ(kept.infeasible_because.size(), 1U) << "what March leaves";
    EXPECT_EQ(kept.infeasible_because[0].code, InfeasibleCode::unserved);
}

TEST(BatchDeadlines, BoundWhatAHostDoes) {
    ScenarioDocument document = tests::api_scenario();
    Workload& work = document.workloads[0];
    work.kind = WorkloadKind::batch;
    work.demand = {};
    document.months = 1;
    document.pools[0].max_units_per_s = 1;
    work.requests_per_month = tests::flat(3600.0 * 186);
    work.deadline_hours = 6;
    EXPECT_TRUE(evaluate_document(document).summary.is_feasible());
    work.deadline_hours = 5;
    const Summary late = evaluate_document(document).summary;
    ASSERT_EQ(late.infeasible_because.size(), 2U);
    EXPECT_TRUE(is_close(late.infeasible_because[1].value, 6));
}

// Three requests a day were done 996 at a time.
TEST(BatchDeadlines, NoMoreRequestsRunAtATimeThanADayBrings) {
    ScenarioDocument document = batch_of(1, std::nullopt);
    Workload& work = document.workloads[0];
    Performance& performance = *work.runs_on[0].performance;
    performance.units_per_s = tests::curve(CurveKind::throughput, Axis::batch, {1, 1000}, {1, 1000});
    const auto batch_with = [&](double requests, std::optional<double> deadline) {
        work.requests_per_month = tests::flat(requests);
        work.deadline_hours = deadline;
        return evaluate_document(document).summary.workloads[0].batch[0];
    };
    EXPECT_EQ(batch_with(100, 24), 3) << "3.3 a day";
    EXPECT_EQ(batch_with(100, std::nullopt), 100);
    EXPECT_EQ(batch_with(1, 24), 1);
    EXPECT_EQ(batch_with(1e6, 24), 1000);
}

TEST(BatchDeadlines, ARequestTakesNoLongerThanItsDeadline) {
    ScenarioDocument document = batch_of(1, 1);
    Workload& work = document.workloads[0];
    work.unit = "token";
    work.requests_per_month = tests::flat(1e6);
    work.units_per_request.split = true;
    work.units_per_request.output = 3601;
    Performance& performance = *work.runs_on[0].performance;
    performance.units_per_s = tests::curve(CurveKind::throughput, Axis::batch, {1, 100}, {10, 100});
    performance.ttft_s = Rate{0.0, {}};
    performance.itl_s = tests::curve(CurveKind::latency, Axis::batch, {1, 100}, {0.1, 2.08});
    EXPECT_EQ(evaluate_document(document).summary.workloads[0].batch[0], 46) << "3,600 steps of 0.1 + 0.02 (n - 1) s in an hour";
    performance.itl_s = Rate{1.01, {}};
    EXPECT_FALSE(tests::issues_of(document).empty());
}

} // namespace
} // namespace costcurve::model
