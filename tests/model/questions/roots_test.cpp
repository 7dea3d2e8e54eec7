// Roots of known functions: none, one, several, jumps, gaps, whole numbers.
#include "model/questions/roots.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace costcurve::tests {
namespace {

using model::find_roots;
using model::Scan;

TEST(Roots, OfACubicAndASineAreFoundToTheLastBits) {
    const Scan cubic = find_roots([](double x) { return std::optional(x * x * x - 2.0); }, 0.0, 10.0, false);
    ASSERT_EQ(cubic.roots.size(), 1U);
    EXPECT_NEAR(cubic.roots[0].x, std::cbrt(2.0), 1e-14);
    EXPECT_FALSE(cubic.roots[0].is_jump);
    const Scan sine = find_roots([](double x) { return std::optional(std::sin(x)); }, 1.0, 10.0, false);
    ASSERT_EQ(sine.roots.size(), 3U);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(sine.roots[static_cast<std::size_t>(i)].x, (i + 1) * std::numbers::pi, 1e-13);
    }
}

TEST(Roots, NoneLeavesTheRangeOfValues) {
    const Scan scan = find_roots([](double x) { return std::optional(x + 1.0); }, 0.0, 4.0, false);
    EXPECT_TRUE(scan.roots.empty());
    EXPECT_EQ(scan.least, 1.0);
    EXPECT_EQ(scan.most, 5.0);
    EXPECT_FALSE(scan.is_zero);
}

TEST(Roots, AZeroAtAnEndAndAZeroStretchAreOneRootEach) {
    const Scan end = find_roots([](double x) { return std::optional(x - 4.0); }, 0.0, 4.0, false);
    ASSERT_EQ(end.roots.size(), 1U);
    EXPECT_EQ(end.roots[0].x, 4.0);
    const Scan flat = find_roots([](double x) { return std::optional(std::max(0.0, x - 2.0)); }, 0.0, 4.0, false, 4);
    ASSERT_EQ(flat.roots.size(), 1U);
    EXPECT_EQ(flat.roots[0].x, 0.0);
    EXPECT_TRUE(find_roots([](double) { return std::optional(0.0); }, 0.0, 1.0, false).is_zero);
}

TEST(Roots, AJumpOverZeroIsFoundAndCalledOne) {
    const Scan scan = find_roots([](double x) { return std::optional(x < 1.3 ? -5.0 : 7.0); }, 0.0, 4.0, false);
    ASSERT_EQ(scan.roots.size(), 1U);
    EXPECT_NEAR(scan.roots[0].x, 1.3, 1e-12);
    EXPECT_TRUE(scan.roots[0].is_jump);
}

TEST(Roots, WholeNumbersGiveTheFirstOfTheNewSign) {
    const Scan scan = find_roots([](double x) { return std::optional(x - 6.5); }, 1.0, 1000.0, true);
    ASSERT_EQ(scan.roots.size(), 1U);
    EXPECT_EQ(scan.roots[0].x, 7.0);
    EXPECT_TRUE(scan.roots[0].is_jump);
    const Scan exact = find_roots([](double x) { return std::optional(x - 7.0); }, 1.0, 1000.0, true);
    ASSERT_EQ(exact.roots.size(), 1U);
    EXPECT_EQ(exact.roots[0].x, 7.0);
    EXPECT_FALSE(exact.roots[0].is_jump);
}

TEST(Roots, WhereThereIsNoValueThereIsNoRoot) {
    const auto partial = [](double x) { return x < 2.0 ? std::nullopt : std::optional(x - 3.0); };
    const Scan scan = find_roots(partial, 0.0, 4.0, false);
    ASSERT_EQ(scan.roots.size(), 1U);
    EXPECT_DOUBLE_EQ(scan.roots[0].x, 3.0);
    EXPECT_FALSE(scan.low);
    EXPECT_FALSE(find_roots([](double) { return std::optional<double>(); }, 0.0, 1.0, false).least);
}

} // namespace
} // namespace costcurve::tests
