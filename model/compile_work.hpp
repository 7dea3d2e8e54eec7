// Compiles workloads and their runs_on entries: demand, rates, prices per unit, learning.
#pragma once

#include "model/assets.hpp"
#include "model/compile.hpp"
#include "model/sampler.hpp"

namespace costcurve::model {

/// Fraction of its full rates that a pool reaches by month, counted from the first month it serves. Empty if it has no ramp.
[[nodiscard]] std::vector<double> compile_ramp(const Pool& pool, const ScenarioDocument& document);

/// The largest number of hosts of a pool that replicas may use at once, plus one.
[[nodiscard]] double most_hosts(const CompiledPool& pool);

/// Whether the pool can serve in some month, so that work is routed to it: it has servers past their ramp, rented cloud instances,
/// or an API rate limit above 0.
[[nodiscard]] bool has_capacity(const Compiled& compiled, const ScenarioDocument& scenario, std::size_t pool);

/// Compiles entry `place` of a workload's runs_on list; the caller sets the indices of pool and workload.
[[nodiscard]] CompiledEntry compile_entry(const ScenarioDocument& document, const Workload& workload, std::size_t place,
                                          const Pool& pool, const CompiledPool& compiled_pool, const Sampler& sampler);

/// Compiles a workload's demand or work and its routing; the caller sets its entry range.
[[nodiscard]] CompiledWorkload compile_workload(const Workload& workload, Sampler& sampler);

/// Sets the spare replicas of a workload and its has_outages.
void keep_spares(const Workload& workload, CompiledWorkload& target, const Compiled& compiled);

/// Computes replicas up and rates by month for entries on pools whose failures depend on server age; leaves other entries
/// unchanged.
void age_entries(const ScenarioDocument& document, const std::vector<OwnedSchedule>& schedules, Compiled& compiled);

} // namespace costcurve::model
