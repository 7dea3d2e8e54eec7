// The document routes: storing, reading, conditions, history, references, lists; over a real store, without sockets.
#include <string>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"
#include "tests/storage/sample_store.hpp"

namespace costcurve::tests {
namespace {

using Words = std::vector<std::string>;

const json kDevice = json::parse(R"({"kind": "gpu", "vendor": "v", "tdp_w": 700, "idle_w": 60, "memory_gib": 80})");
const json kOffer = json::parse(R"({"provider": "p", "region": "r", "device": "gpu-a", "devices": 8, "purchase": "on_demand",
                                    "hourly_price": 20})");

json body_of(const http::Response& response) { return json::parse(response.body); }

Words words_of(const http::Response& response) {
    Words found;
    const json body = body_of(response);
    for (const json& error : body.at("errors")) {
        found.push_back(error.at("code").get<std::string>() + " " + error.at("pointer").get<std::string>());
    }
    std::sort(found.begin(), found.end());
    return found;
}

class Documents : public testing::Test {
protected:
    http::Response put(const std::string& path, const json& document, Headers headers = {}) {
        return service.ask("PUT", path, document.dump(), std::move(headers));
    }
    http::Response get(const std::string& target, Headers headers = {}) {
        return service.ask("GET", target, "", std::move(headers));
    }
    // The revisions in a list, by id.
    Words ids(const std::string& target) {
        Words found;
        const http::Response response = get(target);
        EXPECT_EQ(response.status, 200) << response.body;
        const json body = body_of(response);
        for (const json& item : body.at("items")) {
            found.push_back(item.at("id"));
        }
        return found;
    }

    TestService service;
};

TEST_F(Documents, AnswersWhatWasStoredWithItsRevision) {
    const http::Response added = put("/v1/devices/gpu-a", kDevice);
    ASSERT_EQ(added.status, 201) << added.body;
    EXPECT_EQ(header_of(added, "ETag"), "\"1\"");
    EXPECT_EQ(header_of(added, "Location"), "/v1/devices/gpu-a");
    const http::Response read = get("/v1/devices/gpu-a");
    EXPECT_EQ(read.status, 200);
    EXPECT_EQ(read.body, added.body);
    EXPECT_EQ(header_of(read, "ETag"), "\"1\"");
    const json document = body_of(read);
    EXPECT_EQ(document.at("id"), "gpu-a");
    EXPECT_EQ(document.at("revision"), 1);
    EXPECT_EQ(document.at("recorded_by"), "local");
    EXPECT_EQ(document.at("tdp_w"), 700);
    EXPECT_EQ(document.at("memory_gib"), 80);
}

TEST_F(Documents, TakesBackWhatItAnsweredAndSeesThatNothingChanged) {
    put("/v1/devices/gpu-a", kDevice);
    const http::Response again = put("/v1/devices/gpu-a", body_of(get("/v1/devices/gpu-a")));
    EXPECT_EQ(again.status, 200) << again.body;
    EXPECT_EQ(body_of(again).at("revision"), 1);
}

TEST(DocumentsOfOneReader, AreAnsweredOnceWrittenThoughItIsNotFree) {
    TestService service({}, {}, 1);
    http::Response added, again;
    storage::test::while_read(service.store, [&] {
        added = service.ask("PUT", "/v1/devices/gpu-a", kDevice.dump());
        again = service.ask("PUT", "/v1/devices/gpu-a", kDevice.dump());
    });
    ASSERT_EQ(added.status, 201) << added.body;
    EXPECT_EQ(again.status, 200) << again.body;
    EXPECT_EQ(added.body, service.ask("GET", "/v1/devices/gpu-a").body);
    EXPECT_EQ(again.body, added.body);
}

TEST_F(Documents, KeepsCurvesAsTheyAre) {
    json site = json::parse(R"({"time_zone": "Europe/Berlin", "energy_price": {"kind": "tariff", "axis": "hour_of_day",
        "interpolation": "step", "outside": "error", "id": "t", "note": "n", "points": [[0, 0.1], [6, -0.05], [20, 0.3]]},
        "pue": {"kind": "pue", "axis": "load", "points": [[0, 1.6], [1, 1.2]]}, "carbon_g_per_kwh": 300})");
    ASSERT_EQ(put("/v1/sites/berlin", site).status, 201);
    const json stored = body_of(get("/v1/sites/berlin"));
    EXPECT_EQ(stored.at("energy_price"), site["energy_price"]);
    EXPECT_EQ(stored.at("pue").at("points"), site["pue"]["points"]);
    site["energy_price"]["points"][1][1] = 0.02;
    EXPECT_EQ(body_of(put("/v1/sites/berlin", site)).at("revision"), 2);
    EXPECT_EQ(body_of(get("/v1/sites/berlin")).at("energy_price").at("points"), site["energy_price"]["points"]);
    const std::string before = stored.at("recorded_at");
    EXPECT_EQ(body_of(get("/v1/sites/berlin?as_of=" + before)), stored);
}

TEST_F(Documents, StoresCurvesOnTheDateAxis) {
    const json curve = json::parse(R"({"kind": "price", "axis": "date", "interpolation": "step",
                                       "points": [["2024-01-01", 4.1], ["2024-02-29", 3.9], ["2026-06-01", 2]]})");
    ASSERT_EQ(put("/v1/curves/h100.price", curve).status, 201);
    EXPECT_EQ(body_of(get("/v1/curves/h100.price")).at("points"), curve["points"]);
}

TEST_F(Documents, AnEntityTagThatIsNotTheDocumentsIs412) {
    ASSERT_EQ(put("/v1/devices/gpu-a", kDevice).status, 201);
    const json other = with(kDevice, "/tdp_w", 650);
    for (const char* tag : {"\"abc\"", "\"\"", "W/\"1\"", "\"2\"", "\"0\"", "\"-1\"", "\"x\", W/\"1\"", "\"7\", \"8\""}) {
        EXPECT_EQ(put("/v1/devices/gpu-a", other, {{"if-match", tag}}).status, 412) << tag;
        EXPECT_EQ(put("/v1/devices/none", other, {{"if-match", tag}}).status, 412) << tag;
    }
    EXPECT_EQ(put("/v1/devices/gpu-a", other, {{"if-match", "\"abc\", \"1\""}}).status, 200) << "one of a list";
}

TEST_F(Documents, WritesOnlyWhereTheConditionHolds) {
    EXPECT_EQ(put("/v1/devices/gpu-a", kDevice, {{"if-match", "\"1\""}}).status, 412) << "there is none yet";
    EXPECT_EQ(put("/v1/devices/gpu-a", kDevice, {{"if-match", "*"}}).status, 412);
    EXPECT_EQ(put("/v1/devices/gpu-a", kDevice, {{"if-none-match", "*"}}).status, 201);
    EXPECT_EQ(put("/v1/devices/gpu-a", kDevice, {{"if-none-match", "*"}}).status, 412);
    const json other = with(kDevice, "/tdp_w", 650);
    EXPECT_EQ(put("/v1/devices/gpu-a", other, {{"if-match", "\"1\""}}).status, 200);
    EXPECT_EQ(put("/v1/devices/gpu-a", kDevice, {{"if-match", "\"1\""}}).status, 412) << "a lost race";
    EXPECT_EQ(body_of(get("/v1/devices/gpu-a")).at("tdp_w"), 650);
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/gpu-a", "", {{"if-match", "\"1\""}}).status, 412);
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/gpu-a", "", {{"if-match", "\"2\""}}).status, 204);
    for (const char* tag : {"1", "\"", "\"1\" \"2\"", "w/\"1\"", "\"1\",,", ""}) {
        EXPECT_EQ(put("/v1/devices/gpu-a", kDevice, {{"if-match", tag}}).status, 400) << tag;
    }
    EXPECT_EQ(put("/v1/devices/gpu-a", kDevice, {{"if-none-match", "\"1\""}}).status, 400);
    EXPECT_EQ(put("/v1/devices/gpu-a", kDevice, {{"if-none-match", ""}}).status, 400);
    EXPECT_EQ(put("/v1/devices/gpu-a", kDevice, {{"if-match", "*"}, {"if-none-match", "*"}}).status, 400);
}

TEST_F(Documents, AnswersNotModifiedToAKnownTag) {
    put("/v1/devices/gpu-a", kDevice);
    for (const char* tag : {"\"1\"", "W/\"1\"", "\"7\", \"1\"", "*"}) {
        const http::Response response = get("/v1/devices/gpu-a", {{"if-none-match", tag}});
        EXPECT_EQ(response.status, 304) << tag;
        EXPECT_EQ(response.body, "");
        EXPECT_EQ(header_of(response, "ETag"), "\"1\"");
    }
    EXPECT_EQ(get("/v1/devices/gpu-a", {{"if-none-match", "\"2\""}}).status, 200);
}

TEST_F(Documents, RemembersWhatItDeleted) {
    put("/v1/devices/gpu-a", kDevice);
    const std::string known = body_of(get("/v1/devices/gpu-a")).at("recorded_at");
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/gpu-a").status, 204);
    EXPECT_EQ(get("/v1/devices/gpu-a").status, 404);
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/gpu-a").status, 404);
    EXPECT_EQ(get("/v1/devices/gpu-a?as_of=" + known).status, 200);
    EXPECT_EQ(ids("/v1/devices"), Words{});
    EXPECT_EQ(ids("/v1/devices?as_of=" + known), Words{"gpu-a"});
    EXPECT_EQ(body_of(put("/v1/devices/gpu-a", kDevice)).at("revision"), 3);
    const json history = body_of(get("/v1/devices/gpu-a/revisions"));
    ASSERT_EQ(history.at("items").size(), 3U);
    EXPECT_EQ(history["items"][0].at("revision"), 3);
    EXPECT_EQ(history["items"][1].at("deleted"), true);
    EXPECT_EQ(history["items"][2].at("recorded_at"), known);
    EXPECT_TRUE(history.at("next").is_null());
    const json first = body_of(get("/v1/devices/gpu-a/revisions?limit=2"));
    EXPECT_EQ(first.at("items").size(), 2U);
    const json rest = body_of(get("/v1/devices/gpu-a/revisions?limit=2&after=" + first.at("next").get<std::string>()));
    ASSERT_EQ(rest.at("items").size(), 1U);
    EXPECT_EQ(rest["items"][0].at("revision"), 1);
    EXPECT_EQ(get("/v1/devices/none/revisions").status, 404);
}

TEST_F(Documents, RefusesADocumentThatBreaksRulesWithEveryIssue) {
    EXPECT_EQ(words_of(put("/v1/devices/gpu-a", json::parse(R"({"kind": "gpu", "tdp_w": 0, "x": 1, "idle_w": "a"})"))),
              (Words{"out_of_range /tdp_w", "unknown_field /x", "wrong_type /idle_w"}));
    EXPECT_EQ(words_of(put("/v1/devices/gpu-a", with(kDevice, "/idle_w", 800))), Words{"inconsistent /idle_w"});
    EXPECT_EQ(words_of(put("/v1/devices/gpu-a", with(kDevice, "/id", "gpu-b"))), Words{"inconsistent /id"});
    EXPECT_EQ(words_of(put("/v1/devices/GPU", kDevice)), Words{"bad_format /id"});
    EXPECT_EQ(words_of(put("/v1/performances/p", json::object())), Words{"missing /units_per_s"});
    EXPECT_EQ(words_of(put("/v1/sites/s", json{{"energy_price", 0.1}, {"time_zone", "Mars/Olympus"}})),
              Words{"unknown_value /time_zone"});
    EXPECT_EQ(service.ask("PUT", "/v1/devices/gpu-a", "{").status, 400);
    EXPECT_EQ(service.ask("PUT", "/v1/devices/gpu-a", "{}", {{"content-type", "text/plain"}}).status, 415);
    EXPECT_EQ(ids("/v1/devices"), Words{});
}

TEST_F(Documents, RefersOnlyToWhatIsStored) {
    const http::Response early = put("/v1/offers/o", kOffer);
    EXPECT_EQ(words_of(early), Words{"unknown_reference /device"});
    EXPECT_NE(early.body.find("no device has the id gpu-a"), std::string::npos) << early.body;
    put("/v1/devices/gpu-a", kDevice);
    EXPECT_EQ(put("/v1/offers/o", kOffer).status, 201);
    EXPECT_EQ(body_of(get("/v1/offers/o")).at("device"), "gpu-a");
    const http::Response used = service.ask("DELETE", "/v1/devices/gpu-a");
    EXPECT_EQ(used.status, 409);
    EXPECT_NE(used.body.find("offer o"), std::string::npos) << used.body;
    EXPECT_EQ(service.ask("DELETE", "/v1/offers/o").status, 204);
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/gpu-a").status, 204);
}

TEST_F(Documents, OfOffersHaveProvidersAndRegionsThatAnIndexHasRoomFor) {
    put("/v1/devices/gpu-a", kDevice);
    const json longest = with(with(kOffer, "/provider", std::string(256, 'p')), "/region", std::string(256, 'r'));
    EXPECT_EQ(put("/v1/offers/o", longest).status, 201);
    const json longer = with(with(kOffer, "/provider", std::string(257, 'p')), "/region", std::string(9000, 'r'));
    const http::Response refused = put("/v1/offers/o", longer);
    EXPECT_EQ(words_of(refused), (Words{"out_of_range /provider", "out_of_range /region"}));
    EXPECT_NE(refused.body.find("provider has 257 bytes; allowed up to 256"), std::string::npos) << refused.body;
    EXPECT_EQ(body_of(get("/v1/offers/o")).at("provider"), std::string(256, 'p'));
}

// Stored before there was a limit.
TEST_F(Documents, OfOffersWithLongerRegionsAreStillRead) {
    put("/v1/devices/gpu-a", kDevice);
    put("/v1/offers/o", kOffer);
    storage::Record stored = service.store.snapshot()->load({storage::Kind::offer, "o"})->record;
    json body = json::parse(stored.body);
    body["region"] = std::string(300, 'r');
    stored.body = body.dump();
    static_cast<void>(service.store.save({"cli", ""}, stored));
    EXPECT_EQ(body_of(get("/v1/offers/o")).at("region"), std::string(300, 'r'));
}

TEST_F(Documents, KeepsItsRulesWithWhatItRefersTo) {
    put("/v1/devices/gpu-a", kDevice);
    put("/v1/curves/load", json::parse(R"({"kind": "demand", "axis": "hour_of_day", "points": [[0, 1], [12, 2]]})"));
    const http::Response misused = put("/v1/offers/o", with(kOffer, "/hourly_price", "load"));
    EXPECT_EQ(misused.status, 422) << "a price that is a demand";
    ASSERT_EQ(words_of(misused).size(), 1U);
    EXPECT_NE(words_of(misused).front().find(" /hourly_price"), std::string::npos) << misused.body;
    put("/v1/curves/prices", json::parse(R"({"kind": "price", "axis": "date", "points": [["2025-01-01", 30]]})"));
    EXPECT_EQ(put("/v1/offers/o", with(kOffer, "/hourly_price", "prices")).status, 201);
}

TEST_F(Documents, ListsByFilter) {
    put("/v1/devices/gpu-a", kDevice);
    put("/v1/offers/a", kOffer);
    put("/v1/offers/b", with(with(kOffer, "/provider", "q"), "/hourly_price", 5));
    json priced = kOffer;
    priced["purchase"] = "spot";
    priced["hourly_price"] = json::parse(R"({"kind": "price", "axis": "date", "points": [["2025-01-01", 30], ["2026-01-01", 7]]})");
    put("/v1/offers/c", priced);
    EXPECT_EQ(ids("/v1/offers"), (Words{"a", "b", "c"}));
    EXPECT_EQ(ids("/v1/offers?provider=q"), Words{"b"});
    EXPECT_EQ(ids("/v1/offers?purchase=spot"), Words{"c"});
    EXPECT_EQ(ids("/v1/offers?max_hourly_price=10"), (Words{"b", "c"})) << "the last point of a curve";
    EXPECT_EQ(ids("/v1/offers?device=gpu-a&region=r&provider=p"), (Words{"a", "c"}));
    EXPECT_EQ(ids("/v1/offers?q=Q"), Words{"b"}) << "case is ignored";
    EXPECT_EQ(ids("/v1/offers?device=gpu-b"), Words{});
    for (const char* path : {"/v1/offers?purchase=spott", "/v1/events?kind=feed_held_", "/v1/deliveries?state=deade"}) {
        const http::Response refused = get(path);
        EXPECT_EQ(refused.status, 422) << path;
        EXPECT_NE(refused.body.find("near "), std::string::npos) << refused.body;
    }
}

TEST_F(Documents, PagesDoNotShiftWhileOthersWrite) {
    for (const char* id : {"a", "c", "e"}) {
        put(std::string("/v1/devices/") + id, kDevice);
    }
    const json first = body_of(get("/v1/devices?limit=2"));
    EXPECT_EQ(first.at("items").size(), 2U);
    put("/v1/devices/d", kDevice);
    service.ask("DELETE", "/v1/devices/e");
    const std::string next = first.at("next");
    EXPECT_EQ(ids("/v1/devices?limit=2&after=" + next), Words{"e"});
    EXPECT_EQ(ids("/v1/devices"), (Words{"a", "c", "d"}));
    EXPECT_TRUE(body_of(get("/v1/devices")).at("next").is_null());
}

TEST_F(Documents, RefusesParametersItDoesNotKnowOrCanNotRead) {
    const std::pair<const char*, const char*> rows[] = {
        {"/v1/devices?limit=0", "out_of_range /limit"},
        {"/v1/devices?limit=1001", "out_of_range /limit"},
        {"/v1/devices?limit=1.5", "wrong_type /limit"},
        {"/v1/devices?limit=ten", "wrong_type /limit"},
        {"/v1/devices?provider=p", "unknown_field /provider"},
        {"/v1/devices?limit=1&limit=2", "duplicate /limit"},
        {"/v1/devices?after=x", "bad_format /after"},
        {"/v1/devices?after=x~y", "bad_format /after"},
        {"/v1/devices?as_of=now", "bad_format /as_of"},
        {"/v1/devices?as_of=9999-01-01T00:00:00Z", "out_of_range /as_of"},
        {"/v1/devices?as_of=2026-02-30T00:00:00Z", "bad_format /as_of"},
        {"/v1/offers?max_hourly_price=nan", "wrong_type /max_hourly_price"},
        {"/v1/devices/a?limit=1", "unknown_field /limit"},
        {"/v1/devices/a/revisions?after=-1", "bad_format /after"},
        {"/v1/fields?x=1", "unknown_field /x"},
    };
    for (const auto& [target, word] : rows) {
        const http::Response response = get(target);
        EXPECT_EQ(response.status, 422) << target;
        EXPECT_EQ(words_of(response), Words{word}) << target;
    }
}

TEST_F(Documents, KnowsEveryKind) {
    const std::pair<const char*, json> rows[] = {
        {"/v1/devices/d", kDevice},
        {"/v1/offers/o", with(kOffer, "/device", kDevice)},
        {"/v1/servers/s", json{{"device", kDevice}, {"devices", 8}, {"price", 250000}, {"life_months", 48}}},
        {"/v1/sites/s", json{{"energy_price", 0.1}}},
        {"/v1/curves/c", json::parse(R"({"kind": "power", "axis": "utilization", "points": [[0, 60], [1, 700]]})")},
        {"/v1/performances/p", json{{"units_per_s", 100}}},
        {"/v1/scenarios/x", smallest()},
    };
    for (const auto& [path, document] : rows) {
        EXPECT_EQ(put(path, document).status, 201) << path;
        const std::string list = std::string(path).substr(0, std::string(path).rfind('/'));
        EXPECT_EQ(ids(list).size(), 1U) << list;
    }
}

TEST_F(Documents, StoresAScenarioThatIsCompleteInItself) {
    EXPECT_EQ(put("/v1/scenarios/mixed", mixed()).status, 201) << "its devices need not be stored";
}

TEST_F(Documents, KnowsNoPriceOfAnOfferWhoseCurveIsStoredApart) {
    put("/v1/curves/price", json::parse(R"({"kind": "price", "axis": "date", "points": [["2025-01-01", 30]]})"));
    put("/v1/offers/o", with(with(kOffer, "/device", kDevice), "/hourly_price", "price"));
    EXPECT_EQ(ids("/v1/offers"), Words{"o"});
    EXPECT_EQ(ids("/v1/offers?max_hourly_price=1000"), Words{});
}

TEST_F(Documents, RefusesTimesBeforeTheFirstYear) {
    EXPECT_EQ(get("/v1/devices?as_of=0000-01-01T00:00:00%2B23:59").status, 422);
    EXPECT_EQ(get("/v1/devices?as_of=0000-01-01T00:00:00+23:59").status, 422);
}

TEST_F(Documents, StoresOnlyScenariosThatCanBeEvaluated) {
    EXPECT_EQ(words_of(put("/v1/scenarios/s", with(smallest(), "/workloads/0/runs_on/0/pool", "other"))),
              Words{"unknown_reference /workloads/0/runs_on/0/pool"});
    EXPECT_EQ(words_of(put("/v1/scenarios/s", with(smallest(), "/pools/0/offer", "nowhere"))),
              Words{"unknown_reference /pools/0/offer"});
}

} // namespace
} // namespace costcurve::tests
