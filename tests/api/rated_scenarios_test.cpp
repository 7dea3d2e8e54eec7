// Scenarios whose entries state no rate: the stored model's on the pool's device stands in.
#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

class RatedScenarios : public testing::Test {
protected:
    RatedScenarios() {
        put("/v1/models/plain-8b", {{"parameters", 8e9},
                                    {"active_parameters", 8e9},
                                    {"weight_bytes", {{"bf16", 16e9}}},
                                    {"kv_bytes_per_token", 131072},
                                    {"layers", 32},
                                    {"context_tokens", 8192}});
        put("/v1/devices/card", {{"kind", "gpu"},
                                 {"tdp_w", 700},
                                 {"memory_gib", 80},
                                 {"memory_bandwidth_gb_per_s", 3350},
                                 {"peak_flops", {{"bf16", 989e12}}}});
        scenario = smallest();
        scenario["pools"][0]["offer"]["device"] = "card";
        scenario["pools"][0]["max_instances"] = 100;
        json& workload = scenario["workloads"][0];
        workload["unit"] = "token";
        workload["model"] = "plain-8b";
        workload["units_per_request"] = {{"input", 100}, {"output", 200}};
        workload["demand"]["mean_per_s"] = 50;
        workload["runs_on"] = json::array({{{"pool", "pool"}}});
    }
    void put(const std::string& path, const json& document) {
        const http::Response response = service.ask("PUT", path, document.dump());
        EXPECT_LT(response.status, 300) << path << response.body;
    }
    json evaluated(int status = 200) {
        const http::Response response = service.ask("POST", "/v1/evaluate", json{{"scenario", scenario}}.dump());
        EXPECT_EQ(response.status, status) << response.body;
        return json::parse(response.body);
    }
    double busy_hours() { return evaluated()["by_pool"]["pool"]["busy_device_hours"]; }

    TestService service;
    json scenario;
};

TEST_F(RatedScenarios, NeedNoRate) {
    const json result = evaluated();
    EXPECT_EQ(result["by_workload"]["work"]["units_unserved"], 0.0);
    EXPECT_EQ(result["by_workload"]["work"]["evidence"], "assumed"); // its model states no heads, its device no links
    put("/v1/scenarios/kept", scenario);                             // and what is stored states none either
    EXPECT_FALSE(json::parse(service.ask("GET", "/v1/scenarios/kept").body)["workloads"][0]["runs_on"][0].contains("performance"));
}

TEST_F(RatedScenarios, PromptsTakeTheirTime) {
    const double with_100 = busy_hours();
    scenario["workloads"][0]["units_per_request"]["input"] = 1000;
    const double with_1000 = busy_hours();
    EXPECT_GT(with_1000, 1.3 * with_100);
    scenario["workloads"][0]["units_per_request"] = {{"input", 100}, {"cached_input", 900}, {"output", 200}};
    EXPECT_LT(busy_hours(), with_1000);
}

TEST_F(RatedScenarios, WhatCannotRunIsRefusedAtItsEntry) {
    scenario["workloads"][0]["units_per_request"]["input"] = 8000; // and 200 out: beyond the context
    EXPECT_EQ(evaluated(422)["errors"][0]["code"], "too_large");
    scenario["workloads"][0]["units_per_request"]["input"] = 100;
    scenario["workloads"][0]["latency_objective_s"] = 1e-4;
    json error = evaluated(422)["errors"][0];
    EXPECT_EQ(error["code"], "ineligible_latency");
    EXPECT_EQ(error["pointer"], "/scenario/workloads/0/runs_on/0/performance");
    scenario["workloads"][0].erase("latency_objective_s");
    scenario["workloads"][0]["precision"] = "fp8";
    EXPECT_EQ(evaluated(422)["errors"][0]["code"], "ineligible_precision");
    scenario["workloads"][0]["precision"] = "bf16";
    put("/v1/devices/card",
        {{"kind", "gpu"}, {"tdp_w", 70}, {"memory_gib", 8}, {"memory_bandwidth_gb_per_s", 300}, {"peak_flops", {{"bf16", 65e12}}}});
    EXPECT_EQ(evaluated(422)["errors"][0]["code"], "ineligible_memory");
    scenario["workloads"][0].erase("precision");
    scenario["workloads"][0]["model"] = "another";
    EXPECT_EQ(evaluated(422)["errors"][0]["code"], "missing");
}

} // namespace
} // namespace costcurve::tests
