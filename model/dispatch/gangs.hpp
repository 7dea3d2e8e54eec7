// Gangs of training and batch work in the hours of a month: what fits, what it holds, what it does.
#pragma once

#include "model/dispatch/dispatch.hpp"

namespace costcurve::model {

inline constexpr double kNegligibleWork = 1e-12; ///< of the month's work, or of the month

/// Runs gangs in the hours of a pool at the given fraction of those that fit.
struct GangShare {
    double devices;   ///< of a gang
    double held;      ///< of its hosts
    double instances; ///< of a gang on a cloud pool, 0 on an owned one
    double fraction;
    double working; ///< the part of the time in which it works; the rest it starts
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

/// Gang-hours of a month: those that work, and those that are held, starts among them.
struct GangHours {
    double worked = 0.0;
    double held = 0.0;
};

/// Of `units` in as many or fewer: work that fits is done to the last unit, for what rounding leaves must not start a gang
/// elsewhere.
[[nodiscard]] inline double done_of(double units, double ran) { return ran >= units * (1 - kNegligibleWork) ? units : ran; }

/// Fills work.gangs: those that fit beside what inference and earlier work left.
void find_gangs(const Compiled& compiled, const CompiledEntry& entry, std::size_t m, const MonthView& month, Workspace& work);
void book_gangs(const CompiledEntry& entry, const GangHours& run, std::size_t m, Workspace& work);
[[nodiscard]] double units_per_gang_hour(const Compiled& compiled, const CompiledEntry& entry, std::size_t m);

/// One month of a run, whose route stands in work.order; gives what is left of its units.
[[nodiscard]] double dispatch_run(const Compiled& compiled, const CompiledWorkload& workload, std::size_t w, double units,
                                  std::size_t m, const MonthView& month, Workspace& work);

} // namespace costcurve::model
