// Results of vLLM's serving benchmark: rates of the whole machine over the requests at a time, which may fall.
#include <fmt/format.h>

#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kEightH200{.device = "H200", .devices = "8"};

TEST(VllmBench, RunsAreACurveOverRequestsAtATime) {
    const Reading reading = read_fixtures("vllm_bench", {"vllm_bench_conc64.json", "vllm_bench_conc4.json"}, kEightH200);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = reading.find<model::Performance>("vllm-bench.glm-5.1024-128.8x-h200-sxm-141gb.fp8.vllm");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->model, "glm-5");
    EXPECT_EQ(performance->precision, "fp8");
    EXPECT_EQ(performance->devices, 8);
    EXPECT_EQ(performance->units_per_s->curve->x, (std::vector<double>{4, 64}));
    // SOURCES.md: 164.73 and 663.04 output tokens/s, at 128 of 1152 tokens of a request.
    EXPECT_NEAR(performance->units_per_s->curve->y[0], 164.73 * 9, 0.05);
    EXPECT_NEAR(performance->units_per_s->curve->y[1], 663.04 * 9, 0.05);
    EXPECT_NE(performance->note.find("164.728 at 4, 663.038 at 64"), std::string::npos) << performance->note;
    EXPECT_EQ(performance->latency_percentile, 50.0);
}

// Load tests were performances alone, which move no other rate.
TEST(VllmBench, RunsAreAMeasurementBeside) {
    const Reading reading = read_fixtures("vllm_bench", {"vllm_bench_conc64.json", "vllm_bench_conc4.json"}, kEightH200);
    const std::string id = "vllm-bench.glm-5.1024-128.8x-h200-sxm-141gb.fp8.vllm";
    const auto* const performance = reading.find<model::Performance>(id);
    const auto* const measurement = reading.find<model::Measurement>(id);
    ASSERT_NE(performance, nullptr);
    ASSERT_NE(measurement, nullptr);
    EXPECT_EQ(performance->measurement, id);
    EXPECT_EQ(performance->mix, (model::RequestMix{1024, 128}));
    EXPECT_EQ(measurement->model, "glm-5");
    EXPECT_EQ(measurement->device, "nvidia.h200-sxm-141gb");
    EXPECT_EQ(measurement->devices, 8);
    EXPECT_EQ(measurement->precision, model::NumberFormat::fp8);
    EXPECT_EQ(measurement->framework, "vllm");
    EXPECT_EQ(measurement->points.concurrency, (std::vector<double>{4, 64}));
    EXPECT_EQ(measurement->points.input, (std::vector<double>{1024, 1024}));
    EXPECT_EQ(measurement->points.output, (std::vector<double>{128, 128}));
    EXPECT_NEAR(measurement->points.output_per_s[1], 663.04, 0.005); // SOURCES.md
    EXPECT_EQ(measurement->points.itl_s.size(), 2U);
    EXPECT_EQ(measurement->percentiles.itl_s, 50.0);
    // A precision that nobody states is none of a measurement.
    const std::string run = R"({"model_id": "m/Llama-3.1-8B", "max_concurrency": 4, "completed": 1, "total_input_tokens": 10,
        "total_output_tokens": 10, "request_throughput": 1, "output_throughput": 10})";
    const Reading unknown = read_set("vllm_bench", {{"a.json", run}}, kEightH200);
    EXPECT_EQ(unknown.count<model::Measurement>(), 0U);
    ASSERT_EQ(unknown.count<model::Performance>(), 1U);
    EXPECT_EQ(std::get<model::Performance>(unknown.documents.front()).measurement, "");
    EXPECT_EQ(std::get<model::Performance>(unknown.documents.front()).mix, (model::RequestMix{10, 10}));
}

TEST(VllmBench, TimesMayBeMillisecondsAndTheConcurrencyUnlimited) {
    const std::string run = R"({"backend": "sglang", "model_id": "m/Llama-3.1-8B", "num_prompts": 93, "max_concurrency": null,
        "completed": 90, "total_input_tokens": 9000, "total_output_tokens": 4500, "request_throughput": 9, "output_throughput": 450,
        "mean_e2el_ms": 2000, "median_ttft_ms": 120, "median_tpot_ms": 40})";
    const Reading reading = read_set("vllm_bench", {{"a.json", "[" + run + "]"}}, kEightH200);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = reading.find<model::Performance>("vllm-bench.llama-3.1-8b.100-50.8x-h200-sxm-141gb.sglang");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->batch, 18); // 9/s x 2 s
    EXPECT_DOUBLE_EQ(performance->units_per_s->number, 1350);
    EXPECT_DOUBLE_EQ(performance->ttft_s->number, 0.12);
    EXPECT_DOUBLE_EQ(performance->itl_s->number, 0.04);
    EXPECT_TRUE(says(reading.report.warnings, 1, "a.json: 3 requests failed and are not counted"));
}

TEST(VllmBench, WhatCannotBeUsedIsNamed) {
    const std::string good = R"({"model_id": "m", "max_concurrency": 4, "completed": 1, "total_input_tokens": 10,
        "total_output_tokens": 10, "request_throughput": 1, "output_throughput": 10})";
    const std::string faster = R"({"model_id": "m", "max_concurrency": 4, "completed": 1, "total_input_tokens": 10,
        "total_output_tokens": 10, "request_throughput": 2, "output_throughput": 20})";
    const std::string open = R"({"model_id": "m", "completed": 1, "total_output_tokens": 10, "request_throughput": 1,
        "output_throughput": 10})";
    const Reading reading = read_set(
        "vllm_bench", {{"a.json", good}, {"b.json", faster}, {"c.json", open}, {"d.json", "{}"}, {"e.json", good}}, kEightH200);
    ASSERT_FALSE(reading.error);
    EXPECT_TRUE(
        says(reading.report.warnings, 2, "b.json: two runs with 4 requests at a time, 20 and 40 tokens/s; the faster was taken"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "c.json: how many requests ran at a time is not known"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "d.json: it is no result of a serving benchmark"));
    EXPECT_TRUE(read_set("vllm_bench", {{"a.json", "{}"}}, kEightH200).error);
    EXPECT_TRUE(read_set("vllm_bench", {{"a.json", "[]"}}, kEightH200).error);
    EXPECT_TRUE(read_set("vllm_bench", {{"a.json", "<html>"}}, kEightH200).error);
}

TEST(VllmBench, TheRealRunsAreRead) {
    SKIP_WITHOUT_SHARED();
    std::vector<std::string> files;
    for (const int length : {1024, 8192}) {
        for (const int requests : {4, 8, 16, 32, 48, 64}) {
            files.push_back(fmt::format("inferencex-h200/glm5_fp8_vllm_tp8_isl{}_osl128_conc{}.json", length, requests));
        }
    }
    const Reading reading = read_shared("vllm_bench", files, kEightH200);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rejected.count, 0U);
    ASSERT_EQ(reading.count<model::Performance>(), 2U);
    const auto* const longer = reading.find<model::Performance>("vllm-bench.glm-5.8192-128.8x-h200-sxm-141gb.fp8.vllm");
    ASSERT_NE(longer, nullptr);
    EXPECT_EQ(longer->units_per_s->curve->x, (std::vector<double>{4, 8, 16, 32, 48, 64}));
    EXPECT_NEAR(longer->units_per_s->curve->y[5] / 65, 120.67, 0.01); // 8320 tokens of a request, 128 of them out
    const auto* const shorter = reading.find<model::Performance>("vllm-bench.glm-5.1024-128.8x-h200-sxm-141gb.fp8.vllm");
    ASSERT_NE(shorter, nullptr);
    EXPECT_NEAR(shorter->units_per_s->curve->y[3] / 9, 648.3, 0.05);
    EXPECT_NEAR(shorter->units_per_s->curve->y[4] / 9, 593.8, 0.05) << "it falls";
}

// 100 requests of 500 tokens in and 101 out, 16 at a time, 2.6 s each, of which 0.1 s to the first token.
std::string run_with(std::string_view more) {
    return fmt::format(
        R"({{"model_id": "m/Llama-3.1-8B", "completed": 100, "total_input_tokens": 50000, "total_output_tokens": 10100, )"
        R"("request_throughput": 6, "output_throughput": 606, "median_ttft_ms": 100, {}}})",
        more);
}

TEST(VllmBench, ATimePerTokenThatTheLatencyContradictsIsMadeOfIt) {
    for (const std::string_view latency : {"mean_e2el_ms", "median_e2el_ms", "mean_e2e_latency_ms"}) {
        const std::string run = run_with(fmt::format(R"("max_concurrency": 16, "{}": 2600, "median_tpot_ms": 12.5)", latency));
        const Reading reading = read_set("vllm_bench", {{"a.json", run}}, kEightH200);
        ASSERT_EQ(reading.documents.size(), 1U) << latency;
        EXPECT_DOUBLE_EQ(std::get<model::Performance>(reading.documents.front()).itl_s->number, 0.025) << latency;
        EXPECT_TRUE(says(reading.report.warnings, 1, "a.json: the time per output token is 0.0125 s")) << latency;
    }
}

TEST(VllmBench, RunsByARateHaveTheirConcurrencyOfTheTimes) {
    const std::string run = run_with(R"("request_rate": 6, "mean_ttft_ms": 100, "mean_tpot_ms": 25, "median_tpot_ms": 25)");
    const Reading reading = read_set("vllm_bench", {{"a.json", run}}, kEightH200);
    ASSERT_EQ(reading.documents.size(), 1U) << (reading.error ? reading.error->message : "");
    EXPECT_EQ(std::get<model::Performance>(reading.documents.front()).batch, 16) << "6/s x (0.1 + 100 x 0.025) s = 15.6";
}

TEST(VllmBench, LinesOfJsonAreARunEach) {
    const std::string eight = run_with(R"("max_concurrency": 8, "median_tpot_ms": 12)");
    std::string sixteen = run_with(R"("max_concurrency": 16, "median_tpot_ms": 25)");
    sixteen.replace(sixteen.find("606"), 3, "999");
    const Reading reading = read_set("vllm_bench", {{"a.jsonl", eight + "\n\n" + sixteen + "\n{\"cut\n"}}, kEightH200);
    ASSERT_EQ(reading.documents.size(), 1U) << (reading.error ? reading.error->message : "");
    EXPECT_EQ(std::get<model::Performance>(reading.documents.front()).units_per_s->curve->x, (std::vector<double>{8, 16}));
    EXPECT_TRUE(says(reading.report.rejected, 4, "a.jsonl: it is not JSON"));
    EXPECT_TRUE(read_set("vllm_bench", {{"a.jsonl", "{\"cut\n{\"off\n"}}, kEightH200).error);
}

TEST(VllmBench, ABrokenRunIsRefused) {
    const std::string few = run_with(R"("max_concurrency": 16, "num_prompts": 105)");
    const std::string many = run_with(R"("max_concurrency": 16, "num_prompts": 106)");
    EXPECT_EQ(read_set("vllm_bench", {{"a.json", few}}, kEightH200).documents.size(), 1U);
    const Reading reading = read_set("vllm_bench", {{"a.json", many}}, kEightH200);
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->message, "a.json: 6 of 106 requests failed: the rate is of a broken run");
}

TEST(VllmBench, CasesOfRunsAreReadRight) {
    SKIP_WITHOUT_CASE("sglang.jsonl");
    const Reading lines = read_cases("vllm_bench", {"sglang.jsonl"}, {.device = "H100", .devices = "1", .model = "m"});
    ASSERT_EQ(lines.documents.size(), 1U) << (lines.error ? lines.error->message : "");
    const model::Curve& rates = *std::get<model::Performance>(lines.documents.front()).units_per_s->curve;
    EXPECT_EQ(rates.x, (std::vector<double>{16, 32}));
    EXPECT_NEAR(rates.y[0], 3276.8, 1e-6);
    EXPECT_NEAR(rates.y[1], 5461.3, 0.1);
    EXPECT_TRUE(read_cases("vllm_bench", {"vllm-mostly-failed.json"}, kEightH200).error);
}

} // namespace
} // namespace costcurve::imports
