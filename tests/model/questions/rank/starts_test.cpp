// Plans whose instances start for bursts: offers that state how are used so, others are held, and a line says which.
#include <algorithm>

#include <gtest/gtest.h>

#include "model/questions/rank/rank.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

// 400 units/s in the mean, 3200 in five minutes of each hour, else 145: eleven replicas and a spare, else one and a spare.
RankQuestion bursting_question() {
    RankQuestion question = tiny_question(1);
    question.outages = {1, 0.999, SpotUse::burst, true};
    question.include = {Way::cloud};
    Workload& workload = question.work.workloads.front();
    workload.demand.burst = Burst{8, 300, 24};
    workload.slo.ttft_s = 120;
    workload.slo.percentile = 0;
    return question;
}

// A dearer one that starts in a minute beside one of which nobody knows.
Catalog held_and_started() {
    Catalog catalog;
    add_offer(catalog, tiny_offer("held", 2), 300);
    Offer started = tiny_offer("started", 2.4);
    started.boot_s = 60;
    started.idle_timeout_s = 60;
    started.billing_step_s = 1;
    add_offer(catalog, started, 300);
    for (Performance& performance : catalog.performances) {
        performance.ttft_s = flat(1);
    }
    return catalog;
}

bool assumes(const Ranking& ranking, std::string_view what) {
    return std::ranges::any_of(ranking.assumptions, [what](const Assumption& line) { return line.what == what; });
}

TEST(RankStarts, WhatStartsForBurstsComesBeforeWhatIsHeld) {
    RankQuestion question = bursting_question();
    const Ranking ranking = ranked(question, held_and_started());
    ASSERT_EQ(ranking.plans.size(), 2U);
    const ScenarioPlan& first = ranking.plans.front();
    EXPECT_EQ(first.scenario.pools.front().offer->provider, "provider-started");
    EXPECT_EQ(first.scenario.pools.front().max_instances, 12);
    // 12 for 300 s; else 2, and the other ten for 120 of 3300 s.
    const double mean = (12 * 300 + 2 * 3300 + 10 * 120) / 3600.0;
    const PoolSummary& pool = first.summary.pools.front();
    EXPECT_TRUE(is_close(pool.available_device_hours * 2.4, pool.total.cost));
    EXPECT_TRUE(is_close(ranking.plans.back().summary.total.cost / 12 / 2, first.summary.total.cost / mean / 2.4));
    EXPECT_TRUE(assumes(ranking, "boot"));
    EXPECT_TRUE(assumes(ranking, "bursts"));
}

TEST(RankStarts, WhoCannotWaitForTheBootPaysForTheHour) {
    RankQuestion question = bursting_question();
    question.work.workloads.front().slo.ttft_s = 60;
    const Ranking ranking = ranked(question, held_and_started());
    ASSERT_EQ(ranking.plans.size(), 2U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().offer->provider, "provider-held");
    EXPECT_TRUE(is_close(ranking.plans.back().summary.total.cost / 2.4, ranking.plans.front().summary.total.cost / 2));
    question.work.workloads.front().demand.burst.reset();
    EXPECT_FALSE(assumes(ranked(question, held_and_started()), "bursts")) << "nothing bursts";
}

} // namespace
} // namespace costcurve::model
