// Who runs where: inference by the hour, then training by the month, onto the pools (model.md, section 6).
#pragma once

#include "model/evaluate.hpp"

namespace costcurve::model {

/// The hours of one month as the kernels read them.
struct MonthView {
    std::size_t size = 0;     ///< of arrays of load; whole lanes
    std::size_t distinct = 0; ///< of them, hours with a weight
    std::size_t set = 0;      ///< index of the hour set
    const double* weights = nullptr;
    const std::uint32_t* firsts = nullptr; ///< the first of the month's hours that each stands for
    const HourTable* table = nullptr;
    double hours = 0.0;         ///< in the month
    std::size_t by_hour = 0;    ///< size of arrays of weights, prices and power: that of arrays of load but where these are folded
    const Fold* fold = nullptr; ///< of arrays of load

    /// The hourly values of a signal; null where it is flat within the month.
    [[nodiscard]] const double* values(const Signal& signal) const {
        return signal.curve == Signal::kFlat ? nullptr : table->values_of(set, static_cast<std::size_t>(signal.curve));
    }
};

/// The hourly values of a signal, ones where it is flat.
[[nodiscard]] inline const double* hourly(const Signal& signal, const MonthView& month, const Workspace& work) {
    const double* const values = month.values(signal);
    return values == nullptr ? work.ones.data() : values;
}
[[nodiscard]] MonthView view_month(const Compiled& compiled, std::size_t month);

/// The same month with its arrays of load folded, where its hours fold.
[[nodiscard]] MonthView folded(MonthView month);
/// The sum of an array of load over the month's hours.
[[nodiscard]] double sum_over_hours(const MonthView& month, const double* load);

/// An array of load by hour, by way of scratch of the same size.
void unfold(const MonthView& month, std::vector<double>& load, std::vector<double>& scratch);

/// Makes the pool's arrays those of an idle pool in the month, unless something ran on it already.
void touch(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work);

/// Lowers `instances` from those that hold inference's devices to those that run, in the mean over the hour: those that outages
/// alone need run in the outages' part of it, those that bursts alone need in the part of the time between their bursts.
void leave_out_standby(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
                       double* instances);

/// Utilization and IT power of a cloud pool's running devices, or of an owned pool's servers, in arrays of load; `available` of
/// `power_hours` is known.
void read_power(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
                Workspace::PowerHours& power_hours);

/// Fills the arrays of every pool that something runs on, and demanded, served and reserved hours of the ledger.
void dispatch_month(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work);

/// Whether the least bill of each hour decides how inference is routed: some is to the cheapest of several entries.
[[nodiscard]] bool routes_by_bill(const Compiled& compiled);

/// Units of a workload that a month leaves undone. Of work that is carried over, what the horizon's end cuts off.
[[nodiscard]] double units_unserved(const Compiled& compiled, const Ledger& ledger, std::size_t month, std::size_t workload);

} // namespace costcurve::model
