// Whole replicas on whole instances: the fewest demand-following instances that an hour needs beside always-there capacity.
#pragma once

#include <optional>
#include <vector>

#include "model/compile.hpp"
#include "model/questions/optimize/in_order.hpp"

namespace costcurve::model {

/// A lower bound on the running instances, averaged over a month's hours: instances + Σ relief × units/s of each workload served
/// without devices or left unserved >= least + slope × always-there devices.
struct BurstLine {
    double least = 0.0;
    double first_slope = 0.0; ///< for the pool that is first in every route, if there is one
    double slope = 0.0;       ///< for the other pools
};

/// Lines of one month. `relief` is the drop in an hour's instances per unit/s that needs no device, by workload (0: not in the
/// lines).
struct BurstCuts {
    std::vector<BurstLine> lines;
    std::vector<double> relief;
    std::optional<std::size_t> first = std::nullopt; ///< index of the pool that is first in every route
};

/// Capacity that may serve in a month, by pool.
struct MonthPools {
    std::vector<bool> follows;            ///< whether the pool's instances follow demand
    std::vector<std::optional<int>> most; ///< greatest number of always-there units; empty if the pool has none
};

/// Lower bounds on instances for bursts. In an hour with D always-there devices, workload w with demand d[w] places n[w] whole
/// replicas on these devices (at its best rate R[w], held[w] devices each) and the rest on demand-following instances (at its best
/// rate r[w]). The number of instances is at least F(D) = ceil(min over n with sum held n <= D of sum held ceil((d - R n) / r) /
/// devices of an instance), by dynamic programming over D.
/// D is the same in all hours of the month. So the lower convex hull of F's mean over these hours, over all D that whole units can
/// give, bounds every whole plan. Demand that is served otherwise counts from a hundredth of a replica on.
/// If one always-there pool is first in every in-order route, its devices alone determine the demand left for other pools. This
/// gives further lines under the F of these devices, lifted for the devices of other pools (Nemhauser and Wolsey). No lines if a
/// workload holds fractions of devices, or if there is too much to compute.
[[nodiscard]] BurstCuts burst_cuts(const Compiled& compiled, std::size_t m, const MonthPools& pools);

} // namespace costcurve::model
