// Decisions as documents: stored with references to their scenarios, and refused where they contradict themselves.
#include <set>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

class DecisionDocuments : public testing::Test {
protected:
    void SetUp() override {
        for (const char* const id : {"rent", "own"}) {
            ASSERT_EQ(put("/v1/scenarios/" + std::string(id), json::parse(kSmallest)).status, 201);
        }
    }
    http::Response put(const std::string& path, const json& document) { return service.ask("PUT", path, document.dump()); }
    // Codes and pointers of what is wrong with a decision that has this member too.
    std::set<std::string> wrong(const char* member, const char* value) {
        json decision = {{"scenarios", {"rent", "own"}}};
        decision[member] = json::parse(value);
        const http::Response response = put("/v1/decisions/wrong", decision);
        EXPECT_EQ(response.status, 422) << response.body;
        std::set<std::string> found;
        const json body = json::parse(response.body);
        for (const json& error : body.at("errors")) {
            found.insert(error.at("code").get<std::string>() + " " + error.at("pointer").get<std::string>());
        }
        return found;
    }
    using Issues = std::set<std::string>;

    const json kDecision = json::parse(R"({
      "name": "Serve", "question": "How?", "scenarios": ["rent", "own"], "baseline": "own",
      "ranges": [{"pointer": "/pools/*/offer/hourly_price", "low": 0.5, "high": 2, "label": "rent"},
                 {"pointer": "/months", "low": 1, "high": 12}],
      "budget": 0, "notes": "long", "colours": {"rent": 1, "own": 8},
      "branches": [{"name": "dear", "set": {"/months": 3}, "scale": {"/pools/*/offer/hourly_price": 1.5}}]})");
    TestService service;
};

TEST_F(DecisionDocuments, AreStoredReadListedAndHaveAHistory) {
    const http::Response added = put("/v1/decisions/serve", kDecision);
    ASSERT_EQ(added.status, 201) << added.body;
    const json read = json::parse(service.ask("GET", "/v1/decisions/serve").body);
    for (const auto& [name, value] : kDecision.items()) {
        EXPECT_EQ(read.value(name, json()), value) << name;
    }
    EXPECT_EQ(read.at("revision"), 1);
    EXPECT_EQ(put("/v1/decisions/serve", read).status, 200) << "an answer can be sent back";
    json renamed = kDecision;
    renamed["name"] = "Host";
    EXPECT_EQ(put("/v1/decisions/serve", renamed).status, 200);
    const json history = json::parse(service.ask("GET", "/v1/decisions/serve/revisions").body);
    EXPECT_EQ(history.at("items").size(), 2U) << "what was sent back is the same revision";
    const json list = json::parse(service.ask("GET", "/v1/decisions?q=host").body);
    ASSERT_EQ(list.at("items").size(), 1U);
    EXPECT_EQ(list.at("items")[0].at("name"), "Host");
}

TEST_F(DecisionDocuments, KeepTheScenariosThatTheyName) {
    EXPECT_EQ(wrong("scenarios", R"(["rent", "none"])").size(), 1U);
    ASSERT_EQ(put("/v1/decisions/serve", kDecision).status, 201);
    EXPECT_EQ(service.ask("DELETE", "/v1/scenarios/rent").status, 409);
    EXPECT_EQ(service.ask("DELETE", "/v1/decisions/serve").status, 204);
    EXPECT_EQ(service.ask("DELETE", "/v1/scenarios/rent").status, 204);
}

TEST_F(DecisionDocuments, ThatContradictThemselvesAreRefused) {
    EXPECT_EQ(wrong("scenarios", "[]"), Issues{"out_of_range /scenarios"});
    EXPECT_EQ(wrong("scenarios", R"(["rent", "rent"])"), Issues{"inconsistent /scenarios/1"});
    EXPECT_EQ(wrong("baseline", R"("none")"), Issues{"unknown_reference /baseline"});
    EXPECT_EQ(wrong("budget", "-1"), Issues{"out_of_range /budget"});
    EXPECT_EQ(wrong("colours", R"({"none": 1})"), Issues{"unknown_reference /colours/none"});
    EXPECT_EQ(wrong("colours", R"({"rent": 9})"), Issues{"out_of_range /colours/rent"});
    EXPECT_EQ(wrong("colours", R"({"rent": 1.5})"), Issues{"wrong_type /colours/rent"});
    EXPECT_EQ(wrong("colours", "[1]"), Issues{"wrong_type /colours"});
}

// Bodies of encoding 4, as a store of before has them: a scenario on a hosted model, a performance with a curve and a decision.
TEST_F(DecisionDocuments, OfAnOlderStoreFollowTheObjectiveOfTheirScenarios) {
    const auto save = [&](storage::Kind kind, const json& body, std::vector<storage::Series> series = {}) {
        storage::Record record;
        record.key = {kind, body["id"].get<std::string>()};
        record.body = body.dump();
        record.series = std::move(series);
        record.encoding = 4;
        for (const json& scenario : body.value("scenarios", json::array())) {
            record.references.push_back({storage::Kind::scenario, scenario.get<std::string>()});
        }
        static_cast<void>(service.store.save({"cli", ""}, record));
    };
    save(storage::Kind::scenario, json::parse(R"({"id": "hosted", "start": "2026-01", "months": 1,
        "workloads": [{"id": "w", "kind": "inference", "latency_objective_s": 2, "demand": {"mean_per_s": 1},
                       "runs_on": [{"pool": "a"}]}],
        "pools": [{"id": "a", "kind": "api", "price_per_million_units": 1, "latency_s": 1}]})"));
    save(storage::Kind::decision, json::parse(R"({"id": "old", "scenarios": ["hosted"],
        "ranges": [{"pointer": "/workloads/0/latency_objective_s", "low": 1, "high": 3},
                   {"pointer": "/pools/0/latency_s", "low": 1, "high": 3}],
        "branches": [{"name": "slow", "set": {"/workloads/0/latency_objective_s": 9}}]})"));
    save(storage::Kind::performance,
         json::parse(R"({"id": "p", "units_per_s": 1, "latency_s": {"kind": "latency", "axis": "batch", "points": []}})"),
         {{"/latency_s", {1, 8}, {0.1, 0.2}}});
    const auto get = [&](const std::string& path) { return json::parse(service.ask("GET", path).body); };
    const json scenario = get("/v1/scenarios/hosted");
    EXPECT_EQ(scenario["workloads"][0]["slo"], json({{"e2e_s", 2}, {"percentile", 0}}));
    EXPECT_EQ(scenario["pools"][0]["e2e_s"], 1);
    for (const json& decision : {get("/v1/decisions/old"), get("/v1/decisions")["items"][0]}) {
        EXPECT_EQ(decision["ranges"][0]["pointer"], "/workloads/0/slo/e2e_s");
        EXPECT_EQ(decision["ranges"][1]["pointer"], "/pools/0/e2e_s");
        EXPECT_EQ(decision["branches"][0]["set"], json({{"/workloads/0/slo/e2e_s", 9}}));
    }
    json performance = get("/v1/performances/p");
    EXPECT_EQ(performance["itl_s"]["points"], json::parse("[[1, 0.1], [8, 0.2]]"));
    for (const std::string path : {"/v1/scenarios/hosted", "/v1/performances/p", "/v1/decisions/old"}) {
        const http::Response same = service.ask("PUT", path, get(path).dump());
        EXPECT_EQ(json::parse(same.body)["revision"], 1) << "what is written again as it is stays unchanged: " << same.body;
    }
    performance["itl_s"]["points"][1][1] = 0.3;
    EXPECT_EQ(json::parse(service.ask("PUT", "/v1/performances/p", performance.dump()).body)["revision"], 2);
    EXPECT_EQ(get("/v1/performances/p")["itl_s"]["points"][1][1], 0.3);
    EXPECT_EQ(get("/v1/performances/p?as_of=@5")["itl_s"]["points"][1][1], 0.2);
    json decision = get("/v1/decisions/old");
    decision["ranges"][0]["high"] = 4;
    EXPECT_EQ(json::parse(service.ask("PUT", "/v1/decisions/old", decision.dump()).body)["revision"], 2);
    EXPECT_EQ(get("/v1/decisions/old")["ranges"][0]["pointer"], "/workloads/0/slo/e2e_s") << "and stays there";
}

TEST_F(DecisionDocuments, HaveRangesAndBranchesOfPointers) {
    EXPECT_EQ(wrong("ranges", R"([{"pointer": "months", "low": 1, "high": 2}])"), Issues{"bad_format /ranges/0/pointer"});
    EXPECT_EQ(wrong("ranges", R"([{"pointer": "/workloads/0/latency_objective_s", "low": 1, "high": 2}])"),
              Issues{"unknown_reference /ranges/0/pointer"})
        << "it is slo.itl_s or slo.e2e_s now";
    EXPECT_EQ(wrong("ranges", R"([{"pointer": "/months", "low": 2, "high": 2}])"), Issues{"inconsistent /ranges/0/high"});
    EXPECT_EQ(wrong("ranges", R"([{"pointer": "/pools/*/server/price", "low": -1, "high": 2}])"),
              Issues{"out_of_range /ranges/0/low"});
    EXPECT_EQ(wrong("ranges", R"([{"pointer": "/months", "low": 1, "high": 2}, {"pointer": "/months", "low": 1, "high": 3}])"),
              Issues{"inconsistent /ranges/1/pointer"});
    EXPECT_EQ(wrong("branches", R"([{"name": "a"}, {"name": "a"}])"), Issues{"inconsistent /branches/1/name"});
    EXPECT_EQ(wrong("branches", R"([{"set": {"/months": 1}}])"), Issues{"missing /branches/0/name"});
    EXPECT_EQ(wrong("branches", R"([{"name": "a", "set": {"/pools/*/server/price": 1}}])"),
              Issues{"not_allowed /branches/0/set/~1pools~1*~1server~1price"});
    EXPECT_EQ(wrong("branches", R"([{"name": "a", "scale": {"months": 1}}])"), Issues{"bad_format /branches/0/scale/months"});
    EXPECT_EQ(wrong("branches", R"([{"name": "a", "scale": {"/months": -1}}])"), Issues{"out_of_range /branches/0/scale/~1months"});
}

} // namespace
} // namespace costcurve::tests
