// Counts the plans of a box, rounds a relaxed plan and lists neighbouring plans.
#include "model/questions/optimize/box.hpp"

#include <algorithm>
#include <cmath>

namespace costcurve::model {

namespace {

constexpr double kMaxPlans = 1e15;     // cap of the count of plans
constexpr std::size_t kMaxPaired = 12; // most decisions for which pairs are moved together

} // namespace

double plans_in(const Box& box) {
    double plans = 1.0;
    for (std::size_t d = 0; d < box.low.size(); ++d) {
        plans = std::min(kMaxPlans, plans * (box.high[d] - box.low[d] + 1.0));
    }
    return plans;
}

std::vector<Plan> all_plans(const Box& box) {
    std::vector<Plan> plans;
    plans.reserve(static_cast<std::size_t>(plans_in(box)));
    Plan plan = box.low;
    if (plan.empty()) { // only choices are decided, so there is one plan
        return {plan};
    }
    for (std::size_t d = 0; d < plan.size();) {
        if (d == 0) {
            plans.push_back(plan);
        }
        if (plan[d] < box.high[d]) {
            ++plan[d];
            d = 0;
        } else {
            plan[d] = box.low[d];
            ++d;
        }
    }
    return plans;
}

Plan rounded(const std::vector<double>& values, const Box& box, double up) {
    Plan plan(values.size());
    for (std::size_t d = 0; d < plan.size(); ++d) {
        plan[d] = std::clamp(static_cast<int>(std::floor(values[d] + up)), box.low[d], box.high[d]);
    }
    return plan;
}

std::vector<Plan> neighbours(const Plan& plan, const Box& box) {
    std::vector<Plan> found;
    const auto add = [&](Plan next) {
        for (std::size_t d = 0; d < next.size(); ++d) {
            if (next[d] < box.low[d] || next[d] > box.high[d]) {
                return;
            }
        }
        found.push_back(std::move(next));
    };
    const auto moved = [](Plan next, std::size_t d, int by) {
        next[d] += by;
        return next;
    };
    for (std::size_t d = 0; d < plan.size(); ++d) {
        for (int step = 1; step <= std::max(1, (box.high[d] - box.low[d]) / 2); step *= 3) {
            add(moved(plan, d, step));
            add(moved(plan, d, -step));
        }
        for (std::size_t e = 0; e < plan.size() && plan.size() <= kMaxPaired; ++e) {
            if (e != d) {
                add(moved(moved(plan, d, 1), e, -1));
            }
        }
    }
    return found;
}

} // namespace costcurve::model
