// ML.ENERGY configurations: curves over the batch, power over utilization, and the performance that names them.
#include <fmt/format.h>

#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

struct RowFacts {
    int batch = 8;
    double rate = 100.0;
    double watts = 800.0;
    double p95_ms = 20.0;
    std::string more = R"("tensor_parallel": 2)";
    std::string gpu = "H100";
    double mean_batch = 8.0;
};

// A row of a task's file: two GPUs.
std::string row_of(const RowFacts& facts) {
    return fmt::format(
        R"({{"activated_params_billions": 70.0, "avg_batch_size": {}, "avg_output_len": 350, "avg_power_watts": {}, )"
        R"("gpu_model": "{}", "max_num_seqs": {}, "median_itl_ms": 1.0, "model_id": "maker/Model-70B", )"
        R"("num_gpus": 2, "output_throughput_tokens_per_sec": {}, "p95_itl_ms": {}, {}, "weight_precision": "bfloat16"}})",
        facts.mean_batch, facts.watts, facts.gpu, facts.batch, facts.rate, facts.p95_ms, facts.more);
}

std::string task_of(const std::vector<RowFacts>& rows) {
    std::string text;
    for (const RowFacts& row : rows) {
        text += (text.empty() ? "" : ",\n") + row_of(row);
    }
    return R"({"configurations": [)" + text + R"(], "task": "chat", "task_display_name": "Chat"})";
}

const std::string kId = "ml-energy.chat.maker-model-70b.2x-h100-sxm5-80gb.bfloat16";

TEST(MlEnergy, AConfigurationBecomesThreeCurvesAndAPerformance) {
    const Reading reading = read_set(
        "ml_energy", {{"chat.json", task_of({{16, 200, 1000, 30}, {8, 100, 800, 20}, {32, 150, 900, 60}})}}, {.source = "a study"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.documents.size(), 4U);
    const auto* const throughput = reading.find<model::Curve>("throughput." + kId);
    ASSERT_NE(throughput, nullptr);
    EXPECT_EQ(throughput->x, (std::vector<double>{8, 16, 32}));
    EXPECT_EQ(throughput->y, (std::vector<double>{100, 200, 150}));
    const auto* const latency = reading.find<model::Curve>("latency." + kId + ".p95-itl");
    ASSERT_NE(latency, nullptr);
    EXPECT_DOUBLE_EQ(latency->y[2], 0.06); // ms to s
    const auto* const power = reading.find<model::Curve>("power." + kId);
    ASSERT_NE(power, nullptr); // watts of two GPUs: 800 / 2 at 100 / 200, 900 / 2 at 150 / 200, 1000 / 2 at 1
    EXPECT_EQ(power->x, (std::vector<double>{0.5, 0.75, 1.0}));
    EXPECT_EQ(power->y, (std::vector<double>{400, 450, 500}));
    const auto* const performance = reading.find<model::Performance>(kId);
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->devices, 2);
    EXPECT_EQ(performance->device.id, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(performance->precision, "bf16");
    EXPECT_TRUE(performance->units_per_s->curve->stored.is_reference);
    EXPECT_EQ(performance->units_per_s->curve->id, throughput->id);
    EXPECT_EQ(performance->itl_s->curve->id, latency->id);
    EXPECT_FALSE(performance->batch);
    EXPECT_EQ(performance->source, "a study chat.json, chat, maker/Model-70B, 2 x H100, bfloat16: output_throughput_tokens_per_sec "
                                   "against batch");
}

TEST(MlEnergy, RowsOfEqualBatchKeepTheFasterAndSaySo) {
    const Reading reading = read_set(
        "ml_energy", {{"chat.json", task_of({{8, 100, 800, 20}, {8, 120, 900, 25}, {8, 110, 850, 22}, {8, 120, 900, 25}})}});
    const auto* const throughput = reading.find<model::Curve>("throughput." + kId);
    ASSERT_NE(throughput, nullptr);
    EXPECT_EQ(throughput->y, std::vector<double>{120});
    EXPECT_EQ(reading.report.skipped, 1U); // the last is the second again
    ASSERT_EQ(reading.report.warnings.count, 2U);
    EXPECT_EQ(reading.report.warnings.first[0].row, 2U);
    EXPECT_EQ(reading.report.warnings.first[0].reason,
              "chat.json: " + kId + " has two rows of batch 8, 100 and 120 units/s; the faster was taken");
}

TEST(MlEnergy, ParallelismOtherThanTensorIsItsOwnConfiguration) {
    const Reading reading =
        read_set("ml_energy",
                 {{"chat.json",
                   task_of({{8, 100}, {8, 120, 900, 25, R"("tensor_parallel": 1, "expert_parallel": 2, "data_parallel": 1)"}})}});
    EXPECT_EQ(reading.count<model::Performance>(), 2U);
    EXPECT_NE(reading.find<model::Performance>(kId + ".ep2"), nullptr);
    EXPECT_EQ(reading.report.warnings.count, 0U);
}

TEST(MlEnergy, ABatchThatWasNotFilledIsSaid) {
    RowFacts facts{1024};
    facts.mean_batch = 898.4;
    const Reading reading = read_set("ml_energy", {{"chat.json", task_of({facts})}});
    const auto* const throughput = reading.find<model::Curve>("throughput." + kId);
    ASSERT_NE(throughput, nullptr);
    EXPECT_NE(throughput->note.find("These were not filled, mean in brackets: 1024 (898)."), std::string::npos);
}

TEST(MlEnergy, AModelFileRepeatsItsTaskAndStatesTheModelOnce) {
    const std::string model = R"({"model_id": "maker/Model-70B", "task": "chat", "weight_precision": "bfloat16", "configurations": [
        {"gpu_model": "H100", "num_gpus": 2, "max_num_seqs": 8,
         "output_throughput_tokens_per_sec": 100, "avg_power_watts": 800,
         "p95_itl_ms": 20, "avg_batch_size": 8,
         "parallelization": {"tensor_parallel": 2, "expert_parallel": 1, "data_parallel": 1}}]})";
    const std::string index = R"({"architectures": {}, "models": {}, "tasks": {}, "last_updated": "2026-02-16"})";
    const Reading reading =
        read_set("ml_energy", {{"index.json", index}, {"chat.json", task_of({{8, 100}})}, {"model.json", model}});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.count<model::Performance>(), 1U);
    EXPECT_EQ(reading.report.skipped, 2U); // the index, and the row again
    EXPECT_EQ(reading.report.rejected.count, 0U);
}

TEST(MlEnergy, ImagesCountBatchesAndTheirLatency) {
    const std::string text = R"({"architecture": "diffusion", "task": "text-to-image", "configurations": [
        {"avg_power_watts": 500, "batch_latency_s": 4, "batch_size": 2, "energy_per_image_joules": 1000, "gpu_model": "B200",
         "model_id": "m/x", "num_gpus": 4, "ring_degree": 2, "ulysses_degree": 2, "throughput_images_per_sec": 0.5,
         "weight_precision": "bfloat16"}]})";
    const Reading reading = read_set("ml_energy", {{"text-to-image.json", text}});
    ASSERT_FALSE(reading.error);
    const std::string id = "ml-energy.text-to-image.m-x.4x-b200-sxm-180gb.bfloat16.ring2-ulysses2";
    EXPECT_NE(reading.find<model::Performance>(id), nullptr);
    const auto* const latency = reading.find<model::Curve>("latency." + id + ".batch-latency");
    ASSERT_NE(latency, nullptr);
    EXPECT_EQ(latency->y, std::vector<double>{4});
}

TEST(MlEnergy, EnergyThatContradictsPowerIsSaidAndFarFromItTakesNoRow) {
    const auto read_with = [](const char* joules) {
        const std::string facts = fmt::format(R"("tensor_parallel": 2, "energy_per_token_joules": {})", joules);
        return read_set("ml_energy", {{"chat.json", task_of({{8, 100, 800, 20, facts}})}});
    };
    const Reading near = read_with("9"); // 800 W / 100 tokens/s are 8 J
    ASSERT_EQ(near.report.warnings.count, 1U);
    EXPECT_EQ(near.report.warnings.first[0].reason,
              "chat.json: avg_power_watts / throughput is 8 J a unit, and the row says 9 J: is the power of all GPUs?");
    for (const char* const joules : {"800", "16", "4", "0.08"}) {
        const Reading far = read_with(joules);
        EXPECT_EQ(far.report.rejected.count, 1U) << joules;
    }
}

TEST(MlEnergy, WhatCannotBeUsedIsNamed) {
    RowFacts unknown;
    unknown.gpu = "Z900";
    RowFacts still{8, 0.0};
    RowFacts unset{0};
    const Reading reading = read_set("ml_energy", {{"chat.json", task_of({{8, 100}, unknown, still, unset})}});
    ASSERT_EQ(reading.report.rejected.count, 3U);
    EXPECT_EQ(reading.report.rejected.first[0].reason, "chat.json: gpu_model is \"Z900\": no device of that name is known");
    EXPECT_EQ(reading.report.rejected.first[1].reason, "chat.json: output_throughput_tokens_per_sec is 0; it must be more than 0");
    EXPECT_EQ(reading.report.rejected.first[1].row, 3U);
}

// Of tasks whose prompts are known about; the medians between tokens, and all conditions that the rows state.
TEST(MlEnergy, MeasurementsStandBesideTheRatesOfLanguageModels) {
    const std::string text = R"({"task": "gpqa", "configurations": [
        {"model_id": "nvidia/NVIDIA-Nemotron-Nano-9B-v2", "gpu_model": "H100", "num_gpus": 2, "max_num_seqs": 8,
         "weight_precision": "bfloat16", "avg_batch_size": 7.9, "avg_output_len": 4000, "median_itl_ms": 15, "p95_itl_ms": 20,
         "output_throughput_tokens_per_sec": 500, "avg_power_watts": 900, "tensor_parallel": 1, "data_parallel": 2}]})";
    const Reading reading = read_set("ml_energy", {{"gpqa.json", text}});
    const std::string id = "ml-energy.gpqa.nvidia-nvidia-nemotron-nano-9b-v2.2x-h100-sxm5-80gb.bfloat16.dp2";
    const auto* const performance = reading.find<model::Performance>(id);
    const auto* const measurement = reading.find<model::Measurement>(id);
    ASSERT_TRUE(performance && measurement);
    EXPECT_EQ(performance->measurement, id);
    EXPECT_EQ(performance->mix, (model::RequestMix{250, 4000}));
    EXPECT_EQ(measurement->model, "nemotron-nano-9b-v2");
    EXPECT_EQ(measurement->parallel->dp, 2);
    EXPECT_EQ(measurement->percentiles.itl_s, 50.0);
    EXPECT_EQ(measurement->points.input, std::vector{250.0});
    EXPECT_EQ(measurement->points.output, std::vector{4000.0});
    EXPECT_EQ(measurement->points.concurrency, std::vector{7.9});
    EXPECT_EQ(measurement->points.itl_s, std::vector{0.015});
    EXPECT_EQ(measurement->points.watts, std::vector{900.0});
    EXPECT_NE(measurement->note.find("250 tokens are assumed"), std::string::npos);
    EXPECT_EQ(read_set("ml_energy", {{"chat.json", task_of({{8, 100}})}}).count<model::Measurement>(), 0U) << "an unknown task";
}

TEST(MlEnergy, OtherFilesAreRefused) {
    EXPECT_TRUE(read_set("ml_energy", {{"chat.json", task_of({{8, 100}}).substr(0, 90)}}).error);
    EXPECT_TRUE(read_set("ml_energy", {{"empty.json", ""}}).error);
    EXPECT_EQ(read_set("ml_energy", {{"index.json", R"({"architectures": {}, "models": {}})"}}).error->message,
              "no file has a list of configurations: give files of models or tasks; index.json has none");
}

TEST(MlEnergy, RealFilesAreRead) {
    SKIP_WITHOUT_SHARED();
    const std::string folder = "ml-energy-leaderboard/";
    const Reading reading =
        read_shared("ml_energy", {folder + "index.json", folder + "models/meta-llama__Llama-3.1-70B-Instruct__lm-arena-chat.json",
                                  folder + "tasks/gpqa.json", folder + "tasks/lm-arena-chat.json"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 22U + 187U + 328U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    EXPECT_EQ(reading.report.skipped, 23U);       // index.json, and the model's 22 rows, which its task has too
    EXPECT_EQ(reading.report.warnings.count, 3U); // two rows of batch 96 of gpt-oss-20b, of 256 and 512 of Qwen3-30B on two H100
    EXPECT_EQ(reading.count<model::Performance>(), 66U); // configurations, counted by an independent script
    EXPECT_EQ(reading.count<model::Curve>(), 3U * 66U);
    const std::string id = "ml-energy.lm-arena-chat.meta-llama-llama-3.1-70b-instruct.4x-h100-sxm5-80gb.bfloat16";
    const auto* const throughput = reading.find<model::Curve>("throughput." + id);
    ASSERT_NE(throughput, nullptr);
    ASSERT_EQ(throughput->x.size(), 12U);
    EXPECT_NEAR(throughput->y[0], 469.6893499832831, 1e-9);
    EXPECT_NEAR(throughput->y[11], 6827.207887009997, 1e-9);
    const auto* const power = reading.find<model::Curve>("power." + id);
    ASSERT_NE(power, nullptr);
    EXPECT_NEAR(power->y[0], 1765.4278811426893 / 4, 1e-9);
    EXPECT_NEAR(power->x[0], 469.6893499832831 / 6827.207887009997, 1e-12);
}

TEST(MlEnergy, NamesItsFileOnceInTheSource) {
    const std::vector<NamedText> one{{"chat.json", task_of({{16, 200, 1000, 30}})}};
    const Reading reading = read_set("ml_energy", one, {.name = "chat.json", .source = "a study"});
    ASSERT_EQ(reading.count<model::Performance>(), 1U);
    for (const Document& document : reading.documents) {
        const std::string source = std::visit([](const auto& any) { return any.source; }, document);
        EXPECT_TRUE(source.starts_with("a study chat.json chat, maker/Model-70B, ")) << source;
    }
}

} // namespace
} // namespace costcurve::imports
