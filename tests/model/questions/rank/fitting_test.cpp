// Which performance a workload has on a device, and estimates worked by hand (model.md, section 4).
#include "model/questions/rank/fitting.hpp"

#include <gtest/gtest.h>

#include "model/performance/decode_factors.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;

Device fast_device() {
    Device device;
    device.id = "fast";
    device.memory_gib = 100;
    device.memory_bandwidth_gb_per_s = 2000;
    device.peak_flops = {{"bf16", 1e15}, {"fp8", 2e15}};
    return device;
}

// 60 GiB of weights at 16 bit; 1 MiB of cache a token.
Model some_model() {
    Model model;
    model.id = "some";
    model.parameters = model.active_parameters = 32e9;
    model.weight_bytes = {{"bf16", 60 * kGib}, {"fp8", 30 * kGib}};
    model.kv_bytes_per_token = 1024 * 1024;
    model.layers = 80;
    model.context_tokens = 8192;
    return model;
}

Workload chat() {
    Workload workload;
    workload.model = "some";
    workload.unit = "token";
    workload.units_per_request = tests::in_and_out(768, 256);
    return workload;
}

TEST(Fitting, EstimatesTheLargestBatchThatFits) {
    const Fit fit = estimate_of(some_model(), fast_device(), chat(), 8);
    ASSERT_TRUE(fit.performance) << fit.reason;
    const Performance& performance = *fit.performance;
    EXPECT_EQ(performance.devices, 1.0);
    EXPECT_EQ(performance.batch, 30); // 0.9 x 100 - 60 = 30 GiB, of 1 GiB a request with its whole answer
    EXPECT_EQ(performance.estimate->kv_bytes_per_sequence, 1024 * 1024 * (768 + 128.0)); // half-way through the answer
    EXPECT_EQ(performance.precision, "bf16");
    EXPECT_EQ(performance.basis, Evidence::estimated);
    EXPECT_EQ(performance.estimate->alpha, decode_factors("fast", "", 1).alpha);
}

TEST(Fitting, TakesAPowerOfTwoOfDevicesThatHoldsTheWeights) {
    Device small = fast_device();
    small.memory_gib = 20; // 18 usable each: 61 GiB take four
    EXPECT_EQ(estimate_of(some_model(), small, chat(), 8).performance->devices, 4.0);
    EXPECT_EQ(estimate_of(some_model(), small, chat(), 2).reason, "exceeds_memory");
    Workload in_eight_bits = chat();
    in_eight_bits.precision = "fp8"; // 31 GiB take two
    EXPECT_EQ(estimate_of(some_model(), small, in_eight_bits, 8).performance->devices, 2.0);
}

TEST(Fitting, KeepsTheLatencyObjective) {
    Workload workload = chat();
    const Fit free = estimate_of(some_model(), fast_device(), workload, 8);
    workload.latency_objective_s = 0.05;
    const Fit held = estimate_of(some_model(), fast_device(), workload, 8);
    ASSERT_TRUE(free.performance && held.performance);
    EXPECT_LT(*held.performance->batch, *free.performance->batch);
    workload.latency_objective_s = 1e-4;
    EXPECT_EQ(estimate_of(some_model(), fast_device(), workload, 8).reason, "ineligible_latency");
}

TEST(Fitting, SaysWhatIsMissing) {
    Device bare = fast_device();
    bare.peak_flops.clear();
    EXPECT_EQ(estimate_of(some_model(), bare, chat(), 8).reason, "no_peak_at_precision");
    Workload lengthy = chat();
    lengthy.units_per_request = tests::in_and_out(8000, 1000);
    Catalog of_model;
    of_model.models.push_back(some_model());
    EXPECT_EQ(Fitting(of_model).fit(lengthy, fast_device(), 8).reason, "exceeds_context");
    const Catalog nothing;
    EXPECT_EQ(Fitting(nothing).fit(chat(), fast_device(), 8).reason, "no_performance");
}

// A rate of answers alone says nothing of prompts twenty times as long: 2 x 32e9 FLOP a token, 2e15 a second are 31,250 tokens/s.
TEST(Fitting, LeavesOutARateThatNoArithmeticCouldKeep) {
    Catalog catalog;
    catalog.models.push_back(some_model());
    Performance& performance = catalog.performances.emplace_back();
    performance.device.id = "fast";
    performance.model = "some";
    performance.units_per_s = tests::flat(2000); // of answers
    performance.class_weights.input = 0.0;
    Workload workload = chat();
    workload.units_per_request = tests::in_and_out(1000, 100); // 22,000 tokens/s
    EXPECT_EQ(Fitting(catalog).fit(workload, fast_device(), 8).performance->basis, Evidence::measured);
    workload.units_per_request = tests::in_and_out(2000, 100); // 42,000
    EXPECT_EQ(Fitting(catalog).fit(workload, fast_device(), 8).performance->basis, Evidence::estimated);
}

TEST(Fitting, PrefersWhatWasMeasured) {
    Catalog catalog;
    catalog.models.push_back(some_model());
    EXPECT_EQ(Fitting(catalog).fit(chat(), fast_device(), 8).performance->basis, Evidence::estimated);
    const auto add = [&](const char* id, double rate, double devices, Evidence basis) {
        Performance& performance = catalog.performances.emplace_back();
        performance.id = id;
        performance.device.id = "fast";
        performance.model = "some";
        performance.devices = devices;
        performance.units_per_s = tests::flat(rate);
        performance.basis = basis;
    };
    add("assumed", 9000, 1, Evidence::assumed);
    EXPECT_EQ(Fitting(catalog).fit(chat(), fast_device(), 8).performance->id, "assumed");
    add("measured", 1000, 1, Evidence::measured);
    EXPECT_EQ(Fitting(catalog).fit(chat(), fast_device(), 8).performance->id, "measured");
    add("on-five", 4000, 5, Evidence::measured); // holds all eight of a host: 500 each
    EXPECT_EQ(Fitting(catalog).fit(chat(), fast_device(), 8).performance->id, "measured");
    add("on-eight", 9000, 8, Evidence::measured);
    EXPECT_EQ(Fitting(catalog).fit(chat(), fast_device(), 8).performance->id, "on-eight");
    EXPECT_EQ(Fitting(catalog).fit(chat(), fast_device(), 4).performance->id, "measured");
}

} // namespace
} // namespace costcurve::model
