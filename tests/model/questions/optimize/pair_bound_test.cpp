// Bounds of plans in which prompts are read on one pool and answers written on another, against brute force.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "model/questions/optimize/bound.hpp"
#include "model/questions/optimize/optimize.hpp"
#include "tests/model/questions/random_plans.hpp"
#include "tests/support/affordable.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using namespace costcurve::model;

// The problem with pairs in place of what inference runs on, where that has two pools of devices.
std::size_t make_pairs(ScenarioDocument& scenario) {
    std::size_t pairs = 0;
    for (Workload& workload : scenario.workloads) {
        workload.routing = Routing::in_order;
        std::vector<RunsOn> devices = workload.runs_on;
        std::erase_if(devices, [](const RunsOn& entry) { return !entry.performance; });
        if (workload.kind != WorkloadKind::inference || devices.size() < 2) {
            continue;
        }
        devices.resize(2);
        for (RunsOn& entry : devices) {
            entry.share.reset();
        }
        devices[0].phase = Phase::prefill;
        devices[0].cache_bytes_per_token = 1e5;
        devices[0].link_gb_per_s = 50.0;
        devices[1].phase = Phase::decode;
        workload.runs_on = devices;
        const double units = workload.units_per_request.total;
        workload.units_per_request.split = true;
        workload.units_per_request.input = 0.75 * units + 2;
        workload.units_per_request.output = 0.25 * units + 2;
        ++pairs;
    }
    return pairs;
}

TEST(LinearBound, OfPairsIsUnderTheBestPlan) {
    std::size_t bounded = 0;
    double gaps = 0.0;
    for (std::uint64_t seed = 1; bounded < affordable(100) && seed < 3000; ++seed) {
        RandomProblem problem = random_problem(seed);
        if (problem.question.decide.empty() || make_pairs(problem.scenario) == 0 || !issues_of(problem.scenario).empty()) {
            continue;
        }
        SCOPED_TRACE(seed);
        const std::map<Plan, double> all = brute_force(problem);
        const auto decisions = bind_decisions(problem.scenario, problem.question.decide);
        ASSERT_TRUE(decisions);
        const Scenario scenario = make_scenario(problem.scenario).value();
        const auto linear = bound_of(scenario, *decisions, problem.question.minimize, problem.question.subject_to, 12);
        if (!linear || all.empty()) {
            continue;
        }
        Box box;
        for (const Decision& decision : *decisions) {
            box.low.push_back(decision.min);
            box.high.push_back(decision.max);
        }
        const Bound bound = linear->solve(box);
        ASSERT_EQ(bound.status, LinearProgram::Status::solved);
        const double least = std::ranges::min_element(all, {}, [](const auto& entry) { return entry.second; })->second;
        EXPECT_LE(bound.value, least + 1e-9 * std::abs(least));
        gaps += least > 0 ? (least - bound.value) / least : 0.0;
        ++bounded;
    }
    EXPECT_GE(bounded, affordable(40));
    std::printf("mean gap at the root: %.1f %% of %zu problems\n", 100 * gaps / static_cast<double>(bounded), bounded);
}

} // namespace
} // namespace costcurve::tests
