// Instances that start for bursts: what they are paid for, when they may, and what stays as it was (model.md, section 4, "Bursts").
#include <algorithm>
#include <functional>

#include "model/dispatch/starts.hpp"
#include "model/evaluate.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::api_scenario;
using tests::cloud_scenario;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::issues_of;
using tests::training_scenario;

constexpr double kMonth = 744; // hours of January

// 40 units/s for six minutes of each hour, else 1; a replica of one device serves 1 at 3.6 an hour, its first token takes 5 s.
// An instance that starts for a burst is paid for 60 + 360 + 300 s.
ScenarioDocument bursting() {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].max_instances = 50;
    Offer& offer = *document.pools[0].offer;
    offer.boot_s = 60;
    offer.idle_timeout_s = 300;
    offer.billing_step_s = 1;
    Workload& workload = document.workloads[0];
    workload.demand.mean_per_s = 4.9;
    workload.demand.burst = Burst{40 / 4.9, 360, 24};
    workload.slo.ttft_s = 70;
    workload.slo.percentile = 0;
    workload.runs_on[0].performance->ttft_s = flat(5);
    return document;
}

double instances_of(const Answer& answer) {
    return answer.ledger.cost(0, 0, static_cast<std::size_t>(Category::compute)) / 3.6 / kMonth;
}
double instances_of(const ScenarioDocument& document) { return instances_of(evaluate_document(document)); }

TEST(Starts, InstancesOfABurstArePaidForTheirBootTheBurstAndTheTimeOut) {
    const Answer answer = evaluate_document(bursting());
    EXPECT_TRUE(is_close(instances_of(answer), 1 + 39 * 0.2)); // 720 s of each hour
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 8.8 * kMonth));
    EXPECT_TRUE(is_close(answer.ledger.available_hours(0, 0), 8.8 * kMonth));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 4.9 * 3600 * kMonth));
    EXPECT_TRUE(is_close(answer.ledger.busy_hours(0, 0), 4.9 * kMonth));
}

struct ChangedStart {
    std::string_view what;
    std::function<void(ScenarioDocument&)> change;
    double instances = 0.0;
};

constexpr double kAllHeld = 40;

TEST(Starts, StepsMinimaAndFrequencyAreRoundedUpToTheHour) {
    const std::vector<ChangedStart> rows = {
        {"a step of ten minutes: 1200 s", [](auto& d) { d.pools[0].offer->billing_step_s = 600; }, 1 + 39 / 3.0},
        {"a minimum of half an hour", [](auto& d) { d.pools[0].offer->minimum_seconds = 1800; }, 1 + 39 / 2.0},
        {"by the hour", [](auto& d) { d.pools[0].offer->billing_step_s = 3600; }, kAllHeld},
        {"a time-out of an hour", [](auto& d) { d.pools[0].offer->idle_timeout_s = 3600; }, kAllHeld},
        {"nothing but the burst",
         [](auto& d) {
             d.pools[0].offer->boot_s = 0;
             d.pools[0].offer->idle_timeout_s = 0;
         },
         4.9},
        {"half as often, and as long: 1080 s each other hour",
         [](auto& d) {
             d.workloads[0].demand.burst = Burst{40 / 4.9, 720, 12};
         },
         1 + 39 * 0.15},
        {"least instances: 40 a tenth of the hour, 20 and a ninth of 20 else", [](auto& d) { d.pools[0].min_instances = 20; }, 24},
    };
    for (const ChangedStart& row : rows) {
        ScenarioDocument document = bursting();
        row.change(document);
        EXPECT_TRUE(is_close(instances_of(document), row.instances)) << row.what << ": " << instances_of(document);
    }
}

TEST(Starts, InstancesAreHeldWhereNobodyKnowsThatTheyServeInTime) {
    const std::vector<ChangedStart> rows = {
        {"5 + 60 s are all that it may take", [](auto& d) { d.workloads[0].slo.ttft_s = 65; }, 8.8},
        {"a second less", [](auto& d) { d.workloads[0].slo.ttft_s = 64; }, kAllHeld},
        {"less than the boot", [](auto& d) { d.workloads[0].slo.ttft_s = 59; }, kAllHeld},
        {"no objective", [](auto& d) { d.workloads[0].slo = {}; }, kAllHeld},
        {"one of steps alone",
         [](auto& d) {
             d.workloads[0].slo = {};
             d.workloads[0].slo.itl_s = 1;
             d.workloads[0].runs_on[0].performance->itl_s = flat(0.1);
         },
         kAllHeld},
        {"no known time", [](auto& d) { d.workloads[0].runs_on[0].performance->ttft_s.reset(); }, kAllHeld},
        {"no boot", [](auto& d) { d.pools[0].offer->boot_s.reset(); }, kAllHeld},
        {"no time-out", [](auto& d) { d.pools[0].offer->idle_timeout_s.reset(); }, kAllHeld},
        {"no step", [](auto& d) { d.pools[0].offer->billing_step_s.reset(); }, kAllHeld},
    };
    for (const ChangedStart& row : rows) {
        ScenarioDocument document = bursting();
        row.change(document);
        EXPECT_TRUE(is_close(instances_of(document), row.instances)) << row.what << ": " << instances_of(document);
    }
}

TEST(Starts, WhoStatesABootThatObjectivesDoNotLeaveIsWarned) {
    ScenarioDocument document = bursting();
    const auto warned = [&] {
        const Answer answer = evaluate_document(document);
        return std::ranges::count(answer.summary.warnings, Code::held_for_bursts, &Issue::code);
    };
    EXPECT_EQ(warned(), 0);
    document.workloads[0].slo.ttft_s = 64;
    EXPECT_EQ(warned(), 1);
    document.pools[0].offer->boot_s.reset();
    EXPECT_EQ(warned(), 0);
}

TEST(Starts, BetweenBurstsTheBaseFailsWithoutThoseOfTheBursts) {
    ScenarioDocument document = bursting();
    document.workloads[0].demand.mean_per_s = 1.5;
    document.workloads[0].demand.burst = Burst{2, 900, 24}; // 3 a quarter of the time, else 1
    document.workloads[0].spare_replicas = 1;
    Offer& offer = *document.pools[0].offer;
    offer.boot_s = offer.idle_timeout_s = 0;
    offer.interruptions_per_hour = 0.25;
    offer.replacement_s = 3600; // up 1 / (1 + 0.25) = 0.8 of the time
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), (0.25 * 4 + 0.75 * 2) * kMonth));
    EXPECT_TRUE(is_close(instances_of(answer), 2.5));
    const double in_burst = 0.0256 * 1 + 0.1536 * 2 + 0.8192 * 3; // as in bursts_test.cpp
    const double in_calm = 1 - 0.2 * 0.2;
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), (0.25 * in_burst + 0.75 * in_calm) * 3600 * kMonth));
}

TEST(Starts, TwoWorkloadsTakeThePartOfTheBurstThatKeepsInstancesLonger) {
    ScenarioDocument document = bursting();
    document.pools[0].offer->boot_s = document.pools[0].offer->idle_timeout_s = 36;
    document.workloads[0].demand.mean_per_s = 2;
    document.workloads[0].demand.burst = Burst{5, 360, 24}; // 10 replicas, else 2
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "second";
    document.workloads[1].demand.mean_per_s = 4;
    document.workloads[1].demand.burst = Burst{2, 900, 24}; // 8 replicas, else 3
    // Between bursts 72 s of 3240, and of 2700 s: the larger part.
    const double between = 72.0 / 2700;
    EXPECT_TRUE(is_close(instances_of(document), 0.1 * 18 + 0.15 * (10 + 8 * between) + 0.75 * (5 + 13 * between)));
}

TEST(Starts, TheCheapestPrefersInstancesThatStart) {
    ScenarioDocument document = bursting();
    Pool host = api_scenario().pools.front();
    host.id = "hosted";
    host.price_per_million_units = tests::one_price(flat(5000)); // 88.2 an hour; instances that start 31.7, held 144
    document.pools.push_back(host);
    document.workloads[0].runs_on.emplace_back().pool = "hosted";
    document.workloads[0].routing = Routing::cheapest;
    EXPECT_TRUE(is_close(instances_of(document), 8.8));
    document.pools[0].offer->boot_s.reset();
    EXPECT_EQ(instances_of(document), 0.0);
}

TEST(Starts, NothingStartsBesideTrainingOrByShare) {
    ScenarioDocument shared = bursting();
    shared.pools.push_back(shared.pools[0]);
    shared.pools[1].id = "second";
    shared.workloads[0].runs_on.push_back(shared.workloads[0].runs_on[0]);
    shared.workloads[0].runs_on[1].pool = "second";
    shared.workloads[0].runs_on[0].share = 1.0;
    shared.workloads[0].runs_on[1].share = 0.0;
    const Answer by_share = evaluate_document(shared);
    EXPECT_TRUE(is_close(instances_of(by_share), kAllHeld));
    EXPECT_EQ(words_of(why_held(shared, by_share.compiled, 0)), "the workload has shares");

    ScenarioDocument document = bursting();
    document.workloads.push_back(training_scenario().workloads[0]);
    document.workloads[1].id = "train";
    document.workloads[1].runs_on[0].pool = document.pools[0].id;
    document.workloads[1].epochs_per_month = flat(0);
    const Answer beside = evaluate_document(document);
    EXPECT_TRUE(is_close(instances_of(beside), kAllHeld));
    EXPECT_EQ(words_of(why_held(document, beside.compiled, 0)), "training or batch work runs on the pool");
}

TEST(Starts, FieldsWithoutBurstsChangeNothing) {
    ScenarioDocument document = bursting();
    document.workloads[0].demand.burst.reset();
    const Answer with = evaluate_document(document);
    Offer& offer = *document.pools[0].offer;
    offer.boot_s.reset();
    offer.idle_timeout_s.reset();
    offer.billing_step_s.reset();
    EXPECT_EQ(with.summary.total.cost, evaluate_document(document).summary.total.cost);
}

TEST(Starts, DemandByTheQuarterIsRefused) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.shape = tests::curve(CurveKind::demand, Axis::hour_of_day, {0, 8.5, 9.5}, {1, 2, 1});
    EXPECT_TRUE(issues_of(document).empty()); // a change within an hour
    document.workloads[0].demand.shape = tests::curve(CurveKind::demand, Axis::hour_of_day, {0, 8, 8.25, 8.5}, {1, 2, 3, 1});
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"out_of_range /workloads/0/demand/shape/points/2/0"});
}

TEST(Starts, OfOffersThatAlwaysRunAreRefused) {
    ScenarioDocument document = bursting();
    document.pools[0].offer->purchase = Purchase::reserved;
    document.pools[0].min_instances = document.pools[0].max_instances;
    document.pools[0].offer->minimum_seconds = 60;
    const std::vector<std::string> expected = {"not_allowed /pools/0/offer/boot_s", "not_allowed /pools/0/offer/idle_timeout_s",
                                               "not_allowed /pools/0/offer/billing_step_s",
                                               "not_allowed /pools/0/offer/minimum_seconds"};
    EXPECT_EQ(issues_of(document), expected);
}

} // namespace
} // namespace costcurve::model
