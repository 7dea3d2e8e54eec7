// Money that was converted names the currency in which it is stated, and the rate.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/questions/explain/explain.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

std::vector<std::string> read_of(const ScenarioDocument& document, const std::string& pointer) {
    const tests::Answer answer = tests::evaluate_document(document);
    const auto tree = explain(answer.scenario, answer.compiled, answer.ledger, answer.summary, "/total/cost");
    std::vector<std::string> found;
    const auto visit = [&](const Term& term, const auto& self) -> void {
        for (const TermInput& input : term.inputs) {
            if (input.name == pointer) {
                found.push_back(input.currency + " " + std::to_string(input.exchange_rate) + " " + input.unit);
            }
        }
        for (const Term& part : term.terms) {
            self(part, self);
        }
    };
    if (tree) {
        visit(*tree, visit);
    }
    return found;
}

TEST(Exchanged, InputsNameTheCurrencyThatTheyAreStatedIn) {
    ScenarioDocument document = tests::cloud_scenario();
    document.exchange_rates = {{"GBP", 1.27}, {"EUR", 1.1}};
    Offer& offer = *document.pools[0].offer;
    const std::string pointer = "/pools/0/offer/hourly_price";
    using Inputs = std::vector<std::string>;
    EXPECT_EQ(read_of(document, pointer), Inputs{" 0.000000 USD/instance-hour"});
    offer.currency = "EUR";
    EXPECT_EQ(read_of(document, pointer), Inputs{"EUR 1.100000 USD/instance-hour"});
    EXPECT_EQ(read_of(document, "/pools/0/offer/price_growth_rate"), Inputs{" 0.000000 1/year"}) << "no money";
    offer.hourly_price = tests::curve(CurveKind::price, Axis::date, {20000}, {2}, Interpolation::step);
    EXPECT_EQ(read_of(document, pointer), Inputs{"EUR 1.100000 USD/instance-hour"});
    offer.hourly_price.curve->currency = "GBP";
    EXPECT_EQ(read_of(document, pointer), Inputs{"GBP 1.270000 USD/instance-hour"});
    offer.hourly_price.curve->currency = "USD";
    EXPECT_EQ(read_of(document, pointer), Inputs{" 0.000000 USD/instance-hour"}) << "it was not converted";
}

TEST(Exchanged, PricesHaveADayOrNone) {
    ScenarioDocument document = tests::cloud_scenario();
    const auto price = [&] {
        const tests::Answer answer = tests::evaluate_document(document);
        const auto tree = explain(answer.scenario, answer.compiled, answer.ledger, answer.summary, "/total/cost");
        std::map<std::string, TermInput> inputs;
        const auto visit = [&](const Term& term, const auto& self) -> void {
            for (const TermInput& input : term.inputs) {
                inputs.try_emplace(input.name, input);
            }
            for (const Term& part : term.terms) {
                self(part, self);
            }
        };
        visit(*tree, visit);
        EXPECT_FALSE(inputs.at("/pools/0/offer/price_growth_rate").is_price);
        return inputs.at("/pools/0/offer/hourly_price");
    };
    EXPECT_TRUE(price().is_price);
    EXPECT_EQ(price().price_day, std::nullopt) << "a number";
    document.pools[0].offer->hourly_price = tests::curve(CurveKind::price, Axis::date, {20000}, {2}, Interpolation::step);
    EXPECT_EQ(price().price_day, "2024-10-04");
}

TEST(Exchanged, APurchaseIsInTheServersCurrency) {
    ScenarioDocument document = tests::owned_scenario();
    document.exchange_rates = {{"EUR", 1.1}};
    document.pools[0].server->currency = "EUR";
    document.pools[0].purchases[0].price = 1000;
    const std::vector<std::string> found = read_of(document, "/pools/0/purchases/0/price");
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().substr(0, 12), "EUR 1.100000");
}

} // namespace
} // namespace costcurve::model
