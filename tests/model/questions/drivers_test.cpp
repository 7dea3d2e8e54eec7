// The bridge by drivers: hand calculations, and that its steps add up whatever the two are.
#include "model/questions/drivers.hpp"

#include <cmath>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include "model/figures.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using model::Bridge;
using model::bridge;
using model::Category;
using model::Drivers;
using model::DriverStep;

Drivers devices(double units, double busy, double paid, double cost) {
    Drivers drivers;
    drivers.units = units;
    drivers.busy_hours = busy;
    drivers.paid_hours = paid;
    drivers.device_cost = cost;
    drivers.unit = "token";
    return drivers;
}

Drivers hosted(double usage) {
    Drivers drivers;
    drivers.rest[static_cast<std::size_t>(Category::usage)] = usage;
    drivers.unit = "token";
    return drivers;
}

double sum_of(const Bridge& bridge) {
    return std::accumulate(bridge.steps.begin(), bridge.steps.end(), 0.0,
                           [](double sum, const DriverStep& step) { return sum + step.amount; });
}

void expect_steps(const Bridge& bridge, const std::vector<DriverStep>& expected) {
    ASSERT_EQ(bridge.steps.size(), expected.size());
    for (std::size_t s = 0; s < expected.size(); ++s) {
        EXPECT_EQ(bridge.steps[s].driver, expected[s].driver);
        EXPECT_EQ(bridge.steps[s].unit, expected[s].unit);
        EXPECT_TRUE(is_close(bridge.steps[s].a, expected[s].a, 1e-12)) << expected[s].driver;
        EXPECT_TRUE(is_close(bridge.steps[s].b, expected[s].b, 1e-12)) << expected[s].driver;
        EXPECT_TRUE(is_close(bridge.steps[s].amount, expected[s].amount, 1e-9)) << expected[s].driver;
    }
}

// By hand. a: 7.2 M tokens in 1,000 busy of 2,000 paid hours, 8,000 USD (4 an hour, 2 tokens/s). b: 9 M in 500 busy of 2,500 paid
// hours, 5,000 USD (2 an hour, 5 tokens/s). Work: 8,000 x 9/7.2 = 10,000. Throughput: 1,250 busy hours become 500: 4,000.
// Utilization: 1,000 paid hours become 2,500: 10,000. Price: 5,000.
TEST(Drivers, SubstituteOneAfterAnother) {
    const Bridge found = bridge(devices(7.2e6, 1000, 2000, 8000), devices(9e6, 500, 2500, 5000), "USD");
    expect_steps(found, {{"work", "tokens", 7.2e6, 9e6, 2000},
                         {"throughput", "tokens/s", 2, 5, -6000},
                         {"utilization", "fraction", 0.5, 0.2, 6000},
                         {"price of a device-hour", "currency/device-hour", 4, 2, -5000}});
    EXPECT_TRUE(is_close(sum_of(found), -3000, 1e-12));
    EXPECT_EQ(found.why, "a busy device does 5 against 2 tokens/s; it is busy 20 % of the time against 50 %");
}

// Units that differ can't be divided by each other: work and throughput are one step.
TEST(Drivers, OtherUnitsAreOneStepOfBusyHours) {
    Drivers b = devices(9e6, 500, 2500, 5000);
    b.unit = "";
    expect_steps(bridge(devices(7.2e6, 1000, 2000, 8000), b, "USD"),
                 {{"work", "busy device-hours", 1000, 500, -4000},
                  {"utilization", "fraction", 0.5, 0.2, 6000},
                  {"price of a device-hour", "currency/device-hour", 4, 2, -5000}});
}

// By hand: of 8,000 USD half is idle; the other half against 1,000 of usage; energy moves 500 of 6,500, network 10: below 2 %.
// What hardly works has no factors that a number could hold.
TEST(Drivers, DevicesThatDoNextToNothingAreOneStep) {
    const Bridge found = bridge(devices(1e-300, 1e-303, 2000, 8000), devices(9e6, 500, 2500, 5000), "USD");
    ASSERT_FALSE(found.steps.empty());
    EXPECT_EQ(found.steps.front().driver, "devices");
    EXPECT_TRUE(std::isfinite(sum_of(found)));
}

TEST(Drivers, DevicesAgainstAHostedModel) {
    Drivers b = devices(7.2e6, 1000, 2000, 8000);
    b.rest[static_cast<std::size_t>(Category::energy)] = 500;
    b.rest[static_cast<std::size_t>(Category::network)] = 10;
    Drivers a = hosted(1000);
    a.rest[static_cast<std::size_t>(Category::egress)] = 30;
    const Bridge found = bridge(a, b, "USD");
    expect_steps(found, {{"idle device-hours", "currency", 0, 4000, 4000},
                         {"price of the work", "currency", 1000, 4000, 3000},
                         {"energy", "currency", 0, 500, 500},
                         {"other categories", "currency", 30, 10, -20}});
    EXPECT_EQ(found.why, "idle device-hours cost 4000 against 0 USD; the work alone costs 4000 against 1000 USD");
}

// As SubstituteOneAfterAnother, in kWh: 1,400 over 2,000 paid hours against 1,250 over 2,500. Work: 1,400 x 9/7.2 = 1,750. Hosted
// models beside them are one step, whatever devices do.
TEST(Drivers, OfEnergyAndCarbonAreTheDeviceHours) {
    Drivers a = devices(7.2e6, 1000, 2000, 1400);
    Drivers b = devices(9e6, 500, 2500, 1250);
    a.figure = b.figure = model::Objective::energy_kwh;
    b.rest[static_cast<std::size_t>(Category::usage)] = 30;
    const Bridge found = bridge(a, b, "");
    expect_steps(found, {{"work", "tokens", 7.2e6, 9e6, 350},
                         {"throughput", "tokens/s", 2, 5, -1050},
                         {"utilization", "fraction", 0.5, 0.2, 1050},
                         {"energy of a device-hour", "kWh", 0.7, 0.5, -500},
                         {"energy of hosted models", "kWh", 0, 30, 30}});
    EXPECT_TRUE(is_close(sum_of(found), -120, 1e-9));
    Drivers dirty = devices(7.2e6, 1000, 2000, 600);
    Drivers clean = devices(7.2e6, 1000, 2000, 240);
    dirty.figure = clean.figure = model::Objective::carbon_kg;
    EXPECT_EQ(change_in_words(bridge(dirty, clean, ""), "owned", ""),
              "the carbon of a device-hour of owned fell from 0.3 to 0.12 kg CO2e");
    Drivers api = hosted(50);
    api.figure = model::Objective::carbon_kg;
    expect_steps(bridge(clean, api, ""),
                 {{"carbon of devices", "kg CO2e", 240, 0, -240}, {"carbon of hosted models", "kg CO2e", 0, 50, 50}});
}

// Devices that did nothing have no throughput: their cost is one step. Hosted models alone have but their usage.
TEST(Drivers, IdleDevicesAndHostedModelsAlone) {
    expect_steps(bridge(devices(0, 0, 2000, 8000), devices(9e6, 500, 2500, 5000), "USD"),
                 {{"devices", "currency", 8000, 5000, -3000}});
    const Bridge found = bridge(hosted(1000), hosted(1005), "USD");
    expect_steps(found, {{"usage", "currency", 1000, 1005, 5}});
    EXPECT_EQ(found.why, "equal to 1 %; API usage costs 1005 against 1000 USD");
    EXPECT_EQ(bridge(hosted(0), hosted(0), "USD").why, "equal to 1 %");
}

// Of random pairs, over every figure of money, the steps add up to the difference of what the results state.
TEST(Drivers, StepsAddUpToTheDifferenceOfResults) {
    std::vector<model::ScenarioDocument> documents = {cloud_scenario(), owned_scenario(), api_scenario()};
    documents[0].finance.discount_rate = documents[1].finance.discount_rate = documents[2].finance.discount_rate = 0.08;
    documents[1].finance.tax_rate = 0.25;
    documents[0].workloads[0].runs_on[0].porting.engineer_weeks = 2;
    documents[0].finance.engineer_week_cost = 1000;
    std::vector<std::unique_ptr<model::Variant>> variants;
    std::vector<const model::Evaluation*> evaluations;
    for (const model::ScenarioDocument& document : documents) {
        variants.push_back(std::make_unique<model::Variant>(document));
        const auto evaluated = variants.back()->evaluate();
        ASSERT_TRUE(evaluated);
        evaluations.push_back(*evaluated);
    }
    for (const model::Objective figure :
         {model::Objective::cost, model::Objective::cash, model::Objective::npv, model::Objective::npv_after_tax}) {
        for (const model::Evaluation* a : evaluations) {
            for (const model::Evaluation* b : evaluations) {
                const double difference = *figure_of(b->summary, figure) - *figure_of(a->summary, figure);
                const Bridge found = bridge(drivers_of(*a, figure), drivers_of(*b, figure), "USD");
                EXPECT_EQ(found.figure, figure);
                EXPECT_NEAR(sum_of(found), difference, 1e-9 * std::abs(*figure_of(a->summary, figure)));
            }
        }
    }
    EXPECT_EQ(drivers_of(*evaluations[0], model::Objective::carbon_kg).figure, model::Objective::cost);
}

TEST(Bridge, AsAChangeInTimeNamesTheScenarioAndBothValues) {
    const Drivers before = devices(1e6, 100, 200, 798);
    const Bridge cheaper = bridge(before, devices(1e6, 100, 200, 598), "USD");
    EXPECT_EQ(change_in_words(cheaper, "rented", "USD"), "the price of a device-hour of rented fell from 3.99 to 2.99 USD");
    const Bridge busier = bridge(before, devices(1e6, 100, 125, 498.75), "USD");
    EXPECT_EQ(change_in_words(busier, "rented", "USD"), "the utilization of rented rose from 50 to 80 %");
    const Bridge both = bridge(before, devices(1e6, 100, 125, 125 * 4.99), "USD");
    EXPECT_EQ(change_in_words(both, "rented", "USD"),
              "the utilization of rented rose from 50 to 80 %; the price of a device-hour of "
              "rented rose from 3.99 to 4.99 USD");
    EXPECT_EQ(change_in_words(bridge(hosted(10), hosted(12), "EUR"), "api", "EUR"),
              "API usage costs of api rose from 10 to 12 EUR");
    EXPECT_EQ(change_in_words(bridge(before, before, "USD"), "rented", "USD"), "");
}

} // namespace
} // namespace costcurve::tests
