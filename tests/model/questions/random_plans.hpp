// Small random problems of the optimizer, from a seed, and their answers by brute force.
#pragma once

#include <cstdint>
#include <map>

#include "model/questions/optimize/optimize.hpp"

namespace costcurve::tests {

struct RandomProblem {
    model::ScenarioDocument scenario;
    model::OptimizeQuestion question;
};

/// One to three workloads on two or three pools of all kinds, one to four months, curves over the hour of the day, in six of ten
/// hosts that fail and spares; two or three decisions, at most a few hundred plans. The same seed gives the same problem.
[[nodiscard]] RandomProblem random_problem(std::uint64_t seed);

/// A plan written into the documents, as a person would.
[[nodiscard]] model::ScenarioDocument with_plan(model::ScenarioDocument scenario, const std::vector<model::Decide>& decide,
                                                const model::Plan& plan);

/// Objective of every plan that keeps its limits, each evaluated from its own document.
[[nodiscard]] std::map<model::Plan, double> brute_force(const RandomProblem& problem);

} // namespace costcurve::tests
