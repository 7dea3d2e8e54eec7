// Pairs of replicas, one kind for prompts and one for answers: cases by hand, limits, and published runs.
#include "model/pairs/pair_rate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "model/pairs/pair_audit.hpp"
#include "server/import/benchmarks/rate_rows.hpp"
#include "tests/rates/rate_facts.hpp"

namespace costcurve::rates {
namespace {

// Replicas whose step takes 10 ms and 1 ms an answer.
model::StepRate linear_step(double answers) {
    model::StepRate rate;
    rate.running = answers;
    rate.step_s = 0.01 + 0.001 * answers;
    rate.output_per_s = answers / rate.step_s;
    return rate;
}

model::PairRate pair_of(double prompts_per_s, double concurrency) {
    return model::pair_rate({prompts_per_s, 0.1, 0.05}, {2.0, 100.0, linear_step}, concurrency);
}

TEST(PairRate, RequestsHeldAreReadSentOrAnswered) {
    // By hand: X = 2 b / (100 (0.01 + 0.001 b)) and 0.15 X + 2 b = 20 give 0.2 b² + 0.3 b − 20 = 0.
    const double answers = (-0.3 + std::sqrt(0.09 + 16)) / 0.4;
    const model::PairRate pair = pair_of(1000, 20);
    EXPECT_NEAR(pair.running, answers, 1e-9);
    EXPECT_NEAR(pair.requests_per_s, 2 * answers / (1 + 0.1 * answers), 1e-9);
    EXPECT_NEAR(pair.output_per_s, 100 * pair.requests_per_s, 1e-9);
    EXPECT_NEAR(pair.ttft_s, 0.15, 1e-9); // nothing waits
    EXPECT_NEAR(pair.prefill_share, pair.requests_per_s / 1000, 1e-12);
}

TEST(PairRate, PromptsThatAreReadNoFasterBoundIt) {
    // 5/s: 2 b = 5 (1 + 0.1 b), so b = 10 / 3 and a step of 13.3 ms; of 4 s a request, 1.33 s are its answer.
    const model::PairRate pair = pair_of(5, 20);
    EXPECT_NEAR(pair.requests_per_s, 5.0, 1e-9);
    EXPECT_NEAR(pair.running, 10.0 / 3, 1e-9);
    EXPECT_NEAR(pair.ttft_s, 4 - 4.0 / 3, 1e-9);
    EXPECT_NEAR(pair.prefill_share, 1.0, 1e-9);
}

TEST(PairRate, AReplicaOfEachKindDoesNoneOfTheOthersWork) {
    model::StepRequest request;
    request.input_tokens = 4000;
    request.cached_input_tokens = 1000;
    request.output_tokens = 300;
    EXPECT_EQ(model::prefill_request(request).output_tokens, 1.0);
    EXPECT_EQ(model::prefill_request(request).cached_input_tokens, 1000.0);
    EXPECT_EQ(model::decode_request(request).cached_input_tokens, 4000.0);
    EXPECT_EQ(model::decode_request(request).output_tokens, 300.0);
}

// Runs of ai-dynamo's aiconfigurator (silicon_sample.csv at 095f58a, Apache-2.0): DeepSeek-R1 by InferenceX. The last states no
// replicas.
constexpr std::string_view kPairs =
    "id,silicon_data_source,backend,backend_version,model_path,system,precision,mode,isl,osl,batch_size,tp_size,pp_size,"
    "attention_dp_size,moe_tp_size,moe_ep_size,prefill_num_workers,prefill_tp_size,prefill_attention_dp_size,decode_num_workers,"
    "decode_tp_size,decode_attention_dp_size,silicon_ttft_ms,silicon_tpot_ms\n"
    "a,silicon_concurrency=72,trtllm,0.8.1,deepseek-ai/DeepSeek-R1,h200_sxm,fp8,disagg,1024,1024,,,,,,,1,8,1,9,8,1,875.5,16.26\n"
    "b,silicon_concurrency=3584,trtllm,0.8.1,deepseek-ai/DeepSeek-R1,h200_sxm,fp8,disagg,1024,1024,,,,,,,2,1,8,7,1,8,4742,48.59\n"
    "c,silicon_concurrency=64,trtllm,0.8.1,deepseek-ai/DeepSeek-R1,b200_sxm,fp8,disagg,8192,1024,,,,,,,1,8,1,1,8,1,3696,23.22\n"
    "d,silicon_concurrency=64,trtllm,0.8.1,deepseek-ai/DeepSeek-R1,b200_sxm,fp8,disagg,8192,1024,,,,,,,,8,1,,8,1,3696,23.22\n";

TEST(PairRate, PublishedPairsAreMetWithoutAFit) {
    const RateFacts facts = read_rate_facts();
    imports::Report report;
    imports::RateRows rows(facts.shapes, facts.devices);
    std::string last;
    const auto error = imports::read_measured_rates(kPairs, report, [&](imports::MeasuredRate&& rate) { last = rows.add(rate); });
    ASSERT_FALSE(error) << error->message;
    EXPECT_EQ(last, "disaggregated: how many replicas read prompts and write answers is not stated");
    ASSERT_EQ(rows.pairs().size(), 3U);
    EXPECT_EQ(rows.pairs()[1].decode.devices, 8.0);
    EXPECT_EQ(rows.pairs()[1].decode.attention_groups, 8.0);
    const model::Audit audit = model::audit_pairs(rows.pairs(), {}, model::LeaveOut::row);
    ASSERT_EQ(audit.rows.size(), 3U);
    for (const model::AuditedRow& row : audit.rows) {
        EXPECT_GT(row.predicted / row.row->output_per_s, 0.8) << row.predicted << " " << row.itl_s << " " << row.ttft_s;
        EXPECT_LT(row.predicted / row.row->output_per_s, 1.3);
    }
    ASSERT_EQ(audit.classes.size(), 2U);
    EXPECT_EQ(audit.classes[1].count, 3U); // each replica has eight devices
}

} // namespace
} // namespace costcurve::rates
