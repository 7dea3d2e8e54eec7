// Estimates the time and memory of evaluations before they run.
#pragma once

#include <cstddef>
#include <vector>

#include "model/questions/alternatives.hpp"

namespace costcurve::model {

/// Estimate for one 2025 CPU core, accurate within a factor of about three.
struct EvaluationCost {
    double seconds = 0.0;  ///< on one core
    std::size_t bytes = 0; ///< held at once
};

/// Cost of `evaluations` evaluations of each scenario, with one of each held in memory at once. Measured: docs/decisions/0046.
[[nodiscard]] EvaluationCost cost_of_evaluations(const std::vector<Placed>& scenarios, double evaluations);

} // namespace costcurve::model
