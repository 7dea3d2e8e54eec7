// Plans that are there already, as the ranking makes them: how likely each is the best, sized anew in every sample.
#pragma once

#include "model/questions/alternatives.hpp"
#include "model/questions/rank/probabilities.hpp"

namespace costcurve::model {

/// A plan's document as the ways that it is made of.
struct PlanWays {
    Option base;
    std::optional<Option> burst;
};
/// Nothing where the ranking would not make it so: it has one pool, or a base and a burst; every workload runs on each of them in
/// this order; and the size is all that is stated of the pools' use.
[[nodiscard]] std::optional<PlanWays> ways_of(const ScenarioDocument& plan);

/// How often each plan is the best.
struct BestShares {
    std::vector<double> shares; ///< by plan; ties share a sample
    double none = 0.0;          ///< samples in which none can do the work
    std::size_t running = 0;    ///< plans that can do it as they are
};
/// The shares that the ranking would give them if they were all in its running: the same for the same seed. What can't do the work
/// as it is stated is not the best in any sample. Nothing where one is no plan as ways_of tells, or they are not of one work; an
/// empty failure where the runner was told to stop.
[[nodiscard]] Result<std::optional<BestShares>> shares_of_best(const std::vector<Placed>& plans, std::size_t samples,
                                                               std::uint64_t seed, bool ignore_unserved, const Runner& runner);

} // namespace costcurve::model
