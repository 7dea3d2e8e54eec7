// Bursts inside the hour: phases, what is held in all of them, what overflows in the burst alone (model.md, section 4, "Bursts").
#include <algorithm>
#include <array>

#include "model/compile.hpp"
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

constexpr double kJanuary = 744; // January
constexpr double kJanuarySeconds = kJanuary * 3600;

// Forty times the rest of the time, six minutes of each hour: (0.9 + 0.1 x 40) of the rest is the mean, 4.9.
constexpr Burst kSixMinutes{40 / 4.9, 360, 24};

Pool& add_host(ScenarioDocument& document, double price_per_million) {
    Pool pool = api_scenario().pools.front();
    pool.id = "hosted";
    pool.price_per_million_units = tests::one_price(flat(price_per_million));
    document.pools.push_back(pool);
    document.workloads[0].runs_on.emplace_back().pool = "hosted";
    return document.pools.back();
}

double cost_in(const Answer& answer, Category category, std::size_t pool) {
    return answer.ledger.cost(0, pool, static_cast<std::size_t>(category));
}

TEST(Bursts, RentedReplicasAreHeldForTheHourAndAnApiIsPaidByTheUnit) {
    ScenarioDocument rented = cloud_scenario(); // 1 unit/s a replica of one device, at 3.6 an hour
    rented.pools[0].max_instances = 50;
    rented.workloads[0].demand.mean_per_s = 4.9;
    const Answer even = evaluate_document(rented);
    EXPECT_TRUE(is_close(cost_in(even, Category::compute, 0), 5 * 3.6 * kJanuary)); // five replicas

    rented.workloads[0].demand.burst = kSixMinutes;
    const Answer burst = evaluate_document(rented);
    EXPECT_TRUE(is_close(burst.ledger.demanded(0, 0), 4.9 * kJanuarySeconds));
    EXPECT_TRUE(is_close(burst.ledger.served(0, 0), 4.9 * kJanuarySeconds));
    EXPECT_TRUE(is_close(cost_in(burst, Category::compute, 0), 40 * 3.6 * kJanuary)); // of the six minutes, all hour
    EXPECT_TRUE(is_close(burst.ledger.reserved_hours(0, 0, 0), 40 * kJanuary));
    EXPECT_TRUE(is_close(burst.ledger.busy_hours(0, 0), 4.9 * kJanuary));

    ScenarioDocument hosted = api_scenario(); // 100 a million
    hosted.workloads[0].demand = rented.workloads[0].demand;
    EXPECT_TRUE(is_close(cost_in(evaluate_document(hosted), Category::usage, 0), 4.9 * kJanuarySeconds * 1e-4));
}

TEST(Bursts, WhatABaseLeavesIsTheExcessOfTheBurstsAlone) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->purchase = Purchase::reserved;
    document.pools[0].min_instances = document.pools[0].max_instances = 1;
    document.workloads[0].demand.mean_per_s = 4.9;
    document.workloads[0].demand.burst = kSixMinutes;
    add_host(document, 1000);
    const Answer answer = evaluate_document(document);
    // The base serves 1 of 1 in the calm and 1 of 40 in the burst; the host 39 for a tenth of the time.
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 1 * kJanuarySeconds));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 3.9 * kJanuarySeconds));
    EXPECT_TRUE(is_close(cost_in(answer, Category::usage, 1), 3.9 * kJanuarySeconds * 1e-3));
    // A bound holds in each phase: 20 of the 39.
    document.pools[1].max_units_per_s = 20;
    const Answer bounded = evaluate_document(document);
    EXPECT_TRUE(is_close(bounded.ledger.served(0, 1), 2.0 * kJanuarySeconds));
    EXPECT_TRUE(is_close(bounded.summary.workloads[0].units_unserved, 1.9 * kJanuarySeconds));
}

TEST(Bursts, SparesAreHeldOnceAndReplicasThatAreHeldStandInBetween) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.mean_per_s = 1.5;
    document.workloads[0].demand.burst = Burst{2, 900, 24}; // 3 a quarter of the time, else 1
    document.workloads[0].spare_replicas = 1;
    document.pools[0].offer->interruptions_per_hour = 0.25;
    document.pools[0].offer->replacement_s = 3600; // up 1 / (1 + 0.25) = 0.8 of the time
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 4 * kJanuary)); // three and the spare, in both phases
    // Of four: none up 0.0016, one 0.0256, two 0.1536, three or four 0.8192.
    const double in_burst = 0.0256 * 1 + 0.1536 * 2 + 0.8192 * 3;
    const double in_calm = 1 - 0.0016;
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), (0.25 * in_burst + 0.75 * in_calm) * kJanuarySeconds));
}

TEST(Bursts, OfSeveralWorkloadsFallTogetherTheShorterWithinTheLonger) {
    ScenarioDocument document = api_scenario();
    document.pools[0].max_units_per_s = 10;
    document.workloads[0].demand.mean_per_s = 2;
    document.workloads[0].demand.burst = Burst{5, 360, 24}; // 10 for a tenth, else 10 / 9
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "second";
    document.workloads[1].demand.mean_per_s = 4;
    document.workloads[1].demand.burst = Burst{2, 900, 24}; // 8 for a quarter, else 8 / 3
    const Answer answer = evaluate_document(document);
    EXPECT_EQ(answer.compiled.hours.phases.size(), 3U);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 2 * kJanuarySeconds));
    // Of the second nothing in the first tenth, then 8 of 10 - 10 / 9, then 8 / 3.
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), (0.15 * 8 + 0.75 * 8 / 3) * kJanuarySeconds));
}

TEST(Bursts, TrainingRunsInWhatIsLeftByTheBurst) {
    ScenarioDocument document = training_scenario();
    Workload chat = cloud_scenario().workloads[0];
    chat.id = "serve";
    chat.demand.mean_per_s = 2;
    chat.demand.burst = Burst{3, 360, 24}; // six replicas of ten
    document.workloads.push_back(chat);
    document.workloads[0].epochs_per_month = flat(1e6); // more than fits
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 4 * kJanuary));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 1), 6 * kJanuary));
    EXPECT_TRUE(is_close(cost_in(answer, Category::compute, 0), 10 * 3.6 * kJanuary));
}

TEST(Bursts, TheCheapestKnowsThatInstancesOfABurstArePaidAllHour) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].max_instances = 50;
    document.workloads[0].routing = Routing::cheapest;
    document.workloads[0].demand.mean_per_s = 4.9;
    add_host(document, 5000); // 5e-3 a unit: five times the 1e-3 of a replica that is busy
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.served(0, 0), 4.9 * kJanuarySeconds));
    // Forty replicas are 144 an hour, 8.2e-3 a unit; 4.9 x 3600 units at 5e-3 are 88.2.
    document.workloads[0].demand.burst = kSixMinutes;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(cost_in(answer, Category::usage, 1), 88.2 * kJanuary));
    EXPECT_EQ(cost_in(answer, Category::compute, 0), 0.0);
    EXPECT_TRUE(is_close(answer.ledger.routed_hours(0, 2), kJanuary));
}

TEST(Bursts, AFactorOfOneIsNone) {
    ScenarioDocument document = cloud_scenario();
    const Answer without = evaluate_document(document);
    document.workloads[0].demand.burst = Burst{1, 360, 24};
    const Answer one = evaluate_document(document);
    EXPECT_TRUE(one.compiled.hours.phases.empty());
    EXPECT_EQ(without.summary.total.cost, one.summary.total.cost);
    document.workloads[0].demand.burst->factor = 1 + 1e-12;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, one.summary.total.cost));
}

TEST(Bursts, HoursOfAnotherFactorAreReadAnew) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.shape = tests::curve(CurveKind::demand, Axis::hour_of_day, {0, 12}, {0.5, 1.5});
    HourTable hours;
    for (const Burst& burst : std::array{Burst{2, 360, 24}, Burst{4, 360, 24}, Burst{2, 720, 24}, Burst{1, 360, 24}}) {
        document.workloads[0].demand.burst = burst;
        const Answer fresh = evaluate_document(document);
        Compiled compiled = compile(fresh.scenario, std::move(hours));
        Workspace work(compiled);
        const Ledger& ledger = evaluate(compiled, work);
        EXPECT_TRUE(std::ranges::equal(ledger.cost.numbers(), fresh.ledger.cost.numbers())) << burst.factor;
        hours = std::move(compiled.hours);
    }
}

TEST(Bursts, ThatAreMoreThanTheMeanAreRefused) {
    struct Row {
        Burst burst;
        std::vector<std::string> expected;
    };
    const std::vector<Row> rows = {
        {{4, 900, 24}, {}}, // all of the hour's work in a quarter of it
        {{4.001, 900, 24}, {"inconsistent /workloads/0/demand/burst/factor"}},
        {{40, 360, 24}, {"inconsistent /workloads/0/demand/burst/factor"}},
        {{1, 3600, 24}, {}},
        {{1, 3600, 25}, {"inconsistent /workloads/0/demand/burst/per_day"}},
    };
    for (const Row& row : rows) {
        ScenarioDocument document = cloud_scenario();
        document.workloads[0].demand.burst = row.burst;
        EXPECT_EQ(issues_of(document), row.expected) << row.burst.factor << " " << row.burst.per_day;
    }
}

} // namespace
} // namespace costcurve::model
