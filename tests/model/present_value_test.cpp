// Net present values before and after tax, and levelized cost (model.md, section 8).
#include "model/summary.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::cloud_scenario;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::owned_scenario;

constexpr double kRate = 0.21; // six months are a factor of 1.1

double month_end(int month) { return std::pow(1 + kRate, -(month + 1) / 12.0); }

// Everything that costs, in one scenario.
ScenarioDocument rich_scenario() {
    ScenarioDocument document = owned_scenario();
    document.months = 20;
    document.finance.engineer_week_cost = 4000;
    document.finance.carbon_price_per_tonne = 80;
    Workload& work = document.workloads[0];
    work.demand.mean_per_s = 3.5;
    work.demand.growth_per_month = 0.03;
    work.egress_gb_per_unit = 1e-5;
    work.unserved_cost_per_unit = 0.01;
    work.runs_on[0].porting.engineer_weeks = 3;
    Pool& owned = document.pools[0];
    owned.refresh = true;
    owned.purchases = {{-7, 1, std::nullopt}, {3, 1, 30000.0}};
    owned.server->life_months = 14;
    owned.server->residual_fraction = flat(0.1);
    owned.server->maintenance_rate = 0.05;
    owned.server->embodied_kg = 900;
    Site& site = *owned.site;
    site.facility_price_per_w = 9;
    site.facility_life_months = 11;
    site.space_per_kw_month = 100;
    site.network_per_month = 300;
    site.demand_charge_per_kw_month = 12;
    site.carbon_g_per_kwh = flat(300);
    document.pools.push_back(cloud_scenario().pools[0]);
    document.pools[1].id = "cloud";
    document.pools[1].min_instances = document.pools[1].max_instances = 1;
    document.pools[1].offer->purchase = Purchase::reserved;
    document.pools[1].offer->upfront = 2000;
    document.pools[1].offer->term_months = 12;
    document.pools[1].offer->egress_per_gb = 0.1;
    work.runs_on.push_back(work.runs_on[0]);
    work.runs_on[1].pool = "cloud";
    return document;
}

TEST(PresentValue, IsTheCashWhereNothingIsDiscounted) {
    const Summary summary = evaluate_document(rich_scenario()).summary;
    EXPECT_TRUE(is_close(summary.npv, summary.total.cash));
}

TEST(PresentValue, RunningCostsArePaidAtMonthEnd) {
    ScenarioDocument document = cloud_scenario();
    document.months = 6;
    document.finance.discount_rate = kRate;
    double expected = 0;
    const std::vector<double> hours = {744, 672, 744, 720, 744, 720};
    for (int m = 0; m < 6; ++m) {
        expected += hours[static_cast<std::size_t>(m)] * 3.6 * month_end(m);
    }
    EXPECT_TRUE(is_close(evaluate_document(document).summary.npv, expected));
}

TEST(PresentValue, UpfrontAndEngineeringArePaidAtTheStart) {
    ScenarioDocument document = cloud_scenario();
    document.months = 9;
    document.finance.discount_rate = kRate;
    document.finance.at_end = AtEnd::continuing;
    document.finance.engineer_week_cost = 500;
    document.workloads[0].runs_on[0].porting.engineer_weeks = 2;
    Pool& pool = document.pools[0];
    pool.min_instances = pool.max_instances = 1;
    pool.offer->purchase = Purchase::reserved;
    pool.offer->hourly_price = flat(0);
    pool.offer->upfront = 660;
    pool.offer->term_months = 6;
    // Engineering 1000; 660 now, 660 / 1.1 after six months; half of the second term comes back at the end of the ninth.
    EXPECT_TRUE(is_close(evaluate_document(document).summary.npv, 1000 + 660 + 600 - 330 * month_end(8)));
}

TEST(PresentValue, HardwareIsPaidWhenBoughtAndSoldAtItsBookValue) {
    ScenarioDocument document = owned_scenario();
    document.months = 6;
    document.finance.discount_rate = kRate;
    document.pools[0].site->energy_price = flat(0);
    EXPECT_TRUE(is_close(evaluate_document(document).summary.npv, 36500 - 36500 * 42.0 / 48 / 1.1));
    document.finance.capital = Capital::annuity;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.npv, 36500 - 36500 * 42.0 / 48 / 1.1))
        << "a rule of cost, not of cash";
    document.pools[0].purchases[0].month = -12;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.npv, 36500 * 36.0 / 48 - 36500 * 30.0 / 48 / 1.1)) << "owned already";
}

TEST(PresentValue, OfAnnuityCostsOverAFullLifeIsThatOfCash) {
    ScenarioDocument document = owned_scenario();
    document.months = 48;
    document.finance.discount_rate = kRate;
    document.finance.capital = Capital::annuity;
    document.pools[0].site->energy_price = flat(0);
    document.pools[0].server->residual_fraction = flat(0.2);
    const Summary summary = evaluate_document(document).summary;
    double present = 0;
    for (int m = 0; m < 48; ++m) {
        present += summary.months[static_cast<std::size_t>(m)].total.cost * month_end(m);
    }
    EXPECT_TRUE(is_close(present, summary.npv, 1e-10));
    EXPECT_TRUE(is_close(present, 36500 - 7300 * month_end(47), 1e-10));
}

TEST(AfterTax, WithoutATaxItIsTheNpv) {
    for (const TaxDepreciation rule :
         {TaxDepreciation::straight_line, TaxDepreciation::macrs_5, TaxDepreciation::declining_balance}) {
        ScenarioDocument document = rich_scenario();
        document.finance.discount_rate = kRate;
        document.finance.tax_depreciation = rule;
        document.finance.tax_depreciation_rate = 0.4;
        const Summary summary = evaluate_document(document).summary;
        EXPECT_EQ(summary.npv_after_tax, summary.npv);
        document.finance.tax_rate = 1e-9;
        EXPECT_TRUE(is_close(evaluate_document(document).summary.npv_after_tax, summary.npv, 1e-8)) << "continuous";
    }
}

TEST(AfterTax, WithoutADiscountEveryRuleTaxesTheWhole) {
    // All that is paid is deducted, sooner or later: (1 - t) x cash.
    for (const TaxDepreciation rule :
         {TaxDepreciation::straight_line, TaxDepreciation::macrs_5, TaxDepreciation::declining_balance}) {
        ScenarioDocument document = rich_scenario();
        document.finance.tax_rate = 0.3;
        document.finance.tax_depreciation = rule;
        document.finance.tax_depreciation_rate = 0.4;
        const Summary summary = evaluate_document(document).summary;
        EXPECT_TRUE(is_close(summary.npv_after_tax, 0.7 * summary.total.cash, 1e-11)) << name_of(rule);
    }
}

TEST(AfterTax, OneMonthCreditsWhatTheAssetLostWhateverTheRule) {
    // Depreciation of the month, and the sale at 47/48 against the tax book, are 1/48 of the price together.
    for (const TaxDepreciation rule :
         {TaxDepreciation::straight_line, TaxDepreciation::macrs_5, TaxDepreciation::declining_balance}) {
        ScenarioDocument document = owned_scenario();
        document.finance = {
            .discount_rate = kRate, .decide_by = {}, .tax_rate = 0.3, .tax_depreciation = rule, .tax_depreciation_rate = 0.5};
        // Energy 44.64, less tax; hardware in full, sold at 47/48.
        const double expected = 36500 + (0.7 * 44.64 - 36500 * 47.0 / 48 - 0.3 * 36500 / 48) * month_end(0);
        EXPECT_TRUE(is_close(evaluate_document(document).summary.npv_after_tax, expected)) << name_of(rule);
    }
}

TEST(AfterTax, DepreciationByYearsOfMacrs) {
    ScenarioDocument document = owned_scenario();
    document.months = 13;
    document.finance = {.discount_rate = kRate,
                        .decide_by = {},
                        .tax_rate = 0.5,
                        .tax_depreciation = TaxDepreciation::macrs_5,
                        .tax_depreciation_rate = {}};
    document.pools[0].site->energy_price = flat(0);
    document.pools[0].server->price = 48000;
    // 800 a month for a year, then 1280; tax book 48000 - 9600 - 1280 = 37120, sold at 35000: 2120 below.
    double credit = (1280 + 2120) * month_end(12);
    for (int m = 0; m < 12; ++m) {
        credit += 800 * month_end(m);
    }
    EXPECT_TRUE(is_close(evaluate_document(document).summary.npv_after_tax, 48000 - 35000 * month_end(12) - 0.5 * credit));
}

TEST(AfterTax, UpfrontIsDeductedWhenPaidAndSpaceIsNoCapital) {
    ScenarioDocument cloud = cloud_scenario();
    cloud.finance = {
        .discount_rate = kRate, .at_end = AtEnd::continuing, .decide_by = {}, .tax_rate = 0.25, .tax_depreciation_rate = {}};
    cloud.pools[0].min_instances = cloud.pools[0].max_instances = 1;
    cloud.pools[0].offer->purchase = Purchase::committed;
    cloud.pools[0].offer->upfront = 1200;
    cloud.pools[0].offer->term_months = 12;
    const Summary rented = evaluate_document(cloud).summary;
    EXPECT_TRUE(is_close(rented.npv, 1200 + (744 * 3.6 - 1100) * month_end(0)));
    EXPECT_TRUE(is_close(rented.npv_after_tax, 0.75 * rented.npv));

    ScenarioDocument colo = owned_scenario();
    colo.finance = cloud.finance;
    colo.pools[0].site->space_per_kw_month = 500; // 0.6 kW: 300 a month, in the facility category
    const double without = evaluate_document(owned_scenario()).summary.npv;
    EXPECT_GT(without, 0.0);
    ScenarioDocument bare = colo;
    bare.pools[0].site->space_per_kw_month = 0;
    EXPECT_TRUE(is_close(evaluate_document(colo).summary.npv_after_tax - evaluate_document(bare).summary.npv_after_tax,
                         0.75 * 300 * month_end(0), 1e-9));
}

TEST(AfterTax, OwnBuildFacilityIsDepreciatedOverItsLife) {
    ScenarioDocument document = owned_scenario();
    document.finance = {.discount_rate = kRate, .decide_by = {}, .tax_rate = 0.25, .tax_depreciation_rate = {}};
    const double bare = evaluate_document(document).summary.npv_after_tax;
    document.pools[0].site->facility_price_per_w = 20; // 12000
    document.pools[0].site->facility_life_months = 120;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.npv_after_tax - bare,
                         12000 - 11900 * month_end(0) - 0.25 * 100 * month_end(0), 1e-9));
}

TEST(Levelized, IsPresentCashOverPresentUnits) {
    ScenarioDocument document = owned_scenario();
    document.months = 2;
    document.finance.discount_rate = kRate;
    document.pools[0].site->energy_price = flat(0);
    const double units = 3600 * (744 * month_end(0) + 672 * month_end(1));
    const double cash = 36500 - 36500 * 46.0 / 48 * month_end(1);
    EXPECT_TRUE(is_close(*evaluate_document(document).summary.workloads[0].levelized_cost_per_million_units, cash / units * 1e6));
}

TEST(Levelized, OfARunningCostIsItsPrice) {
    ScenarioDocument document = cloud_scenario();
    document.months = 24;
    for (const double rate : {0.0, kRate, 3.0}) {
        document.finance.discount_rate = rate;
        EXPECT_TRUE(is_close(*evaluate_document(document).summary.workloads[0].levelized_cost_per_million_units, 1000));
    }
}

TEST(Levelized, SharesAPoolsCashByTheHorizonsDeviceHours) {
    ScenarioDocument document = owned_scenario();
    document.finance.discount_rate = kRate;
    document.pools[0].purchases[0].servers = 4;
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "second";
    document.workloads[1].demand.mean_per_s = 2.5; // three devices to one
    const Summary summary = evaluate_document(document).summary;
    for (std::size_t w = 0; w < 2; ++w) {
        const WorkloadSummary& workload = summary.workloads[w];
        EXPECT_TRUE(is_close(*workload.levelized_cost_per_million_units,
                             summary.npv * (w == 0 ? 0.25 : 0.75) / (workload.units_served * month_end(0)) * 1e6));
    }
}

TEST(Prices, DoubledDoubleEveryCost) {
    ScenarioDocument document = rich_scenario();
    document.finance.discount_rate = 0.1;
    document.finance.tax_rate = 0.2;
    const Summary one = evaluate_document(document).summary;
    document.exchange_rates = {{"XXX", 2.0}}; // every price of a document is in a currency twice as dear
    document.pools[0].server->currency = document.pools[0].site->currency = document.pools[1].offer->currency = "XXX";
    document.finance.carbon_price_per_tonne *= 2;
    document.finance.engineer_week_cost *= 2;
    document.workloads[0].unserved_cost_per_unit *= 2;
    const Summary two = evaluate_document(document).summary;
    for (std::size_t c = 0; c < kCategories; ++c) {
        EXPECT_TRUE(is_close(two.by_category[c].cost, 2 * one.by_category[c].cost)) << name_of(static_cast<Category>(c));
        EXPECT_TRUE(is_close(two.by_category[c].cash, 2 * one.by_category[c].cash, 1e-11)) << name_of(static_cast<Category>(c));
    }
    EXPECT_TRUE(is_close(two.npv, 2 * one.npv));
    EXPECT_TRUE(is_close(two.npv_after_tax, 2 * one.npv_after_tax));
    EXPECT_TRUE(is_close(two.meters.energy_kwh.at_least, one.meters.energy_kwh.at_least));
}

// economics.md, A4: 27 % of 2 x 370919 after 36 months, where the straight line says 46 %.
TEST(PresentValue, ResaleCurveMovesTheHorizonsEnd) {
    const auto npv = [](AtEnd at_end) {
        ScenarioDocument scenario = tests::owned_scenario();
        scenario.months = 36;
        scenario.finance.discount_rate = 0.09;
        scenario.finance.at_end = at_end;
        Pool& pool = scenario.pools[0];
        pool.purchases[0].servers = 2;
        pool.server->price = 370919;
        pool.server->life_months = 60;
        pool.server->residual_fraction = tests::curve(CurveKind::residual, Axis::age_months, {0, 36, 60}, {1, 0.27, 0.1});
        return evaluate_document(scenario).summary.npv;
    };
    EXPECT_NEAR(npv(AtEnd::exit) - npv(AtEnd::continuing), 108839, 1) << "(341245 - 200296) / 1.09^3";
}

} // namespace
} // namespace costcurve::model
