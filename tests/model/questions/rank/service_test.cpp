// What is taken for usual of a service whose request does not state it: its week, its objectives, and the precision of its weights.
#include <algorithm>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "model/questions/rank/replicas.hpp"
#include "tests/model/questions/rank/catalogs.hpp"

namespace costcurve::tests {
namespace {

using namespace model;

// The device also computes at 8 bit, in which the model is half as large; and a host costs little.
Catalog rented_and_hosted() {
    Catalog catalog = one_device();
    Model& facts = catalog.models.front();
    facts.weight_bytes["fp8"] = facts.weight_bytes["bf16"] / 2;
    facts.published_precision = NumberFormat::bf16;
    catalog.offers.front().device.peak_flops["fp8"] = 8e14;
    catalog.endpoints.push_back(tiny_endpoint("host", 0.001, 0.001));
    return catalog;
}

RankQuestion usual_service(double requests_per_s) {
    RankQuestion question = tiny_question(requests_per_s);
    question.service = {ServiceShape::office, true};
    question.include = {Way::cloud, Way::api};
    return question;
}

std::string first_pool(const Ranking& ranking) { return ranking.plans.front().scenario.pools.front().id; }

// What the request asks for and no host states leaves hosts out, where it is asked for alone.
TEST(RankService, WhatNobodyStatesOfHostsIsNoAnswerToALimit) {
    RankQuestion question = usual_service(10);
    question.service = {};
    ASSERT_EQ(first_pool(ranked(question, rented_and_hosted())), "host");
    const auto reason_with = [&](const auto& change) {
        RankQuestion narrower = question;
        change(narrower);
        const Ranking ranking = ranked(narrower, rented_and_hosted());
        for (const char* reason : {"unknown_precision", "unknown_memory", "evidence"}) {
            if (excluded_for(ranking, reason)) {
                return std::string(reason);
            }
        }
        return std::string();
    };
    EXPECT_EQ(reason_with([](RankQuestion&) {}), "");
    EXPECT_EQ(reason_with([](RankQuestion& of) { of.limits.precision = NumberFormat::bf16; }), "unknown_precision");
    EXPECT_EQ(reason_with([](RankQuestion& of) { of.work.workloads.front().precision = "bf16"; }), "unknown_precision");
    EXPECT_EQ(reason_with([](RankQuestion& of) { of.work.workloads.front().memory_gib = 1e9; }), "unknown_memory");
    EXPECT_EQ(reason_with([](RankQuestion& of) { of.limits.evidence = Evidence::interpolated; }), "evidence");
}

TEST(RankService, LongRequestsOfAHostThatStatesNoContextAreWarnedOf) {
    RankQuestion question = usual_service(1);
    question.service = {};
    question.include = {Way::api};
    Catalog catalog = rented_and_hosted();
    catalog.models.clear();
    UnitsPerRequest& request = question.work.workloads.front().units_per_request;
    request.split = true;
    for (const auto& [input, is_long] : {std::pair(30000.0, false), {40000.0, true}, {5e7, true}}) {
        request.input = input;
        request.output = 100;
        const Ranking ranking = ranked(question, catalog);
        ASSERT_EQ(ranking.plans.size(), 1U) << input;
        const std::vector<std::string> warnings = row_of(ranking.plans.front()).warnings;
        EXPECT_EQ(std::ranges::count(warnings, "context_unknown"), is_long ? 1 : 0) << input;
        EXPECT_EQ(std::ranges::count(ranking.assumptions, "context", &Assumption::what), is_long ? 1 : 0) << input;
    }
}

TEST(RankService, AWeekHasThePeakOfItsKindAndAMeanOfOne) {
    for (const auto& [shape, peak] : {std::pair(ServiceShape::office, 2.68), {ServiceShape::consumer, 2.37}}) {
        const Rate rate = demand_shape(shape);
        ASSERT_TRUE(rate.curve);
        const std::vector<double>& y = rate.curve->y;
        EXPECT_NEAR(*std::ranges::max_element(y), peak, 0.01);
        EXPECT_NEAR(std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size()), 1.0, 1e-2);
    }
    EXPECT_FALSE(demand_shape(ServiceShape::flat).curve);
}

TEST(RankService, APlanIsSizedForThePeakOfTheWeekThatNobodyStated) {
    RankQuestion question = usual_service(40);
    question.include = {Way::cloud};
    const Ranking weekly = ranked(question, rented_and_hosted());
    question.service.shape = ServiceShape::flat;
    const Ranking flat = ranked(question, rented_and_hosted());
    const auto instances = [](const Ranking& ranking) { return ranking.plans.front().scenario.pools.front().max_instances; };
    EXPECT_GE(instances(weekly), 2 * instances(flat));
    EXPECT_FALSE(flat.plans.front().scenario.workloads.front().demand.shape);
    question.work.workloads.front().demand.shape = Rate{1.0, std::nullopt};
    question.service.shape = ServiceShape::office;
    EXPECT_EQ(instances(ranked(question, rented_and_hosted())), instances(flat)) << "what is stated stays";
}

TEST(RankService, WhatNobodyKnowsToBeFastIsListedAndNotFirst) {
    Catalog catalog = rented_and_hosted();
    const Ranking ranking = ranked(usual_service(10), catalog);
    ASSERT_EQ(ranking.plans.size(), 2U);
    EXPECT_EQ(first_pool(ranking), "rent");
    EXPECT_LT(ranking.plans[1].decisive, ranking.plans[0].decisive);
    EXPECT_TRUE(ranking.plans[1].why.starts_with("behind, as its latency is not known; ")) << ranking.plans[1].why;
    EXPECT_EQ(row_of(ranking.plans[1]).warnings.back(), "latency_unknown");
    const Slo& slo = ranking.plans[0].scenario.workloads.front().slo;
    EXPECT_EQ(slo, (Slo{2.0, 0.1, std::nullopt, 95.0}));
    const Replica replica = replicas_of(ranking.plans.front()).front();
    EXPECT_LE(replica.at_peak->ttft_s.value(), 2.0);
    EXPECT_LE(replica.at_peak->itl_s.value(), 0.1);
    catalog.endpoints.front().ttft_s = 0.5;
    catalog.endpoints.front().itl_s = 0.05;
    catalog.endpoints.front().latency_percentile = 95;
    EXPECT_EQ(first_pool(ranked(usual_service(10), catalog)), catalog.endpoints.front().id);
}

TEST(RankService, AnObjectiveThatIsAskedForLeavesOutWhatIsNotKnownToKeepIt) {
    RankQuestion question = usual_service(10);
    question.work.workloads.front().slo.ttft_s = 5;
    const Ranking ranking = ranked(question, rented_and_hosted());
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_TRUE(excluded_for(ranking, "latency_unknown"));
    EXPECT_FALSE(ranking.plans[0].scenario.workloads.front().slo.itl_s) << "what is stated stays as it is";
}

TEST(RankService, WhereOnlyTheUnknownIsLeftTheNearestDeviceIsNamed) {
    RankQuestion question = usual_service(1);
    question.work.workloads.front().units_per_request.input = 4000;
    Catalog catalog = rented_and_hosted();
    catalog.offers.front().device.peak_flops = {{"bf16", 2e13}};
    const Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    ASSERT_TRUE(ranking.nearest);
    EXPECT_EQ(ranking.nearest->device, "fast");
    EXPECT_GT(ranking.nearest->times_over, 1.0);
}

// A spare beside the replica that it stands in for goes with it when their host does: where that is too often, spares are on
// another.
TEST(RankService, SparesStandOnHostsOfTheirOwn) {
    RankQuestion question = usual_service(1);
    question.include = {Way::cloud};
    question.service = {};
    question.outages = {1, 0.999, SpotUse::burst, true};
    Catalog catalog = rented_and_hosted();
    const auto first = [&] { return ranked(question, catalog).plans.front(); };
    EXPECT_EQ(first().scenario.pools.front().max_instances, 2) << "one and a spare";
    catalog.offers.front().devices = 8; // eight replicas
    EXPECT_EQ(first().scenario.pools.front().max_instances, 1) << "down 0.02 % of the time: less than the availability leaves";
    EXPECT_EQ(first().scenario.workloads.front().spare_replicas, 1);
    catalog.offers.front().replacement_s = 8 * 3600;
    EXPECT_EQ(first().scenario.pools.front().max_instances, 2) << "0.13 %";
    EXPECT_EQ(first().scenario.workloads.front().spare_replicas, 8);
    EXPECT_LT(row_of(first()).lost_fraction, 1e-3);
}

// The largest batch that keeps an objective where nobody waits leaves those who do no time.
TEST(RankService, AStricterPercentileIsNeverCheaper) {
    RankQuestion question = usual_service(60);
    question.include = {Way::cloud};
    question.service = {};
    double last = 0.0;
    for (const double percentile : {50.0, 95.0, 99.0, 99.9}) {
        question.work.workloads.front().slo = {
            .ttft_s = std::nullopt, .itl_s = 0.03, .e2e_s = std::nullopt, .percentile = percentile};
        const Ranking ranking = ranked(question, rented_and_hosted());
        ASSERT_FALSE(ranking.plans.empty()) << percentile;
        EXPECT_GE(ranking.plans.front().decisive, last) << percentile;
        last = ranking.plans.front().decisive;
    }
}

TEST(RankService, TheLeastPrecisionLetsNarrowerWeightsRun) {
    RankQuestion question = usual_service(10);
    question.include = {Way::cloud};
    const Ranking published = ranked(question, rented_and_hosted());
    EXPECT_EQ(replicas_of(published.plans.front()).front().precision, "bf16");
    question.limits.precision = NumberFormat::fp8;
    const Ranking narrower = ranked(question, rented_and_hosted());
    EXPECT_EQ(replicas_of(narrower.plans.front()).front().precision, "fp8");
    EXPECT_LE(narrower.plans.front().decisive, published.plans.front().decisive);
}

} // namespace
} // namespace costcurve::tests
