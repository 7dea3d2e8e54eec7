// What one more benchmark would be worth between plans that are level: the expected value of partial perfect information.
#pragma once

#include <span>
#include <vector>

namespace costcurve::model {

/// What choosing the plan of the least figure with an input known saves in the mean against choosing it without: the least mean
/// less the mean of the least E[figure | input], which is regressed on the input by a parabola (M. Strong, J. Oakley, A. Brennan,
/// Medical Decision Making 34, 2014, section "regression"). `figures` by plan, then sample; samples in which one has none (not a
/// number) are left out. At least 0; 0 where fewer than ten are left.
[[nodiscard]] double value_of_knowing(const std::vector<std::span<const double>>& figures, std::span<const double> input);

} // namespace costcurve::model
