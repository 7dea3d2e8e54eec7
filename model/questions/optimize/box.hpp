// Boxes of plans for the search: all plans between a lowest and a highest plan.
#pragma once

#include <vector>

#include "model/questions/optimize/plan.hpp"

namespace costcurve::model {

/// All plans with each value in [low, high].
struct Box {
    Plan low;
    Plan high;
};

/// Number of plans in the box, at most 1e15.
[[nodiscard]] double plans_in(const Box& box);

[[nodiscard]] std::vector<Plan> all_plans(const Box& box);

/// A whole plan near `values`: each value plus `up`, rounded down and clamped to the box.
[[nodiscard]] Plan rounded(const std::vector<double>& values, const Box& box, double up);

/// Plans of the box that differ by a small or large step in one decision, or (if decisions are few) by one step up and one down.
[[nodiscard]] std::vector<Plan> neighbours(const Plan& plan, const Box& box);

} // namespace costcurve::model
