// Choices among values against brute force over all combinations and numbers.
#include "model/questions/optimize/choices.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/model/questions/random_plans.hpp"
#include "tests/support/affordable.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using namespace costcurve::model;

// Ways to do the same work: prices, terms, the month of a purchase, a lease or none; some break a rule, some can't do it.
std::vector<Placed> ways_of(const ScenarioDocument& scenario, std::uint64_t seed) {
    std::vector<ScenarioDocument> ways = {scenario};
    const auto each_also = [&](const auto& change) {
        const std::size_t before = ways.size();
        for (std::size_t i = 0; i < before; ++i) {
            ScenarioDocument changed = ways[i];
            change(changed);
            ways.push_back(std::move(changed));
        }
    };
    for (std::size_t p = 0; p < scenario.pools.size() && ways.size() < 8; ++p) {
        const bool cheaper = (seed + p) % 2 == 0;
        if (scenario.pools[p].kind == PoolKind::cloud) {
            each_also([&](ScenarioDocument& way) {
                way.pools[p].offer->hourly_price = flat(cheaper ? 1.0 : 12.0);
                way.pools[p].min_instances += seed % 3 == 0 ? 1000 : 0; // above the most: it breaks a rule
            });
        } else if (!scenario.pools[p].purchases.empty()) {
            each_also([&](ScenarioDocument& way) {
                ServerPurchase& purchase = way.pools[p].purchases.front();
                purchase.month = cheaper ? 0 : scenario.months - 1; // too late for the months before
                purchase.lease = std::nullopt;
                purchase.loan = std::nullopt;
            });
        }
    }
    std::vector<Placed> placed;
    placed.reserve(ways.size());
    for (ScenarioDocument& way : ways) {
        placed.push_back({std::move(way), ""});
    }
    return placed;
}

struct Brute {
    double least = HUGE_VAL;
    std::size_t feasible = 0, infeasible = 0, refused = 0;
};
Brute brute_force_all(const std::vector<Placed>& ways, const OptimizeQuestion& question) {
    Brute brute;
    for (const Placed& way : ways) {
        if (!issues_of(way.document).empty()) {
            ++brute.refused;
            continue;
        }
        const auto plans = brute_force({way.document, question});
        ++(plans.empty() ? brute.infeasible : brute.feasible);
        for (const auto& [plan, objective] : plans) {
            brute.least = std::min(brute.least, objective);
        }
    }
    return brute;
}

template <class Visit> void for_each_choice(Visit visit, std::uint64_t problems) {
    std::uint64_t visited = 0;
    for (std::uint64_t seed = 1; visited < problems; ++seed) {
        const RandomProblem problem = random_problem(seed);
        if (issues_of(problem.scenario).empty() && !problem.question.decide.empty()) {
            ++visited;
            SCOPED_TRACE(seed);
            visit(ways_of(problem.scenario, seed), problem.question);
        }
    }
}

TEST(Choices, EqualBruteForceOverAllCombinationsAndNumbers) {
    std::size_t refused = 0;
    std::size_t infeasible = 0;
    for_each_choice(
        [&](const std::vector<Placed>& ways, const OptimizeQuestion& question) {
            const Brute brute = brute_force_all(ways, question);
            const auto chosen = optimize_combinations(ways, question, {}, one_by_one());
            ASSERT_EQ(chosen.has_value(), brute.feasible > 0);
            if (!chosen) {
                return;
            }
            const CombinationCounts& counts = chosen->counts;
            EXPECT_NEAR(chosen->optimum.best.objective, brute.least, 1e-9 * std::abs(brute.least));
            EXPECT_LE(chosen->optimum.bound, brute.least + 1e-9 * std::abs(brute.least));
            EXPECT_EQ(counts.refused, brute.refused);
            EXPECT_LE(counts.infeasible, brute.infeasible) << "the others were cut, or not proven";
            EXPECT_EQ(counts.examined + counts.cut + counts.infeasible + counts.refused, ways.size());
            EXPECT_EQ(counts.stated, ways.size());
            const auto best = brute_force({ways[chosen->optimum.best.combination].document, question});
            EXPECT_EQ(best.at(chosen->optimum.best.plan), chosen->optimum.best.objective);
            refused += counts.refused;
            infeasible += counts.infeasible;
        },
        affordable(80));
    EXPECT_GE(refused, affordable(10));
    EXPECT_GT(infeasible, affordable(2));
}

TEST(Choices, BranchAndBoundOfEachWithWhatOthersFoundEqualsBruteForce) {
    std::size_t cut = 0;
    for_each_choice(
        [&](const std::vector<Placed>& ways, const OptimizeQuestion& asked) {
            const Brute brute = brute_force_all(ways, asked);
            OptimizeQuestion question = asked;
            question.gap = 0.0;
            OptimizeEffort effort;
            effort.exhaustive_plans = 0;
            effort.few_plans = 1;
            const auto chosen = optimize_combinations(ways, question, effort, one_by_one());
            ASSERT_EQ(chosen.has_value(), brute.feasible > 0);
            if (chosen) {
                EXPECT_NEAR(chosen->optimum.best.objective, brute.least, 1e-9 * std::abs(brute.least));
                EXPECT_LE(chosen->optimum.bound, brute.least + 1e-9 * std::abs(brute.least));
                cut += chosen->counts.cut;
            }
        },
        affordable(60));
    EXPECT_GT(cut, affordable(10));
}

// Rent at 3.6 an hour and at 0.01 an hour that comes in the last month alone: it can't do the work.
TEST(Choices, AChoiceThatCanNotDoTheWorkNeverWins) {
    ScenarioDocument scenario = cloud_scenario();
    scenario.months = 3;
    ScenarioDocument late = scenario;
    late.pools[0].offer->hourly_price = flat(0.01);
    late.pools[0].from_month = 2;
    OptimizeQuestion question;
    question.decide = {{"/pools/0/max_instances", 0, 4}};
    const auto chosen = optimize_combinations({{late, ""}, {scenario, ""}}, question, {}, one_by_one());
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->optimum.best.combination, 1U);
    EXPECT_NEAR(chosen->optimum.best.objective, (31 + 28 + 31) * 24 * 3.6, 1e-6);
    EXPECT_EQ(chosen->counts.infeasible, 1U);
    EXPECT_EQ(chosen->counts.examined, 1U);
    const auto none = optimize_combinations({{late, ""}, {late, ""}}, question, {}, one_by_one());
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().front().code, Code::infeasible);
}

TEST(Choices, OtherWorkIsNotCompared) {
    const ScenarioDocument scenario = cloud_scenario();
    ScenarioDocument less = scenario;
    less.workloads[0].demand.mean_per_s = 0.5;
    OptimizeQuestion question;
    question.decide = {{"/pools/0/max_instances", 0, 4}};
    const auto refused = optimize_combinations({{scenario, ""}, {less, ""}}, question, {}, one_by_one());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().pointer, "/decide");
    EXPECT_EQ(refused.error().front().code, Code::inconsistent);
    EXPECT_NE(refused.error().front().message.find("demand"), std::string::npos) << refused.error().front().message;
}

TEST(Choices, EveryCombinationThatBreaksARuleIsCountedWithItsReason) {
    const ScenarioDocument scenario = cloud_scenario();
    ScenarioDocument broken = scenario;
    broken.pools[0].min_instances = 1000;
    OptimizeQuestion question;
    question.decide = {{"/pools/0/max_instances", 0, 4}};
    const auto chosen = optimize_combinations({{broken, ""}, {scenario, ""}, {broken, ""}}, question, {}, one_by_one());
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->optimum.best.combination, 1U);
    ASSERT_EQ(chosen->counts.reasons.size(), 1U);
    EXPECT_EQ(chosen->counts.reasons[0].count, 2U);
    EXPECT_EQ(chosen->counts.reasons[0].issue.pointer, "/pools/0/min_instances");
    EXPECT_FALSE(optimize_combinations({{broken, ""}}, question, {}, one_by_one()));
}

// Without numbers a combination is one plan.
TEST(Choices, MayBeAllThatIsDecided) {
    ScenarioDocument scenario = cloud_scenario();
    ScenarioDocument cheaper = scenario;
    cheaper.pools[0].offer->hourly_price = flat(2);
    const auto chosen = optimize_combinations({{scenario, ""}, {cheaper, ""}}, {}, {}, one_by_one());
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->optimum.best.combination, 1U);
    EXPECT_EQ(chosen->optimum.best.plan, Plan());
    EXPECT_EQ(chosen->optimum.proof, Proof::exhaustive);
    ASSERT_EQ(chosen->optimum.runners_up.size(), 1U);
    EXPECT_EQ(chosen->optimum.runners_up[0].combination, 0U);
}

} // namespace
} // namespace costcurve::tests
