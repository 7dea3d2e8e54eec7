// POST /v1/explain: trees of inline and stored scenarios, and everything that can be wrong with a question.
#include <string>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

using Words = std::vector<std::string>;

class ExplainRoute : public testing::Test {
protected:
    http::Response post(const json& body) { return service.ask("POST", "/v1/explain", body.dump()); }
    json tree(const json& body) {
        const http::Response response = post(body);
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    }
    // "code pointer" of each error, in order.
    Words refused(const json& body) {
        const http::Response response = post(body);
        EXPECT_EQ(response.status, 422) << response.body;
        Words words;
        const json problem = json::parse(response.body);
        for (const json& error : problem.at("errors")) {
            words.push_back(error.at("code").get<std::string>() + " " + error.at("pointer").get<std::string>());
        }
        return words;
    }

    TestService service;
};

TEST_F(ExplainRoute, GivesTheTreeOfAFigure) {
    const json total = tree({{"scenario", smallest()}, {"figure", "/total/cost"}});
    EXPECT_EQ(total.at("term"), "total cost");
    EXPECT_NEAR(total.at("value").get<double>(), 744 * 3.6, 1e-9);
    EXPECT_EQ(total.at("unit"), "USD");
    EXPECT_EQ(total.at("rule"), "sum");
    const json compute = total.at("terms").at(0).at("terms").at(0);
    EXPECT_EQ(compute.at("term"), "compute");
    EXPECT_EQ(compute.at("rule"), "product");
    const json price = compute.at("terms").at(1);
    EXPECT_EQ(price.at("inputs").at(0),
              json::parse(
                  R"({"name": "/pools/0/offer/hourly_price", "value": 3.6, "unit": "USD/instance-hour", "source": null,
                              "price_day": null, "revision": null})"));
}

TEST_F(ExplainRoute, NamesTheRevisionsOfStoredDocuments) {
    json offer = smallest()["pools"][0]["offer"];
    offer["source"] = "price list";
    for (const double price : {3.0, 3.6}) {
        offer["hourly_price"] = price;
        ASSERT_LT(service.ask("PUT", "/v1/offers/offer", offer.dump()).status, 300);
    }
    json scenario = smallest();
    scenario["pools"][0]["offer"] = "offer";
    ASSERT_LT(service.ask("PUT", "/v1/scenarios/small", scenario.dump()).status, 300);
    const json compute = tree({{"scenario", "small"}, {"figure", "/by_pool/pool/by_category/compute/cost"}});
    const json input = compute.at("terms").at(1).at("inputs").at(0);
    EXPECT_EQ(input.at("source"), "price list");
    EXPECT_EQ(input.at("revision"), 2);
}

TEST_F(ExplainRoute, HeedsSetAndDepth) {
    const json body = {{"scenario", smallest()},
                       {"figure", "/total/cost"},
                       {"depth", 1},
                       {"set", {{"/pools/0/offer/hourly_price", 7.2}}},
                       {"as_of", nullptr}};
    const json total = tree(body);
    EXPECT_NEAR(total.at("value").get<double>(), 744 * 7.2, 1e-9);
    EXPECT_EQ(total.at("terms").at(0).at("terms"), json::array());
    EXPECT_EQ(total.at("terms").at(0).at("rule"), "leaf");
}

TEST_F(ExplainRoute, SaysEverythingThatIsWrongWithAQuestion) {
    const json scenario = smallest();
    EXPECT_EQ(refused({{"figure", 1}, {"depth", -1}, {"set", 1}, {"more", 1}}),
              (Words{"missing /scenario", "wrong_type /figure", "out_of_range /depth", "wrong_type /set", "unknown_field /more"}));
    EXPECT_EQ(refused({{"scenario", scenario}}), Words{"missing /figure"});
    EXPECT_EQ(refused({{"scenario", scenario}, {"figure", "/total/cost"}, {"depth", 1.5}}), Words{"wrong_type /depth"});
    EXPECT_EQ(refused({{"scenario", scenario}, {"figure", "/total/prize"}}), Words{"unknown_reference /figure"});
    EXPECT_EQ(refused({{"scenario", "none"}, {"figure", "/total/cost"}}), Words{"unknown_reference /scenario"});
    EXPECT_EQ(refused({{"scenario", scenario}, {"figure", "/total/cost"}, {"set", {{"/months", 0}}}}),
              Words{"out_of_range /scenario/months"});
    EXPECT_EQ(refused(json::array()), Words{"wrong_type "});
}

TEST_F(ExplainRoute, AFigureThatIsNullIsRefused) {
    const json body = {{"scenario", with(smallest(), "/workloads/0/id", "chat")},
                       {"figure", "/by_workload/chat/cost_per_inference"},
                       {"set", {{"/workloads/0/demand/mean_per_s", 0}}}};
    EXPECT_EQ(refused(body), Words{"unknown_reference /figure"});
    EXPECT_NE(post(body).body.find("null"), std::string::npos);
}

} // namespace
} // namespace costcurve::tests
