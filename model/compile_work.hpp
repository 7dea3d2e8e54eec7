// Compiles work and where it may run: demand, rates, prices a unit, learning.
#pragma once

#include "model/compile.hpp"
#include "model/sampler.hpp"

namespace costcurve::model {

/// The part of its rates that a pool has learned, by month: from the first in which it serves. Empty where it has no ramp.
[[nodiscard]] std::vector<double> compile_ramp(const Pool& pool, int months);

/// The largest number of a pool's hosts on which replicas may stand at once, and one more.
[[nodiscard]] double most_hosts(const CompiledPool& pool);

/// An entry of a workload's route; the indices of both are the caller's.
[[nodiscard]] CompiledEntry compile_entry(const Workload& workload, const RunsOn& runs_on, const Pool& pool,
                                          const CompiledPool& compiled_pool, const Finance& finance, const Sampler& sampler);

/// Demand or work of a workload, and how it is routed; its entries are the caller's.
[[nodiscard]] CompiledWorkload compile_workload(const Workload& workload, Sampler& sampler);

} // namespace costcurve::model
