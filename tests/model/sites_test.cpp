// A site is one place: fixed lines, coincident peaks, PUE, demand charges, tiers and indices (model.md, section 7).
#include "model/sites.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::cost_by_category;
using tests::curve;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::issues_of;
using tests::owned_scenario;

// Servers of one device of 1 kW that draws nothing idle, at a site "here" where energy is free.
ScenarioDocument at_site(int servers, double demand_per_s) {
    ScenarioDocument document = owned_scenario();
    document.start = {2027, 1};
    Pool& pool = document.pools[0];
    pool.server->price = 0;
    tests::draw_in_a_line(pool.server->device, 0, 1000);
    pool.server->host_idle_w = pool.server->host_max_w = 0;
    pool.site = Site();
    pool.site->id = "here";
    pool.purchases[0].servers = servers;
    document.workloads[0].demand.mean_per_s = demand_per_s;
    return document;
}

// The pool's servers as two pools of half each; the workload overflows from the first to the second.
ScenarioDocument halved(ScenarioDocument document) {
    document.pools[0].purchases[0].servers /= 2;
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "second";
    document.workloads[0].runs_on.push_back(document.workloads[0].runs_on[0]);
    document.workloads[0].runs_on[1].pool = "second";
    return document;
}

// economics.md, A1: 0.125 x 180000 x 3 + 2500 x 36 = 157500 of a site with no server.
TEST(Sites, SiteWithoutServersCostsNothing) {
    ScenarioDocument document = at_site(0, 0);
    document.months = 36;
    document.finance.engineer_week_cost = 3000;
    document.workloads[0].runs_on[0].porting.engineer_weeks = 4;
    Site& site = *document.pools[0].site;
    site.fte = 0.125;
    site.salary_per_year = 180000;
    site.network_per_month = 2500;
    site.demand_charge_per_kw_month = 10;
    site.extra_costs.push_back({.name = "insurance", .per_month = 100});
    EXPECT_EQ(evaluate_document(document).summary.total.cost, 0.0);
    document.pools[0].purchases[0].servers = 1;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.total.cost, 157500 + 12000 + 3600)) << "staff and network; porting; insurance";
}

TEST(Sites, FixedLinesAreBorneInMonthsWithAServer) {
    ScenarioDocument document = at_site(1, 0);
    document.months = 12;
    document.pools[0].purchases[0].month = 3;
    document.pools[0].server->life_months = 6;
    document.pools[0].site->network_per_month = 100;
    document.pools[0].site->places = 4;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 6 * 400)) << "at each of four places";
}

// economics.md, A2: staff 120000, network 12000 and one peak, not twice.
TEST(Sites, TwoPoolsOfHalfTheServersCostWhatOnePoolDoes) {
    ScenarioDocument document = at_site(2, 0.7);
    document.months = 12;
    Pool& pool = document.pools[0];
    pool.load_balancing = LoadBalancing::pack;
    tests::draw_in_a_line(pool.server->device, 300, pool.server->device.tdp_w);
    pool.server->rack_units = 8;
    pool.site->fte = 1;
    pool.site->salary_per_year = 120000;
    pool.site->network_per_month = 1000;
    pool.site->space_per_rack_month = 500;
    pool.site->energy_price = flat(0.1);
    pool.site->pue = curve(CurveKind::pue, Axis::load, {0, 1}, {2, 1});
    pool.site->demand_charge_per_kw_month = 16;
    pool.site->energy_tiers = {{100, 0.05}};
    const Answer one = evaluate_document(document);
    const Answer two = evaluate_document(halved(document));
    for (std::size_t c = 0; c < kCategories; ++c) {
        EXPECT_TRUE(is_close(two.summary.by_category[c].cost, one.summary.by_category[c].cost, 1e-12))
            << name_of(static_cast<Category>(c));
    }
    EXPECT_TRUE(is_close(cost_by_category(two, Category::staff), 120000));
    EXPECT_TRUE(is_close(cost_by_category(two, Category::network), 12000));
    EXPECT_TRUE(is_close(cost_by_category(two, Category::facility), 6000)) << "one rack";
    EXPECT_TRUE(is_close(two.summary.meters.energy_kwh.at_least, one.summary.meters.energy_kwh.at_least, 1e-12));
    ASSERT_EQ(two.summary.sites.size(), 1U);
    EXPECT_EQ(two.summary.sites[0].id, "here");
    EXPECT_TRUE(is_close(two.summary.sites[0].cost, two.summary.total.cost));
    EXPECT_TRUE(is_close(two.summary.sites[0].peak_kw, one.summary.sites[0].peak_kw, 1e-12));
}

TEST(Sites, SitesWithoutAnIdStandAlone) {
    ScenarioDocument document = halved(at_site(2, 0));
    document.pools[0].site->network_per_month = document.pools[1].site->network_per_month = 100;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 100));
    document.pools[0].site->id = document.pools[1].site->id = "";
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 200));
    EXPECT_TRUE(evaluate_document(document).summary.sites.empty());
}

TEST(Sites, OneIdIsOnePlace) {
    ScenarioDocument document = halved(at_site(2, 0));
    document.pools[1].site->network_per_month = 7;
    const Result<Scenario> scenario = make_scenario(document);
    ASSERT_FALSE(scenario);
    EXPECT_EQ(scenario.error()[0].code, Code::site_conflict);
    EXPECT_EQ(scenario.error()[0].pointer, "/pools/1/site");
    EXPECT_NE(scenario.error()[0].message.find("network_per_month is 0 and 7"), std::string::npos);
    document.pools[1].site = document.pools[0].site;
    document.pools[1].site->note = "seen from the other side";
    EXPECT_EQ(issues_of(document), std::vector<std::string>{});
}

// Two pools that are busy at different hours: the meter sees 1 kW, not 2.
TEST(Sites, PeaksAreCoincidentAndSharedAtTheirHour) {
    ScenarioDocument document = halved(at_site(2, 1));
    document.workloads[0].runs_on.pop_back();
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "night";
    document.workloads[1].runs_on[0].pool = "second";
    document.workloads[0].demand.shape = curve(CurveKind::demand, Axis::hour_of_day, {0, 8, 20}, {0, 1, 0}, Interpolation::step);
    document.workloads[1].demand.shape = curve(CurveKind::demand, Axis::hour_of_day, {0, 8, 20}, {1, 0, 1}, Interpolation::step);
    for (Pool& pool : document.pools) {
        pool.site->demand_charge_per_kw_month = 10;
    }
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::demand_charge), 10));
    EXPECT_TRUE(is_close(answer.summary.pools[1].total.cost, 10)) << "of equal peaks the month's first: midnight, 1 January";
    EXPECT_EQ(answer.summary.pools[0].total.cost, 0.0);
}

// hand-2.json, ratchet-of-summer-peaks: 8, 4, 2 kW from June; July max(4, 4), August max(2, 4).
TEST(Sites, RatchetBillsAShareOfEarlierPeaks) {
    ScenarioDocument document = at_site(10, 8);
    document.start = {2027, 6};
    document.months = 3;
    document.workloads[0].demand.growth_per_month = -0.5;
    document.pools[0].site->demand_charges = {{.per_kw_month = 10, .ratchet_fraction = 0.5, .ratchet_peak_months = {6, 8}}};
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::demand_charge), 160));
    EXPECT_TRUE(is_close(answer.summary.months[2].total.cost, 40));
    document.pools[0].site->demand_charges[0].ratchet_months = 1;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.months[2].total.cost, 20)) << "June is too far back";
    document.pools[0].site->demand_charges[0].months = {7};
    EXPECT_TRUE(is_close(cost_by_category(evaluate_document(document), Category::demand_charge), 40)) << "July alone bills";
}

TEST(Sites, ChargeInHoursSeesThoseHoursAlone) {
    ScenarioDocument document = at_site(3, 1);
    document.workloads[0].demand.shape = curve(CurveKind::demand, Axis::hour_of_day, {0, 8, 20}, {2, 1, 3}, Interpolation::step);
    const auto hours = [](double night, double day) {
        std::vector<double> x;
        std::vector<double> y;
        for (int h = 0; h < 168; ++h) {
            x.push_back(h);
            y.push_back(h % 24 >= 8 && h % 24 < 20 ? day : night);
        }
        return curve(CurveKind::demand, Axis::hour_of_week, x, y, Interpolation::step).curve;
    };
    document.pools[0].site->demand_charges = {{.per_kw_month = 10, .hours = hours(0, 1)}, {.per_kw_month = 1}};
    EXPECT_TRUE(is_close(cost_by_category(evaluate_document(document), Category::demand_charge), 10 + 3))
        << "1 kW by day, 3 of all";
    document.pools[0].site->demand_charges[0].hours->y[5] = 0.5;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"out_of_range /pools/0/site/demand_charges/0/hours/points/5/1"});
}

// hand-2.json, energy-tiers-and-index: 744 kWh at 0.2 x 1.5, 244 x 0.10 above 500, 44 x -0.05 above 700.
TEST(Sites, TiersAddToTheIndexedPrice) {
    ScenarioDocument document = at_site(1, 1);
    Site& site = *document.pools[0].site;
    site.energy_price = flat(0.2);
    site.carbon_g_per_kwh = flat(400);
    site.energy_price_index = curve(CurveKind::index, Axis::date, {20819}, {1.5}).curve; // 2027-01-01
    site.carbon_index = curve(CurveKind::index, Axis::date, {18262}, {0.5}).curve;       // 2020-01-01
    site.water_l_per_kwh = 2;
    site.energy_tiers = {{500, 0.1}, {700, -0.05}};
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::energy), 245.4));
    EXPECT_TRUE(is_close(answer.summary.meters.energy_kwh.at_least, 744));
    EXPECT_TRUE(is_close(answer.summary.meters.carbon_kg.at_least, 148.8));
    EXPECT_TRUE(is_close(answer.summary.sites[0].meters.water_l.at_least, 1488));
    EXPECT_TRUE(is_close(answer.summary.workloads[0].cost, 245.4));
    site.energy_tiers = {{700, 0.1}, {500, 0.1}};
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"not_ascending /pools/0/site/energy_tiers/1/above_kwh_month"});
}

// 744 kWh of one kW in 31 days: 434 beyond 10 a day, 244 beyond 500 for each kW, 134 beyond both.
TEST(Sites, TiersAreCountedByTheDayAndByTheKw) {
    ScenarioDocument document = at_site(1, 1);
    Site& site = *document.pools[0].site;
    site.energy_price = flat(0.2);
    site.energy_tiers = {{.add_per_kwh = 0.1, .above_kwh_day = 10}, {.add_per_kwh = -0.05, .above_kwh_per_kw = 500}};
    EXPECT_TRUE(is_close(cost_by_category(evaluate_document(document), Category::energy), 744 * 0.2 + 434 * 0.1 - 244 * 0.05));
    site.energy_tiers = {{.above_kwh_month = 200, .add_per_kwh = 0.1, .above_kwh_day = 10, .above_kwh_per_kw = 100}};
    EXPECT_TRUE(is_close(cost_by_category(evaluate_document(document), Category::energy), 744 * 0.2 + 134 * 0.1));
}

TEST(Sites, OneChargeWithoutAWindowIsTheOldField) {
    ScenarioDocument document = at_site(2, 2);
    document.pools[0].site->demand_charge_per_kw_month = 16;
    const double old = cost_by_category(evaluate_document(document), Category::demand_charge);
    EXPECT_TRUE(is_close(old, 32));
    document.pools[0].site->demand_charges = {{.per_kw_month = 16}};
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"not_allowed /pools/0/site/demand_charge_per_kw_month"});
    document.pools[0].site->demand_charge_per_kw_month = 0;
    EXPECT_EQ(cost_by_category(evaluate_document(document), Category::demand_charge), old);
}

TEST(Places, ArePooledAndSaidToBe) {
    ScenarioDocument document = tests::owned_scenario();
    const auto is_said = [&] {
        const Summary summary = tests::evaluate_document(document).summary;
        return std::ranges::any_of(summary.warnings, [](const Issue& issue) { return issue.code == Code::places_pooled; });
    };
    EXPECT_FALSE(is_said());
    document.pools[0].site->places = 20;
    EXPECT_TRUE(is_said());
    document.pools[0].site->places = 1;
    EXPECT_FALSE(is_said());
}

} // namespace
} // namespace costcurve::model
