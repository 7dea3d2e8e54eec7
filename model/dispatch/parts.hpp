// What routing inference and routing deferrable work have in common.
#pragma once

#include <algorithm>
#include <cmath>

#include "model/dispatch/dispatch.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

constexpr double kNoWork = 1e-12; ///< of an hour's demand

[[nodiscard]] inline double serving_devices(const CompiledPool& pool, std::size_t m) {
    return pool.units_serving[m] * pool.devices_per_unit;
}

/// Whether the workload may be routed in several ways.
[[nodiscard]] inline bool has_choice(const CompiledWorkload& workload) {
    return workload.cheapest && workload.end_entry - workload.first_entry > 1;
}

/// Marginal price a unit by hour for an entry, its carbon's included; `fixed` is what it is beside energy and its carbon.
void price_entry(const Compiled& compiled, const CompiledEntry& entry, double fixed, std::size_t m, const MonthView& month,
                 const Workspace& work, double* prices);

/// Whether a is less than b beyond 9 digits.
[[nodiscard]] bool costs_less(double a, double b);

/// Fills work.order: the least price that is left decides; of those equal to it the first in the list comes next.
void sort_route(const CompiledWorkload& workload, std::size_t hour, Workspace& work);

/// Fills the month's demand of an inference workload in units/s, and what of it is not served yet: all. Where it has outages or
/// shares it is also kept in work.demand, and there is no room yet.
void begin_inference(const CompiledWorkload& workload, std::size_t w, std::size_t m, const MonthView& month, Workspace& work);

/// Serves an entry in the hours [first, first + n), which are not folded, its workload's last of these or not: what it serves
/// (units/s) and holds (devices) stands in these arrays of all hours.
void take_hours(const Compiled& compiled, std::size_t e, std::size_t m, std::size_t first, std::size_t n, bool is_last,
                Workspace& work, double* served, double* held);

/// Books what an entry serves in a month: sums over its hours of units/s and of devices held.
void book_entry(const Compiled& compiled, std::size_t e, std::size_t m, double units_per_s, double devices, Ledger& ledger);

/// Serves an entry in all hours of what work.unserved has: sums over them of units/s and of devices held, and the most that is left
/// in one. Books nothing. With outages, or where hours have phases, what it serves and holds stands in work.served and work.held.
[[nodiscard]] kernels::Served serve_hours(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month,
                                          Workspace& work);

/// The same, booked. Returns the most that is left in one of the hours.
double serve_entry(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month, Workspace& work);

/// One month of a pair, once begun: what is read of the demand is asked of the second entry. With outages the part of the prompts
/// that is read counts for each answer, as both pools fail independently: exact where one of them does all or nothing, else less
/// than both do.
void dispatch_pair(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                   Workspace& work);

/// One month of an inference workload in list order, hour by hour.
void dispatch_inference(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                        const MonthView& month, Workspace& work);

/// One month of all inference, hour by hour as the least bill has it (model.md, section 6, "The cheapest").
void dispatch_by_bill(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work);

/// Fills routing.bill: what each hour costs with the pools as they are, before gangs.
void bill_hours(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work, Workspace::Routing& routing);

/// Replicas that fit into free devices.
[[nodiscard]] inline double whole_replicas(double free, const Workspace::Part& part) {
    return std::max(0.0, std::floor(free * part.per_held + part.over));
}

/// Makes work.parts those of a workload's entries in the month: entry by entry, of each the phases of an hour.
void begin_parts(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, Workspace& work);

/// Serves the hour whose phases begin at `first` in work.parts: each entry what is planned of it, then what the others could not
/// serve and what is `unplanned`, none where an hour has several phases. work.demand is read, room and unserved are written.
void serve_parts(const Compiled& compiled, const CompiledWorkload& workload, std::size_t first, double unplanned, Workspace& work);

/// The same of an hour of a workload with shares, which are planned.
void share_hour(const Compiled& compiled, const CompiledWorkload& workload, std::size_t first, Workspace& work);

/// One month of an inference workload with shares, once begun.
void dispatch_by_share(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                       Workspace& work);

/// Serves an inference workload's hour h in chunks by their price: of each entry beside its instances it stands in work.marginal.
void fill_hour(const Compiled& compiled, const CompiledWorkload& workload, std::size_t h, Workspace& work);

/// One month of training or batch work, into what all inference left.
void dispatch_deferrable(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                         const MonthView& month, Workspace& work);

} // namespace costcurve::model
