// Statistics of samples against figures worked by hand.
#include "model/questions/chance/spread.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace costcurve::tests {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

TEST(Spread, QuantilesAreThoseOfType7) { // R: quantile(c(1, 2, 4, 8), c(0, 0.1, 0.5, 0.95, 1))
    const std::vector<double> ascending = {1, 2, 4, 8};
    EXPECT_DOUBLE_EQ(model::quantile_of(ascending, 0.0), 1.0);
    EXPECT_DOUBLE_EQ(model::quantile_of(ascending, 0.1), 1.3);
    EXPECT_DOUBLE_EQ(model::quantile_of(ascending, 0.5), 3.0);
    EXPECT_DOUBLE_EQ(model::quantile_of(ascending, 0.95), 7.4);
    EXPECT_DOUBLE_EQ(model::quantile_of(ascending, 1.0), 8.0);
}

TEST(Spread, OfTheNumbersTo100) {
    std::vector<double> samples;
    for (int i = 100; i > 0; --i) {
        samples.push_back(i);
        samples.push_back(kMissing);
    }
    const auto spread = model::spread_of(samples).value();
    EXPECT_EQ(spread.samples, 100U);
    EXPECT_DOUBLE_EQ(spread.mean, 50.5);
    EXPECT_DOUBLE_EQ(spread.standard_error, std::sqrt(83325.0 / 99 / 100));
    EXPECT_DOUBLE_EQ(spread.p5, 5.95);
    EXPECT_DOUBLE_EQ(spread.p50, 50.5);
    EXPECT_DOUBLE_EQ(spread.cvar_95, 98.0); // of 96 to 100
    EXPECT_EQ(spread.quantiles.front(), 1);
    EXPECT_DOUBLE_EQ(spread.quantiles[5], 25.75); // 25 %, as R's quantile(1:100, 0.25)
    EXPECT_EQ(spread.quantiles.back(), 100);
}

TEST(Spread, OfNothingIsNothingAndOfOneSampleThatSample) {
    EXPECT_FALSE(model::spread_of(std::vector<double>{kMissing}));
    const auto one = model::spread_of(std::vector<double>{7}).value();
    EXPECT_EQ(one.p5, 7);
    EXPECT_EQ(one.cvar_95, 7);
    EXPECT_EQ(one.standard_error, 0);
}

TEST(Spread, AnInputThatIsTheOutputExplainsItAndOneThatIsNotDoesNot) {
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> steps;
    for (int i = 0; i < 4096; ++i) {
        x.push_back(i);
        y.push_back((i * 1237) % 4096); // a permutation without order
        steps.push_back(i % 2);
    }
    const auto share = [](const std::vector<double>& input, const std::vector<double>& output) {
        return model::explained_share(model::order_of(input), input, output);
    };
    EXPECT_GT(share(x, x).value(), 0.999);
    EXPECT_LT(share(y, x).value(), 0.02);
    EXPECT_DOUBLE_EQ(share(steps, steps).value(), 1.0) << "two values are two bins";
    EXPECT_FALSE(share(x, std::vector<double>(4096, 3.0))) << "an output that does not vary";
}

TEST(Spread, AShareIsSeenWhereTheOutputFallsAndRises) { // which a correlation would miss
    std::vector<double> x;
    std::vector<double> y;
    for (int i = -2000; i <= 2000; ++i) {
        x.push_back(i);
        y.push_back(static_cast<double>(i) * i);
    }
    EXPECT_GT(model::explained_share(model::order_of(x), x, y).value(), 0.99);
}

} // namespace
} // namespace costcurve::tests
