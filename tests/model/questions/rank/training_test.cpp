// Runs of training in a ranking: which gang, in how many days, how surely in time; against brute force and drawn runs.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "model/evaluate.hpp"
#include "model/performance/goodput.hpp"
#include "model/questions/rank/fitting.hpp"
#include "model/questions/rank/rank.hpp"
#include "model/questions/rank/replicas.hpp"
#include "model/scenario.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

// The hosts at 16 on demand, and as spot.
Catalog hosts_and_spot(double price) {
    Catalog catalog = hosts_of_eight();
    catalog.offers.push_back(catalog.offers.front());
    Offer& spot = catalog.offers.back();
    spot.id = "spot";
    spot.purchase = Purchase::spot;
    spot.hourly_price = flat(price);
    add_training_rates(catalog);
    return catalog;
}

// A host of eight that does a million tokens a second, with the interval of that deviation.
Gang gang_of_a_million(double rate_sigma) {
    Gang gang;
    gang.performance.devices = 8;
    gang.performance.units_per_s = flat(1e6);
    const double spread = std::exp(kNormalP90 * rate_sigma);
    gang.range = {1e6 / spread, 1e6 * spread};
    return gang;
}

double devices_of(const ScenarioPlan& plan) { return plan.scenario.workloads.front().runs_on.front().performance->devices; }

TEST(RankTraining, TakesTheSmallestGangThatEndsInTime) {
    Catalog catalog = hosts_of_eight();
    add_training_rates(catalog);
    double devices = 0.0;
    for (const double days : {40.0, 10.0, 5.0, 2.0}) {
        const Ranking ranking = ranked(run_question(5e10, days), catalog);
        ASSERT_EQ(ranking.plans.size(), 1U);
        const ScenarioPlan& plan = ranking.plans.front();
        EXPECT_GE(devices_of(plan), std::max(8.0, devices));
        devices = devices_of(plan);
        EXPECT_GE(plan.run->chance_within(days), kChanceInTime);
        EXPECT_TRUE(is_close(*plan.summary.workloads.front().days, plan.run->days)) << "as the whole scenario has it";
        EXPECT_TRUE(is_close(plan.decisive, plan.run->days * 24 * 16 * devices / 8)) << "its hosts' hours";
        EXPECT_EQ(evaluate_document(plan.scenario).summary.total.cost, plan.decisive);
    }
    EXPECT_GT(devices, 8) << "two days take more hosts";
}

// 32 hosts that fail and are repaired in two days: the gang waits for most of the time, or holds more.
TEST(RankTraining, HoldsSpareHostsWhereTheyCostLess) {
    Catalog catalog = hosts_of_eight();
    catalog.offers.front().interruptions_per_hour = 1e-3;
    catalog.offers.front().replacement_s = 48 * 3600;
    add_training_rates(catalog);
    RankQuestion question = run_question(5e11, 8);
    question.outages.spares = 1;
    const Ranking with = ranked(question, catalog);
    ASSERT_EQ(with.plans.size(), 1U);
    const ScenarioPlan& plan = with.plans.front();
    const int spares = plan.scenario.workloads.front().spare_hosts;
    EXPECT_GT(spares, 0);
    EXPECT_EQ(replicas_of(plan).front().spares, spares);
    EXPECT_TRUE(is_close(*plan.summary.workloads.front().days, plan.run->days));
    EXPECT_EQ(plan.scenario.pools.front().max_instances, devices_of(plan) / 8 + spares);
    question.outages.spares = 0;
    const Ranking without = ranked(question, catalog);
    EXPECT_TRUE(without.plans.empty() || without.plans.front().decisive > plan.decisive);
    catalog.offers.front().interruptions_per_hour = 1e-9;
    question.outages.spares = 1;
    EXPECT_EQ(ranked(question, catalog).plans.front().scenario.workloads.front().spare_hosts, 0) << "hosts that hardly fail";
}

TEST(RankTraining, SaysWhatComesNearestWhereNothingIsInTime) {
    Catalog catalog = hosts_of_eight();
    add_training_rates(catalog);
    const Ranking ranking = ranked(run_question(1e16, 1), catalog);
    EXPECT_TRUE(ranking.plans.empty());
    EXPECT_EQ(excluded_for(ranking, "deadline")->count, 1U);
    ASSERT_TRUE(ranking.nearest_run);
    EXPECT_EQ(ranking.nearest_run->devices, kMaxRunDevices);
    EXPECT_LT(ranking.nearest_run->probability_in_time, kChanceInTime);
    EXPECT_GT(ranking.nearest_run->days, 1);
}

TEST(RankTraining, LeavesOutARunThatLosesAllItsWork) {
    Catalog catalog = hosts_of_eight();
    add_training_rates(catalog);
    catalog.offers.front().interruptions_per_hour = 1;
    RankQuestion question = run_question(5e10, std::nullopt);
    question.work.workloads.front().checkpoint.interval_s = 1e9; // Daly's goodput is below the least double: e^-277778
    const Ranking ranking = ranked(question, catalog);
    EXPECT_TRUE(ranking.plans.empty());
    EXPECT_EQ(excluded_for(ranking, "deadline")->count, 1U);
    EXPECT_FALSE(ranking.nearest_run) << "it has no number of days";
}

TEST(RankTraining, JoinsNoHostsThatAreNotKnownToBeJoined) {
    for (const bool is_pcie : {true, false}) {
        Catalog catalog = hosts_of_eight();
        Offer& offer = catalog.offers.front();
        if (is_pcie) {
            offer.device.links->kind = LinkKind::pcie;
        } else {
            offer.devices = 2; // 160 GiB hold the run; more hosts would be faster
            offer.hourly_price = flat(0.01);
        }
        add_training_rates(catalog);
        EXPECT_EQ(excluded_for(ranked(run_question(5e11, 5), catalog), "deadline")->count, 1U) << "one host is too slow";
        offer.device.memory_gib = 10;
        add_training_rates(catalog);
        EXPECT_EQ(excluded_for(ranked(run_question(1e6, 5), catalog), "no_network")->count, 1U) << "one host has no room";
    }
}

TEST(RankTraining, TakesSpotForWhatItIs) {
    const Catalog catalog = hosts_and_spot(15);
    RankQuestion question = run_question(5e10, 20);
    question.outages.assumes = true;
    const Ranking ranking = ranked(question, catalog);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "rent") << "spot is a fifteenth cheaper, and interrupted";
    const auto has_line = [&](std::string_view what) {
        return std::ranges::any_of(ranking.assumptions, [&](const Assumption& line) { return line.what == what; });
    };
    EXPECT_TRUE(has_line("spot") && has_line("checkpoint") && has_line("instances"));
    EXPECT_FALSE(has_line("within_days"));
    question.work.workloads.front().within_days.reset();
    question.outages.spot = SpotUse::never;
    const Ranking without = ranked(question, catalog);
    EXPECT_EQ(excluded_for(without, "spot")->count, 1U);
    EXPECT_EQ(without.plans.front().scenario.workloads.front().within_days, 30.0);
}

// Every gang of every offer, evaluated whole.
TEST(RankTraining, FindsTheLeastOfAllGangs) {
    int many_hosts = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        Catalog catalog = hosts_of_eight();
        for (int more = 0; more < 2; ++more) {
            Offer offer = catalog.offers.front();
            offer.id = offer.device.id = more == 0 ? "second" : "third";
            offer.device.peak_flops["bf16"] *= random.between(0.3, 3);
            offer.interruptions_per_hour = random.between(0, 0.02);
            offer.replacement_s = 600;
            offer.hourly_price = flat(random.between(5, 40));
            catalog.offers.push_back(std::move(offer));
        }
        add_training_rates(catalog);
        const RankQuestion question = run_question(std::pow(10, random.between(9, 11.5)), random.between(1, 30));
        const Workload& work = question.work.workloads.front();
        Fitting fitting(catalog);
        double least = HUGE_VAL;
        for (const Offer& offer : catalog.offers) {
            for (const Gang& gang : fitting.gangs(work, offer.device, offer.devices).gangs) {
                ScenarioDocument plan = question.work;
                Pool& pool = plan.pools.emplace_back();
                pool.id = offer.id;
                pool.kind = PoolKind::cloud;
                pool.offer = offer;
                pool.max_instances = static_cast<int>(gang.performance.devices / offer.devices);
                plan.workloads.front().runs_on.emplace_back().pool = offer.id;
                plan.workloads.front().runs_on.front().performance = gang.performance;
                const Summary summary = evaluate_document(plan).summary;
                const bool ends = run_time(work, pool, gang).chance_within(*work.within_days) >= kChanceInTime;
                if (ends && summary.is_feasible() && summary.total.cost < least) {
                    least = summary.total.cost;
                    many_hosts += pool.max_instances > 1;
                }
            }
        }
        const Ranking ranking = ranked(question, catalog);
        ASSERT_EQ(ranking.plans.empty(), least == HUGE_VAL) << seed;
        if (!ranking.plans.empty()) {
            EXPECT_TRUE(is_close(ranking.plans.front().decisive, least)) << seed;
        }
    }
    EXPECT_GT(many_hosts, 10) << "else nothing was chosen";
}

// Runs are drawn: a rate, then stretches of work between interruptions, each of which loses what was done since the last
// checkpoint, and waits.
TEST(RankTraining, DaysAreDistributedAsDrawnRunsAre) {
    struct Row {
        double days_of_work, interruptions_per_hour, there, rate_sigma;
    };
    for (const Row& row : {Row{5, 0.02, 1, 0.15}, Row{2, 0.1, 1, 0.05}, Row{4, 0.1, 0.7, 0.1}, Row{20, 0.3, 0.59, 0.2},
                           Row{0.004, 0.44, 0.59, 0.1}, Row{0.1, 0.01, 1, 0.15}}) {
        Pool pool;
        pool.kind = PoolKind::cloud;
        pool.offer = hosts_of_eight().offers.front();
        pool.offer->interruptions_per_hour = row.interruptions_per_hour;
        pool.offer->availability_fraction = row.there;
        Workload work = run_question(1e6 * row.days_of_work * 86400, 10).work.workloads.front();
        work.checkpoint = {.write_s = 60, .restart_s = 900, .interval_s = std::nullopt, .size_gb = std::nullopt};
        const Gang gang = gang_of_a_million(row.rate_sigma);
        const RunTime time = run_time(work, pool, gang);
        const double interval = optimum_checkpoint_interval(Hours{60.0 / 3600}, Hours{1 / row.interruptions_per_hour}).value;
        std::mt19937_64 engine(7);
        std::normal_distribution<double> normal;
        std::exponential_distribution<double> exponential;
        std::vector<double> days;
        for (int k = 0; k < 4000; ++k) {
            double left = row.days_of_work * 24 / std::exp(row.rate_sigma * normal(engine)); // hours of work
            double hours = 0.0;
            while (left > 0.0) {
                const double until = exponential(engine) / row.interruptions_per_hour;
                double worked = 0.0;                  // of this stretch, what is kept in checkpoints
                double at = hours > 0.0 ? 0.25 : 0.0; // the restart
                while (at < until && left > worked) {
                    const double step = std::min(interval, left - worked);
                    at += step + (step < interval ? 0.0 : 60.0 / 3600); // no checkpoint after the last
                    worked += at <= until ? step : 0.0;
                }
                hours += std::min(at, until);
                left -= worked;
                if (at > until && row.there < 1) {
                    hours += exponential(engine) * (1 - row.there) / row.there / row.interruptions_per_hour;
                }
            }
            days.push_back(hours / 24);
        }
        std::ranges::sort(days);
        EXPECT_NEAR(time.p90() / days[3600], 1, 0.1) << row.days_of_work << " days, p90";
        for (const double within : {days[2000], days[3600], days[3900]}) {
            const auto ended = static_cast<double>(std::ranges::upper_bound(days, within) - days.begin()) / 4000;
            EXPECT_NEAR(time.chance_within(within), ended, 0.1) << row.days_of_work << " days, within " << within;
        }
        double sum = 0.0;
        for (const double day : days) {
            sum += day;
        }
        EXPECT_NEAR(time.days / (sum / 4000), 1, 0.1) << row.days_of_work << " days, mean";
    }
}

// Part of the work that a drawn run has left so many hours after its start, and the factor by which all takes longer.
struct DrawnRest {
    double left;
    double slower;
};
DrawnRest draw_rest(std::mt19937_64& engine, double hours_of_work, double interval, double per_hour, double there, double sigma,
                    double until_hours) {
    std::normal_distribution<double> normal;
    std::exponential_distribution<double> exponential;
    const double slower = std::exp(sigma * normal(engine));
    const double all = hours_of_work * slower;
    double done = 0.0;
    double at = 0.0;
    while (at < until_hours && done < all) {
        const double taken = at + exponential(engine) / per_hour;
        const double stop = std::min(taken, until_hours); // before a fall back all is written
        at += done > 0.0 ? 0.25 : 0.0;
        while (at < stop && done < all) {
            const double step = std::min({interval, all - done, taken > until_hours ? stop - at : HUGE_VAL});
            at += step;
            done += at <= stop + 1e-9 ? step : 0.0;
            at += step < interval ? 0.0 : 60.0 / 3600;
        }
        at = taken < until_hours && done < all ? taken + exponential(engine) * (1 - there) / there / per_hour : at;
    }
    return {std::max(0.0, 1.0 - done / all), slower};
}

TEST(RankTraining, FallsBackAsDrawnRunsDo) {
    struct Row {
        double days_of_work, interruptions_per_hour, there, rate_sigma, within;
    };
    for (const Row& row :
         {Row{5, 0.1, 0.7, 0.1, 8}, Row{5, 0.44, 0.59, 0.2, 9}, Row{20, 0.44, 0.59, 0.1, 40}, Row{2, 0.1, 0.9, 0.05, 2.6}}) {
        Pool pool;
        pool.kind = PoolKind::cloud;
        pool.offer = hosts_of_eight().offers.front();
        Workload work = run_question(1e6 * row.days_of_work * 86400, row.within).work.workloads.front();
        work.checkpoint = {.write_s = 60, .restart_s = 900, .interval_s = std::nullopt, .size_gb = std::nullopt};
        const Gang gang = gang_of_a_million(row.rate_sigma);
        const double days_of_all = run_time(work, pool, gang).days;
        EXPECT_TRUE(is_close(days_of_all, row.days_of_work)) << "nothing fails on demand";
        pool.offer->interruptions_per_hour = row.interruptions_per_hour;
        pool.offer->availability_fraction = row.there;
        RunTime run = run_time(work, pool, gang);
        run.fall_back = latest_fall_back(run, days_of_all, row.within);
        ASSERT_TRUE(run.fall_back);
        EXPECT_GT(run.fall_back->after_days, 0.0);
        EXPECT_LT(run.chance_within(row.within), run.chance_within(row.within + 1));
        const double interval = optimum_checkpoint_interval(Hours{60.0 / 3600}, Hours{1 / row.interruptions_per_hour}).value;
        std::mt19937_64 engine(11);
        constexpr int kRuns = 4000;
        double left = 0.0;
        int in_time = 0;
        for (int k = 0; k < kRuns; ++k) {
            const DrawnRest rest = draw_rest(engine, row.days_of_work * 24, interval, row.interruptions_per_hour, row.there,
                                             row.rate_sigma, run.fall_back->after_days * 24);
            left += rest.left / kRuns;
            in_time += run.fall_back->after_days + rest.left * row.days_of_work * rest.slower <= row.within ? 1 : 0;
        }
        EXPECT_NEAR(static_cast<double>(in_time) / kRuns, kChanceInTime, 0.05) << row.days_of_work << " days";
        EXPECT_NEAR(left_by_chance(run), left, 0.03) << row.days_of_work << " days";
        run.fall_back->after_days += 0.01;
        EXPECT_LT(run.chance_within(row.within), kChanceInTime) << "the latest";
    }
}

TEST(RankTraining, OffersSpotThatFallsBack) {
    const Catalog catalog = hosts_and_spot(4);
    RankQuestion question = run_question(5e10, 4);
    question.outages.assumes = true;
    const Ranking ranking = ranked(question, catalog);
    const auto found =
        std::ranges::find_if(ranking.plans, [](const ScenarioPlan& plan) { return plan.scenario.pools.size() == 2; });
    ASSERT_NE(found, ranking.plans.end());
    const Workload& work = found->scenario.workloads.front();
    ASSERT_TRUE(work.fall_back_after_days);
    EXPECT_EQ(found->scenario.pools[0].id, "spot");
    EXPECT_GE(found->run->chance_within(4), kChanceInTime);
    EXPECT_LE(*found->summary.workloads.front().days, 4);
    EXPECT_EQ(evaluate_document(found->scenario).summary.total.cost, found->decisive);
    const PlanRow row = row_of(*found);
    EXPECT_EQ(row.fall_back_after_days, work.fall_back_after_days);
    EXPECT_GE(*row.expected_cost, found->decisive);
    EXPECT_LT(*row.expected_cost, 1.1 * found->decisive);
    for (const ScenarioPlan& plan : ranking.plans) {
        EXPECT_EQ(plan.scenario.pools.size() == 2, row_of(plan).fall_back_after_days.has_value());
    }
    question.include = {Way::cloud};
    EXPECT_TRUE(std::ranges::none_of(ranked(question, catalog).plans,
                                     [](const ScenarioPlan& plan) { return plan.scenario.pools.size() == 2; }));
}

// Gangs so large that spot never gets on were held till the last day, and cost more the more time there was.
TEST(RankTraining, AFallBackCostsNoMoreThanOnDemandAndNoMoreWithMoreTime) {
    const Catalog catalog = hosts_and_spot(4);
    double last = HUGE_VAL;
    for (const double days : {3.0, 4.0, 6.0, 9.0, 14.0}) {
        RankQuestion question = run_question(5e10, days);
        question.outages.assumes = true;
        question.include = {Way::cloud};
        const double on_demand = ranked(question, catalog).plans.front().decisive;
        question.include = {Way::hybrid};
        const Ranking hybrids = ranked(question, catalog);
        if (!hybrids.plans.empty()) {
            EXPECT_LT(hybrids.plans.front().decisive, 1.05 * on_demand) << days;
            EXPECT_LT(hybrids.plans.front().decisive, 1.05 * last) << days;
            last = hybrids.plans.front().decisive;
        }
    }
    EXPECT_LT(last, HUGE_VAL);
}

} // namespace
} // namespace costcurve::model
