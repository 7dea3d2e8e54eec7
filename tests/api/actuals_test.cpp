// A scenario's pools and tags against imported bills: every line counts once, and what is of no pool stands apart.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

constexpr std::int64_t kFirstOf2026 = 20'454;

// January 2026: 744 h of a device at 3.6 USD, and 267.84 million tokens at 10 USD a million: 2678.40 each.
json two_pools() {
    return json::parse(R"({"start": "2026-01", "months": 2, "exchange_rates": {"EUR": 2}, "tags": {"product": "assistant"},
        "workloads": [
            {"id": "chat", "kind": "inference", "unit": "token", "units_per_request": 100, "demand": {"mean_per_s": 1},
             "runs_on": [{"pool": "hosted"}], "tags": {"team": "blue"}},
            {"id": "work", "kind": "inference", "demand": {"mean_per_s": 1},
             "runs_on": [{"pool": "gpu", "performance": {"units_per_s": 1}}], "tags": {"team": "red"}}],
        "pools": [
            {"id": "gpu", "kind": "cloud", "max_instances": 10,
             "offer": {"provider": "p", "sku": "big", "region": "eu", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1,
                       "purchase": "on_demand", "hourly_price": 3.6}},
            {"id": "hosted", "kind": "api", "provider": "h", "model": "m", "price_per_million_units": 10}]})");
}

BillLine machine(double cost, double device_hours, const std::string& tags = "") {
    BillLine made;
    made.day = kFirstOf2026;
    made.provider = "p";
    made.account = "1/x";
    made.region = "eu";
    made.sku = "BIG";
    made.purchase = "on_demand";
    made.currency = "USD";
    made.resource = "i-1";
    made.tags = tags;
    made.hours = device_hours;
    made.device_hours = device_hours;
    made.effective_cost = cost;
    made.billed_cost = cost;
    return made;
}
BillLine hosted_tokens(double cost, double tokens) {
    BillLine made = machine(cost, 0, R"({"team":"blue"})");
    made.provider = "h";
    made.sku = "m-tokens";
    made.purchase = "";
    made.resource = "";
    made.consumed_unit = "1K tokens";
    made.tokens = tokens;
    return made;
}
BillLine of_category(const std::string& category, double cost) {
    BillLine made = machine(cost, 0);
    made.sku = "";
    made.purchase = "";
    made.category = category;
    return made;
}

class Actuals : public ::testing::Test {
protected:
    TestService service;

    void save(const std::vector<BillLine>& lines) { static_cast<void>(service.store.save_bill({"test", ""}, lines)); }
    json request(json scenario = two_pools()) {
        return {{"scenario", std::move(scenario)}, {"from", "2026-01"}, {"to", "2026-01"}};
    }
    json ask(const json& body) {
        const http::Response response = service.ask("POST", "/v1/actuals", body.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        return response.status == 200 ? json::parse(response.body) : json::object();
    }
    std::vector<std::string> issues(const json& body) {
        const http::Response response = service.ask("POST", "/v1/actuals", body.dump());
        EXPECT_EQ(response.status, 422) << response.body;
        std::vector<std::string> found;
        const json problem = json::parse(response.body);
        for (const json& issue : problem["errors"]) {
            found.push_back(issue["code"].get<std::string>() + " " + issue["pointer"].get<std::string>());
        }
        std::sort(found.begin(), found.end());
        return found;
    }
};

TEST_F(Actuals, AreHeldAgainstThePlanByPoolAndTag) {
    BillLine other = machine(100, 0);
    other.sku = "database";
    BillLine february = machine(1e6, 1e6);
    february.day += 31;
    BillLine commitment = of_category("purchase", 0);
    commitment.commitment = "ri-1";
    commitment.billed_cost = 500;
    save({machine(3000, 800, R"({"team":"red"})"), hosted_tokens(2900, 3e8), other, february, of_category("tax", 50), commitment,
          of_category("allocation", 3000)});
    const json answer = ask(request());
    const json& gpu = answer["pools"][0];
    EXPECT_NEAR(gpu["planned"]["cost"].get<double>(), 2678.4, 1e-9);
    EXPECT_EQ(gpu["planned"]["device_hours"], 744);
    EXPECT_TRUE(gpu["planned"]["tokens"].is_null()) << "its workload counts no tokens";
    EXPECT_EQ(gpu["billed"]["cost"], 3000);
    EXPECT_EQ(gpu["billed"]["lines"], 1);
    EXPECT_NEAR(gpu["difference"]["cost"].get<double>(), 321.6, 1e-9);
    EXPECT_NEAR(gpu["cost_variance"]["price"].get<double>(), 3000 - 3.6 * 800, 1e-9);
    EXPECT_NEAR(gpu["cost_variance"]["volume"].get<double>(), (800 - 744) * 3.6, 1e-9);
    EXPECT_EQ(gpu["matched_by"], (json{{"offer", 3000}}));
    const json& hosted = answer["pools"][1];
    EXPECT_NEAR(hosted["planned"]["tokens"].get<double>(), 267.84e6, 1e-3);
    EXPECT_TRUE(hosted["planned"]["device_hours"].is_null());
    EXPECT_EQ(hosted["billed"]["tokens"], 3e8);
    EXPECT_NEAR(hosted["cost_variance"]["price"].get<double>(), 2900 - 10 * 300, 1e-6);
    EXPECT_NEAR(hosted["cost_variance"]["volume"].get<double>(), (300 - 267.84) * 10, 1e-6);
    EXPECT_NEAR(answer["total"]["planned"]["cost"].get<double>(), 2 * 2678.4, 1e-9);
    EXPECT_EQ(answer["total"]["billed"]["cost"], 5900);
    EXPECT_NEAR(answer["total"]["difference"]["cost"].get<double>(), 5900 - 2 * 2678.4, 1e-9);
    EXPECT_EQ(answer["total"]["difference"]["device_hours"], 800 - 744) << "of pools that have both";
    EXPECT_EQ(answer["unmatched"]["billed"]["cost"], 100);
    EXPECT_EQ(answer["unmatched"]["largest"][0]["sku"], "database");
    EXPECT_EQ(answer["ambiguous"]["billed"]["lines"], 0);
    EXPECT_TRUE(answer["ambiguous"]["billed"]["cost"].is_null());
    EXPECT_EQ(answer["apart"], json::parse(R"([{"category": "purchase", "billed_cost": 500, "effective_cost": 0, "lines": 1},
                                               {"category": "tax", "billed_cost": 50, "effective_cost": 50, "lines": 1}])"));
    const json& teams = answer["by_tag"]["team"];
    EXPECT_NEAR(teams["blue"]["planned_cost"].get<double>(), 2678.4, 1e-9);
    EXPECT_EQ(teams["blue"]["billed_cost"], 2900);
    EXPECT_EQ(teams["red"]["billed_cost"], 3000);
    EXPECT_EQ(teams["(untagged)"]["billed_cost"], 100);
    EXPECT_EQ(teams["(untagged)"]["planned_cost"], 0);
    EXPECT_NEAR(answer["by_tag"]["product"]["assistant"]["planned_cost"].get<double>(), 2 * 2678.4, 1e-9) << "the scenario's tag";
    EXPECT_EQ(answer["first_day"], "2026-01-01");
    EXPECT_NE(answer["notes"].dump().find("end on 2026-01-01; the months are 2026-01-01 to 2026-01-31"), std::string::npos);
    EXPECT_NE(answer["notes"].dump().find("1 lines of allocations divide what others charge"), std::string::npos);
}

// Nothing is known of what was never imported: null, not 0.
TEST_F(Actuals, ThatAreNotThereAreNull) {
    const json answer = ask(request());
    EXPECT_TRUE(answer["total"]["billed"]["cost"].is_null());
    EXPECT_TRUE(answer["total"]["difference"]["cost"].is_null());
    EXPECT_TRUE(answer["pools"][0]["cost_variance"]["total"].is_null());
    EXPECT_TRUE(answer["by_tag"]["team"]["blue"]["billed_cost"].is_null());
    EXPECT_TRUE(answer["first_day"].is_null());
    EXPECT_NE(answer["notes"].dump().find("there is no line of a bill"), std::string::npos);
}

TEST_F(Actuals, OfTwoPoolsThatFitEquallyWellAreOfNone) {
    json scenario = two_pools();
    scenario["pools"].push_back(scenario["pools"][0]);
    scenario["pools"][2]["id"] = "gpu-2";
    save({machine(3000, 800, R"({"team":"red"})")});
    json answer = ask(request(scenario));
    EXPECT_EQ(answer["ambiguous"]["billed"]["cost"], 3000);
    EXPECT_EQ(answer["ambiguous"]["largest"][0]["pools"], (json{"gpu", "gpu-2"}));
    EXPECT_TRUE(answer["total"]["billed"]["cost"].is_null());

    json tagged = scenario;
    tagged["pools"][2]["tags"] = {{"team", "red"}};
    answer = ask(request(tagged));
    EXPECT_EQ(answer["pools"][2]["matched_by"], (json{{"tags_and_offer", 3000}}));
    tagged["pools"][2]["tags"] = {{"team", "blue"}};
    EXPECT_EQ(ask(request(tagged))["pools"][0]["billed"]["cost"], 3000) << "the line is of another team than gpu-2";

    json stated = request(scenario);
    stated["pools"] = {{{"pool", "gpu-2"}, {"resources", {"i-9", "i-1"}}}};
    answer = ask(stated);
    EXPECT_EQ(answer["pools"][2]["matched_by"], (json{{"request", 3000}}));
    stated["pools"][0]["resources"] = {"i-9"};
    EXPECT_EQ(ask(stated)["pools"][0]["billed"]["cost"], 3000) << "gpu-2 has the lines that are stated, and no others";

    scenario["pools"][2]["offer"]["purchase"] = "spot";
    EXPECT_EQ(ask(request(scenario))["pools"][0]["billed"]["cost"], 3000) << "on demand, as it was bought";
}

TEST_F(Actuals, MayBePartOfABill) {
    BillLine euros = machine(10, 1);
    euros.currency = "EUR";
    euros.account = "2";
    save({machine(3000, 800), euros, of_category("purchase", 70)});
    EXPECT_EQ(ask(request())["pools"][0]["billed"]["cost"], 3020) << "converted";
    json part = request();
    part["bill"] = {{"account", "1"}};
    EXPECT_EQ(ask(part)["pools"][0]["billed"]["cost"], 3000) << "1/x is a part of account 1";
    part["bill"] = {{"account", "2"}};
    EXPECT_EQ(ask(part)["pools"][0]["billed"]["cost"], 20);
    part = request();
    part["categories"] = {"usage", "purchase"};
    EXPECT_EQ(ask(part)["unmatched"]["billed"]["cost"], 70);
    EXPECT_TRUE(ask(part)["apart"].empty());
    json no_rate = request();
    no_rate["scenario"].erase("exchange_rates");
    EXPECT_EQ(issues(no_rate), std::vector<std::string>{"missing_exchange_rate /scenario/exchange_rates"});
}

TEST_F(Actuals, OfAClusterHaveIdleCapacity) {
    BillLine search = of_category("allocation", 300);
    search.provider = "opencost";
    search.sku = "gpu";
    search.device_hours = 100;
    search.resource = "search";
    search.tags = R"({"namespace":"search","team":"blue"})";
    BillLine idle = search;
    idle.resource = "__idle__";
    idle.tags = "";
    save({search, idle, machine(600, 200)});
    json body = request();
    body["categories"] = {"allocation"};
    body["pools"] = {{{"pool", "gpu"}, {"provider", "opencost"}, {"sku", "gpu"}}};
    const json answer = ask(body);
    EXPECT_EQ(answer["pools"][0]["billed"]["cost"], 600);
    EXPECT_EQ(answer["pools"][0]["billed"]["device_hours"], 200);
    EXPECT_EQ(answer["by_tag"]["team"]["(idle)"]["billed_cost"], 300);
    EXPECT_EQ(answer["by_tag"]["team"]["blue"]["billed_cost"], 300);
}

// What commitments left unused is of the pool too, and stated.
TEST_F(Actuals, SayWhatCommitmentsLeftUnused) {
    BillLine unused = machine(25, 0);
    unused.commitment = "ri-1";
    unused.commitment_status = "unused";
    unused.purchase = "committed";
    save({machine(75, 20), unused});
    const json gpu = ask(request())["pools"][0];
    EXPECT_EQ(gpu["billed"]["cost"], 100);
    EXPECT_EQ(gpu["billed"]["unused_cost"], 25);
}

TEST_F(Actuals, TakeGoodRequestsAlone) {
    const auto with = [&](const char* pointer, json value) {
        json body = request();
        body[json::json_pointer(pointer)] = std::move(value);
        return body;
    };
    struct Case {
        json body;
        std::vector<std::string> wanted;
    };
    const std::vector<Case> cases{
        {json::object(), {"missing /from", "missing /scenario", "missing /to"}},
        {with("/to", "2025-12"), {"out_of_range /to"}},
        {with("/to", "2026-03"), {"out_of_range /to"}},
        {with("/from", "2025-12"), {"out_of_range /from"}},
        {with("/scenario", "no-such"), {"unknown_reference /scenario"}},
        {with("/pools", json::array({{{"pool", "no"}, {"sku", "x"}}})), {"unknown_reference /pools/0/pool"}},
        {with("/pools", json::array({{{"pool", "gpu"}}})), {"missing /pools/0"}},
        {with("/pools", json::array({{{"sku", "x"}}})), {"missing /pools/0/pool"}},
        {with("/pools", json::array()), {"out_of_range /pools"}},
        {with("/bill", {{"team", "x"}}), {"unknown_field /bill/team"}},
        {with("/bill", {{"tags", {{"team", 3}}}}), {"wrong_type /bill/tags/team"}},
        {with("/categories", {"usage", "allocation"}), {"inconsistent /categories"}},
        {with("/categories", {"gifts"}), {"unknown_value /categories/0"}},
        {with("/tag_keys", {"team", "team"}), {"duplicate /tag_keys/1"}},
    };
    for (const Case& row : cases) {
        EXPECT_EQ(issues(row.body), row.wanted) << row.body;
    }
}

} // namespace
} // namespace costcurve::tests
