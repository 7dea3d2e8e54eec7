// What plans keep in hand for outages: spares, what is assumed of failures, and spot (model.md, section 6, "Outages").
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "model/questions/rank/rank.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

// As POST /v1/rank asks where nothing is stated.
RankQuestion usual_question(double requests_per_s) {
    RankQuestion question = tiny_question(requests_per_s);
    question.outages = {1, 0.999, SpotUse::burst, true};
    return question;
}

// The share that `replicas` of 300 units/s lose of 400 that are asked for, each up in `up` of its time.
double lost_of_400(int replicas, double up) {
    double served = 0.0;
    for (int k = 0; k <= replicas; ++k) {
        const double chance = std::exp(std::lgamma(replicas + 1) - std::lgamma(k + 1) - std::lgamma(replicas - k + 1)) *
                              std::pow(up, k) * std::pow(1 - up, replicas - k);
        served += chance * std::min(400.0, 300.0 * k);
    }
    return 1 - served / 400;
}

std::vector<std::string> assumed_in(const Ranking& ranking) {
    std::vector<std::string> names;
    names.reserve(ranking.assumptions.size());
    for (const Assumption& line : ranking.assumptions) {
        names.push_back(line.what + " " + line.value);
    }
    return names;
}

const WorkloadSummary& served_by(const ScenarioPlan& plan) { return plan.summary.workloads.front(); }

TEST(RankOutages, APlanHasASpareAndWhatIsAssumedOfItsHosts) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 2), 300); // two for 400 units/s, and a spare
    const Ranking ranking = ranked(usual_question(1), catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    const ScenarioDocument& plan = ranking.plans.front().scenario;
    EXPECT_EQ(plan.pools.front().max_instances, 3);
    EXPECT_EQ(plan.workloads.front().spare_replicas, 1);
    EXPECT_EQ(plan.workloads.front().availability, 0.999);
    EXPECT_EQ(plan.workloads.front().checkpoint.restart_s, 900.0);
    EXPECT_EQ(plan.pools.front().offer->interruptions_per_hour, 1.6e-4);
    EXPECT_EQ(plan.pools.front().offer->replacement_s, 3600.0);
    EXPECT_EQ(assumed_in(ranking), (std::vector<std::string>{"failures 0.00016", "replacement 3600", "restart 900"}));
    // up in 1 / (1 + 1.6e-4 x 1.25 hours) of its time
    const WorkloadSummary& served = served_by(ranking.plans.front());
    EXPECT_NEAR(served.units_lost_to_outages / served.units_demanded, lost_of_400(3, 1 / 1.0002), 1e-12);
    const double hours = served.units_demanded / 400 / 3600;
    EXPECT_TRUE(is_close(ranking.plans.front().decisive, 3 * 2 * hours)) << "three are paid at all times";
}

TEST(RankOutages, WhatIsStatedIsNotAssumed) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 2), 300);
    catalog.offers.front().interruptions_per_hour = 0.0;
    add_server(catalog, "s", 1e4, 300);
    catalog.servers.front().failures_per_hour = 1e-5;
    catalog.servers.front().price_date.text = "2026-01-01";
    RankQuestion question = usual_question(1);
    question.work.workloads.front().checkpoint.restart_s = 0.0;
    const Ranking ranking = ranked(question, catalog);
    EXPECT_EQ(assumed_in(ranking), std::vector<std::string>{"repair 48"}) << "what never fails is never replaced";
    question.outages.assumes = false;
    EXPECT_TRUE(assumed_in(ranked(question, catalog)).empty());
}

TEST(RankOutages, SparesGrowUntilTheAvailabilityIsKept) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 2), 300);
    catalog.offers.front().interruptions_per_hour = 0.1;
    for (const double replacement_s : {0.0, 3600.0, 36000.0}) {
        catalog.offers.front().replacement_s = replacement_s;
        const double up = 1 / (1 + 0.1 * (replacement_s + 900) / 3600);
        int spares = 1;
        while (lost_of_400(2 + spares, up) > 0.001) {
            ++spares;
        }
        const Ranking ranking = ranked(usual_question(1), catalog);
        ASSERT_EQ(ranking.plans.size(), 1U) << replacement_s;
        EXPECT_EQ(ranking.plans.front().scenario.workloads.front().spare_replicas, spares) << replacement_s;
        EXPECT_EQ(ranking.plans.front().scenario.pools.front().max_instances, 2 + spares) << replacement_s;
    }
}

TEST(RankOutages, SparesAreNoneWhereTheRequestSaysNone) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 2), 300);
    RankQuestion question = usual_question(1);
    question.outages.spares = 0;
    question.outages.availability = 0.99; // two lose 2e-4 of each
    const Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().max_instances, 2);
    EXPECT_NEAR(served_by(ranking.plans.front()).units_lost_to_outages / served_by(ranking.plans.front()).units_demanded,
                lost_of_400(2, 1 / 1.0002), 1e-12);
}

TEST(RankOutages, OneSpotSliceThatIsCheapestIsNeverFirst) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("slice", 0.1, Purchase::spot), 1000);
    catalog.offers.front().availability_fraction = 1.0;
    add_offer(catalog, tiny_offer("sold", 3), 1000);
    RankQuestion question = usual_question(1);
    Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "sold");
    EXPECT_EQ(excluded_for(ranking, "spot_alone")->count, 1U);
    question.outages.spot = SpotUse::never;
    EXPECT_EQ(excluded_for(ranked(question, catalog), "spot")->count, 1U);
    question.outages.spot = SpotUse::all;
    ranking = ranked(question, catalog);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "slice") << "it is the cheapest by the number";
    EXPECT_GE(ranking.plans.front().scenario.workloads.front().spare_replicas, 1);
    catalog.offers.front().availability_fraction = std::nullopt;
    ranking = ranked(question, catalog);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "sold") << "a tenth is lost where spot is not to be had";
    EXPECT_EQ(excluded_for(ranking, "availability")->count, 1U);
}

TEST(RankOutages, SpotServesBatchWorkByItself) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("slice", 0.1, Purchase::spot), 1000);
    add_offer(catalog, tiny_offer("sold", 3), 1000);
    RankQuestion question = usual_question(1);
    Workload& workload = question.work.workloads.front();
    workload.kind = WorkloadKind::batch;
    workload.demand = {};
    workload.requests_per_month = flat(1e6);
    const Ranking ranking = ranked(question, catalog);
    ASSERT_FALSE(ranking.plans.empty());
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "slice");
    EXPECT_EQ(ranking.plans.front().scenario.workloads.front().spare_replicas, 0);
}

TEST(RankOutages, SpotIsABurstAboveABaseThatDoesWithout) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("base", 1, Purchase::reserved), 300);
    add_offer(catalog, tiny_offer("slice", 0.1, Purchase::spot), 300);
    catalog.offers.back().availability_fraction = 1.0;
    RankQuestion question = usual_question(3); // four for 1200 units/s, and a spare
    const auto hybrids = [](const Ranking& ranking) {
        return std::ranges::count_if(ranking.plans, [](const ScenarioPlan& plan) { return plan.scenario.pools.size() == 2; });
    };
    question.outages.availability = 0.7; // three of the base serve 900 of 1200 while spot is away
    Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(hybrids(ranking), 1);
    EXPECT_EQ(ranking.plans.front().scenario.pools.size(), 2U) << "the burst costs a tenth";
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().max_instances, 3);
    EXPECT_EQ(excluded_for(ranking, "spot_alone")->count, 1U);
    question.outages.availability = 0.8;
    ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.front().scenario.pools.size(), 2U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().max_instances, 4) << "three would serve 0.75";
    question.outages.availability = 0.7;
    catalog.offers.front().interruptions_per_hour = 1; // each base loses above 30 % by itself
    EXPECT_EQ(hybrids(ranked(question, catalog)), 0);
}

TEST(RankOutages, SpotTakesNoPlaceOfABurstThatMayServe) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("base", 1, Purchase::reserved), 300);
    for (int i = 0; i < 8; ++i) { // cheaper by themselves, and of devices of their own; the shortfall of each is too much
        add_offer(catalog, tiny_offer("slice" + std::to_string(i), 0.1, Purchase::spot), 300);
    }
    catalog.endpoints = {tiny_endpoint("host", 0.9, 0.9)};
    RankQuestion question = usual_question(3);
    Random random(3);
    question.work.workloads.front().demand.shape = random_day(random);
    const Ranking burst = ranked(question, catalog);
    question.outages.spot = SpotUse::never;
    const Ranking never = ranked(question, catalog);
    ASSERT_FALSE(never.plans.empty());
    EXPECT_LE(burst.plans.front().decisive, never.plans.front().decisive) << "a narrower question is never cheaper";
}

TEST(RankOutages, AnUnusedBurstStandsInForNoSpare) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("base", 1, Purchase::reserved), 300);
    catalog.offers.back().interruptions_per_hour = 0.0; // nothing overflows
    add_offer(catalog, tiny_offer("burst", 2), 300);
    RankQuestion question = usual_question(1); // two for 400 units/s
    question.outages.spares = 4;
    const Ranking ranking = ranked(question, catalog);
    ASSERT_FALSE(ranking.plans.empty());
    for (const ScenarioPlan& plan : ranking.plans) {
        ASSERT_TRUE(plan.scenario.pools.size() == 1 || plan.summary.pools[1].reserved_device_hours > 0.0) << plan.scenario.name;
    }
    EXPECT_EQ(ranking.plans.front().scenario.pools.size(), 1U) << "two and a burst that is never called would cost a third";
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().max_instances, 6);
}

// Above a base that is full at its threshold, the spares of the second pool are there while it serves alone.
TEST(RankOutages, ABurstThatIsSeldomUsedStandsInForNoSpares) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("base", 1, Purchase::reserved), 300);
    add_offer(catalog, tiny_offer("burst", 2), 300);
    RankQuestion question = usual_question(1);
    Curve day;
    day.kind = CurveKind::demand;
    day.axis = Axis::hour_of_day;
    day.x.resize(24);
    std::iota(day.x.begin(), day.x.end(), 0.0);
    day.y.assign(24, 0.9);
    day.y[12] = 3.3; // one hour a day asks for more than the base has
    question.work.workloads.front().demand.shape = Rate{0.0, day};
    question.outages.spares = 50;
    const Ranking ranking = ranked(question, catalog);
    ASSERT_FALSE(ranking.plans.empty());
    for (const ScenarioPlan& plan : ranking.plans) {
        double held = 0.0;
        for (const PoolSummary& pool : plan.summary.pools) {
            held += pool.available_device_hours;
        }
        EXPECT_GE(held, 50 * 0.98 * 730 * plan.scenario.months) << plan.scenario.name;
    }
}

TEST(RankOutages, ABurstThatIsPortedToAndNeverUsedStandsInForNoSpare) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("base", 1, Purchase::reserved), 300);
    catalog.offers.back().interruptions_per_hour = 0.0; // nothing overflows
    add_offer(catalog, tiny_offer("burst", 2), 300);
    catalog.offers.back().device.kind = DeviceKind::tpu;
    RankQuestion question = usual_question(1); // two for 400 units/s
    question.porting.assumes = true;           // costs 24,000 for being there
    for (const int spares : {4, 50, 1000}) {
        question.outages.spares = spares;
        const Ranking ranking = ranked(question, catalog);
        ASSERT_FALSE(ranking.plans.empty());
        for (const ScenarioPlan& plan : ranking.plans) {
            ASSERT_TRUE(plan.scenario.pools.size() == 1 || plan.summary.pools[1].reserved_device_hours > 0.0)
                << plan.scenario.name << " with " << spares;
        }
        EXPECT_EQ(ranking.plans.front().scenario.pools.front().max_instances, 2 + spares);
    }
}

TEST(RankOutages, AHostedModelHasNoSpares) {
    Catalog catalog;
    catalog.endpoints = {tiny_endpoint("host", 1, 1)};
    const Ranking ranking = ranked(usual_question(1), catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.workloads.front().spare_replicas, 0) << "a hosted model has no replicas of ours";
}

} // namespace
} // namespace costcurve::model
