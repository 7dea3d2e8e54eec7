// Costs that don't depend on load: the ledger that every evaluation starts from.
#pragma once

#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

/// Fills `compiled.fixed`, `flows`, `terminal` and the present values of capital and its tax deductions. All else of `compiled`
/// must be complete. `schedules` has one entry for each pool, set for owned ones.
void add_fixed_costs(const Scenario& scenario, const std::vector<OwnedSchedule>& schedules, Compiled& compiled);

} // namespace costcurve::model
