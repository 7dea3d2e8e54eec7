// The value of one more benchmark, against a closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/questions/chance/distribution.hpp"
#include "model/questions/rank/worth_measuring.hpp"

namespace costcurve::model {
namespace {

// Quantiles of a standard normal variable, evenly spaced.
std::vector<double> normal_numbers(std::size_t count) {
    std::vector<double> numbers;
    for (std::size_t k = 0; k < count; ++k) {
        numbers.push_back(normal_quantile((static_cast<double>(k) + 0.5) / static_cast<double>(count)));
    }
    return numbers;
}

// One plan costs 100, the other 100 + s x with x standard normal: E[min] = 100 - s phi(0), so that knowing x is worth s phi(0).
TEST(WorthMeasuring, IsTheMeanLossOfChoosingWithoutIt) {
    constexpr double kPhi0 = 0.3989422804014327;
    const std::vector<double> x = normal_numbers(2000);
    const std::vector<double> flat(x.size(), 100.0);
    std::vector<double> moving;
    for (const double at : x) {
        moving.push_back(100 + 20 * at);
    }
    EXPECT_NEAR(value_of_knowing({flat, moving}, x), 20 * kPhi0, 0.02);
    // What decides nothing is worth nothing: the first is always the cheaper one.
    std::vector<double> dearer;
    for (const double at : moving) {
        dearer.push_back(at + 200);
    }
    EXPECT_NEAR(value_of_knowing({moving, dearer}, x), 0.0, 1e-9);
}

TEST(WorthMeasuring, LeavesOutSamplesWithoutAFigureAndAnInputThatDoesNotVary) {
    const std::vector<double> x = normal_numbers(100);
    std::vector<double> some(x.size(), 100.0);
    std::vector<double> others(x.size(), 101.0);
    EXPECT_EQ(value_of_knowing({some, others}, std::vector<double>(x.size(), 1.0)), 0.0);
    std::fill(others.begin() + 9, others.end(), std::nan(""));
    EXPECT_EQ(value_of_knowing({some, others}, x), 0.0); // nine are too few
    EXPECT_EQ(value_of_knowing({some}, x), 0.0);
}

} // namespace
} // namespace costcurve::model
