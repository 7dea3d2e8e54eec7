// Cost a million tokens by tenant: OpenCost's published examples, sums, idle, and counters of gateways and servers.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

json tenants_plan() {
    return json::parse(R"({"start": "2026-01", "months": 1,
        "workloads": [{"id": "chat", "kind": "inference", "unit": "token", "units_per_request": 100, "demand": {"mean_per_s": 1},
                       "tags": {"team": "blue"}, "runs_on": [{"pool": "gpu", "performance": {"units_per_s": 1000}}]}],
        "pools": [{"id": "gpu", "kind": "cloud", "max_instances": 10,
                   "offer": {"provider": "p", "sku": "big", "region": "eu", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1,
                             "purchase": "on_demand", "hourly_price": 3.6}}]})");
}

class TenantCosts : public ::testing::Test {
protected:
    TestService service;

    json request(json usage, double cost) {
        return {{"scenario", tenants_plan()}, {"from", "2026-01"}, {"to", "2026-01"}, {"usage", std::move(usage)}, {"cost", cost}};
    }
    json of_metrics(const std::string& begin, const std::string& end, double cost) {
        return {{"scenario", tenants_plan()},
                {"from", "2026-01"},
                {"to", "2026-01"},
                {"metrics", {{"begin", begin}, {"end", end}}},
                {"cost", cost}};
    }
    json ask(const json& body) {
        const http::Response response = service.ask("POST", "/v1/tenant-costs", body.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        return response.status == 200 ? json::parse(response.body) : json::object();
    }
    std::string refused(const json& body) {
        const http::Response response = service.ask("POST", "/v1/tenant-costs", body.dump());
        EXPECT_EQ(response.status, 422) << response.body;
        const json issue = json::parse(response.body)["errors"][0];
        return issue["code"].get<std::string>() + " " + issue["pointer"].get<std::string>();
    }
    static json row(const json& answer, const std::string& key, const std::string& tenant) {
        for (const json& found : answer["tenants"]) {
            if (found["key"] == key && found["tenant"] == tenant) {
                return found;
            }
        }
        ADD_FAILURE() << key << " " << tenant << " is not in " << answer.dump();
        return {};
    }
};

// docs/inference-cost-tracking.md of OpenCost 1.121, Example Calculation: 3.20 USD, 12 million prompt tokens of which a cache had
// 800,000, 3 million generated, as long in prefill as in decode: 0.213 blended, 0.143 and 0.533 a million.
TEST_F(TenantCosts, AreThoseOfOpenCostsExample) {
    const json answer = ask(request({{{"model", "Qwen/Qwen3-32B"},
                                      {"input_tokens", 12e6},
                                      {"cached_input_tokens", 8e5},
                                      {"output_tokens", 3e6},
                                      {"prefill_s", 600},
                                      {"decode_s", 600}}},
                                    3.2));
    const json shares = row(answer, "model", "Qwen/Qwen3-32B")["by_tokens"];
    EXPECT_NEAR(shares["cost_per_million_tokens"].get<double>(), 0.213, 0.213 * 2e-3); // printed in three digits
    EXPECT_NEAR(shares["cost_per_million_tokens"].get<double>(), 3.2 / 15, 1e-12);
    EXPECT_NEAR(shares["cost_per_million_input"].get<double>(), 1.6 / 11.2, 1e-12);
    EXPECT_NEAR(shares["cost_per_million_output"].get<double>(), 1.6 / 3, 1e-12);
    EXPECT_EQ(answer["total"]["split"], "compute_time");
}

// The same page's answer of /inferenceCost/total, and inference-cost-api-design.md of its repository: cost, tokens, and USD a
// million tokens of a model.
TEST_F(TenantCosts, AreThoseOfOpenCostsAnswers) {
    struct Row {
        double cost, input, output, blended, input_cost, output_cost, a_million_input, a_million_output;
    };
    constexpr auto kRows = std::to_array<Row>({{42.50, 12e6, 3e6, 2.83, 28.40, 14.10, 2.37, 4.70},
                                               {558.60, 98e6, 42e6, 3.99, 205.80, 352.80, 2.10, 8.40},
                                               {410.40, 126e6, 54e6, 2.28, 151.20, 259.20, 1.20, 4.80},
                                               {24.50, 14e6, 6e6, 1.225, 9.80, 14.70, 0.700, 2.450},
                                               {26.25, 15e6, 6e6, 1.25, 10.50, 15.75, 0.700, 2.625}});
    for (const Row& given : kRows) { // times in proportion to the costs that they print
        const json answer = ask(request({{{"model", "m"},
                                          {"input_tokens", given.input},
                                          {"output_tokens", given.output},
                                          {"prefill_s", given.input_cost},
                                          {"decode_s", given.output_cost}}},
                                        given.cost));
        const json shares = row(answer, "model", "m")["by_tokens"];
        const double printed = 0.005; // in cents
        EXPECT_NEAR(shares["cost_per_million_tokens"].get<double>(), given.blended, printed);
        EXPECT_NEAR(shares["input_cost"].get<double>(), given.input_cost, 1e-9);
        EXPECT_NEAR(shares["cost_per_million_input"].get<double>(), given.a_million_input, printed);
        EXPECT_NEAR(shares["cost_per_million_output"].get<double>(), given.a_million_output, printed);
    }
}

// 100 USD, 50 device-hours: 20 of blue, 20 of red, 10 idle, 20 USD. By tokens 80 are left: an output token as 2.5 of input, 30
// + 2.5 · 20 = 80 million, so that prompts are 3/8 of them.
TEST_F(TenantCosts, AddUpToTheWholeOnBothBases) {
    json body = request({{{"team", "blue"}, {"user", "a"}, {"input_tokens", 20e6}, {"output_tokens", 5e6}, {"device_hours", 20}},
                         {{"team", "red"}, {"user", "b"}, {"input_tokens", 10e6}, {"output_tokens", 14e6}, {"device_hours", 19}},
                         {{"user", "b"}, {"output_tokens", 1e6}, {"device_hours", 1}}},
                        100);
    body["device_hours"] = 50;
    const json answer = ask(body);
    EXPECT_NEAR(answer["total"]["idle_cost"].get<double>(), 20, 1e-12);
    const json blue = row(answer, "team", "blue");
    EXPECT_NEAR(blue["by_device_hours"]["cost"].get<double>(), 40, 1e-12);
    EXPECT_NEAR(blue["by_device_hours"]["cost_per_million_tokens"].get<double>(), 1.6, 1e-12);
    EXPECT_NEAR(blue["by_tokens"]["input_cost"].get<double>(), 30 * 2.0 / 3, 1e-12);
    EXPECT_NEAR(blue["by_tokens"]["output_cost"].get<double>(), 50 * 0.25, 1e-12);
    EXPECT_NEAR(row(answer, "team", "(untagged)")["by_tokens"]["cost"].get<double>(), 50 * 0.05, 1e-12);
    EXPECT_NEAR(row(answer, "team", "(idle)")["by_tokens"]["cost"].get<double>(), 20, 1e-12);
    EXPECT_NEAR(blue["planned_cost"].get<double>(), 744 * 3.6, 1e-9);
    EXPECT_NEAR(blue["planned_tokens"].get<double>(), 267.84e6, 1e-3);
    for (const char* key : {"team", "user"}) {
        double by_tokens = 0.0;
        double by_hours = 0.0;
        for (const json& found : answer["tenants"]) {
            by_tokens += found["key"] == key ? found["by_tokens"]["cost"].get<double>() : 0.0;
            by_hours += found["key"] == key ? found["by_device_hours"]["cost"].get<double>() : 0.0;
        }
        EXPECT_NEAR(by_tokens, 100, 1e-12 * 100) << key;
        EXPECT_NEAR(by_hours, 100, 1e-12 * 100) << key;
    }
}

TEST_F(TenantCosts, SayWhatIsNotKnown) {
    const json answer = ask(request({{{"team", "blue"}, {"input_tokens", 1e6}}}, 10));
    EXPECT_TRUE(answer["total"]["idle_cost"].is_null());
    EXPECT_TRUE(row(answer, "team", "blue")["by_device_hours"]["cost"].is_null());
    EXPECT_TRUE(row(answer, "team", "blue")["device_hours"].is_null());
    EXPECT_NE(answer["notes"].dump().find("what is idle is in each one's cost"), std::string::npos);
    json unknown = request({{{"team", "blue"}, {"input_tokens", 1e6}, {"device_hours", 2}}}, 10);
    unknown.erase("cost");
    EXPECT_TRUE(row(ask(unknown), "team", "blue")["by_tokens"]["cost"].is_null());
    EXPECT_NE(ask(unknown)["notes"].dump().find("give cost"), std::string::npos);
    json over = request({{{"team", "blue"}, {"input_tokens", 1e6}, {"device_hours", 20}}}, 10);
    over["device_hours"] = 10;
    EXPECT_EQ(row(ask(over), "team", "blue")["by_device_hours"]["cost"], 10);
    EXPECT_NE(ask(over)["notes"].dump().find("shares are of those used"), std::string::npos);
    EXPECT_NE(ask(request({{{"input_tokens", 1e6}}}, 10))["notes"].dump().find("device-hours"), std::string::npos);
}

TEST_F(TenantCosts, DivideNothingWhereACacheHadAllAndNothingCameOut) {
    const json answer = ask(request({{{"team", "blue"}, {"input_tokens", 1e6}, {"cached_input_tokens", 1e6}}}, 1000));
    EXPECT_TRUE(row(answer, "team", "blue")["by_tokens"]["cost"].is_null());
    EXPECT_NE(answer["notes"].dump().find("by tokens there is nothing to divide"), std::string::npos) << answer["notes"];
}

TEST_F(TenantCosts, OfUnknownDeviceHoursAreNotNone) {
    json body = request({{{"team", "blue"}, {"input_tokens", 1e6}, {"device_hours", 10}},
                         {{"team", "green"}, {"input_tokens", 1e6}, {"device_hours", 0}},
                         {{"team", "red"}, {"input_tokens", 1e6}}},
                        100);
    body["device_hours"] = 20;
    const json answer = ask(body);
    EXPECT_TRUE(row(answer, "team", "red")["device_hours"].is_null());
    EXPECT_TRUE(row(answer, "team", "red")["by_device_hours"]["cost"].is_null());
    EXPECT_EQ(row(answer, "team", "green")["by_device_hours"]["cost"], 0);
    EXPECT_EQ(row(answer, "team", "blue")["by_device_hours"]["cost"], 50);
    EXPECT_NE(answer["notes"].dump().find("device-hours of team red are not known"), std::string::npos) << answer["notes"];
}

TEST_F(TenantCosts, ReadCountersOfServersAndGateways) {
    const std::string begin = R"(# TYPE vllm:prompt_tokens_total counter
vllm:prompt_tokens_total{engine="0",model_name="a",namespace="blue"} 1000000
vllm:generation_tokens_total{engine="0",model_name="a",namespace="blue"} 9e6
)";
    const std::string end = R"(vllm:prompt_tokens_total{engine="0",model_name="a",namespace="blue"} 4000000 1795691150
vllm:generation_tokens_total{engine="0",model_name="a",namespace="blue"} 1e6
vllm:prompt_tokens_total{engine="0",model_name="b} \"c\"",namespace="red"} 1e6
vllm:num_requests_running{engine="0",model_name="a"} 7
sglang:prompt_tokens_total{model_name="a"} 5e6
)";
    const json answer = ask(of_metrics(begin, end, 10));
    EXPECT_EQ(row(answer, "team", "blue")["input_tokens"], 3e6);
    EXPECT_EQ(row(answer, "team", "blue")["output_tokens"], 1e6) << "it fell: it has counted from 0";
    EXPECT_EQ(row(answer, "model", "b} \"c\"")["input_tokens"], 1e6);
    EXPECT_EQ(answer["total"]["input_tokens"], 4e6) << "what vLLM counts, alone";

    const std::string gateway = R"(litellm_input_tokens_metric_total{team="blue",user="ann",model="a"} 3e6
litellm_output_tokens_metric_total{team="blue",user="ann",model="a"} 2e6
vllm:prompt_tokens_total{model_name="a"} 3e6
)";
    EXPECT_EQ(row(ask(of_metrics("", gateway, 10)), "user", "ann")["output_tokens"], 2e6);
    EXPECT_EQ(ask(of_metrics("", gateway, 10))["total"]["input_tokens"], 3e6);
    const std::string dynamo = R"(dynamo_frontend_input_sequence_tokens_sum{model="a"} 30
dynamo_frontend_output_sequence_tokens_sum{model="a"} 20
)";
    EXPECT_EQ(row(ask(of_metrics("", dynamo, 10)), "model", "a")["by_tokens"]["cost"], 10);
}

TEST_F(TenantCosts, NoteCountersThatAreGoneOrFell) {
    const std::string begin = R"(vllm:prompt_tokens_total{namespace="a",pod="a-1"} 1000000
vllm:generation_tokens_total{namespace="a",pod="a-1"} 2000000
vllm:prompt_tokens_total{namespace="b",pod="b-1"} 1000
vllm:generation_tokens_total{namespace="b",pod="b-1"} 5000
sglang:prompt_tokens_total{namespace="c"} 7
)";
    const std::string end = R"(vllm:prompt_tokens_total{namespace="a",pod="a-2"} 2000
vllm:prompt_tokens_total{namespace="b",pod="b-1"} 9000
vllm:generation_tokens_total{namespace="b",pod="b-1"} 400
)";
    const json answer = ask(of_metrics(begin, end, 1000));
    const std::string notes = answer["notes"].dump();
    EXPECT_NE(notes.find("gone at the last scrape"), std::string::npos) << notes;
    EXPECT_NE(notes.find("2 counters (team a), at 1000000 input tokens, 2000000 output tokens at the first;"), std::string::npos)
        << notes;
    EXPECT_NE(notes.find("1 counter (team b) fell, as where a server restarts: counted from 0, 400 output tokens"),
              std::string::npos)
        << notes;
    EXPECT_EQ(notes.find("team c"), std::string::npos) << "SGLang's aren't counted";
}

TEST_F(TenantCosts, RefuseCountersThatStandTwiceAreSwappedOrAreNoNumber) {
    const std::string first = "vllm:prompt_tokens_total{model_name=\"m\"} 1000000\n";
    EXPECT_EQ(refused(of_metrics("", first + "vllm:prompt_tokens_total{model_name=\"m\"} 10\n", 10)), "inconsistent /metrics/end");
    EXPECT_EQ(refused(of_metrics(first + first, first, 10)), "inconsistent /metrics/begin");
    const std::string gateway = "litellm_input_tokens_metric_total{team=\"a\"} 3\n";
    EXPECT_EQ(ask(of_metrics("", gateway + first + first, 10))["total"]["input_tokens"], 3) << "what isn't counted may stand twice";
    EXPECT_EQ(refused(of_metrics(first, "vllm:prompt_tokens_total{model_name=\"m\"} 10\n", 10)), "inconsistent /metrics/begin");
    for (const char* value : {"NaN", "nan", "+Inf", "inf"}) {
        EXPECT_EQ(refused(of_metrics("", fmt::format("vllm:prompt_tokens_total {}\n", value), 10)), "bad_format /metrics/end")
            << value;
    }
}

// Of a cluster's allocations, as OpenCost's /allocation is imported: device-hours by namespace, and what is idle.
TEST_F(TenantCosts, TakeDeviceHoursOfAllocations) {
    std::vector<BillLine> lines;
    const auto add = [&](const std::string& category, const std::string& resource, const std::string& tags, double hours,
                         double cost) {
        BillLine& line = lines.emplace_back();
        line.day = 20'454;
        line.provider = category == "usage" ? "p" : "opencost";
        line.sku = category == "usage" ? "big" : "gpu";
        line.currency = "USD";
        line.category = category;
        line.resource = resource;
        line.tags = tags;
        line.device_hours = hours;
        line.effective_cost = cost;
    };
    add("usage", "i-1", "", 24, 86.4);
    add("allocation", "blue", R"({"namespace":"blue"})", 12, 43);
    add("allocation", "__idle__", "", 6, 21);
    add("allocation", "red", R"({"namespace":"red"})", 6, 21);
    static_cast<void>(service.store.save_bill({"test", ""}, lines));
    json body = request({{{"team", "blue"}, {"input_tokens", 9e6}}, {{"team", "red"}, {"input_tokens", 3e6}}}, 1);
    body.erase("cost");
    const json answer = ask(body);
    EXPECT_NEAR(answer["total"]["cost"].get<double>(), 86.4, 1e-12);
    EXPECT_EQ(answer["total"]["idle_device_hours"], 6);
    EXPECT_NEAR(row(answer, "team", "blue")["by_device_hours"]["cost"].get<double>(), 43.2, 1e-12);
    EXPECT_NEAR(row(answer, "team", "blue")["by_tokens"]["cost"].get<double>(), 64.8 * 0.75, 1e-12);
    EXPECT_NEAR(row(answer, "team", "(idle)")["by_tokens"]["cost"].get<double>(), 21.6, 1e-12);
}

TEST_F(TenantCosts, RefuseWhatTheyCantRead) {
    json body = request({{{"team", "blue"}, {"input_tokens", 1}}}, 10);
    body["metrics"] = {{"end", "vllm:prompt_tokens_total 1"}};
    EXPECT_EQ(refused(body), "inconsistent /usage");
    EXPECT_EQ(refused(request({{{"team", "blue"}, {"input_tokens", -1}}}, 10)), "out_of_range /usage/0/input_tokens");
    EXPECT_EQ(refused(request({{{"input_tokens", 1}, {"cached_input_tokens", 2}}}, 10)),
              "inconsistent /usage/0/cached_input_tokens");
    EXPECT_EQ(refused(of_metrics("", "up 1\n", 10)), "missing /metrics/end");
    EXPECT_EQ(refused(of_metrics("", "vllm:prompt_tokens_total{model_name=\"a\"} many\n", 10)), "bad_format /metrics/end");
    EXPECT_EQ(refused(of_metrics("vllm:prompt_tokens_total{model_name=\"a 3\n", "vllm:prompt_tokens_total 3\n", 10)),
              "bad_format /metrics/begin");
}

} // namespace
} // namespace costcurve::tests
