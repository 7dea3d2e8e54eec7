// Documents of any importer on their way into the store.
#include "server/ingest/merge.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/api/test_service.hpp"

namespace costcurve::ingest {
namespace {

using nlohmann::json;
using tests::TestService;

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

struct Merge : testing::Test {
    Merge() { EXPECT_EQ(service.ask("PUT", "/v1/devices/nvidia.t4", R"({"kind":"gpu","tdp_w":70,"memory_gib":16})").status, 201); }

    MergeSummary merged(std::vector<model::AnyDocument> documents, bool dry_run = false) {
        DocumentMerge merge;
        refused.clear();
        for (model::AnyDocument& document : documents) {
            if (std::string reason = merge.add(std::move(document)); !reason.empty()) {
                refused.push_back(std::move(reason));
            }
        }
        MergeSummary summary = merge.commit(service.store, {"test", ""}, {.dry_run = dry_run});
        refused.insert(refused.end(), summary.refused.begin(), summary.refused.end());
        return summary;
    }
    json stored(const std::string& path) { return json::parse(service.ask("GET", path).body); }

    TestService service;
    std::vector<std::string> refused;
};

TEST_F(Merge, PutsAnOlderSnapshotInItsPlaceOnTheCurve) {
    EXPECT_EQ(merged({offer("o", {20'000}, {2.0})}).added, 1U);
    const MergeSummary newer = merged({offer("o", {20'030}, {3.0})});
    EXPECT_EQ(newer.changed, 1U);
    ASSERT_EQ(newer.changes[0].fields.size(), 1U);
    EXPECT_EQ(newer.changes[0].fields[0].pointer, "/hourly_price");
    EXPECT_EQ(newer.changes[0].fields[0].date, "2024-11-03"); // 20,030 days: date -d @$((20030*86400)) -u
    EXPECT_EQ(newer.changes[0].fields[0].old_value, "2");
    EXPECT_EQ(newer.changes[0].fields[0].new_value, "3");
    EXPECT_EQ(merged({offer("o", {20'010}, {2.5})}).changed, 1U);
    EXPECT_EQ(stored("/v1/offers/o")["hourly_price"]["points"],
              json::parse(R"([["2024-10-04",2],["2024-10-14",2.5],["2024-11-03",3]])"));
    EXPECT_EQ(merged({offer("o", {20'010}, {2.5})}).unchanged, 1U);
    const json page = stored("/v1/offers?max_hourly_price=2.9");
    EXPECT_TRUE(page["items"].empty()) << "offers are filtered by the last point";
}

TEST_F(Merge, OfPricesThatAreThereChangesNothing) {
    EXPECT_EQ(merged({offer("o", {20'000, 20'030}, {2.0, 3.0})}).added, 1U);
    EXPECT_EQ(merged({offer("o", {20'000}, {2.0})}).unchanged, 1U);
    EXPECT_EQ(merged({offer("o", {20'030}, {3.0})}).unchanged, 1U);
    EXPECT_EQ(merged({offer("o", {20'000, 20'030}, {2.0, 3.0})}).unchanged, 1U);
    EXPECT_EQ(stored("/v1/offers/o")["revision"], 1);
    EXPECT_EQ(merged({offer("o", {20'000, 20'030}, {2.0, 3.5})}).changed, 1U) << "another price of a day that is there";
    EXPECT_EQ(merged({offer("o", {20'000, 20'010}, {2.0, 3.5})}).changed, 1U) << "a day between";
    EXPECT_EQ(merged({offer("o", {20'030, 20'040}, {3.5, 3.5})}).changed, 1U) << "a day behind";
    EXPECT_EQ(stored("/v1/offers/o")["revision"], 4);
    model::Offer noted = offer("o", {20'040}, {3.5});
    noted.note = "as seen";
    EXPECT_EQ(merged({noted}).changed, 1U) << "the same price, another note";
}

TEST_F(Merge, KeepsWhatTheImportDoesNotState) {
    ASSERT_EQ(service
                  .ask("PUT", "/v1/offers/o", R"({"provider":"aws","device":"nvidia.t4","devices":1,"purchase":"on_demand",
        "hourly_price":9,"egress_per_gb":0.09,"note":"ours"})")
                  .status,
              201);
    const MergeSummary summary = merged({offer("o", {20'000}, {2.0})});
    EXPECT_EQ(summary.changed, 1U);
    const json after = stored("/v1/offers/o");
    EXPECT_EQ(after["egress_per_gb"], 0.09);
    EXPECT_EQ(after["note"], "ours");
    EXPECT_EQ(after["currency"], "USD");
    EXPECT_EQ(after["hourly_price"]["points"], json::parse(R"([["2024-10-04",2]])"));
}

TEST_F(Merge, AnOlderFileThatComesLaterLeavesNewerAttributesAsTheyAre) {
    model::Offer old = offer("o", {20'000}, {5.0});
    old.devices = 4;
    old.note = "of October";
    old.egress_per_gb = 0.1;
    model::Offer recent = offer("o", {20'030}, {12.0});
    recent.devices = 8;
    recent.note = "of November";
    json both[2];
    for (const bool in_order : {true, false}) {
        EXPECT_EQ(merged({in_order ? old : recent}).added, 1U);
        const MergeSummary second = merged({in_order ? recent : old});
        EXPECT_EQ(second.changed, 1U);
        ASSERT_EQ(second.warnings.size(), 1U) << "a price of 4 devices is not one of 8";
        EXPECT_NE(
            second.warnings[0].find(in_order ? "of 2024-11-03 has 8 devices, 4 were stored" : "of 2024-10-04 has 4 devices, 8"),
            std::string::npos)
            << second.warnings[0];
        EXPECT_EQ(merged({in_order ? recent : old}).unchanged, 1U);
        json& offer_now = both[in_order ? 0 : 1] = stored("/v1/offers/o");
        offer_now.erase("revision");
        offer_now.erase("recorded_at");
        EXPECT_EQ(service.ask("DELETE", "/v1/offers/o").status, 204);
    }
    EXPECT_EQ(both[0]["devices"], 8);
    EXPECT_EQ(both[0]["note"], "of November");
    EXPECT_EQ(both[0]["egress_per_gb"], 0.1) << "what the newer one says nothing of is taken from the older";
    EXPECT_EQ(both[0]["hourly_price"]["points"], json::parse(R"([["2024-10-04",5],["2024-11-03",12]])"));
    EXPECT_EQ(both[0], both[1]);
}

TEST_F(Merge, AnOlderCurveOfPricesLeavesTheSourceOfTheNewer) {
    model::Curve curve = *offer("", {20'030}, {3.0}).hourly_price.curve;
    curve.axis = model::Axis::date;
    curve.id = "hardware.t4";
    curve.source = "of November";
    EXPECT_EQ(merged({curve}).added, 1U);
    curve.x = {20'000};
    curve.source = "of October";
    EXPECT_EQ(merged({curve}).changed, 1U);
    EXPECT_EQ(stored("/v1/curves/hardware.t4")["source"], "of November");
    EXPECT_EQ(stored("/v1/curves/hardware.t4")["points"], json::parse(R"([["2024-10-04",3],["2024-11-03",3]])"));
}

constexpr const char* kNumberThatGrows = R"({"provider":"aws","device":"nvidia.t4","devices":1,"purchase":"on_demand",
    "hourly_price":10,"price_growth_rate":0.05,"currency":"USD"})";

TEST_F(Merge, APriceThatIsANumberStaysInTheHistory) {
    ASSERT_EQ(service.ask("PUT", "/v1/offers/o", kNumberThatGrows).status, 201);
    const MergeSummary summary = merged({offer("o", {20'030}, {12.0})});
    EXPECT_EQ(summary.changed, 1U);
    EXPECT_EQ(merged({offer("o", {20'000}, {11.0})}).changed, 1U) << "before or after: it has no day";
    const json after = stored("/v1/offers/o");
    EXPECT_EQ(after["hourly_price"]["points"], json::parse(R"([["1970-01-01",10],["2024-10-04",11],["2024-11-03",12]])"));
    EXPECT_EQ(after.value("price_growth_rate", 0.0), 0.0) << "5 % a year on top of what was observed is counted twice";
    ASSERT_EQ(summary.warnings.size(), 1U);
    EXPECT_NE(summary.warnings[0].find("a number that grew by 0.05 a year"), std::string::npos) << summary.warnings[0];
    EXPECT_EQ(merged({offer("o", {20'030}, {12.0})}).unchanged, 1U);
}

TEST_F(Merge, RefusesDatedPricesOfAnotherCurrencyThanANumbers) {
    ASSERT_EQ(service.ask("PUT", "/v1/offers/o", kNumberThatGrows).status, 201);
    model::Offer in_euro = offer("o", {20'030}, {12.0});
    in_euro.currency = "EUR";
    EXPECT_EQ(merged({in_euro}).changed, 0U);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_NE(refused[0].find("its stored prices are in USD, the import in EUR"), std::string::npos) << refused[0];
    EXPECT_EQ(stored("/v1/offers/o")["hourly_price"], 10);
}

TEST_F(Merge, KeepsTheNumberThatAHostedModelCost) {
    ASSERT_EQ(service
                  .ask("PUT", "/v1/endpoints/host.m", R"({"provider":"host","model":"m","currency":"USD",
        "price_per_million_units":{"input":3,"output":15}})")
                  .status,
              201);
    model::Endpoint endpoint;
    endpoint.id = "host.m";
    endpoint.provider = "host";
    endpoint.model = "m";
    endpoint.currency = "USD";
    model::UnitPrice& price = endpoint.price_per_million_units.emplace();
    price.split = true;
    price.input = offer("", {20'030}, {2.0}).hourly_price;
    price.output = offer("", {20'030}, {10.0}).hourly_price;
    EXPECT_EQ(merged({endpoint}).changed, 1U);
    const json prices = stored("/v1/endpoints/host.m")["price_per_million_units"];
    EXPECT_EQ(prices["input"]["points"], json::parse(R"([["1970-01-01",3],["2024-11-03",2]])"));
    EXPECT_EQ(prices["output"]["points"], json::parse(R"([["1970-01-01",15],["2024-11-03",10]])"));
}

TEST_F(Merge, JoinsPricesAboveThresholdsByTheirThreshold) {
    const auto endpoint = [](double day, std::vector<std::pair<double, double>> thresholds) {
        model::Endpoint made;
        made.id = "host.m";
        made.provider = "host";
        made.model = "m";
        made.currency = "USD";
        made.price_per_million_units.emplace().total = offer("", {day}, {1.0}).hourly_price;
        for (const auto& [tokens, price] : thresholds) {
            model::UnitPrice above;
            above.total = offer("", {day}, {price}).hourly_price;
            made.above.push_back({tokens, above, model::PriceScope::request});
        }
        return made;
    };
    EXPECT_EQ(merged({endpoint(20'000, {{1000, 2.0}, {5000, 3.0}})}).added, 1U);
    EXPECT_EQ(merged({endpoint(20'030, {{1000, 2.5}})}).changed, 1U);
    const json above = stored("/v1/endpoints/host.m")["above"];
    ASSERT_EQ(above.size(), 1U) << "a threshold that the newest list has not is gone";
    EXPECT_EQ(above[0]["price_per_million_units"]["points"], json::parse(R"([["2024-10-04",2],["2024-11-03",2.5]])"));
}

TEST_F(Merge, TakesPricesOfBatchesInPlaceOfAFractionAndBack) {
    const auto endpoint = [](double day, double fraction, std::optional<double> batch) {
        model::Endpoint made;
        made.id = "host.m";
        made.provider = "host";
        made.model = "m";
        made.currency = "USD";
        made.price_per_million_units.emplace().total = offer("", {day}, {1.0}).hourly_price;
        made.batch_price_fraction = fraction;
        if (batch) {
            made.service_tiers.emplace().batch.emplace().price_per_million_units.emplace().total =
                offer("", {day}, {*batch}).hourly_price;
        }
        return made;
    };
    EXPECT_EQ(merged({endpoint(20'000, 0.5, std::nullopt)}).added, 1U);
    EXPECT_EQ(merged({endpoint(20'030, 1.0, 0.6)}).changed, 1U);
    json document = stored("/v1/endpoints/host.m");
    EXPECT_EQ(document["batch_price_fraction"], 1);
    EXPECT_EQ(document["service_tiers"]["batch"]["price_per_million_units"]["points"], json::parse(R"([["2024-11-03",0.6]])"));
    EXPECT_EQ(merged({endpoint(20'060, 0.4, std::nullopt)}).changed, 1U);
    document = stored("/v1/endpoints/host.m");
    EXPECT_EQ(document["batch_price_fraction"], 0.4);
    EXPECT_FALSE(document.contains("service_tiers"));
    EXPECT_EQ(merged({endpoint(20'010, 1.0, 0.6)}).refused.size(), 0U) << "older: what is stored stays";
    EXPECT_FALSE(stored("/v1/endpoints/host.m").contains("service_tiers"));
}

TEST_F(Merge, LeavesWhatAListDoesNotStateOfACache) {
    model::Endpoint endpoint;
    endpoint.id = "host.m";
    endpoint.provider = "host";
    endpoint.model = "m";
    endpoint.currency = "USD";
    endpoint.price_per_million_units.emplace().total = offer("", {20'000}, {1.0}).hourly_price;
    endpoint.cache = model::HostedCache{{{300, std::nullopt}}, 0.8, 1024};
    EXPECT_EQ(merged({endpoint}).added, 1U);
    endpoint.cache = model::HostedCache{{{300, std::nullopt}, {3600, 2.0}}, std::nullopt, 0.0};
    EXPECT_EQ(merged({endpoint}).changed, 1U);
    const json cache = stored("/v1/endpoints/host.m")["cache"];
    EXPECT_EQ(cache["write_lifetimes"].size(), 2U);
    EXPECT_EQ(cache["hit_fraction"], 0.8);
    EXPECT_EQ(cache["min_tokens"], 1024);
}

TEST_F(Merge, TakesConditionsAwayThatTheirOwnListStatesNoMore) {
    const auto endpoint = [](double day, const std::string& source, std::vector<std::string> conditions) {
        model::Endpoint made;
        made.id = "host.m";
        made.provider = "host";
        made.model = "m";
        made.currency = "USD";
        made.source = source;
        made.price_per_million_units.emplace().total = offer("", {day}, {1.0}).hourly_price;
        made.unknown_conditions = std::move(conditions);
        return made;
    };
    const auto conditions = [&] { return stored("/v1/endpoints/host.m")["unknown_conditions"]; };
    EXPECT_EQ(merged({endpoint(20'000, "a.json host m", {"cites (a.json)", "hours (a.json)", "ours: nights are half"})}).added, 1U);
    EXPECT_EQ(merged({endpoint(20'010, "b.yml m", {"hours (b.yml)"})}).changed, 1U);
    EXPECT_EQ(conditions(), json::parse(R"j(["cites (a.json)", "hours (a.json)", "ours: nights are half", "hours (b.yml)"])j"));
    EXPECT_EQ(merged({endpoint(20'020, "a.json host m", {"hours (a.json)"})}).changed, 1U);
    EXPECT_EQ(conditions(), json::parse(R"j(["hours (a.json)", "ours: nights are half", "hours (b.yml)"])j"));
    EXPECT_EQ(merged({endpoint(20'015, "a.json host m", {"cites (a.json)", "hours (a.json)"})}).refused.size(), 0U);
    EXPECT_EQ(conditions().size(), 3U) << "an older list brings none back";
    EXPECT_EQ(merged({endpoint(20'030, "a.json2 host m", {})}).changed, 1U);
    EXPECT_EQ(conditions().size(), 3U) << "another list";
    EXPECT_EQ(merged({endpoint(20'040, "a.json host m", {})}).changed, 1U);
    EXPECT_EQ(conditions(), json::parse(R"j(["ours: nights are half", "hours (b.yml)"])j"));
}

TEST_F(Merge, TakesANumberOfDevicesThatIsTheDefaultToo) {
    model::Offer eight = offer("o", {20'000}, {20.0});
    eight.devices = 8;
    EXPECT_EQ(merged({eight}).added, 1U);
    EXPECT_EQ(merged({offer("o", {20'030}, {2.5})}).changed, 1U);
    EXPECT_EQ(stored("/v1/offers/o")["devices"], 1) << "a price of one device at eight is an eighth of it";
}

TEST_F(Merge, RefusesPricesOfAnotherCurrencyOnOneCurve) {
    EXPECT_EQ(merged({offer("o", {20'000}, {2.0}), offer("p", {20'000}, {2.0})}).added, 2U);
    model::Offer in_euro = offer("o", {20'030}, {1.9});
    in_euro.currency = "EUR";
    const MergeSummary summary = merged({in_euro, offer("p", {20'030}, {3.0})});
    EXPECT_EQ(summary.changed, 1U) << "the others are taken";
    EXPECT_EQ(summary.unchanged, 0U);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_NE(refused.front().find("in USD, the import in EUR"), std::string::npos) << refused.front();
    EXPECT_EQ(stored("/v1/offers/o")["currency"], "USD");
    EXPECT_EQ(stored("/v1/offers/o")["hourly_price"]["points"], json::parse(R"([["2024-10-04",2]])"));
    in_euro = offer("o", {20'000}, {1.9});
    in_euro.currency = "EUR";
    EXPECT_EQ(merged({in_euro}).changed, 1U) << "all of the curve at once";
    EXPECT_EQ(stored("/v1/offers/o")["currency"], "EUR");
}

TEST_F(Merge, KeepsEveryDaysPriceOfAHostedModel) {
    model::Endpoint endpoint;
    endpoint.id = "host.m";
    endpoint.provider = "host";
    endpoint.model = "m";
    endpoint.currency = "USD";
    for (const double day : {20'030.0, 20'000.0}) {
        model::UnitPrice& price = endpoint.price_per_million_units.emplace();
        price.split = true;
        price.input = price.output = offer("", {day}, {day / 10'000}).hourly_price;
        EXPECT_TRUE(merged({endpoint}).refused.empty());
    }
    const json prices = stored("/v1/endpoints/host.m")["price_per_million_units"];
    EXPECT_EQ(prices["input"]["points"], json::parse(R"([["2024-10-04", 2.0], ["2024-11-03", 2.003]])"));
    EXPECT_EQ(prices["output"]["points"].size(), 2U);
    const json named = json::parse(service
                                       .ask("POST", "/v1/evaluate", R"({"scenario": {"id": "s", "start": "2025-01", "months": 1,
        "workloads": [{"id": "w", "kind": "inference", "units_per_request": {"input": 3, "output": 1},
                       "demand": {"mean_per_s": 1}, "runs_on": [{"pool": "p"}]}],
        "pools": [{"id": "p", "kind": "api", "endpoint": "host.m"}]}})")
                                       .body);
    ASSERT_TRUE(named.contains("total")) << named;
    EXPECT_NEAR(named["total"]["cost"].get<double>(), 744 * 3600 * 4 * 2.003e-6, 1e-6);
    EXPECT_EQ(named["provenance"]["documents"][1]["id"], "host.m");
}

TEST_F(Merge, AddsToTablesOfNumbersAndListsOfNames) {
    model::Device device;
    device.id = "nvidia.x";
    device.tdp_w = 700;
    device.memory_gib = 80;
    device.peak_flops = {{"bf16", 9e14}, {"fp8", 1e15}};
    device.links = model::Interconnect{350.0, std::nullopt, model::LinkKind::nvlink};
    EXPECT_EQ(merged({device}).added, 1U);
    device.peak_flops = {{"fp8", 2e15}, {"fp4", 4e15}};
    device.links = model::Interconnect{400.0, std::nullopt, std::nullopt};
    EXPECT_EQ(merged({device}).changed, 1U);
    EXPECT_EQ(stored("/v1/devices/nvidia.x")["peak_flops"], (json{{"bf16", 9e14}, {"fp4", 4e15}, {"fp8", 2e15}}));
    EXPECT_EQ(stored("/v1/devices/nvidia.x")["links"], (json{{"intra_gb_per_s", 400.0}, {"kind", "nvlink"}}));
    EXPECT_EQ(merged({device}).unchanged, 1U);
}

TEST_F(Merge, KeepsThePowerCurveOfADeviceThatATableOfHardwareNames) {
    ASSERT_EQ(service
                  .ask("PUT", "/v1/devices/nvidia.t4", R"({"kind":"gpu","tdp_w":70,"memory_gib":16,"frameworks":["pytorch"],
        "power":{"kind":"power","axis":"utilization","points":[[0,10],[1,70]]}})")
                  .status,
              200);
    model::Device device;
    device.id = "nvidia.t4";
    device.tdp_w = 72;
    device.vendor = "NVIDIA";
    EXPECT_EQ(merged({device}).changed, 1U);
    const json after = stored("/v1/devices/nvidia.t4");
    EXPECT_EQ(after["tdp_w"], 72);
    EXPECT_EQ(after["memory_gib"], 16);
    EXPECT_EQ(after["frameworks"], json::parse(R"(["pytorch"])"));
    EXPECT_EQ(after["power"]["points"], json::parse("[[0,10],[1,70]]"));
}

TEST_F(Merge, ShowsTheBeginningOfALongValue) {
    model::Device device;
    device.id = "nvidia.t4";
    device.tdp_w = 70;
    device.note = std::string(500, 'n');
    const MergeSummary summary = merged({device}, true);
    const json shown = json::parse(summary.changes.at(0).fields.at(0).new_value);
    EXPECT_LT(shown.get<std::string>().size(), 300U);
}

TEST_F(Merge, RefusesWhatWouldBreakARuleBetweenFieldsAsMerged) { // a row of another chip that is taken for this one
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.t4", R"({"kind":"gpu","tdp_w":70,"idle_w":16})").status, 200);
    model::Device device;
    device.id = "nvidia.t4";
    device.tdp_w = 3;
    const MergeSummary summary = merged({device, offer("o", {20'000}, {2.0})});
    EXPECT_EQ(summary.changed, 0U);
    EXPECT_EQ(summary.added, 1U) << "the others are taken";
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_NE(refused[0].find("nvidia.t4: merged with what is stored it breaks a rule: /idle_w"), std::string::npos) << refused[0];
    EXPECT_EQ(stored("/v1/devices/nvidia.t4")["tdp_w"], 70);
}

TEST_F(Merge, RefusesTheSecondOfTwoThatBreakARuleTogether) {
    model::Device device;
    device.id = "nvidia.x";
    device.tdp_w = 100;
    device.idle_w = 50;
    model::Device other = device;
    other.tdp_w = 40;
    other.idle_w = 0;
    EXPECT_EQ(merged({device, other}).added, 1U);
    EXPECT_EQ(refused.size(), 1U);
    EXPECT_EQ(stored("/v1/devices/nvidia.x")["tdp_w"], 100);
}

TEST_F(Merge, RefusesMorePointsThanACurveMayHave) {
    std::vector<double> days;
    for (int day = 0; day < 60'000; ++day) {
        days.push_back(day);
    }
    EXPECT_EQ(merged({offer("o", days, std::vector<double>(days.size(), 1.0))}).added, 1U);
    for (double& day : days) {
        day += 0.5;
    }
    EXPECT_EQ(merged({offer("o", days, std::vector<double>(days.size(), 1.0))}).changed, 0U);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_NE(refused[0].find("its price has 120000 points; allowed up to 100000"), std::string::npos) << refused[0];
}

TEST_F(Merge, ReplacesACurveThatIsNotOverDate) {
    model::Device device;
    device.id = "nvidia.t4";
    device.tdp_w = 70;
    device.power.emplace();
    device.power->kind = model::CurveKind::power;
    device.power->axis = model::Axis::utilization;
    device.power->x = {0, 0.5};
    device.power->y = {10, 40};
    EXPECT_EQ(merged({device}).changed, 1U);
    device.power->x = {0, 1};
    device.power->y = {10, 70};
    const MergeSummary summary = merged({device});
    EXPECT_EQ(stored("/v1/devices/nvidia.t4")["power"]["points"], json::parse("[[0,10],[1,70]]"));
    ASSERT_FALSE(summary.changes.empty());
    EXPECT_EQ(summary.changes[0].fields.at(0).pointer, "/power/points");
    EXPECT_EQ(summary.changes[0].fields.size(), 1U);
}

TEST_F(Merge, LeavesOutWhatRefersToAnUnknownDevice) {
    model::Offer unknown = offer("u", {20'000}, {2.0});
    unknown.device.id = "nvidia.m60";
    const MergeSummary summary = merged({unknown, offer("o", {20'000}, {2.0})});
    EXPECT_EQ(summary.added, 1U);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_NE(refused[0].find("the device nvidia.m60 that it refers to is not stored"), std::string::npos);
    EXPECT_EQ(service.ask("GET", "/v1/offers/u").status, 404);
}

TEST_F(Merge, StoresADeviceAndItsOffersTogether) {
    model::Offer of_new = offer("n", {20'000}, {2.0});
    of_new.device.id = "nvidia.new";
    model::Device device;
    device.id = "nvidia.new";
    device.tdp_w = 300;
    EXPECT_EQ(merged({of_new, device}).added, 2U);
}

TEST_F(Merge, RefusesWhatPutWouldRefuse) {
    EXPECT_EQ(merged({offer("o", {20'000}, {-2.0}), offer("Bad Id", {20'000}, {2.0}), offer("p", {20'000, 19'000}, {1, 2})}).added,
              0U);
    ASSERT_EQ(refused.size(), 3U);
    EXPECT_NE(refused[0].find("/hourly_price/points/0/1"), std::string::npos) << refused[0];
}

TEST_F(Merge, JoinsTwoOfOneIdInOneImport) {
    EXPECT_EQ(merged({offer("o", {20'000}, {2.0}), offer("o", {20'030}, {3.0})}).added, 1U);
    EXPECT_EQ(stored("/v1/offers/o")["hourly_price"]["points"].size(), 2U);
}

} // namespace
} // namespace costcurve::ingest
