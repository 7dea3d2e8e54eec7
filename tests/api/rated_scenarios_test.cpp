// Scenarios whose entries state no rate: the stored model's on the pool's device stands in.
#include <set>

#include <gtest/gtest.h>

#include "model/version.hpp"
#include "server/recalculation/recalculate.hpp"
#include "server/recalculation/recalculation.hpp"
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
    // Evaluates the stored scenarios that changed; how many were looked at.
    json recalculated() {
        const http::Response begun = service.ask("POST", "/v1/recalculations", R"({"scenarios": "changed"})");
        EXPECT_EQ(begun.status, 202) << begun.body;
        const std::string number = json::parse(begun.body)["id"];
        recalculation::execute_run(service.store, std::stoll(number),
                                   {.model_version = std::string(model::kModelVersion),
                                    .recalculate = recalculation::recalculate,
                                    .threads = 1,
                                    .at_end = {},
                                    .ended = [] {}});
        return json::parse(service.ask("GET", "/v1/recalculations/" + number).body);
    }
    // "kind id revision" of what a kept result was made of.
    std::set<std::string> documents_of(const std::string& result) {
        const json provenance = json::parse(service.ask("GET", "/v1/scenarios/kept/results/" + result).body)["provenance"];
        std::set<std::string> found;
        for (const json& one : provenance["documents"]) {
            found.insert(one["kind"].get<std::string>() + " " + one["id"].get<std::string>() + " " + one["revision"].dump());
        }
        return found;
    }
    static json measured(const std::string& model, double output_per_s) {
        return {{"kind", "serving"},
                {"model", model},
                {"device", "card"},
                {"devices", 1},
                {"precision", "bf16"},
                {"date", "2026-03-02"},
                {"source", "our own run"},
                {"points", {{"input", {100}}, {"output", {200}}, {"concurrency", {64}}, {"output_per_s", {output_per_s}}}}};
    }
    // What the entry states, measured with requests of 100 tokens in and 200 out.
    void state(double units_per_s) {
        scenario["workloads"][0]["runs_on"][0]["performance"] = {{"model", "plain-8b"},
                                                                 {"devices", 1},
                                                                 {"precision", "bf16"},
                                                                 {"units_per_s", units_per_s},
                                                                 {"mix", {{"input", 100}, {"output", 200}}},
                                                                 {"concurrency", 64}};
    }
    static bool warns(const json& result, const std::string& code) {
        return std::ranges::any_of(result["warnings"], [&](const json& warning) { return warning["code"] == code; });
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

TEST_F(RatedScenarios, AnExplanationSaysThatItsRateIsTheStepModels) {
    const auto explained = [&] {
        return service
            .ask("POST", "/v1/explain",
                 json{{"scenario", scenario}, {"figure", "/by_pool/pool/busy_device_hours"}, {"depth", 12}}.dump())
            .body;
    };
    EXPECT_NE(explained().find("for the workload's request by the step model"), std::string::npos) << explained();
    scenario["pools"][0]["offer"]["device"] = "card";
    state(3000);
    EXPECT_EQ(explained().find("by the step model"), std::string::npos) << "stated of this request";
    scenario["workloads"][0]["units_per_request"]["input"] = 1000;
    EXPECT_NE(explained().find("as stated, for the workload's request by the step model"), std::string::npos);
}

TEST_F(RatedScenarios, OfPromptsAloneArePlansThatEvaluate) {
    json offer = scenario["pools"][0]["offer"];
    put("/v1/offers/rented", offer);
    json work = scenario["workloads"][0];
    work.erase("runs_on");
    for (const json& units : {json{{"input", 500}, {"output", 1}}, json{{"input", 500}}}) {
        work["units_per_request"] = units;
        const json request = {{"start", "2026-01"}, {"months", 1}, {"workloads", {work}}};
        const json ranked = json::parse(service.ask("POST", "/v1/rank", request.dump()).body);
        ASSERT_FALSE(ranked["plans"].empty()) << ranked.dump();
        scenario = ranked["plans"][0]["scenario"];
        EXPECT_EQ(evaluated()["decisive"], ranked["plans"][0]["decisive"]) << "there is no time between tokens";
    }
}

TEST_F(RatedScenarios, PromptsTakeTheirTime) {
    const double with_100 = busy_hours();
    scenario["workloads"][0]["units_per_request"]["input"] = 1000;
    const double with_1000 = busy_hours();
    EXPECT_GT(with_1000, 1.3 * with_100);
    scenario["workloads"][0]["units_per_request"] = {{"input", 100}, {"cached_input", 900}, {"output", 200}};
    EXPECT_LT(busy_hours(), with_1000);
}

TEST_F(RatedScenarios, TrainingNeedsNoRate) {
    json& workload = scenario["workloads"][0];
    for (const char* const of_serving : {"units_per_request", "demand", "peak_utilization", "slo"}) {
        workload.erase(of_serving);
    }
    workload["kind"] = "training";
    workload["units_per_epoch"] = 1e9;
    workload["epochs_per_month"] = 1;
    const json result = evaluated();
    EXPECT_EQ(result["by_workload"]["work"]["units_unserved"], 0.0);
    EXPECT_EQ(result["by_workload"]["work"]["evidence"], "assumed"); // its model states no heads
    // 128 GB of state on devices of 86 GB: two of them. 6 FLOP a parameter at an MFU from 0.25 to 0.6.
    const double hours = result["by_pool"]["pool"]["busy_device_hours"];
    const double device_hours_at_peak = 1e9 * 6.0 * (8e9 + 32 * 4564.0 * 4096) / 989e12 / 3600.0;
    EXPECT_GT(hours, device_hours_at_peak / 0.6);
    EXPECT_LT(hours, device_hours_at_peak / 0.25);
    workload["precision"] = "fp8";
    EXPECT_EQ(evaluated(422)["errors"][0]["code"], "ineligible_precision");
}

TEST_F(RatedScenarios, WhatCannotRunIsRefusedAtItsEntry) {
    scenario["workloads"][0]["units_per_request"]["input"] = 8000; // and 200 out: beyond the context
    EXPECT_EQ(evaluated(422)["errors"][0]["code"], "too_large");
    scenario["workloads"][0]["units_per_request"]["input"] = 100;
    scenario["workloads"][0]["slo"] = {{"itl_s", 1e-4}};
    json error = evaluated(422)["errors"][0];
    EXPECT_EQ(error["code"], "ineligible_latency");
    EXPECT_EQ(error["pointer"], "/scenario/workloads/0/runs_on/0/performance");
    scenario["workloads"][0].erase("slo");
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

TEST_F(RatedScenarios, NoStatedRateFasterThanItsDeviceIsTakenForMeasured) {
    scenario["pools"][0]["offer"]["device"] = "card";
    state(3000);
    const json possible = evaluated();
    EXPECT_FALSE(warns(possible, "above_ceiling"));
    // At 64 requests a step reads 16e9 B of weights and some of caches at 3.35e12 B/s, no more than 0.95 of it: 64 / 5 ms.
    state(64 / 5e-3 * 1.5); // counts prompts at weight 1: 12,800 tokens out
    const json impossible = evaluated();
    EXPECT_TRUE(warns(impossible, "above_ceiling")) << impossible["warnings"];
    EXPECT_EQ(impossible["by_workload"]["work"]["evidence"], "assumed");
}

// No rate is made of a document that is refused: the daemon ended on a curve without points.
TEST_F(RatedScenarios, CurvesWithoutPointsAreRefusedFirst) {
    json& offer = scenario["pools"][0]["offer"];
    offer["device"] = {{"id", "own-card"},
                       {"kind", "gpu"},
                       {"tdp_w", 700},
                       {"memory_gib", 80},
                       {"memory_bandwidth_gb_per_s", 3350},
                       {"peak_flops", {{"bf16", 989e12}}},
                       {"power", {{"kind", "power"}, {"axis", "throughput_share"}, {"points", json::array()}}}};
    EXPECT_EQ(evaluated(422)["errors"][0]["pointer"], "/scenario/pools/0/offer/device/power/points");
    offer["device"].erase("power");
    state(3000);
    scenario["workloads"][0]["units_per_request"]["input"] = 1000; // another request than the stated rate's
    scenario["workloads"][0]["runs_on"][0]["performance"]["itl_s"] = {{"kind", "latency"}, {"axis", "batch"}, {"points", "none"}};
    EXPECT_EQ(evaluated(422)["errors"][0]["pointer"], "/scenario/workloads/0/runs_on/0/performance/itl_s/points");
}

TEST_F(RatedScenarios, OnesOwnMeasurementHoldsWhereTheModelsShapeIsNotKnown) {
    put("/v1/measurements/published", measured("plain-8b", 4000));
    const json question = {{"model", "plain-8b"}, {"device", "card"}, {"devices", 1},
                           {"input", 100},        {"output", 200},    {"concurrency", 64}};
    const auto rate = [&] { return json::parse(service.ask("POST", "/v1/rates", question.dump()).body); };
    EXPECT_NEAR(rate()["output_per_s"].get<double>(), 4000, 0.05 * 4000);
    EXPECT_EQ(rate()["evidence"], "measured");
    json own = measured("plain-8b", 1500); // a quarter of the step model's
    own["own"] = true;
    put("/v1/measurements/ours", own);
    EXPECT_NEAR(rate()["output_per_s"].get<double>(), 1500, 0.15 * 1500);
    EXPECT_EQ(rate()["from"][0]["measurement"], "ours");
}

// A run that two publishers' files have weighed twice.
TEST_F(RatedScenarios, APointThatTwoDocumentsHaveCountsOnce) {
    const json question = {{"model", "plain-8b"}, {"device", "card"}, {"devices", 1},
                           {"input", 300},        {"output", 200},    {"concurrency", 64}};
    const auto rate = [&] { return json::parse(service.ask("POST", "/v1/rates", question.dump()).body)["output_per_s"]; };
    put("/v1/measurements/published", measured("plain-8b", 4000));
    const json once = rate();
    put("/v1/measurements/published-again", measured("plain-8b", 4001)); // rounded
    EXPECT_EQ(rate(), once);
    put("/v1/measurements/another", measured("plain-8b", 4400));
    EXPECT_NE(rate(), once);
}

TEST_F(RatedScenarios, OfflineRunsAreTakenAtTheLikeliestLayout) {
    const json question = {{"model", "plain-8b"}, {"device", "card"}, {"devices", 1},
                           {"input", 100},        {"output", 200},    {"concurrency", 1000}};
    const auto rate = [&] { return json::parse(service.ask("POST", "/v1/rates", question.dump()).body); };
    const double alone = rate()["output_per_s"];
    json offline = measured("plain-8b", 8 * 0.8 * alone); // eight replicas of one card
    offline["kind"] = "offline";
    offline["devices"] = 8;
    offline["points"].erase("concurrency");
    put("/v1/measurements/mlperf", offline);
    EXPECT_NEAR(rate()["output_per_s"].get<double>(), 0.8 * alone, 0.05 * alone);
    EXPECT_EQ(rate()["from"][0]["measurement"], "mlperf");
    EXPECT_NE(rate()["evidence"], "measured") << "its load is not stated";
    offline["points"]["output_per_s"] = {8 * 0.3 * alone}; // another layout than was guessed, or another precision
    put("/v1/measurements/mlperf", offline);
    EXPECT_EQ(rate()["output_per_s"], alone);
}

TEST_F(RatedScenarios, AMeasurementChangesThem) {
    json twin = json::parse(service.ask("GET", "/v1/models/plain-8b").body);
    twin["id"] = "other-9b"; // of the same architecture
    put("/v1/models/other-9b", twin);
    put("/v1/scenarios/kept", scenario);
    EXPECT_EQ(recalculated()["evaluated"], 1);
    EXPECT_EQ(recalculated()["total"], 0);
    EXPECT_TRUE(documents_of("1").contains("model plain-8b 1"));
    put("/v1/measurements/ours", measured("plain-8b", 4500));
    EXPECT_EQ(recalculated()["evaluated"], 1);
    EXPECT_TRUE(documents_of("2").contains("measurement ours 1"));
    put("/v1/measurements/ours", measured("plain-8b", 4000));
    EXPECT_EQ(recalculated()["evaluated"], 1);
    EXPECT_TRUE(documents_of("3").contains("measurement ours 2"));
    put("/v1/measurements/twin", measured("other-9b", 3500));
    EXPECT_EQ(recalculated()["evaluated"], 1);
    EXPECT_TRUE(documents_of("4").contains("measurement twin 1"));
    for (const char* result : {"1", "2", "3", "4"}) { // computed again as of then, each gives its own hash
        const std::string target = std::string("/v1/scenarios/kept/results/") + result + "?format=csv&table=ledger";
        EXPECT_EQ(service.ask("GET", target).status, 200) << result;
    }
    EXPECT_EQ(service.ask("DELETE", "/v1/models/plain-8b").status, 409) << "a scenario takes its rates";
}

// What a rate had been measured with was not asked: 1,000 tokens of prompt were as fast as 100.
TEST_F(RatedScenarios, AStatedRateHoldsAtItsMixAndFollowsTheStepModelElsewhere) {
    json& workload = scenario["workloads"][0];
    const auto rate = [&](double input) -> double {
        const json question = {{"model", "plain-8b"}, {"device", "card"}, {"devices", 1},
                               {"input", input},      {"output", 200},    {"concurrency", 64}};
        return json::parse(service.ask("POST", "/v1/rates", question.dump()).body)["output_per_s"];
    };
    const double stated = 1.5 * rate(100); // of tokens in and out
    state(stated);
    const json at_mix = evaluated();
    const double hours = at_mix["by_pool"]["pool"]["busy_device_hours"];
    const double served = at_mix["by_workload"]["work"]["units_served"];
    EXPECT_NEAR(hours, served / stated / 3600.0, 1e-9 * hours);
    EXPECT_EQ(at_mix["by_workload"]["work"]["evidence"], "measured");
    EXPECT_FALSE(warns(at_mix, "mix_differs"));
    state(1.1 * stated);
    EXPECT_NEAR(busy_hours(), hours / 1.1, 1e-9 * hours);
    workload["units_per_request"]["input"] = 100.001; // continuous
    EXPECT_NEAR(busy_hours(), hours / 1.1, 1e-4 * hours);
    workload["units_per_request"]["input"] = 110;
    EXPECT_EQ(evaluated()["by_workload"]["work"]["evidence"], "measured") << "within a quarter";
    state(stated);
    workload["units_per_request"]["input"] = 1000;
    const json longer = evaluated();
    EXPECT_NEAR(longer["by_pool"]["pool"]["busy_device_hours"], hours * rate(100) / rate(1000), 1e-6 * hours);
    EXPECT_GT(rate(100), 1.3 * rate(1000));
    EXPECT_FALSE(warns(longer, "mix_differs"));
    const json& read = longer["provenance"]["documents"];
    EXPECT_TRUE(std::ranges::any_of(read, [](const json& one) { return one["kind"] == "model" && one["id"] == "plain-8b"; }));
    workload["units_per_request"] = {{"input", 100}, {"cached_input", 900}, {"output", 200}};
    EXPECT_LT(busy_hours(), 0.9 * longer["by_pool"]["pool"]["busy_device_hours"].get<double>());
    workload["model"] = "not-stored";
    workload["runs_on"][0]["performance"].erase("model");
    const json unknown = evaluated();
    EXPECT_TRUE(warns(unknown, "mix_differs"));
    EXPECT_EQ(unknown["by_workload"]["work"]["evidence"], "assumed");
}

TEST_F(RatedScenarios, LatenciesFollowTheRequestToo) {
    state(4500);
    json& workload = scenario["workloads"][0];
    workload["runs_on"][0]["performance"]["itl_s"] = 0.02;
    workload["slo"] = {{"itl_s", 0.021}, {"percentile", 0}};
    EXPECT_EQ(evaluated()["by_workload"]["work"]["evidence"], "measured");
    workload["units_per_request"]["input"] = 4000; // whose prompts are computed between the tokens of others
    EXPECT_EQ(evaluated(422)["errors"][0]["code"], "ineligible_latency");
    workload["slo"]["itl_s"] = 1;
    evaluated();
    workload["runs_on"][0]["performance"]["mix"]["output"] = 1; // no second token, whose time could be told
    EXPECT_TRUE(warns(evaluated(), "latency_unknown"));
}

TEST_F(RatedScenarios, ARateFasterThanTheDeviceMovesNoOtherRequest) {
    const auto hours_of = [&](double units_per_s) {
        state(units_per_s);
        scenario["workloads"][0]["units_per_request"]["input"] = 400;
        return busy_hours();
    };
    const double honest = hours_of(4500);
    EXPECT_GT(hours_of(1e9), 0.2 * honest) << "1e9 tokens/s are beyond the bandwidth: the step model alone";
    EXPECT_EQ(hours_of(1e9), hours_of(1e10));
}

TEST_F(RatedScenarios, ARateOfNoStatedMixIsAssumedWhereTokensAreOfSeveralClasses) {
    state(4500);
    json& workload = scenario["workloads"][0];
    workload["runs_on"][0]["performance"].erase("mix");
    const json result = evaluated();
    EXPECT_TRUE(warns(result, "mix_unknown"));
    EXPECT_EQ(result["by_workload"]["work"]["evidence"], "assumed");
    workload["units_per_request"] = {{"output", 200}};
    EXPECT_FALSE(warns(evaluated(), "mix_unknown")) << "one class";
    workload["units_per_request"] = {{"input", 100}, {"output", 200}};
    workload["unit"] = "image";
    workload.erase("model");
    EXPECT_FALSE(warns(evaluated(), "mix_unknown")) << "images have no mix";
}

TEST_F(RatedScenarios, AStoredRateWithAMixChangesWithItsModel) {
    state(4500);
    json performance = scenario["workloads"][0]["runs_on"][0]["performance"];
    put("/v1/performances/ours", performance);
    scenario["workloads"][0]["runs_on"][0]["performance"] = "ours";
    scenario["workloads"][0]["units_per_request"]["input"] = 400;
    put("/v1/scenarios/kept", scenario);
    EXPECT_EQ(recalculated()["evaluated"], 1);
    EXPECT_TRUE(documents_of("1").contains("performance ours 1"));
    EXPECT_TRUE(documents_of("1").contains("model plain-8b 1"));
    put("/v1/measurements/near", measured("plain-8b", 4000));
    EXPECT_EQ(recalculated()["evaluated"], 1);
    EXPECT_TRUE(documents_of("2").contains("measurement near 1"));
    performance["model"] = "not-stored-yet";
    put("/v1/performances/other", performance); // as a file of a model that nobody stored
}

// The performance of an import moved no rate.
TEST_F(RatedScenarios, AnImportedLoadTestIsAPerformanceAndTheMeasurementBesideIt) {
    json device = json::parse(service.ask("GET", "/v1/devices/card").body);
    device.erase("id");
    put("/v1/devices/nvidia.h200-sxm-141gb", device);
    const auto import = [&](const std::string& model, double output_per_s) {
        const json run = {
            {"model_id", "maker/" + model + "-BF16"}, {"max_concurrency", 64},         {"completed", 1000},
            {"total_input_tokens", 100000},           {"total_output_tokens", 200000}, {"request_throughput", output_per_s / 200},
            {"output_throughput", output_per_s}};
        const std::string path = "/v1/imports?format=vllm_bench&device=H200&devices=1&id=test&model=" + model;
        const http::Response response = service.ask("POST", path, run.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    };
    const auto get = [&](const std::string& path) { return json::parse(service.ask("GET", path).body); };
    const std::string id = "test.plain-8b.100-200.1x-h200-sxm-141gb.bf16";
    import("plain-8b", 5000);
    EXPECT_EQ(get("/v1/performances/" + id)["measurement"], id);
    EXPECT_EQ(get("/v1/performances/" + id)["mix"]["input"], 100);
    EXPECT_EQ(get("/v1/measurements/" + id)["points"]["output_per_s"], json({5000}));
    const json question = {{"model", "plain-8b"}, {"device", "nvidia.h200-sxm-141gb"},
                           {"devices", 1},        {"input", 100},
                           {"output", 200},       {"concurrency", 64}};
    const json rated = json::parse(service.ask("POST", "/v1/rates", question.dump()).body);
    EXPECT_EQ(rated["evidence"], "measured");
    EXPECT_EQ(rated["from"][0]["measurement"], id);
    import("plain-8b", 5500); // a later run of the same
    EXPECT_EQ(get("/v1/performances/" + id)["units_per_s"], 8250);
    EXPECT_EQ(get("/v1/measurements/" + id)["points"]["output_per_s"], json({5500}));
    scenario["pools"][0]["offer"]["device"] = "nvidia.h200-sxm-141gb";
    scenario["workloads"][0]["runs_on"][0]["performance"] = id; // its own figure at its mix
    const json result = evaluated();
    const double served = result["by_workload"]["work"]["units_served"];
    EXPECT_NEAR(result["by_pool"]["pool"]["busy_device_hours"], served / 8250 / 3600, 1e-9 * served);
    import("nobody-9b", 5000); // of a model that is not stored the performance lands alone
    EXPECT_EQ(service.ask("GET", "/v1/performances/test.nobody-9b.100-200.1x-h200-sxm-141gb.bf16").status, 200);
    EXPECT_EQ(service.ask("GET", "/v1/measurements/test.nobody-9b.100-200.1x-h200-sxm-141gb.bf16").status, 404);
}

TEST_F(RatedScenarios, WhatContradictsAMixIsRefused) {
    const auto codes = [&](json performance) {
        const http::Response response = service.ask("PUT", "/v1/performances/x", performance.dump());
        EXPECT_EQ(response.status, 422) << response.body;
        const json errors = json::parse(response.body)["errors"];
        return errors[0]["code"].get<std::string>() + " " + errors[0]["pointer"].get<std::string>();
    };
    EXPECT_EQ(codes({{"units_per_s", 1}, {"mix", {{"input", 1}, {"output", 1}, {"cached_input", 2}}}}),
              "inconsistent /mix/cached_input");
    EXPECT_EQ(codes({{"units_per_s", 1}, {"mix", {{"input", 1}}}}), "missing /mix/output");
    const json curve = {{"kind", "throughput"}, {"axis", "batch"}, {"points", {{1, 10}, {8, 40}}}};
    EXPECT_EQ(codes({{"units_per_s", curve}, {"concurrency", 8}}), "not_allowed /concurrency");
    const json estimate = {{"method", "decode_step"}, {"active_parameters", 1e9}, {"weight_bytes", 1e9}, {"layers", 8}};
    EXPECT_EQ(codes({{"estimate", estimate}, {"mix", {{"output", 1}}}}), "not_allowed /mix");
}

} // namespace
} // namespace costcurve::tests
