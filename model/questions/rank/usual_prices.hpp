// Prices that stand for a range of them: of used servers, and of spot.
#pragma once

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// What a used server fetches, where nothing is stated but a number: the same for all, so that a sale at book value decides
/// nothing. The points of residual.gpu-server (deploy/catalog), which has the source.
[[nodiscard]] Rate default_resale();

/// A spot price as the median of its points in the 90 days up to the last, of which day it is: the last point is one of many.
[[nodiscard]] Rate usual_price(const Rate& price);

} // namespace costcurve::model
