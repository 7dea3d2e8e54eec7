// Evaluation with stored documents: references, as_of, sets, batches, idempotency; results that stay the same for ever.
#include <string>

#include <gtest/gtest.h>

#include "server/answers/encode_result.hpp"
#include "server/storage/store.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

using Words = std::vector<std::string>;

json evaluated_body(const http::Response& response) { return json::parse(response.body); }

Words problem_words(const json& problem) {
    Words found;
    for (const json& error : problem.at("errors")) {
        found.push_back(error.at("code").get<std::string>() + " " + error.at("pointer").get<std::string>());
    }
    std::sort(found.begin(), found.end());
    return found;
}

// The smallest scenario, its device, offer and rate stored apart.
class StoredEvaluate : public testing::Test {
protected:
    StoredEvaluate() {
        json offer = smallest()["pools"][0]["offer"];
        put("/v1/devices/gpu", offer["device"]);
        offer["device"] = "gpu";
        offer["hourly_price"] = "price";
        put("/v1/curves/price", price(3.6));
        put("/v1/offers/offer", offer);
        put("/v1/performances/rate", json{{"units_per_s", 1}, {"device", "gpu"}});
        scenario = smallest();
        scenario["pools"][0]["offer"] = "offer";
        scenario["workloads"][0]["runs_on"][0]["performance"] = "rate";
        put("/v1/scenarios/small", scenario);
    }
    static json price(double value) {
        return json{{"kind", "price"}, {"axis", "date"}, {"points", json::array({json::array({"2020-01-01", value})})}};
    }
    json put(const std::string& path, const json& document) {
        const http::Response response = service.ask("PUT", path, document.dump());
        EXPECT_LT(response.status, 300) << path << response.body;
        return evaluated_body(response);
    }
    http::Response post(const json& body, Headers headers = {}) {
        return service.ask("POST", "/v1/evaluate", body.dump(), std::move(headers));
    }
    std::vector<json> batch(const json& body) {
        const http::Response response = service.ask("POST", "/v1/evaluate/batch", body.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        std::string text;
        while (response.stream && response.stream(text)) {}
        std::vector<json> lines;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\n', at);
            lines.push_back(json::parse(text.substr(at, end - at)));
            at = end + 1;
        }
        return lines;
    }

    TestService service;
    json scenario;
};

TEST_F(StoredEvaluate, AnswersTheSameFiguresAsTheInlineScenario) {
    const json inline_total = evaluated_body(post({{"scenario", smallest()}})).at("total");
    EXPECT_EQ(evaluated_body(post({{"scenario", "small"}})).at("total"), inline_total);
    EXPECT_EQ(evaluated_body(post({{"scenario", scenario}})).at("total"), inline_total);
}

TEST_F(StoredEvaluate, PinsTheRevisionOfEveryDocument) {
    put("/v1/curves/price", price(4));
    const json provenance = evaluated_body(post({{"scenario", "small"}})).at("provenance");
    std::map<std::string, int> revisions;
    for (const json& document : provenance.at("documents")) {
        revisions[document.at("kind").get<std::string>() + " " + document.at("id").get<std::string>()] = document.at("revision");
    }
    EXPECT_EQ(revisions,
              (std::map<std::string, int>{
                  {"scenario small", 1}, {"offer offer", 1}, {"device gpu", 1}, {"curve price", 2}, {"performance rate", 1}}));
    EXPECT_EQ(provenance.at("as_of"), evaluated_body(service.ask("GET", "/v1/curves/price")).at("recorded_at"));
}

TEST_F(StoredEvaluate, GivesTheSameBytesAgainAfterLaterChanges) {
    const std::string before = post({{"scenario", "small"}, {"ledger", true}}).body;
    const std::string as_of = json::parse(before).at("provenance").at("as_of");
    put("/v1/curves/price", price(9));
    put("/v1/devices/gpu", json{{"kind", "gpu"}, {"tdp_w", 900}});
    json longer = scenario;
    longer["months"] = 3;
    put("/v1/scenarios/small", longer);
    EXPECT_NE(post({{"scenario", "small"}, {"ledger", true}}).body, before);
    EXPECT_EQ(post({{"scenario", "small"}, {"ledger", true}, {"as_of", as_of}}).body, before);
    put("/v1/sites/unrelated", json{{"energy_price", 1}});
    EXPECT_EQ(post({{"scenario", "small"}, {"ledger", true}, {"as_of", as_of}}).body, before);
}

TEST_F(StoredEvaluate, DoesNotChangeWithDocumentsItDoesNotUse) {
    const std::string before = post({{"scenario", "small"}}).body;
    put("/v1/sites/unrelated", json{{"energy_price", 1}});
    EXPECT_EQ(post({{"scenario", "small"}}).body, before);
}

TEST_F(StoredEvaluate, SetsIntoTheResolvedScenario) {
    const double cost = evaluated_body(post({{"scenario", "small"}})).at("total").at("cost");
    const json dearer = evaluated_body(post({{"scenario", "small"}, {"set", {{"/pools/0/offer/hourly_price", 7.2}}}}));
    EXPECT_DOUBLE_EQ(dearer.at("total").at("cost"), 2 * cost);
    json other = smallest()["pools"][0]["offer"];
    other["hourly_price"] = 1.2;
    put("/v1/offers/other", other);
    const json switched = evaluated_body(post({{"scenario", "small"}, {"set", {{"/pools/0/offer", "other"}}}}));
    EXPECT_NEAR(switched.at("total").at("cost"), cost / 3, 1e-9 * cost);
    EXPECT_EQ(problem_words(evaluated_body(post({{"scenario", "small"}, {"set", {{"/pools/0/offer", "nothing"}}}}))),
              Words{"unknown_reference /scenario/pools/0/offer"});
}

TEST_F(StoredEvaluate, NamesEveryReferenceThatIsMissingWithTheOtherIssues) {
    json wrong = scenario;
    wrong["months"] = 0;
    wrong["pools"][0]["offer"] = "none";
    wrong["workloads"][0]["runs_on"][0]["performance"] = "neither";
    EXPECT_EQ(problem_words(evaluated_body(post({{"scenario", wrong}}))),
              (Words{"out_of_range /scenario/months", "unknown_reference /scenario/pools/0/offer",
                     "unknown_reference /scenario/workloads/0/runs_on/0/performance"}));
    EXPECT_EQ(problem_words(evaluated_body(post({{"scenario", "none"}}))), Words{"unknown_reference /scenario"});
    EXPECT_EQ(problem_words(evaluated_body(post({{"scenario", "small"}, {"as_of", "2020-01-01T00:00:00Z"}}))),
              Words{"unknown_reference /scenario"});
    EXPECT_EQ(problem_words(evaluated_body(post({{"scenario", "small"}, {"as_of", "2999-01-01T00:00:00Z"}}))),
              Words{"out_of_range /as_of"});
}

TEST_F(StoredEvaluate, RefusesACurveOfAnotherKindInItsPlace) {
    put("/v1/curves/power", json::parse(R"({"kind": "power", "axis": "utilization", "points": [[0, 1], [1, 2]]})"));
    EXPECT_EQ(problem_words(evaluated_body(post({{"scenario", "small"}, {"set", {{"/pools/0/offer/hourly_price", "power"}}}}))),
              Words{"unknown_value /scenario/pools/0/offer/hourly_price/kind"});
}

TEST_F(StoredEvaluate, DoesNotBelieveRevisionsFromOutside) {
    json offer = evaluated_body(service.ask("GET", "/v1/offers/offer"));
    ASSERT_EQ(offer.at("revision"), 1);
    json copy = scenario;
    copy["pools"][0]["offer"] = offer;
    const json documents = evaluated_body(post({{"scenario", copy}})).at("provenance").at("documents");
    for (const json& document : documents) {
        if (document.at("id") == "offer") {
            EXPECT_TRUE(document.at("revision").is_null());
        }
    }
}

TEST_F(StoredEvaluate, PinsOnlyWhatASetLeavesAsItIs) {
    const auto revisions = [&](const json& body) {
        std::map<std::string, json> found;
        const json documents = evaluated_body(post(body)).at("provenance").at("documents");
        for (const json& document : documents) {
            found[document.at("id")] = document.at("revision");
        }
        return found;
    };
    auto found = revisions({{"scenario", "small"}, {"set", {{"/pools/0/offer/devices", 2}}}});
    EXPECT_TRUE(found.at("offer").is_null() && found.at("small").is_null()) << "changed, and around the change";
    EXPECT_EQ(found.at("gpu"), 1);
    EXPECT_EQ(found.at("rate"), 1);
    found = revisions({{"scenario", with(smallest(), "/id", "mine")}, {"set", {{"/revision", 7}}}});
    EXPECT_TRUE(found.at("mine").is_null()) << "a revision can't be claimed";
}

TEST_F(StoredEvaluate, GivesTheSameBytesForTheSameInputsHash) {
    json inline_offer = smallest()["pools"][0]["offer"];
    inline_offer["hourly_price"] = 9;
    put("/v1/offers/late", inline_offer);
    json direct = scenario;
    json switched = scenario;
    switched["pools"][0]["offer"] = "late";
    const http::Response once = post({{"scenario", direct}});
    const http::Response back = post({{"scenario", switched}, {"set", {{"/pools/0/offer", "offer"}}}});
    EXPECT_EQ(evaluated_body(once).at("provenance").at("inputs_hash"), evaluated_body(back).at("provenance").at("inputs_hash"));
    EXPECT_EQ(once.body, back.body);
}

TEST_F(StoredEvaluate, BoundsThePointsThatReferencesPutIn) {
    json points = json::array();
    for (int i = 0; i < 60000; ++i) {
        points.push_back({i + 1, 1});
    }
    put("/v1/performances/long",
        json{{"units_per_s", {{"kind", "throughput"}, {"axis", "batch"}, {"points", points}}}, {"batch", 1}});
    json many = scenario;
    const json work = many["workloads"][0];
    many["workloads"] = json::array();
    for (int i = 0; i < 20; ++i) {
        many["workloads"].push_back(work);
        many["workloads"].back()["id"] = "w" + std::to_string(i);
        many["workloads"].back()["runs_on"][0]["performance"] = "long";
    }
    EXPECT_EQ(problem_words(evaluated_body(post({{"scenario", many}}))),
              Words{"too_large /scenario/workloads/16/runs_on/0/performance"});
}

TEST_F(StoredEvaluate, AnswersABatchInOrderAndGoesOnAfterErrors) {
    const std::vector<json> lines = batch({{"scenarios", {"small", "none", smallest(), with(smallest(), "/months", 0)}}});
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0], evaluated_body(post({{"scenario", "small"}})));
    EXPECT_EQ(lines[1].at("status"), 422);
    EXPECT_EQ(problem_words(lines[1]), Words{"unknown_reference /scenarios/1"});
    EXPECT_EQ(lines[2], evaluated_body(post({{"scenario", smallest()}})));
    EXPECT_EQ(problem_words(lines[3]), Words{"out_of_range /scenarios/3/months"});
}

TEST_F(StoredEvaluate, VariesOneScenarioBySets) {
    const std::vector<json> lines =
        batch({{"scenario", "small"}, {"sets", {json::object(), {{"/months", 2}}, {{"/nowhere/x", 1}}, {{"/months", 0}}}}});
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0], evaluated_body(post({{"scenario", "small"}})));
    EXPECT_EQ(lines[1], evaluated_body(post({{"scenario", "small"}, {"set", {{"/months", 2}}}})));
    EXPECT_EQ(problem_words(lines[2]), Words{"unknown_reference /sets/2/~1nowhere~1x"});
    EXPECT_EQ(problem_words(lines[3]), Words{"out_of_range /scenario/months"});
}

TEST_F(StoredEvaluate, RefusesBatchesThatAreNone) {
    const std::pair<json, Words> rows[] = {
        {json::object(), {"inconsistent "}},
        {{{"scenarios", json::array()}}, {"out_of_range /scenarios"}},
        {{{"scenarios", {1}}}, {"wrong_type /scenarios/0"}},
        {{{"scenario", "small"}}, {"inconsistent "}},
        {{{"scenario", "small"}, {"sets", json::array()}}, {"out_of_range /sets"}},
        {{{"scenarios", {"small"}}, {"sets", {json::object()}}}, {"inconsistent "}},
        {{{"scenario", "none"}, {"sets", {json::object()}}}, {"unknown_reference /scenario"}},
        {{{"scenarios", {"small"}}, {"set", json::object()}}, {"unknown_field /set"}},
    };
    for (const auto& [body, wanted] : rows) {
        const http::Response response = service.ask("POST", "/v1/evaluate/batch", body.dump());
        EXPECT_EQ(response.status, 422) << body;
        EXPECT_EQ(problem_words(evaluated_body(response)), wanted) << body;
    }
}

TEST_F(StoredEvaluate, SeesOneMomentThroughoutABatch) {
    const http::Response response = service.ask("POST", "/v1/evaluate/batch", json{{"scenarios", {"small", "small"}}}.dump());
    std::string first;
    ASSERT_TRUE(response.stream(first));
    put("/v1/curves/price", price(9));
    std::string second;
    EXPECT_FALSE(response.stream(second));
    EXPECT_EQ(second, first);
}

// Else questions would fill the store: an answer may have a hundred times the bytes of its request.
TEST_F(StoredEvaluate, IsAnsweredAnewUnderAnIdempotencyKeyAndNothingIsKept) {
    const Headers key{{"idempotency-key", "k1"}};
    const http::Response first = post({{"scenario", "small"}}, key);
    put("/v1/curves/price", price(9));
    const http::Response again = post({{"scenario", "small"}}, key);
    EXPECT_EQ(again.status, 200);
    EXPECT_NE(again.body, first.body);
    EXPECT_EQ(header_of(again, "Idempotency-Replayed"), "");
    EXPECT_FALSE(service.service.store.kept_answer("local", "k1"));
}

class StoredOnce : public StoredEvaluate {
protected:
    http::Response queue(const json& body, const std::string& key) {
        return service.ask("POST", "/v1/compare", body.dump(), {{"idempotency-key", key}, {"prefer", "respond-async"}});
    }
    const json both{{"scenarios", {"small", "small"}}};
};

TEST_F(StoredOnce, AQuestionForAJobIsQueuedOnceUnderAnIdempotencyKey) {
    const http::Response first = queue(both, "k1");
    ASSERT_EQ(first.status, 202) << first.body;
    const http::Response again = queue(both, "k1");
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(header_of(again, "Idempotency-Replayed"), "true");
    EXPECT_EQ(header_of(again, "Location"), header_of(first, "Location"));
    EXPECT_NE(queue(both, "k2").body, first.body);
    EXPECT_EQ(queue({{"scenarios", {"small"}}}, "k1").status, 409) << "the key was used for another request";
    EXPECT_EQ(queue(both, std::string(256, 'k')).status, 400);
}

TEST_F(StoredOnce, ARequestUnderAnIdempotencyKeyIsDoneOnceAtATime) {
    storage::Store& store = service.service.store;
    ASSERT_TRUE(store.claim_answer("local", "k1", "another request's").is_held); // as another thread does while it answers
    const http::Response refused = queue(both, "k1");
    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(header_of(refused, "Retry-After"), "1");
    EXPECT_EQ(queue(both, "k2").status, 202);
    store.release_answer("local", "k1");
    EXPECT_EQ(queue(both, "k1").status, 202);
    EXPECT_EQ(header_of(queue(both, "k1"), "Idempotency-Replayed"), "true");
}

TEST_F(StoredOnce, NoMoreAnswersOfAKeyAreKeptThanMayBe) {
    storage::Store& store = service.service.store;
    const storage::Author author{"local", "r"};
    ASSERT_EQ(queue(both, "first").status, 202);
    for (std::int64_t i = 1; i < storage::kMaxAnswersOfAuthor; ++i) {
        store.keep_answer(author, std::to_string(i), {"h", 202, "t", "", ""});
    }
    const http::Response refused = queue(both, "k1");
    EXPECT_EQ(refused.status, 429) << refused.body;
    EXPECT_NE(refused.body.find("send it without one, or later"), std::string::npos) << refused.body;
    EXPECT_EQ(header_of(queue(both, "first"), "Idempotency-Replayed"), "true");
    EXPECT_EQ(service.ask("POST", "/v1/compare", both.dump(), {{"prefer", "respond-async"}}).status, 202);
}

TEST_F(StoredOnce, WithoutKeysTheRoomForAnswersIsSharedByAddress) {
    storage::Store& store = service.service.store;
    for (std::int64_t i = 0; i < storage::kMaxAnswersOfAuthor; ++i) {
        store.keep_answer({"local", "r", "", "", "local 192.0.2.1"}, std::to_string(i), {"h", 202, "t", "", ""});
    }
    service.address = "192.0.2.1";
    EXPECT_EQ(queue(both, "k1").status, 429);
    for (const char* const address : {"192.0.2.2", "127.0.0.1", "::1", "2001:db8::1"}) {
        service.address = address;
        EXPECT_EQ(queue(both, "k1").status, 202) << address;
    }
    service.address = "2001:db8::2"; // of the same network
    EXPECT_EQ(header_of(queue(both, "k1"), "Idempotency-Replayed"), "true");
    service.address = "192.0.2.2";
    EXPECT_EQ(queue({{"scenarios", {"small"}}}, "k1").status, 409) << "the key was used for another request";
}

} // namespace
} // namespace costcurve::tests
