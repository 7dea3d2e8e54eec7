// What a scenario costs whatever its load: the ledger that every evaluation starts from.
#pragma once

#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

/// Fills `compiled.fixed`, `flows`, `terminal` and the present values of capital and its tax credit. All else of `compiled` stands;
/// `schedules` are those of the owned pools, by pool.
void add_fixed_costs(const Scenario& scenario, const std::vector<OwnedSchedule>& schedules, Compiled& compiled);

/// Whether the pool can serve in some month, so that work is brought to it: servers past their ramp, a cloud pool that is there
/// with instances, an API with a bound above 0.
[[nodiscard]] bool has_capacity(const Compiled& compiled, const ScenarioDocument& scenario, std::size_t pool);

} // namespace costcurve::model
