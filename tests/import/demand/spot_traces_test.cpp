// Traces of spot instances: what part of the time they are to be had, and how often they are taken.
#include <numeric>

#include <fmt/format.h>

#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kSpotTraces{.date = "2022-10-26", .id = "spot.aws"};

std::string spot_trace(const std::string& data, const std::string& metadata = R"({"gap_seconds": 600})") {
    return fmt::format(R"({{"metadata": {}, "data": [{}]}})", metadata, data);
}

double mean_of_points(const model::Curve& curve) {
    return std::accumulate(curve.y.begin(), curve.y.end(), 0.0) / static_cast<double>(curve.y.size());
}

TEST(SpotTraces, BecomeCurvesOfTheWeek) {
    const Reading reading = read_fixtures("spot_traces", {"us-west-2a_v100_1.json", "us-east-2b_v100_1.json"}, kSpotTraces);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const west = reading.find<model::Curve>("spot.aws.us-west-2a_v100_1");
    ASSERT_NE(west, nullptr);
    EXPECT_EQ(west->kind, model::CurveKind::availability);
    EXPECT_EQ(west->axis, model::Axis::hour_of_week) << "27 days from a Wednesday on";
    EXPECT_NEAR(mean_of_points(*west), 0.793, 0.01) << "hours of the week are not all as often in it";
    for (const std::string_view part : {"3895 points, one each 600 s, 27 days", "up to 1 instances", "0.7926 of the time",
                                        "0.245 interruptions an instance-hour, a life of 4.08 h"}) {
        EXPECT_NE(west->note.find(part), std::string::npos) << west->note;
    }
    const auto* const east = reading.find<model::Curve>("spot.aws.us-east-2b_v100_1");
    ASSERT_NE(east, nullptr);
    EXPECT_EQ(east->axis, model::Axis::hour_of_day) << "of a day and a half";
    EXPECT_NE(east->note.find("up to 16 instances"), std::string::npos) << east->note;
    EXPECT_EQ(reading.report.warnings.count, 1U) << "the medians";
}

// 6 points of 10 minutes: 2, 2, 1, 0, 2, 1 instances; 8 of 12, 3 lost in 8/6 instance-hours.
TEST(SpotTraces, CountInstancesThatAreTaken) {
    const Reading reading =
        read_set("spot_traces", {{"a.json", spot_trace("2, 2, 1, 0, 2, 1")}, {"b.json", spot_trace("1, 1")}}, kSpotTraces);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const curve = reading.find<model::Curve>("spot.aws.a");
    ASSERT_NE(curve, nullptr);
    ASSERT_EQ(curve->y.size(), 1U) << "an hour has no shape";
    EXPECT_DOUBLE_EQ(curve->y[0], 8.0 / 12);
    EXPECT_NE(curve->note.find("0.6667 of the time, all at once in 0.5; 2.25 interruptions"), std::string::npos) << curve->note;
    ASSERT_EQ(reading.report.warnings.first.size(), 1U);
    EXPECT_NE(reading.report.warnings.first[0].reason.find("interruptions_per_hour 1.1 and availability_fraction 0.83"),
              std::string::npos)
        << "between 2.25 and 0, and between 2/3 and 1: " << reading.report.warnings.first[0].reason;
}

TEST(SpotTraces, OfWhichOneIsBrokenAreRefusedByItsName) {
    struct Row {
        std::string text;
        std::string what;
    };
    for (const Row& row :
         {Row{R"({"metadata": {"gap_seconds": 300}, "data": [0, 1)", "b.json: "},
          Row{spot_trace("1, 0, null, 1"), "b.json: point 3 of data"}, Row{spot_trace("1, 0, -1"), "b.json: point 3 of data"},
          Row{spot_trace(R"(1, "1")"), "b.json: point 2 of data"}, Row{spot_trace("1"), "b.json: data has no two points"},
          Row{spot_trace("1, 0", "{}"), "b.json: metadata.gap_seconds"},
          Row{spot_trace("1, 0", R"({"gap_seconds": 86400})"), "b.json: metadata.gap_seconds"},
          Row{R"({"data": [0, 1]})", "b.json: metadata.gap_seconds"}, Row{"[0, 1]", "b.json: metadata.gap_seconds"}}) {
        const Reading reading = read_set("spot_traces", {{"a.json", spot_trace("1, 0, 1")}, {"b.json", row.text}}, kSpotTraces);
        ASSERT_TRUE(reading.error) << row.text;
        EXPECT_NE(reading.error->message.find(row.what), std::string::npos) << reading.error->message;
    }
    const Reading twice = read_set("spot_traces", {{"a.json", spot_trace("1, 0")}, {"a.json", spot_trace("1, 1")}}, kSpotTraces);
    ASSERT_TRUE(twice.error);
    EXPECT_NE(twice.error->message.find("would become spot.aws.a too"), std::string::npos) << twice.error->message;
}

TEST(SpotTraces, OfWhatIsNeverThereSayNoLife) {
    const Reading reading = read_set("spot_traces", {{"a.json", spot_trace("0, 0, 0")}}, kSpotTraces);
    ASSERT_FALSE(reading.error);
    EXPECT_NE(reading.find<model::Curve>("spot.aws.a")->note.find("none was to be had"), std::string::npos);
    EXPECT_EQ(reading.report.warnings.count, 0U);
}

} // namespace
} // namespace costcurve::imports
