// Whole replicas on whole instances: how many instances that follow demand an hour needs at least beside what is always there.
#pragma once

#include <optional>
#include <vector>

#include "model/compile.hpp"
#include "model/questions/optimize/in_order.hpp"

namespace costcurve::model {

/// A line under the mean of running instances over a month's hours: instances + sum of relief x units/s of a workload that are
/// served without devices or left undone >= least + slope x devices of what is always there.
struct BurstLine {
    double least = 0.0;
    double first_slope = 0.0; ///< of the pool that is first in every route, where there is one
    double slope = 0.0;       ///< of the others
};

/// Lines of one month, and what a unit/s that needs no device takes off an hour's instances, by workload (0: not in the lines).
struct BurstCuts {
    std::vector<BurstLine> lines;
    std::vector<double> relief;
    std::optional<std::size_t> first = std::nullopt; ///< pool
};

/// What may serve in a month, by pool.
struct MonthPools {
    std::vector<bool> follows;            ///< instances run as demand needs them
    std::vector<std::optional<int>> most; ///< units of a pool that are always there, at most; empty where it is not there
};

/// Lower bounds on instances for bursts. In an hour with D devices that are always there, workloads of demand d[w] place n[w]
/// whole replicas on these (at the best of their rates R[w], of held[w] devices) and the rest on instances that follow demand
/// (at the best r[w]). The instances are at least F(D) = ceil(min over n with sum held n <= D of sum held ceil((d - R n) / r) /
/// devices of an instance), by dynamic programming over D.
/// The lower convex hull of the mean of F over the month's hours, over all D that whole units can have, is under every whole
/// plan, since D is the same in all these hours. Demand that is served otherwise counts from a hundredth of a replica on.
/// Where one pool that is always there is first in every route in order, its devices alone determine what is left for the
/// others. Further lines are under the F of these devices, and lifted by the other devices so that they are under the F of all
/// (Nemhauser and Wolsey's lifting). No lines where a workload holds no whole devices, or where there would be too much to
/// compute.
[[nodiscard]] BurstCuts burst_cuts(const Compiled& compiled, std::size_t m, const MonthPools& pools);

} // namespace costcurve::model
