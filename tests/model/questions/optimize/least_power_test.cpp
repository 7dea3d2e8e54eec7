// What energy costs at least, by the watt-hour, against figures by hand.
#include "model/questions/optimize/least_power.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using namespace model;

// Each half of the day has its price; 400 g and 50 a tonne make 0.02 a kWh.
ScenarioDocument priced_by_hour() {
    ScenarioDocument document = owned_scenario();
    document.finance.carbon_price_per_tonne = 50;
    document.finance.discount_rate = 0.1;
    Site& site = *document.pools[0].site;
    site.pue = flat(1.25);
    site.carbon_g_per_kwh = flat(400);
    site.energy_price = curve(CurveKind::tariff, Axis::hour_of_day, {0, 12}, {0.1, 0.3}, Interpolation::step);
    return document;
}

EnergyValues values_of(const ScenarioDocument& document, Goal goal) {
    const Answer answer = evaluate_document(document);
    return energy_values(answer.compiled, document.pools[0], 0, 0, goal);
}

TEST(LeastPower, AWattHourIsItsPriceAndItsCarbonTimesThePue) {
    const ScenarioDocument document = priced_by_hour();
    const EnergyValues cost = values_of(document, Goal::cost);
    ASSERT_EQ(cost.value.size(), 2U) << "hours alike are one";
    for (std::size_t half = 0; half < 2; ++half) {
        const double price = half == 0 ? 0.1 : 0.3;
        EXPECT_DOUBLE_EQ(cost.value[half].goal, (price + 0.4 * 0.05) * 1.25 / 1000);
        EXPECT_DOUBLE_EQ(cost.value[half].carbon_kg, 0.4 * 1.25 / 1000);
        EXPECT_EQ(cost.value[half].capital, 0.0);
        EXPECT_EQ(cost.pue[half], 1.25);
    }
    EXPECT_DOUBLE_EQ(values_of(document, Goal::carbon).value[0].goal, 0.4 * 1.25 / 1000);
    const double discount = evaluate_document(document).compiled.discount[1];
    EXPECT_LT(discount, 1.0);
    EXPECT_DOUBLE_EQ(values_of(document, Goal::npv).value[0].goal, discount * (0.1 + 0.02) * 1.25 / 1000);
}

// From 1.5 idle down to 1.2 at full load: the least is at 1.2, but of a price below zero at 1.5.
TEST(LeastPower, OfAPueByLoadTheEndCountsThatMakesTheLeast) {
    ScenarioDocument document = priced_by_hour();
    Site& site = *document.pools[0].site;
    site.pue = curve(CurveKind::pue, Axis::load, {0, 1}, {1.5, 1.2});
    site.energy_price = curve(CurveKind::tariff, Axis::hour_of_day, {0, 12}, {0.1, -0.3}, Interpolation::step);
    const EnergyValues cost = values_of(document, Goal::cost);
    ASSERT_EQ(cost.value.size(), 2U);
    EXPECT_DOUBLE_EQ(cost.value[0].goal, (0.1 + 0.02) * 1.2 / 1000);
    EXPECT_DOUBLE_EQ(cost.value[1].goal, (-0.3 + 0.02) * 1.5 / 1000);
    EXPECT_DOUBLE_EQ(cost.value[1].carbon_kg, 0.4 * 1.2 / 1000);
    EXPECT_DOUBLE_EQ(cost.pue[0], 1.2);
}

// 100 W and 50 W a busy device at least, 120 W and 60 W at most.
TEST(LeastPower, AnHourIsTheLesserLineAndOfAPriceBelowZeroTheGreater) {
    const PowerLines lines{100, 50, 120, 60, 30};
    const HourlyEnergy dear = least_energy(lines, {0.002, 0.004, 0});
    EXPECT_DOUBLE_EQ(dear.unit.goal, 0.2);
    EXPECT_DOUBLE_EQ(dear.busy.goal, 0.1);
    EXPECT_DOUBLE_EQ(dear.ramping.goal, 0.06);
    EXPECT_DOUBLE_EQ(dear.unit.carbon_kg, 0.4);
    const HourlyEnergy paid = least_energy(lines, {-0.002, 0.004, 0});
    EXPECT_DOUBLE_EQ(paid.unit.goal, -0.24);
    EXPECT_DOUBLE_EQ(paid.busy.goal, -0.12);
    EXPECT_DOUBLE_EQ(paid.busy.carbon_kg, 0.2);
}

} // namespace
} // namespace costcurve::tests
