// Readers of measured rates, rows of the step model, and the audit over the published files beside the repository.
#include "server/import/benchmarks/rate_rows.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "model/performance/rate_audit.hpp"
#include "model/performance/rate_table.hpp"
#include "tests/rates/rate_facts.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::rates {
namespace {

constexpr std::string_view kServing =
    "source,ref,measured,device,devices,tp,pp,ep,dp,model,weights,kv,framework,version,kind,input,output,concurrency,out_tok_s,"
    "ttft_ms,"
    "tpot_ms,power_w,note,doubt\n"
    "lab,a,2026-04-22,nvidia.h100-sxm5-80gb,8,8,1,1,1,llama-3.1-70b,fp8,,vllm,0.19.0,serving,1024,1024,64,3000,200,21,,,\n"
    "lab,a again,2026-04-23,nvidia.h100-sxm5-80gb,8,8,1,1,1,llama-3.3-70b,fp8,,vllm,0.19.0,serving,1024,1024,64,3001,200,21,,,\n"
    "lab,b,2026-04-22,nvidia.h100-sxm5-80gb,8,8,1,1,1,llama-3.1-70b,fp8,,vllm,0.12.0,serving,1024,1024,128,4000,,,,,\n"
    "lab,c,2026-04-22,nvidia.h100-sxm5-80gb,8,8,1,1,1,no-such-model,fp8,,vllm,0.19.0,serving,1024,1024,64,3000,,,,,\n"
    "lab,d,2026-04-22,acme.one,8,8,1,1,1,llama-3.1-70b,fp8,,vllm,0.19.0,serving,1024,1024,64,3000,,,,,\n"
    "lab,e,2026-04-22,nvidia.h100-sxm5-80gb,8,8,1,1,1,llama-3.1-70b,fp8,,vllm,0.19.0,disaggregated,1024,1024,64,3000,,,,,\n"
    "lab,f,2026-04-22,nvidia.h100-sxm5-80gb,8,8,1,1,1,llama-3.1-70b,int3,,vllm,0.19.0,serving,1024,1024,64,3000,,,,,\n"
    "lab,g,2026-04-22,nvidia.h100-sxm5-80gb,8,8,1,1,1,llama-3.1-70b,fp8,,vllm,0.19.0,serving,1024,1024,32,2000,,,,,falls with "
    "load\n";

constexpr std::string_view kSilicon =
    "id,silicon_data_source,backend,backend_version,model_path,system,precision,mode,isl,osl,batch_size,tp_size,pp_size,"
    "attention_dp_size,moe_tp_size,moe_ep_size,silicon_ttft_ms,silicon_tpot_ms\n"
    "one,db; silicon_concurrency=64; "
    "measured=2026-03-23T00:00:00Z,trtllm,1.2.0,deepseek-ai/DeepSeek-R1,b200_sxm,fp8,agg,1024,1024,64,8,1,1,1,8,"
    "500,20\n"
    "two,source_file=/x.csv,vllm,0.19.0,Qwen/Qwen3-32B,h100_sxm,,agg,1024,128,4,2,1,1,1,1,100,10\n"
    "three,db; silicon_concurrency=64,trtllm,1.2.0,deepseek-ai/DeepSeek-R1,b200_sxm,fp8,agg,1024,1024,64,64,1,1,8,8,500,20\n"
    "four,db; silicon_concurrency=64,trtllm,1.2.0,deepseek-ai/DeepSeek-R1,b200_sxm,fp8,agg,1024,1024,64,8,1,1,1,4,500,20\n";

std::vector<imports::MeasuredRate> rates_of(std::string_view text, imports::Report& report) {
    std::vector<imports::MeasuredRate> rates;
    const auto error =
        imports::read_measured_rates(text, report, [&](imports::MeasuredRate&& rate) { rates.push_back(std::move(rate)); });
    EXPECT_FALSE(error) << error->message;
    return rates;
}

TEST(MeasuredRates, ServingRowsSayWhyTheyAreLeftOut) {
    const RateFacts facts = read_rate_facts();
    imports::Report report;
    imports::RateRows rows(facts.shapes, facts.devices);
    std::vector<std::string> reasons;
    for (const imports::MeasuredRate& rate : rates_of(kServing, report)) {
        reasons.push_back(rows.add(rate));
    }
    EXPECT_EQ(reasons, (std::vector<std::string>{"", "says what another row says", "", "no such model: no-such-model",
                                                 "no such device: acme.one",
                                                 "disaggregated: how many replicas read prompts and write answers is not stated",
                                                 "doubtful: falls with load"}));
    ASSERT_EQ(report.rejected.count, 1U);
    EXPECT_EQ(report.rejected.first[0].reason, "weights are \"int3\"; bf16, fp8 or fp4 are needed");
    ASSERT_EQ(rows.rows().size(), 2U);
    const model::RateRow& first = rows.rows()[0];
    EXPECT_EQ(first.request.kv_bytes_per_value, 1.0); // 8-bit weights, cache not stated
    EXPECT_EQ(first.request.software, model::Software::tuned);
    EXPECT_EQ(rows.rows()[1].request.software, model::Software::plain); // vLLM 0.12
    EXPECT_NEAR(first.on.peak_flops / first.on.peak_flops_16, 2.0, 1e-3);
    EXPECT_NEAR(first.at.year, 2026.25, 1e-9);
}

TEST(MeasuredRates, SiliconSamplesGiveRatesByLittlesLaw) {
    imports::Report report;
    const auto rates = rates_of(kSilicon, report);
    ASSERT_EQ(rates.size(), 3U);
    EXPECT_NEAR(rates[0].output_per_s, 64 * 1024 / (0.5 + 0.02 * 1023), 1e-9);
    EXPECT_EQ(rates[0].date, "2026-03-23");
    EXPECT_EQ(rates[0].devices, 8);
    EXPECT_EQ(rates[1].concurrency, 4); // its batch
    EXPECT_EQ(rates[1].precision, model::WeightPrecision::bf16);
    EXPECT_EQ(rates[2].devices, 8); // 64 is tp x ep
    ASSERT_EQ(report.rejected.count, 1U);
    EXPECT_TRUE(report.rejected.first[0].reason.starts_with("its layout contradicts itself")) << report.rejected.first[0].reason;
}

TEST(MeasuredRates, ModelsOfOneArchitectureAreOne) {
    const RateFacts facts = read_rate_facts();
    const auto of = [&](const char* model) { return model::architecture_of(facts.shapes.at(model)); };
    EXPECT_EQ(of("llama-3.1-70b"), of("llama-3.3-70b"));
    EXPECT_EQ(of("deepseek-r1"), of("deepseek-v3.1"));
    EXPECT_NE(of("llama-3.1-70b"), of("llama-2-70b")); // another vocabulary
    EXPECT_NE(of("qwen3-8b"), of("llama-3.1-8b"));
}

TEST(RateFit, FindsTheParametersThatMadeItsRows) {
    const RateFacts facts = read_rate_facts();
    imports::RateRows rows(facts.shapes, facts.devices);
    for (const char* const model : {"llama-3.1-8b", "llama-3.1-70b", "qwen3-235b-a22b", "deepseek-r1"}) {
        for (const char* const device : {"nvidia.h100-sxm5-80gb", "nvidia.h200-sxm-141gb", "nvidia.b200-sxm-180gb"}) {
            for (const double input : {128.0, 1024.0, 8192.0}) {
                for (double concurrency = 1; concurrency < 600; concurrency *= 4) {
                    imports::MeasuredRate rate;
                    rate.source = "made";
                    rate.model = model;
                    rate.device = device;
                    rate.framework = "sglang";
                    rate.kind = "serving";
                    rate.precision = concurrency < 20 ? model::WeightPrecision::bf16 : model::WeightPrecision::fp8;
                    rate.kv_bytes_per_value = 1;
                    rate.devices = concurrency < 100 ? 8 : 16;
                    rate.input_tokens = input;
                    rate.output_tokens = 512;
                    rate.concurrency = concurrency;
                    rate.output_per_s = 1;
                    ASSERT_EQ(rows.add(rate), "");
                }
            }
        }
    }
    model::StepParameters truth = model::kStepParameters;
    truth.bandwidth_share = 0.7;
    truth.peak_share = 0.5;
    truth.layer_s = 70e-6;
    std::vector<model::RateRow> made = rows.rows();
    std::vector<const model::RateRow*> pointers;
    for (model::RateRow& row : made) {
        row.output_per_s = model::step_rate(row.shape, row.on, row.request, truth).output_per_s;
        pointers.push_back(&row);
    }
    const model::StepParameters fitted = model::fit_step_parameters(pointers, model::kStepParameters, 60);
    for (const model::RateRow& row : made) { // priors hold what the rows do not tell apart: rates are met, not each number
        EXPECT_NEAR(model::step_rate(row.shape, row.on, row.request, fitted).output_per_s / row.output_per_s, 1.0, 0.08);
    }
    EXPECT_NEAR(fitted.peak_share / truth.peak_share, 1.0, 0.15);
}

// ---- Over the published files beside the repository.

const model::AuditClass& audit_class(const model::Audit& audit, std::string_view name) {
    for (const model::AuditClass& row : audit.classes) {
        if (row.name == name) {
            return row;
        }
    }
    ADD_FAILURE() << "no class " << name;
    return audit.classes.front();
}

TEST(RateAudit, ReachesWhatDecision51Says) {
    const auto file = tests::source_folder() / "../shared/data/measured-rates/serving.csv";
    if (!std::filesystem::exists(file)) {
        GTEST_SKIP() << "../shared is not here";
    }
    const RateFacts facts = read_rate_facts();
    imports::Report report;
    imports::RateRows rows(facts.shapes, facts.devices);
    std::size_t unknown = 0;
    const std::string text = file_text(file.string());
    for (const imports::MeasuredRate& rate : rates_of(text, report)) {
        unknown += rows.add(rate).starts_with("no such") ? 1U : 0U;
    }
    EXPECT_EQ(unknown, 0U); // every row finds its model and its device
    EXPECT_EQ(report.rejected.count, 0U);
    struct Row {
        model::LeaveOut leave_out;
        double within, median_error, width;
    };
    constexpr Row kPromised[] = {{model::LeaveOut::model_on_device, 0.75, 0.125, 2.0},
                                 {model::LeaveOut::device, 0.75, 0.13, 2.0},
                                 {model::LeaveOut::model, 0.68, 0.15, 2.0},
                                 {model::LeaveOut::source, 0.65, 0.15, 2.2},
                                 {model::LeaveOut::row, 0.90, 0.055, 1.35}};
    for (const Row& promised : kPromised) {
        const model::Audit audit = model::audit_rates(rows.rows(), promised.leave_out, 1);
        const model::AuditClass& all = audit_class(audit, "all");
        EXPECT_GE(all.within, promised.within) << static_cast<int>(promised.leave_out);
        EXPECT_LE(all.median_error, promised.median_error) << static_cast<int>(promised.leave_out);
        EXPECT_LE(all.width, promised.width) << static_cast<int>(promised.leave_out);
        EXPECT_NEAR(all.bias, 0.0, 0.1) << static_cast<int>(promised.leave_out);
        for (const model::AuditedRow& row : audit.rows) {
            ASSERT_TRUE(row.low < row.high && row.predicted > 0.0) << row.row->model << " on " << row.row->device;
        }
    }
}

} // namespace
} // namespace costcurve::rates
