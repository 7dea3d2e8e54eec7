// Mixes by request size against every assignment of buckets to devices, each group sized and evaluated by the test itself.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/questions/mix/mix.hpp"
#include "model/questions/rank/rank.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/mix/every_division.hpp"
#include "tests/model/questions/mix/mixes.hpp"
#include "tests/support/affordable.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

// Two hundred random catalogues with so many hosted models, some of which have a rate limit.
void equals_every_division(std::size_t hosts, std::uint64_t least_listed) {
    std::uint64_t splits = 0;
    std::uint64_t listed = 0;
    for (std::uint64_t seed = 1; seed <= affordable(200); ++seed) {
        Random random(seed);
        Catalog catalog = random_devices(random);
        for (std::size_t h = 0; h < hosts; ++h) {
            catalog.endpoints.push_back(
                tiny_endpoint(fmt::format("host-{}", h), random.between(0.01, 0.1), random.between(0.1, 1)));
            if (random.chance(0.3)) {
                catalog.endpoints.back().max_units_per_s = random.between(20'000, 200'000);
            }
        }
        const RankQuestion question = sized_question(random.between(20, 60), random_buckets(random, 4));
        const EveryDivision every(question, catalog);
        const Ranking ranking = ranked(question, catalog);
        ASSERT_TRUE(ranking.mix) << "seed " << seed;
        const bool is_split = every.split < every.single * (1 - 1e-9);
        splits += is_split ? 1 : 0;
        const ScenarioPlan* const mix = mix_in(ranking);
        if (mix != nullptr) {
            ++listed;
            EXPECT_EQ(ranking.mix->outcome, MixOutcome::listed);
            EXPECT_TRUE(is_close(evaluate_document(mix->scenario).summary.total.cost, mix->decisive)) << "seed " << seed;
            EXPECT_LT(mix->decisive, every.single) << "seed " << seed;
        }
        if (is_split && every.split < every.split_on_one * (1 - 1e-9)) {
            ASSERT_NE(mix, nullptr) << "seed " << seed << ": " << every.split << " against " << every.single;
            EXPECT_LE(mix->decisive, every.split * 1.01) << "seed " << seed;
        } else if (!is_split) {
            const auto least = std::ranges::min_element(ranking.plans, {}, &ScenarioPlan::decisive); // hosted prices come before
            EXPECT_LE(least->decisive, every.single * (1 + 1e-9)) << "seed " << seed;                // rates that are assumed
        }
        EXPECT_LE(ranking.mix->gap_fraction.value_or(0.0), 0.01) << "seed " << seed;
    }
    EXPECT_GE(splits, affordable(100)) << "half of the optima are splits";
    EXPECT_GE(listed, affordable(least_listed));
}

TEST(Mix, EqualsTheBestOfEveryDivision) { equals_every_division(0, 60); }
TEST(Mix, EqualsTheBestOfEveryDivisionWithHostedModels) { equals_every_division(1, 60); }

TEST(Mix, IsOneScenarioOfAWorkloadAndAPoolForEachGroup) {
    const Ranking ranking = ranked(two_sizes(), two_devices());
    const ScenarioPlan* const mix = mix_in(ranking);
    ASSERT_NE(mix, nullptr);
    EXPECT_EQ(mix, &ranking.plans.front());
    const ScenarioDocument& scenario = mix->scenario;
    ASSERT_EQ(scenario.workloads.size(), 2U);
    ASSERT_EQ(scenario.pools.size(), 2U);
    EXPECT_EQ(scenario.pools[0].id, "writes") << "the shorter requests come first";
    EXPECT_EQ(scenario.pools[1].id, "reads");
    EXPECT_EQ(scenario.workloads[0].runs_on.front().pool, "writes");
    EXPECT_EQ(scenario.workloads[0].token_mix, (std::vector{bucket(50, 800, 1.0)}));
    EXPECT_EQ(scenario.workloads[0].demand.mean_per_s, 30.0);
    EXPECT_NE(scenario.workloads[0].id, scenario.workloads[1].id);
    ASSERT_EQ(mix->shares.size(), 2U);
    EXPECT_TRUE(is_close(*mix->shares[0].adds + *mix->shares[1].adds, mix->decisive));
    EXPECT_EQ(ranking.ranked, 3U);
    EXPECT_TRUE(std::ranges::any_of(ranking.assumptions, [](const Assumption& line) { return line.what == "sizes"; }));
}

TEST(Mix, IsSampledAsOtherPlansAre) {
    RankQuestion question = two_sizes();
    question.samples = 40;
    const Ranking ranking = ranked(question, two_devices());
    const ScenarioPlan* const mix = mix_in(ranking);
    ASSERT_NE(mix, nullptr);
    ASSERT_TRUE(mix->chances);
    EXPECT_GT(mix->chances->best, 0.5);
    EXPECT_LT(*mix->chances->low, mix->decisive);
    EXPECT_GT(*mix->chances->high, mix->decisive);
    EXPECT_GT(mix->chances->feasible, 0.2);
    EXPECT_LT(mix->chances->feasible, 0.9) << "a size of its own holds only where demand is no higher";
}

TEST(Mix, KeepsSparesAndAvailabilityInEachGroup) {
    RankQuestion question = two_sizes();
    question.outages = {.spares = 2, .availability = 0.999, .spot = SpotUse::burst, .assumes = true};
    const Ranking ranking = ranked(question, two_devices());
    const ScenarioPlan* const mix = mix_in(ranking);
    ASSERT_NE(mix, nullptr);
    for (const Workload& workload : mix->scenario.workloads) {
        EXPECT_GE(workload.spare_replicas, 2);
    }
}

TEST(Mix, NamesABucketThatNoDeviceServes) {
    RankQuestion question = two_sizes();
    question.work.workloads.front().slo = {.ttft_s = 0.001, .itl_s = std::nullopt, .e2e_s = std::nullopt};
    const Ranking ranking = ranked(question, two_devices());
    ASSERT_TRUE(ranking.mix);
    EXPECT_EQ(ranking.mix->outcome, MixOutcome::no_way);
    EXPECT_FALSE(ranking.mix->gap_fraction);
    ASSERT_EQ(ranking.mix->buckets.size(), 2U);
    EXPECT_EQ(ranking.mix->buckets[0].ways, 0U);
    EXPECT_EQ(ranking.mix->buckets[0].reason, "ineligible_latency");
}

TEST(Mix, IsOfWaysThatTheRequestIncludes) {
    RankQuestion question = two_sizes();
    question.include = {Way::cloud};
    EXPECT_FALSE(ranked(question, two_devices()).mix);
    question.include = {Way::mix};
    const Ranking alone = ranked(question, two_devices());
    ASSERT_EQ(alone.plans.size(), 1U);
    EXPECT_TRUE(alone.plans.front().is_by_size);
    EXPECT_EQ(excluded_for(alone, "part_of_hybrids")->count, 2U);
    question.include.clear();
    question.work.workloads.front().token_mix = {bucket(300, 100, 1.0)};
    EXPECT_FALSE(ranked(question, two_devices()).mix) << "of one size there is nothing to divide";
}

// By requests, and by units where demand is the utilization of devices.
TEST(Mix, DividesAllDemandAndNoMore) {
    Workload workload = two_sizes().work.workloads.front();
    workload.token_mix = {bucket(100, 20, 0.5), bucket(1000, 50, 0.3), bucket(40, 900, 0.2)};
    const auto units_of = [](const Workload& some) {
        double units = 0.0;
        for (const TokenBucket& of : some.token_mix) {
            units += of.share * (of.input + of.output);
        }
        return units;
    };
    const Workload some = requests_of(workload, {1.0, 0.25, 0.0});
    const Workload others = requests_of(workload, {0.0, 0.75, 1.0});
    EXPECT_TRUE(is_close(*some.demand.mean_per_s, 60 * (0.5 + 0.25 * 0.3)));
    EXPECT_TRUE(is_close(*some.demand.mean_per_s + *others.demand.mean_per_s, 60.0));
    ASSERT_EQ(some.token_mix.size(), 2U);
    EXPECT_TRUE(is_close(some.token_mix[0].share + some.token_mix[1].share, 1.0));
    EXPECT_TRUE(is_close(*some.demand.mean_per_s * units_of(some) + *others.demand.mean_per_s * units_of(others),
                         60.0 * units_of(workload)));
    workload.demand = {};
    workload.demand.utilization = flat(0.5);
    workload.demand.reference_devices = 4;
    workload.demand.units_per_s_per_device = 1000;
    const double first = *requests_of(workload, {1.0, 0.25, 0.0}).demand.units_per_s_per_device;
    const double second = *requests_of(workload, {0.0, 0.75, 1.0}).demand.units_per_s_per_device;
    EXPECT_TRUE(is_close(first + second, 1000.0));
    EXPECT_TRUE(is_close(first, 1000.0 * (0.5 + 0.25 * 0.3) * units_of(some) / units_of(workload)));
}

TEST(Mix, IsTheSameOnAnyNumberOfWorkers) {
    const Runner three{3, [](std::size_t count, const Task& task) {
                           for (std::size_t i = 0; i < count; ++i) {
                               task(i % 3, i);
                           }
                           return true;
                       }};
    const RankQuestion question = two_sizes();
    const Catalog catalog = two_devices();
    const Result<Ranking> ranking = rank(question, catalog, three);
    ASSERT_TRUE(ranking);
    EXPECT_EQ(ranking->plans.front().decisive, ranked(question, catalog).plans.front().decisive);
    EXPECT_EQ(ranking->plans.front().scenario, ranked(question, catalog).plans.front().scenario);
}

// The dearer device is never worth it: what costs more for each bucket serves none.
TEST(Mix, IsNotListedWhereOneDeviceIsTheBestForAll) {
    Catalog catalog = two_devices();
    add_device(catalog, "best", 0.5, 4000, 9e14, 80);
    const Ranking ranking = ranked(two_sizes(), catalog);
    EXPECT_EQ(ranking.mix->outcome, MixOutcome::no_cheaper);
    EXPECT_EQ(mix_in(ranking), nullptr);
}

} // namespace
} // namespace costcurve::model
