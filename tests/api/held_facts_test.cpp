// What lists state beside prices, against what is stored and what there is: speeds of hosts, facts of devices, rates; and lists
// that are off as a whole.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

using nlohmann::json;

json import_host(TestService& service, const char* host, const char* model, double first_token_s, const char* day = "2026-10-20") {
    const std::string file = fmt::format("model_name,provider,price_per_1m_input_tokens,price_per_1m_output_tokens,"
                                         "median_ttft_seconds\n{},{},0.3,0.4,{}\n",
                                         model, host, first_token_s);
    return json::parse(service.ask("POST", fmt::format("/v1/imports?format=api_prices&date={}", day), file).body);
}

TEST(HeldFacts, AreFirstTokensThatNoHostComesTo) {
    TestService service;
    const json held = import_host(service, "Evil", "Llama 70B", 0.0001);
    EXPECT_EQ(held["held"], 1) << held;
    EXPECT_EQ(held["held_documents"][0]["reason"], "its ttft_s of 0.0001 is below 0.02 s, which no host comes to");
    EXPECT_EQ(service.ask("GET", "/v1/endpoints/evil.llama-70b").status, 404);
    EXPECT_EQ(import_host(service, "Evil", "Llama 70B", 0.06)["held"], 1) << "a tenth of 0.7 s";
    EXPECT_EQ(import_host(service, "Evil", "Llama 70B", 15)["held"], 1) << "twenty times";
    EXPECT_EQ(import_host(service, "Thinker", "Llama 70B", 8.8)["held"], 0) << "the slowest of a published list";
}

TEST(HeldFacts, AreFirstTokensFarFromThoseOfOtherHostsAndFromTheirOwn) {
    TestService service;
    EXPECT_EQ(import_host(service, "One", "Llama 70B", 0.5)["held"], 0);
    EXPECT_EQ(import_host(service, "Two", "Llama 70B", 0.8)["held"], 0);
    const json held = import_host(service, "Three", "Llama 70B", 0.064);
    EXPECT_EQ(held["held"], 1) << held;
    EXPECT_EQ(held["held_documents"][0]["reason"],
              "its ttft_s of 0.064 is 0.0985 times the median of the model's 2 other hosts, 0.65");
    EXPECT_EQ(import_host(service, "Three", "Llama 70B", 6.6)["held"], 1) << "ten times 0.65";
    EXPECT_EQ(import_host(service, "Three", "Llama 70B", 0.3)["held"], 0);
    const json step = import_host(service, "Three", "Llama 70B", 1.5, "2026-10-21");
    EXPECT_EQ(step["held_documents"][0]["reason"], "its ttft_s of 1.5 is 5 times what it was, 0.3");
    EXPECT_EQ(import_host(service, "Three", "Llama 70B", 1.4, "2026-10-21")["held"], 0);
    EXPECT_EQ(import_host(service, "Three", "Llama 70B", 0.3, "2026-10-22")["held"], 0);
    EXPECT_EQ(import_host(service, "Three", "Llama 70B", 0.0625, "2026-10-23")["held"], 1) << "by steps";
}

// What somebody has accepted is compared with itself.
TEST(HeldFacts, OfAnAcceptedFirstTokenAreThoseThatMove) {
    TestService service;
    const json held = import_host(service, "Chip", "Llama 70B", 0.05);
    ASSERT_EQ(held["held"], 1) << held;
    ASSERT_EQ(service.ask("POST", fmt::format("/v1/imports/{}/accept", held["run"].get<int>())).status, 200);
    EXPECT_EQ(import_host(service, "Chip", "Llama 70B", 0.04, "2026-10-21")["held"], 0);
    EXPECT_EQ(import_host(service, "Chip", "Llama 70B", 0.02, "2026-10-22")["held"], 1);
}

json import_chip(TestService& service, double watts, double gigabytes, double terabytes_per_s, double teraflops) {
    const std::string file = fmt::format("Hardware name,Manufacturer,Type,TDP (W),Memory size per board (Byte),"
                                         "Memory bandwidth (byte/s),Tensor-FP16/BF16 performance (FLOP/s)\n"
                                         "NVIDIA Own,NVIDIA,GPU,{},{}e9,{}e12,{}e12\n",
                                         watts, gigabytes, terabytes_per_s, teraflops);
    return json::parse(service.ask("POST", "/v1/imports?format=epoch_hardware&name=chips.csv&dry_run=true", file).body);
}

// A B200: 1000 W, 192 GB, 8 TB/s, 2,250 TFLOP/s.
TEST(HeldFacts, AreThoseOfNewDevicesThatNoChipHas) {
    TestService service;
    EXPECT_EQ(import_chip(service, 1000, 192, 8, 2250)["held"], 0);
    const json memory = import_chip(service, 1000, 1920, 8, 2250);
    EXPECT_EQ(memory["held"], 1) << memory;
    EXPECT_NE(memory.dump().find("its memory_gib of 1788 is far from what any device has, 0.1 to 288"), std::string::npos)
        << memory;
    EXPECT_EQ(import_chip(service, 1000, 192, 80, 2250)["held"], 1);
    EXPECT_EQ(import_chip(service, 1000, 192, 8, 22500)["held"], 1);
    const json watts = import_chip(service, 100, 192, 8, 2250);
    EXPECT_NE(watts.dump().find("by tdp_w"), std::string::npos) << watts;
    EXPECT_EQ(import_chip(service, 1000, 192, 0.08, 2250)["held"], 1) << "FLOP/s by bytes/s";
    EXPECT_EQ(import_chip(service, 1000, 192, 8, 0.2)["held"], 1);
    EXPECT_EQ(import_chip(service, 1000, 0.192, 8, 2250)["held"], 1);
    ASSERT_EQ(service.ask("PUT", "/v1/devices/own.wafer", R"({"kind":"asic","tdp_w":20000,"memory_gib":2000})").status, 201);
    EXPECT_EQ(import_chip(service, 20000, 2400, 80, 22500)["held"], 1) << "its bandwidth";
    EXPECT_EQ(import_chip(service, 20000, 2400, 15, 4500)["held"], 0) << "one as large is stored";
}

// An H100 of 989 TFLOP/s trains a model of 8.03e9 parameters, 48.2 GFLOP a token, with 20,500 tokens/s at most.
TEST(HeldFacts, AreTrainingRunsThatTakeMoreThanTheirDevicesCanDo) {
    TestService service;
    const std::string h100 = R"({"kind":"gpu","tdp_w":700,"memory_gib":80,"memory_bandwidth_gb_per_s":3350,)"
                             R"("peak_flops":{"bf16":989e12}})";
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb", h100).status, 201);
    const json config = llama_8b_config();
    ASSERT_EQ(service.ask("POST", "/v1/imports?format=model_config&id=own-8b", config.dump()).status, 200);
    const auto held = [&](double tokens_per_device) {
        const std::string file = fmt::format(
            "source,ref,measured,device,devices,model,params,active_params,layers,hidden,seq,gbs,mbs,tp,pp,cp,ep,fsdp,precision,"
            "framework,version,task,recompute,tok_s_device,tflops_device,mfu_stated,step_s,note\n"
            "own,x,2026-01,nvidia.h100-sxm5-80gb,8,own-8b,8030000000,8030000000,,,4096,128,1,1,1,1,1,8,bf16,nemo,,pretrain,False,"
            "{},,,,\n",
            tokens_per_device);
        return json::parse(service.ask("POST", "/v1/imports?format=measured_rates&dry_run=true", file).body);
    };
    EXPECT_EQ(held(9000)["held"], 0) << held(9000);
    const json faster = held(19000);
    EXPECT_NE(faster.dump().find("its runs take 0.926 of the peak of 8 nvidia.h100-sxm5-80gb"), std::string::npos) << faster;
    EXPECT_EQ(held(200)["held"], 1);
}

TEST(HeldFacts, AreRatesOfCurvesThatMoveByTwice) {
    TestService service;
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb", R"({"kind":"gpu","tdp_w":700})").status, 201);
    const auto imported = [&](double times) {
        const json file = {{"model_id", "acme/Own-7B"},
                           {"task", "lm-arena-chat"},
                           {"weight_precision", "bfloat16"},
                           {"configurations",
                            {{{"gpu_model", "H100"},
                              {"num_gpus", 1},
                              {"max_num_seqs", 8},
                              {"avg_batch_size", 8},
                              {"avg_power_watts", 400},
                              {"energy_per_token_joules", 400 / (500 * times)},
                              {"output_throughput_tokens_per_sec", 500 * times},
                              {"p95_itl_ms", 16 / times},
                              {"parallelization", {{"tensor_parallel", 1}}}}}}};
        return json::parse(service.ask("POST", "/v1/imports?format=ml_energy&name=own.json", file.dump()).body);
    };
    const json first = imported(1);
    EXPECT_EQ(first["held"], 0) << first;
    EXPECT_NE(first.dump().find("could be compared with nothing"), std::string::npos) << first;
    const json ten_times = imported(10);
    EXPECT_NE(ten_times.dump().find("its units/s of 5000 are 10 times what they were, 500"), std::string::npos) << ten_times;
    EXPECT_EQ(imported(1.5)["held"], 0);
}

struct Sold {
    const char* name; // in SkyPilot's lists
    const char* device;
};
constexpr auto kSold = std::to_array<Sold>({{"T4", "nvidia.t4"},
                                            {"L4", "nvidia.l4"},
                                            {"A10G", "nvidia.a10g"},
                                            {"L40S", "nvidia.l40s"},
                                            {"H100", "nvidia.h100-sxm5-80gb"}});

// Five devices that `one` sells for 1, 2, 3, 4 and 5 USD a device-hour, and `two` for a tenth more.
void sell_five(TestService& service) {
    for (std::size_t i = 1; i <= kSold.size(); ++i) {
        ASSERT_EQ(service.ask("PUT", fmt::format("/v1/devices/{}", kSold.at(i - 1).device), R"({"kind":"gpu","tdp_w":700})").status,
                  201);
        for (const auto& [seller, times] : {std::pair("one", 1.0), std::pair("two", 1.1)}) {
            const std::string offer = fmt::format(R"({{"provider":"{}","sku":"box{}","device":"{}","devices":1,)"
                                                  R"("purchase":"on_demand","currency":"USD","hourly_price":{}}})",
                                                  seller, i, kSold.at(i - 1).device, times * static_cast<double>(i));
            ASSERT_EQ(service.ask("PUT", fmt::format("/v1/offers/{}.box{}.on-demand", seller, i), offer).status, 201);
        }
    }
}

json import_five(TestService& service, const std::string& seller, const std::string& currency, const std::vector<double>& prices,
                 const char* day = "2026-10-20") {
    std::string file = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n";
    for (std::size_t i = 0; i < prices.size(); ++i) {
        file += fmt::format("box{},{},1,{},,r\n", i + 1, kSold.at(i % kSold.size()).name, prices[i]);
    }
    const std::string path =
        fmt::format("/v1/imports?format=skypilot&provider={}&date={}&currency={}&dry_run=true", seller, day, currency);
    return json::parse(service.ask("POST", path, file).body);
}

TEST(HeldCurves, AreThoseThatWouldBeOfAnotherKind) {
    TestService service;
    const char* const curve = R"({"kind":"residual","axis":"age_months","points":[[0,1],[60,0.1]]})";
    ASSERT_EQ(service.ask("PUT", "/v1/curves/residual.x", curve).status, 201);
    std::string hours;
    for (int i = 0; i < 8760; ++i) {
        hours += "60\n";
    }
    const json held = json::parse(service.ask("POST", "/v1/imports?format=hourly_prices&id=residual.x&currency=USD", hours).body);
    EXPECT_EQ(held["held"], 1) << held.dump().substr(0, 500);
    EXPECT_NE(held.dump().find("of kind residual, and would be of kind tariff"), std::string::npos);
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/curves/residual.x").body)["kind"], "residual");
}

// Whatever the importer makes of a file, and whatever the curve was.
TEST(HeldCurves, AreThoseOfAnyKindThatTakeAnothersPlace) {
    const std::string utilization = "gpu_utilization_percent,cdf_percent\n0,1\n50,50\n100,100\n";
    for (const auto& [kind, axis] :
         {std::pair("residual", "age_months"), std::pair("pue", "load"), std::pair("demand", "hour_of_day"),
          std::pair("power", "throughput_share"), std::pair("tariff", "hour_of_day")}) {
        TestService service;
        json curve = {{"kind", kind}, {"axis", axis}, {"points", {{0, 1}, {1, 1}}}};
        if (std::string_view(kind) == "tariff") {
            curve["currency"] = "USD";
        }
        ASSERT_EQ(service.ask("PUT", "/v1/curves/x", curve.dump()).status, 201) << kind;
        const http::Response answer = service.ask("POST", "/v1/imports?format=utilization_distribution&id=x", utilization);
        EXPECT_NE(answer.body.find(fmt::format("of kind {}", kind)), std::string::npos) << answer.body;
        EXPECT_EQ(json::parse(service.ask("GET", "/v1/curves/x").body)["kind"], kind);
    }
    TestService service;
    const char* const drawn = R"({"kind":"power","axis":"throughput_share","points":[[0,100],[1,700]]})";
    ASSERT_EQ(service.ask("PUT", "/v1/curves/x", drawn).status, 201);
    const char* const power = "power_w,cdf_percent\n100,1\n300,50\n700,100\n";
    const json held = json::parse(service.ask("POST", "/v1/imports?format=power_distribution&id=x", power).body);
    EXPECT_EQ(held["held"], 1) << held;
    EXPECT_NE(held.dump().find("is over throughput_share, and would be over busy_time"), std::string::npos) << held;
}

// A week of so many requests in each hour, and at noon.
std::string week_of(int requests, int at_noon) {
    std::string log = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
    for (int day = 13; day < 20; ++day) {
        for (int hour = 0; hour < 24; ++hour) {
            const int count = hour == 12 ? at_noon : requests;
            for (int i = 0; i < count; ++i) {
                log += fmt::format("2023-11-{} {:02d}:{:02d}:{:02d}.0000000,100,50\n", day, hour, i * 60 / count,
                                   i * 3600 / count % 60);
            }
        }
    }
    return log;
}

// Plans are sized for the highest hour: a log that is cut off, or of one bad day, is no site's week.
TEST(HeldCurves, AreDemandsWhosePeakIsNotWhatItWas) {
    TestService service;
    const auto import_week = [&](int requests, int at_noon) {
        return json::parse(service.ask("POST", "/v1/imports?format=llm_trace&id=our.site", week_of(requests, at_noon)).body);
    };
    ASSERT_EQ(import_week(10, 10)["held"], 0);
    const json held = import_week(1, 120);
    EXPECT_GE(held["held"], 1) << held.dump().substr(0, 1000);
    EXPECT_NE(held.dump().find("its highest value is 20.1 times its mean, and was 1.01 times"), std::string::npos)
        << held.dump().substr(0, 1000);
    EXPECT_EQ(import_week(20, 20)["held"], 0) << "the same shape of twice as many";
    EXPECT_EQ(import_week(20, 34)["held"], 0) << "a peak of 1.66 times the mean";
}

TEST(HeldModels, AreThoseWhoseIdIsASpellingOfAnother) {
    TestService service;
    const char* const config =
        R"({"_name_or_path":"meta-llama/Llama-3.1-70B-Instruct","model_type":"llama",)"
        R"("num_hidden_layers":80,"hidden_size":8192,"intermediate_size":28672,"num_attention_heads":64,"num_key_value_heads":8,)"
        R"("vocab_size":128256,"max_position_embeddings":131072,"torch_dtype":"bfloat16"})";
    const auto held = [&](const char* id) {
        const std::string path = std::string("/v1/imports?dry_run=true&format=model_config&id=") + id;
        return json::parse(service.ask("POST", path, config).body);
    };
    ASSERT_EQ(service.ask("POST", "/v1/imports?format=model_config&id=llama-3.1-70b", config).status, 200);
    EXPECT_EQ(held("llama-3.1-70b-instruct")["held"], 1) << held("llama-3.1-70b-instruct");
    EXPECT_NE(held("llama-3.1-70b-instruct").dump().find("is a spelling of llama-3.1-70b"), std::string::npos);
    for (const char* id :
         {"llama-3.1-mini", "meta-llama-3.1-70b", "meta-llama.llama-3.1-70b-instruct"}) { // two would have that name
        EXPECT_EQ(held(id)["held"], 1) << held(id);
        EXPECT_NE(held(id).dump().find("Llama-3.1-70B-Instruct names llama-3.1-70b"), std::string::npos) << held(id);
    }
    const std::string nameless = "{" + std::string(config).substr(std::string_view(config).find(R"("model_type")"));
    const char* const path = "/v1/imports?dry_run=true&format=model_config&id=llama-3.1-mini";
    EXPECT_EQ(json::parse(service.ask("POST", path, nameless).body)["held"], 0);
}

// A zloty is about 0.27 USD: dollars that are called zloty are 0.27 times what others ask.
TEST(HeldLists, AreThoseThatAreOffByOneFactor) {
    TestService service;
    sell_five(service);
    for (const char* currency : {"PLN", "ILS", "AED", "SAR"}) {
        const json held = import_five(service, "new", currency, {1, 2.2, 2.8, 4.4, 5});
        EXPECT_EQ(held["held"], 5) << held;
        EXPECT_NE(held["problem"].dump().find("nobody else sells in its currency, and the median of its 5 prices is 0.2"),
                  std::string::npos)
            << held;
    }
    EXPECT_EQ(import_five(service, "new", "PLN", {3.7, 7, 11, 15, 20})["held"], 0);
    EXPECT_EQ(import_five(service, "new", "EUR", {0.9, 1.8, 2.7, 3.6, 4.5})["held"], 0);
    const json same = import_five(service, "new", "USD", {0.3, 0.6, 0.9, 1.2, 3});
    EXPECT_NE(same["problem"].dump().find("4 of 5 prices are about 0.286 times what others ask, the same factor for most rows"),
              std::string::npos)
        << same;
    EXPECT_EQ(import_five(service, "new", "USD", {0.4, 0.8, 1.2, 1.6, 2})["held"], 0) << "a small seller";
    EXPECT_EQ(import_five(service, "new", "USD", {0.4, 0.9, 1.4, 2.4, 3})["held"], 0) << "cheap, each by itself";
    EXPECT_EQ(import_five(service, "new", "USD", {0.45, 0.9, 1.35, 1.8, 2.25})["held"], 0) << "a cheap seller";
    EXPECT_EQ(import_five(service, "new", "USD", {0.65, 1.3, 1.95, 2.6, 3.25})["held"], 0) << "1.62 times cheaper";
}

// Llama 3.1 70B on four H100, at three lengths and loads as the step model has it, but for factors of its figures.
struct TimesOff {
    double rate = 1.0, first = 1.0, between = 1.0;
};
std::string measured_table(TestService& service, const TimesOff& off) {
    std::string table = "source,device,devices,tp,model,weights,kind,input,output,concurrency,out_tok_s,ttft_ms,tpot_ms,framework,"
                        "version,measured\n";
    for (const auto& [input, output] : {std::pair(500, 300), std::pair(3000, 300), std::pair(10000, 300)}) {
        for (const int concurrency : {1, 8, 32}) {
            const json question = {{"model", "llama-3.1-70b"},
                                   {"device", "nvidia.h100-sxm5-80gb"},
                                   {"devices", 4},
                                   {"precision", "bf16"},
                                   {"input", input},
                                   {"output", output},
                                   {"concurrency", concurrency}};
            const json rate = json::parse(service.ask("POST", "/v1/rates", question.dump()).body);
            table += fmt::format("our lab,nvidia.h100-sxm5-80gb,4,4,llama-3.1-70b,bf16,serving,{},{},{},{},{},{},vllm,0.19.0,"
                                 "2026-11-20\n",
                                 input, output, concurrency, off.rate * rate.at("output_per_s").get<double>(),
                                 1000 * off.first * rate.at("ttft_s").get<double>(),
                                 1000 * off.between * rate.at("itl_s").get<double>());
        }
    }
    return table;
}

void store_llama_and_h100(TestService& service) {
    const json model = {{"parameters", 70.6e9},
                        {"active_parameters", 70.6e9},
                        {"weight_bytes", {{"bf16", 141.2e9}}},
                        {"kv_bytes_per_token", 327680},
                        {"layers", 80},
                        {"heads", 64},
                        {"context_tokens", 131072}};
    const json device = {{"kind", "gpu"},
                         {"tdp_w", 700},
                         {"memory_gib", 80},
                         {"memory_bandwidth_gb_per_s", 3350},
                         {"peak_flops", {{"bf16", 989e12}}}};
    ASSERT_EQ(service.ask("PUT", "/v1/models/llama-3.1-70b", model.dump()).status, 201);
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb", device.dump()).status, 201);
}

json import_measured(TestService& service, const std::string& table) {
    return json::parse(service.ask("POST", "/v1/imports?format=measured_rates", table).body);
}

// Rates that are true with times that are not pass objectives that nothing keeps, or fail those that it does.
TEST(HeldFacts, AreTimesThatContradictTheirRatesOrTheDevice) {
    struct Case {
        TimesOff off;
        std::string_view reason; // "" where it lands
    };
    constexpr std::string_view kLittle = "as many requests run at a time as it says (Little's law)";
    constexpr std::string_view kByModel = "by the model that all other measurements are fitted by";
    for (const Case& of : {Case{{1, 1, 1}, ""}, Case{{1, 2, 1}, ""}, Case{{1, 0.5, 1}, ""}, Case{{0.7, 1.2, 1.5}, ""},
                           Case{{1, 0.01, 0.01}, kLittle}, Case{{1, 100, 100}, kLittle}, Case{{1, 1, 0.01}, kLittle},
                           Case{{1, 0.01, 1}, kByModel}, Case{{5, 0.2, 0.2}, kByModel}, Case{{0.18, 5.5, 5.5}, kByModel}}) {
        TestService service;
        store_llama_and_h100(service);
        const json answer = import_measured(service, measured_table(service, of.off));
        const std::string what = fmt::format("{} {} {}: {}", of.off.rate, of.off.first, of.off.between, answer.dump());
        EXPECT_EQ(answer["held"], of.reason.empty() ? 0 : 1) << what;
        EXPECT_NE(what.find(of.reason), std::string::npos) << what;
    }
}

TEST(HeldFacts, AreMeasuredWattsThatNoDeviceDraws) {
    for (const auto& [watts, held] : {std::pair(1, 1), std::pair(1500, 0), std::pair(15000, 1)}) { // of four of 700 W
        TestService service;
        store_llama_and_h100(service);
        std::string table = measured_table(service, {});
        for (std::size_t end = table.find('\n'), row = 0; end != std::string::npos; end = table.find('\n', end + 1), ++row) {
            const std::string cell = row == 0 ? ",power_w" : fmt::format(",{}", watts);
            table.insert(end, cell);
            end += cell.size();
        }
        const json answer = import_measured(service, table);
        EXPECT_EQ(answer["held"], held) << watts << answer;
    }
}

TEST(HeldFacts, AreTimesFarFromThoseOfTheSamePoints) {
    TestService service;
    store_llama_and_h100(service);
    const std::string all = measured_table(service, {});
    const std::string quicker = measured_table(service, {1, 0.3, 1});
    ASSERT_EQ(import_measured(service, all)["held"], 0);
    const json answer = import_measured(service, quicker);
    EXPECT_EQ(answer["held"], 1) << answer;
    EXPECT_NE(answer.dump().find("its first tokens are 0.3 times what is stored of the same 9 points"), std::string::npos)
        << answer;
}

} // namespace
} // namespace costcurve::tests
