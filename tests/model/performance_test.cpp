// Rates of replicas and gangs, the batch that a latency objective picks, rooflines and evidence (model.md, section 4).
#include "model/performance.hpp"

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

ReplicaRate rate_of(const Performance& performance, std::optional<double> objective = std::nullopt) {
    return replica_rate(performance, Device{}, "", choose_batch(performance, objective).batch);
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
    performance.latency_s = latency({1, 8}, {0.1, 0.8});
    for (const Row& row : rows) {
        const BatchChoice choice = choose_batch(performance, row.objective);
        EXPECT_EQ(choice.found, row.found) << row.arithmetic;
        if (row.found) {
            EXPECT_EQ(choice.batch, row.batch) << row.arithmetic;
        }
    }
}

TEST(Performance, BatchGoesUpToTheThroughputCurvesLastPoint) {
    Performance performance = measured(throughput({1, 32}, {10, 165}));
    performance.latency_s = latency({1, 8}, {0.1, 0.8}); // holds 0.8 s beyond 8
    EXPECT_EQ(choose_batch(performance, 1.0).batch, 32);
    performance.units_per_s = throughput({1, 4}, {10, 25});
    EXPECT_EQ(choose_batch(performance, 1.0).batch, 4);
}

TEST(Performance, LatencyThatDipsIsSearchedFromTheTop) {
    Performance performance = measured(throughput({1, 8}, {10, 45}));
    performance.latency_s = latency({1, 3, 6, 8}, {0.1, 0.5, 0.2, 0.9}); // 7 has 0.55
    EXPECT_EQ(choose_batch(performance, 0.3).batch, 6);
}

TEST(Performance, LatencyNumberKeepsOrMissesTheObjectiveWhateverTheBatch) {
    Performance performance = measured(throughput({1, 8}, {10, 45}));
    performance.latency_s = flat(0.5);
    EXPECT_EQ(choose_batch(performance, 0.5).batch, 8);
    EXPECT_FALSE(choose_batch(performance, 0.4).found);
    performance.units_per_s = flat(10);
    EXPECT_TRUE(choose_batch(performance, 0.5).found);
    EXPECT_FALSE(choose_batch(performance, 0.4).found);
}

TEST(Performance, StatedBatchStandsAndMustKeepTheObjective) {
    Performance performance = measured(throughput({1, 8}, {10, 45}));
    performance.latency_s = latency({1, 8}, {0.1, 0.8});
    performance.batch = 2;
    EXPECT_EQ(choose_batch(performance, 0.8).batch, 2);
    EXPECT_TRUE(choose_batch(performance, std::nullopt).found);
    performance.batch = 8;
    EXPECT_FALSE(choose_batch(performance, 0.5).found);
}

TEST(Performance, BatchOfALaxerObjectiveIsNeverSmaller) {
    Performance performance = measured(throughput({1, 64}, {10, 300}));
    performance.latency_s = latency({1, 16, 64}, {0.02, 0.1, 0.9});
    int last = 0;
    for (double objective = 0.02; objective < 2; objective *= 1.1) {
        const std::optional<int> batch = choose_batch(performance, objective).batch;
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
    EXPECT_TRUE(is_close(training_flops_rate(estimate, 2, 6e14), 1e5));
    EXPECT_TRUE(is_close(training_flops_rate(estimate, 4, 6e14), 2e5)) << "scales with devices";
    EXPECT_EQ(training_flops_rate(estimate, 0, 6e14), 0.0);
    // PaLM 540B (Chowdhery et al. 2022, arXiv:2204.02311, section 4.1): 6144 TPU v4 of 275 TFLOP/s train 238.3 thousand tokens/s
    // at 45.7 % MFU without self-attention.
    estimate.mfu = 0.457;
    estimate.active_parameters = 540.35e9;
    EXPECT_TRUE(is_close(training_flops_rate(estimate, 6144, 275e12), 238300, 2e-3));
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
        EXPECT_TRUE(is_close(decode_roofline_rate(estimate, row.devices, 2e12, row.batch, 1e12), row.expected, 1e-7))
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
    const ReplicaRate by_workload = replica_rate(performance, device, "fp8", std::nullopt);
    EXPECT_TRUE(is_close(by_workload.units_per_s, 2e5));
    EXPECT_EQ(by_workload.evidence, Evidence::estimated);
    performance.precision = "bf16";
    EXPECT_TRUE(is_close(replica_rate(performance, device, "fp8", std::nullopt).units_per_s, 1e5));
}

TEST(Performance, DecodeEstimateTakesBandwidthInGigabytesASecond) {
    Performance performance;
    performance.batch = 4;
    performance.estimate = Estimate{EstimateMethod::decode_roofline, 0.5, 0.5, 1e9, 1.6e10, 1e9};
    Device device;
    device.peak_flops = {{"bf16", 2e12}};
    device.memory_bandwidth_gb_per_s = 1000;
    EXPECT_TRUE(is_close(replica_rate(performance, device, "bf16", 4).units_per_s, 100));
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
    performance.latency_s = latency({1, 8}, {0.1, 0.8});
    EXPECT_EQ(rate_of(performance, 0.55).batch, 5);
    EXPECT_EQ(rate_of(performance, 0.55).evidence, Evidence::interpolated);
    EXPECT_EQ(rate_of(performance, 0.8).evidence, Evidence::measured) << "8 is a point of both";
    performance.batch = 5;
    EXPECT_EQ(rate_of(performance, 0.55).evidence, Evidence::measured) << "stated";
}

} // namespace
} // namespace costcurve::model
