// Restores whole units in the bound: mixed-integer rounding cuts for the hours of a block, for pools that follow demand.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/compile.hpp"
#include "model/questions/optimize/linear_program.hpp"

namespace costcurve::model {

/// Columns of serving whole units (servers or instances) by pool. Empty if the pool has none or serves nothing in the month.
struct MonthColumns {
    std::vector<std::optional<std::size_t>> units;
};

/// Demand of a workload in the hours of a block, and columns that serve it without units, as shares of the mean demand.
struct BlockWorkload {
    std::size_t workload = 0;
    double mean = 0.0;                  ///< units/s
    std::vector<double> hourly;         ///< units/s, by member of the block
    std::vector<LinearTerm> continuous; ///< APIs' shares, and the unserved share
};

struct BlockDemand {
    std::vector<BlockWorkload> workloads;
    std::span<const std::uint32_t> members;
    const double* weights = nullptr; ///< by hour
    double hours = 0.0;
};

/// A valid inequality: the sum of the terms is at least `least` in every plan with whole units.
struct RoundingCut {
    std::vector<LinearTerm> terms;
    double least = 0.0;
};

/// Cuts for each pool that follows demand: one for each workload that may run there and one for all of them together (the prompts
/// of a pair count alone). An hour's demand, in units of the pool, gives sum a[p] U[p] + s >= b with whole U and s >= 0. It follows
/// that sum (floor(a) + min(1, frac(a) / frac(b))) U + s / frac(b) >= ceil(b) (G. L. Nemhauser and L. A. Wolsey, "A recursive
/// procedure to generate all cuts for 0-1 mixed integer programs", Mathematical Programming 46, 1990). The cut of a block is the
/// mean of its hours' cuts, with the largest factor of each column.
[[nodiscard]] std::vector<RoundingCut> rounding_cuts(const Compiled& compiled, const MonthColumns& columns,
                                                     const BlockDemand& demand);

} // namespace costcurve::model
