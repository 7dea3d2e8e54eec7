// Corrections by measurements: near before far, own before published, the class of evidence, ceilings.
#include "model/performance/rate_correction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/performance/rate_table.hpp"

namespace costcurve::model {
namespace {

RateConditions conditions(double input = 1000, double output = 1000, double concurrency = 64, double devices = 8) {
    RateConditions at;
    at.architecture = 1;
    at.device = 2;
    at.family = 3;
    at.framework = 4;
    at.devices = devices;
    at.input_tokens = input;
    at.output_tokens = output;
    at.concurrency = concurrency;
    return at;
}

RateCorrection corrected(std::vector<RateMeasurement> measurements, const RateConditions& at) {
    return RateMeasurements(std::move(measurements)).correction(at);
}

TEST(RateCorrection, IsNoneWithoutMeasurements) {
    const RateCorrection correction = corrected({}, conditions());
    EXPECT_EQ(correction.log_factor, 0.0);
    EXPECT_EQ(correction.evidence, Evidence::assumed);
    EXPECT_EQ(correction.from_count, 0U);
}

TEST(RateCorrection, TakesTheSamePointAlmostWhole) {
    const RateCorrection correction = corrected({{conditions(), 0.3, 7, false}}, conditions());
    EXPECT_NEAR(correction.log_factor, 0.3 / 1.1, 1e-12); // weight 1 against the prior's 0.1
    EXPECT_EQ(correction.evidence, Evidence::measured);
    ASSERT_EQ(correction.from_count, 1U);
    EXPECT_EQ(correction.from[0].id, 7U);
    EXPECT_NEAR(correction.from[0].weight, 1 / 1.1, 1e-12);
}

StepRate a_thousand_per_s() {
    StepRate predicted;
    predicted.output_per_s = 1000;
    predicted.requests_per_s = 1;
    predicted.ttft_s = 0.1;
    predicted.itl_s = predicted.step_s = 0.01;
    predicted.bandwidth_share = predicted.peak_share = 0.3;
    return predicted;
}

TEST(RateCorrection, MeasuredLatenciesMoveThePredictedOnes) {
    const StepRate predicted = a_thousand_per_s();
    RateMeasurement measured = rate_measurement(predicted, conditions(), {800, 0.4, 0.0125}, 7);
    EXPECT_NEAR(measured.residual, std::log(0.8), 1e-12);
    const RateMeasurements measurements({measured});
    const StepRate rate = corrected_rate(predicted, conditions(), measurements, RateIntervals{}).rate;
    // Weight 1 against the prior's 0.1: 1/1.1 of the way in the logarithm.
    EXPECT_NEAR(rate.ttft_s, 0.1 * std::pow(4.0, 1 / 1.1), 1e-9);
    EXPECT_NEAR(rate.itl_s, 0.01 * std::pow(1.25, 1 / 1.1), 1e-9);
    EXPECT_GE(rate.e2e_s, rate.ttft_s + 999 * rate.itl_s - 1e-9);
    // Without latencies of its own a measurement moves them as its rate.
    RateMeasurement bare = rate_measurement(predicted, conditions(), {800, 0.0, 0.0}, 7);
    const StepRate by_rate = corrected_rate(predicted, conditions(), RateMeasurements({bare}), RateIntervals{}).rate;
    EXPECT_NEAR(by_rate.ttft_s, 0.1 * std::pow(1.25, 1 / 1.1), 1e-9);
}

TEST(RateCorrection, AFirstTokenHeldBackByAServersLimitIsCut) {
    const StepRate predicted = a_thousand_per_s();
    const RateMeasurement published = rate_measurement(predicted, conditions(), {1000, 80.0, 0.01}, 7);
    EXPECT_NEAR(corrected({published}, conditions()).ttft, kCorrectionScales.max_first / 1.1, 1e-12);
    RateMeasurement own = published;
    own.is_own = true;
    EXPECT_NEAR(corrected({own}, conditions()).ttft, std::log(800.0), 1e-9);
}

TEST(RateCorrection, FallsWithDistance) {
    double most = HUGE_VAL;
    for (const double concurrency : {64.0, 128.0, 512.0, 4096.0}) {
        const double factor = corrected({{conditions(), 0.3, 0, false}}, conditions(1000, 1000, concurrency)).log_factor;
        EXPECT_LT(factor, most);
        most = factor;
    }
}

TEST(RateCorrection, AnotherArchitectureMovesNothing) {
    RateConditions other = conditions();
    other.architecture = 9;
    const RateCorrection correction = corrected({{other, 0.3, 0, false}}, conditions());
    EXPECT_EQ(correction.log_factor, 0.0);
    EXPECT_EQ(correction.evidence, Evidence::estimated); // the family has been measured
}

TEST(RateCorrection, OfSeveralOwnOnesTheOneAtTheConditionsIsTheRate) {
    const auto own_at = [](double load, double residual, std::uint32_t id) {
        return RateMeasurement{conditions(1000, 1000, load), residual, id, true};
    };
    const std::vector<RateMeasurement> own = {own_at(32, -0.1, 1), own_at(64, -0.4, 2), own_at(128, -0.9, 3)};
    for (const RateMeasurement& m : own) {
        const RateCorrection correction = corrected(own, m.at);
        EXPECT_NEAR(correction.log_factor, m.residual, 0.02); // it was -0.47 at 64, and -0.7 at 128
        EXPECT_EQ(correction.from[0].id, m.id);
        EXPECT_GT(correction.from[0].weight, 0.95);
    }
    // Half way in the logarithm from 64 to 128 both count the same; 32, at 2.25 times ln 2 squared, little.
    const double between = corrected(own, conditions(1000, 1000, 64 * std::sqrt(2.0))).log_factor;
    EXPECT_LT(between, -0.5);
    EXPECT_GT(between, -0.7);
    // One of another device at the same conditions says less than two on this one.
    RateMeasurement elsewhere = own_at(64, 1.0, 4);
    elsewhere.at.device = 77;
    EXPECT_NEAR(corrected({own[0], own[1], own[2], elsewhere}, own[1].at).log_factor, -0.4, 0.03);
}

TEST(RateCorrection, OwnGoesBeforePublished) {
    const RateCorrection correction = corrected({{conditions(), 0.4, 1, true}, {conditions(), -0.4, 2, false}}, conditions());
    EXPECT_NEAR(correction.log_factor, 0.4, 1e-12) << "at what was measured the rate is the measured one";
    EXPECT_EQ(correction.from[0].id, 1U);
    EXPECT_NEAR(correction.from[0].weight, 1.0, 1e-12);
    EXPECT_NEAR(correction.from[1].weight, 0.0, 1e-12);
    // At four times the load d is ln 4: the own one has 10 w, the published one and the prior what 1 - w leaves.
    const double w = 1.0 / std::pow(1.0 + std::pow(std::log(4.0), 2), 2);
    RateConditions apart = conditions();
    apart.concurrency *= 4;
    EXPECT_NEAR(corrected({{conditions(), 0.4, 1, true}, {conditions(), -0.4, 2, false}}, apart).log_factor,
                (10 * w * 0.4 - (1 - w) * w * 0.4) / (10 * w + (1 - w) * (w + 0.1)), 1e-12);
}

TEST(RateCorrection, NewGoesBeforeOld) {
    RateConditions now = conditions();
    now.year = 2026.5;
    RateConditions old = conditions();
    old.year = 2023.5;
    EXPECT_NEAR(corrected({{now, 0.3, 0, false}, {old, -0.3, 0, false}}, now).log_factor, 0.3 * (1 - 0.5) / 1.6, 1e-12);
}

TEST(RateCorrection, NamesTheFiveHeaviest) {
    std::vector<RateMeasurement> measurements;
    for (std::uint32_t i = 0; i < 20; ++i) {
        measurements.push_back({conditions(1000, 1000, 64.0 * std::exp2(i / 4.0)), 0.1, i, false});
    }
    const RateCorrection correction = corrected(measurements, conditions());
    ASSERT_EQ(correction.from_count, 5U);
    for (std::uint32_t i = 0; i < 5; ++i) {
        EXPECT_EQ(correction.from[i].id, i);
    }
}

TEST(RateCorrection, GradesEvidenceByDistance) {
    const std::vector<RateMeasurement> measurements = {{conditions(1000, 1000, 16), 0, 0, false},
                                                       {conditions(1000, 1000, 256), 0, 1, false}};
    struct Row {
        RateConditions at;
        Evidence evidence;
    };
    RateConditions other_device = conditions(1000, 1000, 16);
    other_device.device = 5;
    RateConditions other_family = other_device;
    other_family.family = 6;
    const Row rows[] = {{conditions(1200, 900, 17), Evidence::measured},
                        {conditions(1000, 1000, 64), Evidence::interpolated},
                        {conditions(1000, 1000, 900), Evidence::extrapolated},
                        {conditions(1000, 1000, 2000), Evidence::estimated},
                        {conditions(1000, 1000, 16, 4), Evidence::estimated},
                        {other_device, Evidence::estimated},
                        {other_family, Evidence::assumed}};
    for (const Row& row : rows) {
        EXPECT_EQ(corrected(measurements, row.at).evidence, row.evidence)
            << row.at.concurrency << " on " << row.at.devices << " of " << row.at.device;
    }
}

TEST(RateCorrection, PassesNoCeiling) {
    StepRate predicted;
    predicted.output_per_s = 100;
    predicted.bandwidth_share = 0.9;
    predicted.peak_share = 0.1;
    predicted.step_s = 1;
    const RateMeasurements measurements({{conditions(), 0.7, 0, false}});
    const CorrectedRate rate = corrected_rate(predicted, conditions(), measurements, kRateIntervals);
    EXPECT_NEAR(rate.rate.output_per_s, 100 * kBandwidthCeiling / 0.9, 1e-9);
    EXPECT_LE(rate.high, 100 * kBandwidthCeiling / 0.9 * (1 + 1e-12));
    EXPECT_LT(rate.low, rate.rate.output_per_s);
}

} // namespace
} // namespace costcurve::model
