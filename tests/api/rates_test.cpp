// POST /v1/rates: a rate of stored documents, the largest load that keeps objectives, and what is refused.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/documents/near_names.hpp"
#include "tests/api/test_service.hpp"

namespace {

using namespace costcurve;
using nlohmann::json;
using tests::TestService;

constexpr auto k70b = "llama-3.1-70b";
constexpr auto kH100 = "nvidia.h100-sxm5-80gb";

// Facts of the published configuration, and of the maker's datasheet.
void store_documents(TestService& service) {
    const auto put = [&](const std::string& path, const json& document) {
        const http::Response response = service.ask("PUT", path, document.dump());
        ASSERT_EQ(response.status, 201) << response.body;
    };
    put(std::string("/v1/models/") + k70b, {{"name", "Llama 3.1 70B"},
                                            {"parameters", 70.6e9},
                                            {"active_parameters", 70.6e9},
                                            {"weight_bytes", {{"bf16", 141.2e9}, {"fp8", 71.6e9}}},
                                            {"kv_bytes_per_token", 327680},
                                            {"layers", 80},
                                            {"heads", 64},
                                            {"context_tokens", 131072}});
    put(std::string("/v1/devices/") + kH100, {{"kind", "gpu"},
                                              {"tdp_w", 700},
                                              {"memory_gib", 80},
                                              {"memory_bandwidth_gb_per_s", 3350},
                                              {"peak_flops", {{"bf16", 989e12}, {"fp8", 1979e12}}}});
    put("/v1/devices/nvidia.a100-sxm4-80gb", {{"kind", "gpu"},
                                              {"tdp_w", 400},
                                              {"memory_gib", 80},
                                              {"memory_bandwidth_gb_per_s", 2039},
                                              {"peak_flops", {{"bf16", 312e12}}}});
    put("/v1/models/deepseek-v3", {{"parameters", 671.03e9},
                                   {"active_parameters", 37.55e9},
                                   {"weight_bytes", {{"bf16", 1342e9}, {"fp8", 672.9e9}}},
                                   {"kv_bytes_per_token", 70272},
                                   {"layers", 61},
                                   {"hidden", 7168},
                                   {"heads", 128},
                                   {"kv_heads", 1},
                                   {"embedding_parameters", 926679040},
                                   {"context_tokens", 131072},
                                   {"experts", {{"count", 256}, {"active", 8}, {"shared", 1}}},
                                   {"expert_parameters", 653.9e9},
                                   {"attention", {{"kind", "latent"}, {"decode_flop", 16990208}, {"prompt_flop", 4997120}}}});
    put("/v1/devices/bare", {{"kind", "gpu"}, {"tdp_w", 400}, {"peak_flops", {{"bf16", 312e12}}}});
}

class RateRoute : public testing::Test {
protected:
    RateRoute() { store_documents(service); }
    http::Response ask(const json& change, const std::string& query = "") {
        json body = {{"model", k70b}, {"device", kH100}, {"input", 1000}, {"output", 300}};
        body.update(change);
        return service.ask("POST", "/v1/rates" + query, body.dump());
    }
    json answer(const json& change = json::object()) {
        const http::Response response = ask(change);
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    }
    TestService service;
};

TEST_F(RateRoute, AnswersARateWhosePartsAndIdentitiesHold) {
    const json rate = answer({{"devices", 4}, {"concurrency", 16}});
    EXPECT_EQ(rate["precision"], "bf16") << "published";
    EXPECT_EQ(rate["devices"], 4);
    EXPECT_NEAR(rate["requests_per_s"].get<double>() * 300.0, rate["output_per_s"].get<double>(), 1e-6);
    const double tokens_s = rate["ttft_s"].get<double>() + rate["itl_s"].get<double>() * 299.0;
    EXPECT_NEAR(rate["e2e_s"].get<double>(), std::max(16.0 / rate["requests_per_s"].get<double>(), tokens_s), 1e-6)
        << "Little's law, at least its tokens";
    EXPECT_LT(rate["low"], rate["output_per_s"]);
    EXPECT_LT(rate["output_per_s"], rate["high"]);
    EXPECT_GT(rate["ceiling"], 0.0);
    EXPECT_LE(rate["ceiling"], 1.0);
    const double products = rate["output_per_s"].get<double>() * (1.0 + 1000.0 / 300.0) * 2.0 * 70.6e9 / (4 * 989e12);
    EXPECT_GT(rate["mfu"], products) << "of products alone; attention comes to a few percent more";
    EXPECT_LT(rate["mfu"], 1.05 * products);
    const json& step = rate["step"];
    double parts = 0.0;
    for (const char* part : {"reading_s", "arithmetic_s", "prompts_s", "communication_s", "overhead_s"}) {
        parts += step[part].get<double>();
    }
    EXPECT_NEAR(parts, step["total_s"].get<double>(), 1e-9);
    EXPECT_EQ(
        step[rate["bound"].get<std::string>() + "_s"],
        *std::ranges::max_element(step, {}, [&](const json& part) { return part == step["total_s"] ? 0.0 : part.get<double>(); }))
        << step;
}

TEST_F(RateRoute, TakesTheFewestPowerOfTwoOfDevicesThatHoldsWeightsAndARequest) {
    EXPECT_EQ(answer()["devices"], 2) << "141 GB of weights; a device has 86";
    EXPECT_EQ(answer({{"precision", "fp8"}})["devices"], 1);
    EXPECT_EQ(answer({{"devices", 3}})["devices"], 3) << "what is stated is taken";
    EXPECT_EQ(answer({{"devices", 64}})["devices"], 64) << "more than a host has";
}

TEST_F(RateRoute, HasAnotherRateForEachLengthOfPrompt) {
    double before = 1e9;
    for (const int input : {100, 500, 1000, 8000}) {
        const double rate = answer({{"input", input}, {"concurrency", 32}, {"devices", 4}})["output_per_s"];
        EXPECT_LT(rate, before) << input;
        before = rate;
    }
    const double cached = answer({{"input", 8000}, {"cached_input", 7000}, {"concurrency", 32}, {"devices", 4}})["output_per_s"];
    EXPECT_GT(cached, before) << "cached prompts are not computed";
}

TEST_F(RateRoute, FindsTheLargestLoadThatKeepsTheObjectives) {
    for (const json& slo : {json{{"itl_s", 0.04}}, json{{"ttft_s", 2.0}, {"e2e_s", 15.0}}}) {
        const json found = answer({{"slo", slo}, {"devices", 4}});
        const int most = found["concurrency"];
        ASSERT_GT(most, 1);
        for (const auto& [name, allowed] : slo.items()) {
            EXPECT_LE(found[name], allowed);
        }
        EXPECT_EQ(found["percentile"], 95.0);
        const json next = answer({{"concurrency", most + 1}, {"devices", 4}, {"percentile", 95}});
        EXPECT_TRUE(std::ranges::any_of(slo.items(), [&](const auto& row) { return next[row.key()] > row.value(); })) << slo;
    }
}

TEST_F(RateRoute, AnswersLatenciesAtAPercentile) {
    const json mean = answer({{"concurrency", 16}, {"devices", 4}});
    EXPECT_FALSE(mean.contains("percentile"));
    const json late = answer({{"concurrency", 16}, {"devices", 4}, {"percentile", 95}});
    // By decision 57, e^(0.385 × 1.6449) and e^(0.125 × 1.6449).
    EXPECT_NEAR(late["ttft_s"].get<double>() / mean["ttft_s"].get<double>(), 1.8839, 1e-3);
    EXPECT_NEAR(late["itl_s"].get<double>() / mean["itl_s"].get<double>(), 1.2283, 1e-3);
    EXPECT_GE(late["e2e_s"].get<double>(), late["ttft_s"].get<double>() + 299 * late["itl_s"].get<double>() - 1e-9);
    EXPECT_EQ(late["output_per_s"], mean["output_per_s"]) << "no request is slower than before";
    EXPECT_EQ(answer({{"concurrency", 16}, {"devices", 4}, {"percentile", 50}})["ttft_s"], mean["ttft_s"]);
    const json slo = {{"itl_s", 0.04}};
    EXPECT_LT(answer({{"slo", slo}, {"devices", 4}, {"percentile", 99}})["concurrency"],
              answer({{"slo", slo}, {"devices", 4}, {"percentile", 0}})["concurrency"]);
}

TEST_F(RateRoute, SharesTheWorkAsStated) {
    const json whole = answer({{"concurrency", 64}, {"devices", 8}});
    EXPECT_EQ(answer({{"concurrency", 64}, {"parallel", {{"tp", 8}}}}), whole);
    EXPECT_EQ(answer({{"concurrency", 64}, {"parallel", {{"tp", 4}, {"pp", 2}}}}), whole);
    const json apart = answer({{"concurrency", 64}, {"parallel", {{"tp", 4}, {"dp", 2}}}});
    EXPECT_EQ(apart["devices"], 8);
    EXPECT_GT(apart["step"]["reading_s"], whole["step"]["reading_s"]) << "both groups read the weights";
    // 54.5 GB of experts and an eighth of 34.2 GB a device: 88.7 GB in groups of one device, as RefusesInWordsWithWhatToDo has it.
    EXPECT_EQ(
        answer({{"model", "deepseek-v3"}, {"precision", "bf16"}, {"parallel", {{"tp", 8}, {"dp", 3}, {"ep", 24}}}})["devices"], 24);
    EXPECT_EQ(answer({{"model", "deepseek-v3"}, {"precision", "fp8"}, {"parallel", {{"dp", 16}, {"ep", 16}}}})["devices"], 16);
}

TEST_F(RateRoute, AnswersACurveByLoadAlsoAsATable) {
    const json loads = answer({{"concurrency", 4}, {"concurrencies", {64, 1, 4}}, {"devices", 4}})["loads"];
    ASSERT_EQ(loads.size(), 3U);
    EXPECT_EQ(loads[0]["concurrency"], 1);
    EXPECT_EQ(loads[1], [&] {
        json one = answer({{"concurrency", 4}, {"devices", 4}})["loads"];
        EXPECT_EQ(one.size(), 1U);
        return one[0];
    }());
    EXPECT_LT(loads[1]["output_per_s"], loads[2]["output_per_s"]);
    const http::Response csv = ask({{"concurrencies", {8, 16}}}, "?format=csv");
    EXPECT_EQ(csv.status, 200);
    EXPECT_EQ(std::ranges::count(csv.body, '\n'), 4) << csv.body;
    EXPECT_EQ(csv.body.rfind("model,device,devices,", 0), 0U) << csv.body;
}

TEST_F(RateRoute, FindsModelsAndDevicesByPublishedNames) {
    for (const char* name :
         {"Llama 3.1 70B", "meta-llama/Llama-3.1-70B-Instruct", "LLAMA-3.1-70B", "llama3.1-70b", "llama 3 1 70 B"}) {
        EXPECT_EQ(answer({{"model", name}})["model"], k70b) << name;
    }
    for (const char* name : {"NVIDIA H100 80GB HBM3", "h100-sxm"}) {
        EXPECT_EQ(answer({{"device", name}})["device"], kH100) << name;
    }
}

TEST_F(RateRoute, RefusesInWordsWithWhatToDo) {
    struct Row {
        json change;
        const char* pointer;
        const char* code;
        const char* says;
    };
    const Row rows[] = {
        {{{"model", "llama-3.1-7b"}}, "/model", "unknown_reference", "near is llama-3.1-70b"},
        {{{"model", "gpt-5"}}, "/model", "unknown_reference", "no model has the id or name gpt-5"},
        {{{"device", "acme.h100-sxm5-80gb"}}, "/device", "unknown_reference", kH100},
        {{{"device", "bare"}}, "/device", "missing", "bare states no memory_gib"},
        {{{"devices", 1}}, "/devices", "exceeds_memory", "give 2 or more"},
        {{{"input", 131000}}, "/input", "out_of_range", "the context of llama-3.1-70b is 131072"},
        {{{"input", 1000}, {"cached_input", 1001}}, "/cached_input", "inconsistent", "at most input, 1000"},
        {{{"precision", "fp6"}}, "/precision", "unknown_value", "bf16, fp16, fp8, int8, fp4 or int4"},
        {{{"kv_precision", "q8"}}, "/kv_precision", "unknown_value", "bf16, fp16, fp8, int8, fp4 or int4"},
        {{{"precision", "fp8"}, {"device", "nvidia.a100-sxm4-80gb"}}, "/precision", "ineligible_precision", "it has those of bf16"},
        {{{"concurrency", 8}, {"slo", {{"itl_s", 1}}}}, "/concurrency", "inconsistent", "or slo"},
        {{{"slo", json::object()}}, "/slo", "missing", "ttft_s, itl_s or e2e_s"},
        {{{"slo", {{"itl_s", 1e-4}}}}, "/slo/itl_s", "infeasible", "with one request; allowed 0.0001 s"},
        {{{"output", 0}}, "/output", "out_of_range", "output is 0 tokens; allowed 1"},
        {{{"concurrency", 0}}, "/concurrency", "out_of_range", "concurrency is 0 requests; allowed 1"},
        {{{"concurrencies", {4, -1}}}, "/concurrencies/1", "out_of_range", "-1"},
        {{{"concurrencies", std::vector<int>(1001, 1)}}, "/concurrencies", "out_of_range", "allowed up to 1000"},
        {{{"latency_s", 1}}, "/latency_s", "unknown_field", "concurrency, slo"},
        {{{"percentile", 100}}, "/percentile", "out_of_range", "allowed 0 to 99.99"},
        {{{"devices", 4}, {"parallel", {{"tp", 8}}}}, "/devices", "inconsistent", "tp × pp × dp 8"},
        {{{"parallel", {{"tp", 3}}}}, "/parallel/tp", "out_of_range", "divide the 64 attention heads"},
        {{{"parallel", {{"pp", 81}}}}, "/parallel/pp", "out_of_range", "has 80 layers"},
        {{{"parallel", {{"tp", 4}, {"ep", 2}}}}, "/parallel/ep", "out_of_range", "has 1 experts"},
        {{{"parallel", {{"dp", 8}}}}, "/parallel/dp", "exceeds_memory", "give a larger tp"},
        {{{"model", "deepseek-v3"}, {"precision", "bf16"}, {"parallel", {{"dp", 24}, {"ep", 24}}}},
         "/parallel/dp",
         "exceeds_memory",
         "holds all but the routed experts of deepseek-v3 whole: 1 of nvidia.h100-sxm5-80gb"},
        {{{"model", "deepseek-v3"}, {"precision", "bf16"}, {"parallel", {{"dp", 12}, {"ep", 12}}}},
         "/devices",
         "exceeds_memory",
         "give 32 or more"},
        {{{"parallel", {{"cp", 2}}}}, "/parallel/cp", "not_allowed", "of training"},
        {{{"parallel", {{"tp", 1000000}, {"dp", 1000000}}}}, "/parallel", "out_of_range", "allowed 1 to 4096"},
    };
    for (const Row& row : rows) {
        const http::Response response = ask(row.change);
        ASSERT_EQ(response.status, 422) << row.change << response.body;
        const json issue = json::parse(response.body)["errors"][0];
        EXPECT_EQ(issue["pointer"], row.pointer) << row.change;
        EXPECT_EQ(issue["code"], row.code) << row.change;
        EXPECT_NE(issue["message"].get<std::string>().find(row.says), std::string::npos) << issue;
    }
}

TEST_F(RateRoute, NamesAllIssuesAtOnce) {
    const json errors = json::parse(ask({{"model", "x"}, {"device", "bare"}}).body)["errors"];
    EXPECT_EQ(errors.size(), 3U) << errors;
}

// ---- Training.

class TrainingRoute : public RateRoute {
protected:
    json trained(const json& change = json::object(), bool states_devices = true) {
        json body = {{"model", k70b}, {"device", kH100}, {"sequence", 8192}};
        if (states_devices) {
            body["devices"] = 64;
        }
        body.update(change);
        const http::Response response = service.ask("POST", "/v1/rates", body.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    }
    void put_run(const std::string& id, const std::string& device, const std::string& date, double tokens_per_s) {
        const json run = {{"kind", "training"},
                          {"model", k70b},
                          {"device", device},
                          {"devices", 64},
                          {"precision", "bf16"},
                          {"date", date},
                          {"points", {{"sequence", {8192}}, {"tokens_per_s", {tokens_per_s}}}}};
        const http::Response response = service.ask("PUT", "/v1/measurements/" + id, run.dump());
        EXPECT_EQ(response.status, 201) << response.body;
    }
    void state_shape() {
        const http::Response patched = service.ask("PUT", std::string("/v1/models/") + k70b,
                                                   json{{"name", "Llama 3.1 70B"},
                                                        {"parameters", 70.6e9},
                                                        {"active_parameters", 70.6e9},
                                                        {"weight_bytes", {{"bf16", 141.2e9}}},
                                                        {"kv_bytes_per_token", 327680},
                                                        {"layers", 80},
                                                        {"context_tokens", 131072},
                                                        {"hidden", 8192},
                                                        {"heads", 64},
                                                        {"kv_heads", 8},
                                                        {"embedding_parameters", 1.05e9},
                                                        {"attention", {{"decode_flop", 2621440}, {"prompt_flop", 2621440}}}}
                                                       .dump());
        ASSERT_EQ(patched.status, 200) << patched.body;
    }
};

TEST_F(TrainingRoute, AnswersTokensOfTheWholeRunWithTheirInterval) {
    const json rate = trained();
    EXPECT_EQ(rate["precision"], "bf16");
    EXPECT_EQ(rate["method"], "full");
    EXPECT_EQ(rate["tokens_per_step"], 64 * 16384);
    EXPECT_NEAR(rate["tokens_per_s_device"].get<double>() * 64, rate["tokens_per_s"].get<double>(), 1e-6);
    EXPECT_GT(rate["mfu"], 0.25);
    EXPECT_LT(rate["mfu"], 0.6);
    EXPECT_LT(rate["low"], rate["tokens_per_s"]);
    EXPECT_GT(rate["high"], rate["tokens_per_s"]);
    EXPECT_FALSE(rate.contains("output_per_s")) << rate; // of serving, and never 0
    EXPECT_FALSE(rate.contains("step"));
}

TEST_F(TrainingRoute, AdaptersTrainMoreTokensOnFewerDevices) {
    EXPECT_NEAR(trained({{"method", "lora"}})["tokens_per_s"].get<double>() / trained()["tokens_per_s"].get<double>(), 1.5, 1e-9);
    EXPECT_EQ(trained({{"method", "lora"}}, false)["devices"], 2);
    EXPECT_EQ(trained(json::object(), false)["devices"], 16); // 70.6e9 x 16 bytes
}

TEST_F(TrainingRoute, IsMovedByAMeasuredRun) {
    state_shape();
    const double alone = trained()["tokens_per_s"];
    put_run("impossible", kH100, "2024-01-01", 64 * 5000.0); // 2.6 times the peak
    EXPECT_EQ(trained()["tokens_per_s"], alone);
    put_run("run", kH100, "2024-01-01", alone * 1.2);
    const json rate = trained();
    EXPECT_GT(rate["tokens_per_s"], alone * 1.1);
    EXPECT_EQ(rate["evidence"], "measured");
    EXPECT_EQ(rate["from"][0]["measurement"], "run");
}

// Software gets faster by the year, on a device as far as somebody measured it there.
TEST_F(TrainingRoute, ANewerRunOnAnotherDeviceMakesThisOneNoFaster) {
    state_shape();
    put_run("run", kH100, "2024-01-01", 64 * 700.0);
    const double alone = trained()["tokens_per_s"];
    EXPECT_NEAR(alone / (64 * 700.0), 1.0, 0.05);
    const http::Response stored = service.ask("PUT", "/v1/devices/nvidia.h200-sxm-141gb",
                                              json{{"kind", "gpu"},
                                                   {"tdp_w", 700},
                                                   {"memory_gib", 141},
                                                   {"memory_bandwidth_gb_per_s", 4800},
                                                   {"peak_flops", {{"bf16", 989e12}}}}
                                                  .dump());
    ASSERT_EQ(stored.status, 201) << stored.body;
    put_run("newer", "nvidia.h200-sxm-141gb", "2026-06-01", 64 * 850.0);
    EXPECT_NEAR(trained()["tokens_per_s"].get<double>() / alone, 1.0, 0.05);
}

TEST_F(TrainingRoute, RefusesInWordsWithWhatToDo) {
    struct Row {
        json body;
        const char* pointer;
        const char* code;
        const char* says;
    };
    const json run = {{"model", k70b}, {"device", kH100}, {"devices", 64}, {"sequence", 8192}};
    const auto with = [&](const json& change) {
        json body = run;
        body.update(change);
        return body;
    };
    const Row rows[] = {
        {with({{"devices", 0}}), "/devices", "out_of_range", "devices is 0"},
        {with({{"devices", 8}}), "/devices", "exceeds_memory", "give 16 or more, or method lora"},
        {with({{"sequence", 131073}}), "/sequence", "out_of_range", "the context of llama-3.1-70b is 131072"},
        {with({{"method", "pretraining"}}), "/method", "unknown_value", "full"},
        {with({{"tokens_per_step", 4096}}), "/tokens_per_step", "inconsistent", "one sample or more"},
        {with({{"precision", "fp4"}}), "/precision", "ineligible_precision", "it has those of bf16, fp8"},
        {with({{"input", 100}}), "/input", "not_allowed", "of serving, sequence of training"},
        {{{"model", k70b}, {"device", kH100}, {"input", 1000}, {"output", 300}, {"method", "lora"}},
         "/method",
         "not_allowed",
         "give sequence"},
        {{{"model", k70b}, {"device", kH100}}, "/input", "missing", "a training run has sequence instead"},
        {{{"model", k70b}, {"device", kH100}, {"input", 1000}, {"output", 300}, {"devices", 5000}},
         "/devices",
         "out_of_range",
         "allowed 1 to 4096 of a replica"},
    };
    for (const Row& row : rows) {
        const http::Response response = service.ask("POST", "/v1/rates", row.body.dump());
        ASSERT_EQ(response.status, 422) << row.body << response.body;
        const json issue = json::parse(response.body)["errors"][0];
        EXPECT_EQ(issue["pointer"], row.pointer) << row.body;
        EXPECT_EQ(issue["code"], row.code) << row.body;
        EXPECT_NE(issue["message"].get<std::string>().find(row.says), std::string::npos) << issue;
    }
}

TEST(RatesOfAnEmptyStore, SayThatNothingIsStored) {
    TestService service;
    const http::Response response = service.ask("POST", "/v1/rates", R"({"model":"m","device":"d","input":1,"output":1})");
    EXPECT_EQ(response.status, 422);
    EXPECT_NE(response.body.find("no models are stored"), std::string::npos) << response.body;
}

TEST(NearNames, AreThoseOfFewestOtherLetters) {
    const std::string_view known[] = {"llama-3.1-8b", "llama-3.1-70b", "qwen3-32b", "llama-3.3-70b", "llama-3.1-405b"};
    EXPECT_EQ(documents::near_names("Llama 3.2 70B", known), "; near are llama-3.1-70b, llama-3.3-70b and llama-3.1-405b");
    EXPECT_EQ(documents::near_names("405B", known), "; near is llama-3.1-405b") << "a part of it";
    EXPECT_EQ(documents::near_names("mixtral", known), "");
    EXPECT_EQ(documents::near_names("", known), "");
}

} // namespace
