// Branch and bound with descent, where there are too many plans to evaluate each. Knows no uncertain future but its judges.
#pragma once

#include "model/questions/optimize/bound.hpp"
#include "model/questions/optimize/plan_values.hpp"

namespace costcurve::model {

/// Boxes of plans in the order of their linear bounds, plans near each solution evaluated, each better one improved by single and
/// paired steps. One use; refers to all that it is given.
class PlanSearch {
public:
    PlanSearch(const Scenario& scenario, const OptimizeQuestion& question, const OptimizeEffort& effort, PlanValues& plans,
               const Box& all);

    /// False where the runner was told to stop. `bound` holds in any case.
    bool run(const Plan& stated);

    double bound = -HUGE_VAL; ///< no plan comes to less, or to `effort.cutoff`, whichever is less
    std::size_t bounds = 0;   ///< linear programmes solved

private:
    struct Node {
        Box box;
        Bound bound;
        std::size_t number = 0; ///< ties go by age
        bool operator<(const Node& other) const {
            return bound.value != other.bound.value ? bound.value > other.bound.value : number > other.number;
        }
    };

    [[nodiscard]] std::optional<std::size_t> opens(const Box& box) const;
    [[nodiscard]] static std::size_t branch_on(const Node& node);
    [[nodiscard]] std::vector<Box> branches_of(const Node& node) const;
    Bound solve(const Box& box);
    [[nodiscard]] bool spent();
    [[nodiscard]] double worthwhile(double gap) const;
    bool descend(Plan plan);
    bool look_at(const std::vector<Plan>& some);
    bool branch(Node root);

    const OptimizeQuestion& question_;
    const OptimizeEffort& effort_;
    PlanValues& plans_;
    const Box all_;
    std::unique_ptr<LinearBound> linear_; ///< null over an uncertain future, and where no bound is known
    double raised_ = -HUGE_VAL;           ///< the bound when it last rose enough to go on,
    std::size_t raised_at_ = 0;           ///< and the programmes solved by then
};

} // namespace costcurve::model
