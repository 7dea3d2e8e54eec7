// Plans that were evaluated, each once, on as many workers as there are.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "model/questions/optimize/optimize.hpp"

namespace costcurve::model {

/// What a plan comes to, or the rules that it breaks. One thread at a time.
using Judge = std::function<Result<Outcome>(const Plan& plan)>;

class PlanValues {
public:
    /// Refers to all of them; every worker has a judge of its own.
    PlanValues(const Placed& scenario, const std::vector<Decision>& decisions, const Limits& limits, const Runner& runner,
               std::function<Judge(std::size_t worker)> make_judge);

    /// Evaluates those that were not before. False where the runner was told to stop: none of them counts then.
    bool evaluate(const std::vector<Plan>& plans);

    /// Of two that were evaluated: possible before impossible, then the lesser excess over limits, then the lesser objective, then
    /// the lesser numbers. Objectives are equal where they agree to 1e-12.
    [[nodiscard]] bool is_better(const Plan& a, const Plan& b) const;
    /// The best that keeps all limits; null where none does.
    [[nodiscard]] const RankedPlan* best() const { return best_ ? &*best_ : nullptr; }
    [[nodiscard]] std::vector<RankedPlan> runners_up(std::size_t most) const;
    /// Which limits no plan keeps, and by how much.
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
    Failure first_failure_; ///< of a plan that rules forbid
};

} // namespace costcurve::model
