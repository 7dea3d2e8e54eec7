// Curves fitted to synthetic samples of a known truth, with noise, outliers and a sensor that hangs; statistics by hand and by
// other formulas; and refusals of what is too thin.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "server/actuals/statistics.hpp"
#include "server/actuals/throughput_share.hpp"

namespace costcurve::actuals {
namespace {

constexpr unsigned kSeed = 20261121;

// ---- statistics ----

TEST(Quantile, IsLinearBetweenNeighbours) { // numpy.quantile([4, 1, 3, 2], …)
    EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.0), 1.0);
    EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.1), 1.3);
    EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
    EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 1.0), 4.0);
    EXPECT_DOUBLE_EQ(median({7}), 7.0);
    EXPECT_DOUBLE_EQ(median({9, 1, 5}), 5.0);
}

TEST(Outliers, AreFarFromTheMedianInMedianDeviations) {
    // Median 10, deviations 0 1 1 2 2 90: MAD 1.5. Limit: 3.5 x 1.5 / 0.6745 = 7.78.
    EXPECT_EQ(outliers({10, 9, 11, 8, 12, 100, 10 - 2}), (std::vector<bool>{false, false, false, false, false, true, false}));
    EXPECT_EQ(outliers({1, 1, 1, 1000}), (std::vector<bool>(4, false))) << "too few to tell";
    std::vector<double> equal(20, 5.0);
    EXPECT_EQ(outliers(equal), std::vector<bool>(20, false));
    equal[3] = 6.0; // MAD is 0: mean deviation 0.05, limit 3.5 x 1.2533 x 0.05 = 0.22
    std::vector<bool> third(20, false);
    third[3] = true;
    EXPECT_EQ(outliers(equal), third);
}

TEST(Isotonic, PoolsNeighboursThatFall) {
    const std::vector<double> ones(4, 1.0);
    EXPECT_EQ(isotonic(std::vector<double>{1, 3, 2, 4}, ones), (std::vector<double>{1, 2.5, 2.5, 4}));
    EXPECT_EQ(isotonic(std::vector<double>{4, 3, 2, 1}, ones), std::vector<double>(4, 2.5));
    EXPECT_EQ(isotonic(std::vector<double>{1, 2, 3, 4}, ones), (std::vector<double>{1, 2, 3, 4}));
    EXPECT_EQ(isotonic(std::vector<double>{3, 1}, std::vector<double>{1, 3}), std::vector<double>(2, 1.5));
    EXPECT_TRUE(isotonic({}, {}).empty());
}

// Another formula for the same: max over s <= i of the min over t >= i of the weighted mean of s…t (Barlow et al. 1972, 1.2.9).
double max_min(const std::vector<double>& y, const std::vector<double>& w, std::size_t i) {
    double highest = -INFINITY;
    for (std::size_t s = 0; s <= i; ++s) {
        double lowest = INFINITY;
        for (std::size_t t = i; t < y.size(); ++t) {
            double sum = 0;
            double weight = 0;
            for (std::size_t k = s; k <= t; ++k) {
                sum += w[k] * y[k];
                weight += w[k];
            }
            lowest = std::min(lowest, sum / weight);
        }
        highest = std::max(highest, lowest);
    }
    return highest;
}

TEST(Isotonic, RisesIsItsOwnFitAndAgreesWithMaxMin) {
    std::mt19937 random(kSeed);
    std::uniform_real_distribution<double> value(-5, 5);
    std::uniform_real_distribution<double> weight_of(0.1, 4);
    for (int round = 0; round < 200; ++round) {
        std::vector<double> y;
        std::vector<double> weight;
        for (std::size_t i = 0; i < 1 + random() % 15; ++i) {
            y.push_back(std::round(value(random))); // ties
            weight.push_back(weight_of(random));
        }
        const std::vector<double> fitted = isotonic(y, weight);
        ASSERT_EQ(fitted.size(), y.size());
        EXPECT_TRUE(std::is_sorted(fitted.begin(), fitted.end()));
        const std::vector<double> again = isotonic(fitted, weight);
        for (std::size_t i = 0; i < y.size(); ++i) {
            EXPECT_NEAR(fitted[i], max_min(y, weight, i), 1e-9) << "seed " << kSeed << ", round " << round;
            EXPECT_NEAR(again[i], fitted[i], 1e-12);
        }
    }
}

// ---- power ----

double true_power(double utilization) { return 60.0 + 440.0 * std::sqrt(utilization); }

/// A device every 10 s: a tenth of the time idle, a tenth full, else anywhere; noise of 8 W.
SourceReadings device(std::mt19937& random, int samples, double low = 0.0, double high = 1.0) {
    std::normal_distribution<double> noise(0, 8);
    std::uniform_real_distribution<double> anywhere(low, high);
    SourceReadings readings;
    for (int i = 0; i < samples; ++i) {
        const double chance = anywhere(random);
        const double u = i % 10 == 0 ? low : i % 10 == 1 ? high : chance;
        const std::int64_t time_ms = std::int64_t{i} * 10'000;
        readings.utilization.push_back({time_ms + 1000, u});
        readings.power_w.push_back({time_ms, true_power(u) + noise(random)});
    }
    return readings;
}

TEST(PowerFit, FindsTheTrueCurveThroughNoiseOutliersAndAStuckSensor) {
    std::mt19937 random(kSeed);
    std::vector<SourceReadings> sources{device(random, 2000), device(random, 2000), device(random, 2000), device(random, 400)};
    for (std::size_t i = 0; i < 2000; i += 50) { // 40 readings of a kilowatt, 40 of next to nothing
        sources[0].power_w[i].value = 1000;
        sources[1].power_w[i + 7].value = 1;
    }
    for (Reading& reading : sources[3].power_w) {
        reading.value = 333;
    }
    const auto fit = fit_power(sources);
    ASSERT_TRUE(fit) << fit.error()[0].message;
    EXPECT_EQ(fit->dropped.stuck, 400U);
    EXPECT_GE(fit->dropped.outliers, 70U);
    EXPECT_LE(fit->dropped.outliers, 160U) << "the 80, and noise beyond 3.5 sd";
    EXPECT_EQ(fit->dropped.unmatched + fit->dropped.out_of_range + fit->dropped.thin, 0U);
    EXPECT_EQ(fit->samples_used, 6000 - fit->dropped.outliers);
    EXPECT_TRUE(std::is_sorted(fit->curve.y.begin(), fit->curve.y.end()));
    EXPECT_TRUE(std::is_sorted(fit->curve.x.begin(), fit->curve.x.end(), std::less_equal<>()));
    for (double u = 0.1; u <= 1.0; u += 0.05) {
        EXPECT_NEAR(model::read(fit->curve, u), true_power(u), 4.0) << u;
    }
    EXPECT_NEAR(model::read(fit->curve, 0.0), 60.0, 2.0) << "idle has a bin of its own";
    EXPECT_NEAR(fit->residual_sd, 8.0, 1.0) << "that of the noise";
    EXPECT_GT(fit->r_squared.value(), 0.98);
    EXPECT_LT(fit->r_squared.value(), 1.0);
    EXPECT_EQ(fit->curve.kind, model::CurveKind::power);
    EXPECT_EQ(fit->curve.axis, model::Axis::busy_time);
}

TEST(PowerFit, HasTheResidualsOfHandMadeSamples) {
    // Medians at 0, 0.5 (0.45 to 0.5 is another bin) and so on; each point is missed by 0, 10 and 10 W.
    SourceReadings source;
    std::int64_t time_ms = 0;
    for (int repeat = 0; repeat < 20; ++repeat) {
        for (const double u : {0.0, 0.3, 0.6, 1.0}) {
            for (const double miss : {-10.0, 0.0, 10.0}) {
                time_ms += 60'000;
                source.utilization.push_back({time_ms, u});
                source.power_w.push_back({time_ms, 100 + 400 * u + miss});
            }
        }
    }
    const auto fit = fit_power(std::vector{source});
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->curve.x, (std::vector<double>{0, 0.3, 0.6, 1}));
    EXPECT_EQ(fit->curve.y, (std::vector<double>{100, 220, 340, 500}));
    EXPECT_EQ(fit->samples_used, 240U);
    const double residual = 160 * 100.0;                                      // two of three miss by 10 W
    const double spread = 60 * (190.0 * 190 + 70 * 70 + 50 * 50 + 210 * 210); // of 100, 220, 340, 500 around 290
    EXPECT_NEAR(fit->r_squared.value(), 1 - residual / (spread + residual), 1e-12);
    EXPECT_NEAR(fit->residual_sd, std::sqrt(residual / (240 - 4)), 1e-12);
}

TEST(PowerFit, KeepsASensorThatIsStillBecauseTheDeviceIs) {
    SourceReadings source;
    for (int i = 0; i < 300; ++i) {
        const double u = i < 100 ? 0.0 : (i % 4) / 3.0;
        source.utilization.push_back({i * 10'000, u});
        source.power_w.push_back({i * 10'000, i < 100 ? 60.0 : 60 + 100 * u + i % 7});
    }
    const auto fit = fit_power(std::vector{source});
    ASSERT_TRUE(fit) << fit.error()[0].message;
    EXPECT_EQ(fit->dropped.stuck, 0U);
}

TEST(PowerFit, LeavesOutASensorThatIsStuckAndJitters) {
    std::mt19937 random(kSeed);
    SourceReadings source = device(random, 1500);
    for (std::size_t i = 0; i < 1200; ++i) { // the utilization rises from 0 to 1
        source.utilization[i].value = static_cast<double>(i) / 1199.0;
        source.power_w[i].value = i % 2 == 0 ? 250.000 : 250.001;
    }
    const auto fit = fit_power(std::vector{source});
    ASSERT_TRUE(fit) << fit.error()[0].message;
    EXPECT_EQ(fit->dropped.stuck, 1200U);
    EXPECT_GT(fit->r_squared.value(), 0.98);
    EXPECT_NEAR(model::read(fit->curve, 0.5), true_power(0.5), 8.0);
}

TEST(PowerFit, IsRefusedWherePowerDoesNotFollowUtilization) {
    std::mt19937 random(kSeed);
    std::uniform_real_distribution<double> anything(60, 500);
    SourceReadings source = device(random, 2000);
    for (Reading& reading : source.power_w) {
        reading.value = anything(random);
    }
    const auto fit = fit_power(std::vector{source});
    ASSERT_FALSE(fit);
    ASSERT_EQ(fit.error().size(), 1U);
    EXPECT_EQ(fit.error()[0].code, model::Code::inconsistent);
    EXPECT_NE(fit.error()[0].message.find("power does not follow utilization"), std::string::npos) << fit.error()[0].message;
}

TEST(PowerFit, JoinsOnlyWhatIsCloseInTime) {
    std::mt19937 random(kSeed);
    SourceReadings source = device(random, 1000);
    for (std::size_t i = 0; i < 300; ++i) {
        source.utilization[i].time_ms -= 1'000'000'000;
    }
    const auto fit = fit_power(std::vector{source});
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->dropped.unmatched, 299U) << "the 299th is 11 s before one";
    EXPECT_EQ(fit_power(std::vector{source}, 500).error()[0].code, model::Code::too_few) << "no two are within half a second";
}

TEST(PowerFit, LeavesOutWhatCanNotBe) {
    std::mt19937 random(kSeed);
    SourceReadings source = device(random, 1000);
    source.power_w[3].value = -1;
    source.power_w[4].value = kMaxPowerW + 1;
    source.utilization[5].value = 1.5;
    const auto fit = fit_power(std::vector{source});
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->dropped.out_of_range, 3U);
}

TEST(PowerFit, IsRefusedWhereThereIsTooLittle) {
    std::mt19937 random(kSeed);
    struct Case {
        const char* what;
        std::vector<SourceReadings> sources;
        const char* says;
    };
    const std::vector<Case> cases{
        {"nothing", {}, "there are 0 at 0 (from none)"},
        {"few samples", {device(random, 60)}, "needs 100 samples"},
        {"never idle", {device(random, 2000, 0.4, 1.0)}, "from 0.2 or less to 0.8 or more"},
        {"never busy", {device(random, 2000, 0.0, 0.6)}, "(from 0.00 to 0.60)"},
        {"two utilizations", {device(random, 0)}, "4 utilizations or more"},
    };
    for (const Case& row : cases) {
        const auto fit = fit_power(row.sources);
        ASSERT_FALSE(fit) << row.what;
        ASSERT_EQ(fit.error().size(), 1U);
        EXPECT_EQ(fit.error()[0].code, model::Code::too_few);
        EXPECT_NE(fit.error()[0].message.find(row.says), std::string::npos) << row.what << ": " << fit.error()[0].message;
    }
}

// ---- throughput ----

SourceReadings replica(int per_batch) {
    SourceReadings source;
    std::int64_t time_ms = 0;
    for (const auto& [batch, rate] :
         {std::pair{1.0, 40.0}, std::pair{8.0, 250.0}, std::pair{32.0, 600.0}, std::pair{64.0, 580.0}}) {
        for (int i = 0; i < per_batch; ++i) {
            time_ms += 10'000;
            source.batch.push_back({time_ms, batch});
            source.units_per_s.push_back({time_ms, rate + i % 3 - 1});
        }
    }
    return source;
}

TEST(ThroughputFit, TakesTheMedianOfEachBatch) {
    SourceReadings source = replica(30);
    source.units_per_s[5].value = 4000;
    source.batch[40].value = 7.8; // nearest whole number
    const auto fit = fit_throughput(std::vector{source});
    ASSERT_TRUE(fit) << fit.error()[0].message;
    EXPECT_EQ(fit->curve.x, (std::vector<double>{1, 8, 32, 64}));
    EXPECT_EQ(fit->curve.y, (std::vector<double>{40, 250, 600, 580})) << "it may fall";
    EXPECT_EQ(fit->dropped.outliers, 1U);
    EXPECT_EQ(fit->samples_used, 119U);
    EXPECT_GT(fit->r_squared.value(), 0.9999);
}

TEST(ThroughputFit, IsRefusedWhereThereIsTooLittle) {
    EXPECT_EQ(fit_throughput(std::vector{replica(9)}).error()[0].code, model::Code::too_few) << "9 at a batch";
    SourceReadings one = replica(120);
    for (Reading& batch : one.batch) {
        batch.value = 16;
    }
    const auto fit = fit_throughput(std::vector{one});
    ASSERT_FALSE(fit);
    EXPECT_NE(fit.error()[0].message.find("2 batches or more"), std::string::npos);
    EXPECT_FALSE(fit_throughput({}));
}

// A vLLM of today prints counters and the batch, and no rate.
SourceReadings counting_replica(const std::vector<std::pair<double, double>>& batches, int per_batch) {
    SourceReadings source;
    std::int64_t time_ms = 0;
    double input = 5e6;
    double output = 1e6;
    for (const auto& [batch, rate] : batches) { // units/s, three in of four
        for (int i = 0; i < per_batch; ++i) {
            time_ms += 10'000;
            input += rate * 7.5;
            output += rate * 2.5;
            source.batch.push_back({time_ms - 5000, batch});
            source.input_tokens.push_back({time_ms, input});
            source.output_tokens.push_back({time_ms, output});
        }
    }
    return source;
}

TEST(ThroughputFit, TakesTheRateOfCountersWhereNoneIsReported) {
    SourceReadings source = counting_replica({{1, 40}, {8, 250}, {32, 600}}, 60);
    const auto fit = fit_throughput(std::vector{source});
    ASSERT_TRUE(fit) << fit.error()[0].message;
    EXPECT_EQ(fit->curve.x, (std::vector<double>{1, 8, 32}));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(fit->curve.y[i], std::vector({40.0, 250.0, 600.0})[i], 1e-6);
    }
}

TEST(ThroughputShare, OfCountersIsTheirGainOverTheLargestRate) {
    SourceReadings source;
    source.input_tokens = {{0, 100}, {10'000, 1100}, {20'000, 300}, {2'000'000, 400}, {2'010'000, 1400}};
    source.output_tokens = {{0, 0}, {10'000, 500}, {20'000, 200}, {2'000'000, 300}, {2'010'000, 800}};
    const std::vector<Reading> shares = throughput_shares(source, {200.0, std::nullopt});
    ASSERT_EQ(shares.size(), 3U) << "half an hour between two has no rate";
    EXPECT_EQ(shares[0].time_ms, 5000);
    EXPECT_DOUBLE_EQ(shares[0].value, 0.75);
    EXPECT_DOUBLE_EQ(shares[1].value, 0.25) << "both counters began again";
    EXPECT_DOUBLE_EQ(shares[2].value, 0.75);
    source.batch = {{0, 8}, {10'000, 33}, {20'000, 64}};
    const std::vector<Reading> of_batch = throughput_shares(source, {std::nullopt, 32.0});
    EXPECT_DOUBLE_EQ(of_batch[0].value, 0.25);
    EXPECT_DOUBLE_EQ(of_batch[1].value, 1.0) << "a little above the largest";
    EXPECT_DOUBLE_EQ(of_batch[2].value, 2.0) << "as it is; no fit takes it";
}

// A server that is never idle: its watts are known from its lowest share on.
TEST(PowerFit, OverTheShareOfTheRateNeedsNoIdleDevice) {
    std::mt19937 random(kSeed);
    const std::vector<SourceReadings> busy{device(random, 1000, 0.3, 1.0)};
    EXPECT_EQ(fit_power(busy).error()[0].code, model::Code::too_few);
    const auto fit = fit_power(busy, kUsualToleranceMs, model::UtilizationOf::throughput_share);
    ASSERT_TRUE(fit) << fit.error()[0].message;
    EXPECT_EQ(fit->curve.axis, model::Axis::throughput_share);
    EXPECT_NEAR(model::read(fit->curve, 0.6), true_power(0.6), 8);
    EXPECT_FALSE(fit_power(std::vector{device(random, 1000, 0.0, 0.6)}, kUsualToleranceMs, model::UtilizationOf::throughput_share))
        << "what it draws at its largest rate is not known";
}

// ---- utilization ----

constexpr std::int64_t kMonday = 20'605 * 24; // 2026-06-01T00:00Z, a Monday, in hours since 1970

std::vector<HourMean> weeks(int count, double (*mean)(int week, int hour)) {
    std::vector<HourMean> hours;
    for (int week = 0; week < count; ++week) {
        for (int hour = 0; hour < 168; ++hour) {
            hours.push_back({kMonday + week * 168 + hour, 60, mean(week, hour)});
        }
    }
    return hours;
}

TEST(UtilizationFit, GivesEachHourOfTheWeekItsMeanAndSpread) {
    const auto hours = weeks(3, [](int week, int hour) { return hour == 100 ? 0.2 + 0.2 * week : hour < 120 ? 0.8 : 0.1; });
    const auto fit = fit_utilization(hours, 3 * 168, "UTC");
    ASSERT_TRUE(fit) << fit.error()[0].message;
    EXPECT_EQ(fit->curve.axis, model::Axis::hour_of_week);
    ASSERT_EQ(fit->curve.y.size(), 168U);
    EXPECT_NEAR(fit->curve.y[0], 0.8, 1e-12);
    EXPECT_NEAR(fit->curve.y[119], 0.8, 1e-12);
    EXPECT_NEAR(fit->curve.y[120], 0.1, 1e-12);
    EXPECT_NEAR(fit->curve.y[100], 0.4, 1e-12);
    const Spread& spread = fit->spread[100]; // 0.2, 0.4, 0.6
    EXPECT_EQ(spread.samples, 180U);
    EXPECT_NEAR(spread.sd, 0.2, 1e-12);
    EXPECT_NEAR(spread.p10, 0.24, 1e-12);
    EXPECT_NEAR(spread.p90, 0.56, 1e-12);
    EXPECT_NEAR(fit->spread[0].sd, 0.0, 1e-12);
    EXPECT_NEAR(fit->residual_sd, std::sqrt(0.08 / (3 * 168 - 168)), 1e-12);
    EXPECT_EQ(fit->samples_used, 3U * 168 * 60);
}

TEST(UtilizationFit, WeighsHoursByTheirSamples) {
    auto hours = weeks(2, [](int week, int) { return week == 0 ? 0.2 : 0.8; });
    hours[5].count = 180;
    EXPECT_NEAR(fit_utilization(hours, 336, "UTC")->curve.y[5], (180 * 0.2 + 60 * 0.8) / 240, 1e-12);
}

TEST(UtilizationFit, ReadsHoursInTheZone) {
    const auto hours = weeks(2, [](int, int hour) { return hour == 10 ? 0.9 : 0.1; }); // Monday 10:00Z
    EXPECT_NEAR(fit_utilization(hours, 336, "Europe/Berlin")->curve.y[12], 0.9, 1e-12) << "12:00 in summer";
    EXPECT_NEAR(fit_utilization(hours, 336, "America/Los_Angeles")->curve.y[3], 0.9, 1e-12) << "03:00 in summer";
    EXPECT_NEAR(fit_utilization(hours, 336, "Asia/Kolkata")->curve.y[15], 0.9, 1e-12) << "15:30 reads 15";
}

TEST(UtilizationFit, IsByTheHourOfTheDayWhereTheWindowIsShort) {
    auto hours = weeks(1, [](int, int hour) { return hour % 24 == 9 ? 0.7 : 0.3; });
    hours.resize(48);
    const auto fit = fit_utilization(hours, 48, "UTC");
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->curve.axis, model::Axis::hour_of_day);
    ASSERT_EQ(fit->curve.y.size(), 24U);
    EXPECT_NEAR(fit->curve.y[9], 0.7, 1e-12);
    EXPECT_NEAR(fit->r_squared.value(), 1.0, 1e-12);
}

TEST(UtilizationFit, IsRefusedWhereHoursAreMissing) {
    auto hours = weeks(1, [](int, int) { return 0.5; });
    hours[7].count = kMinPerHour - 1;
    hours.pop_back();
    const auto fit = fit_utilization(hours, 168, "UTC");
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error()[0].code, model::Code::too_few);
    EXPECT_NE(fit.error()[0].message.find("2 of 168 hours have fewer: 7, 167;"), std::string::npos) << fit.error()[0].message;
    hours.resize(23);
    EXPECT_NE(fit_utilization(hours, 23, "UTC").error()[0].message.find("each hour of the day"), std::string::npos);
    EXPECT_FALSE(fit_utilization({}, 24, "UTC"));
    auto all = weeks(1, [](int, int) { return 0.5; });
    EXPECT_TRUE(fit_utilization(all, 168, "UTC"));
    EXPECT_EQ(fit_utilization(all, 168, "UTC")->r_squared, std::nullopt) << "nothing varies";
}

} // namespace
} // namespace costcurve::actuals
