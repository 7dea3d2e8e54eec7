// Comparison of amounts within rounding: the same sum in another order differs in its last digits.
#pragma once

#include <algorithm>
#include <cmath>

namespace costcurve::model {

/// Whether both are equal within 1e-9 of the larger.
[[nodiscard]] inline bool is_same(double a, double b) {
    constexpr double kEqual = 1e-9;
    return std::fabs(a - b) <= kEqual * std::max(std::fabs(a), std::fabs(b));
}

/// Whether a is below b by more than rounding.
[[nodiscard]] inline bool is_cheaper(double a, double b) { return a < b && !is_same(a, b); }

} // namespace costcurve::model
