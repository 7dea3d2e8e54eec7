// Dispatch of work to pools: inference by the hour, then training and batch work by the month (model.md, section 6).
#pragma once

#include "model/evaluate.hpp"

namespace costcurve::model {

/// The hours of one month in the form that the kernels read.
struct MonthView {
    std::size_t size = 0;     ///< length of load arrays (folded or not); a multiple of kLanes
    std::size_t distinct = 0; ///< hours with a weight; the rest is padding
    std::size_t set = 0;      ///< index of the hour set
    const double* weights = nullptr;
    const std::uint32_t* firsts = nullptr; ///< by hour: the first hour of the month that it stands for
    const HourTable* table = nullptr;
    double hours = 0.0;         ///< hours in the month
    std::size_t by_hour = 0;    ///< length of arrays of weights, prices and power, which are never folded
    const Fold* fold = nullptr; ///< fold of load arrays; null: not folded

    /// The hourly values of a signal; null if it is flat within the month.
    [[nodiscard]] const double* values(const Signal& signal) const {
        return signal.curve == Signal::kFlat ? nullptr : table->values_of(set, static_cast<std::size_t>(signal.curve));
    }
};

/// The hourly values of a signal; ones if it is flat.
[[nodiscard]] inline const double* hourly(const Signal& signal, const MonthView& month, const Workspace& work) {
    const double* const values = month.values(signal);
    return values == nullptr ? work.ones.data() : values;
}
[[nodiscard]] MonthView view_month(const Compiled& compiled, std::size_t month);

/// The month with folded load arrays, if its hour set has a fold.
[[nodiscard]] MonthView folded(MonthView month);
/// The weighted sum of a load array over the month's hours.
[[nodiscard]] double sum_over_hours(const MonthView& month, const double* load);

/// Unfolds a load array in place; `scratch` has the same size.
void unfold(const MonthView& month, std::vector<double>& load, std::vector<double>& scratch);

/// Initialises the pool's arrays to an idle pool in the month, unless they are initialised already.
void touch(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work);

/// Lowers `instances` from those that hold inference's devices to the mean that runs over the hour. Instances needed only in
/// outages run for the outages' fraction of the hour; instances needed only in bursts run for a fraction of the time between
/// bursts.
void leave_out_standby(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
                       double* instances);

/// Computes utilization and IT power of a cloud pool's running devices or an owned pool's servers, as load arrays.
/// power_hours.available must be set.
void read_power(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
                Workspace::PowerHours& power_hours);

/// Dispatches a month's work: fills the arrays of every pool in use, and demanded, served and reserved hours in the ledger.
void dispatch_month(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work);

/// Whether inference is routed by the lowest bill of each hour: some workload routes to the cheapest of several entries.
[[nodiscard]] bool routes_by_bill(const Compiled& compiled);

/// Units of a workload left unserved in a month. For work that is carried over, only the backlog at the horizon's end counts.
[[nodiscard]] double units_unserved(const Compiled& compiled, const Ledger& ledger, std::size_t month, std::size_t workload);

} // namespace costcurve::model
