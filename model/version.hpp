// The version of the model's formulas: it changes when the same inputs give other figures.
#pragma once

#include <string_view>

namespace costcurve::model {

inline constexpr std::string_view kModelVersion = "1.0.0";

} // namespace costcurve::model
