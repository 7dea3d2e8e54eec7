// Rates of replicas and gangs, the batch that a latency objective picks, rooflines and evidence (model.md, section 4).
#include "model/performance/performance.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::curve;
using tests::flat;
using tests::is_close;

Rate throughput(std::vector<double> x, std::vector<double> y) {
    return curve(CurveKind::throughput, Axis::batch, std::move(x), std::move(y));
}
Rate latency(std::vector<double> x, std::vector<double> y) {
    return curve(CurveKind::latency, Axis::batch, std::move(x), std::move(y));
}

Performance measured(Rate units_per_s) {
    Performance made;
    made.units_per_s = std::move(units_per_s);
    return made;
}

using Problem = BatchChoice::Problem;

Workload with_objective(std::optional<double> itl_s) {
    Workload workload;
    workload.slo.itl_s = itl_s;
    return workload;
}

BatchChoice choice_of(const Performance& performance, std::optional<double> objective) {
    return choose_batch(performance, Device{}, with_objective(objective));
}

ReplicaRate rate_of(const Performance& performance, std::optional<double> objective = std::nullopt) {
    return replica_rate(performance, Device{}, with_objective(objective), choice_of(performance, objective).batch);
}

Workload in_precision(std::string precision) {
    Workload workload;
    workload.precision = std::move(precision);
    return workload;
}

TEST(Performance, NumberIsTheRate) {
    const ReplicaRate rate = rate_of(measured(flat(12)));
    EXPECT_EQ(rate.units_per_s, 12.0);
    EXPECT_EQ(rate.evidence, Evidence::measured);
    EXPECT_EQ(rate.batch, std::nullopt);
    EXPECT_FALSE(rate.capped_by_input);
}

TEST(Performance, CurveIsReadAtTheBatch) {
    struct Row {
        int batch;
        double expected;
        Evidence evidence;
    };
    for (const Row& row : {Row{1, 10, Evidence::measured}, Row{8, 45, Evidence::measured}, Row{5, 30, Evidence::interpolated},
                           Row{16, 45, Evidence::extrapolated}}) {
        Performance performance = measured(throughput({1, 8}, {10, 45})); // 10 + 5 (batch - 1)
        performance.batch = row.batch;
        const ReplicaRate rate = rate_of(performance);
        EXPECT_TRUE(is_close(rate.units_per_s, row.expected)) << row.batch;
        EXPECT_EQ(rate.evidence, row.evidence) << row.batch;
        EXPECT_EQ(rate.batch, row.batch);
    }
}

TEST(Performance, CurveOverDevicesIsReadAtTheGang) {
    Performance performance = measured(curve(CurveKind::throughput, Axis::devices, {8, 16}, {800, 1500}));
    performance.devices = 12;
    EXPECT_TRUE(is_close(rate_of(performance).units_per_s, 1150));
    EXPECT_EQ(rate_of(performance).evidence, Evidence::interpolated);
}

TEST(Performance, ScalingMultipliesTheRate) {
    Performance performance = measured(flat(1000));
    performance.devices = 16;
    performance.scaling = flat(0.9);
    EXPECT_TRUE(is_close(rate_of(performance).units_per_s, 900));
    EXPECT_EQ(rate_of(performance).evidence, Evidence::measured);
    performance.scaling = curve(CurveKind::scaling, Axis::devices, {8, 24}, {1, 0.8});
    EXPECT_TRUE(is_close(rate_of(performance).units_per_s, 900)) << "halfway from 1 to 0.8";
    EXPECT_EQ(rate_of(performance).evidence, Evidence::interpolated);
    performance.scaling = flat(0);
    EXPECT_EQ(rate_of(performance).units_per_s, 0.0);
}

TEST(Performance, InputPipelineCapsTheRateAfterScaling) {
    Performance performance = measured(flat(1000));
    performance.scaling = flat(0.5);
    performance.input_units_per_s = 600;
    EXPECT_TRUE(is_close(rate_of(performance).units_per_s, 500));
    EXPECT_FALSE(rate_of(performance).capped_by_input);
    performance.input_units_per_s = 400;
    EXPECT_EQ(rate_of(performance).units_per_s, 400.0);
    EXPECT_TRUE(rate_of(performance).capped_by_input);
}

TEST(Performance, ObjectivePicksTheLargestBatchThatKeepsIt) {
    struct Row {
        double objective;
        bool found;
        int batch;
        const char* arithmetic;
    };
    // Latency 0.1 s at 1 to 0.8 s at 8: 0.1 x batch.
    const std::vector<Row> rows = {
        {0.1, true, 1, "at the first point"}, {0.55, true, 5, "whole batches only"},        {0.799, true, 7, "below the last"},
        {0.8, true, 8, "at the last point"},  {99, true, 8, "never beyond the last point"}, {0.099, false, 0, "none keeps it"},
    };
    Performance performance = measured(throughput({1, 8}, {10, 45}));
    performance.itl_s = latency({1, 8}, {0.1, 0.8});
    for (const Row& row : rows) {
        const BatchChoice choice = choice_of(performance, row.objective);
        EXPECT_EQ(choice.problem, row.found ? Problem::none : Problem::latency) << row.arithmetic;
        if (row.found) {
            EXPECT_EQ(choice.batch, row.batch) << row.arithmetic;
        }
    }
}

TEST(Performance, BatchGoesUpToTheThroughputCurvesLastPoint) {
    Performance performance = measured(throughput({1, 32}, {10, 165}));
    performance.itl_s = latency({1, 8}, {0.1, 0.8}); // holds 0.8 s beyond 8
    EXPECT_EQ(choice_of(performance, 1.0).batch, 32);
    performance.units_per_s = throughput({1, 4}, {10, 25});
    EXPECT_EQ(choice_of(performance, 1.0).batch, 4);
}

TEST(Performance, LatencyThatDipsIsSearchedFromTheTop) {
    Performance performance = measured(throughput({1, 8}, {10, 45}));
    performance.itl_s = latency({1, 3, 6, 8}, {0.1, 0.5, 0.2, 0.9}); // 7 has 0.55
    EXPECT_EQ(choice_of(performance, 0.3).batch, 6);
}

TEST(Performance, LatencyNumberKeepsOrMissesTheObjectiveWhateverTheBatch) {
    Performance performance = measured(throughput({1, 8}, {10, 45}));
    performance.itl_s = flat(0.5);
    EXPECT_EQ(choice_of(performance, 0.5).batch, 8);
    EXPECT_EQ(choice_of(performance, 0.4).problem, Problem::latency);
    performance.units_per_s = flat(10);
    EXPECT_EQ(choice_of(performance, 0.5).problem, Problem::none);
    EXPECT_EQ(choice_of(performance, 0.4).problem, Problem::latency);
}

TEST(Performance, StatedBatchStandsAndMustKeepTheObjective) {
    Performance performance = measured(throughput({1, 8}, {10, 45}));
    performance.itl_s = latency({1, 8}, {0.1, 0.8});
    performance.batch = 2;
    EXPECT_EQ(choice_of(performance, 0.8).batch, 2);
    EXPECT_EQ(choice_of(performance, std::nullopt).problem, Problem::none);
    performance.batch = 8;
    EXPECT_EQ(choice_of(performance, 0.5).problem, Problem::latency);
}

TEST(Performance, BatchOfALaxerObjectiveIsNeverSmaller) {
    Performance performance = measured(throughput({1, 64}, {10, 300}));
    performance.itl_s = latency({1, 16, 64}, {0.02, 0.1, 0.9});
    int last = 0;
    for (double objective = 0.02; objective < 2; objective *= 1.1) {
        const std::optional<int> batch = choice_of(performance, objective).batch;
        ASSERT_TRUE(batch);
        EXPECT_GE(*batch, last);
        last = *batch;
    }
    EXPECT_EQ(last, 64);
}

TEST(Performance, TrainingFlopsRateIsModelFlopsUtilizationOverSixNFlopAToken) {
    Estimate estimate;
    estimate.mfu = 0.5;
    estimate.active_parameters = 1e9;
    // 0.5 x 2 x 6e14 / 6e9 = 1e5
    EXPECT_TRUE(is_close(training_flops_rate(estimate, {2, 6e14}), 1e5));
    EXPECT_TRUE(is_close(training_flops_rate(estimate, {4, 6e14}), 2e5)) << "scales with devices";
    EXPECT_EQ(training_flops_rate(estimate, {0, 6e14}), 0.0);
    // PaLM 540B (Chowdhery et al. 2022, arXiv:2204.02311, section 4.1): 6144 TPU v4 of 275 TFLOP/s train 238.3 thousand tokens/s
    // at 45.7 % MFU without self-attention.
    estimate.mfu = 0.457;
    estimate.active_parameters = 540.35e9;
    EXPECT_TRUE(is_close(training_flops_rate(estimate, {6144, 275e12}), 238300, 2e-3));
}

TEST(Performance, DecodeRooflineIsTheLowerOfComputeAndMemory) {
    Estimate estimate;
    estimate.method = EstimateMethod::decode_roofline;
    estimate.mfu = 0.5;
    estimate.mbu = 0.5;
    estimate.active_parameters = 1e9;
    estimate.weight_bytes = 1.6e10;
    estimate.kv_bytes_per_sequence = 1e9;
    struct Row {
        double devices, batch, kv, expected;
        const char* arithmetic;
    };
    // Peak 2e12 FLOP/s: compute 0.5 x 2e12 / 2e9 = 500 a device. Bandwidth 1e12 B/s.
    const std::vector<Row> rows = {
        {1, 4, 1e9, 100, "memory: 4 x 1e12 x 0.5 / (1.6e10 + 4e9)"}, {2, 4, 1e9, 200, "both rooflines scale with devices"},
        {1, 1, 1e9, 5e11 / 1.7e10, "memory: 5e11 / (1.6e10 + 1e9)"}, {1, 1e6, 0, 500, "compute binds at large batches"},
        {1, 16, 0, 500, "at the ridge: 16 x 5e11 / 1.6e10 = 500"},   {1, 1e9, 2e9, 250, "memory: 5e11 / 2e9 for large batches"},
    };
    for (const Row& row : rows) {
        estimate.kv_bytes_per_sequence = row.kv;
        EXPECT_TRUE(is_close(decode_roofline_rate(estimate, {row.devices, 2e12, 1e12}, row.batch), row.expected, 1e-7))
            << row.arithmetic;
    }
}

TEST(Performance, EstimateReadsTheDevicesPeakInThePrecisionOfThePerformanceElseOfTheWorkload) {
    Performance performance;
    performance.devices = 2;
    performance.estimate.emplace();
    performance.estimate->mfu = 0.5;
    performance.estimate->active_parameters = 1e9;
    Device device;
    device.peak_flops = {{"bf16", 6e14}, {"fp8", 1.2e15}};
    const ReplicaRate by_workload = replica_rate(performance, device, in_precision("fp8"), std::nullopt);
    EXPECT_TRUE(is_close(by_workload.units_per_s, 2e5));
    EXPECT_EQ(by_workload.evidence, Evidence::estimated);
    performance.precision = "bf16";
    EXPECT_TRUE(is_close(replica_rate(performance, device, in_precision("fp8"), std::nullopt).units_per_s, 1e5));
}

TEST(Performance, DecodeEstimateTakesBandwidthInGigabytesASecond) {
    Performance performance;
    performance.batch = 4;
    performance.estimate = tests::decode_roofline(0.5, 0.5, 1e9, 1.6e10, 1e9);
    Device device;
    device.peak_flops = {{"bf16", 2e12}};
    device.memory_bandwidth_gb_per_s = 1000;
    EXPECT_TRUE(is_close(replica_rate(performance, device, in_precision("bf16"), 4).units_per_s, 100));
}

// 0.9 x 80 x 2^30 B = 77.3e9; less 14e9 of weights they hold 316 sequences of 2e8.
TEST(Performance, DecodeEstimateTakesTheLargestBatchThatFitsAndKeepsItsObjective) {
    Performance performance;
    performance.precision = "bf16";
    performance.estimate = tests::decode_roofline(0.4, 0.6, 7e9, 14e9, 2e8);
    Device device;
    device.memory_gib = 80;
    device.memory_bandwidth_gb_per_s = 3350;
    device.peak_flops = {{"bf16", 990e12}};
    EXPECT_EQ(choose_batch(performance, device, Workload{}).batch, 316);
    // A step of batch b reads 14e9 + 2e8 b at 2.01e12 B/s: 0.02 s are 131 sequences.
    EXPECT_EQ(choose_batch(performance, device, with_objective(0.02)).batch, 131);
    EXPECT_EQ(choose_batch(performance, device, with_objective(0.005)).problem, Problem::latency) << "one sequence takes 7.06 ms";
    performance.batch = 317;
    EXPECT_EQ(choose_batch(performance, device, Workload{}).problem, Problem::memory);
    performance.batch.reset();
    device.memory_gib = 14;
    EXPECT_EQ(choose_batch(performance, device, Workload{}).problem, Problem::memory) << "0.9 x 15.0e9 B < 14e9 + 2e8";
    device.memory_gib.reset();
    EXPECT_EQ(choose_batch(performance, device, Workload{}).batch, 1024) << "no memory is known: nothing but the bound";
}

TEST(Performance, TimeToTheFirstTokenIsHeldAsTheLatencyIs) {
    Performance performance = measured(throughput({1, 8}, {10, 45}));
    performance.itl_s = latency({1, 8}, {0.1, 0.8});
    performance.ttft_s = latency({1, 8}, {0.2, 0.9});
    Workload workload = with_objective(0.7);
    EXPECT_EQ(choose_batch(performance, Device{}, workload).batch, 7);
    workload.slo.ttft_s = 0.6;
    EXPECT_EQ(choose_batch(performance, Device{}, workload).batch, 5) << "0.1 + 0.1 b";
    EXPECT_FALSE(has_unknown_latency(performance, workload));
    performance.ttft_s.reset();
    EXPECT_EQ(choose_batch(performance, Device{}, workload).batch, 7);
    EXPECT_TRUE(has_unknown_latency(performance, workload));
}

// 1 + 0.1 b x (21 - 1): what a request takes is not stated, it is made of both times.
TEST(Performance, TheTimeOfARequestIsThatToItsFirstTokenAndBetweenTheOthers) {
    Performance performance = measured(throughput({1, 8}, {10, 45}));
    performance.itl_s = latency({1, 8}, {0.1, 0.8});
    performance.ttft_s = flat(1.0);
    Workload workload;
    workload.slo.e2e_s = 11.5;
    workload.units_per_request.split = true;
    workload.units_per_request.output = 16;
    workload.units_per_request.reasoning = 5;
    EXPECT_EQ(choose_batch(performance, Device{}, workload).batch, 5);
    EXPECT_EQ(replica_rate(performance, Device{}, workload, 5).evidence, Evidence::interpolated) << "the curve chose the batch";
    workload.slo.e2e_s = 2.9;
    EXPECT_EQ(choose_batch(performance, Device{}, workload).problem, Problem::latency);
    workload.units_per_request = {};
    workload.units_per_request.split = true;
    workload.units_per_request.output = 1;
    EXPECT_EQ(choose_batch(performance, Device{}, workload).batch, 8) << "its first token is all";
    EXPECT_FALSE(has_unknown_latency(performance, workload));
}

TEST(Performance, TheTimeOfARequestIsUnknownWhereOneOfItsPartsIs) {
    Workload workload;
    workload.slo.e2e_s = 1e-3;
    workload.units_per_request.split = true;
    workload.units_per_request.output = 20;
    Performance both = measured(flat(10.0));
    both.itl_s = flat(0.1);
    both.ttft_s = flat(0.1);
    EXPECT_TRUE(has_known_latency(both, workload));
    EXPECT_EQ(choose_batch(both, Device{}, workload).problem, Problem::latency);
    Performance first = both;
    first.itl_s.reset();
    Performance between = both;
    between.ttft_s.reset();
    Workload unsplit = workload;
    unsplit.units_per_request.split = false;
    for (const auto& [performance, of] : {std::pair(first, workload), {between, workload}, {both, unsplit}}) {
        EXPECT_TRUE(has_unknown_latency(performance, of));
        EXPECT_FALSE(has_known_latency(performance, of));
        EXPECT_EQ(choose_batch(performance, Device{}, of).problem, Problem::none);
    }
}

TEST(Performance, WithoutAnObjectiveTheThroughputCurvesLastPointIsRead) {
    const Performance performance = measured(throughput({1, 8}, {10, 45}));
    EXPECT_EQ(rate_of(performance).batch, 8);
    EXPECT_EQ(rate_of(performance).units_per_s, 45.0);
}

// model.md, section 4: t = (W + b K) / (n B alpha) + 2 b N / (n F beta) + gamma x layers.
TEST(Performance, DecodeStepReadsComputesAndPassesItsLayers) {
    Estimate estimate = tests::decode_roofline(0.4, 0.6, 7e9, 14e9, 2e8);
    estimate.method = EstimateMethod::decode_step;
    estimate.layers = 32;
    const EstimateDevices on{2, 1e15, 2e12, std::nullopt};
    // (14e9 + 10 x 2e8) / (2 x 2e12 x 0.8) = 5 ms; 2 x 10 x 7e9 / (2 x 1e15 x 0.3) = 0.23333 ms; 70 us x 32 = 2.24 ms.
    EXPECT_TRUE(is_close(decode_step_s(estimate, on, 10), 0.005 + 1.4e11 / 6e14 + 0.00224));
    EXPECT_TRUE(is_close(estimated_rate(estimate, on, 10), 10 / (0.005 + 1.4e11 / 6e14 + 0.00224)));
    EXPECT_TRUE(is_close(prompt_weight(estimate, on, 1000), 1000 * 1.4e10 / (2 * 1e15 * 0.5)));
}

TEST(Performance, ReplicasHoldWholePartsOfTheirHosts) {
    struct Row {
        double devices, per_host, held;
    };
    for (const Row& row : {Row{3, 8, 4}, Row{4, 8, 4}, Row{5, 8, 8}, Row{8, 8, 8}, Row{16, 8, 16}, Row{0.5, 8, 0.5},
                           Row{3.0 / 7, 8, 0.5}, Row{1.0 / 7, 8, 1.0 / 7}, Row{0.6, 1, 1}, Row{1, 1, 1}}) {
        EXPECT_TRUE(is_close(devices_held(row.devices, row.per_host), row.held)) << row.devices << " of " << row.per_host;
    }
}

TEST(Performance, ASliceSetsDevicesAndMemory) {
    Device device;
    device.memory_gib = 80;
    device.slices = {{"3g.40gb", {3.0 / 7, 40}}};
    Performance performance = measured(flat(10));
    performance.slice = "3g.40gb";
    EXPECT_TRUE(is_close(replica_devices(performance, device), 3.0 / 7));
    EXPECT_EQ(replica_memory_gib(performance, device), 40.0);
    performance.slice.clear();
    performance.devices = 0.25;
    EXPECT_EQ(replica_memory_gib(performance, device), 20.0) << "time slicing";
}

// A request of 300 in, 600 cached, 100 out takes 400 of the device: T/W = 1000/400.
TEST(Performance, ClassesWeighWhatTheyTakeOfTheDevice) {
    const Performance plain = measured(flat(1000));
    Workload workload;
    workload.units_per_request = tests::units(300, 600, 100);
    const auto rate = [&](const Performance& performance) {
        return replica_rate(performance, Device{}, workload, std::nullopt).units_per_s;
    };
    EXPECT_TRUE(is_close(rate(plain), 2500));
    Performance output_only = plain;
    output_only.class_weights.input = 0.1;
    EXPECT_TRUE(is_close(rate(output_only), 1000.0 * 1000 / 130));
    output_only.class_weights.output = 0;
    output_only.class_weights.input = 0;
    EXPECT_EQ(rate(output_only), 0.0);
}

TEST(Performance, EvidenceIsTheWeakestOfBasisAndCurves) {
    struct Row {
        Evidence basis;
        int batch;
        Evidence expected;
    };
    for (const Row& row :
         {Row{Evidence::measured, 4, Evidence::interpolated}, Row{Evidence::assumed, 4, Evidence::assumed},
          Row{Evidence::estimated, 8, Evidence::estimated}, Row{Evidence::interpolated, 20, Evidence::extrapolated}}) {
        Performance performance = measured(throughput({1, 8}, {10, 45}));
        performance.basis = row.basis;
        performance.batch = row.batch;
        EXPECT_EQ(rate_of(performance).evidence, row.expected);
    }
}

TEST(Performance, LatencyCurveCountsAsEvidenceOnlyWhereItChoseTheBatch) {
    Performance performance = measured(throughput({1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}));
    performance.itl_s = latency({1, 8}, {0.1, 0.8});
    EXPECT_EQ(rate_of(performance, 0.55).batch, 5);
    EXPECT_EQ(rate_of(performance, 0.55).evidence, Evidence::interpolated);
    EXPECT_EQ(rate_of(performance, 0.8).evidence, Evidence::measured) << "8 is a point of both";
    performance.batch = 5;
    EXPECT_EQ(rate_of(performance, 0.55).evidence, Evidence::measured) << "stated";
}

} // namespace
} // namespace costcurve::model
