// What the pool that stands first in every route serves: its units say it by themselves, whatever else there is.
#pragma once

#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

/// Whether every inference workload that may run on the pool is routed in order and has it first.
[[nodiscard]] bool is_first_in_routes(const Compiled& compiled, std::size_t pool);

/// Units/s by workload in a distinct hour of the month; 0 of those that are deferrable.
[[nodiscard]] std::vector<double> hour_demand(const Compiled& compiled, std::size_t m, std::size_t hour);

/// What the pool's devices leave of the demand, by workload, and how many of them are busy: whole replicas, one workload after
/// another, as dispatch_month places them.
struct OrderedHour {
    std::vector<double> left;
    double busy = 0.0;
};
[[nodiscard]] OrderedHour serve_in_order(const Compiled& compiled, std::size_t pool, std::size_t m, std::vector<double> demand,
                                         double devices);

/// A line least + slope x units.
struct UnitLine {
    double least = 0.0;
    double slope = 0.0;
};
/// The lower convex hull of values at 0, 1, 2 … units, as lines through its corners: at most 24 of them.
[[nodiscard]] std::vector<UnitLine> hull_of(const std::vector<double>& values);

} // namespace costcurve::model
