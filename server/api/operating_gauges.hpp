// Gauges that alerts of an operator need: readiness, deliveries, recalculations, the process. Reads the store; keeps nothing.
#pragma once

#include <vector>

#include "server/api/metrics.hpp"

namespace costcurve::api {

struct Service;

/// Computed anew by each call, in a few reads of the store that do not grow with it. Thread-safe. A store that can't be written is
/// told by `costcurve_ready`; one that can't be read throws StoreError.
[[nodiscard]] std::vector<Gauge> operating_gauges(Service& service);

} // namespace costcurve::api
