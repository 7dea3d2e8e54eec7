// The optimizer against brute force: its answers are the best, its bounds are under them, its refusals are right.
#include "model/questions/optimize/optimize.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "model/questions/optimize/bound.hpp"
#include "tests/model/questions/random_plans.hpp"
#include "tests/support/affordable.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using namespace costcurve::model;

constexpr std::uint64_t kProblems = affordable(500);

double least_of(const std::map<Plan, double>& objectives) {
    double least = HUGE_VAL;
    for (const auto& [plan, objective] : objectives) {
        least = std::min(least, objective);
    }
    return least;
}

/// The problems whose scenario is valid and has something to decide, until `problems` were visited.
template <class Visit> void for_each_problem(Visit visit, std::uint64_t problems = kProblems) {
    std::uint64_t visited = 0;
    for (std::uint64_t seed = 1; visited < problems; ++seed) {
        const RandomProblem problem = random_problem(seed);
        if (issues_of(problem.scenario).empty() && !problem.question.decide.empty()) {
            ++visited;
            SCOPED_TRACE(seed);
            visit(problem, seed);
        }
    }
}

// After a tax none is known.
bool has_bound(const RandomProblem& problem) {
    return problem.question.minimize != Objective::npv_after_tax || problem.scenario.finance.tax_rate == 0.0;
}

OptimizeEffort search_only() {
    OptimizeEffort effort;
    effort.exhaustive_plans = 0;
    effort.few_plans = 1;
    return effort;
}

TEST(LinearBound, IsUnderTheBestOfEveryBoxOf500RandomProblems) {
    double gaps = 0.0;
    int bounded = 0;
    for_each_problem([&](const RandomProblem& problem, std::uint64_t seed) {
        const std::map<Plan, double> all = brute_force(problem);
        const auto decisions = bind_decisions(problem.scenario, problem.question.decide);
        ASSERT_TRUE(decisions);
        const Scenario scenario = make_scenario(problem.scenario).value();
        const auto linear =
            bound_of(scenario, *decisions, problem.question.minimize, problem.question.subject_to, seed % 2 == 0 ? 400 : 12);
        if (!linear) {
            return;
        }
        Box box;
        for (const Decision& decision : *decisions) {
            box.low.push_back(decision.min);
            box.high.push_back(decision.max);
        }
        for (std::size_t part = 0; part <= decisions->size(); ++part) {
            std::map<Plan, double> inside = all;
            std::erase_if(inside, [&](const auto& entry) {
                for (std::size_t d = 0; d < box.low.size(); ++d) {
                    if (entry.first[d] < box.low[d] || entry.first[d] > box.high[d]) {
                        return true;
                    }
                }
                return false;
            });
            const Bound bound = linear->solve(box);
            ASSERT_NE(bound.status, LinearProgram::Status::gave_up);
            if (!inside.empty()) {
                ASSERT_EQ(bound.status, LinearProgram::Status::solved) << "a plan of the box keeps the limits";
                const double least = least_of(inside);
                EXPECT_LE(bound.value, least + 1e-9 * std::abs(least));
                if (part == 0 && least > 0) {
                    gaps += (least - bound.value) / least;
                    ++bounded;
                }
            }
            if (part < decisions->size()) { // a smaller box, then one smaller still
                (seed % 3 == 0 ? box.low : box.high)[part] = (box.low[part] + box.high[part]) / 2;
            }
        }
    });
    RecordProperty("mean_gap_percent", static_cast<int>(std::lround(100 * gaps / bounded)));
    std::printf("mean gap at the root: %.1f %% of %d problems\n", 100 * gaps / bounded, bounded);
}

// What a reserved term that the horizon cuts still owes is paid at its present value, in the cash too.
TEST(LinearBound, OfCashOwesCutTermsAtTheirPresentValue) {
    for (const std::uint64_t seed : {968U, 3744U}) { // reserved for longer than the horizon, which is left at its end
        SCOPED_TRACE(seed);
        const RandomProblem problem = random_problem(seed);
        ASSERT_EQ(problem.question.minimize, Objective::cash);
        const auto decisions = bind_decisions(problem.scenario, problem.question.decide);
        ASSERT_TRUE(decisions);
        const auto linear =
            bound_of(make_scenario(problem.scenario).value(), *decisions, Objective::cash, problem.question.subject_to, 400);
        ASSERT_TRUE(linear);
        for (const auto& [plan, objective] : brute_force(problem)) {
            EXPECT_LE(linear->solve({plan, plan}).value, objective * (1 + 1e-9));
        }
    }
}

TEST(LinearBound, AWorkloadThatRunsNowhereIsLeftUnserved) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        RandomProblem problem = random_problem(seed);
        Workload nowhere = problem.scenario.workloads.back();
        nowhere.id = "nowhere";
        nowhere.kind = WorkloadKind::inference;
        nowhere.demand.mean_per_s = 1.0;
        nowhere.runs_on.clear();
        problem.scenario.workloads.push_back(nowhere);
        const auto decisions = bind_decisions(problem.scenario, problem.question.decide);
        if (issues_of(problem.scenario).empty() && decisions) {
            static_cast<void>(bound_of(make_scenario(problem.scenario).value(), *decisions, Objective::cost, {}, 12));
        }
    }
}

TEST(Optimize, EqualsBruteForceOn500RandomProblems) {
    for_each_problem([](const RandomProblem& problem, std::uint64_t) {
        const std::map<Plan, double> all = brute_force(problem);
        const Result<Optimum> optimum = optimize({problem.scenario, ""}, problem.question, {}, one_by_one());
        ASSERT_EQ(optimum.has_value(), !all.empty());
        if (optimum) {
            const double least = least_of(all);
            EXPECT_EQ(optimum->proof, Proof::exhaustive);
            EXPECT_NEAR(optimum->best.objective, least, 1e-9 * std::abs(least));
            EXPECT_EQ(optimum->bound, optimum->best.objective);
            EXPECT_EQ(all.at(optimum->best.plan), optimum->best.objective);
        }
    });
}

TEST(Optimize, BranchAndBoundEqualsBruteForceOn500RandomProblems) {
    for_each_problem([](const RandomProblem& problem, std::uint64_t) {
        const std::map<Plan, double> all = brute_force(problem);
        OptimizeQuestion question = problem.question;
        question.gap = 0.0;
        const Result<Optimum> optimum = optimize({problem.scenario, ""}, question, search_only(), one_by_one());
        ASSERT_EQ(optimum.has_value(), !all.empty());
        if (optimum) {
            const double least = least_of(all);
            EXPECT_NEAR(optimum->best.objective, least, 1e-9 * std::abs(least));
            EXPECT_EQ(optimum->proof, has_bound(problem) ? Proof::linear_bound : Proof::none);
            EXPECT_LE(optimum->gap_fraction, has_bound(problem) ? 1e-9 : HUGE_VAL);
        }
    });
}

TEST(Optimize, AGapThatIsAllowedIsKept) {
    for_each_problem(
        [](const RandomProblem& problem, std::uint64_t) {
            const std::map<Plan, double> all = brute_force(problem);
            OptimizeQuestion question = problem.question;
            question.gap = 0.05;
            const Result<Optimum> optimum = optimize({problem.scenario, ""}, question, search_only(), one_by_one());
            ASSERT_EQ(optimum.has_value(), !all.empty());
            if (optimum) {
                const double least = least_of(all);
                EXPECT_LE(optimum->bound, least + 1e-9 * std::abs(least));
                EXPECT_LE(optimum->gap_fraction, has_bound(problem) ? 0.05 + 1e-9 : HUGE_VAL);
            }
        },
        100);
}

// economics.md, A3: "all to Lambda, zero carbon, proven".
TEST(Optimize, CarbonThatIsNotKnownIsNeitherMinimisedNorLimited) {
    ScenarioDocument scenario = owned_scenario();
    scenario.pools.push_back(cloud_scenario().pools[0]);
    scenario.pools[1].id = "rent";
    OptimizeQuestion question;
    question.decide = {{"/pools/0/purchases/0/servers", 0, 3}};
    question.minimize = Objective::carbon_kg;
    const auto refused = [&] {
        const Result<Optimum> optimum = optimize({scenario, "/scenario"}, question, search_only(), one_by_one());
        std::string found;
        for (std::size_t i = 0; !optimum && i < optimum.error().size(); ++i) {
            found += optimum.error()[i].pointer + " ";
        }
        return found;
    };
    EXPECT_EQ(refused(), "/scenario/pools/0 /scenario/pools/1 ");
    scenario.pools[0].site->carbon_g_per_kwh = flat(400);
    EXPECT_EQ(refused(), "/scenario/pools/1 ");
    question.minimize = Objective::cost;
    EXPECT_EQ(refused(), "");
    question.subject_to.max_carbon_kg = 1e9;
    EXPECT_EQ(refused(), "/scenario/pools/1 ");
    scenario.pools[1].offer->site = scenario.pools[0].site;
    EXPECT_EQ(refused(), "");
}

// Each objective finds its own plan: energy is known where a site is stated, and a tax leaves no bound.
TEST(Optimize, MinimisesWhateverDecides) {
    ScenarioDocument scenario = owned_scenario();
    scenario.pools.push_back(cloud_scenario().pools[0]);
    scenario.pools[1].id = "rent";
    scenario.workloads[0].runs_on.push_back(scenario.workloads[0].runs_on[0]);
    scenario.workloads[0].runs_on[1].pool = "rent";
    OptimizeQuestion question;
    question.decide = {{"/pools/0/purchases/0/servers", 0, 3}};
    question.minimize = Objective::energy_kwh;
    EXPECT_FALSE(optimize({scenario, ""}, question, search_only(), one_by_one())) << "of rent it is not known";
    scenario.pools[1].offer->site = scenario.pools[0].site;
    scenario.finance.discount_rate = 0.1;
    scenario.finance.tax_rate = 0.3;
    for (const Objective objective :
         {Objective::cost, Objective::cash, Objective::npv, Objective::npv_after_tax, Objective::energy_kwh}) {
        question.minimize = objective;
        const Result<Optimum> optimum = optimize({scenario, ""}, question, search_only(), one_by_one());
        ASSERT_TRUE(optimum);
        for (int servers = 0; servers <= 3; ++servers) {
            scenario.pools[0].purchases[0].servers = servers;
            const Summary summary = evaluate_document(scenario).summary;
            EXPECT_LE(optimum->best.objective, *figure_of(summary, objective) * (1 + 1e-12));
        }
        EXPECT_EQ(std::isfinite(optimum->bound), objective != Objective::energy_kwh && objective != Objective::npv_after_tax);
    }
}

// economics.md, A1: the site of an empty pool had 157500 of staff and network, and hardware was bought to use it.
TEST(Optimize, EmptyPoolBearsNothingOfItsSite) {
    ScenarioDocument scenario = owned_scenario();
    scenario.months = 36;
    Pool& own = scenario.pools[0];
    own.purchases[0].servers = 0;
    own.site->fte = 0.125;
    own.site->salary_per_year = 180000;
    own.site->network_per_month = 2500;
    scenario.pools.push_back(cloud_scenario().pools[0]); // about 26304 hours at 3.6
    scenario.pools[1].id = "rent";
    scenario.workloads[0].runs_on.push_back(scenario.workloads[0].runs_on[0]);
    scenario.workloads[0].runs_on[1].pool = "rent";
    OptimizeQuestion question;
    question.decide = {{"/pools/0/purchases/0/servers", 0, 3}};
    const auto found = brute_force({scenario, question});
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(least_of(found), found.at({0})) << "157500 of a site against 94694 of rent";
    EXPECT_NEAR(found.at({0}), 26304 * 3.6, 1);
    EXPECT_GT(found.at({1}), 157500);
}

} // namespace
} // namespace costcurve::tests
