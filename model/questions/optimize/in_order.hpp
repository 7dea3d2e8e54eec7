// Work served by a pool that is first in every route. It depends on the pool's units only, whatever other pools there are.
#pragma once

#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

/// Whether every inference workload that may run on the pool is routed in order, with this pool first.
[[nodiscard]] bool is_first_in_routes(const Compiled& compiled, std::size_t pool);

/// Demand of each workload in units/s in a distinct hour of the month; 0 for deferrable workloads.
[[nodiscard]] std::vector<double> hour_demand(const Compiled& compiled, std::size_t m, std::size_t hour);

/// Demand left over by the pool's devices, by workload, and the number of busy devices. Whole replicas are placed, one workload
/// after another, as in dispatch_month.
struct OrderedHour {
    std::vector<double> left;
    double busy = 0.0;
};
[[nodiscard]] OrderedHour serve_in_order(const Compiled& compiled, std::size_t pool, std::size_t m, std::vector<double> demand,
                                         double devices);

/// The line least + slope x units.
struct UnitLine {
    double least = 0.0;
    double slope = 0.0;
};
/// The lower convex hull of values at 0, 1, 2 … units, as lines through its corners: at most 24 lines.
[[nodiscard]] std::vector<UnitLine> hull_of(const std::vector<double>& values);

} // namespace costcurve::model
