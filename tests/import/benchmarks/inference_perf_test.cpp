// inference-perf: stages of load become points at the mean number of requests at a time, by what was answered.
#include <fmt/format.h>

#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kOneH100{.device = "H100", .devices = "1", .model = "llama-3.1-8b"};

// 100 tokens in and 50 out, 2 s a request, of which 1000 answered in `seconds`.
std::string stage_of(double requested, double answered_per_s, const std::string& failures = R"({"count": 0})") {
    return fmt::format(
        R"({{"load_summary": {{"requested_rate": {}, "achieved_rate": {}}}, "successes": {{"count": 1000, "latency": )"
        R"({{"request_latency": {{"mean": 2.0}}, "time_per_output_token": {{"median": 0.04}}, "time_to_first_token": )"
        R"({{"median": 0.1}}}}, "throughput": {{"requests_per_sec": {}, "output_tokens_per_sec": {}}}, )"
        R"("prompt_len": {{"mean": 100}}, "output_len": {{"mean": 50}}}}, "failures": {}}})",
        requested, answered_per_s * 1.1, answered_per_s, answered_per_s * 50, failures);
}

TEST(InferencePerf, StagesAreACurveOfWhatWasAnswered) {
    const Reading reading = read_set("inference_perf",
                                     {{"stage_1_lifecycle_metrics.json", stage_of(40, 10)},
                                      {"stage_0_lifecycle_metrics.json", stage_of(4, 4)},
                                      {"summary_lifecycle_metrics.json", stage_of(99, 99)},
                                      {"stage_1_prometheus_metrics.json", "{}"},
                                      {"manifests.yaml", "kind: Deployment"}},
                                     kOneH100);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.skipped, 3U);
    ASSERT_EQ(reading.documents.size(), 1U);
    const auto* const performance = reading.find<model::Performance>("inference-perf.llama-3.1-8b.100-50.1x-h100-sxm5-80gb");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->device.id, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(performance->model, "llama-3.1-8b");
    ASSERT_TRUE(performance->units_per_s->curve);
    EXPECT_EQ(performance->units_per_s->curve->x, (std::vector<double>{8, 20})) << "Little: 4/s x 2 s, 10/s x 2 s";
    EXPECT_EQ(performance->units_per_s->curve->y, (std::vector<double>{600, 1500})) << "4/s x 150 tokens, not 40/s";
    EXPECT_EQ(performance->itl_s->curve->y, (std::vector<double>{0.04, 0.04}));
    EXPECT_EQ(performance->ttft_s->curve->y, (std::vector<double>{0.1, 0.1}));
    EXPECT_EQ(performance->latency_percentile, 50.0);
    EXPECT_NE(performance->note.find("200 at 8, 500 at 20"), std::string::npos) << performance->note;
}

TEST(InferencePerf, FailuresAreToldAndIdleStagesLeftOut) {
    const Reading reading = read_set("inference_perf",
                                     {{"stage_0_lifecycle_metrics.json", stage_of(0.4, 0.4)},
                                      {"stage_1_lifecycle_metrics.json", stage_of(40, 10, R"({"count": 3})")},
                                      {"stage_2_lifecycle_metrics.json", R"({"successes": {"count": 0}})"}},
                                     kOneH100);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_TRUE(says(reading.report.rejected, 1, "0.8 requests ran at a time: the machine was idle part of the time"));
    EXPECT_TRUE(says(reading.report.warnings, 2, "stage_1_lifecycle_metrics.json: 3 requests failed and are not counted"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "it is no report of a stage"));
    const auto* const performance = reading.find<model::Performance>("inference-perf.llama-3.1-8b.100-50.1x-h100-sxm5-80gb");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->batch, 20);
    EXPECT_DOUBLE_EQ(performance->units_per_s->number, 1500);
}

TEST(InferencePerf, TheModelIsTheOptionsOrTheConfigurations) {
    const NamedText config{"config.yaml", "server:\n  model_name: meta-llama/Llama-3.1-8B-Instruct\n  type: vllm\n"};
    const NamedText stage{"stage_1_lifecycle_metrics.json", stage_of(40, 10)};
    const Reading said = read_set("inference_perf", {config, stage}, {.device = "H100", .devices = "2", .id = "ours"});
    ASSERT_FALSE(said.error) << said.error->message;
    EXPECT_NE(said.find<model::Performance>("ours.llama-3.1-8b.100-50.2x-h100-sxm5-80gb.vllm"), nullptr);
    const Reading unsaid = read_set("inference_perf", {stage}, {.device = "H100", .devices = "2"});
    ASSERT_TRUE(unsaid.error);
    EXPECT_EQ(unsaid.error->message, "stage_1_lifecycle_metrics.json: the model is not in the file: give the option model");
    EXPECT_TRUE(read_set("inference_perf", {{"stage_1_lifecycle_metrics.json", "{"}}, kOneH100).error);
    EXPECT_TRUE(read_set("inference_perf", {{"summary_lifecycle_metrics.json", stage_of(4, 4)}}, kOneH100).error);
}

TEST(InferencePerf, RealStagesAreRead) {
    const Reading reading = read_fixtures(
        "inference_perf", {"inference_perf_stage_0.json", "inference_perf_stage_3.json", "inference_perf_stage_6.json"}, kOneH100);
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.count<model::Performance>(), 1U);
    const auto& performance = std::get<model::Performance>(reading.documents.front());
    EXPECT_NEAR(performance.units_per_s->curve->y[1], 27469.3, 5);     // input and output tokens/s of the file
    EXPECT_NE(performance.note.find("6431.06 at"), std::string::npos); // SOURCES.md: 6431 output tokens/s
    EXPECT_TRUE(says(reading.report.rejected, 1, "0.489 requests ran at a time"));
}

TEST(InferencePerf, TheRealRunsSaturateWhereTheyDo) {
    SKIP_WITHOUT_SHARED();
    struct Row {
        std::string folder;
        std::string output; // SOURCES.md, tokens/s
    };
    for (const Row& row : {Row{"vllm", "6431.06 at"}, Row{"vllm+quantization", "10797.9 at"}, Row{"vllm+eagle", "4277.61 at"}}) {
        std::vector<std::string> files = {"inference-perf/config.yaml", "inference-perf/" + row.folder + "/manifests.yaml",
                                          "inference-perf/" + row.folder + "/summary_lifecycle_metrics.json",
                                          "inference-perf/" + row.folder + "/stage_3_prometheus_metrics.json"};
        for (int stage = 0; stage < 7; ++stage) {
            files.push_back(fmt::format("inference-perf/{}/stage_{}_lifecycle_metrics.json", row.folder, stage));
        }
        const Reading reading = read_shared("inference_perf", files, kOneH100);
        ASSERT_FALSE(reading.error) << reading.error->message;
        ASSERT_EQ(reading.documents.size(), 1U);
        const auto& performance = std::get<model::Performance>(reading.documents.front());
        EXPECT_EQ(performance.framework, "vllm");
        EXPECT_EQ(performance.model, "llama-3.1-8b") << "the configuration names another";
        const model::Curve& rates = *performance.units_per_s->curve;
        EXPECT_EQ(rates.x.size(), 6U) << "a stage of one request a second leaves the machine idle";
        EXPECT_NE(performance.note.find(row.output), std::string::npos) << performance.note;
    }
}

// A stage of 50 requests/s, 500 tokens in and 101 out, 2.6 s a request and 0.1 s to its first token.
std::string stage_with_token_time(double token_s, const std::string& counts = "") {
    const auto time = [](double seconds) { return fmt::format(R"({{"mean": {}, "median": {}}})", seconds, seconds); };
    return fmt::format(R"({{"successes": {{"count": 3000, "latency": {{"request_latency": {}, "time_per_output_token": {}, )"
                       R"("time_to_first_token": {}}}, "throughput": {{"requests_per_sec": 50, "output_tokens_per_sec": 5050}}, )"
                       R"("prompt_len": {{"mean": 500}}, "output_len": {{"mean": 101}}{}}}, "failures": {{"count": 0}}}})",
                       time(2.6), time(token_s), time(0.1), counts);
}

TEST(InferencePerf, ATimePerTokenOfChunksIsMadeOfTheLatency) {
    for (const double wrong : {0.0125, 0.05}) {
        const Reading reading = read_set("inference_perf", {{"stage_0.json", stage_with_token_time(wrong)}}, kOneH100);
        ASSERT_EQ(reading.documents.size(), 1U);
        const auto& performance = std::get<model::Performance>(reading.documents.front());
        EXPECT_DOUBLE_EQ(performance.itl_s->number, 0.025) << "(2.6 - 0.1) / (101 - 1)";
        EXPECT_TRUE(says(reading.report.warnings, 1, "which is 0.025 s a token: 0.025 s is used"));
    }
    for (const double right : {0.022, 0.025, 0.03}) {
        const Reading reading = read_set("inference_perf", {{"stage_0.json", stage_with_token_time(right)}}, kOneH100);
        EXPECT_DOUBLE_EQ(std::get<model::Performance>(reading.documents.front()).itl_s->number, right);
        EXPECT_EQ(reading.report.warnings.count, 0U);
    }
}

TEST(InferencePerf, TheServersCountOfTokensBeatsTheClients) {
    const std::string counts = R"(, "output_tokens": {"total": 153000}, "prompt_tokens": {"total": 1500000})";
    const Reading reading = read_set("inference_perf", {{"stage_0.json", stage_with_token_time(0.025, counts)}}, kOneH100);
    ASSERT_EQ(reading.documents.size(), 1U);
    const auto& performance = std::get<model::Performance>(reading.documents.front());
    EXPECT_DOUBLE_EQ(performance.units_per_s->number, 50 * (500 + 51)) << "153,000 / 3,000 = 51 tokens out";
    EXPECT_DOUBLE_EQ(performance.itl_s->number, 0.05) << "2.5 s / 50";
    EXPECT_TRUE(says(reading.report.warnings, 1, "the client counted 101 tokens out a request, the server 51, which is used"));
}

TEST(InferencePerf, CasesOfContradictionAreReadRight) {
    SKIP_WITHOUT_CASE("latency-contradicts.inference_perf.json");
    const Reading latency = read_cases("inference_perf", {"latency-contradicts.inference_perf.json"}, kOneH100);
    ASSERT_EQ(latency.documents.size(), 1U);
    EXPECT_NEAR(std::get<model::Performance>(latency.documents.front()).itl_s->number, 0.025, 1e-12);
    EXPECT_EQ(latency.report.warnings.count, 1U);
    const Reading counts = read_cases("inference_perf", {"server-counts.inference_perf.json"}, kOneH100);
    ASSERT_EQ(counts.documents.size(), 1U);
    const auto& performance = std::get<model::Performance>(counts.documents.front());
    EXPECT_NEAR(performance.units_per_s->number, 9216, 1e-6);
    EXPECT_NEAR(performance.itl_s->number, 79.8 / 8191, 1e-9);
}

} // namespace
} // namespace costcurve::imports
