// Several workloads on one set of pools: training in the hours that inference leaves, a hosted model behind an owned base, and what
// each workload adds.
#include <algorithm>

#include <gtest/gtest.h>

#include "model/performance/training_rates.hpp"
#include "model/questions/rank/rank.hpp"
#include "model/questions/rank/replicas.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

// A server of 2 devices for the tiny model, and a dear host of it.
Catalog owned_catalog() {
    Catalog catalog = one_device();
    catalog.offers.clear();
    catalog.models.front().hidden = 4096;
    add_server(catalog, "server", 20000, 1000);
    Device& device = catalog.servers.front().device;
    device = one_device().offers.front().device;
    catalog.servers.front().devices = 2;
    catalog.endpoints = {tiny_endpoint("host", 20, 60)};
    catalog.training_rates =
        std::make_shared<TrainingRates>(catalog.models, std::vector<Device>{device}, std::vector<MeasuredRun>{});
    return catalog;
}

// By day alone, so that nights are free.
RankQuestion chat_and_tuning(double requests_per_s, double tokens) {
    RankQuestion question = tiny_question(requests_per_s);
    Workload& chat = question.work.workloads.front();
    chat.id = "chat";
    chat.demand.shape = curve(CurveKind::demand, Axis::hour_of_day, {0, 12}, {0.0, 2.0}, Interpolation::step);
    Workload& tuning = question.work.workloads.emplace_back();
    tuning.id = "tuning";
    tuning.kind = WorkloadKind::training;
    tuning.unit = "token";
    tuning.model = kTinyModel;
    tuning.units_per_epoch = tokens;
    tuning.epochs_per_month = flat(1);
    return question;
}

const ScenarioPlan* plan_of(const Ranking& ranking, Way way) {
    const auto is_of = [way](const ScenarioPlan& plan) {
        return way == Way::hybrid ? plan.scenario.pools.size() == 2
                                  : plan.scenario.pools.size() == 1 && plan.scenario.pools.front().kind == PoolKind::owned;
    };
    const auto found = std::ranges::find_if(ranking.plans, is_of);
    return found == ranking.plans.end() ? nullptr : &*found;
}

TEST(RankFleet, TrainsInTheHoursThatInferenceLeaves) {
    const Catalog catalog = owned_catalog();
    RankQuestion chat = chat_and_tuning(20, 1);
    chat.work.workloads.pop_back();
    const Ranking of_chat = ranked(chat, catalog);
    const ScenarioPlan* const alone = plan_of(of_chat, Way::owned);
    ASSERT_NE(alone, nullptr);
    const Ranking ranking = ranked(chat_and_tuning(20, 1e7), catalog);
    const ScenarioPlan* const fleet = plan_of(ranking, Way::owned);
    ASSERT_NE(fleet, nullptr);
    EXPECT_EQ(fleet->scenario.pools.front().purchases.front().servers, alone->scenario.pools.front().purchases.front().servers)
        << "the nights have room";
    EXPECT_EQ(evaluate_document(fleet->scenario).summary.total.cost, fleet->decisive);
    ASSERT_EQ(fleet->shares.size(), 2U);
    EXPECT_TRUE(is_close(*fleet->shares[1].adds, fleet->decisive - alone->decisive)) << "energy and what it holds";
    EXPECT_LT(*fleet->shares[1].adds, 0.1 * fleet->shares[0].cost);
    EXPECT_FALSE(fleet->shares[0].days);
    EXPECT_TRUE(is_close(fleet->shares[0].cost + fleet->shares[1].cost + fleet->summary.unallocated_cost, fleet->decisive));
    EXPECT_TRUE(alone->shares.empty()) << "of one workload there is nothing to divide";
}

TEST(RankFleet, TakesHostsBehindABaseThatTrains) {
    const Catalog catalog = owned_catalog();
    RankQuestion question = chat_and_tuning(20, 1e7);
    question.work.workloads.front().demand.shape =
        curve(CurveKind::demand, Axis::hour_of_day, {0, 12, 13}, {0.5, 11.0, 0.5}, Interpolation::step);
    const Ranking ranking = ranked(question, catalog);
    EXPECT_EQ(excluded_for(ranking, "serves_only")->count, 1U) << "a host alone trains nothing";
    const ScenarioPlan* const hybrid = plan_of(ranking, Way::hybrid);
    ASSERT_NE(hybrid, nullptr);
    EXPECT_EQ(hybrid->scenario.workloads[0].runs_on.size(), 2U);
    EXPECT_EQ(hybrid->scenario.workloads[1].runs_on.size(), 1U) << "the run is on the base alone";
    EXPECT_EQ(hybrid->summary.workloads[1].units_unserved, 0);
    std::size_t left_out = 0;
    for (const Exclusion& exclusion : ranking.excluded) {
        left_out += exclusion.count;
    }
    EXPECT_EQ(ranking.ranked + left_out, ranking.considered);
}

// The run has the nights alone: half of its hours, so that a deadline that it would keep by itself needs another server.
TEST(RankFleet, HoldsRunsToTheirDeadline) {
    const Catalog catalog = owned_catalog();
    RankQuestion question = chat_and_tuning(20, 1e7);
    Workload& run = question.work.workloads.back();
    run.epochs_per_month.reset();
    run.epochs = 1;
    run.units_per_epoch = 4e8;
    run.within_days = 80;
    const Ranking late = ranked(question, catalog);
    const ScenarioPlan* const slow = plan_of(late, Way::owned);
    ASSERT_NE(slow, nullptr);
    const double days = *slow->shares[1].days;
    EXPECT_EQ(slow->shares[1].days, slow->summary.workloads[1].days);
    run.within_days = 0.75 * days;
    const Ranking early = ranked(question, catalog);
    const ScenarioPlan* const fast = plan_of(early, Way::owned);
    ASSERT_NE(fast, nullptr);
    EXPECT_LE(*fast->summary.workloads[1].days, *run.within_days);
    EXPECT_GT(fast->decisive, slow->decisive);
}

// No more replicas at the peak than the servers hold: those of the first workload are not there for the second.
TEST(RankFleet, WorkloadsShareTheRoomOfAPool) {
    RankQuestion question = chat_and_tuning(40, 1);
    question.work.workloads.back() = question.work.workloads.front();
    question.work.workloads.back().id = "more";
    const Ranking ranking = ranked(question, owned_catalog());
    const ScenarioPlan* const plan = plan_of(ranking, Way::owned);
    ASSERT_NE(plan, nullptr);
    double held = 0.0;
    for (const Replica& replica : replicas_of(*plan)) {
        EXPECT_GE(replica.at_peak->replicas, 1.0);
        EXPECT_LT(replica.at_peak->utilization, 1.0 + 1e-9);
        held += replica.at_peak->replicas * replica.devices;
    }
    EXPECT_LE(held, 2.0 * plan->scenario.pools.front().purchases.front().servers);
}

// Behind a base the requests that are dearest at the host, by the base's hours that they take, have the base.
TEST(RankFleet, OrderOfWorkloadsDecidesNothing) {
    Catalog catalog = owned_catalog();
    catalog.endpoints = {tiny_endpoint("host", 0.2, 60)};
    RankQuestion question = tiny_question(20);
    Workload& prompts = question.work.workloads.front();
    prompts.id = "prompts";
    prompts.units_per_request = in_and_out(2000, 20);
    prompts.demand.shape = curve(CurveKind::demand, Axis::hour_of_day, {0, 12, 13}, {0.5, 11.0, 0.5}, Interpolation::step);
    Workload& answers = question.work.workloads.emplace_back(prompts);
    answers.id = "answers";
    answers.units_per_request = in_and_out(20, 500);
    const Ranking of_listed = ranked(question, catalog);
    std::ranges::reverse(question.work.workloads);
    const Ranking of_reversed = ranked(question, catalog);
    const ScenarioPlan* const listed = plan_of(of_listed, Way::hybrid);
    const ScenarioPlan* const reversed = plan_of(of_reversed, Way::hybrid);
    ASSERT_NE(listed, nullptr);
    ASSERT_NE(reversed, nullptr);
    EXPECT_TRUE(is_close(listed->decisive, reversed->decisive));
    EXPECT_EQ(listed->scenario.workloads.front().id, "answers");
    ScenarioDocument other = listed->scenario;
    std::ranges::reverse(other.workloads);
    EXPECT_GT(evaluate_document(other).summary.total.cost, 1.01 * listed->decisive);
}

// Of each as if the other were not there, whatever they do together.
TEST(RankFleet, NamesEachOnesFirstPlanByItself) {
    const Catalog catalog = owned_catalog();
    const RankQuestion together = chat_and_tuning(20, 1e7);
    const Ranking ranking = ranked(together, catalog);
    ASSERT_EQ(ranking.apart.size(), 2U);
    for (std::size_t w = 0; w < 2; ++w) {
        RankQuestion one = together;
        one.work.workloads = {together.work.workloads[w]};
        const ScenarioPlan first = ranked(one, catalog).plans.front();
        EXPECT_EQ(ranking.apart[w].workload, together.work.workloads[w].id);
        EXPECT_EQ(ranking.apart[w].name, first.scenario.name);
        EXPECT_EQ(ranking.apart[w].decisive, first.decisive);
        EXPECT_TRUE(ranked(one, catalog).apart.empty());
    }
    RankQuestion chats = together;
    chats.work.workloads.back() = chats.work.workloads.front();
    chats.work.workloads.back().id = "long";
    chats.work.workloads.back().units_per_request.input = 4000;
    const Ranking of_chats = ranked(chats, catalog);
    chats.work.workloads.erase(chats.work.workloads.begin());
    ASSERT_EQ(of_chats.apart.size(), 2U);
    EXPECT_EQ(of_chats.apart[1].decisive, ranked(chats, catalog).plans.front().decisive) << "not by the rate of the first";
    Catalog unhosted = catalog;
    unhosted.endpoints.clear();
    EXPECT_TRUE(ranked(chat_and_tuning(1e12, 1e7), unhosted).apart.empty()) << "nothing does the first";
}

} // namespace
} // namespace costcurve::model
