// Trees worked by hand: an owned pool, a cloud pool, a shared pool; sources, depth and wrong pointers.
#include "model/questions/explain/explain.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"
#include "tests/support/terms.hpp"

namespace costcurve::tests {
namespace {

using namespace costcurve::model;

Result<Term> ask(const ScenarioDocument& document, std::string_view figure, std::optional<int> depth = std::nullopt) {
    const Answer answer = evaluate_document(document);
    return explain(answer.scenario, answer.compiled, answer.ledger, answer.summary, figure, depth);
}

Term tree_of(const ScenarioDocument& document, std::string_view figure, std::optional<int> depth = std::nullopt) {
    Result<Term> tree = ask(document, figure, depth);
    if (!tree) {
        throw std::runtime_error(tree.error().front().message);
    }
    for (const std::string& broken : broken_terms(*tree)) {
        ADD_FAILURE() << broken;
    }
    return *tree;
}

std::string message_of(const ScenarioDocument& document, std::string_view figure) {
    const Result<Term> tree = ask(document, figure);
    return tree ? "explained" : tree.error().front().message;
}

// January 2026 has 744 hours: half a request a second keeps the device busy for 372 of them.
ScenarioDocument half_busy() {
    ScenarioDocument scenario = owned_scenario();
    scenario.workloads[0].demand.mean_per_s = 0.5;
    Pool& pool = scenario.pools[0];
    pool.server->residual_fraction = flat(0.1);
    pool.server->maintenance_rate = 0.12;
    pool.site->pue = flat(1.25);
    return scenario;
}

TEST(Explain, NamesThePriceOfAnEndpoint) {
    ScenarioDocument scenario = api_scenario();
    Endpoint& endpoint = scenario.pools[0].endpoint.emplace();
    endpoint.source = "price list";
    endpoint.price_per_million_units.swap(scenario.pools[0].price_per_million_units);
    const TermInput price = find_term(tree_of(scenario, "/by_pool/pool/cost"), "price of a unit").inputs.at(0);
    EXPECT_EQ(price.name, "/pools/0/endpoint/price_per_million_units");
    EXPECT_EQ(price.source, "price list");
}

TEST(Explain, HasEachLengthsPartOfAPrice) {
    ScenarioDocument scenario = api_scenario(); // 100 USD a million units: requests of 10 and 40, 13 in the mean
    scenario.workloads[0].token_mix = {{in_and_out(8, 2), 0.9}, {in_and_out(30, 10), 0.1}};
    scenario.workloads[0].prefix = Prefix{5, 1, std::nullopt};
    scenario.pools[0].cache = HostedCache{{{3600, 0.5}}, std::nullopt, 0}; // 1/e of the 5 are written, at half the price
    const Term price = find_term(tree_of(scenario, "/by_pool/pool/by_category/usage/cost"), "price of a unit");
    const double kept = 5 * (1 - std::exp(-1.0)) + 5 * std::exp(-1.0) * 0.5;
    ASSERT_EQ(price.terms.size(), 2U);
    EXPECT_EQ(price.terms[1].term, "bucket 2");
    EXPECT_TRUE(is_close(price.terms[0].value, 0.9 * (5 + kept) * 1e-4 / 13, 1e-12));
    EXPECT_TRUE(is_close(price.terms[1].value, 0.1 * (35 + kept) * 1e-4 / 13, 1e-12));
    EXPECT_EQ(price.terms[1].inputs.at(0).name, "/workloads/0/token_mix/1/share");
    EXPECT_NE(price.formula.find("0.632121 are read"), std::string::npos) << price.formula;
    const Term units = tree_of(scenario, "/by_workload/chat/cost_by_class/output/units");
    EXPECT_TRUE(is_close(find_term(units, "output").value, 0.9 * 2 + 0.1 * 10, 1e-12));
}

TEST(Explain, WorksOutAnOwnedPoolAsByHand) {
    const Term cost = tree_of(half_busy(), "/by_pool/pool/cost");
    EXPECT_TRUE(is_close(cost.value, 684.375 + 34.875 + 365, 1e-12));
    EXPECT_TRUE(is_close(find_term(cost, "hardware").value, 684.375, 1e-12)); // (36500 - 3650) / 48
    EXPECT_TRUE(is_close(find_term(cost, "P").value, 36500, 1e-12));
    EXPECT_TRUE(is_close(find_term(cost, "−R").value, -3650, 1e-12));
    EXPECT_EQ(find_term(cost, "L").value, 48);
    EXPECT_TRUE(is_close(find_term(cost, "maintenance").value, 365, 1e-12));          // 36500 x 0.12 / 12
    EXPECT_TRUE(is_close(find_term(cost, "energy at no load").value, 111.6, 1e-12));  // 744 x 0.150 kW
    EXPECT_TRUE(is_close(find_term(cost, "energy of the load").value, 167.4, 1e-12)); // 372 x 0.450 kW
    EXPECT_TRUE(is_close(find_term(cost, "IT energy").value, 279, 1e-12));
    EXPECT_EQ(find_term(cost, "PUE").value, 1.25);
    EXPECT_TRUE(is_close(find_term(cost, "energy").value, 34.875, 1e-12)); // 348.75 kWh x 0.1
    const Term each = tree_of(half_busy(), "/by_workload/chat/cost_per_inference");
    EXPECT_EQ(each.rule, Rule::quotient);
    EXPECT_EQ(each.unit, "USD/request");
    EXPECT_TRUE(is_close(each.value, 1084.25 / (0.5 * 3600 * 744), 1e-12));
    EXPECT_TRUE(is_close(find_term(each, "units served").value, 1339200, 1e-12));
    EXPECT_TRUE(is_close(tree_of(half_busy(), "/by_pool/pool/utilization_fraction").value, 0.5, 1e-12));
}

TEST(Explain, CashIsThePurchaseLessTheBookValueAtTheEnd) {
    const Term cash = tree_of(half_busy(), "/by_pool/pool/by_category/hardware/cash");
    EXPECT_TRUE(is_close(find_term(cash, "P").value, 36500, 1e-12));
    EXPECT_TRUE(is_close(find_term(cash, "−book value when it leaves").value, -(36500 - 684.375), 1e-12));
    EXPECT_TRUE(is_close(cash.value, 684.375, 1e-12));
}

TEST(Explain, DisposalIsBookValueLessTheSaleAtTheHorizonsEnd) {
    ScenarioDocument scenario = half_busy();
    scenario.pools[0].server->residual_fraction = curve(CurveKind::residual, Axis::age_months, {0, 1, 48}, {1, 0.5, 0.1});
    const Term disposal = tree_of(scenario, "/by_category/disposal/cost");
    EXPECT_TRUE(is_close(find_term(disposal, "book value at the horizon's end").value, 36500 - 684.375, 1e-12));
    EXPECT_TRUE(is_close(find_term(disposal, "−market value at the horizon's end").value, -18250, 1e-12));
    EXPECT_TRUE(is_close(disposal.value, 17565.625, 1e-12));
    EXPECT_EQ(tree_of(scenario, "/by_category/disposal/cash").value, 0);
}

TEST(Explain, TheAnnuityRuleHasItsCapitalRecoveryFactor) {
    ScenarioDocument scenario = half_busy();
    scenario.finance.capital = Capital::annuity;
    scenario.finance.discount_rate = 0.1;
    const Term hardware = tree_of(scenario, "/by_pool/pool/by_category/hardware/cost");
    const double r = std::pow(1.1, 1.0 / 12) - 1;
    const double end = std::pow(1 + r, -48);
    EXPECT_TRUE(is_close(find_term(hardware, "capital recovery factor").value, r / (1 - end), 1e-12));
    EXPECT_TRUE(is_close(find_term(hardware, "−R (1+r)^−L").value, -3650 * end, 1e-12));
}

TEST(Explain, WorksOutACloudPoolAsByHand) {
    const Term compute = tree_of(cloud_scenario(), "/total/cost");
    EXPECT_EQ(compute.term, "total cost");
    EXPECT_TRUE(is_close(compute.value, 744 * 3.6, 1e-12));
    EXPECT_EQ(find_term(compute, "instance-hours").value, 744);
    EXPECT_EQ(find_term(compute, "hourly price").value, 3.6);
    EXPECT_EQ(find_term(compute, "hourly price").unit, "USD/instance-hour");
}

// 3.6 in January (744 h), 1.8 in February (672 h).
TEST(Explain, AChangingPriceIsAMeanUntilMonthsAreOpened) {
    ScenarioDocument scenario = cloud_scenario();
    scenario.months = 2;
    scenario.pools[0].offer->hourly_price =
        curve(CurveKind::price, Axis::date, {20454, 20485}, {3.6, 1.8}, Interpolation::step); // 1 January and 1 February 2026
    const double total = 744 * 3.6 + 672 * 1.8;
    const Term closed = tree_of(scenario, "/by_category/compute/cost");
    EXPECT_TRUE(is_close(closed.value, total, 1e-12));
    EXPECT_TRUE(is_close(find_term(closed, "hourly price").value, total / (744 + 672), 1e-12));
    EXPECT_FALSE(find_term(closed, "hourly price").inputs.front().value) << "a curve has no one value";
    const Term open = tree_of(scenario, "/by_category/compute/cost", 6);
    EXPECT_TRUE(is_close(find_term(open, "2026-02").value, 672 * 1.8, 1e-12));
    EXPECT_EQ(find_term(find_term(open, "2026-02"), "hourly price").value, 1.8);
    const Term month = tree_of(scenario, "/by_month/1/by_pool/pool/cost");
    EXPECT_EQ(month.term, "cost of pool pool in 2026-02");
    EXPECT_EQ(find_term(month, "hourly price").value, 1.8);
}

TEST(Explain, ThoseWhoShareAPoolBearItByTheirReservedHours) {
    ScenarioDocument scenario = half_busy();
    scenario.pools[0].purchases[0].servers = 4;
    scenario.workloads.push_back(scenario.workloads[0]);
    scenario.workloads[1].id = "more";
    scenario.workloads[1].demand.mean_per_s = 2.5; // three replicas of the four
    const double whole = tree_of(scenario, "/by_pool/pool/cost").value;
    const Term more = tree_of(scenario, "/by_workload/more/cost");
    EXPECT_TRUE(is_close(more.value, 0.75 * whole, 1e-12));
    EXPECT_TRUE(is_close(find_term(find_term(more, "share"), "shared cost of pool pool").value, whole, 1e-12));
    EXPECT_TRUE(is_close(tree_of(scenario, "/by_workload/chat/energy_kwh").value,
                         0.25 * tree_of(scenario, "/total/energy_kwh").value, 1e-12));
}

TEST(Explain, NamesSourceAndRevisionOfTheDocumentThatAnInputStandsIn) {
    ScenarioDocument scenario = cloud_scenario();
    scenario.source = "plan";
    Offer& offer = *scenario.pools[0].offer;
    offer.source = "price list";
    offer.stored.revision = 3;
    offer.device.source = "data sheet";
    const Term hours = tree_of(scenario, "/by_pool/pool/available_device_hours");
    const TermInput devices = find_term(hours, "devices in one").inputs.front();
    EXPECT_EQ(devices.name, "/pools/0/offer/devices");
    EXPECT_EQ(devices.value, 1);
    EXPECT_EQ(devices.unit, "devices/instance");
    EXPECT_EQ(devices.source, "price list");
    EXPECT_EQ(devices.revision, 3);
    const TermInput bound = find_term(hours, "instance-hours").inputs.front();
    EXPECT_EQ(bound.name, "/pools/0/min_instances");
    EXPECT_EQ(bound.source, "plan");
    EXPECT_EQ(bound.revision, 0);
}

TEST(Explain, CutsTheTreeWhereItIsAsked) {
    EXPECT_TRUE(tree_of(half_busy(), "/total/cost", 0).terms.empty());
    const Term cut = tree_of(half_busy(), "/total/cost", 2);
    EXPECT_EQ(find_term(cut, "hardware").rule, Rule::leaf);
    EXPECT_TRUE(is_close(find_term(cut, "hardware").value, 684.375, 1e-12));
}

TEST(Explain, AWrongPointerSaysWhatIsThere) {
    EXPECT_NE(message_of(half_busy(), "/by_pool/pol/cost").find("pool"), std::string::npos);
    EXPECT_NE(message_of(half_busy(), "/total").find("npv_after_tax"), std::string::npos);
    EXPECT_NE(message_of(half_busy(), "/total/cost/x").find("number"), std::string::npos);
    EXPECT_NE(message_of(half_busy(), "").find("by_workload"), std::string::npos);
    EXPECT_NE(message_of(half_busy(), "/by_month/1/cost").find("0 to 0"), std::string::npos);
}

TEST(Explain, AFigureThatIsNullHasNoTree) {
    ScenarioDocument idle = half_busy();
    idle.workloads[0].demand.mean_per_s = 0;
    EXPECT_NE(message_of(idle, "/by_workload/chat/cost_per_inference").find("null"), std::string::npos);
    EXPECT_EQ(tree_of(idle, "/by_workload/chat/cost").value, 0);
    EXPECT_TRUE(is_close(tree_of(idle, "/unallocated_cost").value, 684.375 + 365 + 111.6 * 1.25 * 0.1, 1e-12));
}

} // namespace
} // namespace costcurve::tests
