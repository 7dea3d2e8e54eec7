// POST /v1/imports: what lands, what is refused, what a second import changes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "server/api/import_files.hpp"
#include "server/api/multipart.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

using nlohmann::json;

std::string prices_of_a_year(const std::string& price) {
    std::string text;
    for (int hour = 0; hour < 8760; ++hour) {
        text += price + "\n";
    }
    return text;
}

const std::string kPath = "/v1/imports?format=hourly_prices&id=tariff.x";

TEST(Imports, StoreAFileAndSayWhatCameOfIt) {
    TestService service;
    const auto answer = service.ask("POST", kPath, prices_of_a_year("42"));
    ASSERT_EQ(answer.status, 200) << answer.body;
    const json summary = json::parse(answer.body);
    EXPECT_EQ(summary["rows"], 8760);
    EXPECT_EQ(summary["documents"], json::parse(R"({"added":1,"changed":0,"unchanged":0})"));
    EXPECT_EQ(summary["changes"][0]["id"], "tariff.x");
    const auto curve = service.ask("GET", "/v1/curves/tariff.x");
    EXPECT_EQ(json::parse(curve.body)["points"][8759], json::parse("[8759, 0.042]"));
}

TEST(Imports, ChangeNothingTheSecondTime) {
    TestService service;
    service.ask("POST", kPath, prices_of_a_year("42"));
    const auto before = service.store.sequence();
    const json summary = json::parse(service.ask("POST", kPath, prices_of_a_year("42")).body);
    EXPECT_EQ(summary["documents"]["unchanged"], 1);
    EXPECT_TRUE(summary["changes"].empty());
    EXPECT_EQ(service.store.sequence(), before);
}

TEST(Imports, OnlySayWhatWouldChangeInADryRun) {
    TestService service;
    service.ask("POST", kPath, prices_of_a_year("42"));
    const auto before = service.store.sequence();
    const json summary = json::parse(service.ask("POST", kPath + "&dry_run=true", prices_of_a_year("43")).body);
    EXPECT_EQ(summary["dry_run"], true);
    EXPECT_EQ(summary["documents"]["changed"], 1);
    EXPECT_EQ(summary["changes"][0]["fields"][0]["new"], "8760 points, of which 8760 differ");
    EXPECT_EQ(service.store.sequence(), before);
}

TEST(Imports, SayWhereABillTakesThePlaceOfAnother) {
    TestService service;
    const auto warned = [&](const std::string& cost) {
        const auto answer = service.ask("POST", "/v1/imports?format=focus",
                                        "SubAccountId,BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,"
                                        "ProviderName\nan account," +
                                            cost + "," + cost + ",USD,Usage,2024-09-05T00:00:00Z,AWS\n");
        return answer.body.find("1 of the bill's lines replace stored ones") != std::string::npos;
    };
    EXPECT_FALSE(warned("10"));
    EXPECT_FALSE(warned("10")) << "the same again";
    EXPECT_TRUE(warned("7"));
}

TEST(Imports, LeaveTheStoreAsItIsAtAHardError) {
    TestService service;
    const auto answer = service.ask("POST", kPath, "1\n2\nthree\n");
    EXPECT_EQ(answer.status, 422);
    EXPECT_NE(answer.body.find("row 3: it is not a number"), std::string::npos) << answer.body;
    EXPECT_EQ(service.store.sequence(), 0);
}

TEST(Imports, NameWhatIsWrongWithTheRequest) {
    TestService service;
    struct Row {
        const char* query;
        const char* pointer;
        const char* code;
    };
    const Row rows[] = {
        {"format=xls", "/format", "unknown_value"},
        {"id=x", "/format", "missing"},
        {"format=hourly_prices", "/id", "missing"},
        {"format=hourly_prices&id=Not%20A%20Slug", "/id", "bad_format"},
        {"format=hourly_prices&id=x&device=H100", "/device", "not_allowed"},
        {"format=hourly_prices&id=x&dry_run=maybe", "/dry_run", "wrong_type"},
        {"format=hourly_prices&id=x&nonsense=1", "/nonsense", "unknown_field"},
    };
    for (const Row& row : rows) {
        const auto answer = service.ask("POST", std::string("/v1/imports?") + row.query, "1\n");
        EXPECT_EQ(answer.status, 422) << row.query;
        const json error = json::parse(answer.body)["errors"][0];
        EXPECT_EQ(error["pointer"], row.pointer) << answer.body;
        EXPECT_EQ(error["code"], row.code) << answer.body;
    }
    EXPECT_EQ(service.ask("POST", kPath, "").status, 400);
}

TEST(Imports, TakeFilesOfAForm) {
    TestService service;
    const std::string body = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a/prices.csv\"\r\n\r\n" +
                             prices_of_a_year("7") + "\r\n--b--\r\n";
    const auto answer = service.ask("POST", kPath, body, {{"content-type", "multipart/form-data; boundary=b"}});
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/curves/tariff.x").body)["source"], "prices.csv");
    const auto cut_off = service.ask("POST", kPath, body.substr(0, 100), {{"content-type", "multipart/form-data; boundary=b"}});
    EXPECT_EQ(cut_off.status, 400);
}

TEST(Imports, TellHowFarTheyAre) {
    TestService service;
    auto answer = service.ask("POST", kPath, prices_of_a_year("7"), {{"accept", "text/event-stream"}});
    ASSERT_TRUE(answer.stream);
    EXPECT_EQ(answer.content_type, "text/event-stream");
    std::string events;
    while (answer.stream(events)) {}
    EXPECT_NE(events.find("event: result\ndata: {\"format\":\"hourly_prices\""), std::string::npos) << events;
    auto refused = service.ask("POST", kPath, "three\n", {{"accept", "text/event-stream"}});
    events.clear();
    while (refused.stream(events)) {}
    EXPECT_NE(events.find("event: problem\ndata: {\"type\":\"/problems/"), std::string::npos) << events;
}

TEST(Imports, AreRefusedToViewers) {
    TestService service({.keys_required = true});
    EXPECT_EQ(service.ask("POST", kPath, "1").status, 401);
}

// ---- landing: documents of any importer ----

model::Offer offer(const std::string& id, std::vector<double> days, std::vector<double> prices) {
    model::Offer made;
    made.id = id;
    made.provider = "aws";
    made.device.id = "nvidia.t4";
    made.device.stored.is_reference = true;
    made.devices = 1;
    made.currency = "USD";
    model::Curve curve;
    curve.kind = model::CurveKind::price;
    curve.interpolation = model::Interpolation::step;
    curve.x = std::move(days);
    curve.y = std::move(prices);
    made.hourly_price.curve = curve;
    return made;
}

struct Landing : testing::Test {
    Landing() {
        EXPECT_EQ(service.ask("PUT", "/v1/devices/nvidia.t4", R"({"kind":"gpu","tdp_w":70,"memory_gib":16})").status, 201);
    }

    api::Landed land(std::vector<imports::Document> documents, bool dry_run = false) {
        api::Landing landing;
        report = {};
        for (imports::Document& document : documents) {
            landing.add(std::move(document), report);
        }
        return landing.land(service.store, {"test", ""}, report, {.dry_run = dry_run});
    }
    json stored(const std::string& path) { return json::parse(service.ask("GET", path).body); }

    TestService service;
    imports::Report report;
};

TEST_F(Landing, PutsAnOlderSnapshotInItsPlaceOnTheCurve) {
    EXPECT_EQ(land({offer("o", {20'000}, {2.0})}).added, 1U);
    const api::Landed newer = land({offer("o", {20'030}, {3.0})});
    EXPECT_EQ(newer.changed, 1U);
    ASSERT_EQ(newer.changes[0].fields.size(), 1U);
    EXPECT_EQ(newer.changes[0].fields[0].pointer, "/hourly_price");
    EXPECT_EQ(newer.changes[0].fields[0].date, "2024-11-03"); // 20,030 days: date -d @$((20030*86400)) -u
    EXPECT_EQ(newer.changes[0].fields[0].old_value, "2");
    EXPECT_EQ(newer.changes[0].fields[0].new_value, "3");
    EXPECT_EQ(land({offer("o", {20'010}, {2.5})}).changed, 1U);
    EXPECT_EQ(stored("/v1/offers/o")["hourly_price"]["points"],
              json::parse(R"([["2024-10-04",2],["2024-10-14",2.5],["2024-11-03",3]])"));
    EXPECT_EQ(land({offer("o", {20'010}, {2.5})}).unchanged, 1U);
    const json page = stored("/v1/offers?max_hourly_price=2.9");
    EXPECT_TRUE(page["items"].empty()) << "offers are filtered by the last point";
}

TEST_F(Landing, KeepsWhatTheImportDoesNotState) {
    ASSERT_EQ(service
                  .ask("PUT", "/v1/offers/o", R"({"provider":"aws","device":"nvidia.t4","devices":1,"purchase":"on_demand",
        "hourly_price":9,"egress_per_gb":0.09,"note":"ours"})")
                  .status,
              201);
    const api::Landed landed = land({offer("o", {20'000}, {2.0})});
    EXPECT_EQ(landed.changed, 1U);
    const json after = stored("/v1/offers/o");
    EXPECT_EQ(after["egress_per_gb"], 0.09);
    EXPECT_EQ(after["note"], "ours");
    EXPECT_EQ(after["currency"], "USD");
    EXPECT_EQ(after["hourly_price"]["points"], json::parse(R"([["2024-10-04",2]])"));
}

TEST_F(Landing, TakesANumberOfDevicesThatIsTheDefaultToo) {
    model::Offer eight = offer("o", {20'000}, {20.0});
    eight.devices = 8;
    EXPECT_EQ(land({eight}).added, 1U);
    EXPECT_EQ(land({offer("o", {20'030}, {2.5})}).changed, 1U);
    EXPECT_EQ(stored("/v1/offers/o")["devices"], 1) << "a price of one device at eight is an eighth of it";
}

TEST_F(Landing, RefusesPricesOfAnotherCurrencyOnOneCurve) {
    EXPECT_EQ(land({offer("o", {20'000}, {2.0}), offer("p", {20'000}, {2.0})}).added, 2U);
    model::Offer in_euro = offer("o", {20'030}, {1.9});
    in_euro.currency = "EUR";
    const api::Landed landed = land({in_euro, offer("p", {20'030}, {3.0})});
    EXPECT_EQ(landed.changed, 1U) << "the others are taken";
    EXPECT_EQ(landed.unchanged, 0U);
    ASSERT_EQ(report.rejected.count, 1U);
    EXPECT_NE(report.rejected.first.front().reason.find("in USD, the import in EUR"), std::string::npos)
        << report.rejected.first.front().reason;
    EXPECT_EQ(stored("/v1/offers/o")["currency"], "USD");
    EXPECT_EQ(stored("/v1/offers/o")["hourly_price"]["points"], json::parse(R"([["2024-10-04",2]])"));
    in_euro = offer("o", {20'000}, {1.9});
    in_euro.currency = "EUR";
    EXPECT_EQ(land({in_euro}).changed, 1U) << "all of the curve at once";
    EXPECT_EQ(stored("/v1/offers/o")["currency"], "EUR");
}

TEST_F(Landing, AddsToTablesOfNumbersAndListsOfNames) {
    model::Device device;
    device.id = "nvidia.x";
    device.tdp_w = 700;
    device.memory_gib = 80;
    device.peak_flops = {{"bf16", 9e14}, {"fp8", 1e15}};
    EXPECT_EQ(land({device}).added, 1U);
    device.peak_flops = {{"fp8", 2e15}, {"fp4", 4e15}};
    EXPECT_EQ(land({device}).changed, 1U);
    EXPECT_EQ(stored("/v1/devices/nvidia.x")["peak_flops"], (json{{"bf16", 9e14}, {"fp4", 4e15}, {"fp8", 2e15}}));
    EXPECT_EQ(land({device}).unchanged, 1U);
}

TEST_F(Landing, KeepsThePowerCurveOfADeviceThatATableOfHardwareNames) {
    ASSERT_EQ(service
                  .ask("PUT", "/v1/devices/nvidia.t4", R"({"kind":"gpu","tdp_w":70,"memory_gib":16,"frameworks":["pytorch"],
        "power":{"kind":"power","axis":"utilization","points":[[0,10],[1,70]]}})")
                  .status,
              200);
    model::Device device;
    device.id = "nvidia.t4";
    device.tdp_w = 72;
    device.vendor = "NVIDIA";
    EXPECT_EQ(land({device}).changed, 1U);
    const json after = stored("/v1/devices/nvidia.t4");
    EXPECT_EQ(after["tdp_w"], 72);
    EXPECT_EQ(after["memory_gib"], 16);
    EXPECT_EQ(after["frameworks"], json::parse(R"(["pytorch"])"));
    EXPECT_EQ(after["power"]["points"], json::parse("[[0,10],[1,70]]"));
}

TEST_F(Landing, ShowsTheBeginningOfALongValue) {
    model::Device device;
    device.id = "nvidia.t4";
    device.tdp_w = 70;
    device.note = std::string(500, 'n');
    const api::Landed landed = land({device}, true);
    const json shown = json::parse(landed.changes.at(0).fields.at(0).new_value);
    EXPECT_LT(shown.get<std::string>().size(), 300U);
}

TEST_F(Landing, LeavesOutWhatRefersToAnUnknownDevice) {
    model::Offer unknown = offer("u", {20'000}, {2.0});
    unknown.device.id = "nvidia.m60";
    const api::Landed landed = land({unknown, offer("o", {20'000}, {2.0})});
    EXPECT_EQ(landed.added, 1U);
    ASSERT_EQ(report.rejected.count, 1U);
    EXPECT_NE(report.rejected.first[0].reason.find("the device nvidia.m60 that it refers to is not stored"), std::string::npos);
    EXPECT_EQ(service.ask("GET", "/v1/offers/u").status, 404);
}

TEST_F(Landing, StoresADeviceAndItsOffersTogether) {
    model::Offer of_new = offer("n", {20'000}, {2.0});
    of_new.device.id = "nvidia.new";
    model::Device device;
    device.id = "nvidia.new";
    device.tdp_w = 300;
    EXPECT_EQ(land({of_new, device}).added, 2U);
}

TEST_F(Landing, RefusesWhatPutWouldRefuse) {
    EXPECT_EQ(land({offer("o", {20'000}, {-2.0}), offer("Bad Id", {20'000}, {2.0}), offer("p", {20'000, 19'000}, {1, 2})}).added,
              0U);
    ASSERT_EQ(report.rejected.count, 3U);
    EXPECT_NE(report.rejected.first[0].reason.find("/hourly_price/points/0/1"), std::string::npos)
        << report.rejected.first[0].reason;
}

TEST_F(Landing, JoinsTwoOfOneIdInOneImport) {
    EXPECT_EQ(land({offer("o", {20'000}, {2.0}), offer("o", {20'030}, {3.0})}).added, 1U);
    EXPECT_EQ(stored("/v1/offers/o")["hourly_price"]["points"].size(), 2U);
}

TEST(Multipart, IsReadPartByPart) {
    const std::string body =
        "preamble\r\n--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--x\r\n"
        "Content-Disposition: form-data; name=\"b\"; filename=\"C:\\\\d\\\\two.txt\"\r\nContent-Type: text/csv\r\n\r\n\r\n--x--";
    const auto parts = api::read_parts(body, "x");
    ASSERT_TRUE(parts) << parts.error();
    ASSERT_EQ(parts->size(), 2U);
    EXPECT_EQ((*parts)[0].name, "a");
    EXPECT_EQ((*parts)[0].content, "one");
    EXPECT_EQ((*parts)[1].name, "two.txt");
    EXPECT_EQ((*parts)[1].content, "");
    for (std::size_t size = 0; size < body.size(); ++size) {
        EXPECT_FALSE(api::read_parts(std::string_view(body).substr(0, size), "x")) << size;
    }
    EXPECT_EQ(api::boundary_of("multipart/form-data; boundary=\"q r\""), "q r");
    EXPECT_FALSE(api::boundary_of("text/csv"));
}

} // namespace
} // namespace costcurve::tests
