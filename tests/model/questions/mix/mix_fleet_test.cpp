// Mixes of several workloads against every division of their buckets.
#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "model/performance/training_rates.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/mix/every_division.hpp"
#include "tests/model/questions/mix/mixes.hpp"
#include "tests/support/affordable.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

// A second model beside the first, of a quarter of its size.
void add_small_model(Catalog& catalog) {
    Model small = catalog.models.front();
    small.id = "small";
    small.parameters /= 4;
    small.active_parameters /= 4;
    catalog.models.push_back(std::move(small));
}

Workload workload_of(const std::string& id, const std::string& model, double requests_per_s, std::vector<TokenBucket> buckets) {
    Workload workload = sized_question(requests_per_s, std::move(buckets)).work.workloads.front();
    workload.id = id;
    workload.model = model;
    return workload;
}

const ScenarioPlan* plan_by(const std::string& prefix, const Ranking& ranking) {
    const auto found =
        std::ranges::find_if(ranking.plans, [&](const ScenarioPlan& plan) { return plan.scenario.name.starts_with(prefix); });
    return found == ranking.plans.end() ? nullptr : &*found;
}

// Two workloads of a model and one of another, of four buckets together.
TEST(MixOfFleet, EqualsTheBestOfEveryDivision) {
    std::uint64_t splits = 0;
    std::uint64_t listed = 0;
    for (std::uint64_t seed = 1; seed <= affordable(200); ++seed) {
        Random random(seed);
        Catalog catalog = random_devices(random);
        add_small_model(catalog);
        RankQuestion question = sized_question(1, random_buckets(random, 2));
        question.work.workloads = {workload_of("a", kTinyModel, random.between(5, 40), random_buckets(random, 2)),
                                   workload_of("b", kTinyModel, random.between(5, 40), random_buckets(random, 1)),
                                   workload_of("c", "small", random.between(5, 80), random_buckets(random, 1))};
        const EveryDivision every(question, catalog);
        const Ranking ranking = ranked(question, catalog);
        ASSERT_TRUE(ranking.mix) << "seed " << seed;
        const bool is_split = every.split < every.single * (1 - 1e-9);
        splits += is_split ? 1 : 0;
        const ScenarioPlan* const mix = plan_by("by ", ranking);
        if (mix != nullptr) {
            ++listed;
            EXPECT_TRUE(is_close(evaluate_document(mix->scenario).summary.total.cost, mix->decisive)) << "seed " << seed;
            EXPECT_LT(mix->decisive, every.single) << "seed " << seed;
        }
        if (is_split && every.split < every.split_on_one * (1 - 1e-9)) {
            ASSERT_NE(mix, nullptr) << "seed " << seed << ": " << every.split << " against " << every.single;
            EXPECT_LE(mix->decisive, every.split * 1.01) << "seed " << seed;
        }
        EXPECT_LE(ranking.mix->gap_fraction.value_or(0.0), 0.01) << "seed " << seed;
    }
    EXPECT_GE(splits, affordable(100)) << "half of the optima are splits";
    EXPECT_GE(listed, affordable(60));
}

// A host of several devices has room for what serves and its spare: one where the programme counts two.
TEST(MixOfFleet, EqualsTheBestOnHostsOfSeveralDevices) {
    std::uint64_t splits = 0;
    for (std::uint64_t seed = 1; seed <= affordable(150); ++seed) {
        Random random(1000 + seed);
        Catalog catalog = random_devices(random);
        add_small_model(catalog);
        for (Offer& offer : catalog.offers) {
            if (random.chance(0.5)) {
                offer.devices = 8;
                offer.hourly_price.number *= random.between(1, 3);
            }
        }
        RankQuestion question = sized_question(1, random_buckets(random, 2));
        question.work.workloads = {workload_of("a", kTinyModel, random.between(1, 40), random_buckets(random, 2)),
                                   workload_of("b", "small", random.between(1, 80), random_buckets(random, 1))};
        const EveryDivision every(question, catalog);
        const Ranking ranking = ranked(question, catalog);
        const ScenarioPlan* const mix = plan_by("by ", ranking);
        if (every.split < every.single * (1 - 1e-9) && every.split < every.split_on_one * (1 - 1e-9)) {
            ++splits;
            ASSERT_NE(mix, nullptr) << "seed " << seed << ": " << every.split << " against " << every.single;
            EXPECT_LE(mix->decisive, every.split * 1.01) << "seed " << seed;
        }
    }
    EXPECT_GE(splits, affordable(10));
}

// Long prompts of the first workload and all of the second are cheapest where prompts are read; the rest where answers are written.
RankQuestion three_kinds() {
    RankQuestion question = two_sizes();
    question.work.workloads.push_back(workload_of("reader", kTinyModel, 20, {bucket(6000, 10, 1.0)}));
    return question;
}

TEST(MixOfFleet, HasGroupsOfSeveralWorkloads) {
    RankQuestion question = three_kinds();
    question.samples = 30;
    const Ranking ranking = ranked(question, two_devices());
    const ScenarioPlan* const mix = plan_by("by request size: ", ranking);
    ASSERT_NE(mix, nullptr);
    EXPECT_EQ(mix, &ranking.plans.front());
    const ScenarioDocument& scenario = mix->scenario;
    ASSERT_EQ(scenario.pools.size(), 2U);
    ASSERT_EQ(scenario.workloads.size(), 3U);
    const std::string& first = question.work.workloads.front().id;
    EXPECT_EQ(scenario.workloads[0].id, first + "-1");
    EXPECT_EQ(scenario.workloads[1].id, first + "-2");
    EXPECT_EQ(scenario.workloads[2].id, "reader") << "which is not divided";
    EXPECT_EQ(scenario.pools[0].id, "writes");
    EXPECT_EQ(scenario.workloads[1].runs_on.front().pool, "reads");
    EXPECT_EQ(scenario.workloads[2].runs_on.front().pool, "reads");
    ASSERT_EQ(mix->shares.size(), 3U);
    EXPECT_EQ(mix->shares[2].workload, "reader");
    EXPECT_LE(*mix->shares[1].adds + *mix->shares[2].adds, mix->shares[1].cost + mix->shares[2].cost + 1e-6)
        << "what two of one pool add is no more than they cost";
    EXPECT_EQ(mix->rate_facts.size(), 3U);
    EXPECT_FALSE(mix->is_by_size) << "cost per token of several workloads together says nothing";
    ASSERT_TRUE(mix->chances);
    EXPECT_GT(mix->chances->best, 0.5);
    EXPECT_GT(mix->chances->feasible, 0.1);
    EXPECT_TRUE(std::ranges::any_of(ranking.assumptions, [](const Assumption& line) { return line.what == "sizes"; }));
}

// A model has a device of its own where another doesn't fit, or costs more: nothing is divided by size.
TEST(MixOfFleet, IsByWorkloadWhereNoneIsDivided) {
    RankQuestion question = two_sizes();
    question.work.workloads = {workload_of("reader", kTinyModel, 30, {bucket(6000, 10, 1.0)}),
                               workload_of("writer", kTinyModel, 30, {bucket(50, 800, 1.0)})};
    const Ranking ranking = ranked(question, two_devices());
    const ScenarioPlan* const mix = plan_by("by workload: ", ranking);
    ASSERT_NE(mix, nullptr);
    EXPECT_EQ(mix, &ranking.plans.front());
    EXPECT_EQ(mix->scenario.workloads[0].id, "reader");
    EXPECT_EQ(mix->scenario.workloads[1].id, "writer");
    EXPECT_FALSE(std::ranges::any_of(ranking.assumptions, [](const Assumption& line) { return line.what == "sizes"; }));
    double apart = 0.0;
    for (const PlanApart& one : ranking.apart) {
        apart += one.decisive;
    }
    EXPECT_LE(mix->decisive, apart * (1 + 1e-9));
}

TEST(MixOfFleet, NamesTheWorkloadOfABucketThatNothingServes) {
    RankQuestion question = three_kinds();
    question.work.workloads[1].slo = {.ttft_s = 0.001, .itl_s = std::nullopt, .e2e_s = std::nullopt};
    const Ranking ranking = ranked(question, two_devices());
    ASSERT_TRUE(ranking.mix);
    EXPECT_EQ(ranking.mix->outcome, MixOutcome::no_way);
    ASSERT_EQ(ranking.mix->buckets.size(), 3U);
    EXPECT_EQ(ranking.mix->buckets[2].workload, "reader");
    EXPECT_EQ(ranking.mix->buckets[2].bucket, 0U);
    EXPECT_EQ(ranking.mix->buckets[2].ways, 0U);
    EXPECT_EQ(ranking.mix->buckets[2].reason, "ineligible_latency");
}

// A host serves its own model alone; batch takes the hours that inference leaves.
TEST(MixOfFleet, KeepsAHostToItsModelAndTakesBatch) {
    Catalog catalog = two_devices();
    add_small_model(catalog);
    catalog.endpoints = {tiny_endpoint("host", 0.0001, 0.0001)};
    RankQuestion question = two_sizes();
    question.work.workloads.push_back(workload_of("other", "small", 30, {bucket(500, 100, 1.0)}));
    Workload batch = question.work.workloads.back();
    batch.id = "nightly";
    batch.kind = WorkloadKind::batch;
    batch.demand = {};
    batch.requests_per_month = {2e6, std::nullopt};
    question.work.workloads.push_back(batch);
    const Ranking ranking = ranked(question, catalog);
    const ScenarioPlan* const mix = plan_by("by workload: ", ranking);
    ASSERT_NE(mix, nullptr) << "the host for all of its model, a device for the other";
    for (const Workload& workload : mix->scenario.workloads) {
        EXPECT_EQ(workload.runs_on.front().pool == "host", workload.model == kTinyModel) << workload.id;
    }
}

// A cheap host serves, a rented device trains a month; neither does both. Where the device is as cheap as it is free, one does.
TEST(MixOfFleet, TrainsBesideAHostThatServes) {
    Catalog catalog = two_devices();
    add_device(catalog, "trains", 2.0, 2000, 4e14, 200);
    catalog.models.front().hidden = 4096;
    catalog.endpoints = {tiny_endpoint("host", 0.0001, 0.0001)};
    std::vector<Device> devices;
    for (const Offer& offer : catalog.offers) {
        devices.push_back(offer.device);
    }
    catalog.training_rates = std::make_shared<TrainingRates>(catalog.models, devices, std::vector<MeasuredRun>{});
    RankQuestion question = two_sizes();
    Workload& run = question.work.workloads.emplace_back();
    run.id = "tuning";
    run.kind = WorkloadKind::training;
    run.unit = "token";
    run.model = kTinyModel;
    run.units_per_epoch = 1e8;
    run.epochs = 1;
    run.within_days = 30;
    question.samples = 10;
    const Ranking ranking = ranked(question, catalog);
    const ScenarioPlan* const mix = plan_by("by workload: ", ranking);
    ASSERT_NE(mix, nullptr);
    EXPECT_EQ(mix->scenario.workloads[0].runs_on.front().pool, "host");
    EXPECT_NE(mix->scenario.workloads[1].runs_on.front().pool, "host") << "which trains nothing";
    EXPECT_TRUE(is_close(evaluate_document(mix->scenario).summary.total.cost, mix->decisive));
    double apart = 0.0;
    for (const PlanApart& one : ranking.apart) {
        apart += one.decisive;
    }
    EXPECT_TRUE(is_close(mix->decisive, apart)) << "each has what is cheapest for it alone";
    ASSERT_EQ(mix->shares.size(), 2U);
    EXPECT_TRUE(mix->shares[1].days);
    EXPECT_EQ(mix->shares[1].adds, mix->shares[1].cost);
    EXPECT_TRUE(mix->rate_facts.at(1)) << "the gang's";
    ASSERT_TRUE(mix->chances);
    EXPECT_GT(mix->chances->best, 0.5);
    const double figure = mix->decisive;
    std::ranges::reverse(question.work.workloads); // whose options come first decides nothing
    const Ranking reversed = ranked(question, catalog);
    ASSERT_NE(plan_by("by workload: ", reversed), nullptr);
    EXPECT_TRUE(is_close(plan_by("by workload: ", reversed)->decisive, figure));
}

// At night the devices that serve by day are paid for anyway: a pool of its own would cost more.
TEST(MixOfFleet, IsNotListedWhereOnePoolDoesAll) {
    Catalog catalog = two_devices();
    catalog.models.front().hidden = 4096;
    catalog.offers.pop_back();
    catalog.offers.front().purchase = Purchase::reserved;
    catalog.offers.front().term_months = 1;
    add_device(catalog, "dear", 9.0, 300, 8e14, 40);
    RankQuestion question = two_sizes();
    question.work.workloads.front().demand.shape =
        curve(CurveKind::demand, Axis::hour_of_day, {0, 12}, {0.0, 2.0}, Interpolation::step);
    Workload batch = question.work.workloads.front();
    batch.id = "nightly";
    batch.kind = WorkloadKind::batch;
    batch.demand = {};
    batch.requests_per_month = {1e6, std::nullopt};
    question.work.workloads.push_back(batch);
    const Ranking ranking = ranked(question, catalog);
    ASSERT_TRUE(ranking.mix);
    EXPECT_EQ(ranking.mix->outcome, MixOutcome::no_cheaper);
    EXPECT_EQ(plan_by("by ", ranking), nullptr);
}

TEST(MixOfFleet, NamesStayUnlikeTheOthers) {
    RankQuestion question = three_kinds();
    question.work.workloads[1].id = question.work.workloads[0].id + "-1";
    const Ranking ranking = ranked(question, two_devices());
    const ScenarioPlan* const mix = plan_by("by request size: ", ranking);
    ASSERT_NE(mix, nullptr);
    EXPECT_EQ(mix->scenario.workloads[2].id, question.work.workloads[1].id);
}

} // namespace
} // namespace costcurve::model
