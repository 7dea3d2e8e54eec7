// Tables of measured rates as documents: rows of one model, device and layout are one series, and what says nothing new is skipped.
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

using model::Measurement;

const std::string kHeader = "source,ref,measured,device,devices,tp,pp,ep,dp,model,weights,kv,framework,version,kind,input,output,"
                            "concurrency,out_tok_s,ttft_ms,tpot_ms,power_w,note,doubt\n";

TEST(RateMeasurements, RowsOfOneSeriesAreOneDocument) {
    const Reading reading = read_text(
        "measured_rates",
        kHeader +
            "lab,a,2026-01-02,nvidia.h100-sxm5-80gb,4,2,1,2,2,llama-3.1-8b,fp8,bf16,vllm,0.13.1,serving,100,50,1,90,20,9,500,,\n"
            "lab,b,2026-01-02,nvidia.h100-sxm5-80gb,4,2,1,2,2,llama-3.1-8b,fp8,bf16,vllm,0.13.1,serving,100,50,8,600,30,11,900,,\n"
            "lab,c,2026-01-02,nvidia.h100-sxm5-80gb,4,2,1,2,2,llama-3.1-8b,fp8,bf16,vllm,0.13.1,serving,100,50,64,,30,11,900,,\n",
        {.name = "runs.csv"});
    ASSERT_FALSE(reading.error);
    ASSERT_EQ(reading.documents.size(), 1U);
    const auto& series = std::get<Measurement>(reading.documents.front());
    EXPECT_EQ(series.id, "lab.llama-3.1-8b.4x-h100-sxm5-80gb.tp2ep2dp2.fp8-kvbf16.vllm-0.13.1.2026-01-02.serving.pcrtiw");
    EXPECT_EQ(series.kind, model::MeasurementKind::serving);
    EXPECT_EQ(series.model, "llama-3.1-8b");
    EXPECT_EQ(series.device, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(series.devices, 4);
    EXPECT_EQ(series.parallel, (model::Parallel{2, 1, 2, 2, 1}));
    EXPECT_EQ(series.precision, model::NumberFormat::fp8);
    EXPECT_EQ(series.kv_precision, model::NumberFormat::bf16);
    EXPECT_EQ(series.publisher, "lab");
    EXPECT_EQ(series.points.input, (std::vector<double>{100, 100}));
    EXPECT_EQ(series.points.concurrency, (std::vector<double>{1, 8}));
    EXPECT_EQ(series.points.output_per_s, (std::vector<double>{90, 600}));
    EXPECT_EQ(series.points.ttft_s, (std::vector<double>{0.02, 0.03}));
    EXPECT_EQ(series.points.itl_s, (std::vector<double>{0.009, 0.011}));
    EXPECT_EQ(series.points.watts, (std::vector<double>{500, 900}));
    ASSERT_EQ(reading.report.rejected.count, 1U);
    EXPECT_EQ(reading.report.rejected.first[0].row, 4U);
    EXPECT_NE(reading.report.rejected.first[0].reason.find("out_tok_s is missing"), std::string::npos);
}

TEST(RateMeasurements, SeriesDifferInWhatTheyState) {
    const Reading reading =
        read_text("measured_rates",
                  kHeader + "lab,a,,nvidia.h100-sxm5-80gb,1,1,1,1,1,llama-3.1-8b,fp8,,vllm,,serving,100,50,1,90,20,9,,,\n"
                            "lab,b,,nvidia.h100-sxm5-80gb,1,1,1,1,1,llama-3.1-8b,fp8,,vllm,,serving,100,50,2,170,,,,,\n"
                            "lab,c,,nvidia.h100-sxm5-80gb,1,1,1,1,1,llama-3.1-8b,fp8,,vllm,,serving,100,50,4,300,20,9,,,drafted\n"
                            "lab,d,,nvidia.h100-sxm5-80gb,1,,,,,llama-3.1-8b,fp8,,vllm,,mlperf offline,100,50,,3000,,,,,\n"
                            "lab,e,,nvidia.h100-sxm5-80gb,1,1,1,1,1,llama-3.1-8b,fp8,,vllm,,prefill,512,1,1,,40,,,,\n"
                            "lab,f,,nvidia.h100-sxm5-80gb,1,1,1,1,1,llama-3.1-8b,bf16,,vllm,,static batch,100,50,1,45,,,,,\n");
    EXPECT_EQ(reading.count<Measurement>(), 6U);
    const auto* const doubtful = reading.find<Measurement>("lab.llama-3.1-8b.1x-h100-sxm5-80gb.fp8.vllm.serving.pcrti.drafted");
    ASSERT_NE(doubtful, nullptr);
    EXPECT_EQ(doubtful->doubt, "drafted");
    EXPECT_FALSE(doubtful->kv_precision) << "not stated";
    const auto* const offline = reading.find<Measurement>("lab.llama-3.1-8b.1x-h100-sxm5-80gb.fp8.vllm.offline.pr");
    ASSERT_NE(offline, nullptr);
    EXPECT_FALSE(offline->parallel);
}

TEST(RateMeasurements, RowsThatSayTheSameAreOne) {
    const std::string row = "nvidia.h100-sxm5-80gb,1,1,1,1,1,llama-3.1-8b,fp8,,vllm,0.13,serving,100,50,8,";
    const Reading reading =
        read_text("measured_rates", kHeader + "lab,a,2026-01-02," + row + "600,30,11,,,\n" + "press,b,2026-02-02," + row +
                                        "600.1,30,11,,,\n" + "lab,c,2026-02-02," + row + "660,30,10,,,\n");
    EXPECT_EQ(reading.count<Measurement>(), 2U) << "another day's other figure is another point";
    EXPECT_EQ(reading.report.skipped, 1U);
}

TEST(RateMeasurements, WhatIsNotKnownIsRejectedByName) {
    const Reading reading =
        read_text("measured_rates",
                  kHeader + "lab,a,,Acme Nine,1,1,1,1,1,llama-3.1-8b,fp8,,vllm,,serving,100,50,1,90,20,9,,,\n"
                            "lab,b,,nvidia.h100-sxm5-80gb,1,1,1,1,1,llama-3.1-8b,fp7,,vllm,,serving,100,50,1,90,20,9,,,\n"
                            "lab,c,,nvidia.h100-sxm5-80gb,1,1,1,1,1,llama-3.1-8b,fp8,,vllm,,dreaming,100,50,1,90,20,9,,,\n"
                            "lab,d,,nvidia.h100-sxm5-80gb,1.5,1,1,1,1,llama-3.1-8b,fp8,,vllm,,serving,100,50,1,90,20,9,,,\n");
    EXPECT_TRUE(reading.documents.empty());
    ASSERT_EQ(reading.report.rejected.count, 4U);
    EXPECT_NE(reading.report.rejected.first[0].reason.find("Acme Nine"), std::string::npos);
    EXPECT_NE(reading.report.rejected.first[1].reason.find("fp7"), std::string::npos);
    EXPECT_NE(reading.report.rejected.first[2].reason.find("dreaming"), std::string::npos);
    EXPECT_NE(reading.report.rejected.first[3].reason.find("1.5"), std::string::npos);
}

TEST(RateMeasurements, OfTrainingAreOfAllDevices) {
    const std::string header =
        "source,ref,measured,device,devices,model,params,active_params,layers,hidden,seq,gbs,mbs,tp,pp,cp,ep,fsdp,precision,"
        "framework,version,task,recompute,tok_s_device,tflops_device,mfu_stated,step_s,note\n";
    const std::string gang = "lab,a,2025-11,nvidia.h100-sxm5-80gb,64,llama-3-70b,70e9,70e9,80,8192,";
    const Reading reading = read_text("measured_rates", header + gang + "8192,128,1,4,2,1,1,0,fp8,nemo,25.09,pretrain,,1500,,,,\n" +
                                                            gang + "4096,256,1,4,2,1,1,0,fp8,nemo,25.09,pretrain,,1600,,,,\n" +
                                                            gang + "4096,256,1,4,2,1,1,0,fp8,nemo,25.09,pretrain,,1600,,,,\n" +
                                                            gang + "4096,,1,,,,,,bf16,nemo,25.09,lora,,2000,,,,\n" + gang +
                                                            "4096,,1,,,,,,bf16,nemo,25.09,dpo,,2000,,,,\n" + gang +
                                                            "4096,,1,,,,,,bf16,nemo,25.09,sft,,,,,,\n");
    ASSERT_EQ(reading.count<Measurement>(), 2U);
    const auto* const full =
        reading.find<Measurement>("lab.llama-3-70b.64x-h100-sxm5-80gb.tp4pp2dp8.fp8.nemo-25.09.2025-11.training.pretrain.steps");
    ASSERT_NE(full, nullptr);
    EXPECT_EQ(full->kind, model::MeasurementKind::training);
    EXPECT_EQ(full->method, model::TrainingMethod::full);
    EXPECT_EQ(full->parallel, (model::Parallel{4, 2, 1, 8, 1}));
    EXPECT_EQ(full->points.sequence, (std::vector<double>{8192, 4096}));
    EXPECT_EQ(full->points.tokens_per_step, (std::vector<double>{1048576, 1048576}));
    EXPECT_EQ(full->points.tokens_per_s, (std::vector<double>{96000, 102400}));
    EXPECT_EQ(full->note, "Of 2025-11; the day is not stated.") << "a month is no date";
    EXPECT_EQ(reading.report.skipped, 1U);
    ASSERT_EQ(reading.report.rejected.count, 2U);
    EXPECT_NE(reading.report.rejected.first[0].reason.find("dpo"), std::string::npos);
    EXPECT_NE(reading.report.rejected.first[1].reason.find("tok_s_device is missing"), std::string::npos);
}

TEST(RateMeasurements, PublishedTablesBecomeThousandsOfPoints) {
    SKIP_WITHOUT_SHARED();
    for (const auto& [file, points_at_least] :
         {std::pair("measured-rates/serving.csv", 4000U), std::pair("aiconfigurator-silicon/silicon_sample.csv", 2500U)}) {
        const Reading reading = read_shared("measured_rates", {file});
        ASSERT_FALSE(reading.error);
        std::size_t points = 0;
        for (const Document& document : reading.documents) {
            points += std::get<Measurement>(document).points.output.size();
        }
        EXPECT_GE(points, points_at_least) << file;
        EXPECT_EQ(points + reading.report.skipped + reading.report.rejected.rows, reading.report.rows) << file << ": none is lost";
    }
}

} // namespace
} // namespace costcurve::imports
