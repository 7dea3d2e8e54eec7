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

const std::string kId = "inferencex.k2.8192-1024.8x-mi355x.int4.vllm.mtp";

TEST(Inferencex, OneRunIsARateOfAllItsGpus) {
    const Reading reading = read_set("inferencex", {{"a.json", run_of(64, 250)}}, {.source = "a study"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = reading.find<model::Performance>(kId);
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->device.id, "amd.mi355x");
    EXPECT_EQ(performance->devices, 8);
    EXPECT_EQ(performance->batch, 64);
    EXPECT_DOUBLE_EQ(performance->units_per_s->number, 2000); // 250 a GPU x 8
    EXPECT_DOUBLE_EQ(performance->latency_s->number, 0.064);  // seconds already
    EXPECT_EQ(performance->precision, "int4");
    EXPECT_NE(performance->note.find("Tokens in and out together of all GPUs (tput_per_gpu x GPUs), of which out 200."),
              std::string::npos)
        << performance->note;
    EXPECT_EQ(performance->source, "a study InferenceX a.json");
}

TEST(Inferencex, RunsThatDifferInRequestsAloneBecomeACurve) {
    const Reading reading = read_set(
        "inferencex",
        {{"b.json", run_of(128, 400)}, {"a.json", run_of(64, 250)}, {"c.json", run_of(64, 260)}, {"d.json", run_of(128, 400)}});
    EXPECT_EQ(reading.documents.size(), 3U);
    const auto* const rates = reading.find<model::Curve>("throughput." + kId);
    ASSERT_NE(rates, nullptr);
    EXPECT_EQ(rates->x, (std::vector<double>{64, 128}));
    EXPECT_EQ(rates->y, (std::vector<double>{2080, 3200}));
    const auto* const performance = reading.find<model::Performance>(kId);
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
    EXPECT_NE(reading.find<model::Performance>(kId + ".dpa"), nullptr);
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
    EXPECT_EQ(reading.report.rejected.first[3].reason, "e.json: hw is \"z9\": no device of that name is known");
    EXPECT_EQ(reading.documents.size(), 1U);
    EXPECT_TRUE(read_set("inferencex", {{"a.json", "{}"}}).error);
    EXPECT_TRUE(read_set("inferencex", {{"a.json", "[]"}}).error);
    EXPECT_TRUE(read_set("inferencex", {{"a.json", run_of(64, 250).substr(0, 50)}}).error);
}

TEST(Inferencex, TheRealRunIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("inferencex", {"inferencex/agg_kimik2.5_8k1k_int4_vllm_tp8_conc64_mi355x.json"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = reading.find<model::Performance>("inferencex.kimik2.5.8192-1024.8x-mi355x.int4.vllm.mtp");
    ASSERT_NE(performance, nullptr);
    EXPECT_NEAR(performance->units_per_s->number, 234.47462632067425 * 8, 1e-9);
    EXPECT_EQ(performance->batch, 64);
    EXPECT_DOUBLE_EQ(performance->latency_s->number, 0.3016637719870209);
}

} // namespace
} // namespace costcurve::imports
