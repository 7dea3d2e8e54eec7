// What can be decided, what plans take of limits, and what is said where no plan will do.
#include <gtest/gtest.h>

#include "model/questions/optimize/optimize.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using namespace costcurve::model;

// An owned pool of servers that serve one request/s each, and 4.5 requests/s.
Placed owned_of_five() {
    ScenarioDocument scenario = owned_scenario();
    scenario.workloads[0].demand.mean_per_s = 4.5;
    return {scenario, "/scenario"};
}

OptimizeQuestion servers(int min, int max) { return {{{"/pools/0/purchases/0/servers", min, max}}, Objective::cost, {}}; }

Failure why_not(const Placed& scenario, const OptimizeQuestion& question) {
    const auto optimum = optimize(scenario, question, {}, one_by_one());
    EXPECT_FALSE(optimum);
    return optimum ? Failure{{}} : optimum.error();
}

TEST(Optimize, TheFewestServersThatServeAllAreTheAnswerAndMoreAreRunnersUp) {
    const auto optimum = optimize(owned_of_five(), servers(0, 9), {}, one_by_one());
    ASSERT_TRUE(optimum);
    EXPECT_EQ(optimum->best.plan, Plan{5});
    ASSERT_EQ(optimum->runners_up.size(), 4U);
    EXPECT_EQ(optimum->runners_up[0].plan, Plan{6});
    EXPECT_EQ(optimum->evaluations, 10U);
    EXPECT_EQ(optimum->taken[0], 0.0);
    EXPECT_NEAR(optimum->taken[2], 5 * 36500, 1e-6);
    EXPECT_NEAR(optimum->taken[3], 5 * 0.6, 1e-12);
}

TEST(Optimize, WhatMayBeLeftUndoneIsLeftUndone) {
    OptimizeQuestion question = servers(0, 9);
    question.subject_to.max_unserved_fraction = 0.34; // 1.53 of 4.5 requests/s
    EXPECT_EQ(optimize(owned_of_five(), question, {}, one_by_one())->best.plan, Plan{3});
    question.subject_to.max_unserved_fraction.reset();
    EXPECT_EQ(optimize(owned_of_five(), question, {}, one_by_one())->best.plan, Plan{0});
}

TEST(Optimize, ALimitThatNoPlanKeepsIsNamedWithWhatIsReached) {
    struct Row {
        std::optional<double> Limits::*limit;
        double value;
        int max;
        const char* pointer;
        const char* says;
    };
    const Row rows[] = {
        {&Limits::max_unserved_fraction, 0.0, 3, "/subject_to/max_unserved_fraction", "is 0.333333 fraction"},
        {&Limits::max_capital, 100000, 9, "/subject_to", "each limit is kept by some plan, and all by none"},
        {&Limits::max_rack_kw, 2, 9, "/subject_to", "takes 0 fraction"},
    };
    for (const Row& row : rows) {
        OptimizeQuestion question = servers(0, row.max);
        question.subject_to.*row.limit = row.value;
        const Failure issues = why_not(owned_of_five(), question);
        EXPECT_EQ(issues[0].pointer, row.pointer);
        EXPECT_EQ(issues[0].code, Code::infeasible);
        EXPECT_NE(issues[0].message.find(row.says), std::string::npos) << issues[0].message;
    }
}

TEST(Optimize, WhatIsNoDecisionIsRefusedAtItsPlaceAllAtOnce) {
    const OptimizeQuestion question{{{"/pools/0/purchases/0/servers", 3, 1},
                                     {"/pools/0/max_instances", 0, 1},
                                     {"/pools/0/purchases/0/servers", 0, 1},
                                     {"/pools/0/purchases/0/month", 0, 1},
                                     {"/pools/0/purchases/1/servers", 0, 1}},
                                    Objective::cost,
                                    {}};
    std::vector<std::string> found;
    for (const Issue& issue : why_not(owned_of_five(), question)) {
        found.push_back(std::string(code_name(issue.code)) + " " + issue.pointer);
    }
    EXPECT_EQ(found, (std::vector<std::string>{"inconsistent /decide/0/min", "unknown_reference /decide/1/pointer",
                                               "duplicate /decide/2/pointer", "out_of_range /decide/3/max",
                                               "unknown_reference /decide/4/pointer"}));
}

TEST(Optimize, BothBoundsOfACommittedPoolAreOneDecision) {
    Placed scenario{cloud_scenario(), ""};
    Pool& pool = scenario.document.pools[0];
    pool.offer->purchase = Purchase::reserved;
    pool.min_instances = pool.max_instances = 1;
    scenario.document.workloads[0].demand.mean_per_s = 2.5;
    const OptimizeQuestion question{{{"/pools/0/max_instances", 0, 9}}, Objective::cost, {}};
    const auto optimum = optimize(scenario, question, {}, one_by_one());
    ASSERT_TRUE(optimum);
    EXPECT_EQ(optimum->best.plan, Plan{3});
    EXPECT_EQ(with_plan(scenario.document, optimum->decisions, optimum->best.plan).pools[0].min_instances, 3);
    OptimizeQuestion both = question;
    both.decide.push_back({"/pools/0/min_instances", 0, 9});
    EXPECT_EQ(why_not(scenario, both)[0].code, Code::duplicate);
}

TEST(Optimize, WaitingForServersThatGetCheaperIsWorthWhatRentCostsMeanwhile) {
    // Twelve months; a server that costs half after six, against a cloud that costs more than any of it by the month.
    Placed scenario{owned_scenario(), ""};
    scenario.document.months = 12;
    Pool cloud = cloud_scenario().pools[0];
    cloud.id = "cloud";
    scenario.document.pools.push_back(cloud);
    RunsOn burst = scenario.document.workloads[0].runs_on[0];
    burst.pool = "cloud";
    scenario.document.workloads[0].runs_on.push_back(burst);
    scenario.document.pools[0].server->price_change_rate = -0.75; // halves in six months
    const OptimizeQuestion question{
        {{"/pools/0/purchases/0/month", 0, 11}, {"/pools/0/purchases/0/servers", 0, 2}}, Objective::cost, {}};
    const auto month_of = [&](double hourly_price) {
        scenario.document.pools[1].offer->hourly_price = flat(hourly_price);
        const auto optimum = optimize(scenario, question, {}, one_by_one());
        return optimum->best.plan[1] == 0 ? 99 : optimum->best.plan[0];
    };
    EXPECT_EQ(month_of(10.0), 0) << "rent is dear: buy now";
    EXPECT_EQ(month_of(0.01), 99) << "rent is nearly free: never buy";
    const int between = month_of(0.9); // 657 a month, less than 760 for a server of now
    EXPECT_GT(between, 0);
    EXPECT_LT(between, 12);
}

TEST(Optimize, TheSameBitsWithAnyNumberOfWorkersInAnyOrder) {
    Placed scenario = owned_of_five();
    OptimizeQuestion question = servers(0, 60);
    question.decide.push_back({"/pools/0/purchases/0/month", -60, 0});
    OptimizeEffort effort;
    effort.exhaustive_plans = 0;
    const Runner backwards{16, [](std::size_t count, const Task& task) {
                               for (std::size_t i = count; i-- > 0;) {
                                   task(i % 16, i);
                               }
                               return true;
                           }};
    const auto one = optimize(scenario, question, effort, one_by_one());
    const auto many = optimize(scenario, question, effort, backwards);
    ASSERT_TRUE(one && many);
    EXPECT_EQ(one->best.plan, many->best.plan);
    EXPECT_EQ(one->best.objective, many->best.objective);
    EXPECT_EQ(one->bound, many->bound);
    EXPECT_EQ(one->evaluations, many->evaluations);
}

TEST(Optimize, ARunnerThatIsToldToStopGivesNoAnswer) {
    const Runner stopped{1, [](std::size_t, const Task&) { return false; }};
    EXPECT_FALSE(optimize(owned_of_five(), servers(0, 9), {}, stopped));
}

TEST(LinearBound, IsTheScreeningCurveWhereAServerAndRentDifferInFixedAndRunningCostAlone) {
    // Demand of 1, 2 … 24 requests/s by hour of the day; a device does 1 request/s. A server costs F a month, rent c an hour:
    // servers for devices that are busy for more than F / c hours of the month (the screening curve of generation planning),
    // rent for the others.
    Placed scenario{owned_scenario(), ""};
    Pool& owned = scenario.document.pools[0];
    owned.site->energy_price = flat(0);
    std::vector<double> x(24);
    std::vector<double> y(24);
    for (std::size_t h = 0; h < 24; ++h) {
        x[h] = static_cast<double>(h);
        y[h] = static_cast<double>(h + 1);
    }
    scenario.document.workloads[0].demand.shape = curve(CurveKind::demand, Axis::hour_of_day, x, y, Interpolation::step);
    Pool cloud = cloud_scenario().pools[0];
    cloud.id = "cloud";
    cloud.max_instances = 24;
    scenario.document.pools.push_back(cloud);
    RunsOn burst = scenario.document.workloads[0].runs_on[0];
    burst.pool = "cloud";
    scenario.document.workloads[0].runs_on.push_back(burst);
    const double fixed = 36500.0 / 48;
    const double rent = 3.6;
    // The k-th device is asked for in 25 - k hours a day of 31 days: own it while rent x 31 x (25 - k) > F.
    const int own = 25 - static_cast<int>(fixed / (rent * 31)) - 1;
    const auto optimum = optimize(scenario, {{{"/pools/0/purchases/0/servers", 0, 24}}, Objective::cost, {}}, {}, one_by_one());
    ASSERT_TRUE(optimum);
    EXPECT_EQ(optimum->best.plan, Plan{own});
    double least = own * fixed;
    for (int k = own + 1; k <= 24; ++k) {
        least += rent * 31 * (25 - k);
    }
    EXPECT_NEAR(optimum->best.objective, least, 1e-6);
    OptimizeEffort search;
    search.exhaustive_plans = 0;
    search.few_plans = 1;
    OptimizeQuestion exact{{{"/pools/0/purchases/0/servers", 0, 24}}, Objective::cost, {}, 1e-4};
    const auto bounded = optimize(scenario, exact, search, one_by_one());
    ASSERT_TRUE(bounded);
    EXPECT_EQ(bounded->bounds, 1U) << "the relaxed problem alone proves it";
    EXPECT_LT(bounded->gap_fraction, 1e-5);
}

} // namespace
} // namespace costcurve::tests
