// The chain of upgrades: one version after the other, of one kind.
#include "server/documents/upgrades.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace costcurve::documents {
namespace {

using nlohmann::json;
using storage::Kind;

constexpr auto kChain = std::to_array<Upgrade>({
    {2, Kind::site, [](json& body) { body["steps"] += 2; }},
    {1, Kind::site, [](json& body) { body["steps"] += 1; }},
    {3, Kind::site, [](json& body) { body["steps"] += 3; }},
    {1, Kind::offer, [](json& body) { body["steps"] += 9; }},
});

std::string upgraded(Kind kind, int encoding, int to) {
    json body = {{"steps", json::array()}};
    upgrade(body, kind, encoding, to, kChain);
    return body["steps"].dump();
}

TEST(Upgrades, GoFromVersionToVersion) {
    EXPECT_EQ(upgraded(Kind::site, 1, 4), "[1,2,3]");
    EXPECT_EQ(upgraded(Kind::site, 2, 4), "[2,3]");
    EXPECT_EQ(upgraded(Kind::site, 1, 2), "[1]");
}

TEST(Upgrades, LeaveOtherKindsAndTheNewestVersionAsTheyAre) {
    EXPECT_EQ(upgraded(Kind::device, 1, 4), "[]");
    EXPECT_EQ(upgraded(Kind::site, 4, 4), "[]");
    EXPECT_EQ(upgraded(Kind::offer, 1, 4), "[9]");
}

// economics.md, A13: version 1 wrote 0 where nothing was stated.
TEST(Upgrades, InterruptionsOf0OfASpotOfferOfVersion1AreNotStated) {
    const json spot = {{"purchase", "spot"}, {"interruptions_per_hour", 0}};
    const json rented = {{"purchase", "on_demand"}, {"interruptions_per_hour", 0}};
    const json measured = {{"purchase", "spot"}, {"interruptions_per_hour", 0.02}};
    json scenario = {
        {"pools", {{{"offer", spot}}, {{"offer", rented}}, {{"offer", measured}}, {{"offer", "an-id"}}, {{"id", "api"}}}}};
    upgrade(scenario, Kind::scenario, 1);
    EXPECT_EQ(scenario["pools"][0]["offer"], json({{"purchase", "spot"}}));
    EXPECT_EQ(scenario["pools"][1]["offer"], rented);
    EXPECT_EQ(scenario["pools"][2]["offer"], measured);
    EXPECT_EQ(scenario["pools"][3]["offer"], "an-id");
    json offer = spot;
    upgrade(offer, Kind::offer, 1);
    EXPECT_EQ(offer, json({{"purchase", "spot"}}));
    offer = spot;
    upgrade(offer, Kind::offer, 2); // it leaves defaults out: what stands there was stated
    EXPECT_EQ(offer, spot);
}

// Until version 3 a replica could take devices of several hosts: those of TPUs are one fabric, others must say so.
TEST(Upgrades, ReplicasOfTpusSpanHosts) {
    const auto entry = [](const char* pool, double devices) {
        return json{{"pool", pool}, {"performance", {{"devices", devices}, {"units_per_s", 1}}}};
    };
    const auto pool = [](const char* id, const char* kind) { return json{{"id", id}, {"offer", {{"device", {{"kind", kind}}}}}}; };
    json scenario = {{"workloads", {{{"runs_on", {entry("tpu", 16), entry("tpu", 1), entry("gpu", 4), {{"pool", "tpu"}}}}}}},
                     {"pools", {pool("tpu", "tpu"), pool("gpu", "gpu"), {{"id", "stored"}, {"offer", "an-id"}}}}};
    upgrade(scenario, Kind::scenario, 3);
    const json& runs_on = scenario["workloads"][0]["runs_on"];
    EXPECT_EQ(runs_on[0]["performance"].value("spans_hosts", false), true);
    for (const std::size_t i : {1U, 2U}) {
        EXPECT_FALSE(runs_on[i]["performance"].contains("spans_hosts")) << i;
    }
    EXPECT_EQ(runs_on[3], json({{"pool", "tpu"}}));
}

// Until version 4 latency_s was per token here and per request there, and an objective of it was held against both.
json upgraded_scenario(json pools, json entries, const json& objectives) {
    json scenario = {{"pools", std::move(pools)}, {"workloads", {{{"id", "w"}, {"runs_on", std::move(entries)}}}}};
    scenario["workloads"][0].update(objectives);
    upgrade(scenario, Kind::scenario, 4);
    return scenario;
}

TEST(Upgrades, AnObjectiveOfLatencyIsBetweenTokensOrOfARequestByWhatTheWorkloadRunsOn) {
    const json own = {{"id", "own"}, {"kind", "cloud"}};
    const json api = {{"id", "api"}, {"kind", "api"}, {"latency_s", 3}, {"endpoint", {{"latency_s", 4}}}};
    const json on_own = {{"pool", "own"}, {"performance", {{"latency_s", 0.1}, {"ttft_s", 1}, {"latency_percentile", 50}}}};
    const json on_api = {{"pool", "api"}};
    const json objective = {{"latency_objective_s", 2}};
    const json between = {{"itl_s", 2}, {"percentile", 0}};
    EXPECT_EQ(upgraded_scenario({own}, {on_own}, objective)["workloads"][0]["slo"], between);
    EXPECT_EQ(upgraded_scenario({own, api}, {on_own, on_api}, objective)["workloads"][0]["slo"], between);
    EXPECT_EQ(upgraded_scenario({own, api}, {on_api}, objective)["workloads"][0]["slo"], json({{"e2e_s", 2}, {"percentile", 0}}));
    EXPECT_EQ(upgraded_scenario({own}, {{{"pool", "own"}}}, objective)["workloads"][0]["slo"], between) << "a rate of the store";
    const json all =
        upgraded_scenario({own, api}, {on_own}, {{"latency_objective_s", 2}, {"ttft_objective_s", 5}, {"latency_percentile", 99}});
    EXPECT_EQ(all["workloads"][0],
              json({{"id", "w"},
                    {"runs_on", {{{"pool", "own"}, {"performance", {{"itl_s", 0.1}, {"ttft_s", 1}, {"latency_percentile", 50}}}}}},
                    {"slo", {{"itl_s", 2}, {"ttft_s", 5}, {"percentile", 99}}}}));
    EXPECT_EQ(all["pools"][1], json({{"id", "api"}, {"kind", "api"}, {"e2e_s", 3}, {"endpoint", {{"e2e_s", 4}}}}));
    const json none = upgraded_scenario({own}, {on_own}, json::object());
    EXPECT_FALSE(none["workloads"][0].contains("slo"));
}

TEST(Upgrades, ReferencesOfAScenarioStayWhereItsLatencyIsRenamed) {
    const json scenario = upgraded_scenario({{{"id", "a"}, {"kind", "api"}, {"endpoint", "an-id"}}},
                                            {{{"pool", "a"}, {"performance", "another"}}}, json::object());
    EXPECT_EQ(scenario["pools"][0]["endpoint"], "an-id");
    EXPECT_EQ(scenario["workloads"][0]["runs_on"][0]["performance"], "another");
}

TEST(Upgrades, LatencyOfPerformancesAndEndpointsIsRenamedWithThePlaceOfItsCurve) {
    json performance = {{"latency_s", {{"kind", "latency"}}}, {"note", "n"}};
    upgrade(performance, Kind::performance, 4);
    EXPECT_EQ(performance, json({{"itl_s", {{"kind", "latency"}}}, {"note", "n"}}));
    EXPECT_EQ(upgraded_pointer("/latency_s", Kind::performance, 4), "/itl_s");
    EXPECT_EQ(upgraded_pointer("/latency_s", Kind::performance, 5), "/latency_s");
    EXPECT_EQ(upgraded_pointer("/units_per_s", Kind::performance, 4), "/units_per_s");
    json endpoint = {{"latency_s", 2}};
    upgrade(endpoint, Kind::endpoint, 4);
    EXPECT_EQ(endpoint, json({{"e2e_s", 2}}));
}

TEST(Upgrades, RangesAndBranchesOfDecisionsFollowRenamedFields) {
    json decision = {{"ranges", {{{"pointer", "/workloads/0/latency_objective_s"}, {"low", 1}}}},
                     {"branches",
                      {{{"name", "a"}, {"set", {{"/workloads/0/ttft_objective_s", 1}, {"/pools/0/latency_s", 2}}}},
                       {{"name", "b"}, {"scale", {{"/workloads/*/runs_on/*/performance/latency_s", 2}}}}}}};
    upgrade(decision, Kind::decision, 4);
    EXPECT_EQ(decision, json({{"ranges", {{{"pointer", "/workloads/0/slo/itl_s"}, {"low", 1}}}},
                              {"branches",
                               {{{"name", "a"}, {"set", {{"/workloads/0/slo/ttft_s", 1}, {"/pools/0/e2e_s", 2}}}},
                                {{"name", "b"}, {"scale", {{"/workloads/*/runs_on/*/performance/itl_s", 2}}}}}}}));
    json bare = {{"name", "n"}};
    upgrade(bare, Kind::decision, 4);
    EXPECT_EQ(bare, json({{"name", "n"}}));
    EXPECT_EQ(upgraded_scenario_pointer("/workloads/0/runs_on/1/performance/latency_s/points/3/1", 4),
              "/workloads/0/runs_on/1/performance/itl_s/points/3/1");
    EXPECT_EQ(upgraded_scenario_pointer("/workloads/0/latency_percentile", 4), "/workloads/0/slo/percentile");
    EXPECT_EQ(upgraded_scenario_pointer("/workloads/0/runs_on/0/performance/latency_percentile", 4),
              "/workloads/0/runs_on/0/performance/latency_percentile");
    EXPECT_EQ(upgraded_scenario_pointer("/pools/0/endpoint/latency_s", 4), "/pools/0/endpoint/e2e_s");
}

// The body of a decision does not say what its scenarios run on.
TEST(Upgrades, ADecisionOfApisAloneMeansTheTimeOfARequest) {
    const auto scenario = [](const char* kind) {
        storage::Revision revision;
        revision.record.key = {Kind::scenario, kind};
        revision.record.encoding = 4;
        const json pool = std::string(kind) == "api" ? json{{"id", "p"}, {"kind", "api"}, {"price_per_million_units", 1}}
                                                     : json{{"id", "p"}, {"kind", "cloud"}, {"max_instances", 1}, {"offer", "o"}};
        revision.record.body = json{
            {"id", kind},
            {"start", "2026-01"},
            {"months", 1},
            {"workloads",
             {{{"id", "w"},
               {"kind", "inference"},
               {"latency_objective_s", 2},
               {"demand", {{"mean_per_s", 1}}},
               {"runs_on", {{{"pool", "p"}}}}}}},
            {"pools", {pool}}}.dump();
        return revision;
    };
    const auto load = [&](const storage::DocumentKey& key) -> std::optional<storage::Revision> {
        return key.id == "gone" ? std::nullopt : std::optional(scenario(key.id.c_str()));
    };
    const auto placed = [&](std::vector<std::string> scenarios, int encoding) {
        model::DecisionDocument decision;
        decision.scenarios = std::move(scenarios);
        decision.ranges = {{"/workloads/0/slo/itl_s", 1, 2, ""}};
        decision.branches = {{"b", {{"/workloads/0/slo/itl_s", 1}}, {{"/workloads/*/slo/itl_s", 2}}}};
        place_objectives(decision, encoding, load);
        return decision.ranges[0].pointer + " " + decision.branches[0].set.begin()->first + " " +
               decision.branches[0].scale.begin()->first;
    };
    const std::string request = "/workloads/0/slo/e2e_s /workloads/0/slo/e2e_s /workloads/*/slo/e2e_s";
    const std::string tokens = "/workloads/0/slo/itl_s /workloads/0/slo/itl_s /workloads/*/slo/itl_s";
    EXPECT_EQ(placed({"api"}, 4), request);
    EXPECT_EQ(placed({"api", "gone"}, 4), request);
    EXPECT_EQ(placed({"api", "cloud"}, 4), tokens);
    EXPECT_EQ(placed({"gone"}, 4), tokens);
    EXPECT_EQ(placed({"api"}, 5), tokens) << "it says what it means";
}

} // namespace
} // namespace costcurve::documents
