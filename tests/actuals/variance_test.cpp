// The parts of a cost's difference: a worked example, the sum of the parts, and what is not known.
#include <random>

#include <gtest/gtest.h>

#include "server/actuals/variance.hpp"

namespace costcurve::actuals {
namespace {

TEST(CostVariance, IsThatOfTheWorkedExample) {
    // Planned: 1000 units in 100 h (0.1 h a unit) at 2 an hour = 200. Actual: 1200 units in 150 h for 330 (2.20 an hour).
    const CostVariance variance = cost_variance({200, 100, 1000}, {330, 150, 1200});
    EXPECT_NEAR(variance.total.value(), 130, 1e-12);
    EXPECT_NEAR(variance.price.value(), (2.2 - 2.0) * 150, 1e-12);
    EXPECT_NEAR(variance.efficiency.value(), (150 - 120) * 2.0, 1e-12);
    EXPECT_NEAR(variance.volume.value(), (1200 - 1000) * 0.1 * 2.0, 1e-12);
    EXPECT_EQ(variance.missing, "");
}

TEST(CostVariance, HasPartsThatAddUpToTheTotal) {
    constexpr unsigned kSeed = 20261121;
    std::mt19937 random(kSeed);
    std::lognormal_distribution<double> size(3, 4);
    for (int i = 0; i < 2000; ++i) {
        const Performed planned{size(random), size(random), size(random)};
        const Performed actual{size(random), size(random), size(random)};
        const CostVariance v = cost_variance(planned, actual);
        const double largest = std::abs(*v.price) + std::abs(*v.volume) + std::abs(*v.efficiency) + std::abs(*v.total);
        EXPECT_NEAR(*v.price + *v.volume + *v.efficiency, *v.total, 1e-12 * largest) << "seed " << kSeed << ", round " << i;
        const CostVariance by_hours =
            cost_variance({planned.cost, planned.device_hours, {}}, {actual.cost, actual.device_hours, {}});
        EXPECT_EQ(by_hours.efficiency, std::nullopt);
        EXPECT_NEAR(*by_hours.price + *by_hours.volume, *v.total, 1e-12 * largest + 1e-12 * std::abs(*by_hours.volume));
    }
}

TEST(CostVariance, OfThePlanItselfIsNothing) {
    const CostVariance variance = cost_variance({200, 100, 1000}, {200, 100, 1000});
    for (const auto& part : {variance.total, variance.price, variance.volume, variance.efficiency}) {
        EXPECT_EQ(part, 0.0);
    }
}

TEST(CostVariance, SaysWhatIsNotKnown) {
    struct Case {
        Performed planned;
        Performed actual;
        int known;
        const char* says;
    };
    const Case cases[] = {
        {{200, 100, 1000}, {{}, 150, 1200}, 0, "actual cost"},
        {{{}, 100, 1000}, {330, 150, 1200}, 0, "planned cost"},
        {{200, 0, 1000}, {330, 150, 1200}, 1, "no device-hours are planned"},
        {{200, 100, 1000}, {330, {}, 1200}, 1, "actual device-hours"},
        {{200, 100, 1000}, {330, 150, {}}, 3, "actual work"},
        {{200, 100, 0}, {330, 150, 1200}, 3, "no work is planned"},
    };
    for (const Case& row : cases) {
        const CostVariance v = cost_variance(row.planned, row.actual);
        EXPECT_EQ(v.total.has_value() + v.price.has_value() + v.volume.has_value() + v.efficiency.has_value(), row.known);
        EXPECT_NE(v.missing.find(row.says), std::string::npos) << v.missing;
    }
}

} // namespace
} // namespace costcurve::actuals
