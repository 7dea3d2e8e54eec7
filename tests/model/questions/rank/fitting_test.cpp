// Which performance a workload has on a device, by the rates of model/performance/rates.hpp.
#include "model/questions/rank/fitting.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "model/performance/classes.hpp"
#include "model/performance/performance.hpp"
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
    model.parameters = model.active_parameters = 30 * kGib;
    model.weight_bytes = {{"bf16", 60 * kGib}, {"fp8", 30 * kGib}};
    model.kv_bytes_per_token = 1024 * 1024;
    model.layers = 80;
    model.context_tokens = 8192;
    return model;
}

Workload chat(double input = 768, double output = 256) {
    Workload workload;
    workload.model = "some";
    workload.unit = "token";
    workload.units_per_request = tests::in_and_out(input, output);
    return workload;
}

Catalog of_some_model() {
    Catalog catalog;
    catalog.models.push_back(some_model());
    return catalog;
}

Fit fit_of(const Workload& workload, const Device& device, int devices_per_host = 8, const Catalog& catalog = of_some_model()) {
    return Fitting(catalog).fit(workload, device, devices_per_host);
}

// Requests that the replica answers in a second.
double requests_per_s(const Workload& workload, const Device& device) {
    const Fit fit = fit_of(workload, device);
    const std::optional<int> batch = choose_batch(*fit.performance, device, workload).batch;
    const double held = devices_held(fit.performance->devices, 8);
    return replica_rate(*fit.performance, device, workload, batch).units_per_s / units_of_request(workload.units_per_request) /
           held;
}

TEST(Fitting, PromptsAreNotFree) {
    const double with_100 = requests_per_s(chat(100), fast_device());
    const double with_500 = requests_per_s(chat(500), fast_device());
    const double with_1000 = requests_per_s(chat(1000), fast_device());
    EXPECT_GT(with_100, 1.1 * with_500);
    EXPECT_GT(with_500, 1.1 * with_1000);
}

TEST(Fitting, CachedPromptsTakeLess) {
    Workload cached = chat(0);
    cached.units_per_request.cached_input = 4000;
    EXPECT_GT(requests_per_s(cached, fast_device()), 1.1 * requests_per_s(chat(4000), fast_device()));
}

TEST(Fitting, TakesAPowerOfTwoOfDevicesThatHoldsTheWeights) {
    Device small = fast_device();
    small.memory_gib = 20; // 18 usable each: 60 GiB and a request take four
    EXPECT_GE(fit_of(chat(), small).performance->devices, 4.0);
    EXPECT_EQ(fit_of(chat(), small, 2).reason, "exceeds_memory");
    Workload in_eight_bits = chat();
    in_eight_bits.precision = "fp8"; // 30 GiB take two
    EXPECT_EQ(fit_of(in_eight_bits, small, 2).performance->devices, 2.0);
}

TEST(Fitting, NeverLowersThePrecision) {
    Device of_eight_bits = fast_device();
    EXPECT_EQ(fit_of(chat(), of_eight_bits).performance->precision, "bf16"); // fp8 would be faster
    Catalog published_in_fp8 = of_some_model();
    published_in_fp8.models.front().weight_bytes.erase("bf16");
    EXPECT_EQ(fit_of(chat(), of_eight_bits, 8, published_in_fp8).performance->precision, "fp8");
    of_eight_bits.peak_flops.erase("fp8");
    EXPECT_EQ(fit_of(chat(), of_eight_bits, 8, published_in_fp8).reason, "no_peak_at_precision");
}

TEST(Fitting, KeepsTheLatencyObjectives) {
    Workload workload = chat();
    const auto chosen = [&] { return choose_batch(*fit_of(workload, fast_device()).performance, fast_device(), workload).batch; };
    workload.slo.itl_s = 0.1;
    const int held = *chosen();
    workload.slo.itl_s = 0.06;
    EXPECT_LT(*chosen(), held);
    workload.slo.itl_s = 1e-4;
    EXPECT_EQ(fit_of(workload, fast_device()).reason, "ineligible_latency");
    workload.slo.itl_s.reset();
    workload.slo.ttft_s = 1e-4;
    EXPECT_EQ(fit_of(workload, fast_device()).reason, "ineligible_latency");
}

TEST(Fitting, SaysWhatIsMissing) {
    Device bare = fast_device();
    bare.peak_flops.clear();
    EXPECT_EQ(fit_of(chat(), bare).reason, "no_performance"); // and none is stored
    EXPECT_EQ(fit_of(chat(8000, 1000), fast_device()).reason, "exceeds_context");
    EXPECT_EQ(fit_of(chat(), fast_device(), 8, Catalog()).reason, "no_performance");
    Workload other = chat();
    other.precision = "int4";
    EXPECT_EQ(fit_of(other, fast_device()).reason, "no_peak_at_precision");
}

TEST(Fitting, AssumesWhatTheModelDoesNotState) { EXPECT_EQ(fit_of(chat(), fast_device()).performance->basis, Evidence::assumed); }

// 100 GB/s of memory, 0.95 of it at most, and 60 GiB to read for a token: no stored rate makes it faster.
TEST(Fitting, AStoredRateOfAModelWithFactsDecidesNothing) {
    Catalog catalog = of_some_model();
    Performance& performance = catalog.performances.emplace_back();
    performance.id = "published";
    performance.device.id = "fast";
    performance.model = "some";
    performance.units_per_s = tests::flat(1e6);
    performance.class_weights.input = 0.0;
    EXPECT_EQ(fit_of(chat(), fast_device(), 8, catalog).performance->id, "rate.some.fast");
}

TEST(Fitting, OfAModelWithoutFactsPrefersWhatWasMeasured) {
    Catalog catalog;
    const auto add = [&](const char* id, double rate, double devices, Evidence basis) {
        Performance& performance = catalog.performances.emplace_back();
        performance.id = id;
        performance.device.id = "fast";
        performance.model = "some";
        performance.devices = devices;
        performance.units_per_s = tests::flat(rate);
        performance.basis = basis;
    };
    const auto best = [&](int devices_per_host) {
        return fit_of(chat(), fast_device(), devices_per_host, catalog).performance->id;
    };
    add("assumed", 9000, 1, Evidence::assumed);
    EXPECT_EQ(best(8), "assumed");
    add("measured", 1000, 1, Evidence::measured);
    EXPECT_EQ(best(8), "measured");
    add("on-five", 4000, 5, Evidence::measured); // holds all eight of a host: 500 each
    EXPECT_EQ(best(8), "measured");
    add("on-eight", 9000, 8, Evidence::measured);
    EXPECT_EQ(best(8), "on-eight");
    EXPECT_EQ(best(4), "measured");
}

// Between two loads of the curve an objective may be kept that is not at the load itself: the next is looked for.
TEST(Fitting, AStricterObjectiveIsNeverEasier) {
    Workload work = chat();
    work.units_per_request = tests::in_and_out(1000, 200);
    double last = std::numeric_limits<double>::infinity();
    int found = 0;
    for (double limit = 0.2; limit > 0.001; limit *= 0.985) {
        work.slo = {};
        work.slo.itl_s = limit;
        work.slo.percentile = 95;
        const bool is_found = fit_of(work, fast_device()).performance.has_value();
        const double rate = is_found ? requests_per_s(work, fast_device()) : 0.0;
        EXPECT_LE(rate, last * 1.01) << limit;
        last = rate;
        found += is_found ? 1 : 0;
    }
    EXPECT_GT(found, 50);
    EXPECT_EQ(last, 0.0) << "a limit that nothing keeps";
}

// A benchmark that counts tokens out alone would read long prompts for nothing.
TEST(Fitting, OfAModelWithoutFactsTakesNoRateOfShorterPrompts) {
    Catalog catalog;
    Performance& performance = catalog.performances.emplace_back();
    performance.id = "benchmark";
    performance.device.id = "fast";
    performance.model = "some";
    performance.units_per_s = tests::flat(450);
    performance.class_weights.input = 0.0;
    performance.mix = RequestMix{700, 130, 0};
    Workload work = chat();
    work.units_per_request = tests::in_and_out(700, 130);
    EXPECT_EQ(fit_of(work, fast_device(), 8, catalog).performance->id, "benchmark");
    work.units_per_request = tests::in_and_out(7000, 20);
    EXPECT_EQ(fit_of(work, fast_device(), 8, catalog).reason, "mix_differs");
    work.units_per_request = tests::in_and_out(20, 7000);
    EXPECT_EQ(fit_of(work, fast_device(), 8, catalog).performance->id, "benchmark") << "answers take what they took";
}

} // namespace
} // namespace costcurve::model
