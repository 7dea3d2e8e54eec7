// What is known of energy, carbon and water, and what is not: null, never 0 (model.md, section 7; economics.md, A3 and B10).
#include <algorithm>

#include "model/documents/calendar.hpp"
#include "model/figures.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::cloud_scenario;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::owned_scenario;

std::size_t warned_of(const Summary& summary, Code code) {
    return static_cast<std::size_t>(
        std::count_if(summary.warnings.begin(), summary.warnings.end(), [&](const Issue& issue) { return issue.code == code; }));
}

// A site that draws what its devices do, at 500 g/kWh.
Site known_site() {
    Site site;
    site.energy_price = flat(0.1);
    site.carbon_g_per_kwh = flat(500);
    return site;
}

TEST(Known, AnOfferWithoutASiteHasNeitherEnergyNorCarbon) {
    const Summary summary = evaluate_document(cloud_scenario()).summary;
    for (const Objective objective : {Objective::energy_kwh, Objective::carbon_kg}) {
        EXPECT_EQ(figure_of(summary, objective), std::nullopt);
    }
    EXPECT_EQ(summary.pools[0].meters.energy_kwh.value(), std::nullopt);
    EXPECT_EQ(summary.pools[0].peak_kw, std::nullopt);
    EXPECT_EQ(summary.workloads[0].meters.carbon_kg.value(), std::nullopt) << "it bears part of what is not known";
    EXPECT_EQ(summary.months[0].meters.carbon_kg.value(), std::nullopt);
    EXPECT_EQ(summary.meters.carbon_kg.at_least, 0.0);
}

TEST(Known, ASiteKnowsItsEnergyButCarbonOnlyWhereItStatesTheGrid) {
    ScenarioDocument document = owned_scenario();
    document.pools[0].site->carbon_g_per_kwh.reset();
    document.pools[0].server->embodied_kg = 480; // over 48 months
    document.pools[0].server->life_months = 48;
    document.finance.carbon_price_per_tonne = 50;
    const Summary summary = evaluate_document(document).summary;
    EXPECT_TRUE(summary.meters.energy_kwh.is_known);
    EXPECT_EQ(summary.meters.carbon_kg.value(), std::nullopt);
    EXPECT_TRUE(is_close(summary.meters.carbon_kg.at_least, 10 * static_cast<double>(summary.months.size()))) << "embodied";
    EXPECT_TRUE(
        is_close(summary.by_category[static_cast<std::size_t>(Category::carbon)].cost, summary.meters.carbon_kg.at_least * 0.05));
    EXPECT_EQ(warned_of(summary, Code::carbon_unknown), 1U);
    document.pools[0].site->carbon_g_per_kwh = flat(0); // written: known
    EXPECT_TRUE(evaluate_document(document).summary.meters.carbon_kg.is_known);
}

TEST(Known, AMonthInWhichNothingRanIsZero) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].min_instances = 0;
    document.workloads[0].demand.mean_per_s = 0;
    const Summary summary = evaluate_document(document).summary;
    EXPECT_EQ(summary.meters.energy_kwh.value(), 0.0);
    EXPECT_EQ(summary.meters.water_l.value(), 0.0);
    document.pools[0].min_instances = 1;
    EXPECT_EQ(evaluate_document(document).summary.meters.energy_kwh.value(), std::nullopt) << "an idle instance draws power";
}

TEST(Known, AWorkloadIsKnownWhereAllThatServedItIs) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].max_instances = 1;
    Pool other = document.pools[0];
    other.id = "known";
    other.offer->site = known_site();
    document.pools.push_back(other);
    Workload second = document.workloads[0];
    second.id = "second";
    second.runs_on[0].pool = "known";
    document.workloads.push_back(second);
    const Summary summary = evaluate_document(document).summary;
    EXPECT_FALSE(summary.workloads[0].meters.energy_kwh.is_known);
    EXPECT_TRUE(summary.workloads[1].meters.energy_kwh.is_known);
    EXPECT_FALSE(summary.meters.energy_kwh.is_known);
    EXPECT_TRUE(is_close(summary.meters.energy_kwh.at_least, summary.pools[1].meters.energy_kwh.at_least));
}

TEST(Known, ServingOnACurveOverBusyTimeSaysSo) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->device.power->axis = Axis::busy_time;
    EXPECT_EQ(warned_of(evaluate_document(document).summary, Code::power_axis_differs), 1U);
    document.workloads[0] = tests::training_scenario().workloads[0];
    EXPECT_EQ(warned_of(evaluate_document(document).summary, Code::power_axis_differs), 0U) << "gangs are linear in time";
}

TEST(Known, ServingWithoutACurveSaysThatItsWattsAreAssumed) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->site = known_site();
    EXPECT_EQ(warned_of(evaluate_document(document).summary, Code::power_assumed), 0U) << "a curve of its own";
    document.pools[0].offer->device.power.reset();
    EXPECT_EQ(warned_of(evaluate_document(document).summary, Code::power_assumed), 1U);
    document.pools[0].offer->site.reset();
    EXPECT_EQ(warned_of(evaluate_document(document).summary, Code::power_assumed), 0U) << "its energy is not known anyway";
    document.pools[0].offer->site = known_site();
    document.workloads[0] = tests::training_scenario().workloads[0];
    EXPECT_EQ(warned_of(evaluate_document(document).summary, Code::power_assumed), 0U) << "gangs draw what is full load";
}

TEST(Known, HostsOfAnOfferCountAsThoseOfServers) { // B10
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.mean_per_s = 0.5; // half of the device of one instance
    document.pools[0].offer->site = known_site();
    const Summary bare = evaluate_document(document).summary;
    EXPECT_EQ(warned_of(bare, Code::without_hosts), 1U);
    document.pools[0].offer->host_idle_w = 60;
    document.pools[0].offer->host_max_w = 200;
    const Summary hosted = evaluate_document(document).summary;
    EXPECT_EQ(warned_of(hosted, Code::without_hosts), 0U);
    // 60 + 140 x 0.5 W more over 744 hours, and 500 g of each kWh.
    EXPECT_TRUE(is_close(hosted.meters.energy_kwh.at_least - bare.meters.energy_kwh.at_least, 0.13 * 744, 1e-9));
    EXPECT_TRUE(is_close(hosted.meters.carbon_kg.at_least - bare.meters.carbon_kg.at_least, 0.13 * 744 / 2, 1e-9));
    document.pools[0].offer->host_max_w = 50;
    EXPECT_FALSE(make_scenario(document)) << "idle above full load";
}

TEST(Known, AHostedModelStatesItsOwn) {
    ScenarioDocument document = cloud_scenario();
    Pool& pool = document.pools[0];
    pool = {};
    pool.id = "api";
    pool.kind = PoolKind::api;
    pool.price_per_million_units = tests::one_price(flat(1));
    document.workloads[0].runs_on = {{"api", std::nullopt, {}}};
    document.workloads[0].demand.mean_per_s = 2;
    document.finance.carbon_price_per_tonne = 100;
    EXPECT_EQ(evaluate_document(document).summary.meters.energy_kwh.value(), std::nullopt);
    document.pools[0].energy_wh_per_unit = 0.5;
    document.pools[0].carbon_g_per_unit = 0.25;
    const Summary summary = evaluate_document(document).summary;
    const double units = 2.0 * 3600 * 744;
    EXPECT_TRUE(is_close(summary.meters.energy_kwh.value().value(), units * 0.5 / 1000));
    EXPECT_TRUE(is_close(summary.meters.carbon_kg.value().value(), units * 0.25 / 1000));
    EXPECT_TRUE(is_close(summary.by_category[static_cast<std::size_t>(Category::carbon)].cost, units * 0.25 / 1e6 * 100));
    EXPECT_TRUE(is_close(*figures::carbon_g_per_unit(summary.workloads[0]), 0.25));
    EXPECT_TRUE(is_close(*figures::units_per_kwh(summary.workloads[0]), 2000));
    EXPECT_EQ(summary.meters.water_l.value(), std::nullopt);
}

TEST(Known, APriceThatIsANumberHasNoDate) {
    ScenarioDocument document = cloud_scenario();
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "other";
    const Summary summary = evaluate_document(document).summary;
    EXPECT_EQ(warned_of(summary, Code::undated_price), 1U) << "once a scenario";
}

TEST(Known, APriceThatWasANumberBeforeDatedOnesHasNoDate) { // an import puts it at 1970-01-01, before those
    ScenarioDocument document = cloud_scenario();
    Curve curve;
    curve.kind = CurveKind::price;
    curve.axis = Axis::date;
    curve.interpolation = Interpolation::step;
    const double start = days_since_epoch(document.start.year, document.start.month, 1);
    curve.x = {0, start + 40};
    curve.y = {10, 12};
    document.pools[0].offer->hourly_price = {0, curve};
    const Summary before = evaluate_document(document).summary;
    EXPECT_EQ(warned_of(before, Code::undated_price), 1U);
    EXPECT_EQ(warned_of(before, Code::price_before_history), 0U);
    document.pools[0].offer->hourly_price.curve->x[1] = start - 40;
    EXPECT_EQ(warned_of(evaluate_document(document).summary, Code::undated_price), 0U) << "the dated one holds";
}

} // namespace
} // namespace costcurve::model
