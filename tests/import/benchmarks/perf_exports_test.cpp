// GenAI-Perf and AIPerf: JSON, CSV of two tables, analyses and records of requests.
#include <fmt/format.h>

#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kPerfOptions{.device = "H100", .devices = "2", .model = "llama-3.1-8b"};
const std::string kPerfId = "llama-3.1-8b.550-16.2x-h100-sxm5-80gb";

// As GenAI-Perf and AIPerf write them: a table of distributions, one of single values. 27.8/s x 0.0719 s are 2 at a time.
const std::string kPerfCsv = "Metric,avg,min,max,p99,p50\r\n"
                             "Time To First Token (ms),11.59,6.38,43.23,41.11,10\r\n"
                             "Request Latency (ms),\"71.94\",64.63,103.02,\"1,102.05\",70\r\n"
                             "Inter Token Latency (ms),4.03,3.88,4.39,4.37,4\r\n"
                             "Output Sequence Length (tokens),16,15,16,16,16\r\n"
                             "Input Sequence Length (tokens),550,550,550,550,550\r\n"
                             "\r\n"
                             "Metric,Value\r\n"
                             "Output Token Throughput (tokens/sec),\"444.80\"\r\n"
                             "Request Throughput (per sec),27.80\r\n"
                             "Request Count (count),20\r\n";

TEST(PerfExports, OfTwoTablesAreOneRun) {
    for (const std::string_view format : {"genai_perf", "aiperf"}) {
        const Reading reading = read_set(format, {{"profile.csv", kPerfCsv}}, kPerfOptions);
        ASSERT_FALSE(reading.error) << reading.error->message;
        const std::string tool = format == "genai_perf" ? "genai-perf." : "aiperf.";
        const auto* const performance = reading.find<model::Performance>(tool + kPerfId);
        ASSERT_NE(performance, nullptr);
        EXPECT_EQ(performance->batch, 2);
        EXPECT_DOUBLE_EQ(performance->units_per_s->number, 444.8 + 27.8 * 550);
        EXPECT_DOUBLE_EQ(performance->ttft_s->number, 0.01);
        EXPECT_DOUBLE_EQ(performance->itl_s->number, 0.004);
        EXPECT_EQ(performance->latency_percentile, 50.0);
    }
}

std::string perf_json(int concurrency, double requests_per_s, const std::string& more = "") {
    const std::string times = R"("request_latency": {"unit": "ms", "avg": 1100},
        "time_to_first_token": {"unit": "ms", "avg": 120, "p50": 100, "p99": 300},
        "inter_token_latency": {"unit": "us", "p50": 20000},
        "output_sequence_length": {"unit": "tokens", "avg": 50}, "input_sequence_length": {"unit": "tokens", "avg": 100}, )";
    return "{" + times + more +
           fmt::format(R"("request_throughput": {{"unit": "requests/sec", "avg": {}}}, "output_token_throughput": )"
                       R"({{"unit": "tokens/sec", "avg": {}}}, )"
                       R"("input_config": {{"endpoint": {{"model_names": ["meta-llama/Llama-3.1-8B-Instruct"]}}, )"
                       R"("loadgen": {{"concurrency": {}, "request_rate": null}}}}}})",
                       requests_per_s, requests_per_s * 50, concurrency);
}

TEST(PerfExports, InJsonSayTheirConcurrencyAndModel) {
    const Reading reading = read_set(
        "aiperf",
        {{"a.json", perf_json(8, 4)}, {"b.json", perf_json(16, 6, R"("error_request_count": {"unit": "requests", "avg": 2},)")}},
        {.device = "H100", .devices = "1"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = reading.find<model::Performance>("aiperf.llama-3.1-8b.100-50.1x-h100-sxm5-80gb");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->units_per_s->curve->x, (std::vector<double>{8, 16}));
    EXPECT_EQ(performance->units_per_s->curve->y, (std::vector<double>{600, 900}));
    EXPECT_EQ(performance->itl_s->curve->y, (std::vector<double>{0.02, 0.02})) << "microseconds";
    EXPECT_EQ(performance->ttft_s->curve->y, (std::vector<double>{0.1, 0.1}));
    EXPECT_TRUE(says(reading.report.warnings, 2, "b.json: 2 requests failed"));
    const Reading unit = read_set("aiperf", {{"a.json", R"({"request_throughput": {"unit": "requests/sec", "avg": 1},
        "output_token_throughput": {"unit": "tokens/sec", "avg": 9}, "request_latency": {"unit": "parsec", "avg": 1}})"}},
                                  kPerfOptions);
    ASSERT_TRUE(unit.error);
    EXPECT_EQ(unit.error->message, "a.json: request_latency is in \"parsec\"; ns, us, ms or s is needed");
}

TEST(PerfExports, OfABrokenRunAreRefused) {
    const auto message = [](const std::string& more) {
        const Reading reading = read_set("aiperf", {{"a.json", perf_json(64, 4, more)}}, kPerfOptions);
        return reading.error ? reading.error->message : "";
    };
    EXPECT_EQ(message(R"("was_cancelled": false, )"), "");
    EXPECT_EQ(message(R"("was_cancelled": true, )"), "a.json: the run was cancelled before its end");
    const std::string failed = R"("error_request_count": {"unit": "requests", "avg": 94}, )";
    EXPECT_EQ(message(R"("request_count": {"unit": "requests", "avg": 6}, )" + failed),
              "a.json: 94 of 100 requests failed: the rate is of a broken run");
    EXPECT_EQ(message(R"("request_count": {"unit": "requests", "avg": 6000}, )" + failed), "");
}

TEST(PerfExports, OfAnAnalysisHaveARunARow) {
    const Reading reading = read_fixture("genai_perf", "genai_perf_analyze.csv", {.device = "L4", .devices = "1", .model = "gpt2"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 6U);
    EXPECT_EQ(reading.report.skipped, 3U) << "the table of the GPUs";
    const auto* const performance = reading.find<model::Performance>("genai-perf.gpt2.201-113.1x-l4");
    ASSERT_NE(performance, nullptr) << std::get<model::Performance>(reading.documents.at(0)).id;
    EXPECT_EQ(performance->batch, 1);
    EXPECT_NEAR(performance->units_per_s->number, 149.63 + 1.32 * 201, 1e-9) << "the fastest of three with one request at a time";
    EXPECT_EQ(performance->latency_percentile, 99.0);
    EXPECT_DOUBLE_EQ(performance->ttft_s->number, 0.03354);
    EXPECT_TRUE(says(reading.report.warnings, 0, "Avg. GPU Power Limit (W) (3)"));
}

std::string perf_record(long long start_ms, long long end_ms, const std::string& more = R"("error": null)") {
    return fmt::format(
               R"({{"metadata": {{"request_start_ns": 1759813207{:03}000000, "request_end_ns": 1759813207{:03}000000, )"
               R"("benchmark_phase": "profiling", "was_cancelled": false}}, "metrics": {{"input_sequence_length": {{"value": 100, )"
               R"("unit": "tokens"}}, "output_sequence_length": {{"value": 50, "unit": "tokens"}}, "time_to_first_token": )"
               R"({{"value": {}, "unit": "ms"}}}}, {}}})",
               start_ms, end_ms, (end_ms - start_ms) / 10, more) +
           "\n";
}

TEST(PerfExports, RecordsAreARunOfWhatWasAnswered) {
    const std::string answered = perf_record(0, 400) + perf_record(0, 500) + perf_record(400, 500);
    const std::string failed = perf_record(100, 900, R"("error": {"code": 500})");
    const Reading broken = read_set("aiperf", {{"profile_export.jsonl", answered + failed}}, kPerfOptions);
    ASSERT_TRUE(broken.error);
    EXPECT_EQ(broken.error->message, "profile_export.jsonl: 1 of 4 requests failed: the rate is of a broken run");
    const std::string lines = answered + "{\"metadata\": 7}\n";
    const Reading reading = read_set("aiperf", {{"profile_export.jsonl", lines}}, kPerfOptions);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = reading.find<model::Performance>("aiperf.llama-3.1-8b.100-50.2x-h100-sxm5-80gb");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->batch, 2) << "1 s of requests in 0.5 s";
    EXPECT_NEAR(performance->units_per_s->number, 900, 1e-6) << "450 tokens in 0.5 s";
    EXPECT_NEAR(performance->ttft_s->number, 0.04, 1e-12);
    EXPECT_FALSE(performance->itl_s);
    EXPECT_TRUE(says(reading.report.rejected, 4, "it is no record"));
}

TEST(PerfExports, ARecordsFigureThatIsThereTwiceIsNotKnown) {
    const Reading both = read_fixtures("aiperf", {"aiperf_record_1.json", "aiperf_record_2.json"}, kPerfOptions);
    ASSERT_TRUE(both.error) << "one of the two was cancelled";
    EXPECT_EQ(both.error->message, "aiperf_record_1.json: 1 of 2 requests failed: the rate is of a broken run");
    const Reading reading = read_fixture("aiperf", "aiperf_record_1.json", kPerfOptions);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = reading.find<model::Performance>("aiperf.llama-3.1-8b.550-9.2x-h100-sxm5-80gb");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->batch, 1);
    EXPECT_NEAR(performance->units_per_s->number, 559 / 0.305864241, 1e-6);
    EXPECT_FALSE(performance->ttft_s) << "255.9 and 4.9 ms";
    EXPECT_DOUBLE_EQ(performance->itl_s->number, 0.0052048325);
}

TEST(PerfExports, OfAnotherKindAreRefused) {
    EXPECT_EQ(
        read_set("genai_perf", {{"console.txt", "NVIDIA GenAI-Perf | LLM Metrics\n┃ Statistic ┃ avg ┃\n"}}, kPerfOptions)
            .error->message,
        "console.txt: it has no table whose first column is Metric or Config Name: the JSON or CSV of an export is needed, not "
        "what is printed");
    for (const std::string& text : {std::string(), std::string("{}"), std::string("[]"), std::string("{"),
                                    std::string("Metric,avg\n"), perf_record(0, 400, R"("error": {"code": 500})")}) {
        EXPECT_TRUE(read_set("aiperf", {{"a", text}}, kPerfOptions).error) << text;
    }
}

TEST(PerfExports, TheRealTablesOfTheConsoleAreRefused) {
    SKIP_WITHOUT_SHARED();
    for (const std::string tool : {"genai", "ai"}) {
        const std::string file = (tool == "genai" ? "genai-perf" : "aiperf") + std::string("/console_llm_metrics.txt");
        EXPECT_TRUE(read_shared(tool + (tool == "genai" ? "_perf" : "perf"), {file}, kPerfOptions).error) << file;
    }
}

} // namespace
} // namespace costcurve::imports
