// What it costs to bring work to a device that its team has none of.
#include <gtest/gtest.h>

#include "model/questions/rank/rank.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/rank/catalogs.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

// A GPU at 2 an hour and a TPU at 1, with one instance for the work of each.
Catalog two_kinds() {
    Catalog catalog;
    add_offer(catalog, tiny_offer("gpu", 2), 1000);
    add_offer(catalog, tiny_offer("tpu", 1), 1000);
    catalog.offers.back().device.kind = DeviceKind::tpu;
    return catalog;
}

double cost_of(const Ranking& ranking, const std::string& pool) {
    for (const ScenarioPlan& plan : ranking.plans) {
        if (plan.scenario.pools.front().id == pool) {
            return plan.decisive;
        }
    }
    return -1.0;
}

TEST(RankPorting, IsPaidForOnceWhereTheWorkDoesNotRunYet) {
    RankQuestion question = tiny_question(1);
    const double bare = cost_of(ranked(question, two_kinds()), "tpu");
    question.porting.assumes = true;
    const Ranking ranking = ranked(question, two_kinds());
    EXPECT_TRUE(is_close(cost_of(ranking, "tpu"), bare + 6 * 4000));
    EXPECT_TRUE(is_close(cost_of(ranking, "gpu"), cost_of(ranked(tiny_question(1), two_kinds()), "gpu")));
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "gpu") << "cheaper by the hour, dearer with its porting";
    ASSERT_EQ(ranking.assumptions.size(), 2U);
    EXPECT_EQ(ranking.assumptions[0].what, "porting");
    EXPECT_EQ(ranking.assumptions[1].what, "engineer_week");
    question.porting.ported = {DeviceKind::tpu};
    EXPECT_TRUE(is_close(cost_of(ranked(question, two_kinds()), "tpu"), bare));
    EXPECT_TRUE(ranked(question, two_kinds()).assumptions.empty());
}

TEST(RankPorting, TakesTheWeekThatIsStatedAndKnowsWhatRunsFromJax) {
    RankQuestion question = tiny_question(1);
    const double bare = cost_of(ranked(question, two_kinds()), "tpu");
    question.porting.assumes = true;
    question.work.finance.engineer_week_cost = 100;
    EXPECT_TRUE(is_close(cost_of(ranked(question, two_kinds()), "tpu"), bare + 6 * 100));
    question.work.workloads.front().framework = "jax";
    EXPECT_TRUE(is_close(cost_of(ranked(question, two_kinds()), "tpu"), bare));
    EXPECT_EQ(porting_weeks(DeviceKind::asic, "jax"), 6.0);
    EXPECT_EQ(porting_weeks(DeviceKind::gpu, ""), 0.0);
}

} // namespace
} // namespace costcurve::model
