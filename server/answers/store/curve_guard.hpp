// Whether a curve of prices, a tariff or one of a grid's carbon is plausible. Stores nothing.
#pragma once

#include <string>

#include "model/documents/curve.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::answers {

/// Why a curve is held; "" where it is not. `today` in days since 1970.
[[nodiscard]] std::string reason_of_curve(const storage::Snapshot& snapshot, const model::Curve& curve, double today);

} // namespace costcurve::answers
