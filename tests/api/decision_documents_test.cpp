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

TEST_F(DecisionDocuments, HaveRangesAndBranchesOfPointers) {
    EXPECT_EQ(wrong("ranges", R"([{"pointer": "months", "low": 1, "high": 2}])"), Issues{"bad_format /ranges/0/pointer"});
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
