// Where a function of one number is zero: a scan for changes of sign, and Boost's TOMS 748 between them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace costcurve::model {

/// A function that may have no value somewhere.
using PartialFunction = std::function<std::optional<double>(double x)>;

struct Root {
    double x = 0.0;
    double f = 0.0;       ///< what is left there: 0 but for rounding, unless it jumps
    bool is_jump = false; ///< the sign changes without a zero between: a whole instance more, say
};

struct Scan {
    std::vector<Root> roots;   ///< ascending
    std::optional<double> low; ///< f at the range's ends
    std::optional<double> high;
    std::optional<double> least; ///< of the points that were looked at; empty where f has no value at any
    std::optional<double> most;
    bool is_zero = false; ///< at every point
    int iterations = 0;   ///< evaluations of f
};

/// Looks at `steps` + 1 evenly spaced points of [low, high] and closes in on every change of sign between neighbours; two roots
/// between neighbours are not seen. `is_whole`: x takes whole numbers alone, and a root is the first with the new sign.
/// R. E. Alefeld, F. A. Potra, Y. Shi: Algorithm 748, ACM TOMS 21 (1995), in Boost.Math. low < high, both finite.
[[nodiscard]] Scan find_roots(const PartialFunction& f, double low, double high, bool is_whole, int steps = 32);

} // namespace costcurve::model
