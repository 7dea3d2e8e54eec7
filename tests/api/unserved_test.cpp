// `ignore_unserved` over the API: what leaves work undone is the cheapest by the number alone. It never wins without it, wins with
// it, and the answer repeats it.
#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

// Two requests a second; ten instances can do them.
json able() { return with(json::parse(kSmallest), "/workloads/0/demand/mean_per_s", 2); }
// One instance leaves half of them.
json leaving_half() { return with(able(), "/pools/0/max_instances", 1); }

json answered(const std::string& question, json request, bool ignore_unserved) {
    static TestService service;
    if (ignore_unserved) {
        request["ignore_unserved"] = true;
    }
    const http::Response response = service.ask("POST", "/v1/" + question, request.dump());
    EXPECT_EQ(response.status, 200) << question << response.body;
    const json answer = json::parse(response.body);
    EXPECT_EQ(answer.at("ignore_unserved"), ignore_unserved) << question;
    return answer;
}

TEST(Unserved, IsTheCheapestOnlyWhereItIsIgnored) {
    const json both = {able(), leaving_half()};
    const json axis = {{"pointer", "/workloads/0/demand/mean_per_s"}, {"values", {2}}};
    const json price = {{"pointer", "/pools/0/offer/hourly_price"}, {"low", 1}, {"high", 5}};
    const json same = {{"pointer", "/pools/0/offer/hourly_price"},
                       {"distribution", {{"kind", "uniform"}, {"low", 1}, {"high", 1}, {"relative", true}}}};
    struct Row {
        const char* question;
        json request;
        const char* member; ///< of the answer: which is the cheapest
        json without;
        json with;
    };
    const std::vector<Row> rows = {
        {"compare", {{"scenarios", both}}, "/cheapest", 0, 1},
        {"break-even", {{"a", able()}, {"b", leaving_half()}}, "/relation", "none", "b_always_cheaper"},
        {"break-even",
         {{"a", able()}, {"b", leaving_half()}, {"input", "/pools/0/offer/hourly_price"}, {"low", 1}, {"high", 9}},
         "/relation",
         "none",
         "b_always_cheaper"},
        {"sensitivity", {{"scenario", able()}, {"against", {leaving_half()}}, {"inputs", {price}}}, "/cheapest", 0, 1},
        {"simulate", {{"scenarios", both}, {"inputs", {same}}, {"samples", 2}}, "/scenarios/1/probability_cheapest", 0.0, 1.0},
        {"map",
         {{"scenarios", both}, {"x", axis}, {"y", {{"pointer", "/finance/tax_rate"}, {"values", {0}}}}},
         "/cheapest/0/0",
         0,
         1},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(answered(row.question, row.request, false).at(json::json_pointer(row.member)), row.without) << row.question;
        EXPECT_EQ(answered(row.question, row.request, true).at(json::json_pointer(row.member)), row.with) << row.question;
    }
    EXPECT_EQ(answered("simulate", rows[4].request, true).at("scenarios").at(1).at("probability_feasible"), 0.0) << "as it is";
    EXPECT_EQ(answered("map", rows[5].request, true).at("feasible").at(1).at(0).at(0), false) << "as it is";
}

TEST(Unserved, IsRankedAmongPlansOnlyWhereItIsIgnored) {
    TestService service;
    const json endpoint = {{"provider", "host"},
                           {"model", "tiny"},
                           {"price_per_million_units", {{"input", 1}, {"output", 2}}},
                           {"max_units_per_s", 10}};
    const http::Response stored = service.ask("PUT", "/v1/endpoints/host.tiny", endpoint.dump());
    ASSERT_LT(stored.status, 300) << stored.body;
    json request = {{"start", "2026-01"},
                    {"months", 1},
                    {"workloads",
                     {{{"id", "chat"},
                       {"kind", "inference"},
                       {"unit", "token"},
                       {"model", "tiny"},
                       {"units_per_request", {{"input", 500}, {"output", 300}}},
                       {"demand", {{"mean_per_s", 1}}}}}}};
    const auto ranked = [&] {
        const http::Response response = service.ask("POST", "/v1/rank", request.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    };
    json answer = ranked();
    EXPECT_EQ(answer.at("ignore_unserved"), false);
    EXPECT_TRUE(answer.at("plans").empty());
    EXPECT_EQ(answer.at("excluded").at(0).at("reason"), "unserved");
    request["ignore_unserved"] = true;
    answer = ranked();
    EXPECT_EQ(answer.at("ignore_unserved"), true);
    ASSERT_EQ(answer.at("plans").size(), 1U);
    EXPECT_EQ(answer.at("plans").at(0).at("name"), "tiny of host");
}

} // namespace
} // namespace costcurve::tests
