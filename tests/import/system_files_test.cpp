// System files of aiconfigurator (YAML) and Calculon (JSON).
#include "server/import/text/utf8.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const std::string kYaml = "# CORPORATION & AFFILIATES, 8 * 2\n"
                          "data_dir: data/h100_sxm # relative\n"
                          "gpu:\n"
                          "  mem_bw: 3350000000000 # 3350GB/s\n"
                          "  mem_capacity: 85899345920 # 80GiB\n"
                          "  bfloat16_tc_flops: 989000000000000\n"
                          "  fp8_tc_flops: 1978000000000000\n"
                          "  strange_tc_flops: 1\n"
                          "  power: 700  # Watt\n"
                          "node:\n"
                          "  num_gpus_per_node: 8\n"
                          "  inter_node_bw: 50000000000\n"
                          "misc:\n"
                          "  nccl_mem:\n"
                          "    1: 0\n"
                          "  nccl_version: '2.27.3'";

const std::string kCalculon = R"({"matrix":{"float8":{"tflops":2000,"gflops_efficiency":[[128,0.95],[16,0.9],[0,0.1]]},
"float16":{"tflops":1000},"posit16":{"tflops":5}},"vector":{},"mem1":{"GiB":80,"GBps":3072,"MB_efficiency":[[100,0.9],[0,0.3]]}})";

TEST(Aiconfigurator, ReadsADevice) {
    const Reading reading = read_text("aiconfigurator", kYaml, {.name = "h100_sxm.yaml"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const device = reading.find<model::Device>("nvidia.h100-sxm5-80gb");
    ASSERT_NE(device, nullptr);
    EXPECT_EQ(device->vendor, "NVIDIA");
    EXPECT_DOUBLE_EQ(device->memory_gib.value_or(0), 80);
    EXPECT_DOUBLE_EQ(device->memory_bandwidth_gb_per_s.value_or(0), 3350);
    EXPECT_DOUBLE_EQ(device->tdp_w, 700);
    EXPECT_EQ(device->peak_flops, (std::map<std::string, double>{{"bf16", 989e12}, {"fp8", 1978e12}}));
    EXPECT_EQ(device->note, "Dense peaks of tensor cores. 8 a node. 50 GB/s a GPU between nodes, one way.");
    ASSERT_EQ(reading.report.warnings.count, 1U);
    EXPECT_EQ(reading.report.warnings.first[0].reason, "gpu.strange_tc_flops of 1 is left out: its precision is unknown");
}

TEST(Aiconfigurator, TellsBoardsApartByTheirMemory) {
    EXPECT_NE(read_text("aiconfigurator", kYaml, {.name = "a100_sxm.yaml"}).find<model::Device>("nvidia.a100-sxm4-80gb"), nullptr);
    const Reading odd = read_text("aiconfigurator", kYaml, {.name = "h200_sxm.yaml"});
    ASSERT_TRUE(odd.error) << "an H200 has no 80 GiB";
    EXPECT_EQ(odd.error->message, "\"h200_sxm\" with 80 GiB is no device that is known; give the option device");
    EXPECT_NE(read_text("aiconfigurator", kYaml, {.name = "x.yaml", .device = "example.chip"}).find<model::Device>("example.chip"),
              nullptr);
}

TEST(Aiconfigurator, RefusesWhatGrowsNestsOrIsNoSystem) {
    struct Row {
        std::string text;
        const char* message;
    };
    std::string bomb = "a: &a [x,x]\n";
    for (char c = 'b'; c < 'k'; ++c) {
        const char before = static_cast<char>(c - 1);
        bomb += std::string(1, c) + ": &" + c + " [*" + before + ",*" + before + "]\n";
    }
    const Row rows[] = {
        {bomb, "row 1: it has an anchor; write it out"},
        {"a: *b\n", nullptr},
        {std::string(40, '['), "row 1: it is nested deeper than 32"},
        {std::string(100000, '['), "row 1: it is nested deeper than 32"},
        {"gpu: [1\n", nullptr},
        {"gpu: 5\n", "it has no map \"gpu\": a system file of aiconfigurator is needed"},
        {"- 1\n", "it has no map \"gpu\": a system file of aiconfigurator is needed"},
        {"", "it has no map \"gpu\": a system file of aiconfigurator is needed"},
        {"gpu: {mem_bw: 1}\n", "gpu.power is missing; a device needs its watts"},
        {"gpu: {power: many}\n", "gpu.power is no number of watts from 1 to 20000"},
        {"gpu: {power: [1]}\n", "gpu.power is no number of watts from 1 to 20000"},
        {"gpu: {power: 700, ? [1, 2] : 3}\n", nullptr},
        {"x: " + std::string(2U << 20U, 'y'), "the file has more than 1048576 bytes"},
    };
    for (const Row& row : rows) {
        const Reading reading = read_text("aiconfigurator", row.text, {.name = "h100_sxm.yaml"});
        if (row.message != nullptr) {
            ASSERT_TRUE(reading.error) << row.text.substr(0, 50);
            EXPECT_EQ(reading.error->message, row.message);
        }
    }
    EXPECT_TRUE(read_text("aiconfigurator", "gpu: [1\n", {.name = "h100_sxm.yaml"}).error->message.starts_with("row "));
}

TEST(Calculon, ReadsADeviceAndItsEfficiency) {
    const Reading reading = read_text("calculon", kCalculon, {.name = "h100_80g_nvl8.json", .tdp_w = "700"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const device = reading.find<model::Device>("nvidia.h100-sxm5-80gb");
    ASSERT_NE(device, nullptr);
    EXPECT_DOUBLE_EQ(device->tdp_w, 700);
    EXPECT_DOUBLE_EQ(device->memory_gib.value_or(0), 80);
    EXPECT_DOUBLE_EQ(device->memory_bandwidth_gb_per_s.value_or(0), 3072);
    EXPECT_EQ(device->peak_flops, (std::map<std::string, double>{{"fp16", 1e15}, {"fp8", 2e15}}));
    EXPECT_EQ(device->note,
              "tdp_w is given, not of the file. Efficiency of fp8 by GFLOP of an operation: 0.1 from 0, 0.9 from 16, 0.95 "
              "from 128. Efficiency of memory by MB of an access: 0.3 from 0, 0.9 from 100.");
    EXPECT_EQ(reading.report.warnings.first.at(0).reason, "matrix.posit16 is left out: its precision is unknown");
}

TEST(Calculon, ReadsTheOlderShapeOfOnePeak) { // as systems/h100_80g_nvl256.json was published
    const Reading reading = read_text("calculon", R"({"matrix":{"tflops":1000,"gflops_efficiency":{"float16":[[128,0.95],[0,0.1]],
"posit16":[[0,0.1]]}},"mem1":{"GiB":80,"GBps":3072}})",
                                      {.name = "h100_80g_nvl256.json", .tdp_w = "700"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const device = reading.find<model::Device>("nvidia.h100-sxm5-80gb");
    ASSERT_NE(device, nullptr);
    EXPECT_EQ(device->peak_flops, (std::map<std::string, double>{{"fp16", 1e15}}));
    EXPECT_NE(device->note.find("Efficiency of fp16 by GFLOP of an operation: 0.1 from 0, 0.95 from 128."), std::string::npos);
    EXPECT_EQ(reading.report.warnings.count, 1U);
}

TEST(Calculon, SaysWhatItNeeds) {
    const Options h100{.name = "h100_80g.json", .tdp_w = "700"};
    EXPECT_TRUE(
        read_text("calculon", kCalculon, {.name = "what.json", .tdp_w = "700"}).error->message.starts_with("\"what\" with 80 GiB"));
    EXPECT_TRUE(read_text("calculon", kCalculon, {.name = "h200.json", .tdp_w = "700"}).error) << "of other memory";
    EXPECT_EQ(read_text("calculon", "{}", h100).error->message,
              "it has no \"matrix\" or \"mem1\": a system file of Calculon is needed");
    EXPECT_EQ(read_text("calculon", R"({"matrix":{"float16":{"tflops":0}},"mem1":{"GiB":80}})", h100).error->message,
              "matrix has no precision with its tflops");
    EXPECT_TRUE(read_text("calculon", "{\"matrix\":", h100).error);
    EXPECT_EQ(check_options(*find_format("calculon"), {.name = "h100_80g.json"})[0].pointer, "/tdp_w");
    EXPECT_EQ(check_options(*find_format("calculon"), {.tdp_w = "0"})[0].message, "give 1 to 20000 W");
}

TEST(SystemFiles, OfTheRealSetsAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading yaml =
        read_shared("aiconfigurator", {"aiconfigurator-systems/a100_sxm.yaml", "aiconfigurator-systems/b200_sxm.yaml",
                                       "aiconfigurator-systems/h100_sxm.yaml", "aiconfigurator-systems/l40s.yaml"});
    ASSERT_FALSE(yaml.error) << yaml.error->message;
    EXPECT_EQ(yaml.report.warnings.count, 0U);
    ASSERT_NE(yaml.find<model::Device>("nvidia.a100-sxm4-80gb"), nullptr);
    EXPECT_DOUBLE_EQ(yaml.find<model::Device>("nvidia.b200-sxm-180gb")->peak_flops.at("fp4"), 9e15);
    EXPECT_NEAR(yaml.find<model::Device>("nvidia.l40s")->memory_gib.value_or(0), 46068.0 / 1024, 1e-9);
    const Reading a100 = read_shared("calculon", {"calculon-systems/a100_80g.json"}, {.tdp_w = "400"});
    ASSERT_FALSE(a100.error) << a100.error->message;
    EXPECT_DOUBLE_EQ(a100.find<model::Device>("nvidia.a100-sxm4-80gb")->peak_flops.at("fp16"), 312e12);
    const Reading h100 = read_shared("calculon", {"calculon-systems/h100_80g_nvl8.json"}, {.tdp_w = "700"});
    EXPECT_DOUBLE_EQ(h100.find<model::Device>("nvidia.h100-sxm5-80gb")->peak_flops.at("fp8"), 2000e12);
}

TEST(Aiconfigurator, SaysInUtf8WhatIsNoYaml) {
    for (const char* const text : {"a: \"\\\xc3\xa9\"\n", "a: \"\\\xdc\\\"\n"}) {
        const Reading reading = read_text("aiconfigurator", text);
        ASSERT_TRUE(reading.error) << text;
        EXPECT_TRUE(is_utf8(reading.error->message));
    }
}

} // namespace
} // namespace costcurve::imports
