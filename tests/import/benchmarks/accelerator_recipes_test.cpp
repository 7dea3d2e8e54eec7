// Recipes of makers of accelerators: tables, step lines and printouts, and the traps that stand in them.
#include <string>

#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

constexpr std::string_view kRecipes = "accelerator_recipes";

// Four rows of AI-Hypercomputer/tpu-recipes @c8cfe2f training/ironwood/README.md, as they stand there (Apache-2.0).
const std::string kIronwoodTable =
    "# Training Recipes for Ironwood TPU\n"
    "\n"
    "| <div style=\"width:100px;\">Model ID</div> | Number of chips | GBS | Sequence length | Precision |"
    " Step time (seconds) | TFLOPs/sec/chip | Tokens/sec/chip |\n"
    "|-----|------|------|------|------|------|------|------|\n"
    "| deepseek-v3 | 128 | 2048 | 4096 | bf16 | 27.02 | 607.53 | 2,425.75 |\n"
    "| llama3.1-70b | 64 | 256 | 8192 | fp8_full | 7.93 | 1,854.19 | 4127.56 |\n"
    "| llama3.1-70b | 256 | 64 | 131072 | bf16 | 34.02 | 897.94 | 963.03 |\n"
    "| wan2.1-14b | 64 | 32 | 75600 | bf16 | 24.58 | 209.55 | N/A |\n";

TEST(AcceleratorRecipes, TrainingTablesAreRatesOfAllChips) {
    const Reading reading = read_text(kRecipes, kIronwoodTable, {.name = "README.md", .source = "a study", .id = "tpu-recipes"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 4U);
    EXPECT_EQ(reading.documents.size(), 3U);
    const auto* const one = reading.find<model::Performance>("tpu-recipes.deepseek-v3.train.bf16.128x-tpu-v7");
    ASSERT_NE(one, nullptr);
    EXPECT_EQ(one->device.id, "google.tpu-v7");
    EXPECT_EQ(one->devices, 128);
    EXPECT_EQ(one->model, ""); // `rank` would take the rate for serving
    EXPECT_TRUE(one->note.starts_with("Tokens/s in training deepseek-v3, 2425.75 a chip x 128 chips")) << one->note;
    EXPECT_EQ(one->batch, 2048);
    EXPECT_EQ(one->precision, "bf16");
    EXPECT_EQ(one->framework, "jax");
    EXPECT_EQ(one->basis, model::Evidence::measured);
    EXPECT_DOUBLE_EQ(one->units_per_s->number, 2425.75 * 128);
    EXPECT_EQ(one->source, "a study README.md row 5, deepseek-v3");
    const auto* const fp8 = reading.find<model::Performance>("tpu-recipes.llama-3.1-70b.train.fp8.64x-tpu-v7");
    ASSERT_NE(fp8, nullptr);
    EXPECT_DOUBLE_EQ(fp8->units_per_s->number, 4127.56 * 64);
    EXPECT_NE(reading.find<model::Performance>("tpu-recipes.llama-3.1-70b.train.bf16.128k.256x-tpu-v7"), nullptr);
    EXPECT_TRUE(says(reading.report.rejected, 8, "Tokens/sec/chip \"N/A\": both are needed; fill them in, or leave the row out"));
}

TEST(AcceleratorRecipes, RowsThatAreHalfBlankOrContradictThemselvesAreNamed) {
    const std::string head = "| Model ID | Number of chips | GBS | Sequence length | Precision | Step time (seconds) |"
                             " Tokens/sec/chip |\n|---|---|---|---|---|---|---|\n";
    const Reading reading = read_text(kRecipes,
                                      head + "| m-7b | 4 | 8 | 1000 | bf16 | 10 | 200 |\n" // 8 x 1000 / 10 / 4
                                             "| m-7b | 4 | 8 | 1000 | bf16 | 10 | 200 |\n" // again
                                             "| m-7b | 4 | 8 | 1000 | bf16 | 10 | 201 |\n" // another figure
                                             "| m-7b | 8 | 8 | 1000 | bf16 | 10 | 200 |\n" // of the machine, not the chip
                                             "| | 4 | 8 | 1000 | bf16 | 10 | 200 |\n"
                                             "| m-8b | 4.5 | | | | | 200 |\n"
                                             "| m-8b | 4\n"
                                             "| m-9b | 4 | | | | | 300 |\n"
                                             "| m-8b | 1e300 | 1 | 1 | bf16 | 1e-300 | 1e308 |\n"
                                             "|||||||\n"
                                             "| m-9b | 4 | 8 | 1000 | bf16 | 0 | -3 |\n",
                                      {.device = "TPU v5e"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.documents.size(), 2U);
    EXPECT_EQ(reading.report.skipped, 1U);
    EXPECT_EQ(reading.report.rejected.count, 8U);
    EXPECT_TRUE(says(reading.report.rejected, 5, "it says 804 units/s, and row 3 of the same model"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "chips is 100 tokens/s, and Tokens/sec/chip says 200: mend"));
    EXPECT_TRUE(says(reading.report.rejected, 7, "give model"));
    EXPECT_TRUE(says(reading.report.rejected, 8, "Number of chips is \"4.5\""));
    EXPECT_TRUE(says(reading.report.rejected, 9, "Tokens/sec/chip \"\""));
    const Reading nowhere = read_text(kRecipes, head + "| m-7b | 4 | 8 | 1000 | bf16 | 10 | 200 |\n");
    EXPECT_TRUE(says(nowhere.report.rejected, 3, "which device it ran on is not said: give device"));
}

// Rows of AI-Hypercomputer/maxtext @e591f30, the tables of tiers.
TEST(AcceleratorRecipes, HeadingsNameTheChipsOfTiers) {
    const std::string head =
        "| Model | Recipe | Benchmark Configuration | MFU | Approx tokens/sec/device |\n| :--- | :--- | :--- | :-- "
        "| :--- |\n";
    const Reading reading =
        read_text(kRecipes,
                  "# Tiers\n\n## Trillium (v6e)\n\n### Gold\n\n" + head +
                      "| Llama 2 70B | [Link](https://host/a_b) | 256, BF16, SL=4096 | 43.8% | 900 |\n\n### Silver\n\n" + head +
                      "| Mixtral 8X7B | [Link](x) | 256 Chips, BF16, SL=4096 | 35.23% | 3,899 |\n\n## v5p\n\n" + head +
                      "| Mixtral 8X7B | x | 256 Chips(8x4x4), bf16, SL=4096 | 52.56% | 2,909 |\n"
                      "| Mixtral 8X7B | x | many Chips, bf16 | 52.56% | 2,909 |\n\n## Others\n\n" +
                      head + "| Mixtral 8X7B | x | 8 Chips, bf16 | 52.56% | 2,909 |\n",
                  {.id = "maxtext"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const llama = reading.find<model::Performance>("maxtext.llama-2-70b.train.bf16.256x-tpu-v6e");
    ASSERT_NE(llama, nullptr);
    EXPECT_DOUBLE_EQ(llama->units_per_s->number, 900 * 256);
    EXPECT_NE(reading.find<model::Performance>("maxtext.mixtral-8x7b.train.bf16.256x-tpu-v6e"), nullptr);
    const auto* const v5p = reading.find<model::Performance>("maxtext.mixtral-8x7b.train.bf16.256x-tpu-v5p");
    ASSERT_NE(v5p, nullptr);
    EXPECT_DOUBLE_EQ(v5p->units_per_s->number, 2909 * 256);
    EXPECT_EQ(reading.report.rejected.count, 2U);
    EXPECT_TRUE(says(reading.report.rejected, 22, "Benchmark Configuration is \"many Chips, bf16\""));
    EXPECT_TRUE(says(reading.report.rejected, 28, "which device it ran on is not said"));
}

// The trap: the heading says per chip, the cell has the total and, in brackets, the figure of a chip.
TEST(AcceleratorRecipes, ServingTablesTellTotalsFromChips) {
    const std::string head = "Workload (input tokens/output tokens) | Output Token Throughput (tok/s) Per Chip\n:--- | :---\n";
    const Reading total = read_text(kRecipes,
                                    head + "1k/1k    | 1996.00 tok/s (499 tok/s/chip)\n"
                                           "8k/1k    | 1053.10 tok/s (263.27 tok/s/chip)\n"
                                           "1k/8k    | 2075.47 tok/s (600 tok/s/chip)\n"
                                           "all      | 2075.47 tok/s (518.86 tok/s/chip)\n"
                                           "2k/2k    | N/A\n",
                                    {.name = "ironwood_vllm_Qwen3-Coder-480B-A35B.md", .id = "tpu-recipes"});
    ASSERT_FALSE(total.error) << total.error->message;
    const auto* const four = total.find<model::Performance>("tpu-recipes.qwen3-coder-480b-a35b.1k-1k.4x-tpu-v7");
    ASSERT_NE(four, nullptr);
    EXPECT_EQ(four->devices, 4);
    EXPECT_DOUBLE_EQ(four->units_per_s->number, 1996);
    EXPECT_EQ(four->model, "qwen3-coder-480b-a35b");
    EXPECT_EQ(four->class_weights.input, 0.0); // of output tokens alone
    EXPECT_EQ(four->mix, (model::RequestMix{1024, 1024}));
    EXPECT_EQ(four->framework, "vllm");
    const auto* const long_prompts = total.find<model::Performance>("tpu-recipes.qwen3-coder-480b-a35b.8k-1k.4x-tpu-v7");
    ASSERT_NE(long_prompts, nullptr);
    EXPECT_EQ(long_prompts->mix, (model::RequestMix{8192, 1024})) << "tokens in, tokens out";
    EXPECT_EQ(total.report.rejected.count, 3U);
    EXPECT_TRUE(says(total.report.rejected, 5, "the total is no whole number of chips times what stands in brackets"));
    EXPECT_TRUE(says(total.report.rejected, 6, "Workload is \"all\": tokens in and out are needed, as 1k/8k"));
    EXPECT_TRUE(says(total.report.rejected, 7, "a number is needed; fill it in, or leave the row out"));

    Options options{.name = "x.md", .device = "Ironwood", .model = "qwen3-32b"};
    const Reading chip = read_text(kRecipes, head + "1k/8k | 3959.56\n", options);
    ASSERT_EQ(chip.documents.size(), 1U);
    EXPECT_NE(chip.find<model::Performance>("recipes.qwen3-32b.1k-8k.1x-tpu-v7"), nullptr);
    options.devices = "4"; // of a model that four chips serve: the heading's figure is still of one
    const Reading four_chips = read_text(kRecipes, head + "1k/8k | 3959.56\n", options);
    const auto* const said = four_chips.find<model::Performance>("recipes.qwen3-32b.1k-8k.4x-tpu-v7");
    ASSERT_NE(said, nullptr);
    EXPECT_DOUBLE_EQ(said->units_per_s->number, 4 * 3959.56);
}

TEST(AcceleratorRecipes, TotalsNeedTheNumberOfChips) {
    const std::string text = "| Workload | Total Token Throughput (tok/s) | Request Throughput (req/s) |\n|:---|:---|:---|\n"
                             "| 16k | 84038.27 | 5.13 |\n";
    Options options{.name = "ironwood_vllm_Qwen3-Embedding-8B.md"};
    EXPECT_TRUE(says(read_text(kRecipes, text, options).report.rejected, 3, "how many is not said: give devices"));
    options.devices = "4";
    const Reading said = read_text(kRecipes, text, options);
    const auto* const four = said.find<model::Performance>("recipes.qwen3-embedding-8b.16k.4x-tpu-v7");
    ASSERT_NE(four, nullptr);
    EXPECT_DOUBLE_EQ(four->units_per_s->number, 84038.27);
    EXPECT_FALSE(four->class_weights.input);
}

// Lines of AI-Hypercomputer/tpu-recipes @c8cfe2f and gpu-recipes @2e1fd5e, with the folders that they stand in.
TEST(AcceleratorRecipes, StepLinesTellTheNumberOfDevices) {
    const Reading reading = read_text(
        kRecipes,
        "training/trillium/Llama3.1-70B-MaxText/v6e-32/README.md:completed step: 34, seconds: 17.790, TFLOP/s/device: 443.385, "
        "Tokens/s/device: 920.965, total_weights: 524288, loss: 11.457\n"
        "training/v5p/DeepSeek3-671B-MaxText/README.md:completed step: 11, seconds: 90.668, TFLOP/s/device: 152.415, "
        "Tokens/s/device: 542.108, total_weights: 25165824, loss: 10.989\n"
        "training/trillium/GPT3-175B-MaxText/fp8/README.md:step: 100, seconds: 14.245, TFLOP/s/device: 464.261, "
        "Tokens/s/device: 431.318, total_weights: 1572864, loss: 0.000\n"
        "training/trillium/Gemma3-12B-MaxText/2x-v6e-256/README.md:completed step: 29, seconds: 7.793, TFLOP/s/device: 328.139, "
        "Tokens/s/device: 4204.799, total_weights: 16777216, loss: 11.151\n"
        "training/a3ultra/llama3-1-405b/README.md:completed step: 12, seconds: 15.516, TFLOP/s/device: 508.371, "
        "Tokens/s/device: 1055.949, total_weights: 4194304, loss: 0.000\n"
        "training/a3ultra/llama3-1-70b/README.md:completed step: 12, seconds: 15.516, TFLOP/s/device: 508.371, "
        "Tokens/s/device: 1055.949, total_weights: 4194304, loss: 0.000\n",
        {.id = "tpu-recipes"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const small = reading.find<model::Performance>("tpu-recipes.llama-3.1-70b.train.32x-tpu-v6e");
    ASSERT_NE(small, nullptr);
    EXPECT_NEAR(small->units_per_s->number / 32, 920.965, 0.05);
    EXPECT_EQ(small->precision, ""); // no folder says it
    const auto* const large = reading.find<model::Performance>("tpu-recipes.deepseek-v3.train.512x-tpu-v5p");
    ASSERT_NE(large, nullptr); // v5p counts cores in names of slices; here tokens tell the chips
    EXPECT_NE(reading.find<model::Performance>("tpu-recipes.gpt-3-175b.train.fp8.256x-tpu-v6e"), nullptr);
    EXPECT_NE(reading.find<model::Performance>("tpu-recipes.gemma-3-12b.train.512x-tpu-v6e"), nullptr); // two slices
    EXPECT_EQ(reading.report.rejected.count, 2U);
    EXPECT_TRUE(says(reading.report.rejected, 5, "row 6 has the same line of llama-3.1-70b: one of the two is a copy"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "row 5 has the same line of llama-3.1-405b: one of the two is a copy"));
}

TEST(AcceleratorRecipes, StepLinesThatDoNotAddUpAreNamed) {
    const Reading reading = read_text(
        kRecipes,
        "v6e-8/Llama3.1-8B/README.md:completed step: 1, seconds: 3.443, Tokens/s/device: 7138.890, total_weights: 393216\n"
        "v6e-8/Llama3.1-8B/README.md:completed step: 1, seconds: 3.443, Tokens/s/device: 7138.890, total_weights: 200000\n"
        "v6e-8/Llama3.1-8B/README.md:completed step: 1, seconds: , Tokens/s/device: 7138.890, total_weights: 196608\n"
        "trillium/Llama3.1-8B/README.md:completed step: 1, seconds: 3.443, Tokens/s/device: 7138.890\n"
        "trillium/README.md:completed step: 1, seconds: 3.443, Tokens/s/device: 7138.890, total_weights: 196608\n"
        "completed step: 1, seconds: 3.443, Tokens/s/device: 7138.890, total_weights: 196608\n");
    EXPECT_EQ(reading.documents.size(), 0U);
    EXPECT_EQ(reading.report.rejected.count, 6U);
    EXPECT_TRUE(says(reading.report.rejected, 1, "is 15.998 devices, and 8 are said: one of the numbers is wrong"));
    EXPECT_TRUE(says(reading.report.rejected, 2, "is 8.137 devices"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "quote the whole line, or leave it out"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "give devices"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "give model"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "give device"));
}

std::string printout(const std::string& requests, const std::string& total) {
    return "```text\n============ Serving Benchmark Result ============\nSuccessful requests:    10\nFailed requests:    1\n"
           "Maximum request concurrency:    " +
           requests +
           "\nBenchmark duration (s):    5.0\nTotal input tokens:    9990\nTotal generated tokens:    1280\n"
           "Output token throughput (tok/s):    256.0\nTotal Token throughput (tok/s):    " +
           total + "\nMean TTFT (ms):    200\nMean TPOT (ms):    25\n=====================\n```\n";
}

TEST(AcceleratorRecipes, PrintoutsOfServingAreACurveOverRequests) {
    const Options options{.name = "trillium_vllm.md", .devices = "8", .model = "llama-3.3-70b"};
    const Reading reading = read_text(kRecipes, printout("8", "2254") + "words\n" + printout("4", "2254"), options);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const served = reading.find<model::Performance>("recipes.llama-3.3-70b.1k-128.8x-tpu-v6e");
    ASSERT_NE(served, nullptr);
    EXPECT_EQ(served->units_per_s->curve->x, (std::vector<double>{4, 8}));
    EXPECT_EQ(served->itl_s->curve->y, (std::vector<double>{0.025, 0.025}));
    EXPECT_EQ(reading.report.warnings.count, 2U); // a request failed in each
    const Reading one = read_text(kRecipes, printout("8", "2254"), options);
    const auto* const single = one.find<model::Performance>("recipes.llama-3.3-70b.1k-128.8x-tpu-v6e");
    ASSERT_NE(single, nullptr);
    EXPECT_EQ(single->batch, 8);
    EXPECT_DOUBLE_EQ(single->units_per_s->number, 2254);
    EXPECT_DOUBLE_EQ(single->ttft_s->number, 0.2);
}

TEST(AcceleratorRecipes, PrintoutsThatDoNotAddUpAreNamed) {
    const Options options{.name = "trillium_vllm.md", .devices = "8", .model = "llama-3.3-70b"};
    const Reading reading =
        read_text(kRecipes,
                  printout("8", "2254") + printout("8", "2254") + printout("16", "256") + printout("x", "2254") +
                      "============ Serving Benchmark Result ============\nSuccessful requests: 10\n",
                  options);
    EXPECT_EQ(reading.documents.size(), 1U);
    EXPECT_EQ(reading.report.rejected.count, 4U);
    EXPECT_TRUE(says(reading.report.rejected, 16, "a printout of 8 requests at a time stands before it; leave one out"));
    EXPECT_TRUE(says(reading.report.rejected, 30, "its tokens over its duration are 2254 a second"));
    EXPECT_TRUE(says(reading.report.rejected, 44, "Maximum request concurrency must be a whole number"));
    EXPECT_TRUE(says(reading.report.rejected, 57, "quote the whole printout"));
    EXPECT_TRUE(says(read_text(kRecipes, printout("8", "2254"), {.device = "v6e", .model = "m-7b"}).report.rejected, 2,
                     "how many devices served is not said: give devices"));
}

TEST(AcceleratorRecipes, WithoutAResultItSaysWhatIsNeeded) {
    for (const std::string text :
         {"", "# Words\n\nonly | words\n", "| Matrix Size | TFLOP/s |\n|---|---|\n| 128 | 2.5 |\n", "|", "#\n"}) {
        const Reading reading = read_text(kRecipes, text);
        ASSERT_TRUE(reading.error) << text;
        EXPECT_TRUE(reading.error->message.starts_with("there is no result in it: a table with tokens/s"))
            << reading.error->message;
    }
}

TEST(AcceleratorRecipes, EndlessCellsAndNumbersEndInShortMessages) {
    const std::string endless(200'000, 'x');
    const Reading reading =
        read_text(kRecipes,
                  "| Model | Benchmark Configuration | Approx tokens/sec/device |\n|---|---|---|\n| m-7b | " + endless +
                      " | 1 |\n| " + endless + " | 8 Chips, " + endless + " | 1 |\n| m-7b | 8 Chips | 1e308 |\n",
                  {.device = "TPU v5e"});
    EXPECT_EQ(reading.documents.size(), 1U);
    EXPECT_EQ(reading.report.rejected.count, 2U);
    EXPECT_TRUE(says(reading.report.rejected, 5, "one of the row's is far too large"));
    for (const Complaint& complaint : reading.report.rejected.first) {
        EXPECT_LT(complaint.reason.size(), 1000U);
    }
}

TEST(AcceleratorRecipes, RealFilesAreRead) {
    SKIP_WITHOUT_SHARED();
    struct Row {
        std::string file;
        Options options;
        std::size_t documents, rejected;
    };
    for (const Row& row : {Row{"tpu-recipes/training_ironwood_README.md", {}, 21, 1}, // a video model without tokens
                           Row{"tpu-recipes/ironwood_vllm_Qwen3-32B.md", {}, 3, 0},
                           Row{"tpu-recipes/ironwood_vllm_Qwen3-Coder-480B-A35B.md", {}, 3, 0},
                           Row{"tpu-recipes/ironwood_vllm_Qwen3.5-397B.md", {}, 2, 0},
                           Row{"tpu-recipes/ironwood_vllm_Qwen3-Embedding-8B.md", {}, 0, 1},
                           Row{"tpu-recipes/trillium_vllm_Llama3.x.md", {.devices = "8", .model = "llama-3.3-70b"}, 1, 0},
                           Row{"tpu-recipes/training_step_lines.txt", {}, 25, 0},
                           Row{"gpu-recipes/training_step_lines.txt", {}, 2, 2}, // a line and its copy
                           Row{"maxtext/tiering.md", {}, 8, 0}}) {
        const Reading reading = read_shared(kRecipes, {row.file}, row.options);
        ASSERT_FALSE(reading.error) << row.file << reading.error->message;
        EXPECT_EQ(reading.documents.size(), row.documents) << row.file;
        EXPECT_EQ(reading.report.rejected.count, row.rejected) << row.file;
    }
}

} // namespace
} // namespace costcurve::imports
