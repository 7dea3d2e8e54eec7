// Typical prices that stand for a range: resale values of servers, and spot prices.
#pragma once

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Default resale value of a server by age, for servers that state only a number. It is the same for all, so that a sale at book
/// value decides nothing. Points of residual.gpu-server (deploy/catalog), which has the source.
[[nodiscard]] Rate default_resale();

/// A spot price as the median of its points in the 90 days up to its last point, dated as the last. A single point may be an
/// outlier.
[[nodiscard]] Rate usual_price(const Rate& price);

} // namespace costcurve::model
