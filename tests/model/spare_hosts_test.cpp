// Hosts that stand by for those of a gang (model.md, Goodput): against gangs whose hosts fail and come back one by one.
#include <queue>
#include <random>

#include <gtest/gtest.h>

#include "model/performance/goodput.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::evaluate_document;
using tests::is_close;

struct SpareCase {
    int hosts, spares;
    double failures_per_hour, repair_hours;
};

// A gang of one device a host; it goes on where it is interrupted, `restart_s` after it has all of its hosts.
ScenarioDocument gang_of(const SpareCase& gang) {
    ScenarioDocument document = tests::training_scenario();
    document.pools[0].max_instances = gang.hosts + gang.spares;
    document.pools[0].offer->interruptions_per_hour = gang.failures_per_hour;
    document.pools[0].offer->replacement_s = 3600 * gang.repair_hours;
    Workload& work = document.workloads[0];
    work.runs_on[0].performance->devices = gang.hosts;
    work.checkpoint.restart_s = 600;
    work.spare_hosts = gang.spares;
    return document;
}

// The part of the time in which it works: all hosts fail, those that stand by too; each is away for the same time.
double drawn_share(const SpareCase& gang, double hours) {
    std::mt19937_64 engine(11);
    std::exponential_distribution<double> until_next(gang.failures_per_hour * (gang.hosts + gang.spares));
    std::uniform_real_distribution<double> unit;
    std::priority_queue<double, std::vector<double>, std::greater<>> back; // when those in repair are
    double works = 0.0;
    double starts = 0.0; // when it works again
    for (double now = 0.0; now < hours;) {
        const double next = now + until_next(engine);
        works += std::max(0.0, next - std::max(now, starts));
        now = next;
        while (!back.empty() && back.top() <= now) {
            back.pop();
        }
        const int up = gang.hosts + gang.spares - static_cast<int>(back.size());
        if (unit(engine) * (gang.hosts + gang.spares) >= up) {
            continue; // it is away already
        }
        const bool is_working_one = unit(engine) * up < gang.hosts;
        back.push(now + gang.repair_hours);
        if (is_working_one) {
            const double whole = up - 1 >= gang.hosts ? now : back.top(); // waits for the first that is back
            starts = std::max(starts, whole + 600.0 / 3600);
        }
    }
    return works / hours;
}

TEST(SpareHosts, LeaveAGangAsMuchAsDrawnOnesHave) {
    for (const SpareCase& gang : {SpareCase{128, 0, 1.6e-4, 1}, SpareCase{128, 1, 1.6e-4, 1}, SpareCase{128, 2, 1.6e-4, 1},
                                  SpareCase{2048, 3, 1.6e-4, 1}, SpareCase{8, 1, 1.6e-4, 48}, SpareCase{64, 3, 2e-4, 48}}) {
        const ScenarioDocument document = gang_of(gang);
        const double share = interruptions_of(document.workloads[0], document.pools[0], gang.hosts).goodput;
        EXPECT_NEAR(share, drawn_share(gang, 2e6), 0.02) << gang.hosts << " hosts, " << gang.spares << " spares";
    }
}

TEST(SpareHosts, AreHeldAndPaidWhileTheGangRuns) {
    const SpareCase gang{4, 0, 0, 1};
    const double alone = evaluate_document(gang_of(gang)).summary.total.cost;
    ScenarioDocument document = gang_of({4, 2, 0, 1});
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, alone * 6 / 4)) << "nothing fails";
    document.pools[0].max_instances = 5;
    const Summary without_room = evaluate_document(document).summary;
    EXPECT_FALSE(without_room.is_feasible());
    EXPECT_TRUE(std::ranges::any_of(without_room.warnings, [](const Issue& issue) { return issue.code == Code::no_capacity; }));
    document.pools[0].max_instances = 6;
    document.pools[0].offer->devices = 8;
    document.pools[0].offer->hourly_price = tests::flat(8 * 3.6);
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, alone * 8 / 4 * 3))
        << "whole hosts: one, and two that stand by";
}

TEST(SpareHosts, WaitByHand) {
    const ScenarioDocument document = gang_of({8, 1, 0.001, 48});
    EXPECT_TRUE(is_close(waits_for_repair(document.workloads[0], document.pools[0], 8), 1 - std::exp(-0.001 * 9 * 48)));
    const ScenarioDocument two = gang_of({8, 2, 0.001, 48});
    EXPECT_TRUE(is_close(waits_for_repair(two.workloads[0], two.pools[0], 8), 1 - std::exp(-0.48) * 1.48));
}

} // namespace
} // namespace costcurve::model
