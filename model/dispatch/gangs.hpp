// Gangs of training and batch work in the hours of a month: how many fit, the devices they hold, the work they do.
#pragma once

#include "model/dispatch/dispatch.hpp"

namespace costcurve::model {

inline constexpr double kNegligibleWork = 1e-12; ///< fraction of the month's work, or of the month's hours

/// Size of a gang, and the fraction of the gangs that fit which runs in the hours of a pool.
struct GangShare {
    double devices;   ///< devices of a gang
    double held;      ///< devices of its hosts
    double instances; ///< instances of a gang on a cloud pool; 0 on an owned one
    double fraction;
    double working; ///< fraction of its time in which a gang works; the rest is start time
};
[[nodiscard]] inline GangShare gang_share(const CompiledEntry& entry, const CompiledPool& pool) {
    return {entry.devices, entry.held, pool.kind == PoolKind::cloud ? entry.instances : 0.0, 0.0, 1.0};
}
inline void run_gangs(const GangShare& share, std::size_t h, double gangs, Workspace::PoolHours& pool) {
    const double run = share.fraction * gangs;
    pool.reserved[h] += run * share.held;
    pool.busy[h] += run * share.working * share.devices;
    pool.gangs[h] += run * share.working * share.devices;
    pool.training[h] += run * share.instances;
}

/// Gang-hours of a month: working ones, and held ones including starts.
struct GangHours {
    double worked = 0.0;
    double held = 0.0;
};

/// `units` if `ran` equals them within rounding, else `ran`: a rest that is only rounding must not start a gang elsewhere.
[[nodiscard]] inline double done_of(double units, double ran) { return ran >= units * (1 - kNegligibleWork) ? units : ran; }

/// Fills work.gangs with the number of gangs that fit beside inference and earlier work.
void find_gangs(const Compiled& compiled, const CompiledEntry& entry, std::size_t m, const MonthView& month, Workspace& work);
void book_gangs(const CompiledEntry& entry, const GangHours& run, std::size_t m, Workspace& work);
[[nodiscard]] double units_per_gang_hour(const Compiled& compiled, const CompiledEntry& entry, std::size_t m);

/// Dispatches one month of a run with its route in work.order; returns the units left.
[[nodiscard]] double dispatch_run(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, double units,
                                  std::size_t m, const MonthView& month, Workspace& work);

} // namespace costcurve::model
