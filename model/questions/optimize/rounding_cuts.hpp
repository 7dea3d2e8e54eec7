// Whole units again: mixed-integer rounding cuts for the hours of a block, where pools follow demand.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/compile.hpp"
#include "model/questions/optimize/linear_program.hpp"

namespace costcurve::model {

/// Columns of whole units that serve, by pool: servers, or instances; empty where there is none or nothing serves.
struct MonthColumns {
    std::vector<std::optional<std::size_t>> units;
};

/// Demand of a workload in the hours of a block, and the columns that take it without any unit: shares of the mean demand.
struct BlockWorkload {
    std::size_t workload = 0;
    double mean = 0.0;                  ///< units/s
    std::vector<double> hourly;         ///< units/s, by member of the block
    std::vector<LinearTerm> continuous; ///< of APIs, and what is left undone
};

struct BlockDemand {
    std::vector<BlockWorkload> workloads;
    std::span<const std::uint32_t> members;
    const double* weights = nullptr; ///< by hour
    double hours = 0.0;
};

/// The sum of the terms is at least `least` in every plan whose units are whole.
struct RoundingCut {
    std::vector<LinearTerm> terms;
    double least = 0.0;
};

/// For each pool that follows demand, and each workload that may run there, alone and all of them together (the prompts of a pair
/// alone): an hour's demand in
/// the pool's units is sum a[p] U[p] + s >= b with whole U and s >= 0, thus
/// sum (floor(a) + min(1, frac(a) / frac(b))) U + s / frac(b) >= ceil(b) (G. L. Nemhauser and L. A. Wolsey, "A recursive
/// procedure to generate all cuts for 0-1 mixed integer programs", Mathematical Programming 46, 1990). The cut of a block is the
/// mean of those of its hours, each factor the largest of theirs.
[[nodiscard]] std::vector<RoundingCut> rounding_cuts(const Compiled& compiled, const MonthColumns& columns,
                                                     const BlockDemand& demand);

} // namespace costcurve::model
