// Profiles by hand and by identity: hours of the week add up to what the ledger has of the month.
#include "model/questions/profile.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using model::profile;
using model::Profile;
using model::Week;

double total(const Week& hours, const Week& means) { return std::inner_product(hours.begin(), hours.end(), means.begin(), 0.0); }

// Twice the mean from 8 to 16 on every day, half of it else.
model::Rate office_hours() {
    std::vector<double> hours(24);
    std::iota(hours.begin(), hours.end(), 0.0);
    std::vector<double> values(24, 0.5);
    std::fill(values.begin() + 8, values.begin() + 16, 2.0);
    return curve(model::CurveKind::demand, model::Axis::hour_of_day, hours, values, model::Interpolation::step);
}

TEST(Profile, OfAFlatDemandIsTheSameAtEveryHour) {
    const Answer answer = evaluate_document(owned_scenario());
    const Profile found = profile(answer.scenario, 0);
    EXPECT_DOUBLE_EQ(std::accumulate(found.hours.begin(), found.hours.end(), 0.0), 744);
    EXPECT_EQ(found.hours[3 * 24], 5); // January 2026 has five Thursdays
    EXPECT_EQ(found.hours[0], 4);      // and four Mondays
    for (std::size_t h = 0; h < model::kHoursOfWeek; ++h) {
        EXPECT_DOUBLE_EQ((*found.demand[0])[h], 1.0);
        EXPECT_DOUBLE_EQ((*found.pools[0].busy_devices)[h], 1.0);
        EXPECT_DOUBLE_EQ((*found.pools[0].available_devices)[h], 1.0);
        EXPECT_DOUBLE_EQ((*found.pools[0].power_kw)[h], 0.6); // 500 W, and a host at 100 W
        EXPECT_DOUBLE_EQ((*found.pools[0].energy_price)[h], 0.1);
    }
}

TEST(Profile, OfADaysShapeHasItAtItsHours) {
    model::ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.shape = office_hours();
    document.pools[0].max_instances = 4;
    const Profile found = profile(evaluate_document(document).scenario, 0);
    EXPECT_DOUBLE_EQ((*found.demand[0])[7], 0.5);
    EXPECT_DOUBLE_EQ((*found.demand[0])[8], 2.0);
    EXPECT_DOUBLE_EQ((*found.demand[0])[6 * 24 + 15], 2.0);
    EXPECT_DOUBLE_EQ((*found.pools[0].busy_devices)[8], 2.0);
    EXPECT_DOUBLE_EQ((*found.pools[0].available_devices)[7], 1.0); // a whole instance for half of one
    EXPECT_FALSE(found.pools[0].power_kw.has_value());             // no site
    EXPECT_FALSE(found.pools[0].energy_price.has_value());
}

TEST(Profile, OfEveryMonthAddsUpToTheLedgers) {
    model::ScenarioDocument document = owned_scenario();
    document.months = 5;
    document.time_zone = "Europe/Berlin"; // March has an hour less
    document.workloads[0].demand.shape = office_hours();
    document.pools[0].purchases[0].servers = 2;
    const Answer answer = evaluate_document(document);
    for (std::size_t m = 0; m < 5; ++m) {
        const Profile found = profile(answer.scenario, m);
        EXPECT_NEAR(total(found.hours, *found.pools[0].busy_devices), answer.ledger.busy_hours(m, 0), 1e-9) << m;
        EXPECT_NEAR(total(found.hours, *found.pools[0].available_devices), answer.ledger.available_hours(m, 0), 1e-9) << m;
        EXPECT_NEAR(total(found.hours, *found.pools[0].power_kw), answer.ledger.energy_kwh(m, 0), 1e-9) << m;
        EXPECT_NEAR(total(found.hours, *found.demand[0]) * 3600, answer.ledger.demanded(m, 0), 1e-6) << m;
        ASSERT_EQ(found.served.size(), 1U);
        EXPECT_NEAR(found.served[0].units[m], answer.ledger.served(m, 0), 1e-6) << m;
    }
}

TEST(Profile, OfTrainingHasNoDemandByTheHourButBusyDevices) {
    const Answer answer = evaluate_document(training_scenario());
    const Profile found = profile(answer.scenario, 0);
    EXPECT_FALSE(found.demand[0].has_value());
    EXPECT_NEAR(total(found.hours, *found.pools[0].busy_devices), answer.ledger.busy_hours(0, 0), 1e-9);
    EXPECT_DOUBLE_EQ(found.served[0].units[0], 36000);
}

} // namespace
} // namespace costcurve::tests
