// Files of costcurve measure as documents, and files that are no measurement.
#include <fmt/format.h>

#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

using model::Curve;
using model::Measurement;

std::string phase(std::string_view loop, double load, double rate, double watts, int failed = 0, std::string_view mix = "main") {
    return fmt::format(
        R"({{"loop":"{}","load":{},"mix":"{}","requests":100,"failed":{},"concurrency":{},"output_per_s":{},"input":1000,
                           "cached_input":0,"output":300,"ttft_s":0.2,"itl_s":0.02,"e2e_s":6.2,"watts":{}}})",
        loop, load, mix, failed, load, rate, watts);
}

std::string file(const std::string& phases, std::string_view complete = "true") {
    return fmt::format(
        R"({{"format":"costcurve measured","format_version":1,"date":"2026-11-29","model":"meta-llama/Llama-3.1-8B-Instruct",
                           "framework":"vllm","version":"0.11.0","precision":"bf16","device":"NVIDIA H100 80GB HBM3","devices":2,
                           "loaded_idle_w":240,"phases":[{}],"complete":{}}})",
        phases, complete);
}

const std::string kPhases = phase("closed", 1, 150, 700) + "," + phase("closed", 2, 290, 900) + "," +
                            phase("closed", 4, 500, 1000) + "," + phase("closed", 4, 400, 1100, 0, "second") + "," +
                            phase("open", 0.05, 25, 500) + "," + phase("open", 0.5, 250, 960);

TEST(MeasuredRun, TheClosedLoopIsAMeasurementOfOnesOwn) {
    const Reading reading = read_text("measured", file(kPhases), {.name = "measured.json"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.documents.size(), 2U);
    const auto& measurement = std::get<Measurement>(reading.documents.back());
    EXPECT_EQ(measurement.id, "own.llama-3.1-8b.nvidia.h100-sxm5-80gb.2x.bf16.2026-11-29");
    EXPECT_TRUE(measurement.own);
    EXPECT_EQ(measurement.devices, 2);
    EXPECT_EQ(measurement.version, "0.11.0");
    EXPECT_EQ(measurement.points.concurrency, (std::vector<double>{1, 2, 4, 4}));
    EXPECT_EQ(measurement.points.output_per_s, (std::vector<double>{150, 290, 500, 400}));
    EXPECT_EQ(measurement.points.watts, (std::vector<double>{700, 900, 1000, 1100}));
}

TEST(MeasuredRun, WattsOfADeviceRiseWithTheShareOfTheLargestRate) {
    const Reading reading = read_text("measured", file(kPhases), {});
    const auto& curve = std::get<Curve>(reading.documents.front());
    EXPECT_EQ(curve.axis, model::Axis::throughput_share);
    // 960 W at 0.5 and 900 W at 0.58 are pooled; both of two devices.
    EXPECT_EQ(curve.x, (std::vector<double>{0, 0.05, 0.3, 0.54, 1}));
    EXPECT_EQ(curve.y, (std::vector<double>{120, 250, 350, 465, 500}));
}

// A clock that is wrong makes a measurement that stays the newest for ever.
TEST(MeasuredRun, OfADayToComeIsRefused) {
    Options options{.name = "measured.json"};
    options.today = 20'785; // 2026-11-28, the day before that of the file, which another zone may have
    EXPECT_FALSE(read_text("measured", file(kPhases), options).error);
    options.today = 20'784;
    const Reading reading = read_text("measured", file(kPhases), options);
    ASSERT_TRUE(reading.error);
    EXPECT_NE(reading.error->message.find("its date is 2026-11-29, a day to come"), std::string::npos) << reading.error->message;
}

TEST(MeasuredRun, WithoutWattsThereIsNoCurve) {
    std::string without = file(kPhases);
    for (std::size_t at = 0; (at = without.find("\"watts\"", at)) != std::string::npos; ++at) {
        without.replace(at, 7, "\"seed\"");
    }
    const Reading reading = read_text("measured", without, {});
    ASSERT_EQ(reading.documents.size(), 1U);
    EXPECT_TRUE(std::get<Measurement>(reading.documents.front()).points.watts.empty());
}

TEST(MeasuredRun, WhatIsNoMeasurementGivesNothing) {
    const struct {
        std::string text, reason;
    } cases[] = {
        {file(kPhases).substr(0, 700), "is the file cut off?"},
        {file(kPhases, "false"), "was not completed"},
        {file(""), "has no phases"},
        {file(phase("closed", 1, 150, 700, 2)), "2 of 100 requests failed"},
        {file(phase("closed", 1, 0, 700)), "output_per_s is needed"},
        {file(phase("open", 1, 150, 700)), "no phase of the closed loop"},
        {"{}", "no file of costcurve measure"},
    };
    for (const auto& wrong : cases) {
        const Reading reading = read_text("measured", wrong.text, {});
        ASSERT_TRUE(reading.error) << wrong.reason;
        EXPECT_NE(reading.error->message.find(wrong.reason), std::string::npos) << reading.error->message;
        EXPECT_TRUE(reading.documents.empty());
    }
}

} // namespace
} // namespace costcurve::imports
