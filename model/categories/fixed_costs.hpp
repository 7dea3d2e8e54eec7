// What a scenario costs whatever its load: the ledger that every evaluation starts from.
#pragma once

#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

/// Fills `compiled.fixed`, `flows`, `terminal` and the present values of capital and its tax credit. All else of `compiled` stands;
/// `schedules` are those of the owned pools, by pool.
void add_fixed_costs(const Scenario& scenario, const std::vector<OwnedSchedule>& schedules, Compiled& compiled);

} // namespace costcurve::model
