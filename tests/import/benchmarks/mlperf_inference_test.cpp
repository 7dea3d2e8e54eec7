// MLPerf inference summaries: rates of whole systems, latencies, power, and what older rounds write otherwise.
#include <fmt/format.h>

#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

// One element of summary_results.json as v5.1 has it; later members of the same name win nothing: put changes in `more`.
std::string entry(const std::string& scenario, const std::string& result, const std::string& units, const std::string& more = "",
                  const std::string& accelerator = R"("Accelerator": "NVIDIA B200-SXM-180GB", "a#": 8)") {
    return fmt::format(R"({{"ID": "5.1-0001", "Submitter": "Maker", "Availability": "available", "Category": "closed", )"
                       R"("Suite": "datacenter", "System": "Box", "Platform": "Box_x8", "UsedModel": "llama2-70b-99", )"
                       R"("Model": "llama2-70b-99", "Scenario": "{}", "Nodes": 1, "Processor": "INTEL(R) XEON(R) 6980P", )"
                       R"("host_processors_per_node": 2, {}, "Software": "TensorRT 10.8, CUDA 12.8", "version": "v5.1", )"
                       R"("inferred": 0, "weight_data_types": "fp4", "Performance_Result": {}, "Performance_Units": "{}"{}{}}})",
                       scenario, accelerator, result, units, more.empty() ? "" : ", ", more);
}

std::string list(const std::vector<std::string>& entries) { return fmt::format("[{}]", fmt::join(entries, ",\n")); }

TEST(MlperfInference, RateIsOfTheWholeSystem) {
    const Reading reading =
        read_text("mlperf_inference", list({entry("Server", "99214.4", "Tokens/s")}), {.name = "summary_results.json"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance =
        reading.find<model::Performance>("mlperf-inference-5.1.llama2-70b-99.server.8x-b200-sxm-180gb.maker.box_x8");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->device.id, "nvidia.b200-sxm-180gb");
    EXPECT_EQ(performance->devices, 8);
    EXPECT_EQ(performance->units_per_s->number, 99214.4);
    EXPECT_EQ(performance->precision, "fp4");
    EXPECT_EQ(performance->framework, "tensorrt");
    EXPECT_EQ(performance->source, "summary_results.json ID 5.1-0001, llama2-70b-99 Server, Box_x8");
    EXPECT_NE(performance->note.find("8 devices together (Maker, closed division). Counts output tokens only"), std::string::npos);
}

TEST(MlperfInference, SaysWhatTheScenarioAsksFor) {
    const Reading reading = read_text("mlperf_inference", list({entry("Server", "9", "Tokens/s")}));
    ASSERT_EQ(reading.documents.size(), 1U);
    EXPECT_TRUE(std::get<model::Performance>(reading.documents[0])
                    .note.ends_with("Server: arrivals at random, a latency bound kept at the 99th percentile."));
}

TEST(MlperfInference, DevicesAreNodesTimesAccelerators) {
    const Reading reading =
        read_text("mlperf_inference",
                  list({entry("Offline", "5", "Samples/s", R"("x": 1)", R"("Accelerator": "NVIDIA GB200", "a#": "4.0")")}));
    ASSERT_EQ(reading.documents.size(), 1U);
    EXPECT_EQ(std::get<model::Performance>(reading.documents[0]).devices, 4);
    std::string eighteen = entry("Offline", "5", "Samples/s", "", R"("Accelerator": "NVIDIA GB200", "a#": 4)");
    eighteen.replace(eighteen.find("\"Nodes\": 1"), 10, "\"Nodes\": 18");
    const Reading rack = read_text("mlperf_inference", list({eighteen}));
    ASSERT_EQ(rack.documents.size(), 1U);
    EXPECT_EQ(std::get<model::Performance>(rack.documents[0]).devices, 72);
}

TEST(MlperfInference, WithoutAcceleratorsItsProcessorsCount) {
    const Reading reading =
        read_text("mlperf_inference", list({entry("Offline", "5", "Samples/s", "", R"("Accelerator": "", "a#": "")")}));
    ASSERT_EQ(reading.documents.size(), 1U);
    const auto& performance = std::get<model::Performance>(reading.documents[0]);
    EXPECT_EQ(performance.device.id, "intel.xeon-6980p");
    EXPECT_EQ(performance.devices, 2);
}

TEST(MlperfInference, WhatCannotBeKnownIsReported) {
    const Reading reading =
        read_text("mlperf_inference", list({entry("Offline", "5", "Samples/s", "", R"("Accelerator": "Abacus 3000", "a#": 8)"),
                                            entry("Offline", "5", "Samples/s", "", R"("Accelerator": "NVIDIA L4", "a#": "")"),
                                            entry("Offline", "0", "Samples/s"), entry("Offline", "\"\"", "Samples/s"),
                                            entry("Offline", "5", "Furlongs/s"), entry("Offline", "5", "Latency (ms)")}));
    ASSERT_FALSE(reading.error);
    EXPECT_TRUE(reading.documents.empty());
    ASSERT_EQ(reading.report.rejected.count, 6U);
    EXPECT_EQ(reading.report.rejected.first[0].reason, "Accelerator is \"Abacus 3000\": no device of that name is known");
    EXPECT_EQ(reading.report.rejected.first[0].row, 1U);
    EXPECT_EQ(reading.report.rejected.first[1].reason, "the number of NVIDIA L4 is not known: Nodes and a# must be whole numbers");
    EXPECT_EQ(reading.report.rejected.first[2].reason, "the result is blank, zero or no number");
    EXPECT_EQ(reading.report.rejected.first[3].reason, "the result is blank, zero or no number");
    EXPECT_EQ(reading.report.rejected.first[5].reason, "scenario Offline has no latency as its result");
}

TEST(MlperfInference, LatenciesBecomeRatesOfOneStream) {
    const Reading reading = read_text(
        "mlperf_inference", list({entry("SingleStream", "4.0", "Latency (ms)"), entry("MultiStream", "40.0", "Latency (ms)")}));
    ASSERT_EQ(reading.documents.size(), 2U);
    const auto& single = std::get<model::Performance>(reading.documents[0]);
    EXPECT_EQ(single.batch, 1);
    EXPECT_DOUBLE_EQ(single.itl_s->number, 0.004);
    EXPECT_DOUBLE_EQ(single.units_per_s->number, 250.0);
    const auto& multi = std::get<model::Performance>(reading.documents[1]);
    EXPECT_EQ(multi.batch, 8); // 8 samples a query: 8 / 0.04 s
    EXPECT_DOUBLE_EQ(multi.units_per_s->number, 200.0);
    EXPECT_NE(multi.note.find("lower is better"), std::string::npos);
}

TEST(MlperfInference, WattsBecomeAPowerCurvePerDevice) {
    const std::string watts = R"("has_power": true, "Power_Result": 10400.0, "Power_Units": "Watts")";
    const std::string millijoules = R"("has_power": true, "Power_Result": 155.1, "Power_Units": "millijoules")";
    const Reading reading = read_text("mlperf_inference", list({entry("Offline", "5", "Samples/s", watts),
                                                                entry("SingleStream", "4", "Latency (ms)", millijoules),
                                                                entry("Server", "5", "Queries/s", R"("has_power": true)")}));
    const auto* const curve =
        reading.find<model::Curve>("power.mlperf-inference-5.1.llama2-70b-99.offline.8x-b200-sxm-180gb.maker.box_x8");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->x, std::vector<double>{1.0});
    EXPECT_EQ(curve->y, std::vector<double>{1300.0}); // 10400 W / 8
    EXPECT_EQ(reading.count<model::Curve>(), 1U);
    EXPECT_NE(std::get<model::Performance>(reading.documents[1]).note.find("The system drew 10400.0 W."), std::string::npos);
    EXPECT_NE(std::get<model::Performance>(reading.documents[2]).note.find("155.1 mJ a stream"), std::string::npos);
    ASSERT_EQ(reading.report.warnings.count, 3U); // samples and queries of a language model; no power of the third
    EXPECT_EQ(reading.report.warnings.first[2].reason, "has_power is true, and Power_Result is blank or zero: no power was taken");
}

TEST(MlperfInference, InferredResultsAreEstimated) {
    std::string text = entry("Offline", "5", "Samples/s");
    text.replace(text.find("\"inferred\": 0"), 13, "\"inferred\": 1");
    const Reading reading = read_text("mlperf_inference", list({text}));
    ASSERT_EQ(reading.documents.size(), 1U);
    EXPECT_EQ(std::get<model::Performance>(reading.documents[0]).basis, model::Evidence::estimated);
}

TEST(MlperfInference, TheSameEntryTwiceIsSkippedAndAnotherResultRejected) {
    const Reading reading =
        read_text("mlperf_inference",
                  list({entry("Server", "5", "Tokens/s"), entry("Server", "5", "Tokens/s"), entry("Server", "6", "Tokens/s")}));
    EXPECT_EQ(reading.documents.size(), 1U);
    EXPECT_EQ(reading.report.skipped, 1U);
    ASSERT_EQ(reading.report.rejected.count, 1U);
    EXPECT_EQ(reading.report.rejected.first[0].reason, "it says 6, and row 1 of the same system, model and scenario says 5");
}

constexpr std::string_view kCsvHeader =
    "Organization,Availability,Division,SystemType,SystemName,Platform,Model,MlperfModel,Scenario,Result,Accuracy,number_of_nodes,"
    "host_processor_model_name,host_processors_per_node,host_processor_core_count,accelerator_model_name,accelerators_per_node,"
    "Location,framework,operating_system,notes,compliance,errors,version,inferred,has_power,Units\n";

TEST(MlperfInference, SummaryCsvOfOlderRoundsIsRead) {
    const Reading reading = read_text(
        "mlperf_inference",
        std::string(kCsvHeader) +
            "Maker,available,closed,\"datacenter\",\"Box\",Box_x8,resnet,resnet50,Server,600000.5,76.1,1,\"X\",2,56,\"NVIDIA "
            "H200-SXM-141GB\",\"8\",loc,\"TensorRT 10.2.0, CUDA 12.4\",\"Ubuntu\",\"TGP 700W\",1,0,v4.0,0,True,Queries/s\n"
            "Maker,available,closed,\"datacenter\",\"Box\",Box_x8,resnet,resnet50,Server,5600,76.1,1,\"X\",2,56,\"NVIDIA "
            "H200-SXM-141GB\",\"8\",loc,\"TensorRT 10.2.0, CUDA 12.4\",\"Ubuntu\",\"TGP 700W\",1,0,v4.0,0,True,Watts\n"
            "Maker,preview,closed,\"datacenter\",\"Box\",Box_x8,llama2-70b-99,llama2-70b-99,Offline,31263.8,44.6,1,\"X\",2,56,"
            "\"NVIDIA "
            "H200-SXM-141GB\",\"8\",loc,\"TensorRT 10.2.0, CUDA 12.4\",\"Ubuntu\",\"\",1,0,v4.0,0,False,Samples/s\n");
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const resnet =
        reading.find<model::Performance>("mlperf-inference-4.0.resnet50.server.8x-h200-sxm-141gb.maker.box_x8");
    ASSERT_NE(resnet, nullptr);
    EXPECT_EQ(resnet->units_per_s->number, 600000.5);
    // Power is a row of its own there, and joined: 5600 W / 8.
    const auto* const power =
        reading.find<model::Curve>("power.mlperf-inference-4.0.resnet50.server.8x-h200-sxm-141gb.maker.box_x8");
    ASSERT_NE(power, nullptr);
    EXPECT_EQ(power->y, std::vector<double>{700.0});
    const auto* const llama =
        reading.find<model::Performance>("mlperf-inference-4.0.llama2-70b-99.offline.8x-h200-sxm-141gb.maker.box_x8");
    ASSERT_NE(llama, nullptr);
    EXPECT_NE(llama->note.find("Availability: preview."), std::string::npos);
    ASSERT_EQ(reading.report.warnings.count, 2U);
    EXPECT_EQ(reading.report.warnings.first[0].reason,
              "Units are Samples/s, and llama2-70b-99 is counted in tokens since v4.0: taken as tokens/s");
    EXPECT_EQ(reading.report.rows, 3U);
}

TEST(MlperfInference, OtherFilesAreRefused) {
    EXPECT_EQ(read_text("mlperf_inference", "a,b\n1,2\n").error->message,
              "row 1: the header has no column named Platform, Scenario, Result");
    EXPECT_EQ(read_text("mlperf_inference", R"([{"a": 1}])").error->message,
              "no element has a Model and a Scenario: this is no summary of MLPerf inference results");
    EXPECT_EQ(read_text("mlperf_inference", R"({"a": 1})").error->message,
              "a list of results is needed, as summary_results.json has it");
    EXPECT_TRUE(read_text("mlperf_inference", list({entry("Server", "5", "Tokens/s")}).substr(0, 300)).error);
    EXPECT_TRUE(read_text("mlperf_inference", "").error);
}

TEST(MlperfInference, RealResultsAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("mlperf_inference", {"mlperf-inference/summary_results_v5.1.json"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 250U);
    // 250 less 6 of a dual Arc Pro B60, 5 of a Ryzen 5 and 2 of a Xeon 6787P, which are no devices of ours.
    EXPECT_EQ(reading.report.rejected.count, 13U);
    EXPECT_EQ(reading.count<model::Performance>(), 237U);
    // Four of llama3.1-8b, Interactive, are labelled Queries/s: 102907 on 8 B200 is tokens/s, as their Server results say.
    EXPECT_EQ(reading.report.warnings.count, 5U);
    EXPECT_EQ(reading.report.warnings.first[0].row, 58U);
    EXPECT_EQ(reading.count<model::Curve>(), 6U); // Watts of Lenovo's eleven minus the Ryzen's five
    const auto* const power = reading.find<model::Curve>(
        "power.mlperf-inference-5.1.llama2-70b-99.offline.8x-b200-sxm-180gb.lenovo.sr680a_v3_b200sxmx8_trt");
    ASSERT_NE(power, nullptr);
    EXPECT_NEAR(power->y[0], 10400.9988793425 / 8, 1e-9);
}

// Four chips of each in stable-diffusion-xl; v5e 1.75335 and v6e 5.43896 samples/s offline.
TEST(MlperfInference, RealResultsOfTpusAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("mlperf_inference", {"mlperf-inference-v4.1/summary_results_v4.1.json"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rejected.count, 0U);
    const std::string begin = "mlperf-inference-4.1.stable-diffusion-xl.";
    for (const auto& [id, rate] : {std::pair<std::string, double>{"offline.4x-tpu-v5e.google.tpu_v5e_x4_flax", 1.75335},
                                   {"server.4x-tpu-v5e.google.tpu_v5e_x4_flax", 1.54554},
                                   {"offline.4x-tpu-v6e.google.tpu_v6_x4_flax", 5.43896},
                                   {"server.4x-tpu-v6e.google.tpu_v6_x4_flax", 4.48577}}) {
        const auto* const performance = reading.find<model::Performance>(begin + id);
        ASSERT_NE(performance, nullptr) << id;
        EXPECT_DOUBLE_EQ(performance->units_per_s->number, rate);
        EXPECT_EQ(performance->devices, 4);
    }
}

TEST(MlperfInference, RealSummaryCsvIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("mlperf_inference", {"mlperf-inference/summary_v4.1_GigaComputing.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rejected.count, 0U);
    EXPECT_EQ(reading.count<model::Performance>() + reading.report.skipped, reading.report.rows);
    const auto* const performance = reading.find<model::Performance>(
        "mlperf-inference-4.1.retinanet.server.8x-h200-sxm-141gb.gigacomputing.gigabyte_g593_sd1_h200_sxm_141gbx8_trt");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->units_per_s->number, 14012.2);
}

} // namespace
} // namespace costcurve::imports
