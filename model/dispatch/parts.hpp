// What routing inference and routing deferrable work have in common.
#pragma once

#include "model/dispatch/dispatch.hpp"

namespace costcurve::model {

[[nodiscard]] inline double serving_devices(const CompiledPool& pool, std::size_t m) {
    return pool.units_serving[m] * pool.devices_per_unit;
}

/// Marginal price a unit by hour for the entry at `place` of the route, its carbon's included; hours in work.marginal[place].
void price_entry(const Compiled& compiled, const CompiledEntry& entry, std::size_t place, std::size_t m, const MonthView& month,
                 Workspace& work);

/// Fills work.order: the least price that is left decides; of those equal to it the first in the list comes next.
void sort_route(const CompiledWorkload& workload, std::size_t hour, Workspace& work);

/// One month of an inference workload, hour by hour.
void dispatch_inference(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                        const MonthView& month, Workspace& work);

/// One month of training or batch work, into what all inference left.
void dispatch_deferrable(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                         const MonthView& month, Workspace& work);

} // namespace costcurve::model
