// The step model: cases by hand, limits, monotonicity, ceilings, and a real H100 whose points were in no fit. That two evaluators
// agree is tests/reference/test_step_model.py.
#include "model/performance/step_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/performance/rate_table.hpp"

namespace costcurve::model {
namespace {

constexpr double kGib = 1073741824.0;

// Llama 3.1 8B and 70B, DeepSeek-R1, from their config.json; an H100 SXM from NVIDIA's datasheet.
constexpr ModelShape kLlama8b{8.03e9, 8.03e9, 0, 525336576, 32, 4096, 8, 65536, 0, 0, 0, 524288, 524288, 0, 0, false};
constexpr ModelShape kLlama70b{70.55e9, 70.55e9, 0, 1050673152, 80, 8192, 8, 163840, 0, 0, 0, 2621440, 2621440, 0, 0, false};
constexpr ModelShape kDeepSeek{671e9, 37.55e9, 653.9e9, 926679040, 61, 7168, 1, 35136, 0, 0, 0, 16990208, 4997120, 256, 8, true};
constexpr StepDevice kH100{3.35e12, 80 * kGib, 989.5e12, 989.5e12, 450e9, false};
constexpr StepDevice kH100At8Bit{3.35e12, 80 * kGib, 1979e12, 989.5e12, 450e9, false};

StepRequest request(double input, double output, double concurrency, double devices = 1.0) {
    StepRequest request;
    request.input_tokens = input;
    request.output_tokens = output;
    request.concurrency = concurrency;
    request.devices = devices;
    return request;
}

double per_s(const ModelShape& shape, const StepDevice& device, const StepRequest& request) {
    return step_rate(shape, device, request, kStepParameters).output_per_s;
}

TEST(StepModel, IsWithinAFifthOfARealServer) {
    // A small continuous-batching server of Llama 3.1 8B in bf16 on one H100, 256 tokens in, 256 out, prompts between steps; output
    // tokens/s over the busy share of the time (../shared/data/measured-h100/serve-results.json, 2026-11-26). In no fit.
    struct Row {
        double batch, per_s, tolerance;
    };
    // Busy for 75 and 95 % of the time at the two lowest loads: requests held are those while it was busy, tokens over steps.
    constexpr Row rows[] = {{2.29, 347, 0.15},   {2.43, 368, 0.15},  {5.74, 827, 0.10},   {12.39, 1634, 0.10}, {22.21, 2630, 0.10},
                            {35.78, 3755, 0.10}, {61.8, 5236, 0.10}, {102.5, 6755, 0.10}, {127.48, 7556, 0.10}};
    for (const Row& row : rows) {
        const double predicted = per_s(kLlama8b, kH100, request(256, 256, row.batch));
        EXPECT_NEAR(predicted / row.per_s, 1.0, row.tolerance) << row.batch;
    }
}

TEST(StepModel, AFirstTokenAtLowLoadTakesTheHostsTimeAndSteps) {
    // Four requests of 1,024 in and 8,192 out: measured servers take 9 steps and more (decision 56), not the prompts alone.
    const StepRate rate = step_rate(kLlama8b, kH100, request(1024, 8192, 4), kStepParameters);
    EXPECT_GT(rate.ttft_s, kStepParameters.first_s + kStepParameters.first_steps * rate.step_s);
    EXPECT_NEAR(rate.e2e_s, rate.ttft_s + 8191 * rate.itl_s, 1e-9 * rate.e2e_s);
}

TEST(StepModel, AFirstTokenComesNoLaterForAShorterAnswer) {
    const double alone = step_rate(kLlama8b, kH100, request(4000, 300, 1), kStepParameters).ttft_s;
    const double one = step_rate(kLlama8b, kH100, request(4000, 1, 1), kStepParameters).ttft_s;
    EXPECT_NEAR(one / alone, 1.0, 0.01) << "nobody else's prompt is there";
    const StepRate crowd = step_rate(kLlama8b, kH100, request(4000, 1, 8), kStepParameters);
    EXPECT_LT(crowd.ttft_s, one * 8 * 1.01) << "no more prompts are before it than there are others";
}

TEST(StepModel, ProductsReachNoMoreThanTheirMakerMeasured) {
    Device device;
    device.id = "amd.mi300x";
    device.memory_gib = 192;
    device.memory_bandwidth_gb_per_s = 5300;
    device.peak_flops = {{"bf16", 1307.4e12}, {"fp8", 2614.9e12}};
    const StepDevice in_16 = *step_device(device, {}, WeightPrecision::bf16);
    EXPECT_NEAR(in_16.peak_flops * kPeakCeiling, 708e12, 1);
    EXPECT_NEAR(step_device(device, {}, WeightPrecision::fp8)->peak_flops * kPeakCeiling, 1273e12, 1);
    const StepRate rate = step_rate(kLlama8b, in_16, request(7000, 20, 64), kStepParameters);
    EXPECT_LE(rate.output_per_s * 351 * 2 * kLlama8b.active_parameters, 708e12 * 1.0001) << "prompts of 350 tokens for each out";
    device.id = "another";
    EXPECT_EQ(step_device(device, {}, WeightPrecision::bf16)->peak_flops, 1307.4e12);
}

TEST(StepModel, AShortAnswerLeavesATimeBetweenTokensOfAStepAtLeast) {
    const StepRate rate = step_rate(kLlama8b, kH100, request(1024, 2, 4), kStepParameters);
    EXPECT_NEAR(rate.itl_s, rate.step_s - rate.prompts_s, 1e-12);
    EXPECT_GE(rate.e2e_s, rate.ttft_s + rate.itl_s - 1e-12);
}

TEST(StepModel, SglangsFirstTokensAreLater) {
    StepRequest asked = request(1024, 1024, 16);
    const double others = step_rate(kLlama8b, kH100, asked, kStepParameters).ttft_s;
    asked.is_sglang = true;
    EXPECT_NEAR(step_rate(kLlama8b, kH100, asked, kStepParameters).ttft_s, others * kStepParameters.first_sglang, 1e-9);
}

TEST(StepModel, ReadsWeightsAtOneRequest) {
    // One request without a prompt: weights (8.03e9 - 525336576) x 2 B and a cache of 128 x 65536 x 2 B at 3.35e12 x 0.905,
    // arithmetic 2 x 8.03e9 + 128 x 524288 at 989.5e12 x 0.745, overhead 32 layers and the step and sequence, by hand.
    const StepRate rate = step_rate(kLlama8b, kH100, request(0, 256, 1), kStepParameters);
    const double reading = ((8.03e9 - 525336576.0) * 2 + 128 * 131072.0) / (3.35e12 * kStepParameters.bandwidth_share);
    const double arithmetic = (2 * 8.03e9 + 128 * 524288.0) / (989.5e12 * kStepParameters.peak_share);
    const double overhead = 32 * kStepParameters.layer_s + kStepParameters.step_s + kStepParameters.sequence_s;
    EXPECT_NEAR(rate.step_s, reading + arithmetic + overhead, 1e-15);
    EXPECT_EQ(rate.communication_s, 0.0);
    EXPECT_EQ(rate.prompts_s, 0.0);
    EXPECT_EQ(rate.bound, StepBound::reading);
}

TEST(StepModel, MorePromptTokensAreNeverCheaper) {
    for (const double concurrency : {1.0, 16.0, 256.0}) {
        double least = HUGE_VAL;
        for (double input = 0; input < 100000; input = input * 1.7 + 10) {
            const double requests =
                step_rate(kLlama70b, kH100, request(input, 300, concurrency, 8), kStepParameters).requests_per_s;
            EXPECT_LE(requests, least) << input << " at " << concurrency;
            least = requests;
        }
    }
}

TEST(StepModel, HundredFiveHundredAndThousandPromptTokensCostDifferently) {
    const double at_100 = per_s(kLlama8b, kH100, request(100, 300, 64));
    const double at_500 = per_s(kLlama8b, kH100, request(500, 300, 64));
    const double at_1000 = per_s(kLlama8b, kH100, request(1000, 300, 64));
    EXPECT_GT(at_100, 1.1 * at_500);
    EXPECT_GT(at_500, 1.1 * at_1000);
}

TEST(StepModel, CachedPromptsSaveTheirArithmeticAlone) {
    StepRequest cached = request(4000, 300, 32);
    const double without = per_s(kLlama8b, kH100, cached);
    cached.cached_input_tokens = 4000;
    const StepRate with = step_rate(kLlama8b, kH100, cached, kStepParameters);
    EXPECT_EQ(with.prompts_s, 0.0);
    EXPECT_GT(with.output_per_s, without);
    EXPECT_LT(with.output_per_s, per_s(kLlama8b, kH100, request(0, 300, 32))); // their caches are read
}

TEST(StepModel, AFasterDeviceIsNeverSlower) {
    for (const StepRequest& at : {request(1000, 300, 1, 8), request(1000, 300, 64, 8), request(8000, 100, 512, 8)}) {
        const double rate = per_s(kLlama70b, kH100, at);
        for (double StepDevice::*const member :
             {&StepDevice::bandwidth, &StepDevice::peak_flops, &StepDevice::link, &StepDevice::memory_bytes}) {
            StepDevice faster = kH100;
            faster.*member *= 1.5;
            EXPECT_GE(per_s(kLlama70b, faster, at), rate);
        }
    }
}

TEST(StepModel, MoreRequestsAtATimeAreNeverFewerTokens) {
    double most = 0.0;
    for (double concurrency = 1; concurrency < 5000; concurrency *= 1.4) {
        const double rate = per_s(kDeepSeek, kH100At8Bit, [&] {
            StepRequest at = request(1000, 1000, concurrency, 16);
            at.precision = WeightPrecision::fp8;
            at.kv_bytes_per_value = 1.0;
            return at;
        }());
        EXPECT_GE(rate, most * (1 - 1e-12)) << concurrency;
        most = rate;
    }
}

TEST(StepModel, RequestsBeyondTheCachesMemoryWait) {
    const StepRate rate = step_rate(kLlama8b, kH100, request(8000, 1000, 1000), kStepParameters);
    EXPECT_LT(rate.running, 100); // 0.9 x 85.9 GB less 16 GB of weights, of 8700 x 131072 B each: 54
    EXPECT_NEAR(rate.running, (0.9 * 80 * kGib - 2 * 8.03e9) / (8700 * 131072.0), 1e-9);
    EXPECT_NEAR(rate.e2e_s, rate.ttft_s + 999 * rate.itl_s, 1e-9 * rate.e2e_s);
    EXPECT_GT(rate.ttft_s, 0.9 * rate.e2e_s * (1 - rate.running / 1000)); // most of it waiting
}

TEST(StepModel, WeightsThatDoNotFitAreSaid) {
    EXPECT_FALSE(step_rate(kLlama70b, kH100, request(1000, 300, 8, 1), kStepParameters).weights_fit);
    EXPECT_TRUE(step_rate(kLlama70b, kH100, request(1000, 300, 8, 4), kStepParameters).weights_fit);
}

// With 0.9 of 80 GiB, 77.3 GB a device. Each group holds what is outside of experts, all devices together the experts.
TEST(StepModel, GroupsEachHoldWhatIsOutsideOfExperts) {
    // Its config.json: 94 layers of 128 experts of 3 x 4096 x 1536.
    constexpr ModelShape kQwen235b{235.09e9, 22.19e9, 227.1e9, 622329856, 94,      4096, 4, 96256,
                                   0,        0,       0,       3080192,   3080192, 128,  8, false};
    struct Row {
        const char* name;
        ModelShape shape;
        WeightPrecision precision;
        double devices, groups;
        bool fits;
    };
    const Row rows[] = {
        // 653.9 / 16 + 16.2 + 1.85 = 58.9 GB a device at 8 bit.
        {"DeepSeek at 8 bit, 16 groups of 1", kDeepSeek, WeightPrecision::fp8, 16, 16, true},
        // 1307.8 / 24 + 32.3 + 1.85 = 88.7 GB; in groups of 8 devices 54.5 + 34.2 / 8 = 58.8 GB.
        {"DeepSeek at 16 bit, 24 groups of 1", kDeepSeek, WeightPrecision::bf16, 24, 24, false},
        {"DeepSeek at 16 bit, 3 groups of 8", kDeepSeek, WeightPrecision::bf16, 24, 3, true},
        // 454.2 / 8 + 14.7 + 1.24 = 72.8 GB; on 7 devices 64.9 + 16.0 = 80.9 GB, in one group 470.2 / 7 = 67.2 GB.
        {"Qwen3 at 16 bit, 8 groups of 1", kQwen235b, WeightPrecision::bf16, 8, 8, true},
        {"Qwen3 at 16 bit, 7 groups of 1", kQwen235b, WeightPrecision::bf16, 7, 7, false},
        {"Qwen3 at 16 bit, one group of 7", kQwen235b, WeightPrecision::bf16, 7, 1, true},
        // A dense model whole: 141.1 / 4 = 35.3 GB, 141.1 GB.
        {"Llama 70B, 2 groups of 4", kLlama70b, WeightPrecision::bf16, 8, 2, true},
        {"Llama 70B, 8 groups of 1", kLlama70b, WeightPrecision::bf16, 8, 8, false},
    };
    for (const Row& row : rows) {
        StepRequest at = request(1000, 300, 8, row.devices);
        at.precision = row.precision;
        at.attention_groups = row.groups;
        EXPECT_EQ(step_rate(row.shape, kH100, at, kStepParameters).weights_fit, row.fits) << row.name;
    }
    StepRequest full = request(1000, 1000, 100000, 16);
    full.precision = WeightPrecision::fp8;
    full.kv_bytes_per_value = 1.0;
    full.attention_groups = 16;
    // Room for caches of 35,136 B a token at 8 bit: 16 x (77.3 - 58.9) GB.
    const double outside = 671e9 - 653.9e9 - 926679040.0 + 2 * 926679040.0;
    EXPECT_NEAR(step_rate(kDeepSeek, kH100At8Bit, full, kStepParameters).running,
                (0.9 * 16 * 80 * kGib - 16 * outside - 653.9e9) / (1700 * 35136.0), 1e-6);
}

TEST(StepModel, PassesNoCeiling) {
    StepParameters perfect = kStepParameters; // nothing lost: what is left are the ceilings
    perfect.bandwidth_share = perfect.peak_share = perfect.peak_share_fp8 = perfect.peak_share_experts = 1.0;
    perfect.shard_loss = perfect.expert_padding = perfect.layer_s = perfect.step_s = perfect.sequence_s = perfect.reduce_s = 0.0;
    perfect.expert_layer_s = perfect.hard_layer_s = 0.0;
    for (const StepRequest& at : {request(0, 1000, 1), request(0, 100, 400), request(30000, 10, 4)}) {
        const StepRate rate = step_rate(kLlama8b, kH100, at, perfect);
        EXPECT_LE(rate.bandwidth_share, kBandwidthCeiling * (1 + 1e-12));
        EXPECT_LE(rate.peak_share, kPeakCeiling * (1 + 1e-12));
    }
}

TEST(StepModel, AMixtureOfAllItsExpertsIsDense) {
    ModelShape all = kDeepSeek;
    all.experts_per_token = all.experts;
    all.active_parameters = all.parameters;
    StepParameters even = kStepParameters; // without what a mixture pays besides
    even.expert_padding = even.expert_layer_s = 0.0;
    even.peak_share_experts = 1.0;
    ModelShape dense = all;
    dense.experts = dense.experts_per_token = dense.expert_parameters = 0.0;
    const StepRequest at = request(1000, 1000, 32, 64);
    EXPECT_NEAR(step_rate(all, kH100, at, even).output_per_s / step_rate(dense, kH100, at, even).output_per_s, 1.0, 1e-12);
}

} // namespace
} // namespace costcurve::model
