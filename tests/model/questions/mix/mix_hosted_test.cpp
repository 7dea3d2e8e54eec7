// Groups of a mix on hosted models and on spot.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/model/close.hpp"
#include "tests/model/questions/mix/mixes.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

// A host that is cheap for tokens in takes the long prompts; without objectives nothing is to be known of its latency.
RankQuestion with_host(Catalog& catalog, bool states_latency) {
    catalog.endpoints = {tiny_endpoint("host", 0.001, 5)};
    RankQuestion question = two_sizes();
    question.work.workloads.front().slo = {.ttft_s = 60, .itl_s = 2, .e2e_s = std::nullopt};
    if (states_latency) {
        catalog.endpoints.front().ttft_s = 1;
        catalog.endpoints.front().itl_s = 0.01;
        catalog.endpoints.front().latency_percentile = 99;
    }
    return question;
}

TEST(Mix, HasGroupsOnHostedModels) {
    Catalog catalog = two_devices();
    RankQuestion question = with_host(catalog, true);
    question.samples = 20;
    const Ranking ranking = ranked(question, catalog);
    const ScenarioPlan* const mix = mix_in(ranking);
    ASSERT_NE(mix, nullptr);
    EXPECT_EQ(mix, &ranking.plans.front());
    ASSERT_EQ(mix->scenario.pools.size(), 2U);
    EXPECT_EQ(mix->scenario.pools[0].id, "writes");
    EXPECT_EQ(mix->scenario.pools[1].id, "host");
    EXPECT_EQ(mix->scenario.workloads[1].token_mix, (std::vector{bucket(6000, 10, 1.0)}));
    EXPECT_TRUE(is_close(mix->summary.workloads[1].cost, 30.0 * 3600 * 24 * 31 * (6000 * 0.001 + 10 * 5) / 1e6))
        << "30 requests a second in a month of 31 days, by the token";
    EXPECT_EQ(ranking.mix->buckets[0].ways, 3U);
    ASSERT_TRUE(mix->chances);
    EXPECT_GT(mix->chances->best, 0.5);
    question.include = {Way::cloud, Way::mix};
    const Ranking rented = ranked(question, catalog);
    EXPECT_EQ(mix_in(rented)->scenario.pools[1].id, "reads") << "hosts are included by name";
}

TEST(Mix, IsNotFirstByAHostOfUnknownLatency) {
    Catalog catalog = two_devices();
    RankQuestion question = with_host(catalog, false);
    EXPECT_EQ(mix_in(ranked(question, catalog))->scenario.pools[1].id, "reads") << "stated objectives it is not known to keep";
    question.work.workloads.front().slo = {};
    question.service.assumes_objectives = true;
    const Ranking ranking = ranked(question, catalog);
    for (const ScenarioPlan& plan : ranking.plans) {
        const bool has_host = std::ranges::any_of(plan.scenario.pools, [](const Pool& pool) { return pool.kind == PoolKind::api; });
        EXPECT_TRUE(!has_host || &plan != &ranking.plans.front());
    }
    ASSERT_GE(std::ranges::count_if(ranking.plans, &ScenarioPlan::is_by_size), 1);
}

TEST(Mix, AsksNoMoreOfAHostThanItsLimit) {
    Catalog catalog = two_devices();
    const RankQuestion question = with_host(catalog, true);
    catalog.endpoints.front().max_units_per_s = 0.9 * 30 * 6010;
    const Ranking ranking = ranked(question, catalog);
    for (const ScenarioPlan& plan : ranking.plans) {
        EXPECT_EQ(plan.summary.workloads.back().units_unserved, 0.0) << plan.scenario.name;
    }
}

// Spot alone may serve nothing, and with `spot all` each group has the spares that keep its availability.
TEST(Mix, HasSpotWhereTheRequestTakesItForAll) {
    Catalog catalog = two_devices();
    for (const std::string id : {"reads", "writes"}) {
        const auto offer = std::ranges::find(catalog.offers, id, &Offer::id);
        Offer spot = *offer;
        spot.id = spot.sku = "spot-" + id;
        spot.purchase = Purchase::spot;
        spot.hourly_price = flat(0.4);
        spot.interruptions_per_hour = 0.05;
        spot.replacement_s = 600;
        spot.availability_fraction = 1.0;
        catalog.offers.push_back(std::move(spot));
    }
    RankQuestion question = two_sizes();
    question.outages = {.spares = 1, .availability = 0.999, .spot = SpotUse::burst, .assumes = true};
    const auto has_spot = [](const ScenarioPlan& plan) {
        return std::ranges::any_of(plan.scenario.pools, [](const Pool& pool) { return pool.offer->purchase == Purchase::spot; });
    };
    EXPECT_FALSE(has_spot(*mix_in(ranked(question, catalog))));
    question.outages.spot = SpotUse::all;
    const Ranking ranking = ranked(question, catalog);
    const ScenarioPlan* const mix = mix_in(ranking);
    ASSERT_NE(mix, nullptr);
    EXPECT_TRUE(has_spot(*mix));
    for (std::size_t w = 0; w < mix->scenario.workloads.size(); ++w) {
        const WorkloadSummary& sums = mix->summary.workloads[w];
        EXPECT_GE(mix->scenario.workloads[w].spare_replicas, 1);
        EXPECT_LE(sums.units_lost_to_outages, 0.001 * sums.units_demanded * (1 + 1e-9));
    }
}

} // namespace
} // namespace costcurve::model
