// What evaluations of scenarios take, estimated beforehand.
#pragma once

#include <cstddef>
#include <vector>

#include "model/questions/alternatives.hpp"

namespace costcurve::model {

/// Within a factor of some three on a core of 2025.
struct EvaluationCost {
    double seconds = 0.0;  ///< of one core
    std::size_t bytes = 0; ///< held at once
};

/// So many evaluations of each scenario, one of each held at once. Measured: docs/decisions/0046.
[[nodiscard]] EvaluationCost cost_of_evaluations(const std::vector<Placed>& scenarios, double evaluations);

} // namespace costcurve::model
