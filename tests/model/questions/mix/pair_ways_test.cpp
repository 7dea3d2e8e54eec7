// Pairs of rented devices in a ranking: found where they cost less than either device alone, and never first by an assumption.
#include <algorithm>

#include <gtest/gtest.h>

#include "model/pairs/pair_work.hpp"
#include "model/questions/mix/pair_ways.hpp"
#include "model/questions/rank/plans.hpp"
#include "model/questions/rank/rank.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

void add_half_device(Catalog& catalog, const std::string& id, double gb_per_s, double flops) {
    Offer offer = one_device().offers.front();
    offer.id = offer.sku = offer.device.id = id;
    offer.provider = "seller";
    offer.region = "us-east";
    offer.device.memory_gib = 60;
    offer.device.memory_bandwidth_gb_per_s = gb_per_s;
    offer.device.peak_flops = {{"bf16", flops}};
    offer.hourly_price = flat(1.0);
    catalog.offers.push_back(std::move(offer));
}

// One with arithmetic and little bandwidth, one with the reverse, at the same price.
Catalog reader_and_writer() {
    Catalog catalog = one_device();
    catalog.offers.clear();
    add_half_device(catalog, "reader", 400, 1e15);
    add_half_device(catalog, "writer", 4000, 5e13);
    return catalog;
}

RankQuestion long_prompts(double requests_per_s) {
    RankQuestion question = tiny_question(requests_per_s);
    question.work.months = 1;
    Workload& workload = question.work.workloads.front();
    workload.units_per_request = {};
    workload.units_per_request.split = true;
    workload.units_per_request.input = 3000;
    workload.units_per_request.output = 300;
    workload.slo.ttft_s = 5;
    workload.slo.itl_s = 0.1;
    return question;
}

const ScenarioPlan* pair_in(const Ranking& ranking) {
    const auto found =
        std::ranges::find_if(ranking.plans, [](const ScenarioPlan& plan) { return is_pair(plan.scenario.workloads.front()); });
    return found == ranking.plans.end() ? nullptr : &*found;
}

TEST(PairWays, ReadWhereArithmeticIsAndWriteWhereBandwidthIs) {
    const Ranking ranking = ranked(long_prompts(40), reader_and_writer());
    const ScenarioPlan* const pair = pair_in(ranking);
    ASSERT_NE(pair, nullptr);
    ASSERT_EQ(pair->scenario.pools.size(), 2U);
    EXPECT_EQ(pair->scenario.pools[0].offer->device.id, "reader");
    EXPECT_EQ(pair->scenario.pools[1].offer->device.id, "writer");
    EXPECT_TRUE(is_close(evaluate_document(pair->scenario).summary.total.cost, pair->decisive));
    for (const ScenarioPlan& plan : ranking.plans) {
        EXPECT_TRUE(&plan == pair || plan.decisive > pair->decisive) << plan.scenario.name;
    }
    ScenarioDocument fixed = pair->scenario; // is no hybrid of a base and a burst
    fixed.pools[0].min_instances = fixed.pools[0].max_instances;
    EXPECT_FALSE(ways_of(fixed));
    EXPECT_EQ(pair->summary.workloads[0].evidence, Evidence::assumed); // no device of the family was ever measured
}

TEST(PairWays, AreOfOnePlaceAlone) {
    Catalog catalog = reader_and_writer();
    catalog.offers[1].region = "eu-west";
    for (const ScenarioPlan& plan : ranked(long_prompts(40), catalog).plans) { // nobody knows the link between them
        EXPECT_EQ(plan.scenario.pools.front().offer->region, plan.scenario.pools.back().offer->region) << plan.scenario.name;
    }
}

TEST(PairWays, AreListedWhereTheyCostLessThanEitherDevice) {
    Catalog catalog = reader_and_writer();
    catalog.offers[0].hourly_price = flat(4000.0);          // more than what it saves
    catalog.offers[1].device.peak_flops = {{"bf16", 4e14}}; // so that it can read, too
    const Ranking ranking = ranked(long_prompts(40), catalog);
    for (const ScenarioPlan& pair : ranking.plans) {
        for (const ScenarioPlan& single : ranking.plans) {
            const bool is_of_it = is_pair(pair.scenario.workloads.front()) && single.scenario.pools.size() == 1 &&
                                  std::ranges::any_of(pair.scenario.pools, [&](const Pool& pool) {
                                      return pool.offer->device.id == single.scenario.pools.front().offer->device.id;
                                  });
            EXPECT_TRUE(!is_of_it || pair.decisive < single.decisive) << pair.scenario.name;
        }
    }
    EXPECT_FALSE(is_pair(ranking.plans.front().scenario.workloads.front()));
}

TEST(PairWays, AreOfWhatTheRequestIncludes) {
    RankQuestion question = long_prompts(40);
    question.include = {Way::cloud};
    EXPECT_EQ(pair_in(ranked(question, reader_and_writer())), nullptr);
    question.include = {Way::pair};
    const Ranking alone = ranked(question, reader_and_writer());
    ASSERT_FALSE(alone.plans.empty());
    for (const ScenarioPlan& plan : alone.plans) {
        EXPECT_TRUE(is_pair(plan.scenario.workloads.front()));
    }
    question.work.workloads.front().units_per_request.output = 1;
    EXPECT_FALSE(may_pair(question)) << "an answer of one token is written where its prompt is read";
    question = long_prompts(40);
    question.work.workloads.front().slo.ttft_s.reset();
    question.work.workloads.front().slo.e2e_s = 60;
    EXPECT_FALSE(may_pair(question)) << "nobody says what the prompt may take of it";
}

TEST(PairWays, HaveChancesAsOthersHave) {
    RankQuestion question = long_prompts(40);
    question.samples = 40;
    const Ranking ranking = ranked(question, reader_and_writer());
    const ScenarioPlan* const pair = pair_in(ranking);
    ASSERT_NE(pair, nullptr);
    ASSERT_TRUE(pair->chances);
    EXPECT_GT(pair->chances->best, 0.2);
    EXPECT_LT(*pair->chances->low, *pair->chances->high);
}

// A stored measurement of a device makes its rate known better than any pair's.
TEST(PairWays, AreNotFirstWhereABetterKnownPlanIsWithinTheirDoubt) {
    RankQuestion question = long_prompts(40);
    Ranking ranking = ranked(question, reader_and_writer());
    const ScenarioPlan* const pair = pair_in(ranking);
    ASSERT_NE(pair, nullptr);
    Catalog catalog = reader_and_writer();
    Endpoint endpoint = tiny_endpoint("host", 0.01, 0.01);
    const double units = 40.0 * 3300 * 730.5 * 3600;
    const double per_million = 1.3 * pair->decisive / units * 1e6; // 1.3 times what the pair costs
    endpoint = tiny_endpoint("host", per_million, per_million);
    endpoint.ttft_s = 0.5;
    endpoint.itl_s = 0.01;
    endpoint.latency_percentile = 95.0;
    catalog.endpoints.push_back(endpoint);
    const Ranking beside = ranked(question, catalog);
    ASSERT_FALSE(beside.plans.empty());
    EXPECT_EQ(beside.plans.front().scenario.pools.front().kind, PoolKind::api);
    EXPECT_NE(pair_in(beside), nullptr);
}

} // namespace
} // namespace costcurve::model
