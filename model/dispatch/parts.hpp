// Functions shared by the routing of inference and of deferrable work.
#pragma once

#include <algorithm>
#include <cmath>

#include "model/dispatch/dispatch.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

constexpr double kNoWork = 1e-12; ///< fraction of an hour's demand that counts as 0

[[nodiscard]] inline double serving_devices(const CompiledPool& pool, std::size_t m) {
    return pool.units_serving[m] * pool.devices_per_unit;
}

/// Whether the workload may be routed in several ways.
[[nodiscard]] inline bool has_choice(const CompiledWorkload& workload) {
    return workload.cheapest && workload.end_entry - workload.first_entry > 1;
}

/// Computes an entry's marginal price per unit by hour, including energy and carbon; `fixed` is the price without these.
void price_entry(const Compiled& compiled, const CompiledEntry& entry, double fixed, std::size_t m, const MonthView& month,
                 const Workspace& work, double* prices);

/// Whether a < b by more than a difference in the 9th significant digit.
[[nodiscard]] bool costs_less(double a, double b);

/// Fills work.order with the entries by ascending price in the hour; entries of equal price stay in list order.
void sort_route(const CompiledWorkload& workload, std::size_t hour, Workspace& work);

/// Initialises work.unserved to the month's demand of an inference workload, in units/s. For outages or shares, also sets
/// work.demand and zeroes work.room.
void begin_inference(const CompiledWorkload& workload, std::size_t w, std::size_t m, const MonthView& month, Workspace& work);

/// Serves an entry in the hours [first, first + n), which aren't folded. Writes units/s to `served` and devices to `held`, which
/// are arrays of all hours. `is_last`: no entry of the workload follows.
void take_hours(const Compiled& compiled, std::size_t e, std::size_t m, std::size_t first, std::size_t n, bool is_last,
                Workspace& work, double* served, double* held);

/// Books an entry's work of a month; the arguments are sums over hours of units/s and of devices held.
void book_entry(const Compiled& compiled, std::size_t e, std::size_t m, double units_per_s, double devices, Ledger& ledger);

/// Serves work.unserved by an entry in all hours, without booking. Returns sums over hours of units/s and of devices held, and the
/// largest rest of an hour. With outages or phases, hourly values are in work.served and work.held.
[[nodiscard]] kernels::Served serve_hours(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month,
                                          Workspace& work);

/// As serve_hours, and books the result. Returns the largest demand left in any hour.
double serve_entry(const Compiled& compiled, std::size_t e, std::size_t m, const MonthView& month, Workspace& work);

/// Dispatches one month of a pair after begin_inference: the second entry gets the demand whose prompts the first has read. With
/// outages, served answers are multiplied by the fraction of prompts read, as both pools fail independently. This is exact if one
/// of them serves all or nothing, otherwise a lower bound.
void dispatch_pair(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                   Workspace& work);

/// Dispatches one month of an inference workload in list order.
void dispatch_inference(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                        const MonthView& month, Workspace& work);

/// Dispatches one month of all inference by the lowest bill of each hour (model.md, section 6, "The cheapest").
void dispatch_by_bill(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work);

/// Fills routing.bill with the cost of each hour for the current state of the pools, before gangs.
void bill_hours(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work, Workspace::Routing& routing);

/// Number of replicas that fit into the free devices.
[[nodiscard]] inline double whole_replicas(double free, const Workspace::Part& part) {
    return std::max(0.0, std::floor(free * part.per_held + part.over));
}

/// Initialises work.parts for a workload's entries in the month: entry by entry, with the phases of an hour for each.
void begin_parts(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, Workspace& work);

/// Serves the hour whose phases begin at `first`: each entry serves its plan in work.parts, then the others' rest and `unplanned`
/// (0 if an hour has several phases). Reads work.demand, writes work.room and work.unserved.
void serve_parts(const Compiled& compiled, const CompiledWorkload& workload, std::size_t first, double unplanned, Workspace& work);

/// Plans an hour of a workload by its shares and serves it.
void share_hour(const Compiled& compiled, const CompiledWorkload& workload, std::size_t first, Workspace& work);

/// Dispatches one month of an inference workload with shares, after begin_inference.
void dispatch_by_share(const Compiled& compiled, const CompiledWorkload& workload, std::size_t m, const MonthView& month,
                       Workspace& work);

/// Serves an inference workload's hour h in chunks by price; work.marginal has each entry's price without its instances.
void fill_hour(const Compiled& compiled, const CompiledWorkload& workload, std::size_t h, Workspace& work);

/// Dispatches one month of training or batch work to the capacity that inference left.
void dispatch_deferrable(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, std::size_t m,
                         const MonthView& month, Workspace& work);

} // namespace costcurve::model
