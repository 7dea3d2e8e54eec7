// Evaluates plans, each only once, on all workers of the runner.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "model/questions/optimize/optimize.hpp"

namespace costcurve::model {

/// Evaluates one plan, or returns the rules that it breaks. One thread at a time.
using Judge = std::function<Result<Outcome>(const Plan& plan)>;

class PlanValues {
public:
    /// Keeps references to its arguments. `make_judge` gives every worker its own judge.
    PlanValues(const Placed& scenario, const std::vector<Decision>& decisions, const Limits& limits, const Runner& runner,
               std::function<Judge(std::size_t worker)> make_judge);

    /// Evaluates the plans that are new. False if the runner was stopped: then none of the new plans is stored.
    bool evaluate(const std::vector<Plan>& plans);

    /// Order of two evaluated plans: possible before impossible, then less excess over limits, then lower objective, then smaller
    /// numbers. Objectives within 1e-12 are equal.
    [[nodiscard]] bool is_better(const Plan& a, const Plan& b) const;
    /// The best plan that keeps all limits; null if no plan does.
    [[nodiscard]] const RankedPlan* best() const { return best_ ? &*best_ : nullptr; }
    [[nodiscard]] std::vector<RankedPlan> runners_up(std::size_t most) const;
    /// The limits that no plan keeps, and by how much they are exceeded.
    [[nodiscard]] Failure why_none(bool all_were_tried) const;

    [[nodiscard]] const Outcome& outcome(const Plan& plan) const { return outcomes_.at(plan); }
    [[nodiscard]] std::size_t evaluations() const { return outcomes_.size(); }
    [[nodiscard]] const std::vector<Decision>& decisions() const { return decisions_; }

private:
    [[nodiscard]] std::string text_of(const Plan& plan) const;

    const Placed& scenario_;
    const std::vector<Decision>& decisions_;
    const Limits& limits_;
    const Runner& runner_;
    std::function<Judge(std::size_t worker)> make_judge_;
    std::vector<Judge> judges_; ///< by worker
    std::map<Plan, Outcome> outcomes_;
    std::optional<RankedPlan> best_;
    Failure first_failure_; ///< the failure of the first plan that rules forbid
};

} // namespace costcurve::model
