// Roots of known functions: none, one, several, jumps, gaps, whole numbers.
#include "model/questions/roots.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

namespace costcurve::tests {
namespace {

using model::Scan;

Scan find_roots(const std::function<std::optional<double>(double)>& f, double low, double high, bool is_whole, int steps = 32) {
    const auto above_zero = [&](double x) {
        const std::optional<double> value = f(x);
        return value ? std::optional(model::Difference{*value, 0.0}) : std::nullopt;
    };
    return model::find_roots(above_zero, low, high, is_whole, steps);
}

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
}

TEST(Roots, AZeroAtAnEndAndAZeroStretchAreOneRootEach) {
    const Scan end = find_roots([](double x) { return std::optional(x - 4.0); }, 0.0, 4.0, false);
    ASSERT_EQ(end.roots.size(), 1U);
    EXPECT_EQ(end.roots[0].x, 4.0);
    const Scan flat = find_roots([](double x) { return std::optional(std::max(0.0, x - 2.0)); }, 0.0, 4.0, false, 4);
    ASSERT_EQ(flat.roots.size(), 1U);
    EXPECT_EQ(flat.roots[0].x, 0.0);
    EXPECT_NEAR(flat.roots[0].last, 2.0, 1e-14);
    EXPECT_EQ(flat.roots[0].before, 0.0);
    EXPECT_EQ(flat.roots[0].beyond, 1.0);
    const Scan zero = find_roots([](double) { return std::optional(0.0); }, 0.0, 1.0, false);
    ASSERT_EQ(zero.roots.size(), 1U);
    EXPECT_EQ(zero.roots[0].last, 1.0);
}

TEST(Roots, AStretchOfZerosIsFoundToItsEnds) {
    const auto dead_band = [](double x) { return std::optional(x < 1.3 ? x - 1.3 : std::max(0.0, x - 2.7)); };
    for (const int steps : {4, 1}) { // a point of the grid lies in it, and none does
        const Scan scan = find_roots(dead_band, 0.0, 4.0, false, steps);
        ASSERT_EQ(scan.roots.size(), 1U);
        EXPECT_NEAR(scan.roots[0].x, 1.3, 1e-11);
        EXPECT_NEAR(scan.roots[0].last, 2.7, 1e-11);
        EXPECT_LT(scan.roots[0].before, 0.0);
        EXPECT_GT(scan.roots[0].beyond, 0.0);
    }
    const Scan whole = find_roots([](double x) { return std::optional(std::max(0.0, 10 - x)); }, 0.0, 100.0, true);
    ASSERT_EQ(whole.roots.size(), 1U);
    EXPECT_EQ(whole.roots[0].x, 10.0);
    EXPECT_EQ(whole.roots[0].last, 100.0);
}

TEST(Roots, WhatRoundingLeavesIsZero) {
    const auto noise = [](double x) { return std::optional(model::Difference{1e6 + 1e-9 * std::sin(1e3 * x), 1e6}); };
    const Scan scan = model::find_roots(noise, 0.0, 4.0, false);
    ASSERT_EQ(scan.roots.size(), 1U);
    EXPECT_EQ(scan.roots[0].last, 4.0);
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
    EXPECT_FALSE(find_roots([](double) { return std::optional<double>(); }, 0.0, 1.0, false).least);
}

TEST(Roots, AChangeOfSignAcrossAGapIsOne) {
    const auto torn = [](double x) { return x > 1.0 && x < 2.9 ? std::nullopt : std::optional(x - 2.0); };
    for (const int steps : {4, 1}) {
        const Scan scan = find_roots(torn, 0.0, 4.0, false, steps);
        ASSERT_EQ(scan.roots.size(), 1U);
        EXPECT_TRUE(scan.roots[0].is_gap);
        EXPECT_EQ(scan.roots[0].x, steps == 4 ? 3.0 : 4.0);
        EXPECT_GT(scan.roots[0].beyond, 0.0);
    }
}

} // namespace
} // namespace costcurve::tests
