// Compiles work and where it may run: demand, rates, prices a unit, learning.
#pragma once

#include "model/assets.hpp"
#include "model/compile.hpp"
#include "model/sampler.hpp"

namespace costcurve::model {

/// The part of its rates that a pool has learned, by month: from the first in which it serves. Empty where it has no ramp.
[[nodiscard]] std::vector<double> compile_ramp(const Pool& pool, const ScenarioDocument& document);

/// The largest number of a pool's hosts on which replicas may stand at once, and one more.
[[nodiscard]] double most_hosts(const CompiledPool& pool);

/// Whether the pool can serve in some month, so that work is brought to it: servers past their ramp, a cloud pool that is there
/// with instances, an API with a bound above 0.
[[nodiscard]] bool has_capacity(const Compiled& compiled, const ScenarioDocument& scenario, std::size_t pool);

/// An entry of a workload's route, by its place there; the indices of both are the caller's.
[[nodiscard]] CompiledEntry compile_entry(const ScenarioDocument& document, const Workload& workload, std::size_t place,
                                          const Pool& pool, const CompiledPool& compiled_pool, const Sampler& sampler);

/// Demand or work of a workload, and how it is routed; its entries are the caller's.
[[nodiscard]] CompiledWorkload compile_workload(const Workload& workload, Sampler& sampler);

/// Spares of a workload, and whether anything of it fails.
void keep_spares(const Workload& workload, CompiledWorkload& target, const Compiled& compiled);

/// Computes replicas up and rates month by month for entries on pools whose servers fail by age. Other entries stay as they
/// are.
void age_entries(const ScenarioDocument& document, const std::vector<OwnedSchedule>& schedules, Compiled& compiled);

} // namespace costcurve::model
