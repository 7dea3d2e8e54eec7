// Whether a scenario can do its work, and what should be known of its result.
#pragma once

#include "model/summary.hpp"

namespace costcurve::model {

/// What the work lacks, into `infeasible_because` and `loses_too_much`. A workload that prices what is left undone may leave it.
void judge(const ScenarioDocument& document, const Compiled& compiled, const Ledger& ledger, Summary& summary);

/// The scenario's warnings, and those that follow from the result.
void warn(const Scenario& scenario, const Compiled& compiled, Summary& summary);

} // namespace costcurve::model
