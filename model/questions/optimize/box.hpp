// Boxes of plans: those between two, as a search looks at them.
#pragma once

#include <vector>

#include "model/questions/optimize/plan.hpp"

namespace costcurve::model {

/// Plans between two, the ends included.
struct Box {
    Plan low;
    Plan high;
};

/// How many plans it holds; 1e15 where they are more.
[[nodiscard]] double plans_in(const Box& box);

[[nodiscard]] std::vector<Plan> all_plans(const Box& box);

/// The whole plan near `values`: each plus `up`, rounded down, and inside of the box.
[[nodiscard]] Plan rounded(const std::vector<double>& values, const Box& box, double up);

/// One step of each decision, small and large, and one up with another down (of few decisions); inside of the box.
[[nodiscard]] std::vector<Plan> neighbours(const Plan& plan, const Box& box);

} // namespace costcurve::model
