// What a sample's factors make of a workload and of an option.
#pragma once

#include <vector>

#include "model/questions/rank/probabilities.hpp"

namespace costcurve::model {

[[nodiscard]] double factor_of(const FactorDraw& draw, RankFactor factor);

/// Its units, in all months.
void multiply_demand(Workload& workload, double factor);

/// Prices, and rates: by workload, `estimated` is the draw of its device and model (draw_estimated). Latencies stay.
void apply_draw(const FactorDraw& draw, const std::vector<double>& estimated, Option& option);

} // namespace costcurve::model
