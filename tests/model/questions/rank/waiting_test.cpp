// Plans sized so that requests which come at random keep the objectives.
#include <string>

#include <gtest/gtest.h>

#include "model/questions/rank/replicas.hpp"
#include "tests/model/questions/rank/catalogs.hpp"

namespace costcurve::tests {
namespace {

using namespace model;

RankQuestion chat(double requests_per_s, double ttft_s) {
    RankQuestion question = tiny_question(requests_per_s);
    question.work.workloads.front().slo.ttft_s = ttft_s;
    return question;
}

TEST(Waiting, APlanKeepsItsObjectiveInTheHighestHour) {
    const Ranking ranking = ranked(chat(40, 0.5), one_device());
    ASSERT_FALSE(ranking.plans.empty());
    const Replica replica = replicas_of(ranking.plans.front()).front();
    EXPECT_LE(replica.at_peak->ttft_s.value(), 0.5);
    EXPECT_GT(replica.at_peak->utilization, 0.2);
    EXPECT_LT(replica.at_peak->utilization, 1.0);
    EXPECT_EQ(replica.at_peak->percentile, 95.0);
    EXPECT_GT(replica.at_peak->e2e_s.value(), replica.at_peak->ttft_s.value() + 90 * replica.at_peak->itl_s.value() * 0.5);
}

TEST(Waiting, LessTimeTakesNoFewerReplicas) {
    int last = 0;
    for (const double seconds : {10.0, 1.0, 0.4, 0.3}) {
        const Ranking ranking = ranked(chat(100, seconds), one_device());
        ASSERT_FALSE(ranking.plans.empty()) << seconds;
        const int instances = ranking.plans.front().scenario.pools.front().max_instances;
        EXPECT_GE(instances, last) << seconds;
        last = instances;
    }
    RankQuestion without = tiny_question(100);
    EXPECT_LT(ranked(without, one_device()).plans.front().scenario.pools.front().max_instances, last);
}

TEST(Waiting, WhereNoDeviceKeepsTheObjectiveTheNearestIsNamed) {
    const Ranking ranking = ranked(chat(10, 0.001), one_device());
    EXPECT_TRUE(ranking.plans.empty());
    EXPECT_TRUE(excluded_for(ranking, "ineligible_latency"));
    ASSERT_TRUE(ranking.nearest);
    EXPECT_EQ(ranking.nearest->device, "fast");
    EXPECT_NEAR(ranking.nearest->times_over, ranking.nearest->ttft_s / 0.001, 1e-6);
    const double bound = ranking.nearest->ttft_s;
    EXPECT_TRUE(ranked(chat(0.001, 0.99 * bound), one_device()).plans.empty()) << "below what a request takes by itself";
    EXPECT_FALSE(ranked(chat(0.001, 1.2 * bound), one_device()).plans.empty());
}

} // namespace
} // namespace costcurve::tests
