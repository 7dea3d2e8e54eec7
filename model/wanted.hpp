// Which parts of a summary a question reads, so that the others are not summed up in each of its evaluations.
#pragma once

#include "model/summary.hpp"

namespace costcurve::model {

/// Totals, feasibility, terminal values and the units of workloads are there always; a part that is not wanted is empty, or 0.
struct Wanted {
    bool pools = false;     ///< pools and sites
    bool workloads = false; ///< what workloads bear, and nobody, and tags; with the pools
    bool months = false;    ///< each month of its own
    bool warnings = false;  ///< with the pools

    [[nodiscard]] bool needs_pools() const { return pools || workloads || warnings; }
    void add(const Wanted& other) {
        pools = pools || other.pools;
        workloads = workloads || other.workloads;
        months = months || other.months;
        warnings = warnings || other.warnings;
    }
};
inline constexpr Wanted kEverything{true, true, true, true};

/// As summarize of summary.hpp, to the bit, in the parts that are wanted.
[[nodiscard]] Summary summarize(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger, const Wanted& wanted);

} // namespace costcurve::model
