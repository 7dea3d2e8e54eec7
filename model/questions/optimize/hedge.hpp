// Judges plans over an uncertain future, each by the mean of its results over the same samples (as in the newsvendor problem).
#pragma once

#include <memory>
#include <optional>

#include "model/questions/chance/spread.hpp"
#include "model/questions/chance/uncertain_inputs.hpp"
#include "model/questions/optimize/plan.hpp"
#include "model/questions/runner.hpp"

namespace costcurve::model {

/// Value of planning for an uncertain future (Birge and Louveaux, Introduction to Stochastic Programming, chapter 4).
struct Hedge {
    Spread spread;      ///< spread of the best plan's objective over the samples
    Plan plan_at_means; ///< the plan that would be best if each input had its mean value
    /// The value of the stochastic solution: mean objective of `plan_at_means` less that of the best plan. Empty if `plan_at_means`
    /// breaks a limit on average.
    std::optional<double> value_of_hedging;
    /// The expected value of perfect information: how much lower the mean objective would be if the future were known before
    /// planning. Empty unless every plan was evaluated and each sample has a plan that keeps the limits; also if combinations of
    /// choices were ranked. 0 if keeping the limits in each sample costs more than keeping them on average.
    std::optional<double> value_of_foresight;
};

/// Samples of a scenario's uncertain inputs.
struct Future {
    const Uncertainty* uncertainty;
    std::vector<std::vector<double>> draws; ///< [input][sample]
};

/// Draws the samples. Issues: inputs that don't exist or are also decided, impossible distributions, draws outside the range of
/// their field. Fails without issues if the runner was stopped.
[[nodiscard]] Result<Future> draw_future(const Placed& scenario, const std::vector<Decision>& decisions,
                                         const Uncertainty& uncertainty, const Runner& runner);

/// The scenario with every uncertain input at the mean of its draws.
[[nodiscard]] ScenarioDocument at_means(const ScenarioDocument& scenario, const Future& future);

/// Evaluates a plan in every sample. One thread at a time. Keeps references to its constructor's arguments.
class HedgeJudge {
public:
    HedgeJudge(const ScenarioDocument& scenario, const std::vector<Decision>& decisions, const Future& future, Objective objective,
               const Limits& limits);
    /// Means of the objective and of each limited quantity over the samples. Issues: rules that the plan breaks in some sample.
    [[nodiscard]] Result<Outcome> judge(const Plan& plan);
    /// Objective in each sample of the plan that was judged last.
    [[nodiscard]] const std::vector<double>& objectives() const { return objectives_; }
    /// Least objective in each sample, over all judged plans that keep the limits in it. HUGE_VAL if no plan keeps them.
    [[nodiscard]] const std::vector<double>& least() const { return least_; }

private:
    struct Place {
        std::size_t input;
        double multiplier; ///< by which a draw is multiplied
    };
    PlannedVariant variant_;
    const Future& future_;
    Objective objective_;
    const Limits& limits_;
    std::vector<Place> places_;
    std::vector<double> objectives_;
    std::vector<double> least_;
};

} // namespace costcurve::model
