// Files of costcurve measure --log as measurements of training.
#include <fmt/format.h>

#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

using model::Measurement;

std::string training_file(std::string_view row, std::string_view method = "full") {
    return fmt::format(R"({{"format":"costcurve measured","format_version":1,"kind":"training","date":"2026-11-20",
        "model":"meta-llama/Llama-3.1-8B","framework":"torchtitan","version":"","precision":"bf16","devices":8,
        "device":"NVIDIA H100 80GB HBM3","method":"{}","warm_up_steps":10,"notes":[],"phases":[{}],"complete":true}})",
                       method, row);
}

const std::string kRow =
    R"({"sequence":8192,"tokens_per_s":58520,"tokens_per_step":65536,"steps":180,"lines":18,"seconds":201.6,"watts":5200})";

TEST(MeasuredTraining, IsAMeasurementOfOnesOwn) {
    const Reading reading = read_text("measured", training_file(kRow), {.name = "measured.json"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.documents.size(), 1U);
    const auto& measurement = std::get<Measurement>(reading.documents.front());
    EXPECT_EQ(measurement.id, "own.llama-3.1-8b.nvidia.h100-sxm5-80gb.8x.bf16.2026-11-20.training-8192");
    EXPECT_TRUE(measurement.own);
    EXPECT_EQ(measurement.kind, model::MeasurementKind::training);
    EXPECT_EQ(measurement.method, model::TrainingMethod::full);
    EXPECT_EQ(measurement.framework, "torchtitan");
    EXPECT_EQ(measurement.points.tokens_per_s, (std::vector<double>{58520}));
    EXPECT_EQ(measurement.points.tokens_per_step, (std::vector<double>{65536}));
    EXPECT_EQ(measurement.points.sequence, (std::vector<double>{8192}));
    EXPECT_EQ(measurement.points.watts, (std::vector<double>{5200}));
    EXPECT_EQ(reading.report.warnings.count, 0U);
}

TEST(MeasuredTraining, WhatIsNoMeasurementGivesNothing) {
    const struct {
        std::string text, reason;
    } cases[] = {
        {training_file(R"({"sequence":8192,"tokens_per_s":58520,"steps":4})"), "5 steps or more"},
        {training_file(R"({"sequence":8192,"tokens_per_s":0,"steps":40})"), "tokens_per_s is needed"},
        {training_file(R"({"tokens_per_s":10,"steps":40})"), "sequence is needed"},
        {training_file(""), "one phase"},
        {training_file(kRow, "distil"), "method"},
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
