// Drift at the same load: a planted change is found within a day, and days as they come are none.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "server/actuals/runs/drift.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::actuals {
namespace {

constexpr std::int64_t kDay = 24;
constexpr std::int64_t kFirst = 495'000; // an hour

// Watts by share of the rate, as an H100 was measured while it served (serve-results.json of 2026-11-26, phases of 6 to 9 s).
double watts(double share) {
    constexpr std::array<double, 8> kShares{0.0, 0.034, 0.046, 0.109, 0.216, 0.348, 0.497, 1.0};
    constexpr std::array<double, 8> kWatts{121.3, 373.8, 445.1, 484.5, 517.7, 555.5, 596.6, 680.7};
    std::size_t next = 1;
    while (next + 1 < kShares.size() && share > kShares.at(next)) {
        ++next;
    }
    const double part = (share - kShares.at(next - 1)) / (kShares.at(next) - kShares.at(next - 1));
    return kWatts.at(next - 1) + part * (kWatts.at(next) - kWatts.at(next - 1));
}

// Hours of days whose load has the shape of a day and a noise of a fifth; the figure has one of its own.
class Days {
public:
    explicit Days(unsigned seed) : random_(seed) {}

    void add(int days, double factor = 1.0, double noise = 0.02) {
        std::normal_distribution<double> normal;
        for (int hour = 0; hour < days * kDay; ++hour) {
            const double of_day = 0.35 + 0.25 * std::sin(2 * M_PI * static_cast<double>(next_ % kDay) / kDay);
            const double share = std::min(1.0, of_day * std::exp(0.2 * normal(random_)));
            points.push_back({next_++, share * 1e7, watts(share) * factor * std::exp(noise * normal(random_))});
        }
    }
    [[nodiscard]] LoadDrift drift() const { return load_drift(points, next_, 28); }
    [[nodiscard]] std::int64_t now() const { return next_; }

    std::vector<LoadPoint> points;

private:
    std::int64_t next_ = kFirst;
    std::mt19937 random_;
};

TEST(Drift, OfFifteenPercentIsFoundWithinADay) {
    for (const double factor : {1.15, 1 / 1.15}) {
        Days days(1);
        days.add(28);
        EXPECT_FALSE(is_drift(days.drift(), 0.1));
        days.add(1, factor);
        const LoadDrift found = days.drift();
        EXPECT_TRUE(is_drift(found, 0.1)) << factor;
        EXPECT_NEAR(*found.change, factor - 1, 0.02);
        EXPECT_NEAR(*found.measured / *found.expected, factor, 0.02);
    }
}

TEST(Drift, IsNoneOfNinetyDaysAsTheyCome) {
    Days days(2);
    days.add(10);
    for (int day = 0; day < 90; ++day) {
        days.add(1);
        EXPECT_FALSE(is_drift(days.drift(), 0.1)) << day;
    }
}

// The load of a day is that of 24 hours of another one: an hour of the day before at three times the work is none either.
TEST(Drift, IsNoneOfAnotherLoad) {
    Days days(3);
    days.add(28);
    std::vector<LoadPoint> points = days.points;
    for (std::int64_t hour = 0; hour < kDay; ++hour) {
        points.push_back({days.now() + hour, 0.15e7, watts(0.15)});
    }
    const LoadDrift found = load_drift(points, days.now() + kDay, 28);
    EXPECT_EQ(found.hours, 24U);
    EXPECT_FALSE(is_drift(found, 0.1)) << *found.change;
}

TEST(Drift, IsNotMovedByAThirdOfTheHoursBeingOdd) {
    Days days(4);
    days.add(29);
    for (std::size_t i = days.points.size() - 24; i < days.points.size(); i += 3) {
        days.points[i].figure *= i % 2 == 0 ? 40 : 0.01;
    }
    for (std::size_t i = 0; i < days.points.size() - 24; i += 37) { // and of the reference
        days.points[i].figure *= 15;
    }
    EXPECT_FALSE(is_drift(days.drift(), 0.1));
}

TEST(Drift, IsUnknownOfFewHoursOrLoadsThatNoneOfTheDaysBeforeHad) {
    Days days(5);
    days.add(28);
    std::vector<LoadPoint> points = days.points;
    std::vector<LoadPoint> alone(points.end() - 24, points.end());
    EXPECT_FALSE(load_drift(alone, days.now(), 28).change);
    EXPECT_FALSE(load_drift({}, days.now(), 28).change);
    for (std::int64_t hour = 0; hour < kDay; ++hour) {
        points.push_back({days.now() + hour, 5e7, 900});
    }
    const LoadDrift beyond = load_drift(points, days.now() + kDay, 28);
    EXPECT_FALSE(beyond.change);
    EXPECT_EQ(beyond.hours, 0U);
    EXPECT_FALSE(load_drift(points, days.now() + 100 * kDay, 28).change) << "no hour of the last two days";
}

TEST(Drift, IsNoneWithinTheNoiseOfTheDays) {
    Days days(6);
    for (int day = 0; day < 28; ++day) {
        days.add(1, day % 2 == 0 ? 0.9 : 1.1); // days differ by a tenth up and down
    }
    days.add(1, 1.15);
    const LoadDrift found = days.drift();
    EXPECT_GT(*found.change, 0.1);
    EXPECT_FALSE(is_drift(found, 0.1)) << *found.spread;
}

// Requests of an API through a day in 57 s steps (Alibaba, 2026), drawn anew for ninety days, on the H100 above.
TEST(Drift, IsNoneOfNinetyDaysOfAPublicTrace) {
    const auto file = tests::source_folder().parent_path() / "shared/data/alibaba-genai-v2026/qps.csv";
    if (!std::filesystem::exists(file)) {
        GTEST_SKIP() << "../shared/data is not here: the drawn days stand alone";
    }
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    std::array<std::vector<double>, kDay> by_hour;
    double highest = 0.0;
    while (std::getline(in, line)) {
        const double time = std::strtod(line.c_str(), nullptr);
        const double rate = std::strtod(line.c_str() + line.find(',') + 1, nullptr);
        by_hour.at(static_cast<std::size_t>(time / 3600) % kDay).push_back(rate);
        highest = std::max(highest, rate);
    }
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    std::vector<LoadPoint> points;
    const auto add_day = [&](std::int64_t day, double factor) {
        for (std::int64_t hour = 0; hour < kDay; ++hour) {
            const std::vector<double>& rates = by_hour.at(static_cast<std::size_t>(hour));
            double sum = 0.0;
            for (int i = 0; i < 63 && !rates.empty(); ++i) {
                sum += rates[std::uniform_int_distribution<std::size_t>(0, rates.size() - 1)(random)] / 63;
            }
            const double share = std::max(sum / highest, 0.001);
            points.push_back({kFirst + day * kDay + hour, share, watts(share) * factor * std::exp(0.02 * normal(random))});
        }
    };
    for (std::int64_t day = 0; day < 118; ++day) {
        add_day(day, 1.0);
        if (day >= 28) {
            const LoadDrift found = load_drift(points, kFirst + (day + 1) * kDay, 28);
            ASSERT_TRUE(found.change) << day;
            EXPECT_FALSE(is_drift(found, 0.1)) << day;
        }
    }
    add_day(118, 1.15);
    EXPECT_TRUE(is_drift(load_drift(points, kFirst + 119 * kDay, 28), 0.1));
}

} // namespace
} // namespace costcurve::actuals
