// Hosted models: an api pool's own figures, or those of the endpoint that it names (api.md, endpoint).
#include "model/documents/prices.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::api_scenario;
using tests::evaluate_document;
using tests::flat;
using tests::issues_of;

Endpoint endpoint_of(double input, double output) {
    Endpoint endpoint;
    endpoint.id = "host.model";
    endpoint.source = "price list";
    endpoint.provider = "host";
    endpoint.model = "model";
    endpoint.price_per_million_units = tests::in_and_out(flat(input), flat(output));
    return endpoint;
}

ScenarioDocument by_endpoint(Endpoint endpoint) {
    ScenarioDocument document = api_scenario();
    document.workloads[0].units_per_request = tests::in_and_out(300, 100);
    document.pools[0].price_per_million_units.reset();
    document.pools[0].endpoint = std::move(endpoint);
    return document;
}

TEST(Endpoints, ServeAsAPoolWithTheirFiguresDoes) {
    ScenarioDocument own = by_endpoint({});
    own.pools[0].endpoint.reset();
    own.pools[0].price_per_million_units = tests::in_and_out(flat(1), flat(4));
    own.pools[0].max_units_per_s = 200;
    own.workloads[0].max_unserved_fraction = 1;
    Endpoint endpoint = endpoint_of(1, 4);
    endpoint.max_units_per_s = 200;
    ScenarioDocument named = by_endpoint(endpoint);
    named.workloads[0].max_unserved_fraction = 1;
    const auto a = evaluate_document(own).summary;
    const auto b = evaluate_document(named).summary;
    EXPECT_GT(a.workloads[0].units_unserved, 0.0) << "the bound of the endpoint holds";
    EXPECT_EQ(a.workloads[0].units_unserved, b.workloads[0].units_unserved);
    EXPECT_EQ(a.total.cost, b.total.cost);
}

TEST(Endpoints, HaveACurrencyOfTheirOwn) {
    Endpoint endpoint = endpoint_of(1, 4);
    const double in_dollars = evaluate_document(by_endpoint(endpoint)).summary.total.cost;
    endpoint.currency = "EUR";
    ScenarioDocument document = by_endpoint(endpoint);
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"missing_exchange_rate /pools/0/endpoint/currency"});
    document.exchange_rates["EUR"] = 1.25;
    EXPECT_TRUE(tests::is_close(evaluate_document(document).summary.total.cost, 1.25 * in_dollars));
}

TEST(Endpoints, StandInPlaceOfThePoolsOwnFigures) {
    ScenarioDocument document = by_endpoint(endpoint_of(1, 4));
    document.pools[0].e2e_s = 1;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"not_allowed /pools/0/endpoint"});
    document.pools[0].e2e_s.reset();
    document.pools[0].endpoint.reset();
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"missing /pools/0/price_per_million_units"});
}

TEST(Endpoints, ArePricesThatAreRead) {
    EXPECT_EQ(prices_read(by_endpoint(endpoint_of(1, 4))).front().pointer, "/pools/0/endpoint/price_per_million_units/input");
}

TEST(Endpoints, OfAnotherModelAreWarnedOf) {
    ScenarioDocument document = by_endpoint(endpoint_of(1, 4));
    document.workloads[0].model = "llama-3.1-8b";
    const Result<Scenario> scenario = make_scenario(document);
    ASSERT_TRUE(scenario);
    EXPECT_TRUE(std::any_of(scenario->warnings().begin(), scenario->warnings().end(),
                            [](const Issue& warning) { return warning.code == Code::model_differs; }));
}

} // namespace
} // namespace costcurve::model
