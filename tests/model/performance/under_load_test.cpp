#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "model/performance/performance.hpp"
#include "model/queueing/under_load.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

// One request at a time, 101 tokens out of it in a second, no prompt.
Performance one_slot() {
    Performance performance;
    Curve rates;
    rates.kind = CurveKind::throughput;
    rates.axis = Axis::batch;
    rates.interpolation = Interpolation::log;
    rates.x = {1, 2};
    rates.y = {101, 101};
    performance.units_per_s = Rate{0.0, rates};
    performance.prompt_token_s = 0.0;
    return performance;
}

Workload chat(double tokens_out) {
    Workload workload;
    workload.unit = "token";
    workload.units_per_request.total = tokens_out;
    return workload;
}

// M/D/1: P(wait > t) = u e^(-2 (1 - u) t); at a half of the rate 5 % wait longer than ln 10 = 2.3026 s, beside the half of a step
// of 10 ms in which a request comes.
TEST(UnderLoad, OneSlotIsTheTextbooksQueue) {
    Workload workload = chat(101);
    workload.slo.ttft_s = std::log(10.0);
    EXPECT_NEAR(share_under_load(one_slot(), workload, 1).value(), 0.5, 0.001);
    workload.slo.percentile = 97.5; // e^-t = 0.05
    workload.slo.ttft_s = std::log(20.0);
    EXPECT_NEAR(share_under_load(one_slot(), workload, 1).value(), 0.5, 0.001);
    EXPECT_NEAR(latency_under_load(one_slot(), workload, 1, 0.5)->ttft_s, std::log(20.0), 0.006);
}

TEST(UnderLoad, OnlyWhatIsStatedIsReckonedWith) {
    Workload workload = chat(101);
    EXPECT_FALSE(share_under_load(one_slot(), workload, 1)) << "no objective";
    workload.slo.e2e_s = 3.0;
    EXPECT_TRUE(share_under_load(one_slot(), workload, 1));
    workload.slo.percentile = 0.0;
    EXPECT_FALSE(share_under_load(one_slot(), workload, 1)) << "of no percentile";
    workload.slo.percentile = 95.0;
    Performance performance = one_slot();
    performance.prompt_token_s.reset();
    EXPECT_FALSE(share_under_load(performance, workload, 1)) << "a rate that does not say how long prompts take";
    performance = one_slot();
    performance.units_per_s = Rate{101.0, {}};
    EXPECT_FALSE(share_under_load(performance, workload, 1)) << "a rate of one load";
}

TEST(UnderLoad, AnObjectiveBelowTheRequestItselfIsKeptAtNoLoad) {
    Workload workload = chat(101);
    workload.slo.e2e_s = 0.99; // 100 steps of 10 ms
    EXPECT_EQ(share_under_load(one_slot(), workload, 1), 0.0);
    EXPECT_NEAR(latency_under_load(one_slot(), workload, 1, 0.0)->e2e_s, 1.0, 0.011);
    workload.slo.e2e_s = 1.1;
    EXPECT_GT(share_under_load(one_slot(), workload, 1), 0.0);
    EXPECT_FALSE(latency_under_load(one_slot(), workload, 1, 1.0)) << "the line grows without end";
}

// Of 10,000 requests one may wait: at a share u about u of them find another there.
TEST(UnderLoad, AShareOfATenThousandthIsOne) {
    Workload workload = chat(101);
    workload.slo.percentile = 99.99;
    workload.slo.ttft_s = 0.03; // the first step and two more
    EXPECT_NEAR(share_under_load(one_slot(), workload, 1).value(), 1e-4, 1e-5);
    EXPECT_NEAR(least_latency(one_slot(), workload, 1)->e2e_s, 1.0, 0.011) << "nobody waits";
    EXPECT_GT(latency_under_load(one_slot(), workload, 1, 0.001)->e2e_s, 1.5) << "one in a thousand does";
}

// Ten thousand tokens in take a second, a step 10 ms. With one slot no other prompt comes between a request's tokens: an objective
// a little above a step holds them up nowhere, and a request with more tokens out is never served more often.
TEST(UnderLoad, OneSlotIsNotHeldUpByItsOwnPrompt) {
    double last = HUGE_VAL;
    for (const double out : {11.0, 21.0, 51.0, 101.0, 1001.0}) {
        Performance performance = one_slot();
        performance.prompt_token_s = 1e-4;
        performance.class_weights.input = 0.01;
        const double largest = 1.0 / (1.0 + 0.01 * (out - 1.0)); // requests a second
        performance.units_per_s->curve->y = {largest * (100.0 + out), largest * (100.0 + out)};
        Workload workload = chat(1);
        workload.units_per_request.split = true;
        workload.units_per_request.input = 10000;
        workload.units_per_request.output = out;
        workload.slo.itl_s = 0.0101;
        const double share = share_under_load(performance, workload, 1).value();
        EXPECT_DOUBLE_EQ(share, 0.9) << out << " tokens";
        EXPECT_LT(share * largest, last);
        last = share * largest;
    }
}

TEST(UnderLoad, MoreIsServedWhereMoreTimeIsLeft) {
    Performance performance = one_slot();
    performance.units_per_s->curve->x = {1, 16};
    performance.units_per_s->curve->y = {101, 1000};
    performance.prompt_token_s = 1e-4;
    Workload workload = chat(1);
    workload.units_per_request.split = true;
    workload.units_per_request.input = 1000;
    workload.units_per_request.output = 101;
    performance.class_weights.input = 0.1;
    double last = 0.0;
    for (const double seconds : {0.15, 0.3, 0.6, 1.2, 2.4}) {
        workload.slo.ttft_s = seconds;
        const double share = share_under_load(performance, workload, 16).value();
        EXPECT_GE(share, last) << seconds;
        EXPECT_LE(share, 0.9) << "to which the closed form is checked";
        last = share;
    }
    workload.slo.ttft_s = 0.3;
    const double share = share_under_load(performance, workload, 16).value();
    EXPECT_NEAR(latency_under_load(performance, workload, 16, share)->ttft_s, 0.3, 1e-6) << "the limit is reached there";
    workload.token_mix = {{}, {}};
    workload.token_mix[0].input = 500;
    workload.token_mix[0].output = 101;
    workload.token_mix[0].share = 0.9;
    workload.token_mix[1].input = 5500;
    workload.token_mix[1].output = 101;
    workload.token_mix[1].share = 0.1;
    EXPECT_EQ(share_under_load(performance, workload, 16), 0.0) << "a tenth of the prompts takes longer by itself";
}

// The first token of a hundred that are held together is late; of those that come one by one it is not.
TEST(UnderLoad, HowManyAreHeldDoesNotBoundTheFirstTokenOfRequestsOfOneSize) {
    const Device device = *device_of(tests::cloud_scenario().pools.front());
    Performance performance;
    performance.devices = 1;
    performance.units_per_s = tests::curve(CurveKind::throughput, Axis::batch, {1, 100}, {20, 1000});
    performance.ttft_s = tests::curve(CurveKind::latency, Axis::batch, {1, 100}, {0.1, 10});
    performance.itl_s = tests::curve(CurveKind::latency, Axis::batch, {1, 100}, {0.05, 0.1});
    performance.prompt_token_s = 0.0001;
    Workload workload;
    workload.unit = "token";
    workload.units_per_request.split = true;
    workload.units_per_request.input = 1000;
    workload.units_per_request.output = 1000;
    workload.slo = {.ttft_s = 1, .itl_s = 0.2, .e2e_s = {}, .percentile = 95};
    EXPECT_EQ(choose_batch(performance, device, workload).batch, 100);
    EXPECT_GT(share_under_load(performance, workload, 100).value(), 0.5);
    workload.slo.ttft_s = 0.09;
    EXPECT_EQ(choose_batch(performance, device, workload).problem, BatchChoice::Problem::latency) << "alone it takes 0.1 s";
    workload.slo.ttft_s = 1;
    Performance without = performance;
    without.prompt_token_s.reset();
    EXPECT_EQ(choose_batch(without, device, workload).batch, 10) << "1 s at 10";
    for (const double tokens : {500.0, 1500.0}) {
        TokenBucket& bucket = workload.token_mix.emplace_back();
        bucket.share = 0.5;
        bucket.input = bucket.output = tokens;
    }
    EXPECT_EQ(choose_batch(performance, device, workload).batch, 10) << "of a mix both bound it";
}

} // namespace
} // namespace costcurve::model
