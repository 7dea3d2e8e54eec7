// Where a function of one number is zero: a scan for changes of sign, and Boost's TOMS 748 between them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace costcurve::model {

/// a - b: zero where both are the same (is_same), or where it is no more than rounding of the largest difference seen.
struct Difference {
    double a;
    double b;
};

/// A function that may have no value somewhere.
using PartialFunction = std::function<std::optional<Difference>(double x)>;

struct Root {
    double x = 0.0;
    double last = 0.0;    ///< x, or the end of the stretch from there on which f is zero
    double f = 0.0;       ///< what is left at x: 0 but for rounding, unless it jumps
    double before = 0.0;  ///< f at the last point before that is not zero; 0 where there is none
    double beyond = 0.0;  ///< f at the next point; 0 where it has no value there or the range ends
    bool is_jump = false; ///< the sign changes without a zero between: a whole instance more, say
    bool is_gap = false;  ///< it changes across values for which there is no f; x is a point behind them
};

struct Scan {
    std::vector<Root> roots;     ///< ascending
    std::optional<double> least; ///< of the points that were looked at; empty where f has no value at any
    std::optional<double> most;
    int iterations = 0; ///< evaluations of f
};

inline constexpr int kScanSteps = 32;

/// Looks at `steps` + 1 evenly spaced points of [low, high] and closes in on every change of sign between neighbours, and on the
/// ends of every stretch of zeros; two roots between neighbours are not seen. `is_whole`: x takes whole numbers alone, and where f
/// jumps, a root is the first with the new sign.
/// R. E. Alefeld, F. A. Potra, Y. Shi: Algorithm 748, ACM TOMS 21 (1995), in Boost.Math. low < high, both finite.
[[nodiscard]] Scan find_roots(const PartialFunction& f, double low, double high, bool is_whole, int steps = kScanSteps);
/// The same between the neighbours of ascending points.
[[nodiscard]] Scan find_roots(const PartialFunction& f, const std::vector<double>& points, bool is_whole);

/// `steps` + 1 evenly spaced points from low to high, of them each whole number once where x is whole.
[[nodiscard]] std::vector<double> even_points(double low, double high, bool is_whole, int steps = kScanSteps);

} // namespace costcurve::model
