// The request that rates are of, moved by questions over several scenarios: it is refused where one of them would keep its rates,
// and its figures with them.
#include <string>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

const std::string kOutput = "/workloads/0/units_per_request/output";

json tokens() {
    json scenario = smallest();
    scenario["workloads"][0]["unit"] = "token";
    scenario["workloads"][0]["units_per_request"] = {{"input", 500}, {"output", 300}};
    scenario["workloads"][0]["demand"]["mean_per_s"] = 0.001;
    return scenario;
}

json on_devices() {
    json scenario = tokens();
    json& performance = scenario["workloads"][0]["runs_on"][0]["performance"];
    performance["mix"] = {{"input", 500}, {"output", 300}};
    performance["class_weights"] = {{"input", 0.2}};
    return scenario;
}

json hosted() {
    json scenario = tokens();
    scenario["pools"] = {{{"id", "pool"}, {"kind", "api"}, {"provider", "p"}, {"model", "m"}, {"price_per_million_units", 8}}};
    scenario["workloads"][0]["runs_on"] = {{{"pool", "pool"}}};
    return scenario;
}

// Sensitivity had the first scenario's cost flat and no flip, a simulation a twelfth of it, though one of the two could be moved.
TEST(MovedRequests, AreRefusedWhereOneScenarioWouldKeepItsRates) {
    TestService service;
    const json uniform = {{"kind", "uniform"}, {"low", 30}, {"high", 3000}};
    const json months = {{"pointer", "/months"}, {"values", {1, 2}}};
    for (const json& both : {json{on_devices(), hosted()}, json{hosted(), on_devices()}}) {
        const std::pair<const char*, json> questions[] = {
            {"/v1/sensitivity",
             {{"scenario", both[0]}, {"against", {both[1]}}, {"inputs", {{{"pointer", kOutput}, {"low", 30}, {"high", 3000}}}}}},
            {"/v1/simulate",
             {{"scenarios", both}, {"samples", 64}, {"inputs", {{{"pointer", kOutput}, {"distribution", uniform}}}}}},
            {"/v1/map", {{"scenarios", both}, {"x", {{"pointer", kOutput}, {"values", {30, 300}}}}, {"y", months}}},
            {"/v1/break-even", {{"a", both[0]}, {"b", both[1]}, {"input", kOutput}, {"low", 30}, {"high", 3000}}}};
        for (const auto& [route, request] : questions) {
            const http::Response response = service.ask("POST", route, request.dump());
            EXPECT_EQ(response.status, 422) << route << response.body;
            EXPECT_NE(response.body.find("evaluate with `set`"), std::string::npos) << route << response.body;
        }
        const json every = {{"scenario", both[0]}, {"against", {both[1]}}};
        const http::Response response = service.ask("POST", "/v1/sensitivity", every.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        EXPECT_EQ(response.body.find(kOutput), std::string::npos) << "of all inputs it is left out";
    }
}

} // namespace
} // namespace costcurve::tests
