// Telemetry: Prometheus text as DCGM exporters print it, and JSON lines.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "server/import/identity/added_names.hpp"
#include "server/import/telemetry/prometheus.hpp"
#include "server/import/telemetry/telemetry_lines.hpp"
#include "server/import/telemetry/telemetry_metrics.hpp"
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::imports {
namespace {

constexpr std::int64_t kNow = 1'790'000'000'000;

// In blocks of odd sizes, so that lines cross them.
Bytes in_blocks(std::string_view text) {
    return Bytes([text, size = std::size_t{1}]() mutable {
        const std::string_view block = text.substr(0, size);
        text.remove_prefix(block.size());
        size = size % 512 * 3 + 1;
        return block;
    });
}

Reading read_metrics(std::string_view text) {
    Reading reading;
    reading.report.on_sample = [&](const Sample& sample) { reading.samples.push_back(sample); };
    Bytes bytes = in_blocks(text);
    reading.error = read_prometheus(bytes, kNow, reading.report);
    return reading;
}

Reading read_lines(std::string_view text) {
    Reading reading;
    reading.report.on_sample = [&](const Sample& sample) { reading.samples.push_back(sample); };
    Bytes bytes = in_blocks(text);
    reading.error = read_telemetry_lines(bytes, reading.report);
    return reading;
}

std::string line_reason(const Reading& reading, std::size_t index = 0) {
    return reading.report.rejected.first.size() > index ? reading.report.rejected.first[index].reason : "";
}

std::string shared_metrics(const std::string& name) {
    const auto path = tests::source_folder().parent_path() / "shared/data" / name;
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Prometheus, ConvertsPercentMillijouleAndMebibyte) {
    const Reading reading = read_metrics(
        "# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).\n"
        "# TYPE DCGM_FI_DEV_POWER_USAGE gauge\n"
        "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-1\",modelName=\"NVIDIA H100 80GB HBM3\",Hostname=\"h\"} 512.5\r\n"
        "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\",modelName=\"NVIDIA H100 80GB HBM3\",Hostname=\"h\"} 97\n"
        "\n"
        "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu=\"0\",UUID=\"GPU-1\",Hostname=\"h\"} 2.5e6 1790000001234\n"
        "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-1\",Hostname=\"h\"} 51\n"
        "DCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-1\",Hostname=\"h\"} 2048\n"
        "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\",UUID=\"GPU-1\",Hostname=\"h\"} 1980\n"
        "go_goroutines 9");
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.samples.size(), 5U);
    EXPECT_EQ(reading.report.rows, 7U);
    EXPECT_EQ(reading.report.skipped, 2U);
    const Sample& power = reading.samples[0];
    EXPECT_EQ(power.source, "h/GPU-1");
    EXPECT_EQ(power.device, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(power.metric, "power_w");
    EXPECT_EQ(power.time_ms, kNow);
    EXPECT_DOUBLE_EQ(power.value, 512.5);
    EXPECT_DOUBLE_EQ(reading.samples[1].value, 0.97);
    EXPECT_EQ(reading.samples[2].metric, "energy_j");
    EXPECT_EQ(reading.samples[2].time_ms, 1790000001234);
    EXPECT_DOUBLE_EQ(reading.samples[2].value, 2500.0); // mJ
    EXPECT_EQ(reading.samples[3].metric, "temperature_c");
    EXPECT_DOUBLE_EQ(reading.samples[4].value, 2.0); // MiB
}

TEST(Prometheus, ReadsEscapesBracesAndCommasInsideOfLabels) {
    const Reading reading =
        read_metrics(R"(DCGM_FI_DEV_POWER_USAGE { pod="a}b,\"c\\" , gpu = "3", Hostname="rack \"7\"\\", } 100)");
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.samples.size(), 1U);
    EXPECT_EQ(reading.samples[0].source, R"(rack "7"\/3)");
}

TEST(Prometheus, TellsMigInstancesApartWhereTheMetricIsTheirs) {
    const Reading reading = read_metrics("DCGM_FI_PROF_GR_ENGINE_ACTIVE{UUID=\"GPU-1\",GPU_I_ID=\"7\"} 0.5\n"
                                         "DCGM_FI_DEV_POWER_USAGE{UUID=\"GPU-1\",GPU_I_ID=\"7\"} 300\n");
    ASSERT_EQ(reading.samples.size(), 2U);
    EXPECT_EQ(reading.samples[0].source, "GPU-1"); // power is of the board
    EXPECT_EQ(reading.samples[1].source, "GPU-1/7");
}

TEST(Prometheus, TakesOneOfTwoMetricsForUtilization) {
    const Reading reading = read_metrics("DCGM_FI_DEV_GPU_UTIL{UUID=\"a\"} 50\nDCGM_FI_PROF_GR_ENGINE_ACTIVE{UUID=\"a\"} 0.4\n"
                                         "DCGM_FI_PROF_GR_ENGINE_ACTIVE{UUID=\"b\"} 0.3\n");
    ASSERT_EQ(reading.samples.size(), 3U);
    EXPECT_DOUBLE_EQ(reading.samples[0].value, 0.5);
    EXPECT_DOUBLE_EQ(reading.samples[1].value, 0.4);
    EXPECT_EQ(reading.samples[1].metric, "engine_utilization");
    EXPECT_DOUBLE_EQ(reading.samples[2].value, 0.3);
    EXPECT_EQ(reading.samples[2].metric, "utilization") << "nothing else tells how busy b was";
}

TEST(Prometheus, TheOrderOfLinesDecidesNothing) {
    std::vector<std::string> lines{"DCGM_FI_DEV_GPU_UTIL{UUID=\"a\"} 80\n", "DCGM_FI_PROF_GR_ENGINE_ACTIVE{UUID=\"a\"} 0.35\n",
                                   "gpu_package_power{serial_number=\"b\"} 500\n",
                                   "gpu_average_package_power{serial_number=\"b\"} 480\n",
                                   "gpu_power_usage{serial_number=\"b\"} 470\n"};
    std::sort(lines.begin(), lines.end());
    do {
        std::string text;
        for (const std::string& line : lines) {
            text += line;
        }
        std::set<std::string> found;
        for (const Sample& sample : read_metrics(text).samples) {
            found.insert(fmt::format("{} {} {}", sample.source, sample.metric, sample.value));
        }
        ASSERT_EQ(found, (std::set<std::string>{"a utilization 0.8", "a engine_utilization 0.35", "b power_w 500"})) << text;
    } while (std::next_permutation(lines.begin(), lines.end()));
}

TEST(Prometheus, AmdsPrefixIsNoPartOfTheName) {
    const Reading reading = read_metrics("amd_gpu_average_package_power{card_series=\"AMD Instinct MI300X OAM\",gpu_id=\"0\"} 512\n"
                                         "amd_GPU_USAGE{gpu_id=\"0\"} 1\namd_gpu_gfx_activity{gpu_id=\"0\"} 97\n");
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.samples.size(), 2U);
    EXPECT_EQ(reading.samples[1].metric, "power_w");
    EXPECT_EQ(reading.samples[1].device, "amd.mi300x");
    EXPECT_DOUBLE_EQ(reading.samples[0].value, 0.97);
}

TEST(Prometheus, MetricsOfOtherExportersAreNamed) {
    const Reading mixed = read_metrics("DCGM_FI_DEV_GPU_UTIL{UUID=\"a\"} 80\nnvidia_smi_power_draw_watts{uuid=\"a\"} 300\n"
                                       "habanalabs_power_mW{device=\"0\"} 300000\n");
    EXPECT_EQ(mixed.report.warnings.count, 1U);
    EXPECT_TRUE(says(mixed.report.warnings, 0,
                     "2 lines of metrics of another exporter are not read: habanalabs_power_mW, "
                     "nvidia_smi_power_draw_watts"));
    const Reading alone = read_metrics("nvidia_smi_power_draw_watts{uuid=\"a\"} 300\n");
    ASSERT_TRUE(alone.error);
    EXPECT_NE(alone.error->message.find("nvidia_smi_power_draw_watts is not read"), std::string::npos) << alone.error->message;
}

TEST(Prometheus, RejectsWhatIsNoReadingWithItsRow) {
    const Reading reading = read_metrics("DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} NaN\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} +Inf\n"
                                         "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 101\n"
                                         "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu=\"0\"} 140737488355328\n"
                                         "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 2147483632\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 100 1790000001\n"
                                         "DCGM_FI_DEV_POWER_USAGE{Hostname=\"h\"} 100\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} -5\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 0\n");
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.samples.size(), 1U); // 0 W is a reading
    EXPECT_EQ(reading.report.rejected.count, 8U);
    EXPECT_EQ(line_reason(reading, 0), "DCGM_FI_DEV_POWER_USAGE is nan: the sensor gave no reading");
    EXPECT_EQ(line_reason(reading, 1), "DCGM_FI_DEV_POWER_USAGE is inf: the sensor gave no reading");
    EXPECT_EQ(line_reason(reading, 2), "DCGM_FI_DEV_GPU_UTIL is 101; utilization from 0 to 1 fraction is allowed");
    EXPECT_EQ(line_reason(reading, 3), "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION is 140737488355328: the sensor gave no reading");
    EXPECT_EQ(line_reason(reading, 5), "its time is 1790000001; Unix milliseconds of a day from 1974 to 2199 are needed");
    EXPECT_EQ(line_reason(reading, 6), "it has no label UUID, gpu, serial_number or gpu_id: which device is it of?");
    EXPECT_EQ(reading.report.rejected.first[7].row, 8U);
}

TEST(Prometheus, NamesLinesThatAreCutOffOrMalformed) {
    const Reading reading = read_metrics("DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 100\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"}\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=0} 100\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\" UUID=\"1\"} 100\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 100 1520879607.789\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 100 1790000000000 # exemplar\n"
                                         "100\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"}\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"}} 1\n");
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.samples.size(), 1U);
    const std::string needed = "; NAME{label=\"value\",…} value [Unix ms] is needed";
    ASSERT_EQ(reading.report.rejected.count, 9U);
    EXPECT_EQ(line_reason(reading, 0), "its labels are never closed" + needed);
    EXPECT_EQ(line_reason(reading, 1), "its value is missing" + needed);
    EXPECT_EQ(line_reason(reading, 2), "the value of label gpu has no quotes");
    EXPECT_EQ(line_reason(reading, 3), "a comma is needed after label gpu");
    EXPECT_EQ(line_reason(reading, 4), "its time is 1520879607.789" + needed);
    EXPECT_EQ(line_reason(reading, 5), "there is more after its time: # exemplar" + needed);
    EXPECT_EQ(line_reason(reading, 6), "a metric's name is needed" + needed);
}

TEST(Prometheus, WarnsOnceOfAModelThatIsUnknown) {
    const Reading reading = read_metrics("DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",modelName=\"Graphics 9\"} 100\n"
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"1\",modelName=\"Graphics 9\"} 100\n");
    EXPECT_EQ(reading.samples.size(), 2U);
    EXPECT_EQ(reading.samples[0].device, "");
    ASSERT_EQ(reading.report.warnings.count, 1U);
    EXPECT_EQ(reading.report.warnings.first[0].reason,
              "no device is known by the name Graphics 9: its samples are kept without one");
}

// One board whole, one in partitions, which share its power.
TEST(Prometheus, ReadsTheExporterOfAmd) {
    const std::string whole = "{card_series=\"AMD Instinct MI300X OAM\",gpu_id=\"2\",gpu_partition_id=\"0\",hostname=\"h\","
                              "serial_number=\"S1\",gpu_uuid=\"u\"} ";
    const std::string part = "{card_series=\"AMD Instinct MI300X OAM\",gpu_id=\"9\",gpu_partition_id=\"3\",hostname=\"h\","
                             "serial_number=\"S2\"} ";
    const Reading reading =
        read_metrics("gpu_package_power" + whole + "612\ngpu_power_usage" + whole + "610\nGPU_GFX_ACTIVITY" + whole +
                     "93\ngpu_energy_consumed" + whole + "2.5e9\ngpu_junction_temperature" + whole + "71\ngpu_used_vram" + whole +
                     "2048\ngpu_gfx_activity" + part + "50\ngpu_package_power" + part + "300\ngpu_gfx_activity" + part + "65535\n");
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.samples.size(), 7U);
    EXPECT_EQ(reading.report.skipped, 1U) << "one power of a board";
    EXPECT_EQ(reading.samples[0].source, "h/S1");
    EXPECT_EQ(reading.samples[0].device, "amd.mi300x");
    EXPECT_DOUBLE_EQ(reading.samples[0].value, 612);
    EXPECT_DOUBLE_EQ(reading.samples[1].value, 0.93);
    EXPECT_DOUBLE_EQ(reading.samples[2].value, 2500.0); // uJ
    EXPECT_EQ(reading.samples[3].metric, "temperature_c");
    EXPECT_DOUBLE_EQ(reading.samples[4].value, 2.0);
    EXPECT_EQ(reading.samples[5].source, "h/S2/3");
    EXPECT_EQ(reading.samples[6].source, "h/S2");
    EXPECT_EQ(reading.report.rejected.count, 1U) << "65535 stands for no reading";
}

TEST(Prometheus, OfAnotherFormatOrExporterIsRefused) {
    EXPECT_EQ(read_metrics("{\"a\": 1}\n[2]\n").error.value().message, "row 1: it is not Prometheus text, and no other line is");
    const std::string none = "there is no metric of DCGM, of AMD's exporter, of a TPU or of a server in it: "
                             "DCGM_FI_DEV_POWER_USAGE, gpu_package_power, duty_cycle, vllm:num_requests_running or another is "
                             "needed";
    EXPECT_EQ(read_metrics("go_goroutines 9\n").error.value().message, none);
    EXPECT_EQ(read_metrics("").error.value().message, none);
    EXPECT_TRUE(read_metrics(std::string_view("a\0b", 3)).error);
    EXPECT_TRUE(read_metrics("DCGM_FI_DEV_GPU_UTIL{gpu=\"\xff\"} 1").error);
}

TEST(Prometheus, OfTheRealScrapeGivesItsSixMetrics) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_metrics(shared_metrics("dcgm-exporter/metrics_rtx4000ada.prom"));
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 25U); // grep -vc '^#'
    // GPU_TEMP, POWER_USAGE, TOTAL_ENERGY_CONSUMPTION, GPU_UTIL, FB_USED, GR_ENGINE_ACTIVE.
    ASSERT_EQ(reading.samples.size(), 6U);
    EXPECT_EQ(reading.report.skipped, 19U);
    EXPECT_EQ(reading.samples[0].device, "nvidia.rtx-4000-ada");
    EXPECT_EQ(reading.samples[0].source, "lke529760-766837-0a634ab30000/GPU-a8394b51-c086-568a-9f1a-c1e1c934c44c");
}

TEST(Prometheus, ReadsServersByTheirPod) {
    const Reading reading = read_metrics(
        "vllm:num_requests_running{engine=\"0\",model_name=\"m\",namespace=\"a\",pod=\"p-1\",instance=\"10.0.0.1:8000\"} 12\n"
        "vllm_num_requests_running{engine=\"1\",model_name=\"m\",instance=\"10.0.0.1:8000\"} 3\n"
        "sglang:gen_throughput{model_name=\"m\",pod=\"collector\",namespace=\"monitoring\",exported_pod=\"q-2\"} 86.5\n"
        "sglang:num_running_reqs{model_name=\"m\"} 162\n"
        "jetstream_slots_used_percentage{id=\"<host>\",idx=\"0\"} 0.25\n"
        "vllm:num_requests_running 4\n"
        "vllm:prompt_tokens_created{model_name=\"m\"} 7\n");
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.samples.size(), 5U);
    EXPECT_EQ(reading.samples[0].source, "a/p-1/0");
    EXPECT_EQ(reading.samples[0].metric, "batch");
    EXPECT_DOUBLE_EQ(reading.samples[0].value, 12);
    EXPECT_EQ(reading.samples[0].device, "");
    EXPECT_EQ(reading.samples[1].source, "10.0.0.1:8000/1");
    EXPECT_EQ(reading.samples[2].source, "q-2") << "not the pod that Prometheus scraped";
    EXPECT_EQ(reading.samples[2].metric, "units_per_s");
    EXPECT_EQ(reading.samples[3].source, "m");
    EXPECT_EQ(reading.samples[4].source, "<host>/0");
    EXPECT_EQ(reading.samples[4].metric, "utilization");
    EXPECT_EQ(line_reason(reading), "it has no label pod, instance, id or model_name: which server is it of?");
    EXPECT_EQ(reading.report.skipped, 1U) << "the time at which a counter began";
    EXPECT_EQ(reading.report.warnings.count, 0U);
}

TEST(Prometheus, ReadsCountersOfTokens) {
    const Reading reading =
        read_metrics("vllm:prompt_tokens_total{engine=\"0\",model_name=\"m\",namespace=\"a\",pod=\"p-1\"} 1.5e6\n"
                     "vllm:generation_tokens_total{engine=\"0\",model_name=\"m\",namespace=\"a\",pod=\"p-1\"} 2.5e5\n"
                     "sglang_generation_tokens_total{model_name=\"m\"} -1\n");
    ASSERT_EQ(reading.samples.size(), 2U);
    EXPECT_EQ(reading.samples[0].metric, "input_tokens");
    EXPECT_EQ(reading.samples[0].source, "a/p-1/0");
    EXPECT_DOUBLE_EQ(reading.samples[0].value, 1.5e6);
    EXPECT_EQ(reading.samples[1].metric, "output_tokens");
    EXPECT_EQ(line_reason(reading),
              "sglang:generation_tokens_total is -1; output_tokens from 0 to 1000000000000000 tokens is allowed");
}

TEST(Prometheus, ReadsTokensFromTheSumsOfHistograms) {
    const Reading reading = read_metrics("# TYPE tgi_request_generated_tokens histogram\n"
                                         "tgi_request_generated_tokens_bucket{le=\"10\"} 3\n"
                                         "tgi_request_generated_tokens_sum{instance=\"t:80\"} 50000\n"
                                         "tgi_request_input_length_sum{instance=\"t:80\"} 150000\n"
                                         "tgi_batch_current_size{instance=\"t:80\"} 4\n"
                                         "dynamo_frontend_output_sequence_tokens_sum{model=\"m\",instance=\"f:8000\"} 7\n");
    ASSERT_EQ(reading.samples.size(), 4U);
    EXPECT_EQ(reading.samples[0].metric, "output_tokens");
    EXPECT_EQ(reading.samples[0].value, 50000);
    EXPECT_EQ(reading.samples[1].metric, "input_tokens");
    EXPECT_EQ(reading.samples[2].metric, "batch");
    EXPECT_EQ(reading.samples[3].metric, "output_tokens");
}

// As GKE's device plugin 1.35.7 prints a node of Ironwood: a chip that a pod has under two names, an idle one under one.
TEST(Prometheus, ReadsTpuChips) {
    const std::string chip =
        "{accelerator_id=\"12-4\",container=\"c\",make=\"cloud-tpu\",model=\"tpu7x\",namespace=\"n\",pod=\"p\","
        "tpu_topology=\"2x2x2\"} ";
    const std::string idle = "{accelerator_id=\"12-0\",make=\"cloud-tpu\",model=\"tpu-v6e-slice\",tpu_topology=\"2x2\"} ";
    const std::string gpu = "{accelerator_id=\"GPU-1\",make=\"nvidia\",model=\"nvidia-l4\"} ";
    const Reading reading = read_metrics("duty_cycle" + chip + "42\nduty_cycle_node" + idle + "0\ntensorcore_utilization" + chip +
                                         "12.5\nmemory_used" + chip + "1.01737037824e+11\nmemory_total" + chip +
                                         "2.03465670656e+11\nduty_cycle" + gpu + "80\nmemory_used{app=\"a\"} 5\n" +
                                         "duty_cycle{make=\"cloud-tpu\"} 5\nkubernetes_io:node_accelerator_duty_cycle" + idle +
                                         "7\n" + "memory_used_node" + idle + "4.0e9 1790000001234\n");
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.samples.size(), 5U);
    EXPECT_EQ(reading.samples[0].source, "12-4");
    EXPECT_EQ(reading.samples[0].device, "google.tpu-v7");
    EXPECT_EQ(reading.samples[0].metric, "utilization");
    EXPECT_DOUBLE_EQ(reading.samples[0].value, 0.42);
    EXPECT_EQ(reading.samples[1].source, "12-0");
    EXPECT_EQ(reading.samples[1].device, "google.tpu-v6e");
    EXPECT_EQ(reading.samples[2].metric, "tensorcore_utilization");
    EXPECT_DOUBLE_EQ(reading.samples[2].value, 0.125);
    EXPECT_EQ(reading.samples[3].metric, "memory_used_gib");
    EXPECT_NEAR(reading.samples[3].value, 94.75, 1e-3);
    EXPECT_EQ(reading.samples[4].time_ms, 1790000001234);
    EXPECT_EQ(reading.report.skipped, 4U) << "what there is of it, a GPU's, an application's, the second of one metric";
    EXPECT_EQ(line_reason(reading), "it has no label accelerator_id: which chip is it of?");
    EXPECT_EQ(reading.report.warnings.count, 0U);
    EXPECT_TRUE(read_metrics("memory_used{app=\"a\"} 5\n").error) << "of that name alone";
}

// After Prometheus an idle GPU has its exporter's pod: a device is the same with it or without.
TEST(Prometheus, KnowsADeviceWhateverPodStandsBesideIt) {
    const std::string board = "UUID=\"GPU-1\",modelName=\"NVIDIA H100 80GB HBM3\",Hostname=\"n\"";
    const Reading reading = read_metrics("DCGM_FI_DEV_POWER_USAGE{" + board + ",exported_pod=\"vllm\",pod=\"exporter\"} 113\n" +
                                         "DCGM_FI_DEV_POWER_USAGE{" + board + ",namespace=\"gpu-operator\",pod=\"exporter\"} 68\n" +
                                         "DCGM_FI_DEV_POWER_USAGE{" + board + "} 65\n");
    ASSERT_EQ(reading.samples.size(), 3U);
    for (const Sample& sample : reading.samples) {
        EXPECT_EQ(sample.source, "n/GPU-1");
        EXPECT_EQ(sample.device, "nvidia.h100-sxm5-80gb");
    }
}

TEST(Prometheus, KnowsDevicesByNamesThatAUserAdded) {
    AddedNames names;
    names.add("Graphics 9", {"acme.g9", 1});
    const NamesInUse in_use(&names);
    const Reading reading = read_metrics("DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",modelName=\"Graphics 9\"} 100\n");
    ASSERT_EQ(reading.samples.size(), 1U);
    EXPECT_EQ(reading.samples[0].device, "acme.g9");
    EXPECT_EQ(reading.report.warnings.count, 0U);
}

TEST(Prometheus, OfTheRealServersAndExportersIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading h100 = read_metrics(shared_metrics("dcgm-exporter/metrics_h100_kubernetes.prom"));
    std::set<std::string> sources;
    double busiest = 0.0;
    for (const Sample& sample : h100.samples) {
        sources.insert(sample.source);
        busiest = sample.metric == "power_w" ? std::max(busiest, sample.value) : busiest;
    }
    EXPECT_EQ(sources.size(), 8U);
    EXPECT_NEAR(busiest, 113.611, 1e-6);

    const Reading sglang = read_metrics(shared_metrics("sglang-metrics/metrics_sglang_llama31_8b.prom"));
    ASSERT_EQ(sglang.samples.size(), 4U);
    EXPECT_EQ(sglang.samples[0].source, "meta-llama/Llama-3.1-8B-Instruct");
    EXPECT_EQ(sglang.samples[0].metric, "input_tokens");
    EXPECT_DOUBLE_EQ(sglang.samples[0].value, 8128902);
    EXPECT_EQ(sglang.samples[1].metric, "output_tokens");
    EXPECT_EQ(sglang.samples[2].metric, "batch");
    EXPECT_DOUBLE_EQ(sglang.samples[2].value, 162);
    EXPECT_NEAR(sglang.samples[3].value, 86.508, 1e-3);

    const Reading jetstream = read_metrics(shared_metrics("jetstream-metrics/metrics_jetstream_tpu.prom"));
    ASSERT_EQ(jetstream.samples.size(), 1U);
    EXPECT_EQ(jetstream.samples[0].source, "<SOME-HOSTNAME-HERE>/0");
    EXPECT_NEAR(jetstream.samples[0].value, 1.0 / 24, 1e-9);

    const Reading amd = read_metrics(shared_metrics("amd-device-metrics-exporter/metrics_mini.txt"));
    ASSERT_EQ(amd.samples.size(), 2U);
    EXPECT_EQ(amd.samples[0].source, "692247001282");
    EXPECT_DOUBLE_EQ(amd.samples[0].value, 41);
    EXPECT_EQ(amd.samples[1].metric, "utilization");
}

TEST(TelemetryLines, GiveASampleAMetric) {
    const Reading reading =
        read_lines("{\"time\": \"2026-11-20T12:00:00.5+01:00\", \"source\": \"host1/0\", \"device\": \"H100\", \"power_w\": 512.5, "
                   "\"utilization\": 0.9, \"energy_j\": null}\r\n"
                   "\n"
                   "{\"time\": 1790000000, \"source\": \"host1/0\", \"units_per_s\": 5000, \"batch\": 64}\n"
                   "{\"time\": 1790000000123, \"source\": \"host1/0\", \"device\": \"acme.npu-1\", \"temperature_c\": 40}");
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 3U);
    ASSERT_EQ(reading.samples.size(), 5U);
    EXPECT_EQ(reading.samples[0].metric, "power_w");
    EXPECT_EQ(reading.samples[0].device, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(reading.samples[0].time_ms, 1795172400500); // date -ud 2026-11-20T11:00 +%s is 1795172400
    EXPECT_EQ(reading.samples[2].time_ms, 1790000000000);
    EXPECT_EQ(reading.samples[3].metric, "batch");
    EXPECT_EQ(reading.samples[4].time_ms, 1790000000123);
    EXPECT_EQ(reading.samples[4].device, "acme.npu-1");
}

TEST(TelemetryLines, SayAllThatIsWrongWithALine) {
    const Reading reading = read_lines("{\"source\": \"a\", \"time\": 1790000000, \"power_w\": 1}\n"
                                       "{\"time\": \"2026-11-20T12:00:00\", \"power_w\": 30000, \"utilization\": \"0.9\"}\n"
                                       "{\"time\": 5, \"source\": \"a\"}\n"
                                       "{\"time\": 1790000000, \"source\": \"a\", \"power_w\": 1, \"power_w\": 2}\n"
                                       "{\"time\": 1790000000, \"source\": 7, \"power_w\": 1}\n"
                                       "{\"time\": 1790000000, \"source\": \"a\", \"power_w\": 1\n"
                                       "{\"time\": 1790000000, \"source\": \"a\", \"power_w\": null}\n");
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.samples.size(), 1U);
    ASSERT_EQ(reading.report.rejected.count, 5U);
    EXPECT_EQ(line_reason(reading, 0),
              "time is 2026-11-20T12:00:00, without its zone; end it with Z or +02:00; power_w is 30000; allowed 0 "
              "to 20000 W; utilization must be a number or null; source is missing: which device is it of?");
    EXPECT_EQ(line_reason(reading, 1),
              "time is not between 1974 and 2199; it has no metric: power_w, utilization or another is needed");
    EXPECT_EQ(line_reason(reading, 2), "power_w is there twice");
    EXPECT_EQ(line_reason(reading, 3), "source must be a text; source is missing: which device is it of?");
    EXPECT_EQ(reading.report.rejected.first[4].row, 6U);
    EXPECT_EQ(reading.report.skipped, 1U); // nothing but null
}

TEST(TelemetryLines, RejectASourceWithTheCharacterZero) {
    const Reading reading = read_lines("{\"source\": \"a\\u0000b\", \"time\": 1790000000, \"power_w\": 1}\n"
                                       "{\"source\": \"ab\", \"time\": 1790000000, \"power_w\": 1}\n");
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(line_reason(reading, 0), "source has the character U+0000, which not every store can keep; leave it out");
    ASSERT_EQ(reading.samples.size(), 1U);
    EXPECT_EQ(reading.samples.front().source, "ab");
}

TEST(TelemetryLines, SurviveThousandsOfTheSameMember) {
    std::string line = "{\"time\": 1790000000, \"source\": \"a\"";
    for (int i = 0; i < 5000; ++i) {
        line += ", \"power_w\": 1";
    }
    const Reading reading = read_lines(line + "}");
    EXPECT_EQ(reading.report.rejected.count, 1U);
    EXPECT_LT(line_reason(reading).size(), 2000U);
}

TEST(TelemetryLines, WarnOnceOfAMemberThatIsUnknown) {
    const Reading reading = read_lines("{\"time\": 1790000000, \"source\": \"a\", \"power_w\": 1, \"watts\": 2}\n"
                                       "{\"time\": 1790000001, \"source\": \"a\", \"power_w\": 1, \"watts\": 2}\n");
    EXPECT_EQ(reading.samples.size(), 2U);
    ASSERT_EQ(reading.report.warnings.count, 1U);
    EXPECT_EQ(reading.report.warnings.first[0].reason, "watts is no metric that is known; left out wherever it stands");
}

TEST(TelemetryLines, OfAnotherFormatAreRefused) {
    EXPECT_EQ(read_lines("").error.value().message, "it is empty: one JSON object a line is needed");
    EXPECT_EQ(read_lines("\n[1]\n2\n").error.value().message,
              "row 2: it is no JSON object, and no other line is: one a line is needed");
    const std::string deep = std::string(2000, '[');
    EXPECT_TRUE(read_lines(deep).error);
}

TEST(TelemetryMetrics, AreAllReadAndHaveARange) {
    for (const MetricRow& row : telemetry_metrics()) {
        EXPECT_LT(row.low, row.high) << row.name;
        const Reading reading = read_lines("{\"time\": 1790000000, \"source\": \"a\", \"" + std::string(row.name) +
                                           "\": " + std::to_string(row.low) + "}");
        ASSERT_EQ(reading.samples.size(), 1U) << row.name;
        EXPECT_EQ(reading.samples[0].metric, row.name);
    }
}

} // namespace
} // namespace costcurve::imports
