// Plans judged over an uncertain future: each by the mean of what it comes to in the same samples of it (the newsvendor's problem).
#pragma once

#include <memory>
#include <optional>

#include "model/questions/chance/spread.hpp"
#include "model/questions/chance/uncertain_inputs.hpp"
#include "model/questions/optimize/plan.hpp"
#include "model/questions/runner.hpp"

namespace costcurve::model {

/// What the best plan of an uncertain future is worth (Birge and Louveaux, Introduction to Stochastic Programming, chapter 4).
struct Hedge {
    Spread spread;      ///< of the plan's objective over the samples
    Plan plan_at_means; ///< the best one were each input what it is on average
    /// By how much the mean of `plan_at_means` is above that of the best: the value of the stochastic solution. Empty where that
    /// plan breaks a limit on average.
    std::optional<double> value_of_hedging;
    /// By how much the mean would be lower were the plan made after the future is known: the expected value of perfect information.
    /// Known where every plan was evaluated and some plan keeps the limits in each sample: who knows the future keeps them in it.
    /// 0 where to keep them in each costs more than on average.
    std::optional<double> value_of_foresight;
};

/// Samples of a scenario's uncertain inputs.
struct Future {
    const Uncertainty* uncertainty;
    std::vector<std::vector<double>> draws; ///< [input][sample]
};

/// Issues: inputs that are none, that are decided as well, impossible distributions, draws that leave the range of their field. An
/// empty failure where the runner was told to stop.
[[nodiscard]] Result<Future> draw_future(const Placed& scenario, const std::vector<Decision>& decisions,
                                         const Uncertainty& uncertainty, const Runner& runner);

/// The scenario with every input at the mean of its draws.
[[nodiscard]] ScenarioDocument at_means(const ScenarioDocument& scenario, const Future& future);

/// Evaluates a plan in every sample. One thread at a time; refers to all that it is given.
class HedgeJudge {
public:
    HedgeJudge(const ScenarioDocument& scenario, const std::vector<Decision>& decisions, const Future& future, Objective objective,
               const Limits& limits);
    /// Means of the objective and of what each limit is about. Issues: rules that some sample breaks.
    [[nodiscard]] Result<Outcome> judge(const Plan& plan);
    /// Of the plan judged last, by sample.
    [[nodiscard]] const std::vector<double>& objectives() const { return objectives_; }
    /// By sample: the least objective of all plans judged that keep the limits in it; HUGE_VAL where none does.
    [[nodiscard]] const std::vector<double>& least() const { return least_; }

private:
    struct Place {
        std::size_t input;
        double multiplier; ///< of a draw
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
