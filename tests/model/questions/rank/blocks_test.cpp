// Blocks of days and what lies with sellers, in a ranking.
#include <algorithm>

#include <gtest/gtest.h>

#include "model/questions/rank/rank.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

// The hosts at 16 an hour, and as a block of days at 8.
Catalog hosts_and_block(int days) {
    Catalog catalog = hosts_of_eight();
    catalog.offers.push_back(catalog.offers.front());
    Offer& block = catalog.offers.back();
    block.id = "block";
    block.purchase = Purchase::block;
    block.hourly_price = flat(0);
    block.term_days = days;
    block.upfront = 8.0 * 24 * days;
    add_training_rates(catalog);
    return catalog;
}

const ScenarioPlan* plan_on(const Ranking& ranking, const std::string& pool) {
    const auto found =
        std::ranges::find_if(ranking.plans, [&](const ScenarioPlan& plan) { return plan.scenario.pools.front().id == pool; });
    return found == ranking.plans.end() ? nullptr : &*found;
}

TEST(RankBlocks, TrainInABlockThatTheRunEndsIn) {
    const RankQuestion question = run_question(5e10, 30);
    for (const int days : {14, 3}) {
        const Ranking ranking = ranked(question, hosts_and_block(days));
        const ScenarioPlan* const plan = plan_on(ranking, "block");
        ASSERT_NE(plan, nullptr) << days;
        const Pool& pool = plan->scenario.pools.front();
        EXPECT_GE(plan->run->chance_within(days), 0.9) << "by the block's end, whatever within_days is";
        EXPECT_TRUE(is_close(plan->decisive, 8.0 * 24 * days * pool.max_instances)) << "all of the block, used or not";
        EXPECT_EQ(evaluate_document(plan->scenario).summary.total.cost, plan->decisive);
        EXPECT_TRUE(is_close(*plan->summary.workloads.front().days, plan->run->days));
    }
    EXPECT_GT(plan_on(ranked(question, hosts_and_block(3)), "block")->scenario.pools.front().max_instances,
              plan_on(ranked(question, hosts_and_block(14)), "block")->scenario.pools.front().max_instances);
}

TEST(RankBlocks, ThatTheRunOutlastsCantDoIt) {
    RankQuestion question = run_question(3e13, 30);
    const Ranking ranking = ranked(question, hosts_and_block(1));
    EXPECT_EQ(plan_on(ranking, "block"), nullptr);
    EXPECT_NE(plan_on(ranking, "rent"), nullptr) << "on demand it is done";
    EXPECT_TRUE(excluded_for(ranking, "deadline"));
}

TEST(RankBlocks, BeginWithTheRun) {
    RankQuestion question = run_question(5e10, 20);
    question.work.workloads.front().start_day = 31;
    Catalog catalog = hosts_and_block(14);
    catalog.offers.back().begins_at_utc_hour = 11.5;
    const Ranking of_utc = ranked(question, catalog);
    ASSERT_NE(plan_on(of_utc, "block"), nullptr);
    EXPECT_EQ(plan_on(of_utc, "block")->scenario.pools.front().from_day, 31);
    catalog.offers.back().begins_at_utc_hour = 2;
    question.work.time_zone = "America/Los_Angeles"; // the day before: the next one is taken
    const Ranking of_west = ranked(question, catalog);
    ASSERT_NE(plan_on(of_west, "block"), nullptr);
    EXPECT_EQ(plan_on(of_west, "block")->scenario.pools.front().from_month, 1);
    EXPECT_EQ(plan_on(of_west, "block")->scenario.pools.front().from_day, 1);
}

TEST(RankBlocks, OfTheWholeHorizonServe) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("sold", 2), 1000);
    add_offer(catalog, tiny_offer("block", 0), 1000);
    Offer& block = catalog.offers.back();
    block.purchase = Purchase::block;
    block.upfront = 1;
    for (const int days : {89, 90, 91}) { // January to March 2026 have 90
        block.term_days = days;
        const Ranking ranking = ranked(tiny_question(1), catalog);
        EXPECT_EQ(plan_on(ranking, "block") != nullptr, days >= 90) << days;
        const std::optional<Exclusion> excluded = excluded_for(ranking, "block_of_days");
        ASSERT_EQ(excluded.has_value(), days < 90);
        EXPECT_TRUE(!excluded || excluded->note->find("does not come again") != std::string::npos);
    }
}

// Two offers at one price, of which one states what storage costs.
Catalog billed_and_silent() {
    Catalog catalog;
    add_offer(catalog, tiny_offer("billed", 2), 1000);
    add_offer(catalog, tiny_offer("silent", 2), 1000);
    catalog.offers.front().storage_per_gb_month = 0.1;
    return catalog;
}

bool has_line(const Ranking& ranking, const std::string& what) {
    return std::ranges::find(ranking.assumptions, what, &Assumption::what) != ranking.assumptions.end();
}

TEST(RankStorage, OfAPriceThatNobodyStatesIsTheHighest) {
    RankQuestion question = tiny_question(1);
    question.outages.assumes = true;
    question.work.workloads.front().stored_gb = 1000;
    const Ranking ranking = ranked(question, billed_and_silent());
    ASSERT_GE(ranking.plans.size(), 2U);
    EXPECT_EQ(ranking.plans[0].scenario.pools.front().id, "billed") << "what is not known doesn't win";
    EXPECT_TRUE(is_close(ranking.plans[1].decisive - ranking.plans[0].decisive, 3 * 1000 * (0.2 - 0.1)));
    EXPECT_TRUE(has_line(ranking, "storage_price"));
    EXPECT_FALSE(has_line(ranking, "stored_copies"));
    question.work.currency = "EUR";
    question.work.exchange_rates = {{"USD", 0.5}};
    const Ranking in_euro = ranked(question, billed_and_silent());
    EXPECT_TRUE(is_close(*plan_on(in_euro, "silent")->scenario.pools.front().offer->storage_per_gb_month, 0.1)) << "0.20 USD";
}

TEST(RankStorage, OfCheckpointsIsBilledToo) {
    RankQuestion question = tiny_question(1);
    question.outages.assumes = true;
    question.work.workloads.front().checkpoint.size_gb = 100;
    question.work.workloads.front().checkpoint.kept = 10;
    const Ranking ranking = ranked(question, billed_and_silent());
    EXPECT_TRUE(is_close(ranking.plans[1].decisive - ranking.plans[0].decisive, 3 * 1000 * (0.2 - 0.1)));
}

TEST(RankStorage, IsOfCopiesOfTheWeights) {
    Catalog catalog = one_device();
    catalog.offers.front().storage_per_gb_month = 0.1;
    RankQuestion question = tiny_question(1);
    const double none = ranked(question, catalog).plans.front().decisive;
    question.stored_copies = 2;
    const ScenarioPlan plan = ranked(question, catalog).plans.front();
    const double gb = 2 * catalog.models.front().weight_bytes.at("bf16") / 1e9;
    EXPECT_TRUE(is_close(*plan.scenario.workloads.front().stored_gb, gb));
    EXPECT_TRUE(is_close(plan.decisive - none, 3 * 0.1 * gb));
    question.work.workloads.front().stored_gb = 7;
    EXPECT_TRUE(is_close(ranked(question, catalog).plans.front().decisive - none, 3 * 0.1 * 7)) << "what is stated is taken";
    question.work.workloads.front().stored_gb.reset();
    catalog.models.front().weight_bytes.clear();
    catalog.models.front().parameters = 0;
    EXPECT_THROW(std::ignore = ranked(question, catalog), std::exception) << "of an unknown size";
}

TEST(RankStorage, IsNoneWhereNothingIsSaid) {
    RankQuestion question = tiny_question(1);
    question.outages.assumes = true;
    const Ranking ranking = ranked(question, billed_and_silent());
    EXPECT_EQ(ranking.plans[0].decisive, ranking.plans[1].decisive);
    EXPECT_EQ(ranking.plans[0].scenario.workloads.front().stored_gb, 0.0);
    EXPECT_TRUE(has_line(ranking, "stored_copies"));
    Catalog silent = billed_and_silent();
    silent.offers.front().storage_per_gb_month.reset();
    EXPECT_FALSE(ranked(question, silent).plans.front().scenario.workloads.front().stored_gb) << "as ever";
}

} // namespace
} // namespace costcurve::model
