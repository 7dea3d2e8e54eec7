// Instances beside what is always there: by hand, and under what the model itself runs.
#include "model/questions/optimize/burst_cuts.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using namespace costcurve::model;

// An owned pool of servers with one device, then instances of one device, for workloads of these demands in units/s.
ScenarioDocument own_and_rent(const std::vector<double>& demands, double own_rate, double rent_rate, Routing routing) {
    ScenarioDocument scenario = owned_scenario();
    Pool rent = cloud_scenario().pools[0];
    rent.id = "rent";
    rent.min_instances = 0;
    rent.max_instances = 50;
    scenario.pools.push_back(rent);
    const Workload work = scenario.workloads[0];
    scenario.workloads.clear();
    for (std::size_t w = 0; w < demands.size(); ++w) {
        Workload& next = scenario.workloads.emplace_back(work);
        next.id = "work-" + std::to_string(w);
        next.demand.mean_per_s = demands[w];
        next.routing = routing;
        next.runs_on.push_back(next.runs_on[0]);
        next.runs_on[1].pool = "rent";
        next.runs_on[0].performance->units_per_s = flat(own_rate);
        next.runs_on[1].performance->units_per_s = flat(rent_rate);
    }
    return scenario;
}

MonthPools both(int servers) { return {{false, true}, {servers, std::nullopt}}; }

double needed(const BurstCuts& cuts, int servers) {
    double most = 0.0;
    for (const BurstLine& line : cuts.lines) {
        most = std::max(most, line.least + (cuts.first == 0U ? line.first_slope : line.slope) * servers);
    }
    return most;
}

// 2.5 units/s at 1 a device: 3 instances beside no server, and one less for each server.
TEST(BurstCuts, AreWholeInstancesBesideWholeServers) {
    const Answer answer = evaluate_document(own_and_rent({2.5}, 1, 1, Routing::cheapest));
    const BurstCuts cuts = burst_cuts(answer.compiled, 0, both(4));
    EXPECT_FALSE(cuts.first) << "the cheapest route may begin anywhere";
    for (int servers = 0; servers <= 4; ++servers) {
        EXPECT_NEAR(needed(cuts, servers), std::max(0, 3 - servers), 1e-12);
    }
}

// Two workloads of 1.5: together 3 units/s, yet 2 + 2 replicas.
TEST(BurstCuts, RoundEachWorkloadUpByItself) {
    const Answer answer = evaluate_document(own_and_rent({1.5, 1.5}, 1, 1, Routing::cheapest));
    EXPECT_NEAR(needed(burst_cuts(answer.compiled, 0, both(6)), 0), 4, 1e-12);
}

// Servers do 3 units/s, instances 2. Demands of 3.5 and 3, and one server: any routing may give it to the second, which leaves two
// instances to the first; in order the first takes it, and 0.5 and 3 units/s take one and two.
TEST(BurstCuts, InOrderTheFirstWorkloadTakesTheServers) {
    const std::vector<double> demands = {3.5, 3};
    const Answer cheapest = evaluate_document(own_and_rent(demands, 3, 2, Routing::cheapest));
    const Answer in_order = evaluate_document(own_and_rent(demands, 3, 2, Routing::in_order));
    const BurstCuts any = burst_cuts(cheapest.compiled, 0, both(1));
    const BurstCuts ordered = burst_cuts(in_order.compiled, 0, both(1));
    EXPECT_NEAR(needed(any, 1), 2, 1e-12);
    EXPECT_EQ(ordered.first, 0U);
    EXPECT_NEAR(needed(ordered, 1), 3, 1e-12);
    EXPECT_NEAR(needed(ordered, 0), 4, 1e-12);
}

// Of the model's own dispatch, over numbers of servers.
TEST(BurstCuts, AreUnderWhatTheModelRuns) {
    for (const Routing routing : {Routing::in_order, Routing::cheapest}) {
        for (int seed = 1; seed <= 40; ++seed) {
            const double a = 0.3 + 0.37 * (seed % 11);
            const double b = 0.2 + 0.53 * (seed % 7);
            const double own = 0.7 + 0.11 * (seed % 5);
            ScenarioDocument scenario = own_and_rent({a, b}, own, 1, routing);
            for (int servers = 0; servers <= 6; ++servers) {
                scenario.pools[0].purchases[0].servers = servers;
                const Answer answer = evaluate_document(scenario);
                const double ran = answer.summary.by_category[static_cast<std::size_t>(Category::compute)].cost / 744 / 3.6;
                EXPECT_LE(needed(burst_cuts(answer.compiled, 0, both(6)), servers), ran + 1e-9) << seed << " " << servers;
            }
        }
    }
}

} // namespace
} // namespace costcurve::tests
