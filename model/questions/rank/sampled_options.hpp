// Applies a sample's factors to a workload and an option.
#pragma once

#include <vector>

#include "model/questions/rank/probabilities.hpp"

namespace costcurve::model {

[[nodiscard]] double factor_of(const FactorDraw& draw, RankFactor factor);

/// Multiplies the workload's units in all months.
void multiply_demand(Workload& workload, double factor);

/// Multiplies prices and rates. `estimated` has, by workload, the draw of its device and model (draw_estimated). Latencies stay.
void apply_draw(const FactorDraw& draw, const std::vector<double>& estimated, Option& option);

} // namespace costcurve::model
