// Inputs named by JSON Pointers: what is found, what is refused, and that setting one is the same as writing it in the document.
#include "model/questions/variant.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "model/questions/figure.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using namespace model;

double total_of(model::ScenarioDocument document) { return evaluate_document(std::move(document)).summary.total.cost; }

double total_with(Variant& variant, std::string_view pointer, double value) {
    const std::size_t input = variant.bind(pointer, "/input").value();
    EXPECT_FALSE(variant.set(input, value, "/input"));
    return variant.evaluate().value()->summary.total.cost;
}

TEST(Variant, AnInputThatIsSetIsTheDocumentWithThatValue) {
    struct Row {
        const char* pointer;
        double value;
        void (*write)(model::ScenarioDocument&);
    };
    const Row rows[] = {
        {"/pools/0/server/price", 50000, [](auto& s) { s.pools[0].server->price = 50000; }},
        {"/pools/0/server/life_months", 24, [](auto& s) { s.pools[0].server->life_months = 24; }},
        {"/pools/0/server/device/tdp_w", 700, [](auto& s) { s.pools[0].server->device.tdp_w = 700; }},
        {"/pools/0/site/energy_price", 0.3, [](auto& s) { s.pools[0].site->energy_price.number = 0.3; }},
        {"/pools/0/site/pue", 1.4, [](auto& s) { s.pools[0].site->pue.number = 1.4; }},
        {"/pools/0/purchases/0/servers", 3, [](auto& s) { s.pools[0].purchases[0].servers = 3; }},
        {"/pools/0/purchases/0/price", 10, [](auto& s) { s.pools[0].purchases[0].price = 10; }},
        {"/workloads/0/demand/mean_per_s", 0.25, [](auto& s) { s.workloads[0].demand.mean_per_s = 0.25; }},
        {"/workloads/0/units_per_request", 0.5, [](auto& s) { s.workloads[0].units_per_request.total = 0.5; }},
        {"/workloads/0/runs_on/0/performance/units_per_s", 4,
         [](auto& s) { s.workloads[0].runs_on[0].performance->units_per_s->number = 4; }},
        {"/months", 12, [](auto& s) { s.months = 12; }},
        {"/finance/carbon_price_per_tonne", 90, [](auto& s) { s.finance.carbon_price_per_tonne = 90; }},
    };
    for (const Row& row : rows) {
        Variant variant(owned_scenario());
        model::ScenarioDocument written = owned_scenario();
        row.write(written);
        EXPECT_EQ(total_with(variant, row.pointer, row.value), total_of(written)) << row.pointer;
    }
}

TEST(Variant, EvaluatesAnewWhereSomethingHasChangedAndThenOnly) {
    Variant variant(owned_scenario());
    const double dear = total_with(variant, "/pools/0/server/price", 50000);
    const std::size_t factor = variant.bind("/pools/*/server/price", "").value();
    EXPECT_FALSE(variant.set(factor, 2.0, ""));
    EXPECT_EQ(variant.evaluate().value()->summary.total.cost, total_with(variant, "/pools/0/server/price", 73000)) << "2 x 36,500";
    EXPECT_EQ(total_with(variant, "/pools/0/server/price", 50000), dear) << "set before, and overwritten by the factor";
    ASSERT_FALSE(variant.evaluate().value()->summary.pools.empty());
    variant.want({});
    EXPECT_TRUE(variant.evaluate().value()->summary.pools.empty());
    EXPECT_FALSE(variant.set(variant.bind("/pools/0/server/price", "").value(), 50000, ""));
    EXPECT_EQ(variant.evaluate().value()->summary.total.cost, dear);
}

TEST(Variant, ResetGivesBackWhatTheScenarioStates) {
    Variant variant(owned_scenario());
    for (const char* const pointer : {"/pools/0/server/price", "/pools/0/purchases/0/price", "/months"}) {
        total_with(variant, pointer, 7);
        variant.reset(variant.bind(pointer, "").value());
        EXPECT_EQ(variant.evaluate().value()->summary.total.cost, total_of(owned_scenario())) << pointer;
    }
}

TEST(Variant, ACurveIsSetToMultiplesOfItselfAndAPointToAValue) {
    model::ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->hourly_price =
        curve(model::CurveKind::price, model::Axis::date, {20000, 21000}, {3.6, 3.6}, model::Interpolation::step);
    Variant variant(document);
    const double whole = variant.evaluate().value()->summary.total.cost;
    EXPECT_DOUBLE_EQ(total_with(variant, "/pools/0/offer/hourly_price", 1.5), 1.5 * whole);
    variant.reset(0);
    EXPECT_DOUBLE_EQ(total_with(variant, "/pools/0/offer/hourly_price/points/0/1", 7.2), 2 * whole);
    EXPECT_EQ(variant.input(0).unit, "factor");
    EXPECT_EQ(variant.input(1).unit, "USD/instance-hour");
}

TEST(Variant, AFactorKeepsACurveInItsRange) {
    model::ScenarioDocument document = owned_scenario();
    document.pools[0].site->pue = curve(model::CurveKind::pue, model::Axis::hour_of_day, {0, 12}, {1.2, 1.6});
    Variant variant(document);
    const std::size_t input = variant.bind("/pools/0/site/pue", "").value();
    EXPECT_FALSE(variant.set(input, 1.0 / 1.2, ""));
    EXPECT_TRUE(variant.set(input, 0.5, "")) << "a PUE below 1";
}

// A factor keeps each number in its own range: of one below zero the ends change places, and no factor is below zero itself.
TEST(Variant, AFactorKeepsNumbersOfEitherSignInTheirRange) {
    struct Row {
        const char* pointer;
        double least;
        double most;
        bool is_above_least;
    };
    const Row rows[] = {
        {"/pools/*/extra_costs/*/fraction_of_bill", 0.0, 4.0, false},  // -0.25 down to -1
        {"/pools/*/extra_costs/*/per_year_of_price", 0.0, 5.0, false}, // 2 up to 10
        {"/pools/*/site/pue", 0.8, 8.0, false},                        // 1.25, from 1 to 10
        {"/pools/*/site/max_kw", 0.0, 1e6, true},                      // above 0; no factor is above a million
        {"/pools/*/extra_costs/*/once", 0.0, 1e6, false},              // 0 stays 0
    };
    model::ScenarioDocument document = owned_scenario();
    model::ExtraCost& extra = document.pools[0].extra_costs.emplace_back();
    extra.fraction_of_bill = -0.25;
    extra.per_year_of_price = 2.0;
    extra.once = 0.0;
    document.pools[0].site->pue.number = 1.25;
    document.pools[0].site->max_kw = 500.0;
    for (const Row& row : rows) {
        Variant variant(document);
        const std::size_t factor = variant.bind(row.pointer, "").value();
        EXPECT_EQ(variant.input(factor).spec.min, row.least) << row.pointer;
        EXPECT_EQ(variant.input(factor).spec.max, row.most) << row.pointer;
        EXPECT_EQ(variant.set(factor, row.least, "").has_value(), row.is_above_least) << row.pointer;
        EXPECT_FALSE(variant.set(factor, row.most, "")) << row.pointer;
        EXPECT_TRUE(variant.set(factor, row.least - 0.01, "")) << row.pointer;
        EXPECT_TRUE(variant.set(factor, row.most * 1.01, "")) << row.pointer;
    }
}

TEST(Variant, AMoneyInputOfAnotherCurrencyIsInThatCurrency) {
    model::ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->currency = "EUR";
    document.exchange_rates["EUR"] = 1.25;
    Variant variant(document);
    const double whole = variant.evaluate().value()->summary.total.cost;
    EXPECT_DOUBLE_EQ(total_with(variant, "/pools/0/offer/hourly_price", 7.2), 2 * whole);
    EXPECT_DOUBLE_EQ(total_with(variant, "/exchange_rates/EUR", 2.5), 4 * whole);
}

// A rate at a stated request is of that request: moving it alone would leave the rate, and figures several times too low.
TEST(Variant, TheRequestThatRatesAreOfIsNoInput) {
    ScenarioDocument document = tests::cloud_scenario();
    document.workloads[0].units_per_request = tests::units(100, 0, 300);
    const std::string output = "/workloads/0/units_per_request/output";
    const auto binds = [&](const std::string& pointer) { return Variant(document).bind(pointer, "/input").has_value(); };
    const auto lists = [&] { return std::ranges::count(number_pointers(document), output); };
    EXPECT_TRUE(binds(output));
    EXPECT_EQ(lists(), 1);
    document.workloads[0].runs_on[0].performance->mix = RequestMix{100, 300, 0};
    for (const std::string& pointer : {output, std::string("/workloads/*/units_per_request/output")}) {
        const auto refused = Variant(document).bind(pointer, "/input");
        ASSERT_FALSE(refused) << pointer;
        EXPECT_EQ(refused.error().front().code, Code::not_allowed);
        EXPECT_NE(refused.error().front().message.find("evaluate with `set`"), std::string::npos);
    }
    EXPECT_EQ(lists(), 0);
    EXPECT_TRUE(binds("/workloads/0/demand/mean_per_s"));
}

TEST(Variant, WhatNamesNoNumberIsRefusedAndSaysWhatIsThere) {
    struct Row {
        const char* pointer;
        const char* says;
    };
    const Row rows[] = {
        {"", "there is id"},
        {"pools", "it does not begin with /"},
        {"/pool/0", "workloads, pools"},
        {"/pools/7/ramp_months", "there is a list of 1"},
        {"/pools/01/ramp_months", "there is a list of 1"},
        {"/pools/0/offer/price", "hourly_price"},
        {"/pools/0/server/price", "min_instances"},
        {"/pools/0/id", "it is no number"},
        {"/start", "it is no number"},
        {"/months/x", "there is a number"},
        {"/exchange_rates/EUR", "there is "},
        {"/pools/0/offer/device/memory_gib/~2", "it does not begin with /"},
        {"/pools/0/offer/site/pue", "the scenario states nothing there"},
    };
    for (const Row& row : rows) {
        Variant variant(cloud_scenario());
        const auto bound = variant.bind(row.pointer, "/input");
        ASSERT_FALSE(bound) << row.pointer;
        EXPECT_EQ(bound.error()[0].code, model::Code::unknown_reference);
        EXPECT_EQ(bound.error()[0].pointer, "/input");
        EXPECT_NE(bound.error()[0].message.find(row.says), std::string::npos) << bound.error()[0].message;
    }
}

TEST(Variant, AValueOutOfRangeIsRefusedWithTheRangeAndChangesNothing) {
    Variant variant(owned_scenario());
    const std::size_t input = variant.bind("/pools/0/site/pue", "").value();
    const auto issue = variant.set(input, 0.5, "/at");
    ASSERT_TRUE(issue);
    EXPECT_EQ(issue->code, model::Code::out_of_range);
    EXPECT_EQ(issue->pointer, "/at");
    EXPECT_NE(issue->message.find("at least 1"), std::string::npos) << issue->message;
    EXPECT_EQ(variant.evaluate().value()->summary.total.cost, total_of(owned_scenario()));
}

TEST(Variant, ValuesThatBreakARuleTogetherAreThatRulesIssue) {
    Variant variant(cloud_scenario());
    const std::size_t input = variant.bind("/pools/0/min_instances", "").value();
    EXPECT_FALSE(variant.set(input, 1e6, ""));
    const auto evaluated = variant.evaluate();
    ASSERT_FALSE(evaluated);
    EXPECT_EQ(evaluated.error()[0].code, model::Code::inconsistent);
}

// Hours differ where a curve, the horizon, its start's zone or a zone of a curve does; the variant keeps them where nothing does.
TEST(Variant, WhatIsKeptFromOneEvaluationToTheNextLeavesTheSameBits) {
    model::ScenarioDocument document = owned_scenario();
    document.months = 3;
    document.time_zone = "Europe/Berlin";
    document.workloads[0].demand.shape = curve(model::CurveKind::demand, model::Axis::hour_of_week, {0, 40, 90}, {0.5, 1.5, 0.7});
    document.pools[0].site->energy_price = curve(model::CurveKind::tariff, model::Axis::hour_of_day, {0, 7, 21}, {0.1, 0.3, 0.2});
    document.pools[0].purchases[0].servers = 3;
    Variant variant(document);
    struct Row {
        const char* pointer;
        double value;
    };
    const Row rows[] = {
        {"/pools/0/server/price", 50000},
        {"/workloads/0/demand/shape", 1.7},
        {"/months", 5},
        {"/workloads/0/demand/mean_per_s", 2},
        {"/pools/0/site/energy_price", 0.5},
        {"/pools/0/site/energy_price/points/1/1", 0.9},
        {"/pools/0/site/energy_price", 0},
        {"/months", 2},
        {"/pools/0/purchases/0/servers", 1},
        {"/workloads/0/demand/shape/points/0/1", 0.6},
    };
    for (const Row& row : rows) {
        ASSERT_FALSE(variant.set(variant.bind(row.pointer, "").value(), row.value, ""));
        const model::Summary& kept = variant.evaluate().value()->summary;
        const model::Summary fresh = evaluate_document(variant.document()).summary;
        EXPECT_EQ(kept.total.cost, fresh.total.cost) << row.pointer;
        EXPECT_EQ(kept.npv_after_tax, fresh.npv_after_tax) << row.pointer;
        EXPECT_EQ(kept.meters.energy_kwh.at_least, fresh.meters.energy_kwh.at_least) << row.pointer;
        EXPECT_EQ(kept.workloads[0].units_served, fresh.workloads[0].units_served) << row.pointer;
        EXPECT_EQ(kept.months.back().total.cash, fresh.months.back().total.cash) << row.pointer;
    }
}

std::vector<std::array<double, 4>> over_horizon(const model::Ledger& ledger) {
    std::vector<std::array<double, 4>> rows;
    for (const model::HorizonRow& row : ledger.over_horizon) {
        rows.push_back({static_cast<double>(row.month), row.cost, row.cash, row.start});
    }
    return rows;
}

// Amounts that evaluate adds stand beside them, or are a fraction of the bill.
TEST(Variant, FixedCostsThatChangeAloneLeaveTheSameBits) {
    model::ScenarioDocument owned = owned_scenario();
    owned.months = 3;
    owned.finance.engineer_week_cost = 4000;
    owned.workloads[0].runs_on[0].porting.engineer_weeks = 0.3;
    owned.pools[0].extra_costs.emplace_back().per_month = 7.1;
    model::ScenarioDocument cloud = cloud_scenario();
    model::ExtraCost& support = cloud.pools[0].extra_costs.emplace_back();
    support.fraction_of_bill = 0.13;
    support.per_month = 11.7;
    struct Row {
        const model::ScenarioDocument& document;
        const char* pointer;
        double value;
    };
    const Row rows[] = {
        {owned, "/pools/0/server/price", 51234.5},
        {owned, "/pools/0/extra_costs/0/per_month", 3.3},
        {owned, "/finance/engineer_week_cost", 1234.5},
        {owned, "/pools/0/server/maintenance_rate", 0.07},
        {owned, "/finance/discount_rate", 0.05},
        {cloud, "/pools/0/extra_costs/0/per_month", 3.3},
        {cloud, "/pools/0/extra_costs/0/fraction_of_bill", 0.2},
    };
    for (const Row& row : rows) {
        Variant variant(row.document);
        ASSERT_TRUE(variant.evaluate());
        ASSERT_FALSE(variant.set(variant.bind(row.pointer, "").value(), row.value, "")) << row.pointer;
        const model::Ledger& kept = variant.evaluate().value()->workspace.ledger;
        const model::Ledger fresh = evaluate_document(variant.document()).ledger;
        EXPECT_EQ(kept.cost, fresh.cost) << row.pointer;
        EXPECT_EQ(kept.cash, fresh.cash) << row.pointer;
        EXPECT_EQ(kept.direct, fresh.direct) << row.pointer;
        EXPECT_EQ(over_horizon(kept), over_horizon(fresh)) << row.pointer;
    }
}

TEST(Variant, PartsThatAreNotWantedAreEmptyAndTotalsAreTheSame) {
    model::ScenarioDocument document = owned_scenario();
    document.months = 2;
    document.pools[0].site->id = "here";
    Variant variant(document);
    const model::Summary whole = variant.evaluate().value()->summary;
    variant.want({});
    const model::Summary& totals = variant.evaluate().value()->summary;
    EXPECT_EQ(totals.total.cost, whole.total.cost);
    EXPECT_EQ(totals.npv, whole.npv);
    EXPECT_EQ(totals.by_category[static_cast<std::size_t>(model::Category::energy)].cost,
              whole.by_category[static_cast<std::size_t>(model::Category::energy)].cost);
    EXPECT_EQ(totals.workloads[0].units_served, whole.workloads[0].units_served);
    EXPECT_TRUE(totals.pools.empty() && totals.sites.empty() && totals.months.empty());
    EXPECT_EQ(totals.workloads[0].cost, 0.0);
    const model::BoundFigure site = model::bind_figure(document, "/by_site/here/cost", "").value();
    variant.want(site.wanted);
    EXPECT_EQ(site.read(variant.evaluate().value()->summary), whole.sites[0].cost);
}

// One id is one place: what is set of it is set in every pool that stands there.
TEST(Variant, SiteOfTwoPoolsIsSetAsOne) {
    model::ScenarioDocument document = owned_scenario();
    document.pools[0].site->id = "here";
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "second";
    Variant variant(document);
    const std::size_t input = variant.bind("/pools/1/site/energy_price", "").value();
    ASSERT_FALSE(variant.set(input, 0.7, ""));
    EXPECT_EQ(variant.document().pools[0].site->energy_price.number, 0.7);
    EXPECT_EQ(variant.document().pools[1].site->energy_price.number, 0.7);
    EXPECT_TRUE(variant.evaluate()) << "no site_conflict";
    variant.reset(input);
    EXPECT_EQ(variant.document().pools[0].site->energy_price.number, 0.1);
}

} // namespace
} // namespace costcurve::tests
