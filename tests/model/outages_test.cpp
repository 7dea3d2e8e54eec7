// What replicas serve that fail: against sums term by term, and whole scenarios worked by hand (model.md, section 6, "Outages").
#include "model/dispatch/outages.hpp"

#include <cmath>

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::cloud_scenario;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;

constexpr double kMonthHours = 744;
constexpr double kMonthSeconds = kMonthHours * 3600;

double binomial(int n, int k, double up) {
    return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(up) +
                    (n - k) * std::log1p(-up));
}

TEST(Outages, ServeTheSumOverReplicasThatAreUp) {
    for (const double up : {0.3, 0.9, 0.999}) {
        const ReplicasUp replicas(up, 64);
        for (const int n : {1, 2, 7, 64}) {
            for (const double asked : {0.0, 0.1, 1.0, 2.5, 6.9, 63.5, 64.0, 1000.0}) {
                double expected = 0.0;
                for (int k = 0; k <= n; ++k) {
                    expected += binomial(n, k, up) * std::min(asked, 1.5 * k);
                }
                EXPECT_NEAR(replicas.served(asked, 1.5, n), expected, 1e-11 * (1 + expected)) << up << " " << n << " " << asked;
            }
        }
    }
}

TEST(Outages, OfManyReplicasAreNearlyThoseOfTheNormalDistribution) {
    const ReplicasUp replicas(0.9, 1000);
    double last = replicas.served(60, 1, 64);
    for (int n = 65; n <= 80; ++n) {
        const double served = replicas.served(60, 1, n);
        double exact = 0.0;
        for (int k = 0; k <= n; ++k) {
            exact += binomial(n, k, 0.9) * std::min(60, k);
        }
        EXPECT_NEAR(served, exact, 0.05) << "of 60";
        EXPECT_GE(served, last - 0.01) << "one replica more";
        EXPECT_LE(served, 60);
        last = served;
    }
}

// Every number of full hosts that is up, and the last one or not.
double by_hosts(int replicas, int on_a_host, double up, double asked, double capacity) {
    const int full = replicas / on_a_host;
    const int last = replicas % on_a_host;
    double sum = 0.0;
    for (int k = 0; k <= full; ++k) {
        sum += binomial(full, k, up) *
               ((1 - up) * std::min(asked, k * on_a_host * capacity) + up * std::min(asked, (k * on_a_host + last) * capacity));
    }
    return sum;
}

TEST(Outages, OfAHostTakeAllOfItsReplicas) {
    for (const double up : {0.3, 0.9, 0.999}) {
        for (const int on_a_host : {2, 3, 8}) {
            const ReplicasUp replicas(up, 64, on_a_host);
            const ReplicasUp apart(up, 64);
            for (const int n : {1, 2, 7, 8, 9, 16, 63, 64}) {
                double last = 0.0;
                for (const double asked : {0.0, 0.1, 1.0, 2.5, 6.9, 12.0, 63.5, 96.0, 1000.0}) {
                    const double served = replicas.served(asked, 1.5, n);
                    const double expected = by_hosts(n, on_a_host, up, asked, 1.5);
                    EXPECT_NEAR(served, expected, 1e-11 * (1 + expected)) << up << " " << on_a_host << " " << n << " " << asked;
                    EXPECT_LE(served, apart.served(asked, 1.5, n) + 1e-11 * (1 + asked)) << "no more than on hosts of their own";
                    EXPECT_GE(served, up * std::min(asked, n * 1.5) - 1e-11 * (1 + asked)) << "a host is up as much as they";
                    EXPECT_GE(served, last - 1e-11 * (1 + asked));
                    last = served;
                }
            }
        }
    }
}

TEST(Outages, OfManyHostsAreNearlyThoseOfTheNormalDistribution) {
    constexpr int kOnAHost = 8;
    for (const double up : {0.9, 0.99}) {
        const ReplicasUp replicas(up, 100, kOnAHost);
        for (const double asked : {440.0, 500.0, 512.0, 530.0}) {
            double last = 0.0;
            for (int n = 60 * kOnAHost; n <= 70 * kOnAHost; ++n) {
                const double served = replicas.served(asked, 1, n);
                EXPECT_NEAR(served, by_hosts(n, kOnAHost, up, asked, 1), 0.1 * kOnAHost) << up << " " << asked << " " << n;
                EXPECT_GE(served, last - 1e-5 * kOnAHost) << "one replica more";
                last = served;
            }
        }
    }
}

TEST(Outages, NeverServeMoreThanIsAskedOrThere) {
    for (const double up : {1e-9, 0.5, 1 - 1e-12}) {
        const ReplicasUp replicas(up, 100);
        for (const double n : {0.0, 1.0, 64.0, 65.0, 100.0}) {
            for (const double asked : {0.0, 1e-300, 0.5, 64.5, 1e9}) {
                const double served = replicas.served(asked, 1, n);
                EXPECT_GE(served, 0.0);
                EXPECT_LE(served, std::min(asked, n) * (1 + 1e-12)) << up << " " << n << " " << asked;
            }
        }
    }
}

// 5 of 10 units/s asked of one replica that is up in 1 / 1.1 of its time.
ScenarioDocument failing_scenario() {
    ScenarioDocument document = cloud_scenario();
    Offer& offer = *document.pools[0].offer;
    offer.interruptions_per_hour = 0.1;
    offer.hourly_price = flat(20);
    document.pools[0].max_instances = 1;
    document.workloads[0].demand.mean_per_s = 5;
    document.workloads[0].checkpoint.restart_s = 3600;
    document.workloads[0].runs_on[0].performance->units_per_s = flat(10);
    return document;
}

TEST(Outages, OfOneReplicaLoseItsTimeDownWhateverItsLoad) {
    const Answer answer = evaluate_document(failing_scenario());
    const WorkloadSummary& work = answer.summary.workloads[0];
    EXPECT_TRUE(is_close(work.units_served, 5 / 1.1 * kMonthSeconds));
    EXPECT_TRUE(is_close(work.units_lost_to_outages, (5 - 5 / 1.1) * kMonthSeconds));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), kMonthHours)) << "paid and held, up or down";
    EXPECT_TRUE(is_close(answer.ledger.busy_hours(0, 0), kMonthHours * 0.5 / 1.1)) << "busy with what it serves";
    EXPECT_TRUE(is_close(answer.summary.total.cost, kMonthHours * 20));
    EXPECT_TRUE(answer.summary.infeasible_because.empty()) << "it had room";
    EXPECT_TRUE(answer.summary.workloads[0].loses_too_much);
}

TEST(Outages, BeyondTheStatedAvailabilityAreInfeasible) {
    ScenarioDocument document = failing_scenario();
    const double lost = 0.1 / 1.1;
    document.workloads[0].availability = 1 - lost;
    EXPECT_TRUE(evaluate_document(document).summary.infeasible_because.empty());
    document.workloads[0].availability = 1 - lost + 1e-6;
    const Summary summary = evaluate_document(document).summary;
    ASSERT_EQ(summary.infeasible_because.size(), 1U);
    EXPECT_EQ(summary.infeasible_because[0].code, InfeasibleCode::availability);
    EXPECT_TRUE(is_close(summary.infeasible_because[0].value, lost));
}

TEST(Outages, OfReplicasOnSeveralHostsComeTogether) {
    ScenarioDocument document = failing_scenario();
    document.pools[0].offer->devices = 8;
    document.pools[0].offer->interruptions_per_hour = 0.02;
    document.pools[0].offer->replacement_s = 3600;
    document.pools[0].max_instances = 9;
    document.workloads[0].checkpoint.restart_s = 5400;
    document.workloads[0].demand.mean_per_s = 15;
    document.workloads[0].spare_replicas = 1;
    document.workloads[0].runs_on[0].performance->devices = 16;
    document.workloads[0].runs_on[0].performance->spans_hosts = true;
    // a = 1 / (1 + 0.02 x 2 x 2.5); three replicas for 15 of 10 each: 15 (a^3 + 3 a^2 (1 - a)) + 10 x 3 a (1 - a)^2
    const double a = 1 / 1.1;
    const double served = 15 * (a * a * a + 3 * a * a * (1 - a)) + 10 * 3 * a * (1 - a) * (1 - a);
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_served, served * kMonthSeconds));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 48 * kMonthHours));
    EXPECT_TRUE(is_close(answer.summary.total.cost, 6 * 20 * kMonthHours));
}

// Of the same instances, which never fail, behind the first; its entry.
RunsOn& add_second_pool(ScenarioDocument& document) {
    Pool second = document.pools[0];
    second.id = "second";
    second.offer->interruptions_per_hour = 0.0;
    document.pools.push_back(second);
    RunsOn entry = document.workloads[0].runs_on[0];
    entry.pool = "second";
    return document.workloads[0].runs_on.emplace_back(entry);
}

TEST(Outages, GoToTheNextPoolInExpectation) {
    ScenarioDocument document = failing_scenario();
    document.pools[0].offer->interruptions_per_hour = 0.25;
    document.pools[0].max_instances = 2;
    document.workloads[0].demand.mean_per_s = 12;
    add_second_pool(document).performance->units_per_s = flat(8);
    // two of 10 that are up in 0.8 of their time: 0.64 x 12 + 0.32 x 10 = 10.88; 1.12 to the second
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 10.88 * kMonthSeconds));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 1.12 * kMonthSeconds));
    EXPECT_EQ(answer.summary.workloads[0].units_lost_to_outages, 0.0);
    EXPECT_NEAR(answer.summary.workloads[0].units_unserved, 0.0, 1e-6);
    EXPECT_TRUE(is_close(answer.ledger.available_hours(0, 1), kMonthHours)) << "asked in 0.36 of the time, and so held in all";
    // up in 0.99: 0.9801 x 12 + 0.0198 x 10 = 11.9592; one is down, or both, in 0.0199 of the time, in which the rest is asked
    document.pools[0].offer->interruptions_per_hour = 1.0 / 99;
    const Answer seldom = evaluate_document(document);
    EXPECT_TRUE(is_close(seldom.ledger.served(0, 1), 0.0408 * kMonthSeconds));
    EXPECT_TRUE(is_close(seldom.ledger.reserved_hours(0, 1, 0), 0.0199 * kMonthHours)) << "one instance holds 0.0408 / 0.0199";
    EXPECT_TRUE(is_close(seldom.ledger.available_hours(0, 1), 0.0199 * kMonthHours));
    EXPECT_TRUE(is_close(seldom.ledger.busy_hours(0, 1), 0.0408 / 8 * kMonthHours));
    EXPECT_TRUE(is_close(seldom.summary.total.cost, 2.0199 * 20 * kMonthHours));
}

// What finds no room is asked all the hour, and what outages add to it too.
TEST(Outages, BesideWhatFindsNoRoomAskAllTheHour) {
    ScenarioDocument document = failing_scenario();
    document.workloads[0].demand.mean_per_s = 12;
    add_second_pool(document);
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), (12 - 10 / 1.1) * kMonthSeconds));
    EXPECT_TRUE(is_close(answer.ledger.available_hours(0, 1), kMonthHours));
}

TEST(Outages, AreShortOfTheDemandWhereTooFewHostsAreUp) {
    const ReplicasUp replicas(0.8, 64, 3);
    EXPECT_TRUE(is_close(replicas.short_of(40, 10, 5), 0.36)) << "three on one, two on the other: four need both";
    EXPECT_TRUE(is_close(replicas.short_of(30, 10, 5), 0.2)) << "the full one holds it";
    EXPECT_TRUE(is_close(replicas.short_of(20, 10, 5), 0.04)) << "either does";
    EXPECT_EQ(replicas.short_of(51, 10, 5), 1.0);
    EXPECT_EQ(ReplicasUp(1.0, 64).short_of(50, 10, 5), 0.0);
    EXPECT_NEAR(ReplicasUp(0.9, 100).short_of(88.5, 1, 100), 1 - 0.703, 0.02) << "above 88 of 100, by tables";
}

TEST(Outages, OfSpotThatIsNotToBeHadCostNothing) {
    ScenarioDocument document = failing_scenario();
    document.pools[0].offer->purchase = Purchase::spot;
    document.pools[0].offer->availability_fraction = 0.9;
    document.workloads[0].demand.mean_per_s = 8;
    const Answer stated = evaluate_document(document);
    EXPECT_TRUE(is_close(stated.summary.workloads[0].units_served, 0.9 * 8 / 1.1 * kMonthSeconds));
    EXPECT_TRUE(is_close(stated.summary.total.cost, 0.9 * 20 * kMonthHours));
    EXPECT_TRUE(is_close(stated.ledger.available_hours(0, 0), 0.9 * kMonthHours));
    EXPECT_TRUE(is_close(stated.ledger.reserved_hours(0, 0, 0), 0.9 * kMonthHours));
    EXPECT_TRUE(is_close(stated.ledger.busy_hours(0, 0), 0.9 * 0.8 / 1.1 * kMonthHours));
    document.pools[0].offer->availability_fraction = std::nullopt;
    const Answer assumed = evaluate_document(document);
    EXPECT_EQ(assumed.summary.total.cost, stated.summary.total.cost) << "0.9 is assumed of spot";
    EXPECT_TRUE(std::any_of(assumed.summary.warnings.begin(), assumed.summary.warnings.end(),
                            [](const Issue& it) { return it.code == Code::availability_unknown; }));
}

// Eight replicas of one card in one server: 68.9 % busy if nothing failed.
ScenarioDocument eight_on_one_server() {
    ScenarioDocument document = tests::owned_scenario();
    document.pools[0].server->devices = 8;
    document.pools[0].server->repair_hours = 48;
    document.pools[0].purchases[0].servers = 1;
    document.workloads[0].checkpoint.restart_s = 900;
    document.workloads[0].runs_on[0].performance->devices = 1;
    document.workloads[0].runs_on[0].performance->units_per_s = flat(10);
    document.workloads[0].demand.mean_per_s = 0.689 * 80;
    return document;
}

TEST(Outages, OfTheOnlyServerLoseItsTimeDownThoughEightReplicasStandInIt) {
    ScenarioDocument document = eight_on_one_server();
    document.pools[0].server->failures_per_hour = 1.58e-4;
    const auto lost = [](const Answer& answer) {
        return answer.summary.workloads[0].units_lost_to_outages / answer.summary.workloads[0].units_demanded;
    };
    EXPECT_NEAR(lost(evaluate_document(document)), 0.00757, 5e-6) << "1.58e-4 x 48.25 h, of the time with it";
    document.pools[0].server->failures_per_hour = 0.01;
    const Answer often = evaluate_document(document);
    EXPECT_TRUE(is_close(lost(often), 1 - 1 / 1.4825)) << "32.5 %";
    EXPECT_TRUE(is_close(often.ledger.busy_hours(0, 0), 8 * kMonthHours * 0.689 / 1.4825)) << "46.5 % busy";
    document.workloads[0].spare_replicas = 2;
    EXPECT_TRUE(is_close(lost(evaluate_document(document)), 1 - 1 / 1.4825)) << "a spare in the same server goes with it";
    document.pools[0].purchases[0].servers = 2; // the demand fits into one: lost while both are down
    const double down = 1 - 1 / 1.4825;
    EXPECT_TRUE(is_close(lost(evaluate_document(document)), down * down));
}

// Three are needed of hosts of four; what is paid is as few hosts as hold them.
TEST(Outages, OfRentedHostsTakeTheSparesThatStandThere) {
    ScenarioDocument document = failing_scenario();
    document.pools[0].offer->devices = 4;
    document.pools[0].max_instances = 4;
    document.workloads[0].demand.mean_per_s = 30;
    const double up = 1 / 1.1;
    const auto served = [&](int spares) {
        document.workloads[0].spare_replicas = spares;
        return evaluate_document(document).summary.workloads[0].units_served / kMonthSeconds;
    };
    EXPECT_TRUE(is_close(served(0), 30 * up));
    EXPECT_TRUE(is_close(served(1), 30 * up)) << "on the same host";
    EXPECT_TRUE(is_close(served(2), 30 * up + (1 - up) * up * 10)) << "five: four and one";
    EXPECT_TRUE(is_close(served(4), 30 * (1 - (1 - up) * (1 - up)))) << "seven: four and three";
    EXPECT_TRUE(is_close(served(5), 30 * (1 - (1 - up) * (1 - up)))) << "eight: two hosts";
    EXPECT_TRUE(is_close(served(6), 30 * (1 - (1 - up) * (1 - up)) + (1 - up) * (1 - up) * up * 10)) << "nine: the third host";
}

TEST(Outages, AreStoodInForByServersThatArePaidAnyway) {
    ScenarioDocument document = tests::owned_scenario();
    document.pools[0].purchases[0].servers = 3;
    document.pools[0].server->failures_per_hour = 0.01;
    document.pools[0].server->repair_hours = 10;
    document.workloads[0].demand.mean_per_s = 0.5;
    Workload second = document.workloads[0];
    second.id = "second";
    second.spare_replicas = 5;
    document.workloads.push_back(second);
    // a = 1 / 1.1. The first holds one replica, and all three that fit serve; the second finds two left, and holds both.
    const double down = 0.1 / 1.1;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_served, 0.5 * (1 - down * down * down) * kMonthSeconds));
    EXPECT_TRUE(is_close(answer.summary.workloads[1].units_served, 0.5 * (1 - down * down) * kMonthSeconds));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), kMonthHours));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 1), 2 * kMonthHours));
}

TEST(Outages, OfMoreSparesNeverLoseMore) {
    ScenarioDocument document = failing_scenario();
    document.pools[0].max_instances = 100;
    document.workloads[0].demand.mean_per_s = 500;
    double last = HUGE_VAL;
    for (int spares = 0; spares <= 40; ++spares) {
        document.workloads[0].spare_replicas = spares;
        const double lost = evaluate_document(document).summary.workloads[0].units_lost_to_outages;
        EXPECT_LE(lost, last + 1e-5 * 10 * kMonthSeconds) << spares; // 64 of them and more are by the normal distribution
        last = lost;
    }
}

TEST(Outages, WithoutFailuresChangeNotABit) {
    ScenarioDocument plain = failing_scenario();
    plain.pools[0].offer->interruptions_per_hour = 0.0;
    ScenarioDocument restarts = plain;
    restarts.workloads[0].checkpoint.restart_s = 0;
    EXPECT_EQ(evaluate_document(plain).summary.total.cost, evaluate_document(restarts).summary.total.cost);
    EXPECT_EQ(evaluate_document(plain).summary.workloads[0].units_lost_to_outages, 0.0);
    EXPECT_FALSE(evaluate_document(plain).compiled.workloads[0].has_outages);
}

bool warns_of(Code code, const ScenarioDocument& document) {
    return std::ranges::any_of(evaluate_document(document).summary.warnings,
                               [code](const Issue& issue) { return issue.code == code; });
}

TEST(Outages, OfWhatStatesNoFailuresAreUnknownBesideAnAvailability) {
    ScenarioDocument document = failing_scenario();
    document.workloads[0].availability = 0.5;
    EXPECT_FALSE(warns_of(Code::failures_unknown, document));
    document.pools[0].offer->interruptions_per_hour.reset();
    EXPECT_TRUE(warns_of(Code::failures_unknown, document));
    document.workloads[0].availability.reset();
    EXPECT_FALSE(warns_of(Code::failures_unknown, document));
}

TEST(Prices, OfTheMarketAreWarnedOf) {
    ScenarioDocument document = cloud_scenario();
    EXPECT_FALSE(warns_of(Code::market_level, document));
    document.pools[0].offer->provider = "market";
    EXPECT_TRUE(warns_of(Code::market_level, document));
}

} // namespace
} // namespace costcurve::model
