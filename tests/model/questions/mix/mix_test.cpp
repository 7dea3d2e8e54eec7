// Mixes by request size against every assignment of buckets to devices, each group sized and evaluated by the test itself.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/performance/rated_fit.hpp"
#include "model/questions/mix/mix.hpp"
#include "model/questions/rank/rank.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

constexpr double kUnserved = std::numeric_limits<double>::infinity();

TokenBucket bucket(double input, double output, double share) {
    TokenBucket of;
    of.input = input;
    of.output = output;
    of.share = share;
    return of;
}

void add_device(Catalog& catalog, const std::string& id, double price, double gb_per_s, double flops, double gib) {
    Offer offer = one_device().offers.front();
    offer.id = offer.sku = id;
    offer.provider = "provider-" + id;
    offer.device.id = id;
    offer.device.memory_gib = gib;
    offer.device.memory_bandwidth_gb_per_s = gb_per_s;
    offer.device.peak_flops = {{"bf16", flops}};
    offer.hourly_price = flat(price);
    catalog.offers.push_back(std::move(offer));
}

RankQuestion sized_question(double requests_per_s, std::vector<TokenBucket> buckets) {
    RankQuestion question = tiny_question(requests_per_s);
    question.work.months = 1;
    Workload& workload = question.work.workloads.front();
    workload.units_per_request = {};
    workload.token_mix = std::move(buckets);
    return question;
}

// Devices that are bound by their memory, and others that are bound by their arithmetic; short answers to long prompts, and long
// ones to short prompts.
Catalog random_devices(Random& random) {
    Catalog catalog = one_device();
    catalog.offers.clear();
    for (int i = 0; i < 3; ++i) {
        const double fast_memory = random.between(0, 1);
        add_device(catalog, fmt::format("d{}", i), random.between(0.8, 1.6), 800 + 2400 * fast_memory,
                   1e14 + 6e14 * (1 - fast_memory), random.between(40, 120));
    }
    return catalog;
}
std::vector<TokenBucket> random_buckets(Random& random, std::size_t count) {
    std::vector<TokenBucket> buckets;
    double all = 0.0;
    for (std::size_t b = 0; b < count; ++b) {
        const bool is_prompt = random.chance(0.5);
        const double share = random.between(0.2, 1);
        buckets.push_back(is_prompt ? bucket(random.between(2000, 7000), random.between(5, 40), share)
                                    : bucket(random.between(20, 200), random.between(200, 900), share));
        all += share;
    }
    for (TokenBucket& of : buckets) {
        of.share /= all;
    }
    return buckets;
}

// Whole buckets on the offers of a catalogue, each group with the least instances that do its work.
class EveryDivision {
public:
    EveryDivision(const RankQuestion& question, const Catalog& catalog)
        : question_(question), catalog_(catalog), rates_(catalog.models, std::vector<Device>{}, std::vector<MeasuredPoint>{}) {
        const std::size_t buckets = question.work.workloads.front().token_mix.size();
        const auto all = static_cast<std::size_t>(std::pow(catalog.offers.size(), buckets));
        for (std::size_t code = 0; code < all; ++code) {
            std::vector<std::size_t> masks(catalog.offers.size(), 0);
            std::size_t left = code;
            for (std::size_t b = 0; b < buckets; ++b, left /= catalog.offers.size()) {
                masks[left % catalog.offers.size()] |= std::size_t{1} << b;
            }
            consider(masks);
        }
    }
    double single = kUnserved;
    double split = kUnserved;
    double split_on_one = kUnserved; ///< the best split's groups, all on one of its devices

private:
    void consider(const std::vector<std::size_t>& masks) {
        double sum = 0.0;
        for (std::size_t j = 0; j < masks.size(); ++j) {
            sum += masks[j] == 0 ? 0.0 : figure(j, masks[j]);
        }
        const auto groups = std::ranges::count_if(masks, [](std::size_t mask) { return mask != 0; });
        if (groups == 1) {
            single = std::min(single, sum);
        } else if (sum < split) {
            split = sum;
            split_on_one = kUnserved;
            for (std::size_t j = 0; j < masks.size(); ++j) {
                double on_one = 0.0;
                for (const std::size_t mask : masks) {
                    on_one += mask == 0 ? 0.0 : figure(j, mask);
                }
                split_on_one = masks[j] == 0 ? split_on_one : std::min(split_on_one, on_one);
            }
        }
    }

    double figure(std::size_t j, std::size_t mask) {
        const auto [known, is_new] = known_.try_emplace({j, mask}, kUnserved);
        if (!is_new) {
            return known->second;
        }
        ScenarioDocument scenario = question_.work;
        Workload& workload = scenario.workloads.front();
        double share = 0.0;
        std::vector<TokenBucket> some;
        for (std::size_t b = 0; b < workload.token_mix.size(); ++b) {
            if ((mask >> b & 1U) != 0) {
                some.push_back(workload.token_mix[b]);
                share += some.back().share;
            }
        }
        for (TokenBucket& of : some) {
            of.share /= share;
        }
        workload.token_mix = some;
        *workload.demand.mean_per_s *= share;
        const Offer& offer = catalog_.offers[j];
        const Fit fit = rated_fit(rates_, catalog_.models.front(), offer.device, workload, offer.devices);
        if (!fit.performance) {
            return kUnserved;
        }
        Pool& pool = scenario.pools.emplace_back();
        pool.id = offer.id;
        pool.offer = offer;
        workload.runs_on = {{offer.id, *fit.performance, {}}};
        for (pool.max_instances = 1; pool.max_instances < 64; ++pool.max_instances) {
            const Answer answer = evaluate_document(scenario);
            if (answer.summary.is_feasible()) {
                return known->second = answer.summary.total.cost;
            }
        }
        return kUnserved;
    }

    const RankQuestion& question_;
    const Catalog& catalog_;
    Rates rates_;
    std::map<std::pair<std::size_t, std::size_t>, double> known_;
};

const ScenarioPlan* mix_of(const Ranking& ranking) {
    const auto found = std::ranges::find_if(ranking.plans, &ScenarioPlan::is_mix);
    return found == ranking.plans.end() ? nullptr : &*found;
}

TEST(Mix, EqualsTheBestOfEveryDivision) {
    int splits = 0;
    int listed = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Random random(seed);
        const Catalog catalog = random_devices(random);
        const RankQuestion question = sized_question(random.between(20, 60), random_buckets(random, 4));
        const EveryDivision every(question, catalog);
        const Ranking ranking = ranked(question, catalog);
        ASSERT_TRUE(ranking.mix) << "seed " << seed;
        const bool is_split = every.split < every.single * (1 - 1e-9);
        splits += is_split ? 1 : 0;
        const ScenarioPlan* const mix = mix_of(ranking);
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
            EXPECT_LE(ranking.plans.front().decisive, every.single * (1 + 1e-9)) << "seed " << seed;
        }
        EXPECT_LE(ranking.mix->gap_fraction.value_or(0.0), 0.01) << "seed " << seed;
    }
    EXPECT_GE(splits, 100) << "half of the optima are splits";
    EXPECT_GE(listed, 60);
}

Catalog two_devices() {
    Catalog catalog = one_device();
    catalog.offers.clear();
    add_device(catalog, "reads", 1.0, 300, 8e14, 40);
    add_device(catalog, "writes", 1.0, 3000, 1e14, 60);
    return catalog;
}
RankQuestion two_sizes(double requests_per_s = 60) {
    return sized_question(requests_per_s, {bucket(6000, 10, 0.5), bucket(50, 800, 0.5)});
}

TEST(Mix, IsOneScenarioOfAWorkloadAndAPoolForEachGroup) {
    const Ranking ranking = ranked(two_sizes(), two_devices());
    const ScenarioPlan* const mix = mix_of(ranking);
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
    const ScenarioPlan* const mix = mix_of(ranking);
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
    const ScenarioPlan* const mix = mix_of(ranking);
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
    EXPECT_TRUE(alone.plans.front().is_mix);
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
    EXPECT_EQ(mix_of(ranking), nullptr);
}

} // namespace
} // namespace costcurve::model
