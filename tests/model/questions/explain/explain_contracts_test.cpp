// Trees worked by hand of leases, loans, terms that the horizon cuts, resale, sites, classes of units and the figure that decides.
#include "model/questions/explain/explain.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/questions/figure.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"
#include "tests/support/terms.hpp"

namespace costcurve::tests {
namespace {

using namespace costcurve::model;

// The figure's tree, which adds up, and whose root is the result's figure.
Term tree_in(const ScenarioDocument& document, std::string_view figure) {
    const Answer answer = evaluate_document(document);
    Result<Term> tree = explain(answer.scenario, answer.compiled, answer.ledger, answer.summary, figure);
    if (!tree) {
        throw std::runtime_error(std::string(figure) + ": " + tree.error().front().message);
    }
    for (const std::string& broken : broken_terms(*tree)) {
        ADD_FAILURE() << figure << broken;
    }
    EXPECT_EQ(tree->value, *bind_figure(document, figure, "")->read(answer.summary)) << figure;
    return *tree;
}

double value_in(const ScenarioDocument& document, std::string_view figure) { return tree_in(document, figure).value; }

// A server of 1200 that lives a year, at a site that charges nothing; half of it is over.
ScenarioDocument half_a_life() {
    ScenarioDocument document = owned_scenario();
    document.months = 6;
    Pool& pool = document.pools[0];
    pool.server->price = 1200;
    pool.server->life_months = 12;
    pool.site->id = "here";
    pool.site->energy_price = flat(0);
    return document;
}

TEST(ExplainTerminal, SaleAndBookGoDownToThePrice) {
    ScenarioDocument document = half_a_life();
    const Term by_book = tree_in(document, "/total/terminal/sale");
    EXPECT_EQ(by_book.term, "sale at the horizon's end");
    EXPECT_TRUE(is_close(by_book.value, 600));
    EXPECT_EQ(find_term(by_book, "P").value, 1200);
    EXPECT_TRUE(is_close(find_term(by_book, "−written off").value, -600));
    document.pools[0].server->residual_fraction = curve(CurveKind::residual, Axis::age_months, {0, 6, 12}, {1, 0.3, 0});
    const Term by_market = tree_in(document, "/total/terminal/sale");
    EXPECT_TRUE(is_close(by_market.value, 360));
    EXPECT_TRUE(is_close(find_term(by_market, "resale value").value, 0.3));
    EXPECT_TRUE(is_close(value_in(document, "/total/terminal/book"), 600));
    document.finance.at_end = AtEnd::continuing;
    EXPECT_TRUE(is_close(value_in(document, "/total/terminal/sale"), 600)) << "the book's";
    document.months = 12;
    EXPECT_EQ(value_in(document, "/total/terminal/book"), 0) << "retires exactly at the end";
}

TEST(ExplainTerminal, ObligationsOfATermAreItsHoursLeft) {
    ScenarioDocument document = cloud_scenario(); // January 2026
    document.finance.discount_rate = 0.1;
    Pool& pool = document.pools[0];
    pool.min_instances = pool.max_instances = 2;
    pool.offer->purchase = Purchase::reserved;
    pool.offer->term_months = 3;
    pool.offer->upfront = 300;
    const double hours = 672 * std::pow(1.1, -1.0 / 12) + 744 * std::pow(1.1, -2.0 / 12); // of February and March
    const Term due = tree_in(document, "/total/terminal/obligations");
    EXPECT_TRUE(is_close(due.value, 2 * 3.6 * hours, 1e-12));
    EXPECT_TRUE(is_close(find_term(due, "hours left, discounted").value, hours, 1e-12));
    EXPECT_TRUE(is_close(value_in(document, "/by_pool/pool/obligation"), 2 * 3.6 * (672 + 744), 1e-12));
    const Term cost = tree_in(document, "/by_category/commitment/cost");
    EXPECT_TRUE(is_close(find_term(cost, "unspent at the horizon's end").value, 400, 1e-12));
    EXPECT_TRUE(is_close(cost.value, 600 + due.value, 1e-12)) << "all of the upfront and what is owed";
    const Term borne = tree_in(document, "/by_workload/chat/cost");
    EXPECT_TRUE(is_close(find_term(borne, "what the horizon's end settles").value, 400 + due.value, 1e-12));
    document.finance.at_end = AtEnd::continuing;
    EXPECT_EQ(value_in(document, "/total/terminal/obligations"), 0);
    EXPECT_GT(value_in(document, "/by_pool/pool/obligation"), 0);
}

TEST(ExplainLease, PaymentsUpfrontAndWhatIsOwed) {
    ScenarioDocument document = half_a_life();
    document.finance.discount_rate = 0.1;
    document.pools[0].purchases[0] = {
        .month = 0,
        .servers = 2,
        .lease = Lease{.payment_per_server_month = 50, .term_months = 9, .upfront_per_server = 90, .buyout_per_server = {}}};
    double owed = 0.0; // 3 payments of 100, the first at the horizon's end itself
    double liability = 0.0;
    for (int k = 0; k < 6; ++k) {
        liability += 100 * std::pow(1.1, -k / 12.0);
        owed += k < 3 ? 100 * std::pow(1.1, -k / 12.0) : 0.0;
    }
    const Term due = tree_in(document, "/total/terminal/obligations");
    EXPECT_TRUE(is_close(due.value, owed, 1e-12));
    EXPECT_EQ(find_term(due, "payment of a server").value, 50);
    EXPECT_TRUE(is_close(value_in(document, "/by_pool/pool/lease_liability"), liability, 1e-12));
    EXPECT_TRUE(is_close(value_in(document, "/by_pool/pool/obligation"), 300, 1e-12));
    const Term cost = tree_in(document, "/by_category/lease/cost");
    EXPECT_TRUE(is_close(cost.value, 600 + 180 + owed, 1e-12));
    EXPECT_TRUE(is_close(find_term(cost, "upfront").value, 120, 1e-12));
    EXPECT_TRUE(is_close(find_term(cost, "unspent at the horizon's end").value, 60, 1e-12));
    EXPECT_TRUE(is_close(value_in(document, "/by_category/lease/cash"), 600 + 180 + owed, 1e-12));
    const Term borne = tree_in(document, "/by_workload/chat/cost");
    EXPECT_TRUE(is_close(find_term(borne, "what the horizon's end settles").value, 60 + owed, 1e-12));
}

TEST(ExplainLoan, InterestPrincipalAndBalanceArePartsOfWhatIsLent) {
    ScenarioDocument document = half_a_life();
    document.pools[0].loan = Loan{.fraction = 0.5, .rate = 0.12, .term_months = 12, .kind = LoanKind::linear};
    // 600 lent, 50 repaid a month: interest of 1 % of 600, 550, 500, 450, 400, 350.
    const Term cost = tree_in(document, "/by_category/financing/cost");
    EXPECT_TRUE(is_close(cost.value, 28.5, 1e-12));
    EXPECT_TRUE(is_close(find_term(cost, "B").value, 600, 1e-12));
    EXPECT_EQ(find_term(cost, "fraction").value, 0.5);
    const Term cash = tree_in(document, "/by_category/financing/cash");
    EXPECT_TRUE(is_close(cash.value, 28.5, 1e-9)) << "what is lent is repaid";
    EXPECT_TRUE(is_close(find_term(cash, "−paid out").value, -600, 1e-12));
    EXPECT_TRUE(is_close(find_term(cash, "principal").value, 300, 1e-12));
    EXPECT_TRUE(is_close(value_in(document, "/total/terminal/loan_balance"), 300, 1e-12));
    document.months = 12;
    EXPECT_EQ(value_in(document, "/total/terminal/loan_balance"), 0);
}

// 600 lent at the start of the third month, and 50 repaid at the end of each: the month's own parts are in its tree alone.
TEST(ExplainLoan, IsPaidOutInTheMonthOfItsPurchase) {
    ScenarioDocument document = half_a_life();
    document.pools[0].loan = Loan{.fraction = 0.5, .rate = 0.12, .term_months = 12, .kind = LoanKind::linear};
    document.pools[0].purchases[0].month = 2;
    const Term third = tree_in(document, "/by_month/2/by_category/financing/cash");
    EXPECT_TRUE(is_close(third.value, -600 + 6 + 50, 1e-12));
    EXPECT_TRUE(is_close(find_term(third, "−paid out").value, -600, 1e-12));
    EXPECT_TRUE(is_close(value_in(document, "/by_month/3/by_category/financing/cash"), 5.5 + 50, 1e-12));
    EXPECT_EQ(value_in(document, "/by_month/0/by_category/financing/cash"), 0);
}

// Two pools at one site: 2 and 1 servers of 500 W, all busy, in January's 744 hours.
TEST(ExplainSite, ItsFiguresAreThoseOfItsPools) {
    ScenarioDocument document = half_a_life();
    document.months = 1;
    document.workloads[0].demand.mean_per_s = 3;
    Site& site = *document.pools[0].site;
    site.energy_price = flat(0.1);
    site.carbon_g_per_kwh = flat(400);
    site.water_l_per_kwh = 1.5;
    site.pue = flat(1.25);
    document.pools[0].server->host_idle_w = document.pools[0].server->host_max_w = 0;
    document.pools[0].purchases[0].servers = 2;
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "second";
    document.pools[1].purchases[0].servers = 1;
    document.workloads[0].runs_on.push_back(document.workloads[0].runs_on[0]);
    document.workloads[0].runs_on[1].pool = "second";
    const Term cost = tree_in(document, "/by_site/here/cost");
    EXPECT_EQ(cost.term, "cost of site here");
    EXPECT_TRUE(is_close(cost.value, value_in(document, "/total/cost"), 1e-12));
    EXPECT_TRUE(is_close(value_in(document, "/by_site/here/energy_kwh"), 744 * 1.5 * 1.25, 1e-12));
    EXPECT_TRUE(is_close(value_in(document, "/by_site/here/carbon_kg"), 744 * 1.5 * 1.25 * 0.4, 1e-12));
    EXPECT_TRUE(is_close(value_in(document, "/by_site/here/peak_kw"), 1.5 * 1.25, 1e-12));
    const Term water = tree_in(document, "/by_site/here/water_l");
    EXPECT_TRUE(is_close(water.value, 744 * 1.5 * 1.5, 1e-12)) << "of IT energy";
    EXPECT_TRUE(is_close(find_term(water, "IT energy").value, 744, 1e-12)) << "of the first pool";
}

TEST(ExplainClass, CostUnitsAndTheCostOfAMillion) {
    ScenarioDocument document = half_a_life();
    document.workloads[0].units_per_request = tests::in_and_out(3, 1);
    document.workloads[0].demand.mean_per_s = 0.1;
    const double cost = value_in(document, "/by_workload/chat/cost");
    const double units = value_in(document, "/by_workload/chat/units_served");
    const Term output = tree_in(document, "/by_workload/chat/cost_by_class/output/cost");
    EXPECT_EQ(output.term, "cost of output units of workload chat");
    EXPECT_TRUE(is_close(output.value, cost * 4 / 7, 1e-12)) << "an output unit weighs 4, an input unit 1";
    EXPECT_TRUE(is_close(value_in(document, "/by_workload/chat/cost_by_class/input/cost"), cost * 3 / 7, 1e-12));
    EXPECT_TRUE(is_close(value_in(document, "/by_workload/chat/cost_by_class/input/units"), units * 0.75, 1e-12));
    EXPECT_TRUE(is_close(value_in(document, "/by_workload/chat/cost_by_class/output/cost_per_million"),
                         cost * 4 / 7 / (units / 4) * 1e6, 1e-12));
}

TEST(ExplainDecisive, IsTheFigureThatDecides) {
    ScenarioDocument document = half_a_life();
    EXPECT_EQ(tree_in(document, "/decisive").term, "decisive figure, cost");
    EXPECT_EQ(value_in(document, "/decisive"), value_in(document, "/total/cost"));
    document.finance.discount_rate = 0.1;
    EXPECT_EQ(value_in(document, "/decisive"), value_in(document, "/total/npv"));
    document.finance.tax_rate = 0.3;
    EXPECT_EQ(value_in(document, "/decisive"), value_in(document, "/total/npv_after_tax"));
    document.finance.decide_by = Objective::energy_kwh;
    const Term energy = tree_in(document, "/decisive");
    EXPECT_EQ(energy.unit, "kWh");
    EXPECT_EQ(energy.value, value_in(document, "/total/energy_kwh"));
}

TEST(ExplainExtraCost, IsItsAmountTimesWhatItIsChargedOn) {
    ScenarioDocument document = cloud_scenario(); // one instance at 3.6 in January's 744 hours
    const auto explained = [&](const ExtraCost& extra) {
        document.pools[0].extra_costs = {extra};
        return tree_in(document, "/by_category/other/cost");
    };
    EXPECT_EQ(find_term(explained({.name = "plan", .per_month = 10}), "times").value, 1);
    const Term of_bill = explained({.name = "support", .fraction_of_bill = 0.1});
    EXPECT_EQ(find_term(of_bill, "fraction_of_bill").value, 0.1);
    EXPECT_TRUE(is_close(find_term(of_bill, "times").value, 744 * 3.6, 1e-12));
    EXPECT_TRUE(is_close(find_term(explained({.name = "agent", .per_unit_month = 5}), "times").value, 1, 1e-12)) << "instances";
    EXPECT_EQ(find_term(explained({.name = "set up", .once = 70}), "once").value, 70);
    EXPECT_TRUE(is_close(explained({.name = "both", .per_month = 10, .once = 70}).value, 80, 1e-12));
    document = half_a_life();
    const Term of_price = explained({.name = "insurance", .per_year_of_price = 0.02, .growth_rate = 0.0});
    EXPECT_TRUE(is_close(of_price.value, 1200 * 0.02 / 2, 1e-12));
    EXPECT_TRUE(is_close(find_term(of_price, "times").value, 600, 1e-12)) << "1200 for half a year";
}

// It read servers of a pool that has none: the program stopped.
TEST(ExplainExtraCost, OfServersOrASiteOnAPoolThatHasNeither) {
    ScenarioDocument document = cloud_scenario();
    for (const Category category : {Category::facility, Category::maintenance, Category::software, Category::staff,
                                    Category::network, Category::storage, Category::other}) {
        ExtraCost extra{.name = "extra", .per_month = 10};
        extra.category = *value_of<decltype(extra.category)>(name_of(category));
        document.pools[0].extra_costs = {extra};
        EXPECT_TRUE(is_close(value_in(document, std::string("/by_category/") + std::string(name_of(category)) + "/cost"), 10))
            << name_of(category);
        EXPECT_TRUE(is_close(value_in(document, "/by_pool/pool/cost"), 10 + 744 * 3.6, 1e-12)) << name_of(category);
    }
}

} // namespace
} // namespace costcurve::tests
