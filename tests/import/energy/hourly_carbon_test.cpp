// Electricity Maps' hourly carbon intensity: a curve a year of direct and of life-cycle emissions, in local time.
#include <cctz/civil_time.h>
#include <fmt/format.h>

#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kSweden{.name = "SE.csv", .time_zone = "Europe/Stockholm", .id = "carbon.se"};

// Hours of a year in UTC: the hour's number direct, 28 more over the life cycle.
std::string hours_of_2024(int from, int to) {
    std::string text = "Datetime (UTC),Country,Zone name,Zone id,Carbon intensity gCO₂eq/kWh (direct),"
                       "Carbon intensity gCO₂eq/kWh (Life cycle),Data estimated\n";
    for (int hour = from; hour < to; ++hour) {
        const cctz::civil_hour civil = cctz::civil_hour(2024, 1, 1, 0) + hour;
        text += fmt::format("{:04}-{:02}-{:02} {:02}:00:00,Sweden,Sweden,SE,{},{},{}\n", civil.year(), civil.month(), civil.day(),
                            civil.hour(), hour % 24, hour % 24 + 28, hour < 2 ? "true" : "false");
    }
    return text;
}

TEST(HourlyCarbon, OfAYearIsACurveOfDirectAndOneOfLifeCycleEmissions) {
    const Reading reading = read_text("hourly_carbon", hours_of_2024(0, 8784), kSweden);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const direct = reading.find<model::Curve>("carbon.se-2024.direct");
    const auto* const life_cycle = reading.find<model::Curve>("carbon.se-2024.life-cycle");
    ASSERT_NE(direct, nullptr);
    ASSERT_NE(life_cycle, nullptr);
    EXPECT_EQ(direct->kind, model::CurveKind::carbon);
    EXPECT_EQ(direct->axis, model::Axis::hour_of_year);
    EXPECT_DOUBLE_EQ(model::read(*direct, 12), 11) << "noon in Stockholm is 11 in UTC";
    EXPECT_DOUBLE_EQ(model::read(*life_cycle, 12), 39);
    EXPECT_TRUE(says(reading.report.warnings, 0, "2 of 8784 hours are estimated by the publisher"));
    EXPECT_TRUE(says(reading.report.warnings, 0, "2024: Filled from the hours beside them: 2024-01-01 00:00."));
}

TEST(HourlyCarbon, OfDaysIsTheMeanDay) {
    const Reading reading = read_text("hourly_carbon", hours_of_2024(0, 48), kSweden);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const direct = reading.find<model::Curve>("carbon.se.hour-of-day.direct");
    ASSERT_NE(direct, nullptr);
    EXPECT_EQ(direct->axis, model::Axis::hour_of_day);
    EXPECT_DOUBLE_EQ(model::read(*direct, 12), 11);
    EXPECT_TRUE(says(reading.report.warnings, 0, "the mean of each hour of the day is given instead"));
    EXPECT_TRUE(read_text("hourly_carbon", hours_of_2024(0, 5), kSweden).error) << "not one day";
    EXPECT_TRUE(read_text("hourly_carbon", "Datetime (UTC),x\n2024-01-01 00:00,1\n", kSweden).error);
}

TEST(HourlyCarbon, OfTwoZonesIsRefusedUnlessOneIsNamed) {
    std::string text = hours_of_2024(0, 30);
    text += "2024-01-02 06:00:00,Norway,Norway,NO,5,9,false\n";
    const Reading both = read_text("hourly_carbon", text, kSweden);
    ASSERT_TRUE(both.error);
    EXPECT_EQ(both.error->message, "row 32: the file has figures of NO and of SE; name one as region");
    Options sweden = kSweden;
    sweden.region = "SE";
    EXPECT_FALSE(read_text("hourly_carbon", text, sweden).error);
}

TEST(HourlyCarbon, CaseOfADayIsRead) {
    SKIP_WITHOUT_CASE("hourly-carbon.csv");
    const Reading reading = read_cases("hourly_carbon", {"hourly-carbon.csv"}, kSweden);
    EXPECT_EQ(reading.count<model::Curve>(), 2U);
}

} // namespace
} // namespace costcurve::imports
