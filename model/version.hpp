// The version of the model's formulas: it changes when the same inputs give other figures, or another `inputs_hash`.
#pragma once

#include <string_view>

namespace costcurve::model {

inline constexpr std::string_view kModelVersion = "2.8.0";

} // namespace costcurve::model
