// Branch and bound with descent, for too many plans to evaluate all. Only its judges know about an uncertain future.
#pragma once

#include "model/questions/optimize/bound.hpp"
#include "model/questions/optimize/plan_values.hpp"

namespace costcurve::model {

/// Takes boxes in the order of their linear bounds, evaluates plans near each solution, and improves each better plan by single and
/// paired steps. For one use. Keeps references to its constructor's arguments.
class PlanSearch {
public:
    PlanSearch(const Scenario& scenario, const OptimizeQuestion& question, const OptimizeEffort& effort, PlanValues& plans,
               const Box& all);

    /// Runs the search. False if the runner was stopped; `bound` is valid in any case.
    bool run(const Plan& stated);

    double bound = -HUGE_VAL; ///< lower bound on the objective of every plan, or `effort.cutoff` if that is less
    std::size_t bounds = 0;   ///< linear programmes solved

private:
    struct Node {
        Box box;
        Bound bound;
        std::size_t number = 0; ///< boxes with equal bounds are taken oldest first
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
    std::unique_ptr<LinearBound> linear_; ///< null over an uncertain future, or if no bound is known
    double raised_ = -HUGE_VAL;           ///< bound at the time when it last rose enough to go on
    std::size_t raised_at_ = 0;           ///< number of programmes solved by that time
};

} // namespace costcurve::model
