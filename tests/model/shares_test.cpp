// Work in stated shares: each entry is asked for its own, then for what the others could not serve (model.md, "Shares").
#include "model/dispatch/dispatch.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::cloud_scenario;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::issues_of;

constexpr double kShareHours = 744;
constexpr double kShareSeconds = kShareHours * 3600;

// Pools like the scenario's, one an entry, of replicas of 10 units/s on one device.
ScenarioDocument shared(ScenarioDocument document, const std::vector<double>& shares) {
    const Pool pool = document.pools[0];
    Workload& work = document.workloads[0];
    const RunsOn first = work.runs_on[0];
    document.pools.clear();
    work.runs_on.clear();
    for (std::size_t e = 0; e < shares.size(); ++e) {
        document.pools.push_back(pool);
        document.pools[e].id = std::string(1, static_cast<char>('a' + e));
        work.runs_on.push_back(first);
        work.runs_on[e].pool = document.pools[e].id;
        work.runs_on[e].performance->units_per_s = flat(10);
        work.runs_on[e].share = shares[e];
    }
    return document;
}

ScenarioDocument shared_demand(const std::vector<double>& shares, double demand) {
    ScenarioDocument document = shared(cloud_scenario(), shares);
    document.workloads[0].demand.mean_per_s = demand;
    return document;
}

TEST(Shares, GoToTheirEntries) {
    const Answer answer = evaluate_document(shared_demand({0.75, 0.25}, 40));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 30 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 10 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 3 * kShareHours));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 1, 0), 1 * kShareHours));
}

// a is asked for 14 and has 10; b is asked for 6, then for 4: 10 together are one replica, where 6 and 4 apart would be two.
TEST(Shares, OfAnEntryThatIsFullFillReplicasOfTheOthers) {
    ScenarioDocument document = shared_demand({0.7, 0.3}, 20);
    document.pools[0].max_instances = 1;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 10 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 1, 0), kShareHours));
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_unserved, 0));
    // of 30: a 10 of 21, b 9 and then 11 more of the 11 that a left, in two replicas
    document.workloads[0].demand.mean_per_s = 30;
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.served(0, 1), 20 * kShareSeconds));
}

// Of 60: a 30, b 10 of 15, c 15. b's 5 are asked of a, the first in the list, in a fourth replica; c is not asked.
TEST(Shares, ThatFindNoRoomGoToTheFirstOfTheList) {
    ScenarioDocument document = shared_demand({0.5, 0.25, 0.25}, 60);
    document.pools[1].max_instances = 1;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 35 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 10 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 2), 15 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 4 * kShareHours));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 2, 0), 2 * kShareHours));
}

// In a burst of six minutes an hour 40, else 1: halves are 20 and 0.5, two replicas each for all of the hour.
TEST(Shares, HoldWhatTheirPartOfABurstNeeds) {
    ScenarioDocument document = shared_demand({0.5, 0.5}, 4.9);
    document.workloads[0].demand.burst = Burst{40 / 4.9, 360, 24};
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 2.45 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 2 * kShareHours));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 1, 0), 2 * kShareHours));
    // a has one: it leaves 10 of the burst, and b holds three for 30 then.
    document.pools[0].max_instances = 1;
    const Answer full = evaluate_document(document);
    EXPECT_TRUE(is_close(full.ledger.served(0, 0), 1.45 * kShareSeconds));
    EXPECT_TRUE(is_close(full.ledger.served(0, 1), 3.45 * kShareSeconds));
    EXPECT_TRUE(is_close(full.ledger.reserved_hours(0, 1, 0), 3 * kShareHours));
}

// Replicas of a are up in 0.8 of their time.
TEST(Shares, ThatOutagesLeaveAreAskedOfTheOthers) {
    ScenarioDocument document = shared_demand({0.5, 0.5}, 24);
    document.workloads[0].checkpoint.restart_s = 3600;
    document.pools[0].offer->interruptions_per_hour = 0.25;
    const Answer answer = evaluate_document(document);
    // a: two for 12: 0.64 x 12 + 0.32 x 10 = 10.88. Its 1.12 are asked of b in 0.36 of the time, so in all of it: 13.12 are two.
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 10.88 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 13.12 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 1, 0), 2 * kShareHours));
    EXPECT_TRUE(is_close(answer.ledger.lost(0, 0), 0));
}

TEST(Shares, OfTrainingAreOfTheMonthsWork) {
    ScenarioDocument document = shared(tests::training_scenario(), {0.25, 0.75});
    document.workloads[0].units_per_epoch = 36000; // an hour of a gang of 10 units/s
    document.workloads[0].epochs_per_month = flat(1600);
    document.pools[0].max_instances = document.pools[1].max_instances = 1;
    const Answer full = evaluate_document(document); // 400 and 1200; b has 744, and a 344 more: 1488 of 1600
    EXPECT_TRUE(is_close(full.ledger.reserved_hours(0, 0, 0), 744));
    EXPECT_TRUE(is_close(full.ledger.reserved_hours(0, 1, 0), 744));
    document.workloads[0].epochs_per_month = flat(1000); // 250 and 750: 6 of b's go to a
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 256));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 1, 0), 744));
    EXPECT_EQ(answer.summary.workloads[0].units_unserved, 0.0);
    // The next month's work with its backlog: 112 and 1600 are 428 and 1284; February has 672 hours.
    document.months = 2;
    document.workloads[0].epochs_per_month = flat(1600);
    const Answer two = evaluate_document(document);
    EXPECT_TRUE(is_close(two.ledger.backlog(0, 0), 112 * 36000.0));
    EXPECT_TRUE(is_close(two.summary.workloads[0].units_unserved, (1712 - 1344) * 36000.0));
}

TEST(Shares, ThatDontAddUpSayWhatToDo) {
    EXPECT_EQ(issues_of(shared_demand({0.5, 0.4}, 1)), (std::vector<std::string>{"inconsistent /workloads/0/runs_on"}));
    EXPECT_TRUE(issues_of(shared_demand({0.1, 0.2, 0.7}, 1)).empty()) << "rounding";
    ScenarioDocument some = shared_demand({0.5, 0.5}, 1);
    some.workloads[0].runs_on[1].share.reset();
    EXPECT_EQ(issues_of(some), (std::vector<std::string>{"missing /workloads/0/runs_on/1/share"}));
    ScenarioDocument cheapest = shared_demand({0.5, 0.5}, 1);
    cheapest.workloads[0].routing = Routing::cheapest;
    EXPECT_EQ(issues_of(cheapest), (std::vector<std::string>{"not_allowed /workloads/0/routing"}));
    ScenarioDocument run = shared(tests::training_scenario(), {0.5, 0.5});
    run.workloads[0].epochs_per_month.reset();
    run.workloads[0].epochs = 3;
    EXPECT_EQ(issues_of(run), (std::vector<std::string>{"not_allowed /workloads/0/runs_on/0/share"}));
}

// Beside a workload that goes to the cheapest it stays as it is.
TEST(Shares, StayBesideTheCheapest) {
    ScenarioDocument document = shared_demand({0.75, 0.25}, 40);
    document.workloads.push_back(document.workloads[0]);
    Workload& other = document.workloads[1];
    other.id = "other";
    other.demand.mean_per_s = 10;
    other.routing = Routing::cheapest;
    for (RunsOn& entry : other.runs_on) {
        entry.share.reset();
    }
    document.pools[0].offer->hourly_price = flat(5);
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 30 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 10 * kShareSeconds));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 3), 10 * kShareSeconds)) << "b is the cheaper one";
}

} // namespace
} // namespace costcurve::model
