// Documents of the catalogue that have another id than before: the old one names them wherever an id is given.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "server/documents/renamed.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

const std::string kOldId = "market.8x-h100.reserved-36";
const std::string kNewId = "market.8x-h100.reserved-36-upfront";

TEST(Renames, AreNotChained) {
    std::set<std::string_view> old_ids;
    for (const documents::RenamedRow& row : documents::renamed_rows()) {
        EXPECT_TRUE(old_ids.insert(row.old_id).second) << row.old_id;
    }
    for (const documents::RenamedRow& row : documents::renamed_rows()) {
        EXPECT_FALSE(old_ids.contains(row.id)) << row.id;
    }
}

TEST(Renames, OfReferencesAreMadeWhereOnlyTheNewIdIsStored) {
    using Keys = std::vector<storage::DocumentKey>;
    const storage::DocumentKey before{storage::Kind::offer, kOldId};
    const storage::DocumentKey after{storage::Kind::offer, kNewId};
    const storage::DocumentKey other{storage::Kind::curve, kOldId}; // another kind's
    const auto renamed = [&](const Keys& stored) {
        Keys references = {other, before, after};
        documents::rename_references(references, [&](const storage::DocumentKey& key) {
            return std::find(stored.begin(), stored.end(), key) != stored.end();
        });
        return references;
    };
    EXPECT_EQ(renamed({other, after}), (Keys{other, after}));
    EXPECT_EQ(renamed({other, before, after}), (Keys{other, before, after}));
    EXPECT_EQ(renamed({}), (Keys{other, before, after})) << "that neither is there is said of the id as it was given";
}

class RenamedIds : public testing::Test {
protected:
    RenamedIds() {
        offer = smallest()["pools"][0]["offer"];
        put("/v1/offers/" + kNewId, offer);
        scenario = smallest();
        scenario["pools"][0]["offer"] = kOldId;
    }
    static json smallest() { return json::parse(kSmallest); }
    json put(const std::string& path, const json& document) {
        const http::Response response = service.ask("PUT", path, document.dump());
        EXPECT_LT(response.status, 300) << path << response.body;
        return json::parse(response.body);
    }
    json get(const std::string& path) {
        const http::Response response = service.ask("GET", path);
        EXPECT_EQ(response.status, 200) << path << response.body;
        return json::parse(response.body);
    }
    json evaluated(const json& request) {
        const http::Response response = service.ask("POST", "/v1/evaluate", json{{"scenario", request}}.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    }
    static bool names(const json& result, const std::string& id) {
        const json& all = result["provenance"]["documents"];
        return std::any_of(all.begin(), all.end(), [&](const json& document) { return document["id"] == id; });
    }

    TestService service;
    json offer;
    json scenario;
};

TEST_F(RenamedIds, AreAnsweredUnderTheNewOne) {
    const http::Response response = service.ask("GET", "/v1/offers/" + kOldId);
    ASSERT_EQ(response.status, 200) << response.body;
    EXPECT_EQ(json::parse(response.body)["id"], kNewId);
    EXPECT_EQ(header_of(response, "Content-Location"), "/v1/offers/" + kNewId);
    EXPECT_EQ(header_of(service.ask("GET", "/v1/offers/" + kNewId), "Content-Location"), "");
    EXPECT_EQ(get("/v1/offers/" + kOldId + "/revisions"), get("/v1/offers/" + kNewId + "/revisions"));
    EXPECT_EQ(get("/v1/offers/" + kOldId + "/price")["offer"], kNewId);
    EXPECT_EQ(service.ask("GET", "/v1/offers/market.8x-mi300x.reserved-36").status, 404) << "its new one is not stored either";
}

TEST_F(RenamedIds, AreFoundInRequestsAndInStoredScenarios) {
    const json of_request = evaluated(scenario);
    EXPECT_TRUE(names(of_request, kNewId)) << of_request["provenance"];
    put("/v1/scenarios/old", scenario);
    EXPECT_EQ(get("/v1/scenarios/old")["pools"][0]["offer"], kOldId) << "a body is kept as it was written";
    EXPECT_EQ(evaluated("old")["total"], of_request["total"]);
    const http::Response refused = service.ask("DELETE", "/v1/offers/" + kNewId);
    EXPECT_EQ(refused.status, 409) << "the scenario refers to it by its old id";
    offer["hourly_price"] = 7.2;
    put("/v1/offers/" + kNewId, offer);
    EXPECT_DOUBLE_EQ(evaluated("old")["total"]["cost"].get<double>(), 2.0 * of_request["total"]["cost"].get<double>());
}

TEST_F(RenamedIds, AreTheUsersWhereHeStoredADocumentUnderTheOldOne) {
    put("/v1/scenarios/old", scenario);
    offer["hourly_price"] = 1.8;
    put("/v1/offers/" + kOldId, offer);
    EXPECT_EQ(get("/v1/offers/" + kOldId)["id"], kOldId);
    EXPECT_EQ(get("/v1/offers/" + kOldId)["hourly_price"], 1.8);
    EXPECT_EQ(get("/v1/offers/" + kNewId)["hourly_price"], 3.6);
    const json result = evaluated("old");
    EXPECT_TRUE(names(result, kOldId)) << result["provenance"];
    EXPECT_DOUBLE_EQ(result["total"]["cost"].get<double>(), 744.0 * 1.8);
}

} // namespace
} // namespace costcurve::tests
