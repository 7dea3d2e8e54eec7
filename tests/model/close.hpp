// How tests of the model compare figures: relative to the expected one, by a tolerance each row states.
#pragma once

#include <cmath>

#include <gtest/gtest.h>

namespace costcurve::tests {

/// |actual - expected| <= tolerance x |expected|; exact where 0 is expected. NaN is never close.
inline ::testing::AssertionResult is_close(double actual, double expected, double tolerance = 1e-12) {
    if (std::fabs(actual - expected) <= tolerance * std::fabs(expected)) {
        return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << ::testing::PrintToString(actual) << " is not " << ::testing::PrintToString(expected)
                                         << " within " << tolerance << " relative; off by " << actual - expected;
}

} // namespace costcurve::tests
