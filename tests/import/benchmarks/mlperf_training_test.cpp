// MLPerf training logs: time to train, samples, score, and which system they are of.
#include <fmt/format.h>

#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

struct LogFacts {
    double minutes = 10.0;
    std::string progress = R"("samples_count": 3000)";
    std::string platform = "1xMI300X";
    std::string status = "success";
    std::string org = "AMD";
};

std::string event(double time_ms, const std::string& key, const std::string& value, const std::string& metadata = "") {
    return fmt::format(R"(:::MLLOG {{"namespace": "", "time_ms": {:.0f}, "event_type": "X", "key": "{}", "value": {}, )"
                       R"("metadata": {{"file": "a.py", "lineno": 1{}{}}}}})"
                       "\n",
                       time_ms, key, value, metadata.empty() ? "" : ", ", metadata);
}

// A log of 1000 samples an epoch.
std::string log_of(const LogFacts& facts) {
    const double start = 1759967874535 + facts.minutes;
    return "starting\n" + event(start - 9000, "submission_benchmark", "\"llama2_70b_lora\"") +
           event(start - 9000, "submission_org", '"' + facts.org + '"') +
           event(start - 9000, "submission_platform", '"' + facts.platform + '"') +
           event(start - 8000, "train_samples", "1000", "\"epoch_num\": 0.0") + event(start, "run_start", "null") +
           event(start + facts.minutes * 60000, "run_stop", "null", "\"status\": \"" + facts.status + "\", " + facts.progress);
}

std::vector<NamedText> set_of(const std::vector<LogFacts>& logs) {
    std::vector<NamedText> files;
    for (const LogFacts& facts : logs) {
        files.push_back({fmt::format("result_{}.txt", files.size()), log_of(facts)});
    }
    return files;
}

constexpr std::string_view kSystem = R"({"submitter": "AMD", "system_name": "S", "number_of_nodes": "2",
    "accelerators_per_node": "8", "accelerator_model_name": "AMD Instinct MI300X 192GB HBM3",
    "accelerator_memory_capacity": "192 GB",
    "framework": "PyTorch 2.8.0, ROCm 7.0"})";

std::vector<NamedText> with(std::vector<NamedText> files, const std::string& name, std::string_view text) {
    files.push_back({name, std::string(text)});
    return files;
}

const model::Performance* only(const Reading& reading) {
    EXPECT_EQ(reading.documents.size(), 1U);
    return reading.documents.empty() ? nullptr : std::get_if<model::Performance>(&reading.documents.front());
}

TEST(MlperfTraining, RateIsSamplesOverTimeWithoutFastestAndSlowest) {
    // Fastest 5 and slowest 20 minutes go: 3000 samples each in 10, 11 and 12 minutes, 9000 / 1980 s.
    const Reading reading = read_set(
        "mlperf_training",
        with(with(set_of({{12}, {5}, {10}, {20}, {11}}), "system.json", kSystem), "scaling.json", R"({"scaling_factor": 1.5})"),
        {.source = "a study"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = only(reading);
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->id, "mlperf-training.llama2_70b_lora.16x-mi300x.amd.1xmi300x");
    EXPECT_EQ(performance->device.id, "amd.mi300x");
    EXPECT_EQ(performance->devices, 16); // "2" nodes of "8": the numbers are texts
    EXPECT_EQ(performance->framework, "pytorch");
    EXPECT_NEAR(performance->units_per_s->number, 9000.0 / 1980.0, 1e-9);
    EXPECT_EQ(performance->source, "a study AMD 1xMI300X llama2_70b_lora, 5 logs");
    EXPECT_NE(performance->note.find("Score 16.5 minutes: the mean time to train, 11.000, times the scaling factor 1.5"),
              std::string::npos);
    EXPECT_NE(performance->note.find("An epoch has 1000 samples; the runs saw 3 to 3 epochs."), std::string::npos);
    EXPECT_EQ(reading.report.rows, 5U);
}

TEST(MlperfTraining, ARunMayStopBeforeAnEpochIsOver) {
    const std::string part = "\"epoch_num\": 0.75"; // of 1000 samples: 750 in 600 s
    const Reading reading = read_set("mlperf_training", set_of({{10, part}, {10.001, part}, {10.002, part}}),
                                     {.device = "mi300x", .devices = "8", .id = "training.dlrm"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = only(reading);
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->id, "training.dlrm");
    EXPECT_NEAR(performance->units_per_s->number, 750.0 / 600.06, 1e-9);
}

TEST(MlperfTraining, AFailedRunIsLeftOutSaidAndTheSlowest) {
    LogFacts failed{99};
    failed.status = "aborted";
    const Reading reading = read_set("mlperf_training", set_of({{12}, failed, {5}, {10}}), {.device = "MI300X", .devices = "8"});
    ASSERT_FALSE(reading.error);
    ASSERT_EQ(reading.report.rejected.count, 1U);
    EXPECT_EQ(reading.report.rejected.first[0].row, 2U);
    EXPECT_EQ(reading.report.rejected.first[0].reason,
              "result_1.txt: its status is aborted: the run reached no target and is left out");
    const auto* const performance = only(reading);
    ASSERT_NE(performance, nullptr); // 5 minutes goes as the fastest: 10 and 12 are left
    EXPECT_NEAR(performance->units_per_s->number, 6000.0 / 1320.0, 1e-9);
    EXPECT_NE(performance->note.find("1 more failed and is left out"), std::string::npos);
}

TEST(MlperfTraining, TooFewRunsHaveARateAndNoScore) {
    const Reading reading = read_set("mlperf_training", set_of({{10}}), {.device = "MI300X", .devices = "8"});
    const auto* const performance = only(reading);
    ASSERT_NE(performance, nullptr);
    EXPECT_NEAR(performance->units_per_s->number, 5.0, 1e-9);
    EXPECT_NE(performance->note.find("Too few runs succeeded for a score."), std::string::npos);
}

TEST(MlperfTraining, ALogWhoseSubmitterIsNotFilledInIsOfTheSystemBesideIt) {
    LogFacts facts;
    facts.org = "SUBMISSION_ORG_PLACEHOLDER";
    facts.platform = "SUBMISSION_PLATFORM_PLACEHOLDER";
    const Reading reading = read_set("mlperf_training", with(set_of({facts}), "hpf_n16.json", kSystem));
    ASSERT_FALSE(reading.error);
    const auto* const performance = only(reading);
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->device.id, "amd.mi300x");
    EXPECT_EQ(performance->devices, 16);
    const Reading two = read_set("mlperf_training", with(with(set_of({facts}), "hpf_n16.json", kSystem), "hpf_n32.json", kSystem));
    EXPECT_EQ(two.documents.size(), 0U) << "which of the two is not known";
}

TEST(MlperfTraining, AnOptionThatContradictsTheSystemIsRefused) {
    const auto files = with(set_of({{10}}), "system.json", kSystem);
    for (const Options& options : {Options{.device = "H200"}, Options{.devices = "8"}}) {
        const Reading reading = read_set("mlperf_training", files, options);
        EXPECT_EQ(reading.documents.size(), 0U);
        ASSERT_EQ(reading.report.rejected.count, 1U);
        EXPECT_NE(reading.report.rejected.first[0].reason.find("system.json says 16 x amd.mi300x, the options "), std::string::npos)
            << reading.report.rejected.first[0].reason;
    }
    EXPECT_EQ(read_set("mlperf_training", files, {.device = "MI300X", .devices = "16"}).documents.size(), 1U);
}

TEST(MlperfTraining, LogsAloneTakeNodesAndChipFromThePlatform) {
    LogFacts facts;
    facts.platform = "2xXE9680Lx8B200-SXM-180GB";
    facts.org = "Dell";
    const Reading reading = read_set("mlperf_training", set_of({facts}));
    ASSERT_FALSE(reading.error);
    const auto* const performance = only(reading);
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->device.id, "nvidia.b200-sxm-180gb");
    EXPECT_EQ(performance->devices, 16);
}

TEST(MlperfTraining, APlatformWithoutANumberOfDevicesNeedsIt) {
    const Reading refused = read_set("mlperf_training", set_of({{10}}));
    ASSERT_FALSE(refused.error);
    EXPECT_TRUE(refused.documents.empty());
    ASSERT_EQ(refused.report.rejected.count, 1U);
    EXPECT_NE(refused.report.rejected.first[0].reason.find("give the system's JSON of this set alone, or device and devices"),
              std::string::npos);
    const Reading told = read_set("mlperf_training", set_of({{10}}), {.devices = "8"});
    const auto* const performance = only(told);
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->device.id, "amd.mi300x");
}

TEST(MlperfTraining, SeveralSetsInOneCallKeepApart) {
    LogFacts dell{20};
    dell.org = "Dell";
    dell.platform = "1xXE9680Lx8B200-SXM-180GB";
    const Reading reading = read_set(
        "mlperf_training", with(with(set_of({{10}, dell}), "system.json", kSystem), "scaling.json", R"({"scaling_factor": 1.5})"));
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.count<model::Performance>(), 2U);
    ASSERT_EQ(reading.report.warnings.count, 2U); // whose scaling.json it is can't be told
    EXPECT_NE(reading.find<model::Performance>("mlperf-training.llama2_70b_lora.16x-mi300x.amd.1xmi300x"), nullptr);
}

TEST(MlperfTraining, TruncatedLogsAndOtherFilesAreNamed) {
    std::vector<NamedText> files = set_of({{10}, {11}});
    files[1].text = files[1].text.substr(0, files[1].text.rfind(":::MLLOG") + 40);
    const Reading reading =
        read_set("mlperf_training", with(with(files, "readme.md", "# Results"), "other.json", "{}"), {.devices = "8"});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.documents.size(), 1U);
    ASSERT_EQ(reading.report.rejected.count, 3U);
    EXPECT_EQ(reading.report.rejected.first[0].reason, "result_1.txt: it has no run_stop: it is truncated, or the run never ended");
    EXPECT_EQ(reading.report.rejected.first[1].reason, "readme.md: it is neither a log with :::MLLOG lines nor JSON");
    EXPECT_EQ(reading.report.warnings.first[0].reason, "result_1.txt: 1 :::MLLOG lines are no JSON and were left out");
}

TEST(MlperfTraining, EpochNumbersThatCountSamplesAreNotUsed) {
    const Reading reading = read_set("mlperf_training", set_of({{10, "\"epoch_num\": 2500000"}}), {.devices = "8"});
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->message, "no log has a run that succeeded: result_0.txt: epoch_num is 2500000: it does not count "
                                      "epochs, and there is no samples_count");
}

TEST(MlperfTraining, ALogThatDoesNotSayHowFarItsRunGotIsRefused) {
    const auto refused = [](const std::string& progress, const std::string& left_out = "") {
        std::vector<NamedText> files = set_of({{10, progress}});
        if (const std::size_t at = left_out.empty() ? std::string::npos : files[0].text.find(left_out); at != std::string::npos) {
            files[0].text.replace(at, left_out.size(), "nothing");
        }
        const Reading reading = read_set("mlperf_training", files, {.devices = "8"});
        return reading.error && reading.error->message.find("say how far the run got") != std::string::npos;
    };
    EXPECT_FALSE(refused(R"("epoch_num": 3.0)"));
    EXPECT_TRUE(refused(R"("epoch_num": 3.0)", "train_samples")) << "of how many samples an epoch is";
    EXPECT_TRUE(refused(R"("steps": 3)")) << "neither samples nor epochs";
    EXPECT_TRUE(refused(R"("samples_count": 0)")) << "none is no number to go by";
    EXPECT_TRUE(refused(R"("samples_count": -5)"));
    EXPECT_TRUE(refused(R"("epoch_num": 0)"));
}

// 2000 steps of 16 sequences of 2048 tokens in 600 s. One token more is no whole step: nobody knows what it counts.
TEST(MlperfTraining, EpochNumbersThatAreWholeStepsOfSequencesCountTokens) {
    const std::string shape = event(1, "global_batch_size", "16") + event(1, "max_sequence_length", "2048");
    std::vector<NamedText> files = set_of({{10, "\"epoch_num\": 65536000"}});
    files[0].text = shape + files[0].text;
    const Reading reading = read_set("mlperf_training", files, {.devices = "8"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = only(reading);
    ASSERT_NE(performance, nullptr);
    EXPECT_NEAR(performance->units_per_s->number, 65536000.0 / 600.0, 1e-6);
    EXPECT_TRUE(performance->note.starts_with("Tokens/s of the gang")) << performance->note;
    EXPECT_EQ(performance->note.find("An epoch has"), std::string::npos) << performance->note;
    files = set_of({{10, "\"epoch_num\": 65536001"}});
    files[0].text = shape + files[0].text;
    EXPECT_TRUE(read_set("mlperf_training", files, {.devices = "8"}).error);
}

TEST(MlperfTraining, AnythingElseIsRefused) {
    EXPECT_EQ(read_set("mlperf_training", {{"a.csv", "a,b\n1,2\n"}}).error->message,
              "no file has :::MLLOG lines: give the logs of a result set (result_0.txt …)");
    EXPECT_TRUE(read_set("mlperf_training", {{"empty.txt", ""}}).error);
}

std::vector<std::string> shared_set(const std::string& vendor, const std::string& set, const std::string& system) {
    std::vector<std::string> names{"mlperf-training/" + vendor + "/results/" + set + "/scaling.json",
                                   "mlperf-training/" + vendor + "/systems/" + system};
    for (int i = 0; i < 10; ++i) {
        names.push_back(fmt::format("mlperf-training/{}/results/{}/result_{}.txt", vendor, set, i));
    }
    return names;
}

// Scores as SOURCES.md gives them; rates: samples of the eight runs over their seconds, by an
// independent script over the same logs.
TEST(MlperfTraining, RealSetsGiveThePublishedScores) {
    SKIP_WITHOUT_SHARED();
    struct Row {
        std::string vendor, set, system, device, score;
        double rate;
    };
    for (const Row& row : {Row{"AMD", "MI300X_EPYC_9575F_pytorch_llama2_70b/llama2_70b_lora",
                               "MI300X_EPYC_9575F_pytorch_llama2_70b.json", "amd.mi300x", "27.875", 1.8941684},
                           Row{"AMD", "MI355X_EPYC_9575F_pytorch/llama2_70b_lora", "MI355X_EPYC_9575F_pytorch.json", "amd.mi355x",
                               "10.151", 5.201679},
                           Row{"Dell", "1xXE9680Lx8B200-SXM-180GB/dlrm_dcnv2", "1xXE9680Lx8B200-SXM-180GB.json",
                               "nvidia.b200-sxm-180gb", "2.522", 20960074}}) {
        const Reading reading = read_shared("mlperf_training", shared_set(row.vendor, row.set, row.system));
        ASSERT_FALSE(reading.error) << reading.error->message;
        EXPECT_EQ(reading.report.rows, 10U);
        EXPECT_EQ(reading.report.rejected.count, 0U);
        const auto* const performance = only(reading);
        ASSERT_NE(performance, nullptr);
        EXPECT_EQ(performance->device.id, row.device);
        EXPECT_EQ(performance->devices, 8);
        EXPECT_EQ(performance->framework, "pytorch");
        EXPECT_NEAR(performance->units_per_s->number / row.rate, 1.0, 1e-6);
        EXPECT_NE(performance->note.find("the mean time to train, " + row.score + ","), std::string::npos) << performance->note;
    }
}

// Google's results, chips = number_of_nodes x accelerators_per_node: v5p-N counts cores, trillium-N chips, and the logs of
// Trillium say tpu-v5p. Minutes as published; rates of the middle run by hand.
TEST(MlperfTraining, RealSetsOfTpusGiveThePublishedScores) {
    SKIP_WITHOUT_SHARED();
    struct Row {
        std::string system, benchmark;
        int runs;
        std::string device;
        int chips;
        std::string minutes;
        double rate;
    };
    for (const Row& row :
         {Row{"v4.0/cloud-tpu-v5p-1024-maxtext", "gpt3", 3, "google.tpu-v5p", 512, "114.794", 175380.94},
          Row{"v4.0/cloud-tpu-v5p-3072-maxtext", "gpt3", 3, "google.tpu-v5p", 1536, "39.336", 511818.42},
          Row{"v4.1/cloud-tpu-v5p-4096-maxtext", "gpt3", 3, "google.tpu-v5p", 2048, "29.616", 1308622848 / 29.6161 / 60},
          Row{"v4.1/cloud-tpu-trillium-512-maxtext", "gpt3", 3, "google.tpu-v6e", 512, "102.079", 197225.32},
          Row{"v4.1/cloud-tpu-trillium-2048-maxtext", "gpt3", 3, "google.tpu-v6e", 2048, "27.330", 767357.41},
          Row{"v4.1/cloud-tpu-v5p-16-maxdiffusion", "stable_diffusion", 10, "google.tpu-v5p", 8, "49.677", 687.11}}) {
        std::vector<std::string> names{"mlperf-training-google/" + row.system + ".json"};
        for (int i = 0; i < row.runs; ++i) {
            names.push_back(fmt::format("mlperf-training-google/{}/{}/result_{}.txt", row.system, row.benchmark, i));
        }
        const Reading reading = read_shared("mlperf_training", names);
        ASSERT_FALSE(reading.error) << reading.error->message;
        EXPECT_EQ(reading.report.rejected.count, 0U) << row.system;
        const auto* const performance = only(reading);
        ASSERT_NE(performance, nullptr) << row.system;
        EXPECT_EQ(performance->device.id, row.device) << row.system;
        EXPECT_EQ(performance->devices, row.chips) << row.system;
        EXPECT_EQ(performance->framework, "jax") << row.system;
        EXPECT_NEAR(performance->units_per_s->number / row.rate, 1.0, 1e-5) << row.system;
        EXPECT_NE(performance->note.find("mean time to train is " + row.minutes + " minutes"), std::string::npos)
            << performance->note;
    }
}

} // namespace
} // namespace costcurve::imports
