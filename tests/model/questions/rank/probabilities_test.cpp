// How likely plans are the best: against brute force over documents that are changed by hand, a closed form, and what can't be.
#include "model/questions/chance/spread.hpp"
#include "model/questions/rank/plans.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include "model/questions/chance/distribution.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/affordable.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

RankQuestion sampled(RankQuestion question, std::size_t samples, std::uint64_t seed = 1) {
    question.samples = samples;
    question.seed = seed;
    return question;
}

double sum_of(const Ranking& ranking) {
    double sum = ranking.uncertainty->probability_others + ranking.uncertainty->probability_none;
    for (const ScenarioPlan& plan : ranking.plans) {
        sum += plan.chances->best;
    }
    return sum;
}

// The documents that a sample stands for, as a person would change them. The catalogue has constant prices.
RankQuestion changed(RankQuestion question, const FactorDraw& draw) {
    *question.work.workloads.front().demand.mean_per_s *= draw[0];
    return question;
}
constexpr std::uint64_t kSeed = 4; // with it the grid over the sizes of a hybrid meets the best one in every sample
Catalog changed(Catalog catalog, const FactorDraw& draw, std::size_t sample, std::size_t samples) {
    for (Performance& performance : catalog.performances) {
        const double own = draw_estimated(performance.device.id, kTinyModel, samples, kSeed, one_by_one()).at(sample);
        const double wider = kRateSigmas[static_cast<std::size_t>(performance.basis)] / kFactorRows[2].sigma;
        performance.units_per_s->number *= draw[1] * std::pow(own, wider);
    }
    for (Offer& offer : catalog.offers) {
        offer.hourly_price.number *= offer.purchase == Purchase::spot ? draw[4] : draw[3];
        offer.upfront *= draw[3];
    }
    for (Endpoint& endpoint : catalog.endpoints) {
        endpoint.price_per_million_units->input->number *= draw[5];
        endpoint.price_per_million_units->output->number *= draw[5];
    }
    for (Server& server : catalog.servers) {
        server.price *= draw[6];
        server.network_price *= draw[6];
        server.storage_price *= draw[6];
    }
    for (Site& site : catalog.sites) {
        site.energy_price.number *= draw[7];
    }
    return catalog;
}

// A catalogue in which reserved, owned, rented and hosted plans and their hybrids are near each other.
Catalog contested() {
    Catalog catalog;
    add_offer(catalog, tiny_offer("r", 0.75, Purchase::reserved), 300);
    catalog.offers.back().upfront = 20;
    add_offer(catalog, tiny_offer("d", 1.1), 300);
    add_offer(catalog, tiny_offer("s", 0.9, Purchase::spot), 250);
    catalog.performances.back().basis = Evidence::estimated;
    add_server(catalog, "own", 900, 300);
    catalog.servers.back().residual_fraction = curve(CurveKind::residual, Axis::age_months, {0, 48}, {1, 0.8});
    catalog.endpoints.push_back(tiny_endpoint("host", 0.9, 3));
    return catalog;
}

// At least so many plans are the best in some sample.
void expect_brute_force(const RankQuestion& question, std::size_t contested_by) {
    constexpr std::size_t kSamples = 60;
    const Catalog catalog = contested();
    std::map<std::string, double> expected;
    std::map<std::string, std::map<std::size_t, double>> figures; // by name, then sample
    const std::vector<FactorDraw> draws = draw_factors(kSamples, kSeed, one_by_one());
    for (std::size_t k = 0; k < kSamples; ++k) {
        const std::vector<Named> order = by_brute_force(changed(question, draws[k]), changed(catalog, draws[k], k, kSamples));
        expected[order.front().second] += 1.0 / kSamples;
        for (const Named& named : order) {
            figures[named.second][k] = named.first;
        }
    }
    EXPECT_GE(expected.size(), contested_by);
    const Ranking ranking = ranked(sampled(question, kSamples, kSeed), catalog);
    EXPECT_EQ(ranking.uncertainty->in_running, ranking.plans.size());
    for (const ScenarioPlan& plan : ranking.plans) {
        EXPECT_NEAR(plan.chances->best, expected[plan.scenario.name], 1e-12) << plan.scenario.name;
        std::vector<double> own;
        std::vector<double> more; // than the first, in the same sample
        for (const auto& [k, figure] : figures[plan.scenario.name]) {
            own.push_back(figure);
            const auto& of_first = figures[ranking.plans.front().scenario.name];
            if (const auto found = of_first.find(k); found != of_first.end()) {
                more.push_back(figure - found->second);
            }
        }
        std::sort(own.begin(), own.end());
        std::sort(more.begin(), more.end());
        EXPECT_NEAR(plan.chances->low.value(), quantile_of(own, 0.1), 1e-9 * own.back()) << plan.scenario.name;
        EXPECT_NEAR(plan.chances->high.value(), quantile_of(own, 0.9), 1e-9 * own.back()) << plan.scenario.name;
        EXPECT_EQ(plan.chances->tied,
                  &plan != &ranking.plans.front() && quantile_of(more, 0.1) <= 0.0 && quantile_of(more, 0.9) >= 0.0)
            << plan.scenario.name;
    }
    EXPECT_NEAR(sum_of(ranking), 1.0, 1e-12);
}

TEST(RankProbabilities, AreThoseOfBruteForceOverChangedDocuments) {
    Random random(7);
    RankQuestion question = tiny_question(2);
    question.work.workloads.front().demand.shape = random_day(random);
    expect_brute_force(question, 3);
    question.work.workloads.front().demand.burst = Burst{1.3, 360, 24};
    expect_brute_force(question, 2);
}

TEST(RankProbabilities, OfRentedAndHostedIsTheNormalDistributionOfTheirRatio) {
    // One reserved instance does all the work in every sample, and costs c; hosted tokens cost h x demand x their price. The
    // logarithm of the ratio is normal: variances add up.
    constexpr std::size_t kSamples = affordable(10'000);
    Catalog catalog;
    add_offer(catalog, tiny_offer("r", 1, Purchase::reserved), 1e5);
    catalog.endpoints.push_back(tiny_endpoint("host", 1, 1));
    const Ranking base = ranked(tiny_question(1), catalog);
    const auto cost = [&](const std::string& pool) {
        return std::find_if(base.plans.begin(), base.plans.end(),
                            [&](const ScenarioPlan& plan) { return plan.scenario.pools.front().id == pool; })
            ->decisive;
    };
    const double ratio = cost("host") / cost("r");
    ASSERT_TRUE(ratio > 0.5 && ratio < 2.0) << ratio;
    const double sigma = std::sqrt(kFactorRows[0].sigma * kFactorRows[0].sigma + kFactorRows[3].sigma * kFactorRows[3].sigma +
                                   kFactorRows[5].sigma * kFactorRows[5].sigma);
    const double rented = normal_share_below(std::log(ratio) / sigma);
    const Ranking ranking = ranked(sampled(tiny_question(1), kSamples), catalog);
    for (const ScenarioPlan& plan : ranking.plans) {
        const double expected = plan.scenario.pools.front().id == "r" ? rented : 1 - rented;
        EXPECT_NEAR(plan.chances->best, expected, 4 * std::sqrt(rented * (1 - rented) / kSamples)) << ratio;
    }
}

TEST(RankProbabilities, DemandAboveWhatIsStatedIsServedByMoreUnits) {
    // Sized to the stated demand, both would leave work undone in about half of the samples.
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 1), 100);
    add_offer(catalog, tiny_offer("b", 2), 100);
    const Ranking ranking = ranked(sampled(tiny_question(2), 100), catalog);
    ASSERT_EQ(ranking.plans.size(), 2U);
    EXPECT_EQ(ranking.plans[0].chances->best, 1.0); // the same devices and factor, at half the price
    EXPECT_EQ(ranking.plans[1].chances->best, 0.0);
    EXPECT_EQ(ranking.uncertainty->probability_none, 0.0);
}

TEST(RankProbabilities, EqualPlansShare) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 1), 1000);
    add_offer(catalog, tiny_offer("b", 1), 1000);
    const Ranking ranking = ranked(sampled(tiny_question(1), 50), catalog);
    ASSERT_EQ(ranking.plans.size(), 2U);
    EXPECT_NEAR(ranking.plans[0].chances->best, 0.5, 1e-12);
    EXPECT_NEAR(ranking.plans[1].chances->best, 0.5, 1e-12);
}

TEST(RankProbabilities, EstimatesOfTwoDevicesErrApart) {
    // A tenth dearer on the same estimated rate: of the same device never the best, of another one in a good part of the samples.
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 1), 30);
    add_offer(catalog, tiny_offer("b", 1.1), 30);
    for (Performance& performance : catalog.performances) {
        performance.basis = Evidence::estimated;
    }
    const auto of_dearer = [&] { return ranked(sampled(tiny_question(2), 400), catalog).plans[1].chances->best; };
    EXPECT_NEAR(of_dearer(), normal_share_below(-std::log(1.1) / (std::sqrt(2.0) * kFactorRows[2].sigma)), 0.1);
    catalog.offers[1].device = catalog.offers[0].device;
    EXPECT_EQ(of_dearer(), 0.0);
}

TEST(RankProbabilities, WhatCannotDoTheWorkIsNotTheBestThere) {
    // A hosted model that serves 1.2 of the stated units/s, far below the price of the other.
    Catalog catalog;
    catalog.endpoints = {tiny_endpoint("cheap", 0.001, 0.001), tiny_endpoint("dear", 9, 9)};
    catalog.endpoints.front().max_units_per_s = 480;
    const std::vector<FactorDraw> draws = draw_factors(1000, 1, one_by_one());
    const auto able = std::count_if(draws.begin(), draws.end(), [](const FactorDraw& draw) { return draw[0] <= 1.2; });
    const Ranking both = ranked(sampled(tiny_question(1), 1000), catalog);
    EXPECT_NEAR(both.plans[0].chances->best, static_cast<double>(able) / 1000, 1e-9);
    EXPECT_NEAR(both.plans[1].chances->best, 1 - static_cast<double>(able) / 1000, 1e-9);
    EXPECT_NEAR(both.plans[0].chances->feasible, static_cast<double>(able) / 1000, 1e-9);
    EXPECT_EQ(both.plans[1].chances->feasible, 1.0);
    catalog.endpoints.pop_back();
    const Ranking alone = ranked(sampled(tiny_question(1), 1000), catalog);
    EXPECT_NEAR(alone.uncertainty->probability_none, 1 - static_cast<double>(able) / 1000, 1e-9);
    EXPECT_NEAR(sum_of(alone), 1.0, 1e-9);
}

TEST(RankProbabilities, PlansThatAreNotListedAreCountedAsOthers) {
    RankQuestion question = tiny_question(2);
    const Catalog catalog = contested();
    const Ranking whole = ranked(sampled(question, 200), catalog);
    question.top = 1;
    const Ranking first = ranked(sampled(question, 200), catalog);
    ASSERT_EQ(first.plans.size(), 1U);
    EXPECT_EQ(first.plans[0].chances->best, whole.plans[0].chances->best);
    EXPECT_EQ(first.uncertainty->in_running, whole.uncertainty->in_running);
    EXPECT_NEAR(first.uncertainty->probability_others, 1 - whole.plans[0].chances->best, 1e-12);
    EXPECT_GT(first.uncertainty->probability_others, 0.0);
}

TEST(RankProbabilities, OfPlansThatAreThereAreThoseOfTheirRanking) {
    RankQuestion question = sampled(tiny_question(2), 200);
    question.work.months = 24;
    question.work.workloads.front().demand.growth_per_month = 0.03;
    const Ranking ranking = ranked(question, contested());
    ASSERT_EQ(ranking.uncertainty->in_running, ranking.plans.size());
    std::vector<Placed> plans;
    for (const ScenarioPlan& plan : ranking.plans) {
        plans.push_back({plan.scenario, ""});
        plans.back().document.id = "kept";
    }
    const auto there = shares_of_best(plans, 200, 1, false, one_by_one());
    ASSERT_TRUE(there && *there);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        EXPECT_EQ((*there)->shares[i], ranking.plans[i].chances->best) << ranking.plans[i].scenario.name;
    }
    EXPECT_EQ((*there)->none, ranking.uncertainty->probability_none);
}

TEST(RankProbabilities, OfPlansThatAreThereNeedPlansOfOneWorkAndLeaveOutWhatCannotDoIt) {
    const Ranking ranking = ranked(tiny_question(2), contested());
    const auto shares = [&](const std::function<void(ScenarioDocument&)>& change) {
        std::vector<Placed> plans = {{ranking.plans[0].scenario, ""}, {ranking.plans[1].scenario, ""}};
        change(plans[1].document);
        return *shares_of_best(plans, 50, 1, false, one_by_one());
    };
    EXPECT_TRUE(shares([](ScenarioDocument&) {}));
    EXPECT_FALSE(shares([](ScenarioDocument& plan) { plan.workloads.front().demand.mean_per_s = 3; }));
    EXPECT_FALSE(shares([](ScenarioDocument& plan) { plan.pools.push_back(plan.pools.front()); }));
    EXPECT_FALSE(shares([](ScenarioDocument& plan) { plan.workloads.front().runs_on.pop_back(); }));
    const auto rented = std::find_if(ranking.plans.begin(), ranking.plans.end(), [](const ScenarioPlan& plan) {
        return plan.scenario.pools.size() == 1 && plan.scenario.pools.front().kind == PoolKind::cloud;
    });
    ASSERT_NE(rented, ranking.plans.end());
    const auto beside_itself = [&](const std::function<void(Pool&)>& change) {
        std::vector<Placed> plans = {{rented->scenario, ""}, {rented->scenario, ""}};
        change(plans[1].document.pools.front());
        return *shares_of_best(plans, 50, 1, false, one_by_one());
    };
    EXPECT_NEAR(beside_itself([](Pool&) {})->shares[1], 0.5, 1e-12);
    const auto too_small = beside_itself([](Pool& pool) { pool.max_instances = 1, pool.min_instances = 1; });
    EXPECT_EQ(too_small->shares, (std::vector<double>{1.0, 0.0}));
    EXPECT_EQ(too_small->running, 1U);
    EXPECT_FALSE(beside_itself([](Pool& pool) { pool.from_month = 1; }));
    EXPECT_FALSE(beside_itself([](Pool& pool) { pool.min_instances = 1, pool.max_instances = 9; }));
}

// Four threads, the tasks in turn.
Runner four_threads() {
    return {4, [](std::size_t count, const Task& task) {
                std::vector<std::thread> threads;
                for (std::size_t w = 0; w < 4; ++w) {
                    threads.emplace_back([&, w] {
                        for (std::size_t i = w; i < count; i += 4) {
                            task(w, i);
                        }
                    });
                }
                for (std::thread& thread : threads) {
                    thread.join();
                }
                return true;
            }};
}

TEST(RankProbabilities, AreTheSameBitsOnAnyNumberOfThreads) {
    RankQuestion work = tiny_question(2);
    Random random(7);
    work.work.workloads.front().demand.shape = random_day(random);
    const RankQuestion question = sampled(work, 64);
    const Catalog catalog = contested();
    const Ranking here = ranked(question, catalog);
    const Result<Ranking> there = rank(question, catalog, four_threads());
    ASSERT_TRUE(there);
    bool differs = false;
    const Ranking other_seed = ranked(sampled(work, 64, 2), catalog);
    for (std::size_t i = 0; i < here.plans.size(); ++i) {
        EXPECT_EQ(here.plans[i].chances->best, there->plans[i].chances->best);
        differs = differs || here.plans[i].chances->best != other_seed.plans[i].chances->best;
    }
    EXPECT_EQ(here.evaluated, there->evaluated);
    EXPECT_TRUE(differs);
}

TEST(RankProbabilities, AreNotLookedForWithoutSamplesNorWithoutPlans) {
    const Ranking without = ranked(tiny_question(1), contested());
    EXPECT_FALSE(without.uncertainty);
    EXPECT_FALSE(without.plans.front().chances);
    Catalog too_small;
    too_small.endpoints = {tiny_endpoint("host", 1, 1)};
    too_small.endpoints.front().max_units_per_s = 0.001;
    const Ranking nothing = ranked(sampled(tiny_question(1), 10), too_small);
    EXPECT_TRUE(nothing.plans.empty());
    EXPECT_FALSE(nothing.uncertainty);
}

TEST(RankProbabilities, TheRunningHasTheBestOfEachWayAndPartsOfHybrids) {
    std::vector<Option> options(30);
    for (std::size_t i = 0; i < options.size(); ++i) {
        options[i].pool.id = "pool-" + std::to_string(i);
        options[i].way = i == 27 ? Way::api : Way::cloud;
        options[i].pool.offer = tiny_offer("o", 1, i == 26 ? Purchase::spot : Purchase::on_demand);
    }
    std::vector<Entry> entries;
    for (const Option& option : options) {
        entries.push_back({&option, nullptr, 1, 0, 0.0, ""});
    }
    entries[3].burst = &options[28]; // a hybrid whose base, number 3, is not in the list alone
    const std::vector<std::size_t> running = entries_in_running(entries, 10);
    ASSERT_EQ(running.size(), 23U); // the first 20, then the first of spot and hosted, then the hybrid's burst
    EXPECT_EQ((std::vector<std::size_t>(running.begin() + 20, running.end())), (std::vector<std::size_t>{26, 27, 28}));
    EXPECT_EQ(entries_in_running(entries, 25).size(), 28U);
}

TEST(RankProbabilities, StagedServersStandBesideThoseBoughtAtOnce) {
    // Where demand is low, one stage does: bought by stages is then bought at once, and no way of its own.
    Catalog catalog;
    add_server(catalog, "s", 10'000, 500);
    RankQuestion question = tiny_question(1);
    question.work.months = 36;
    question.work.workloads.front().demand.growth_per_month = 0.02;
    question.top = 1;
    const Ranking ranking = ranked(sampled(question, 100), catalog);
    EXPECT_EQ(ranking.uncertainty->in_running, 2U);
    EXPECT_EQ(ranking.uncertainty->probability_none, 0.0);
    EXPECT_NEAR(sum_of(ranking), 1.0, 1e-12);
}

} // namespace
} // namespace costcurve::model
