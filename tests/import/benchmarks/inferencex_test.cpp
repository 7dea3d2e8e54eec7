// InferenceX runs: rates per GPU times GPUs, and runs of several numbers of requests as one curve.
#include <fmt/format.h>

#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

std::string run_of(int requests, double per_gpu, const std::string& more = R"("tp": 8, "disagg": false)") {
    return fmt::format(
        R"({{"hw": "mi355x", "conc": {}, "model": "maker/Model-K2", "infmax_model_prefix": "k2", "framework": "vllm", )"
        R"("precision": "int4", "spec_decoding": "mtp", "isl": 8192, "osl": 1024, "ep": 1, "dp_attention": "false", )"
        R"("tput_per_gpu": {}, "output_tput_per_gpu": {}, "median_tpot": {}, "median_itl": 9, {}}})",
        requests, per_gpu, per_gpu / 10, requests / 1000.0, more);
}

const std::string kInferencexId = "inferencex.k2.8192-1024.8x-mi355x.int4.vllm.mtp";

TEST(Inferencex, OneRunIsARateOfAllItsGpus) {
    const Reading reading = read_set("inferencex", {{"a.json", run_of(64, 250)}}, {.source = "a study"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = reading.find<model::Performance>(kInferencexId);
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->device.id, "amd.mi355x");
    EXPECT_EQ(performance->devices, 8);
    EXPECT_EQ(performance->batch, 64);
    EXPECT_DOUBLE_EQ(performance->units_per_s->number, 2000); // 250 a GPU x 8
    EXPECT_DOUBLE_EQ(performance->itl_s->number, 0.064);      // seconds already
    EXPECT_EQ(performance->precision, "int4");
    EXPECT_NE(performance->note.find("Tokens in and out together of all GPUs (tput_per_gpu x GPUs), of which out 200."),
              std::string::npos)
        << performance->note;
    EXPECT_EQ(performance->source, "a study InferenceX a.json");
}

TEST(Inferencex, RunsAreAMeasurementBeside) {
    std::string run = run_of(64, 250, R"("tp": 8, "disagg": false)");
    const Reading drafted = read_set("inferencex", {{"a.json", run}}, {});
    const auto* const doubted = drafted.find<model::Measurement>(kInferencexId);
    ASSERT_NE(doubted, nullptr);
    EXPECT_EQ(doubted->doubt, "speculative decoding: mtp");
    EXPECT_EQ(doubted->points.output_per_s, (std::vector<double>{200}));
    EXPECT_EQ(doubted->points.input, (std::vector<double>{8192}));
    EXPECT_EQ(doubted->points.output, (std::vector<double>{1024}));
    EXPECT_EQ(doubted->points.concurrency, (std::vector<double>{64}));
    EXPECT_EQ(doubted->precision, model::NumberFormat::int4);
    EXPECT_FALSE(doubted->parallel);
    const auto* const performance = drafted.find<model::Performance>(kInferencexId);
    EXPECT_EQ(performance->measurement, kInferencexId);
    EXPECT_EQ(performance->mix, (model::RequestMix{8192, 1024}));
    for (const auto& [from, to] : {std::pair<std::string, std::string>("\"mtp\"", "\"none\""), {"\"false\"", "\"true\""}}) {
        run.replace(run.find(from), from.size(), to);
    }
    const Reading apart = read_set("inferencex", {{"a.json", run}}, {});
    ASSERT_EQ(apart.count<model::Measurement>(), 1U);
    const auto& measurement = std::get<model::Measurement>(apart.documents.back());
    EXPECT_EQ(measurement.doubt, "");
    ASSERT_TRUE(measurement.parallel);
    EXPECT_EQ(measurement.parallel->dp, 8) << "attention is whole on each device";
}

TEST(Inferencex, RunsThatDifferInRequestsAloneBecomeACurve) {
    const Reading reading = read_set(
        "inferencex",
        {{"b.json", run_of(128, 400)}, {"a.json", run_of(64, 250)}, {"c.json", run_of(64, 260)}, {"d.json", run_of(128, 400)}});
    EXPECT_EQ(reading.documents.size(), 4U);
    const auto* const rates = reading.find<model::Curve>("throughput." + kInferencexId);
    ASSERT_NE(rates, nullptr);
    EXPECT_EQ(rates->x, (std::vector<double>{64, 128}));
    EXPECT_EQ(rates->y, (std::vector<double>{2080, 3200}));
    const auto* const performance = reading.find<model::Performance>(kInferencexId);
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->units_per_s->curve->id, rates->id);
    EXPECT_FALSE(performance->batch);
    EXPECT_EQ(reading.report.skipped, 1U);
    EXPECT_EQ(reading.report.warnings.count, 1U);
}

TEST(Inferencex, OtherWaysOfRunningAreOtherDocuments) {
    const std::string attention = R"("tp": 8, "dp_attention": "true")";
    std::string shared = run_of(64, 300, attention);
    shared.erase(shared.find(R"("dp_attention": "false", )"), 25);
    const Reading reading = read_set(
        "inferencex", {{"a.json", "[" + run_of(64, 250) + "," + shared + "]"},
                       {"b.json", run_of(64, 100, R"("tp": 4, "disagg": true, "num_prefill_gpu": 4, "num_decode_gpu": 12)")}});
    EXPECT_EQ(reading.count<model::Performance>(), 3U);
    EXPECT_NE(reading.find<model::Performance>(kInferencexId + ".dpa"), nullptr);
    EXPECT_NE(reading.find<model::Performance>("inferencex.k2.8192-1024.16x-mi355x.int4.vllm.mtp.disagg"), nullptr);
}

TEST(Inferencex, WhatCannotBeUsedIsNamed) {
    const Reading reading = read_set("inferencex", {{"a.json", run_of(64, 250)},
                                                    {"b.json", run_of(64, 250, R"("disagg": true)")},
                                                    {"c.json", run_of(0, 250)},
                                                    {"d.json", run_of(64, 0)},
                                                    {"e.json", R"({"hw": "z9"})"}});
    ASSERT_EQ(reading.report.rejected.count, 4U);
    EXPECT_EQ(reading.report.rejected.first[1].reason, "c.json: conc is not a whole number of requests");
    EXPECT_EQ(reading.report.rejected.first[2].reason, "d.json: tput_per_gpu is not a number above 0");
    EXPECT_EQ(reading.report.rejected.first[3].reason,
              "e.json: hw is \"z9\": no device of that name is known; give the option device");
    EXPECT_EQ(reading.count<model::Performance>(), 1U);
    EXPECT_TRUE(read_set("inferencex", {{"a.json", "{}"}}).error);
    EXPECT_TRUE(read_set("inferencex", {{"a.json", "[]"}}).error);
    EXPECT_TRUE(read_set("inferencex", {{"a.json", run_of(64, 250).substr(0, 50)}}).error);
}

// Of an Ironwood chip tp counts the two cores. Made up: 64 requests of 1000 tokens in 10 s are 6400 tokens/s, 1600 a chip of four;
// one copy of a single core that is said to have 12800 a chip was divided by half a chip, and has 1600 too.
std::string tpu_run(double per_gpu, const std::string& more, int requests = 64) {
    return fmt::format(R"({{"hw": "tpuv7", "conc": {}, "model": "maker/M1-FP8", "framework": "vllm", "precision": "fp8",)"
                       R"("isl": 900, "osl": 100, "mean_e2el": 10, "tput_per_gpu": {}, "output_tput_per_gpu": {}, {}}})",
                       requests, per_gpu, per_gpu / 10, more);
}

TEST(Inferencex, CoresOfTpusAreNotChips) {
    const Reading whole = read_set("inferencex", {{"a.json", tpu_run(1600, R"("tp": 8)")}});
    ASSERT_FALSE(whole.error) << whole.error->message;
    const auto* const one = whole.find<model::Performance>("inferencex.m1-fp8.900-100.4x-tpu-v7.fp8.vllm");
    ASSERT_NE(one, nullptr);
    EXPECT_EQ(one->devices, 4);
    EXPECT_EQ(one->model, "m1");
    EXPECT_DOUBLE_EQ(one->units_per_s->number, 6400);

    const Reading unsaid = read_set("inferencex", {{"a.json", tpu_run(12800, R"("tp": 1)")}});
    ASSERT_TRUE(unsaid.error);
    EXPECT_EQ(unsaid.error->message, "a.json: tp is 1 and counts cores, two a chip: give devices, the chips that its copies ran on "
                                     "together");
    for (const double per_gpu : {12800.0, 1600.0}) { // divided by half a chip, and by four
        const Reading said = read_set("inferencex", {{"a.json", tpu_run(per_gpu, R"("tp": 1)")}}, {.devices = "4"});
        const auto* const copies = said.find<model::Performance>("inferencex.m1-fp8.900-100.4x-tpu-v7.fp8.vllm.dp8");
        ASSERT_NE(copies, nullptr);
        EXPECT_EQ(copies->devices, 4);
        EXPECT_DOUBLE_EQ(copies->units_per_s->number, 6400);
        EXPECT_NE(copies->note.find("of which out 640."), std::string::npos) << copies->note;
    }
}

TEST(Inferencex, WhatIsUnclearOfTpusIsRefused) {
    const Reading reading = read_set("inferencex",
                                     {{"a.json", tpu_run(5000, R"("tp": 1)")},
                                      {"b.json", tpu_run(1600, R"("tp": 3)")},
                                      {"c.json", tpu_run(1600, R"("disagg": true, "num_prefill_gpu": 4, "num_decode_gpu": 4)")},
                                      {"d.json", tpu_run(1600, R"("tp": 1e9)")}},
                                     {.devices = "4"});
    ASSERT_EQ(reading.report.rejected.count, 4U);
    EXPECT_EQ(reading.report.rejected.first[0].reason,
              "a.json: 8 copies ran on 4 chips, and conc / mean_e2el does not tell by what tput_per_gpu was divided");
    EXPECT_EQ(reading.report.rejected.first[1].reason,
              "b.json: tp is 3 and counts cores, two a chip: devices is no whole number of copies of that");
    EXPECT_EQ(reading.documents.size(), 0U);
}

// A point of a chart's snapshot: requests of 900 and 100 tokens, the first after 0.1 s, each of the 99 others 0.1 s after it: 10 s.
std::string snapshot_run(const std::string& how, int requests, double per_gpu) {
    return fmt::format(R"({{"conc": {}, {}, "ep": 1, "chips": 4, "metrics": {{"tput_per_gpu": {}, "output_tput_per_gpu": {},)"
                       R"("mean_ttft": 0.1, "mean_tpot": 0.1, "median_tpot": 0.1, "mean_e2el": 10}}}})",
                       requests, how, per_gpu, per_gpu / 10);
}

TEST(Inferencex, ASnapshotOfAChartIsReadWithDeviceAndModel) {
    const std::string runs = "[" + snapshot_run(R"("tp": 8)", 64, 1600) + "," + snapshot_run(R"("tp": 8)", 128, 3200) + "," +
                             snapshot_run(R"("tp": 1)", 64, 1600) + "]";
    const Options given{.device = "tpu-v7", .model = "qwen3.5-397b-a17b"};
    const Reading reading = read_set("inferencex", {{"snapshot.json", runs}}, given);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rejected.count, 0U);
    const auto* const rates = reading.find<model::Curve>("throughput.inferencex.qwen3.5-397b-a17b.4x-tpu-v7");
    ASSERT_NE(rates, nullptr);
    EXPECT_EQ(rates->x, (std::vector<double>{64, 128}));
    EXPECT_EQ(rates->y, (std::vector<double>{6400, 12800}));
    const auto* const copies = reading.find<model::Performance>("inferencex.qwen3.5-397b-a17b.4x-tpu-v7.dp8");
    ASSERT_NE(copies, nullptr);
    EXPECT_DOUBLE_EQ(copies->units_per_s->number, 6400);
    EXPECT_EQ(copies->model, "qwen3.5-397b-a17b");

    EXPECT_EQ(read_set("inferencex", {{"snapshot.json", runs}}).error->message,
              "snapshot.json: hw is \"\": no device of that name is known; give the option device");
    EXPECT_EQ(read_set("inferencex", {{"snapshot.json", runs}}, {.device = "tpu-v7"}).error->message,
              "snapshot.json: the model is not in the file: give the option model");
    EXPECT_EQ(read_set("inferencex", {{"a.json", run_of(64, 250)}}, {.device = "H200"}).error->message,
              "a.json: hw is \"mi355x\", the option device nvidia.h200-sxm-141gb; leave out the option");
}

TEST(Inferencex, TheRealSweepOfATpuIsReadByTheChip) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("inferencex", {"inferencex-tpuv7/tpu-manual-sweep_3of6.json"}, {.devices = "4"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rejected.count, 0U);
    const auto* const rates = reading.find<model::Curve>("throughput.inferencex.qwen3.5.8192-1024.4x-tpu-v7.fp8.vllm");
    ASSERT_NE(rates, nullptr);
    EXPECT_EQ(rates->x, (std::vector<double>{16, 64}));
    EXPECT_NEAR(rates->y[1] / 4, 3705.8, 0.05);
    const auto* const copies = reading.find<model::Performance>("inferencex.qwen3.5.8192-1024.4x-tpu-v7.fp8.vllm.dp8");
    ASSERT_NE(copies, nullptr);
    EXPECT_EQ(copies->model, "qwen3.5-397b-a17b");
    EXPECT_NEAR(copies->units_per_s->number / 4, 3674.84, 0.005);
    EXPECT_NE(copies->note.find("of which out 1630.77"), std::string::npos) << copies->note; // 407.7 a chip
}

TEST(Inferencex, TheRealRunIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("inferencex", {"inferencex/agg_kimik2.5_8k1k_int4_vllm_tp8_conc64_mi355x.json"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = reading.find<model::Performance>("inferencex.kimik2.5.8192-1024.8x-mi355x.int4.vllm.mtp");
    ASSERT_NE(performance, nullptr);
    EXPECT_NEAR(performance->units_per_s->number, 234.47462632067425 * 8, 1e-9);
    EXPECT_EQ(performance->batch, 64);
    EXPECT_DOUBLE_EQ(performance->itl_s->number, 0.3016637719870209);
}

TEST(Inferencex, AllWaysOfParallelismCountDevices) {
    const Reading reading = read_set("inferencex", {{"a.json", run_of(64, 500, R"("tp": 4, "pp": 2, "pcp_size": 1)")},
                                                    {"b.json", run_of(64, 500, R"("tp": 4, "pp": 2, "pcp_size": 2)")},
                                                    {"c.json", run_of(64, 500, R"("tp": 4, "pp": 1.5)")}});
    const auto* const eight = reading.find<model::Performance>("inferencex.k2.8192-1024.8x-mi355x.int4.vllm.mtp");
    ASSERT_NE(eight, nullptr);
    EXPECT_EQ(eight->devices, 8);
    EXPECT_DOUBLE_EQ(eight->units_per_s->number, 4000);
    const auto* const sixteen = reading.find<model::Performance>("inferencex.k2.8192-1024.16x-mi355x.int4.vllm.mtp");
    ASSERT_NE(sixteen, nullptr);
    EXPECT_DOUBLE_EQ(sixteen->units_per_s->number, 8000);
    EXPECT_TRUE(says(reading.report.rejected, 3, "how many GPUs it ran on is not known")) << "of c.json: 6 GPUs are not 4 x 1.5";
}

TEST(Inferencex, PrefillAndDecodeOnTwoKindsOfDeviceAreRefused) {
    const std::string apart =
        R"("disagg": true, "num_prefill_gpu": 4, "num_decode_gpu": 12, "prefill_hw": "{}", "decode_hw": "{}")";
    const Reading reading =
        read_set("inferencex", {{"a.json", run_of(64, 100, fmt::format(fmt::runtime(apart), "h200", "mi355x"))},
                                {"b.json", run_of(64, 100, fmt::format(fmt::runtime(apart), "mi355x", "mi355x"))}});
    EXPECT_TRUE(says(reading.report.rejected, 1, R"(prefill_hw is "h200", hw "mi355x": a performance is of one kind of device)"));
    EXPECT_EQ(reading.count<model::Performance>(), 1U);
}

TEST(Inferencex, OutputOfDisaggregatedRunsIsThatOfTheDecodeGpus) {
    const Reading reading =
        read_set("inferencex", {{"a.json", run_of(64, 900, R"("disagg": true, "num_prefill_gpu": 8, "num_decode_gpu": 1)")}});
    ASSERT_EQ(reading.count<model::Performance>(), 1U);
    const auto& performance = std::get<model::Performance>(reading.documents.front());
    // 90 a GPU: of 8,100 tokens/s a ninth are out, 900, so that 9 GPUs come nearer than one
    EXPECT_NE(performance.note.find("of which out 810"), std::string::npos) << performance.note;
}

TEST(Inferencex, CasesOfDevicesAreCountedRight) {
    SKIP_WITHOUT_CASE("inferencex-pp.json");
    const Reading pipeline = read_cases("inferencex", {"inferencex-pp.json"});
    ASSERT_EQ(pipeline.count<model::Performance>(), 1U);
    EXPECT_EQ(std::get<model::Performance>(pipeline.documents.front()).devices, 8);
    EXPECT_DOUBLE_EQ(std::get<model::Performance>(pipeline.documents.front()).units_per_s->number, 4000);
    const Reading apart = read_cases("inferencex", {"inferencex-disagg-out.json"});
    ASSERT_EQ(apart.count<model::Performance>(), 1U);
    const auto& performance = std::get<model::Performance>(apart.documents.front());
    EXPECT_DOUBLE_EQ(performance.units_per_s->number, 80180);
    EXPECT_NE(performance.note.find("of which out 8908.89"), std::string::npos) << performance.note;
}

} // namespace
} // namespace costcurve::imports
