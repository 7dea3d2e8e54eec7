// Where a function of one number is zero: a scan for changes of sign, and Boost's TOMS 748 between them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace costcurve::model {

/// a - b, and whether it counts as zero: both are the same (is_same), or a - b is rounding error of the largest difference seen.
struct Difference {
    double a;
    double b;
};

/// A function without a value at some points.
using PartialFunction = std::function<std::optional<Difference>(double x)>;

struct Root {
    double x = 0.0;
    double last = 0.0;    ///< x, or the end of the stretch of zeros that starts at x
    double f = 0.0;       ///< f at x: 0 within rounding, unless the root is a jump
    double before = 0.0;  ///< f at the last point before that is not zero; 0 where there is none
    double beyond = 0.0;  ///< f at the next point; 0 if f has no value there or the range ends
    bool is_jump = false; ///< the sign changes without a zero between, e.g. at one more whole instance
    bool is_gap = false;  ///< the sign changes across values without f; x is a point beyond them
};

struct Scan {
    std::vector<Root> roots;     ///< ascending
    std::optional<double> least; ///< smallest value of the evaluated points; empty if f has no value at any
    std::optional<double> most;
    int iterations = 0; ///< evaluations of f
};

inline constexpr int kScanSteps = 32;

/// Scans `steps` + 1 evenly spaced points of [low, high], and refines every change of sign between neighbours and both ends of
/// every stretch of zeros. Two roots between neighbours are missed. `is_whole`: x takes whole numbers only, and at a jump the root
/// is the first x with the new sign. low < high, both finite. Source: R. E. Alefeld, F. A. Potra, Y. Shi: Algorithm 748, ACM TOMS
/// 21 (1995), in Boost.Math.
[[nodiscard]] Scan find_roots(const PartialFunction& f, double low, double high, bool is_whole, int steps = kScanSteps);
/// The same scan over given ascending points instead of evenly spaced ones.
[[nodiscard]] Scan find_roots(const PartialFunction& f, const std::vector<double>& points, bool is_whole);

/// `steps` + 1 evenly spaced points from low to high; if `is_whole`, rounded to whole numbers without repeats.
[[nodiscard]] std::vector<double> even_points(double low, double high, bool is_whole, int steps = kScanSteps);

} // namespace costcurve::model
