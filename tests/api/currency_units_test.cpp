// A number's unit names the currency of the document that states it, whatever the scenario's.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

// In yen, with documents in dollars and euros, and one that names no currency.
json yen() {
    json scenario = json::parse(kMixed);
    scenario["currency"] = "JPY";
    scenario["exchange_rates"] = {{"USD", 150}, {"EUR", 170}};
    json& rack = scenario["pools"][0];
    rack["site"]["currency"] = "EUR";
    rack["extra_costs"] = json::array({{{"name", "desk"}, {"per_month", 5}}});
    rack["purchases"][1]["lease"] = {{"term_months", 24}, {"payment_per_server_month", 9000}};
    rack.erase("refresh");
    scenario["pools"][1]["offer"]["site"]["energy_price"] = 0.2;
    scenario["pools"][2] = {
        {"id", "hosted"},
        {"kind", "api"},
        {"endpoint",
         {{"provider", "h"},
          {"model", "m"},
          {"currency", "USD"},
          {"price_per_million_units",
           {{"input", {{"kind", "price"}, {"axis", "date"}, {"points", json::parse(R"([["2025-01-01", 1], ["2026-01-01", 2]])")}}},
            {"output", 3}}}}}};
    return scenario;
}

struct Row {
    std::string pointer;
    std::string_view unit;
};
const std::vector<Row> kUnits{
    {"/pools/0/server/price", "USD/server"},
    {"/pools/0/server/software_per_device_year", "USD/device/year"},
    {"/pools/0/purchases/0/price", "USD/server"},
    {"/pools/0/purchases/1/lease/payment_per_server_month", "USD/server/month"},
    {"/pools/0/site/energy_price/points/1/1", "EUR/kWh"},
    {"/pools/0/site/salary_per_year", "EUR/person/year"},
    {"/pools/0/extra_costs/0/per_month", "JPY/month"},
    {"/pools/1/offer/hourly_price", "USD/instance-hour"},
    {"/pools/1/offer/site/energy_price", "JPY/kWh"},
    {"/pools/2/endpoint/price_per_million_units/output", "USD/million units"},
    {"/pools/2/endpoint/price_per_million_units/input/points/1/1", "USD/million units"},
    {"/finance/carbon_price_per_tonne", "JPY/t"},
    {"/exchange_rates/USD", "JPY/USD"},
    {"/workloads/0/unserved_cost_per_unit", "JPY/unit"},
    {"/pools/0/site/facility_life_months", "months"},
    {"/pools/0/site/energy_price", "factor"},
};

json asked(TestService& service, const std::string& route, const json& body, int status = 200) {
    const http::Response answer = service.ask("POST", route, body.dump());
    EXPECT_EQ(answer.status, status) << route << " " << answer.body;
    return json::parse(answer.body);
}

TEST(CurrencyUnits, OfANumberInADollarDocumentOfAYenScenarioAreDollars) {
    TestService service;
    json inputs = json::array();
    for (const Row& row : kUnits) {
        inputs.push_back({{"pointer", row.pointer}, {"change", 0.01}});
    }
    const json swings = asked(service, "/v1/sensitivity", {{"scenario", yen()}, {"inputs", inputs}}).at("inputs");
    ASSERT_EQ(swings.size(), kUnits.size());
    for (const Row& row : kUnits) {
        const auto swing = std::find_if(swings.begin(), swings.end(), [&](const json& s) { return s["pointer"] == row.pointer; });
        ASSERT_NE(swing, swings.end()) << row.pointer;
        EXPECT_EQ((*swing)["unit"], row.unit) << row.pointer;
    }
}

TEST(CurrencyUnits, AreTheSameInEveryQuestion) {
    TestService service;
    const std::string price = "/pools/1/offer/hourly_price";
    const json both = {yen(), yen()};
    const json map = asked(service, "/v1/map",
                           {{"scenarios", both},
                            {"x", {{"pointer", price}, {"values", {20, 30}}}},
                            {"y", {{"pointer", "/pools/0/site/salary_per_year"}, {"values", {90000, 95000}}}}});
    EXPECT_EQ(map["x"]["unit"], "USD/instance-hour");
    EXPECT_EQ(map["y"]["unit"], "EUR/person/year");
    EXPECT_EQ(map["unit"], "JPY");
    const json even = asked(service, "/v1/break-even", {{"a", yen()}, {"b", yen()}, {"input", price}, {"low", 20}, {"high", 30}});
    EXPECT_EQ(even["unit"], "USD/instance-hour");
    EXPECT_EQ(even["currency"], "JPY");
    const json base = asked(service, "/v1/evaluate", {{"scenario", yen()}});
    const json solved = asked(service, "/v1/solve",
                              {{"scenario", yen()},
                               {"input", "/pools/0/site/salary_per_year"},
                               {"low", 80000},
                               {"high", 100000},
                               {"output", "/total/cost"},
                               {"target", base["total"]["cost"]}});
    EXPECT_EQ(solved["unit"], "EUR/person/year");
    EXPECT_NEAR(solved["value"].get<double>(), 90000, 1);
    EXPECT_EQ(solved["output_unit"], "JPY");
}

// The terms of a figure are in the scenario's currency, and so are the values of their inputs: both are converted.
TEST(CurrencyUnits, OfAnExplanationAreTheScenariosAndItsValuesAreConverted) {
    TestService service;
    const http::Response answer =
        service.ask("POST", "/v1/explain", json{{"scenario", yen()}, {"figure", "/by_pool/rack/by_category/staff/cost"}}.dump());
    EXPECT_NE(answer.body.find(R"("value":15300000,"unit":"JPY/person/year")"), std::string::npos) << answer.body;
}

TEST(CurrencyUnits, NoValueIsSetInDollarsOfOneScenarioAndInYenOfAnother) {
    TestService service;
    json other = yen();
    other["pools"][1]["offer"]["currency"] = "JPY";
    other["pools"][1]["offer"]["hourly_price"] = 4500;
    const json body = {{"a", yen()}, {"b", other}, {"input", "/pools/1/offer/hourly_price"}, {"low", 20}, {"high", 30}};
    const json refused = asked(service, "/v1/break-even", body, 422);
    EXPECT_NE(
        refused["errors"][0]["message"].get<std::string>().find("takes USD/instance-hour in one scenario and JPY/instance-hour"),
        std::string::npos)
        << refused;
}

} // namespace
} // namespace costcurve::tests
