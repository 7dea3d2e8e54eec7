// Value of one more benchmark for a choice between tied plans: the expected value of partial perfect information.
#pragma once

#include <span>
#include <vector>

namespace costcurve::model {

/// Mean saving if an input is known before the plan is chosen: the least mean figure, minus the mean of the least E[figure |
/// input]. E is a parabola regressed on the input (M. Strong, J. Oakley, A. Brennan, Medical Decision Making 34, 2014, section
/// "regression"). `figures` by plan, then sample. Samples with a figure that is not a number are left out. At least 0; 0 if fewer
/// than ten remain.
[[nodiscard]] double value_of_knowing(const std::vector<std::span<const double>>& figures, std::span<const double> input);

} // namespace costcurve::model
