// POST /v1/imports: what lands, what is refused, what a second import changes.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/api/multipart.hpp"
#include "server/ingest/feed_undo.hpp"
#include "server/ingest/import_files.hpp"
#include "tests/api/samples.hpp"
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

const std::string kIndex = "observation_date,PCU518210518210\n2020-01-01,100\n2020-02-01,101\n";

TEST(Imports, SayWhatTheyTakeAFileForWithoutAFormat) {
    TestService service;
    const auto before = service.store.sequence();
    const auto taken = service.ask("POST", "/v1/imports?name=pcu_2020-01-01.csv", kIndex);
    ASSERT_EQ(taken.status, 200) << taken.body;
    const json answer = json::parse(taken.body);
    EXPECT_EQ(answer["recognized"], json::parse(R"({"format":"price_index","date":"2020-01-01"})"));
    EXPECT_EQ(answer["dry_run"], true);
    EXPECT_EQ(answer["documents"]["added"], 1);
    EXPECT_EQ(service.store.sequence(), before) << "nothing is stored";
    const auto lacking = service.ask("POST", "/v1/imports", prices_of_a_year("42"));
    EXPECT_EQ(lacking.status, 422);
    EXPECT_EQ(json::parse(lacking.body)["errors"][0]["pointer"], "/id");
    EXPECT_NE(lacking.body.find("it was taken for hourly_prices"), std::string::npos);
    EXPECT_EQ(service.ask("POST", "/v1/imports", "a,b\n1,2\n").status, 422);
    EXPECT_EQ(service.ask("POST", "/v1/imports", std::string(9U << 20U, 'x')).status, 422);
}

TEST(Imports, RefuseADateThatIsNotTheFilesOwnUnlessForced) {
    TestService service;
    const std::string path = "/v1/imports?format=price_index&date=2020-02-01&name=pcu_2020-01-01.csv";
    const auto refused = service.ask("POST", path, kIndex);
    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(json::parse(refused.body)["errors"][0]["pointer"], "/date");
    EXPECT_EQ(service.ask("POST", path + "&force=true", kIndex).status, 200);
    EXPECT_EQ(service.ask("POST", "/v1/imports?format=price_index&date=2020-01-01&name=pcu_2020-01-01.csv", kIndex).status, 200);
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

// What one buyer paid on a day is no price of the list: the offer without a zone took it for the least one there.
TEST(Imports, OfABillLeaveListPricesAsTheyAre) {
    TestService service;
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb", R"({"kind": "gpu", "tdp_w": 700})").status, 201);
    const std::string path = "/v1/offers/aws.p5.48xlarge.us-east-1.on-demand";
    ASSERT_EQ(service
                  .ask("PUT", path,
                       R"({"provider": "aws", "sku": "p5.48xlarge", "region": "us-east-1", "device": "nvidia.h100-sxm5-80gb",
                           "devices": 8, "purchase": "on_demand", "currency": "USD", "hourly_price": 55.04})")
                  .status,
              201);
    const auto answer =
        service.ask("POST", "/v1/imports?format=focus",
                    "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ProviderName,RegionId,"
                    "x_InstanceType,ConsumedQuantity,ConsumedUnit\n"
                    "960,960,USD,Usage,2026-10-01T00:00:00Z,AWS,us-east-1,p5.48xlarge,24,Hours\n");
    ASSERT_EQ(answer.status, 200) << answer.body;
    const json summary = json::parse(answer.body);
    EXPECT_EQ(summary["format_version"], "1.0");
    EXPECT_EQ(summary["documents"], json::parse(R"({"added":1,"changed":0,"unchanged":0})")) << answer.body;
    EXPECT_EQ(json::parse(service.ask("GET", path).body)["hourly_price"], 55.04);
    EXPECT_EQ(service.ask("GET", "/v1/offers/paid.aws.p5.48xlarge.us-east-1.on-demand").status, 200);
}

// Usage of a day to come is planned, not billed; force reads it.
TEST(Imports, OfABillTakeNoUsageOfDaysToCome) {
    TestService service;
    const std::string bill = "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ProviderName\n"
                             "1,1,USD,Usage,2099-01-01T00:00:00Z,AWS\n";
    const json refused = json::parse(service.ask("POST", "/v1/imports?format=focus", bill).body);
    EXPECT_EQ(refused["bill_lines"], 0);
    EXPECT_EQ(refused["rejected"]["count"], 1);
    EXPECT_EQ(json::parse(service.ask("POST", "/v1/imports?format=focus&force=true", bill).body)["bill_lines"], 1);
}

// Every column that a line keeps, read back as it is stored.
TEST(Imports, OfABillStoreEveryNameAndFigureOfALine) {
    TestService service;
    const auto answer = service.ask(
        "POST", "/v1/imports?format=focus",
        "ProviderName,BillingAccountId,SubAccountId,RegionId,SkuId,ChargeCategory,ChargeDescription,ServiceCategory,ResourceType,"
        "ChargePeriodStart,BilledCost,EffectiveCost,ListCost,BillingCurrency,ResourceId,Tags,CommitmentDiscountId,"
        "CommitmentDiscountStatus,ConsumedQuantity,ConsumedUnit,PricingQuantity,PricingUnit,PricingCurrency,"
        "PricingCurrencyEffectiveCost\n"
        "AWS,1,x,us-west-2,S1,Usage,$3 per On Demand Linux p4d.24xlarge Instance Hour,Compute,instance,2026-05-01T00:00:00Z,"
        "10,8,12,USD,i-1,\"{\"\"team\"\":\"\"blue\"\"}\",sp-1,Used,2,Hours,3,Hours,Credit,490\n"
        "h,1,,eu,m,Usage,a model,AI,,2026-05-01T00:00:00Z,1,1,1,USD,,,,,12.5,1K tokens,0.0125,1M tokens,USD,1\n");
    ASSERT_EQ(answer.status, 200) << answer.body;
    std::vector<BillLine> lines;
    constexpr std::int64_t kDay = 20'574; // 2026-05-01: 56 years of 365 days, 14 leap days, 120 days
    service.store.visit_bill(kDay, kDay + 1, [&](const storage::BillSum& sum) { lines.push_back(sum.line); });
    ASSERT_EQ(lines.size(), 2U);
    const bool is_first = lines[0].provider == "aws";
    const BillLine& machine = lines[is_first ? 0 : 1];
    const BillLine& tokens = lines[is_first ? 1 : 0];
    EXPECT_EQ(machine.day, kDay);
    std::map<std::string_view, std::string> names;
    for (const auto& [name, member] : kBillNames) {
        names[name] = machine.*member;
    }
    EXPECT_EQ(names, (std::map<std::string_view, std::string>{{"provider", "aws"},
                                                              {"account", "1/x"},
                                                              {"region", "us-west-2"},
                                                              {"sku", "p4d.24xlarge"},
                                                              {"purchase", "committed"},
                                                              {"device", "nvidia.a100-sxm4-40gb"},
                                                              {"currency", "USD"},
                                                              {"category", "usage"},
                                                              {"resource", "i-1"},
                                                              {"tags", R"({"team":"blue"})"},
                                                              {"commitment", "sp-1"},
                                                              {"commitment_status", "used"},
                                                              {"consumed_unit", "Hours"},
                                                              {"priced_unit", "Hours"},
                                                              {"virtual_currency", "Credit"}}));
    std::map<std::string_view, double> figures;
    for (const auto& [name, member] : kBillFigures) {
        figures[name] = machine.*member;
    }
    EXPECT_EQ(figures, (std::map<std::string_view, double>{{"hours", 2},
                                                           {"device_hours", 16},
                                                           {"billed_cost", 10},
                                                           {"effective_cost", 8},
                                                           {"list_cost", 12},
                                                           {"consumed_quantity", 2},
                                                           {"priced_quantity", 3},
                                                           {"virtual_currency_cost", 490},
                                                           {"tokens", 0}}));
    EXPECT_EQ(tokens.tokens, 12'500.0);
    EXPECT_EQ(tokens.consumed_quantity, 12.5);
    EXPECT_EQ(tokens.priced_quantity, 0.0125);
    EXPECT_EQ(tokens.device_hours, 0.0);
}

TEST(Imports, OfABillRejectTheCharacterZeroAndTakeTheOtherRows) {
    TestService service;
    const auto answer = service.ask("POST", "/v1/imports?format=opencost_allocation", R"({"data": [{
        "a\u0000b": {"start": "2026-10-01T00:00:00Z", "end": "2026-10-02T00:00:00Z", "gpuCost": 1},
        "good": {"start": "2026-10-01T00:00:00Z", "end": "2026-10-02T00:00:00Z", "gpuCost": 1, "properties": {
            "cluster": "c", "labels": {"te\u0000am": "x\u0000y"}}}}]})");
    ASSERT_EQ(answer.status, 200) << answer.body;
    const json summary = json::parse(answer.body);
    EXPECT_EQ(summary["rejected"]["count"], 1);
    EXPECT_NE(answer.body.find("has the character U+0000, which not every store can keep; leave it out"), std::string::npos);
    EXPECT_EQ(summary["bill_lines"], 1) << "labels are kept as JSON, which escapes it";
}

TEST(Imports, RefuseAFilesNameWithTheCharacterZeroOrNoUtf8) {
    TestService service;
    for (const std::string& name : {std::string("a\0b.csv", 7), std::string("\xff.csv")}) {
        const auto answer =
            service.ask("POST", kPath,
                        "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"" + name + "\"\r\n\r\n1\n2\n\r\n--x--\r\n",
                        {{"content-type", "multipart/form-data; boundary=x"}});
        EXPECT_EQ(answer.status, 422) << answer.body;
        EXPECT_NE(answer.body.find("U+0000"), std::string::npos) << answer.body;
    }
    EXPECT_EQ(service.store.sequence(), 0);
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

TEST(Imports, NameTheFileOfABodyInItsSource) {
    TestService service;
    ASSERT_EQ(service.ask("POST", kPath + "&name=prices.csv&source=study", prices_of_a_year("7")).status, 200);
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/curves/tariff.x").body)["source"], "study prices.csv");
}

TEST(Imports, OfTelemetryKnowDevicesByStoredAliases) {
    TestService service;
    const auto warnings = [&] {
        const auto answer =
            service.ask("POST", "/v1/telemetry", "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",modelName=\"NVIDIA GeForce RTX 5090\"} 300.5\n",
                        {{"content-type", "text/plain"}});
        EXPECT_EQ(answer.status, 200) << answer.body;
        return json::parse(answer.body)["warnings"]["count"];
    };
    EXPECT_EQ(warnings(), 1);
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.rtx-5090", R"({"kind":"gpu","tdp_w":575})").status, 201);
    ASSERT_EQ(service.ask("PUT", "/v1/aliases/5090", R"({"names":["RTX 5090"],"device":"nvidia.rtx-5090"})").status, 201);
    EXPECT_EQ(warnings(), 0);
}

TEST(Imports, KnowDevicesByStoredAliases) {
    TestService service;
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.rtx-5090", R"({"kind":"gpu","tdp_w":575})").status, 201);
    const std::string path = "/v1/imports?format=skypilot&provider=vast&date=2026-04-02";
    const std::string file = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,Price,SpotPrice\n"
                             "1x-RTX5090,8,32,RTX5090,1,,us,0.5,\n";
    EXPECT_EQ(json::parse(service.ask("POST", path, file).body)["rejected"]["rows"], 1);
    EXPECT_EQ(service.ask("PUT", "/v1/aliases/5090", R"({"names":["RTX 5090"],"device":"nvidia.rtx-5091"})").status, 422)
        << "no such device";
    ASSERT_EQ(service.ask("PUT", "/v1/aliases/5090", R"({"names":["RTX 5090"],"device":"nvidia.rtx-5090"})").status, 201);
    const json summary = json::parse(service.ask("POST", path, file).body);
    EXPECT_EQ(summary["documents"]["added"], 1) << summary;
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/offers/vast.1x-rtx5090.us.on-demand").body)["device"], "nvidia.rtx-5090");
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/nvidia.rtx-5090").status, 409) << "the alias refers to it";
    EXPECT_EQ(service.ask("PUT", "/v1/aliases/none", R"({"names":[],"device":"nvidia.rtx-5090"})").status, 422);
    EXPECT_EQ(service.ask("PUT", "/v1/aliases/none", R"({"names":["--"],"device":"nvidia.rtx-5090"})").status, 422);
    ASSERT_EQ(service.ask("PUT", "/v1/aliases/other", R"({"names":["rtx-5090"],"device":"nvidia.rtx-5090","devices":2})").status,
              201);
    const json unclear = json::parse(service.ask("POST", path, file).body);
    EXPECT_EQ(unclear["rejected"]["rows"], 1);
    EXPECT_NE(unclear["warnings"]["first"][0]["reason"].get<std::string>().find("two aliases name rtx-5090"), std::string::npos);
}

TEST(Imports, GiveAStoredOfferWithoutARegionTheLeastPriceOfItsRegions) {
    TestService service;
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb", R"({"kind":"gpu","tdp_w":700})").status, 201);
    const std::string offer = R"({"provider":"lambda","sku":"gpu_8x_h100_sxm5","device":"nvidia.h100-sxm5-80gb","devices":8,
        "purchase":"on_demand","currency":"USD","hourly_price":{"kind":"price","axis":"date","interpolation":"step",
        "points":[["2025-01-01",24]]}})";
    ASSERT_EQ(service.ask("PUT", "/v1/offers/lambda.gpu_8x_h100_sxm5.on-demand", offer).status, 201);
    const std::string header = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,"
                               "Price,SpotPrice\n";
    const auto row = [](const std::string& region, const std::string& zone, const std::string& price) {
        return "gpu_8x_h100_sxm5,208,1800,H100,8,," + region + "," + zone + "," + price + ",\n";
    };
    const std::string path = "/v1/imports?format=skypilot&provider=lambda&date=2026-04-06";
    const json summary = json::parse(
        service.ask("POST", path, header + row("us-south-1", "a", "31.92") + row("us-south-1", "b", "30") + row("eu-1", "c", "33"))
            .body);
    EXPECT_EQ(summary["documents"], json::parse(R"({"added":3,"changed":1,"unchanged":0})")) << summary;
    const json stored = json::parse(service.ask("GET", "/v1/offers/lambda.gpu_8x_h100_sxm5.on-demand").body);
    EXPECT_EQ(stored["hourly_price"]["points"], json::parse(R"([["2025-01-01",24],["2026-04-06",30]])"));
    EXPECT_FALSE(stored.contains("region"));
    EXPECT_FALSE(stored.contains("zone")) << "it is of all of them";
    EXPECT_EQ(stored["source"], "the least of 3 places, that of b");
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/offers/lambda.gpu_8x_h100_sxm5.b.on-demand").body)["zone"], "b");
    EXPECT_EQ(service.ask("GET", "/v1/offers/lambda.gpu_8x_h100_sxm5.us-south-1.on-demand").status, 404) << "nothing is made up";
    EXPECT_EQ(json::parse(service.ask("POST", path, header + row("eu-1", "c", "33")).body)["documents"]["added"], 0);
}

// A store in which `sellers` sell an H100 for 2, 3, 4 … USD an hour on demand.
void sell_h100(TestService& service, int sellers, const std::string& purchase = "on_demand") {
    static_cast<void>(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb", R"({"kind":"gpu","tdp_w":700})"));
    for (int i = 0; i < sellers; ++i) {
        const std::string offer = fmt::format(R"({{"provider":"seller{}","sku":"8x","device":"nvidia.h100-sxm5-80gb","devices":8,)"
                                              R"("purchase":"{}","currency":"USD","hourly_price":{}}})",
                                              i, purchase, 8 * (i + 2));
        ASSERT_LT(service.ask("PUT", fmt::format("/v1/offers/seller{}.8x.{}", i, purchase), offer).status, 300);
    }
}

// One row an instance of eight H100, with prices on demand and as spot.
json import_h100(TestService& service, const std::vector<std::pair<std::string, std::string>>& prices,
                 std::string_view provider = "auction") {
    std::string file = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n";
    for (std::size_t i = 0; i < prices.size(); ++i) {
        file += fmt::format("type{},H100,8,{},{},r\n", i, prices[i].first, prices[i].second);
    }
    const std::string path = fmt::format("/v1/imports?format=skypilot&provider={}&date=2026-10-20", provider);
    return json::parse(service.ask("POST", path, file).body);
}

TEST(Imports, HoldTheFloorOfAnAuctionAndLandTheRest) {
    TestService service;
    sell_h100(service, 3);
    const json summary = import_h100(service, {{"3.3", ""}, {"3.5", ""}, {"0.08", ""}, {"30", ""}, {"31", ""}});
    EXPECT_EQ(summary["documents"]["added"], 3) << "a seventh of 3 is 0.43 a device-hour, 3.43 for eight" << summary;
    EXPECT_EQ(summary["held"], 2);
    EXPECT_EQ(summary["held_offers"][0]["offer"], "auction.type0.r.on-demand");
    EXPECT_EQ(summary["held_offers"][0]["reason"], "a device-hour of 0.4125 USD is 0.137 times the median of 3 other sellers, 3");
    EXPECT_EQ(service.ask("GET", "/v1/offers/auction.type2.r.on-demand").status, 404);
    const std::string path = fmt::format("/v1/imports/{}", summary["run"].get<int>());
    EXPECT_EQ(json::parse(service.ask("GET", path).body)["held"], 2);
    EXPECT_EQ(service.ask("POST", path + "/accept").status, 200);
    EXPECT_EQ(service.ask("GET", "/v1/offers/auction.type2.r.on-demand").status, 200);
}

TEST(Imports, AreAcceptedWithinTheMemoryThatThereIs) {
    TestService service;
    sell_h100(service, 3);
    const auto number = import_h100(service, {{"24", ""}, {"25", ""}, {"0.08", ""}})["run"].get<std::int64_t>();
    const std::string path = fmt::format("/v1/imports/{}/accept", number);
    std::size_t room = 0;
    std::size_t booked = 0;
    service.service.memory = [&] {
        return [&](std::size_t bytes) {
            booked = std::max(booked, bytes);
            return bytes <= room;
        };
    };
    for (const std::size_t too_little : {std::size_t{0}, ingest::kMemoryOfDocument, std::size_t{ingest::kMemoryOfOffer}}) {
        room = too_little;
        const http::Response refused = service.ask("POST", path);
        EXPECT_EQ(refused.status, 503) << room;
        EXPECT_NE(refused.body.find("more memory than the service has to spare"), std::string::npos) << refused.body;
        EXPECT_NE(tests::header_of(refused, "Retry-After"), "");
        EXPECT_EQ(service.store.feed_run(number)->held, 1);
    }
    room = std::size_t{8} << 20U; // a step of what comes is booked at once
    EXPECT_EQ(service.ask("POST", path).status, 200);
    EXPECT_GT(booked, ingest::kMemoryOfOffer);
    EXPECT_EQ(service.store.feed_run(number)->held, 0);
}

TEST(Imports, DoOneOfTwoReviewsOfARunAtOnce) {
    using ingest::Verdict;
    const std::vector<Verdict> verdicts{Verdict::accept, Verdict::reject, Verdict::undo};
    for (const Verdict first : verdicts) {
        for (const Verdict second : verdicts) {
            TestService service;
            sell_h100(service, 3);
            const auto number = import_h100(service, {{"24", ""}, {"25", ""}, {"0.08", ""}})["run"].get<std::int64_t>();
            const storage::FeedRun run = service.store.feed_run(number).value(); // as both see it
            ASSERT_TRUE(ingest::review_run(service.store, {"a", ""}, run, first, "1"));
            const std::string path = "/v1/offers/auction.type2.r.on-demand";
            const auto price = service.ask("GET", path).status;
            EXPECT_EQ(price, first == Verdict::accept ? 200 : 404);
            const auto lost = ingest::review_run(service.store, {"b", ""}, run, second, "1");
            ASSERT_FALSE(lost) << static_cast<int>(first) << " " << static_cast<int>(second);
            EXPECT_NE(lost.error().find("was accepted, rejected, undone or superseded meanwhile"), std::string::npos)
                << lost.error();
            EXPECT_EQ(service.ask("GET", path).status, price);
            EXPECT_EQ(service.store.feed_run(number)->state,
                      first == Verdict::undo ? storage::FeedState::undone : storage::FeedState::landed);
        }
    }
}

TEST(Imports, HoldThePricesOfASellerWhoseNameIsThatOfBillsAndContracts) {
    for (const std::string_view provider : {"contract", "paid", "Paid.gpus", "semianalysis"}) {
        TestService service;
        sell_h100(service, 3);
        EXPECT_EQ(import_h100(service, {{"24", ""}, {"25", ""}, {"0.08", ""}}, provider)["held"], 1) << provider;
    }
}

TEST(Imports, CompareAPriceWithTheSamePurchaseOfOthers) {
    TestService service;
    sell_h100(service, 1);
    EXPECT_EQ(import_h100(service, {{"", "1.5"}})["held"], 1) << "a tenth of the only other seller's 2 on demand is 1.6 here";
    EXPECT_EQ(import_h100(service, {{"1.5", ""}})["held"], 1);
    EXPECT_EQ(import_h100(service, {{"170", ""}})["held"], 1);
    EXPECT_EQ(import_h100(service, {{"1.7", ""}})["documents"]["added"], 1);
    sell_h100(service, 3);
    EXPECT_EQ(import_h100(service, {{"", "2.5"}})["documents"]["added"], 1)
        << "spot, of which a tenth of that on demand is 2.4 here";
    EXPECT_EQ(import_h100(service, {{"", ""}, {"", "2.3"}})["held"], 1);
    sell_h100(service, 3, "spot");
    EXPECT_EQ(import_h100(service, {{"", ""}, {"", "2"}})["held"], 1) << "now others sell spot too";
    EXPECT_EQ(import_h100(service, {{"", ""}, {"", "2.5"}})["documents"]["added"], 1);
}

// Of three sellers at 2, 3 and 4 USD a device-hour a tenth of the median is 2.4 USD here.
TEST(Imports, HoldAPriceThatComesToATenthOfWhatOthersAskByOneStep) {
    const auto held = [](std::string_view purchase, double before, double price) {
        TestService service;
        sell_h100(service, 3, purchase == "spot" ? "spot" : "on_demand");
        const auto import = [&](double amount, std::string_view day) {
            std::string file = fmt::format("InstanceType,AcceleratorName,AcceleratorCount,{},Region\n",
                                           purchase == "spot" ? "Price,SpotPrice" : "SpotPrice,Price");
            file += fmt::format("box,H100,8,,{},r\nother,H100,8,,16,r\nthird,H100,8,,16,r\n", amount);
            return service.ask("POST", fmt::format("/v1/imports?format=skypilot&provider=p&date={}", day), file).body;
        };
        const json first = json::parse(import(before, "2026-09-20"));
        static_cast<void>(service.ask("POST", fmt::format("/v1/imports/{}/accept", first["run"].get<int>()), "{}"));
        return json::parse(import(price, "2026-09-25"))["held"].get<int>();
    };
    for (const std::string_view purchase : {"spot", "on demand"}) {
        EXPECT_EQ(held(purchase, 4.0, 2.5), 0) << purchase;
        EXPECT_EQ(held(purchase, 4.0, 2.3), 1) << purchase;
        EXPECT_EQ(held(purchase, 2.2, 1.8), 0) << purchase << ": it was there already";
    }
    EXPECT_EQ(held("spot", 9.0, 2.3), 1);
    EXPECT_EQ(held("spot", 9.0, 2.5), 0) << "spot moves so far";
}

// 26,280 hours are three years of one machine.
TEST(Imports, HoldAContractAtATenthOfThePriceOnDemand) {
    const auto imported = [](int cost) {
        TestService service;
        sell_h100(service, 3);
        const std::string file = fmt::format(
            "ContractCommitmentId,ContractCommitmentType,ContractCommitmentCategory,ContractCommitmentCost,"
            "ContractCommitmentQuantity,ContractCommitmentUnit,ContractCommitmentDescription,ContractCommitmentPeriodStart,"
            "ContractCommitmentPeriodEnd,ContractId,ContractPeriodStart,ContractPeriodEnd,BillingCurrency\n"
            "ri-1,Reserved Instance,Usage,{},26280,Hours,p5.48xlarge 3yr,2026-10-01T00:00:00Z,2029-10-01T00:00:00Z,C-1,"
            "2026-10-01T00:00:00Z,2029-10-01T00:00:00Z,USD\n",
            cost);
        return json::parse(service.ask("POST", "/v1/imports?format=focus_commitments&provider=aws", file).body);
    };
    EXPECT_EQ(imported(1)["held"], 1);
    EXPECT_EQ(imported(26280 * 2)["held"], 1) << "0.25 USD a device-hour, of 3 on demand";
    const json fair = imported(26280 * 12);
    EXPECT_EQ(fair["held"], 0) << fair;
    EXPECT_EQ(fair["documents"]["added"], 1) << fair;
}

json import_machine(TestService& service, std::string_view device, int devices, double price, std::string_view day) {
    const std::string file = fmt::format("InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\nbox,{},{},{},,r\n",
                                         device, devices, price);
    return json::parse(service.ask("POST", fmt::format("/v1/imports?format=skypilot&provider=p&date={}", day), file).body);
}

// 1.35 USD a TB/s and hour: 36.2 USD of eight; a fifteenth of it, twenty times, as spot a twentieth.
TEST(Imports, HoldANewPriceFarFromWhatItsMemorysBandwidthCostsAbout) {
    const auto held = [](const std::string& on_demand, const std::string& spot) {
        TestService service;
        static_cast<void>(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb",
                                      R"({"kind":"gpu","tdp_w":700,"memory_gib":80,"memory_bandwidth_gb_per_s":3350})"));
        return import_h100(service, {{on_demand, spot}})["held"].get<int>();
    };
    EXPECT_EQ(held("2.4", ""), 1);
    EXPECT_EQ(held("2.5", ""), 0);
    EXPECT_EQ(held("725", ""), 1);
    EXPECT_EQ(held("720", ""), 0);
    EXPECT_EQ(held("", "1.8"), 1);
    EXPECT_EQ(held("", "1.9"), 0);
}

TEST(Imports, DoNotTakeTheOnlyOtherSellerForTheMarketWhereRoughRatesBearAPriceOut) {
    TestService service;
    static_cast<void>(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb",
                                  R"({"kind":"gpu","tdp_w":700,"memory_gib":80,"memory_bandwidth_gb_per_s":3350})"));
    const http::Response cheap =
        service.ask("PUT", "/v1/offers/cheap.1x",
                    R"({"provider":"cheap","sku":"1x","device":"nvidia.h100-sxm5-80gb","devices":1,"purchase":"on_demand",)"
                    R"("currency":"USD","hourly_price":0.4})");
    ASSERT_EQ(cheap.status, 201) << cheap.body;
    EXPECT_EQ(import_h100(service, {{"40", ""}, {"230", ""}})["held"], 1);
    EXPECT_EQ(service.ask("GET", "/v1/offers/auction.type0.r.on-demand").status, 200);
    EXPECT_EQ(service.ask("GET", "/v1/offers/auction.type1.r.on-demand").status, 404) << "six times what it costs about";
}

// The order of lines decides nothing.
TEST(Imports, HoldAnOfferOfWhichTheListHasTwoPricesOfADay) {
    for (const auto& [one, other] : {std::pair("31.92", "20"), std::pair("20", "31.92")}) {
        TestService service;
        sell_h100(service, 0);
        const std::string file = fmt::format("InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n"
                                             "box,H100,8,{},,r\nbox,H100,8,{},,r\nhut,H100,8,24,,r\nhut,H100,8,24,,r\n",
                                             one, other);
        const json summary = json::parse(service.ask("POST", "/v1/imports?format=skypilot&provider=p&date=2026-10-20", file).body);
        EXPECT_EQ(summary["documents"]["added"], 1) << "what is there twice alike is there once" << summary;
        ASSERT_EQ(summary["held"], 1) << summary;
        EXPECT_EQ(summary["held_offers"][0]["reason"],
                  fmt::format("the list has two prices of 2026-10-20, {} and {}: take the wrong one out, or accept the last", one,
                              other));
        EXPECT_EQ(summary["held_offers"][0]["hourly_price"], std::stod(other));
        EXPECT_EQ(service.ask("GET", "/v1/offers/p.box.r.on-demand").status, 404);
    }
}

TEST(Imports, HoldAHostedModelOfWhichTheListHasTwoPricesUnderTwoNames) {
    const auto entry = [](const char* name, const char* input, const char* more = "") {
        return fmt::format(R"("{}":{{"litellm_provider":"p","mode":"chat","input_cost_per_token":{},)"
                           R"("output_cost_per_token":2e-6{}}})",
                           name, input, more);
    };
    const auto imported = [&](const std::string& one, const std::string& other) {
        TestService service;
        const std::string file = "{" + one + "," + other + "," + entry("p/other", "1e-6") + "}";
        return json::parse(service.ask("POST", "/v1/imports?format=litellm_prices&date=2026-10-20", file).body);
    };
    for (const auto& [one, other, input] : {std::tuple("5e-7", "3e-7", "0.5 and 0.3"), std::tuple("3e-7", "5e-7", "0.3 and 0.5")}) {
        const json summary = imported(entry("p/m-70b", one), entry("p/M-70B", other));
        EXPECT_EQ(summary["documents"]["added"], 1) << summary;
        ASSERT_EQ(summary["held_documents"].size(), 1U) << summary;
        EXPECT_EQ(summary["held_documents"][0]["reason"],
                  fmt::format("the list has two prices of 2026-10-20, {}: take the wrong one out, or accept the last", input));
    }
    EXPECT_EQ(imported(entry("p/m-70b", "5e-7"), entry("p/M-70B", "5e-7"))["held"], 0) << "the same";
    const json more = imported(entry("p/m-70b", "5e-7"), entry("p/M-70B", "5e-7", R"(,"cache_read_input_token_cost":5e-8)"));
    EXPECT_EQ(more["held"], 0) << "one states more" << more;
    const json fees = imported(entry("p/m-70b", "5e-7", R"(,"input_cost_per_request":0.01)"),
                               entry("p/M-70B", "5e-7", R"(,"input_cost_per_request":0.02)"));
    EXPECT_EQ(fees["held"], 1) << fees;
}

// Published lists have a half to a 20th.
TEST(Imports, HoldCachedInputForNearlyNothing) {
    TestService service;
    const auto held = [&](const char* host, const char* cached, bool is_dry = true) {
        const std::string file = fmt::format(R"({{"{}/m-70b":{{"litellm_provider":"{}","mode":"chat","input_cost_per_token":1e-6,)"
                                             R"("output_cost_per_token":2e-6,"cache_read_input_token_cost":{}}}}})",
                                             host, host, cached);
        const std::string path = "/v1/imports?format=litellm_prices&date=2026-10-20";
        return json::parse(service.ask("POST", path + (is_dry ? "&dry_run=true" : ""), file).body);
    };
    EXPECT_EQ(held("one", "2e-8")["held"], 0) << "a 50th, where nobody else sells the model";
    const json hundredth = held("one", "1e-8");
    ASSERT_EQ(hundredth["held"], 1) << hundredth;
    EXPECT_EQ(hundredth["held_documents"][0]["reason"],
              "cached_input at 0.01 USD is new, and 0.01 times its price of input, 1: less than a 60th is not usual");
    ASSERT_EQ(held("one", "1e-7", false)["held"], 0);
    EXPECT_EQ(held("two", "2e-8")["held"], 1) << "a 50th, where another asks a tenth";
    EXPECT_EQ(held("two", "5e-8")["held"], 0);
}

// By when they were recorded, whatever days the lists name.
TEST(Imports, HoldAPriceThatCreepsByListsThatAreDatedBack) {
    TestService service;
    sell_h100(service, 0);
    double price = 24;
    for (const std::string_view day : {"2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04", "2026-11-05"}) {
        EXPECT_EQ(import_machine(service, "H100", 8, price, day)["held"], 0) << day;
        price *= 0.61;
    }
    const json crept = import_machine(service, "H100", 8, price, "2026-11-06");
    EXPECT_NE(crept["problem"].get<std::string>().find("such as p.box.r.on-demand: 2.027 USD"), std::string::npos) << crept;
    EXPECT_EQ(crept["held_offers"][0]["reason"],
              "2.027 USD is 0.0845 times what was recorded a month ago, or last accepted, or first, 24")
        << crept;
}

// The days are the publisher's word; and what was landed and taken back is nobody's.
TEST(Imports, HoldAPriceThatCreepsByDaysThatAreFarApart) {
    for (const bool takes_back : {false, true}) {
        TestService service;
        sell_h100(service, 0);
        double price = 24;
        for (const std::string_view day : {"2022-06-01", "2023-04-02", "2024-02-03", "2025-01-04", "2025-12-05"}) {
            const json landed = import_machine(service, "H100", 8, price, day);
            EXPECT_EQ(landed["held"], 0) << day;
            if (takes_back) {
                EXPECT_EQ(service.ask("POST", fmt::format("/v1/imports/{}/undo", landed["run"].get<int>())).status, 200);
                EXPECT_EQ(import_machine(service, "H100", 8, price, day)["held"], 0) << day;
            }
            price *= 0.61;
        }
        const json crept = import_machine(service, "H100", 8, price, "2026-10-06");
        EXPECT_EQ(crept["held"], 1) << crept;
    }
}

TEST(Imports, HoldATariffThatCreepsByListsWithoutADay) {
    TestService service;
    for (const std::string price : {"100", "65"}) {
        EXPECT_EQ(json::parse(service.ask("POST", kPath, prices_of_a_year(price)).body)["held"], 0) << price;
    }
    const json crept = json::parse(service.ask("POST", kPath, prices_of_a_year("42")).body);
    EXPECT_EQ(crept["held"], 1) << crept;
}

TEST(Imports, HoldAMachineOfMoreOrOtherDevicesThanBefore) {
    TestService service;
    sell_h100(service, 0);
    static_cast<void>(service.ask("PUT", "/v1/devices/nvidia.a100-sxm4-80gb", R"({"kind":"gpu","tdp_w":400})"));
    EXPECT_EQ(import_machine(service, "H100", 8, 24, "2026-10-01")["documents"]["added"], 1);
    const json more = import_machine(service, "H100", 16, 24, "2026-10-20");
    EXPECT_EQ(more["held_offers"][0]["reason"], "24 USD is 0.5 times its last price, 48 for 16 devices, of which it had 8") << more;
    EXPECT_EQ(import_machine(service, "H100", 16, 48, "2026-10-20")["documents"]["changed"], 1) << "the same by the device";
    const json other = import_machine(service, "A100-80GB", 16, 48, "2026-10-20");
    EXPECT_NE(other["held_offers"][0]["reason"].get<std::string>().find(", and was of nvidia.h100"), std::string::npos) << other;
}

TEST(Imports, HoldAPriceThatCameDownByManySmallStepsWithinAMonth) {
    TestService service;
    sell_h100(service, 0);
    double price = 32;
    for (const std::string_view day : {"2026-10-01", "2026-10-02", "2026-10-03"}) {
        EXPECT_EQ(import_machine(service, "H100", 8, price, day)["held"], 0) << day;
        price *= 0.54;
    }
    const json held = import_machine(service, "H100", 8, price, "2026-10-04");
    EXPECT_NE(held["held_offers"][0]["reason"].get<std::string>().find("its price of a month before, 32"), std::string::npos)
        << held;
    const std::string path = fmt::format("/v1/imports/{}/accept", held["run"].get<int>());
    EXPECT_EQ(service.ask("POST", path).status, 200);
    EXPECT_EQ(import_machine(service, "H100", 8, price, "2026-10-05")["held"], 0) << "it was accepted";
    EXPECT_EQ(import_machine(service, "H100", 8, price * 0.9, "2026-11-20")["held"], 0) << "the month is over";
}

// What a day states again is compared with the day before, not with what it replaces.
TEST(Imports, HoldADayThatIsStatedAgainByManySmallSteps) {
    TestService service;
    sell_h100(service, 0);
    EXPECT_EQ(import_machine(service, "H100", 8, 32, "2026-10-01")["held"], 0);
    EXPECT_EQ(import_machine(service, "H100", 8, 32 * 0.6, "2026-10-20")["held"], 0);
    EXPECT_EQ(import_machine(service, "H100", 8, 32 * 0.36, "2026-10-20")["held"], 1) << "0.6 times what it replaces";
    EXPECT_EQ(import_machine(service, "H100", 8, 32 * 0.6, "2026-10-20")["held"], 0) << "as it stands";
    EXPECT_EQ(import_machine(service, "H100", 8, 32, "2026-10-20")["held"], 0) << "as the day before";
}

TEST(Imports, CompareACurrencyOfNobodyElseByRoughRates) {
    struct Row {
        const char* currency;
        double price;
        int held;
    };
    // Two others ask 16 and 24 USD for eight: 2.5 a device.
    for (const Row& row : {Row{"EUR", 20, 0}, Row{"JPY", 3000, 0}, Row{"JPY", 20, 1}, Row{"IDR", 20, 1}, Row{"XAU", 20, 1}}) {
        TestService service;
        sell_h100(service, 2);
        const std::string file =
            fmt::format("InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\nbox,H100,8,{},,r\n", row.price);
        const std::string path = "/v1/imports?format=skypilot&provider=new&date=2026-10-20&currency=";
        const json summary = json::parse(service.ask("POST", path + row.currency, file).body);
        EXPECT_EQ(summary["held"], row.held) << row.currency << " " << row.price << summary;
    }
}

TEST(Imports, HoldADeviceWhoseFactsDoubleOrHalve) {
    TestService service;
    const std::string l4 = R"({"kind":"gpu","tdp_w":72,"memory_gib":24,"memory_bandwidth_gb_per_s":300})";
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.l4", l4).status, 201);
    const auto imported = [&](const char* watts, const char* bytes, const char* bytes_per_s) {
        const std::string file = fmt::format("Hardware name,Manufacturer,Type,TDP (W),Memory size per board (Byte),"
                                             "Memory bandwidth (byte/s)\nNVIDIA L4,NVIDIA,GPU,{},{},{}\n",
                                             watts, bytes, bytes_per_s);
        return json::parse(service.ask("POST", "/v1/imports?format=epoch_hardware&name=chips.csv", file).body);
    };
    const json ten_times = imported("72", "240000000000", "3000000000000");
    EXPECT_EQ(ten_times["held"], 1) << ten_times;
    EXPECT_NE(ten_times.dump().find("its memory_bandwidth_gb_per_s of 3000 is 10 times what it was, 300; its memory_gib of 223.5"),
              std::string::npos)
        << ten_times;
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/devices/nvidia.l4").body)["memory_gib"], 24);
    const std::string path = fmt::format("/v1/imports/{}/accept", ten_times["run"].get<int>());
    EXPECT_EQ(service.ask("POST", path).status, 200);
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/devices/nvidia.l4").body)["memory_bandwidth_gb_per_s"], 3000);
    EXPECT_EQ(imported("75", "240000000000", "3200000000000")["held"], 0);
}

TEST(Imports, HoldAModelWhoseFactsDoubleOrHalve) {
    TestService service;
    const json config = llama_8b_config();
    const auto imported = [&](const json& file) {
        return json::parse(service.ask("POST", "/v1/imports?format=model_config&id=own-8b", file.dump()).body);
    };
    EXPECT_EQ(imported(config)["documents"]["added"], 1);
    json less = config;
    less["num_hidden_layers"] = 4;
    const json held = imported(less);
    EXPECT_EQ(held["held"], 1) << held;
    EXPECT_NE(held.dump().find("its layers of 4 is 0.125 times what it was, 32"), std::string::npos) << held;
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/models/own-8b").body)["layers"], 32);
    const auto reason = [&](const json& others) {
        json file = config;
        file.update(others);
        const json answer = imported(file);
        EXPECT_EQ(answer["held"], 1) << answer;
        return answer["held"] == 1 ? answer["held_documents"][0]["reason"].get<std::string>() : "";
    };
    EXPECT_EQ(reason({{"quantization_config", {{"quant_method", "gptq"}, {"bits", 4}}}}),
              "its published_precision is int4, and was bf16");
    EXPECT_NE(reason({{"sliding_window", 1}}).find("window_tokens of 1 was 0"), std::string::npos);
    EXPECT_NE(reason({{"architectures", {"MixtralForCausalLM"}},
                      {"model_type", "mixtral"},
                      {"num_local_experts", 2},
                      {"num_experts_per_tok", 1}})
                  .find("it has experts, and had none"),
              std::string::npos);
    EXPECT_EQ(imported(config)["held"], 0);
}

TEST(Imports, HoldANewFeeForWhichNobodySells) {
    const auto held = [](const char* name, const json& fee) {
        TestService service;
        const auto imported = [&](const char* day, const json& fees) {
            json entry = {
                {"litellm_provider", "h"}, {"mode", "chat"}, {"input_cost_per_token", 3e-6}, {"output_cost_per_token", 15e-6}};
            entry.update(fees);
            const std::string path = fmt::format("/v1/imports?format=litellm_prices&date={}", day);
            return json::parse(service.ask("POST", path, json{{"h/one", entry}}.dump()).body)["held"].get<int>();
        };
        EXPECT_EQ(imported("2026-10-20", json::object()), 0);
        return imported("2026-10-21", {{name, fee}});
    };
    EXPECT_EQ(held("input_cost_per_request", 100), 1);
    EXPECT_EQ(held("input_cost_per_request", 0.1), 1);
    EXPECT_EQ(held("input_cost_per_request", 0.014), 0);
    EXPECT_EQ(held("input_cost_per_image", 100), 1);
    EXPECT_EQ(held("search_context_cost_per_query", {{"search_context_size_medium", 1000}}), 1);
    EXPECT_EQ(held("search_context_cost_per_query", {{"search_context_size_medium", 0.05}}), 0);
}

// Where nothing can be compared, there are prices for which nobody sells.
TEST(Imports, HoldAPriceOfNearlyNothingThatIsNew) {
    TestService service;
    sell_h100(service, 0);
    EXPECT_EQ(import_machine(service, "H100", 8, 0.01, "2026-10-01")["held"], 1);
    EXPECT_EQ(import_machine(service, "H100", 8, 8, "2026-10-02")["held"], 0);
    const auto listed = [&](double input, double above, double flex) {
        const json file = {{"h/lonely",
                            {{"litellm_provider", "h"},
                             {"mode", "chat"},
                             {"input_cost_per_token", input},
                             {"output_cost_per_token", 4 * input},
                             {"input_cost_per_token_above_200k_tokens", above},
                             {"input_cost_per_token_flex", flex}}}};
        return json::parse(service.ask("POST", "/v1/imports?format=litellm_prices&date=2026-10-20", file.dump()).body);
    };
    EXPECT_EQ(listed(1e-12, 2e-12, 5e-13)["held"], 1) << "a millionth of a dollar a million tokens";
    EXPECT_EQ(listed(1e-6, 1e-12, 5e-7)["held"], 1) << "above a threshold nothing";
    EXPECT_EQ(listed(1e-6, 2e-6, 5e-5)["held"], 1) << "fifty times in a tier";
    EXPECT_EQ(listed(1e-6, 2e-6, 5e-7)["held"], 0);
}

TEST(Imports, HoldAHostThatComesByStepsToATenthOfTheOthers) {
    TestService service;
    json others;
    for (const std::string host : {"a", "b", "c"}) {
        others[host + "/llama"] = {
            {"litellm_provider", host}, {"mode", "chat"}, {"input_cost_per_token", 5e-7}, {"output_cost_per_token", 5e-7}};
    }
    const auto listed = [&](const json& file, std::string_view day) {
        const std::string path = fmt::format("/v1/imports?format=litellm_prices&date={}", day);
        return json::parse(service.ask("POST", path, file.dump()).body)["held"].get<int>();
    };
    const auto own = [](double price) {
        return json{
            {"d/llama",
             {{"litellm_provider", "d"}, {"mode", "chat"}, {"input_cost_per_token", price}, {"output_cost_per_token", price}}}};
    };
    EXPECT_EQ(listed(others, "2026-06-01"), 0);
    EXPECT_EQ(listed(own(1e-7), "2026-06-01"), 0);
    EXPECT_EQ(listed(own(6e-8), "2026-08-01"), 0);
    EXPECT_EQ(listed(own(4e-8), "2026-10-01"), 1);
}

// Of the unit that they aren't of: a kWh for a MWh, cents, kilograms.
TEST(Imports, HoldPowerAtAPriceAndCarbonThatNoGridHas) {
    TestService service;
    const auto held = [&](const std::string& id, const std::string& currency, const std::string& price) {
        const std::string path = fmt::format("/v1/imports?format=hourly_prices&id={}&currency={}", id, currency);
        return json::parse(service.ask("POST", path, prices_of_a_year(price)).body)["held"].get<int>();
    };
    EXPECT_EQ(held("tariff.a", "JPY", "15"), 1);
    EXPECT_EQ(held("tariff.a", "JPY", "15000"), 0);
    EXPECT_EQ(held("tariff.b", "USD", "6000"), 1);
    EXPECT_EQ(held("tariff.b", "USD", "9"), 0) << "Norway's north in 2020";
    const auto carbon = [&](double grams) {
        std::string text = "Datetime (UTC),Country,Zone name,Zone id,Carbon intensity gCO₂eq/kWh (direct),"
                           "Carbon intensity gCO₂eq/kWh (Life cycle),Data estimated\n";
        for (int hour = 0; hour < 48; ++hour) {
            text += fmt::format("2024-01-{:02} {:02}:00:00,Poland,Poland,PL,{},{},false\n", 1 + hour / 24, hour % 24, grams, grams);
        }
        const auto answer = service.ask("POST", "/v1/imports?format=hourly_carbon&id=carbon.pl&time_zone=UTC", text);
        return json::parse(answer.body)["held"].get<int>();
    };
    EXPECT_EQ(carbon(0.65), 2) << "kilograms";
    EXPECT_EQ(carbon(650), 0);
}

TEST(Imports, WarnWhereOnDemandIsSpotThroughout) {
    TestService service;
    sell_h100(service, 2);
    const json same = import_h100(service, {{"20", "20"}, {"21", "21"}, {"22", "22"}});
    EXPECT_EQ(same["documents"]["added"], 6);
    EXPECT_NE(
        same["warnings"]["first"][0]["reason"].get<std::string>().find("all 3 prices on demand are the same as those as spot"),
        std::string::npos)
        << same;
    EXPECT_EQ(import_h100(service, {{"20", "20"}, {"21", "21"}, {"22", "11"}})["warnings"]["count"], 0);
}

TEST(Imports, WarnWhereTwoSourcesHaveOtherPricesOfADay) {
    TestService service;
    const std::string path = "/v1/imports?date=2026-10-20&format=";
    const auto litellm = [&](const std::string& price, const std::string& source) {
        return json::parse(
            service
                .ask("POST", path + "litellm_prices&source=" + source,
                     R"({"openrouter/q/q3": {"litellm_provider": "openrouter", "mode": "chat", "input_cost_per_token": )" + price +
                         R"(, "output_cost_per_token": 2.4e-06}})")
                .body);
    };
    EXPECT_EQ(litellm("4e-07", "one")["documents"]["added"], 1);
    const json other = litellm("2.6e-07", "two");
    ASSERT_EQ(other["warnings"]["count"], 1) << other;
    EXPECT_NE(
        other["warnings"]["first"][0]["reason"].get<std::string>().find(
            "0.26 of two openrouter openrouter/q/q3 takes the place of 0.4 of one openrouter openrouter/q/q3, both of 2026-10-20"),
        std::string::npos)
        << other;
    EXPECT_EQ(litellm("2.65e-07", "three")["warnings"]["count"], 0) << "rounded differently";
    EXPECT_EQ(litellm("4e-07", "three")["warnings"]["count"], 0) << "a source corrects itself";
}

TEST(Imports, LeaveAnOfferAloneThatNamesItsZone) {
    TestService service;
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb", R"({"kind":"gpu","tdp_w":700})").status, 201);
    const std::string id = "/v1/offers/aws.p5.48xlarge.us-east-1.spot";
    const std::string offer = R"({"provider":"aws","region":"us-east-1","zone":"us-east-1f","sku":"p5.48xlarge","devices":8,
        "device":"nvidia.h100-sxm5-80gb","purchase":"spot","currency":"USD","hourly_price":40})";
    ASSERT_EQ(service.ask("PUT", id, offer).status, 201);
    const std::string file = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,"
                             "Price,SpotPrice\np5.48xlarge,192,2048,H100,8,,us-east-1,us-east-1a,98.32,33.5\n"
                             "p5.48xlarge,192,2048,H100,8,,us-east-1,us-east-1b,98.32,31.25\n";
    const json summary = json::parse(service.ask("POST", "/v1/imports?format=skypilot&provider=aws&date=2026-04-06", file).body);
    EXPECT_EQ(summary["documents"], json::parse(R"({"added":4,"changed":0,"unchanged":0})")) << summary;
    EXPECT_EQ(json::parse(service.ask("GET", id).body)["hourly_price"], 40) << "of another zone";
    ASSERT_EQ(service.ask("DELETE", id).status, 204);
    ASSERT_EQ(service.ask("PUT", id, offer.substr(0, offer.find("\"zone\"")) + offer.substr(offer.find("\"sku\""))).status, 201);
    ASSERT_EQ(service.ask("POST", "/v1/imports?format=skypilot&provider=aws&date=2026-04-07", file).status, 200);
    const json stored = json::parse(service.ask("GET", id).body);
    EXPECT_EQ(stored["hourly_price"]["points"].back(), json::parse(R"(["2026-04-07",31.25])")) << "that of the region follows";
    EXPECT_EQ(stored["source"], "the least of 2 places, that of us-east-1b");
}

TEST(Imports, WarnOfASkuThatIsStoredUnderAnotherId) {
    TestService service;
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.h100-sxm5-80gb", R"({"kind":"gpu","tdp_w":700})").status, 201);
    const auto put = [&](const std::string& id, const std::string& region, const std::string& purchase = "on_demand") {
        const std::string offer = R"({"provider":"lambda","sku":"gpu_8x_h100_sxm5","device":"nvidia.h100-sxm5-80gb","devices":8,
            "purchase":")" + purchase +
                                  R"(","currency":"USD","hourly_price":24,"region":")" + region + R"("})";
        ASSERT_EQ(service.ask("PUT", "/v1/offers/" + id, offer).status, 201);
    };
    const std::string sku = "lambda.gpu_8x_h100_sxm5.";
    put("our-h100", "us-south-1");                     // in a region of the list, under an id of its own
    put(sku + "texas.on-demand", "texas");             // the list has no such region
    put(sku + "us-south-1b.spot", "texas", "spot");    // the list does not sell it so
    put(sku + "us-south-1b.on-demand", "us-south-1");  // a zone that is not sold today
    put(sku + "eu-1.on-demand", "eu-1");               // the list has the region, and does not sell this SKU there
    put("paid.lambda.gpu_8x_h100_sxm5", "us-south-1"); // what was paid: no list's price
    const std::string file = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,Price,SpotPrice\n"
                             "gpu_8x_h100_sxm5,208,1800,H100,8,,us-south-1,31.92,\n"
                             "gpu_1x_h100_sxm5,26,225,H100,1,,eu-1,4.29,\n";
    const std::string path = "/v1/imports?format=skypilot&provider=lambda&date=2026-04-06";
    const json summary = json::parse(service.ask("POST", path, file).body);
    EXPECT_EQ(summary["documents"]["added"], 2) << summary;
    ASSERT_EQ(summary["warnings"]["count"], 2) << summary["warnings"];
    EXPECT_EQ(
        summary["warnings"]["first"][0]["reason"],
        "gpu_8x_h100_sxm5 is stored as lambda.gpu_8x_h100_sxm5.texas.on-demand too (region texas), which no row reaches; store "
        "it under an id and a region as the list has them, such as lambda.gpu_8x_h100_sxm5.us-south-1.on-demand, or delete it");
    EXPECT_NE(summary["warnings"]["first"][1]["reason"].get<std::string>().find(" our-h100 "), std::string::npos);
    EXPECT_EQ(json::parse(service.ask("POST", path + "&dry_run=true", file).body)["warnings"]["count"], 0)
        << "that was said when the SKU came in";
}

TEST(Imports, KeepWhatIsStoredWhereTheRequestWantsIt) {
    TestService service;
    ASSERT_EQ(service.ask("PUT", "/v1/devices/nvidia.l4", R"({"kind":"gpu","tdp_w":72,"memory_gib":24})").status, 201);
    const std::string path = "/v1/imports?format=epoch_hardware&name=chips.csv";
    const std::string file = "Hardware name,Manufacturer,Type,TDP (W),Memory size per board (Byte),Memory bandwidth (byte/s)\n"
                             "NVIDIA L4,NVIDIA,GPU,75,24000000000,300000000000\n";
    ASSERT_EQ(service.ask("POST", path + "&keep_stored=true", file).status, 200);
    json device = json::parse(service.ask("GET", "/v1/devices/nvidia.l4").body);
    EXPECT_EQ(device["tdp_w"], 72);
    EXPECT_EQ(device["memory_bandwidth_gb_per_s"], 300) << "was not stored";
    const json summary = json::parse(service.ask("POST", path, file).body);
    device = json::parse(service.ask("GET", "/v1/devices/nvidia.l4").body);
    EXPECT_EQ(device["tdp_w"], 75);
    EXPECT_EQ(device["memory_gib"], 24) << "24 GB of a table are 22.35 GiB, and the board's 24";
    EXPECT_NE(summary["warnings"]["first"].back()["reason"].get<std::string>().find("its tdp_w of 72 W becomes 75 W"),
              std::string::npos)
        << summary;
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

TEST(Imports, AreDoneOnceUnderAnIdempotencyKeyThoughTheirAnswerIsNotKept) {
    TestService service;
    const Headers headers{{"accept", "text/event-stream"}, {"idempotency-key", "k"}};
    auto answer = service.ask("POST", kPath, prices_of_a_year("7"), headers);
    std::string events;
    while (answer.stream(events)) {}
    const auto again = service.ask("POST", kPath, prices_of_a_year("7"), headers);
    EXPECT_EQ(again.status, 409);
    EXPECT_NE(again.body.find("was done (change @1)"), std::string::npos) << again.body;
    const Headers dry{{"accept", "text/event-stream"}, {"idempotency-key", "dry"}};
    for (int i = 0; i < 2; ++i) { // what wrote nothing may be done again
        auto tried = service.ask("POST", kPath + "&dry_run=true", prices_of_a_year("8"), dry);
        EXPECT_EQ(tried.status, 200);
        while (tried.stream && tried.stream(events)) {}
    }
}

TEST(Imports, AreRefusedToViewers) {
    TestService service({.keys_required = true});
    EXPECT_EQ(service.ask("POST", kPath, "1").status, 401);
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
    const auto field = api::read_parts("--x\r\nContent-Disposition: form-data; name=\"d/e.csv\"\r\n\r\n\r\n--x--", "x");
    EXPECT_EQ(field.value()[0].name, "e.csv") << "the name of a field stands for that of a file: neither has folders";
    EXPECT_EQ(api::boundary_of("multipart/form-data; boundary=\"q r\""), "q r");
    EXPECT_FALSE(api::boundary_of("text/csv"));
}

} // namespace
} // namespace costcurve::tests
