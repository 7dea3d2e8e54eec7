// Existing plans as the ranking builds them: how likely each is the best, sized again in every sample.
#pragma once

#include "model/questions/alternatives.hpp"
#include "model/questions/rank/probabilities.hpp"

namespace costcurve::model {

/// A plan's document as one option or two.
struct PlanWays {
    Option base;
    std::optional<Option> burst;
};
/// The plan's options. Nothing unless it has one pool, or a base and a burst, every workload runs on all pools in this order, and
/// sizes are the only settings of the pools' use.
[[nodiscard]] std::optional<PlanWays> ways_of(const ScenarioDocument& plan);

/// How often each plan is the best over the samples.
struct BestShares {
    std::vector<double> shares; ///< by plan; equal plans share a sample
    double none = 0.0;          ///< share of samples in which no plan does the work
    std::size_t running = 0;    ///< plans that do the work at their own size
};
/// The shares that the ranking would give these plans if it compared them all; the same for the same seed. A plan that can't do the
/// work at its own size is never the best. Nothing if ways_of finds no ways for some plan, or the plans' work differs. An empty
/// failure if the runner was stopped.
[[nodiscard]] Result<std::optional<BestShares>> shares_of_best(const std::vector<Placed>& plans, std::size_t samples,
                                                               std::uint64_t seed, bool ignore_unserved, const Runner& runner);

} // namespace costcurve::model
