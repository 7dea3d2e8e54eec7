// The highest arrivals that a replica keeps its limits at: they hold there, and one of them no longer a step above.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "model/queueing/replica_queue.hpp"

namespace costcurve::model {
namespace {

TEST(HighestArrivals, AreTheLastThatKeepTheLimits) {
    std::mt19937_64 random(7);
    const auto draw = [&](double low, double high) {
        return low * std::pow(high / low, std::uniform_real_distribution<double>()(random));
    };
    constexpr double kLate = 0.05;
    int bound = 0;
    for (int i = 0; i < 400; ++i) {
        QueueServer server;
        const int slots = static_cast<int>(draw(1, 300));
        const double step = draw(0.002, 0.1);
        for (int n = 0; n < slots; ++n) {
            server.step_s.push_back(step * (1.0 + 0.01 * n));
        }
        server.requests = {{0.6, draw(0.001, 5.0), draw(1, 2000)}, {0.4, draw(0.001, 0.5), draw(1, 200)}};
        const QueueLimits limits{draw(0.01, 20), draw(0.01, 1), draw(1, 300), 100.0 * (1.0 - kLate)};
        const ReplicaQueue queue(server);
        const double highest = queue.highest_per_s(limits);
        const auto holds = [&](double per_s) {
            return queue.late(QueueTime::ttft, *limits.ttft_s, per_s) <= kLate * (1 + 1e-9) &&
                   queue.late(QueueTime::itl, *limits.itl_s, per_s) <= kLate * (1 + 1e-9) &&
                   queue.late(QueueTime::e2e, *limits.e2e_s, per_s) <= kLate * (1 + 1e-9);
        };
        const double above = highest + 1e-9 * queue.largest_per_s();
        EXPECT_TRUE(highest == 0.0 || holds(highest)) << i;
        EXPECT_TRUE(above >= queue.largest_per_s() || !holds(above)) << i;
        bound += highest > 0.0 && above < queue.largest_per_s() ? 1 : 0;
    }
    EXPECT_GT(bound, 100) << "servers with limits that bind";
}

} // namespace
} // namespace costcurve::model
