// Gauges that alerts of an operator need: readiness, deliveries, recalculations, the process. Reads the store; keeps nothing.
#pragma once

#include <vector>

#include "server/api/metrics.hpp"

namespace costcurve::api {

struct Service;

/// Computes the gauges with a few reads whose cost doesn't grow with the store. Thread-safe. `costcurve_ready` reports an
/// unwritable store; an unreadable one throws StoreError.
[[nodiscard]] std::vector<Gauge> operating_gauges(Service& service);

} // namespace costcurve::api
