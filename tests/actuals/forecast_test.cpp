// The rest of a month from its days: a worked example, weekdays, odd days, and how often the interval has what came.
#include <cmath>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "model/documents/calendar.hpp"
#include "server/actuals/runs/forecast.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::actuals {
namespace {

std::vector<DayCost> days_of(const std::vector<double>& costs, std::int64_t first = 0) {
    std::vector<DayCost> days;
    for (const double cost : costs) {
        days.push_back({first++, cost});
    }
    return days;
}
std::vector<std::int64_t> days_from(std::int64_t first, std::int64_t count) {
    std::vector<std::int64_t> days;
    for (std::int64_t i = 0; i < count; ++i) {
        days.push_back(first + i);
    }
    return days;
}

// By a program of its own (Python, 2026-11-29): a is 0.1, the level ends at 11.0866.
TEST(Forecast, OfDaysWithoutWeekdaysIsTheSmoothedLevel) {
    const auto known = days_of({10, 12, 11, 9, 10, 12, 11, 13, 9, 13});
    const DaysForecast forecast = forecast_days(known, days_from(10, 20), 0.8);
    EXPECT_NEAR(forecast.cost, 221.73154944199996, 1e-9);
    EXPECT_NEAR(forecast.deviation.value(), 25.620872350865785, 1e-3);
    EXPECT_FALSE(forecast.by_weekday);
    ASSERT_EQ(forecast.by_day.size(), 20U);
    EXPECT_NEAR(forecast.by_day[0], 11.0866, 1e-4);
}

TEST(Forecast, OfFourWeeksGoesByWeekday) {
    constexpr std::array<double, 7> kWeekdays{5, 1, 2, 3, 4, 9, 8};
    std::vector<double> costs;
    for (int day = 100; day < 128; ++day) {
        costs.push_back(100 + 10 * kWeekdays.at(static_cast<std::size_t>(day % 7)) + (7 * day * day) % 11);
    }
    const DaysForecast forecast = forecast_days(days_of(costs, 100), days_from(128, 9), 0.8);
    EXPECT_TRUE(forecast.by_weekday);
    EXPECT_NEAR(forecast.cost, 1326.3078707286952, 1e-8);
    EXPECT_NEAR(forecast.deviation.value(), 19.454638661964047, 1e-3);
}

TEST(Forecast, OfDaysAlikeIsThemAndSure) {
    std::vector<double> costs;
    for (int day = 0; day < 28; ++day) {
        costs.push_back(day % 7 < 2 ? 40.0 : 100.0);
    }
    const DaysForecast forecast = forecast_days(days_of(costs), days_from(28, 7), 0.8);
    EXPECT_NEAR(forecast.cost, 2 * 40 + 5 * 100, 1e-9);
    EXPECT_NEAR(forecast.deviation.value(), 0, 1e-9);
}

TEST(Forecast, LeavesOutAChargeThatStandsAloneAndFollowsANewLevel) {
    std::vector<double> costs(28, 100.0);
    for (std::size_t i = 0; i < costs.size(); ++i) {
        costs[i] += static_cast<double>(i % 3);
    }
    std::vector<double> with_fee = costs;
    with_fee[7] = 5000;
    const DaysForecast without = forecast_days(days_of(with_fee), days_from(28, 10), 0.8);
    EXPECT_EQ(without.left_out, std::vector<std::int64_t>{7});
    EXPECT_NEAR(without.cost, 1010, 15);
    std::vector<double> raised = costs;
    for (std::size_t i = 22; i < raised.size(); ++i) {
        raised[i] += 100;
    }
    const DaysForecast followed = forecast_days(days_of(raised), days_from(28, 10), 0.8);
    EXPECT_TRUE(followed.left_out.empty());
    EXPECT_GT(followed.cost, 1600);
}

// The window begins on a Sunday, whose Saturday is not in it.
TEST(Forecast, TakesNoWeekendForACharge) {
    std::vector<double> costs;
    for (int day = 3; day < 21; ++day) { // the third day of the epoch was one
        costs.push_back((day % 7 == 3 || day % 7 == 2 ? 56.0 : 103.0) + day % 3);
    }
    const DaysForecast forecast = forecast_days(days_of(costs, 3), days_from(21, 7), 0.8);
    EXPECT_TRUE(forecast.left_out.empty());
    EXPECT_NEAR(forecast.cost, 2 * 57 + 5 * 104, 6);
}

TEST(Forecast, IsUnsureOfAFewDaysAndSureOfNone) {
    EXPECT_FALSE(forecast_days(days_of({1, 2, 3, 4, 5, 6}), days_from(6, 3), 0.8).deviation);
    EXPECT_TRUE(forecast_days(days_of({1, 2, 3, 4, 5, 6, 7}), days_from(7, 3), 0.8).deviation);
    EXPECT_EQ(forecast_days(days_of({1, 2, 3}), {}, 0.8).deviation, 0.0);
    EXPECT_EQ(forecast_days({}, days_from(0, 3), 0.8).cost, 0.0);
}

// Abramowitz & Stegun, table 26.10.
TEST(Forecast, HasStudentsQuantiles) {
    EXPECT_NEAR(student_quantile(0.9, 3), 1.638, 2e-3);
    EXPECT_NEAR(student_quantile(0.9, 9), 1.383, 5e-4);
    EXPECT_NEAR(student_quantile(0.975, 10), 2.228, 5e-4);
    EXPECT_NEAR(student_quantile(0.995, 20), 2.845, 1e-3);
    EXPECT_NEAR(student_quantile(0.9, 30), 1.310, 5e-4);
}

TEST(Forecast, ScalesWithItsDaysAndWidensWithItsInterval) {
    const std::vector<double> costs{10, 12, 11, 9, 10, 12, 11, 13, 9, 13};
    std::vector<double> tenfold = costs;
    for (double& cost : tenfold) {
        cost *= 10;
    }
    const auto to_come = days_from(10, 20);
    const DaysForecast one = forecast_days(days_of(costs), to_come, 0.8);
    const DaysForecast ten = forecast_days(days_of(tenfold), to_come, 0.8);
    EXPECT_NEAR(ten.cost, 10 * one.cost, 1e-9);
    EXPECT_NEAR(*ten.deviation, 10 * *one.deviation, 1e-9);
    EXPECT_GT(*forecast_days(days_of(costs), to_come, 0.95).deviation, *one.deviation);
}

// Months of a series, each from its 7th, 14th and 21st day: how many have their rest within the interval.
struct Coverage {
    double within = 0.0;
    double count = 0.0;

    void add(const std::vector<double>& days, std::int64_t first_day) {
        const auto size = static_cast<std::int64_t>(days.size());
        for (model::YearMonth month{2022, 1}; month.year < 2025; month = model::add_months(month, 1)) {
            const std::int64_t begin = std::llround(model::days_since_epoch(month.year, month.month, 1)) - first_day;
            const std::int64_t end = begin + model::days_in(month);
            for (const std::int64_t known : {begin + 7, begin + 14, begin + 21}) {
                if (known < 28 || end > size) {
                    continue;
                }
                const std::vector<double> last(days.begin() + known - 28, days.begin() + known);
                const DaysForecast forecast =
                    forecast_days(days_of(last, first_day + known - 28), days_from(first_day + known, end - known), 0.8);
                double came = 0.0;
                for (std::int64_t day = known; day < end; ++day) {
                    came += days[static_cast<std::size_t>(day)];
                }
                within += std::abs(came - forecast.cost) <= *forecast.deviation ? 1.0 : 0.0;
                count += 1.0;
            }
        }
    }
};

// The last column of hourly rows, by day.
std::vector<double> daily(const std::filesystem::path& file, std::size_t column) {
    std::ifstream in(file);
    std::vector<double> days;
    std::string line;
    double last = 0.0;
    for (std::size_t hour = 0; std::getline(in, line);) {
        for (std::size_t i = 0; i < column; ++i) {
            line.erase(0, line.find(',') + 1);
        }
        const bool is_header = line.find_first_of("0123456789") == std::string::npos;
        if (is_header) {
            continue;
        }
        last = line.empty() ? last : std::strtod(line.c_str(), nullptr);
        if (hour % 24 == 0) {
            days.push_back(0.0);
        }
        days.back() += last;
        ++hour;
    }
    return days;
}

// Four years of days: two grids' carbon, a grid's prices, and those of a year in which gas was short.
TEST(Forecast, HasWhatCameWithinItsIntervalOnPublicTraces) {
    const auto folder = tests::source_folder().parent_path() / "shared/data";
    if (!std::filesystem::exists(folder / "avert-2023")) {
        GTEST_SKIP() << "../shared/data is not here: the drawn series stand alone";
    }
    Coverage coverage;
    const std::int64_t first = std::llround(model::days_since_epoch(2023, 1, 1));
    coverage.add(daily(folder / "avert-2023/AVERT_2023_CO2_lb_per_kwh_CA_TE.csv", 1), first);
    coverage.add(daily(folder / "avert-2023/AVERT_2023_CO2_lb_per_kwh_CA_TE.csv", 2), first);
    coverage.add(daily(folder / "nrel-ssc/LCGS_price_per_MWh.csv", 0), first);
    coverage.add(daily(folder / "entsoe-day-ahead/DAM_prices.csv", 1), std::llround(model::days_since_epoch(2022, 1, 1)));
    ASSERT_GT(coverage.count, 120);
    EXPECT_NEAR(coverage.within / coverage.count, 0.8, 0.05) << coverage.count;
}

// Weekdays, noise, and a level that wanders by none, a tenth or a third of the noise a day.
TEST(Forecast, HasWhatCameWithinItsIntervalOfDrawnSeries) {
    std::mt19937 random(20261129);
    std::normal_distribution<double> normal;
    for (const double wander : {0.0, 0.1, 0.3}) {
        Coverage coverage;
        for (int series = 0; series < 12; ++series) {
            std::vector<double> days;
            double level = 100.0;
            for (int day = 0; day < 365; ++day) {
                level += wander * normal(random);
                days.push_back(level + (day % 7 < 2 ? -30.0 : 0.0) + normal(random));
            }
            coverage.add(days, std::llround(model::days_since_epoch(2023, 1, 1)));
        }
        EXPECT_GT(coverage.within / coverage.count, 0.70) << wander;
        EXPECT_LT(coverage.within / coverage.count, 0.96) << wander;
    }
}

} // namespace
} // namespace costcurve::actuals
