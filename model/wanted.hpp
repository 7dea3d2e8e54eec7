// Selects the parts of a summary that a question needs, so that its evaluations skip the others.
#pragma once

#include "model/summary.hpp"

namespace costcurve::model {

/// Parts of a summary to compute. Totals, feasibility, terminal values and units of workloads are always computed. Other parts are
/// empty or 0 unless wanted.
struct Wanted {
    bool pools = false;     ///< pools and sites
    bool workloads = false; ///< costs of workloads, unallocated cost and tags; implies pools
    bool months = false;    ///< one entry for each month
    bool warnings = false;  ///< implies pools

    [[nodiscard]] bool needs_pools() const { return pools || workloads || warnings; }
    void add(const Wanted& other) {
        pools = pools || other.pools;
        workloads = workloads || other.workloads;
        months = months || other.months;
        warnings = warnings || other.warnings;
    }
};
inline constexpr Wanted kEverything{true, true, true, true};

/// As summarize in summary.hpp, bit for bit, for the wanted parts.
[[nodiscard]] Summary summarize(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger, const Wanted& wanted);

} // namespace costcurve::model
