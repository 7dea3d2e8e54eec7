// Pointers with *: a factor of all numbers that they name gives the documents
// with those multiples.
#include <gtest/gtest.h>

#include "model/questions/alternatives.hpp"
#include "model/questions/wildcard.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using model::Alternatives;
using model::Variant;

double cost_by_factor(const model::ScenarioDocument& document, std::string_view pointer, double factor) {
    Variant variant(document);
    const std::size_t input = variant.bind(pointer, "/input").value();
    EXPECT_EQ(variant.input(input).unit, "factor");
    EXPECT_EQ(variant.input(input).base, 1.0);
    EXPECT_FALSE(variant.set(input, factor, "/input"));
    return variant.evaluate().value()->summary.total.cost;
}

double evaluated_cost(model::ScenarioDocument document) { return evaluate_document(std::move(document)).summary.total.cost; }

// Two racks on one site, and a rented pool without one.
model::ScenarioDocument three_pools() {
    model::ScenarioDocument document = owned_scenario();
    document.pools[0].site->id = "here";
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "more";
    document.pools[1].server->price = 20000;
    document.pools.push_back(cloud_scenario().pools[0]);
    document.pools[2].id = "rented";
    document.pools[2].min_instances = 1;
    return document;
}

TEST(Factor, MultipliesEachNumberByItsOwnBase) {
    model::ScenarioDocument written = three_pools();
    written.pools[0].server->price *= 1.5;
    written.pools[1].server->price *= 1.5;
    EXPECT_EQ(cost_by_factor(three_pools(), "/pools/*/server/price", 1.5), evaluated_cost(written));
    EXPECT_NE(evaluated_cost(written), evaluated_cost(three_pools()));
}

TEST(Factor, OfASiteInTwoPoolsMultipliesItOnce) {
    model::ScenarioDocument written = three_pools();
    written.pools[0].site->energy_price.number *= 3;
    written.pools[1].site->energy_price.number *= 3;
    EXPECT_EQ(cost_by_factor(three_pools(), "/pools/*/site/energy_price", 3), evaluated_cost(written));
    EXPECT_NE(evaluated_cost(written), evaluated_cost(three_pools()));
    Variant one(three_pools());
    EXPECT_FALSE(one.set(one.bind_factor("/pools/0/site/energy_price", "").value(), 3, ""));
    EXPECT_EQ(one.evaluate().value()->summary.total.cost, evaluated_cost(written)) << "one pool's site is the other's";
}

TEST(Factor, OfThePriceOfUnitsIsOfAllThatTheHostedModelStates) {
    model::ScenarioDocument document = api_scenario();
    document.workloads[0].units_per_request = in_and_out(3000, 10);
    model::Pool& pool = document.pools[0];
    pool.price_per_million_units = in_and_out(flat(10), flat(40));
    pool.above.emplace_back(model::PriceAbove{2000, in_and_out(flat(20), flat(60))});
    const std::string everywhere = "/pools/*/price_per_million_units";
    EXPECT_DOUBLE_EQ(cost_by_factor(document, everywhere, 2), 2 * evaluated_cost(document)) << "above a threshold";
    pool.service_tiers.emplace().flex.emplace().price_per_million_units = in_and_out(flat(5), flat(20));
    pool.service_tiers->flex->above.emplace_back(model::PriceAbove{2000, in_and_out(flat(8), flat(30))});
    document.workloads[0].runs_on[0].service_tier = model::ServiceTier::flex;
    EXPECT_DOUBLE_EQ(cost_by_factor(document, everywhere, 2), 2 * evaluated_cost(document)) << "in a tier";
    pool.service_tiers->flex =
        model::TierPrices{.price_factor = 0.5, .price_per_million_units = {}, .above = {}, .deadline_hours = {}};
    EXPECT_DOUBLE_EQ(cost_by_factor(document, everywhere, 2), 2 * evaluated_cost(document)) << "a tier's factor stays";
    model::ScenarioDocument with_fee = document;
    with_fee.pools[0].fees.emplace().request = flat(0.01);
    EXPECT_NEAR(cost_by_factor(with_fee, everywhere, 2) - evaluated_cost(with_fee), evaluated_cost(document),
                1e-9 * evaluated_cost(with_fee))
        << "fees stay";
    static_cast<model::HostedModel&>(pool.endpoint.emplace()) = pool;
    static_cast<model::HostedModel&>(pool) = model::HostedModel();
    for (const char* const pointer : {"/pools/*/price_per_million_units", "/pools/*/endpoint/price_per_million_units"}) {
        EXPECT_DOUBLE_EQ(cost_by_factor(document, pointer, 2), 2 * evaluated_cost(document)) << pointer;
    }
}

TEST(Factor, MultipliesCurvesAndPricesByClass) {
    model::ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->hourly_price =
        curve(model::CurveKind::price, model::Axis::date, {20000, 21000}, {3.6, 3.6}, model::Interpolation::step);
    EXPECT_DOUBLE_EQ(cost_by_factor(document, "/pools/*/offer/hourly_price", 1.5), 1.5 * evaluated_cost(document));
    EXPECT_DOUBLE_EQ(cost_by_factor(document, "/pools/*/offer/hourly_price/points/0/1", 2), 2 * evaluated_cost(document));

    const model::ScenarioDocument one_for_all = api_scenario();
    EXPECT_DOUBLE_EQ(cost_by_factor(one_for_all, "/pools/*/price_per_million_units", 2), 2 * evaluated_cost(one_for_all));
    model::ScenarioDocument split = api_scenario();
    split.workloads[0].units_per_request = in_and_out(3, 1);
    split.pools[0].price_per_million_units = in_and_out(flat(10), flat(40));
    for (const char* const pointer : {"/pools/*/price_per_million_units", "/pools/*/price_per_million_units/*"}) {
        EXPECT_DOUBLE_EQ(cost_by_factor(split, pointer, 2), 2 * evaluated_cost(split)) << pointer;
    }
    model::ScenarioDocument dearer = split;
    dearer.pools[0].price_per_million_units = in_and_out(flat(10), flat(80));
    EXPECT_DOUBLE_EQ(cost_by_factor(split, "/pools/*/price_per_million_units/output", 2), evaluated_cost(dearer));
}

TEST(Factor, MovesWholeNumbersToWholeNumbers) {
    model::ScenarioDocument document = three_pools();
    document.pools[2].min_instances = 3;
    document.pools[2].max_instances = 10;
    model::ScenarioDocument written = document;
    written.pools[2].min_instances = 4;
    EXPECT_EQ(cost_by_factor(document, "/pools/*/min_instances", 1.2), evaluated_cost(written)) << "3.6";
    Variant variant(document);
    EXPECT_FALSE(variant.input(variant.bind("/pools/*/min_instances", "").value()).is_whole()) << "the factor is any number";
}

TEST(Factor, KeepsEveryNumberInItsRange) {
    model::ScenarioDocument document = cloud_scenario();
    document.workloads[0].peak_utilization = 0.8;
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "other";
    document.workloads[1].peak_utilization = 0.5;
    Variant variant(document);
    const std::size_t input = variant.bind("/workloads/*/peak_utilization", "").value();
    EXPECT_DOUBLE_EQ(variant.input(input).spec.max, 1.25) << "0.8 becomes 1";
    EXPECT_FALSE(variant.set(input, 1.25, ""));
    EXPECT_TRUE(variant.set(input, 1.26, ""));
    EXPECT_TRUE(variant.set(input, -1, ""));
    EXPECT_TRUE(variant.set(input, 0, "")) << "utilization is above 0";
    variant.reset(input);
    EXPECT_EQ(variant.document(), document);
}

TEST(Factor, OfSeveralScenariosKeepsAllInRangeAndPassesOverThoseWithoutIt) {
    model::ScenarioDocument tight = cloud_scenario();
    tight.workloads[0].peak_utilization = 0.8;
    model::ScenarioDocument loose = cloud_scenario();
    loose.workloads[0].peak_utilization = 0.5;
    model::ScenarioDocument none = training_scenario();
    Alternatives scenarios({{loose, "/a"}, {tight, "/b"}, {none, "/c"}});
    const auto input = scenarios.bind("/workloads/*/demand/mean_per_s", "/x");
    ASSERT_TRUE(input);
    const auto utilization = scenarios.bind("/workloads/*/peak_utilization", "/x");
    ASSERT_TRUE(utilization);
    EXPECT_DOUBLE_EQ(scenarios.input(*utilization).spec.max, 1.25) << "of the second, though the first could go to 2";
    EXPECT_TRUE(scenarios.set(*utilization, 1.5, "/x"));
}

TEST(Factor, WhoseStarNamesNothingIsRefused) {
    for (const char* const pointer : {"/pools/*/server/price", "/pools/*/nothing", "/pools/*", "/*", "/pools/0/offer/*",
                                      "/finance/*", "/pools/*/offer/hourly_price/x", "/pools/*/id"}) {
        Variant variant(cloud_scenario());
        const auto bound = variant.bind(pointer, "/input");
        ASSERT_FALSE(bound) << pointer;
        EXPECT_EQ(bound.error()[0].code, model::Code::unknown_reference);
        EXPECT_EQ(bound.error()[0].pointer, "/input");
    }
}

} // namespace
} // namespace costcurve::tests
