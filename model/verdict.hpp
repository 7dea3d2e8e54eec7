// Decides whether a scenario can do its work, and collects the warnings of its result.
#pragma once

#include "model/summary.hpp"

namespace costcurve::model {

/// Sets `infeasible_because` and `loses_too_much`. A workload with a price for unserved work may leave any of it unserved.
void judge(const ScenarioDocument& document, const Compiled& compiled, const Ledger& ledger, Summary& summary);

/// Adds the scenario's warnings and those that follow from the result to `summary`.
void warn(const Scenario& scenario, const Compiled& compiled, Summary& summary);

} // namespace costcurve::model
