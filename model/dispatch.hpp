// Who runs where: inference by the hour, then training by the month, onto the pools (model.md, section 6).
#pragma once

#include "model/evaluate.hpp"

namespace costcurve::model {

/// The hours of one month as the kernels read them.
struct MonthView {
    std::size_t size = 0;     ///< of all arrays; whole lanes
    std::size_t distinct = 0; ///< of them, hours with a weight
    std::size_t set = 0;      ///< index of the hour set
    const double* weights = nullptr;
    const HourTable* table = nullptr;
    double hours = 0.0; ///< in the month

    /// The hourly values of a signal; null where it is flat within the month.
    [[nodiscard]] const double* values(const Signal& signal) const {
        return signal.curve == Signal::kFlat ? nullptr : table->values_of(set, static_cast<std::size_t>(signal.curve));
    }
};
[[nodiscard]] MonthView view_month(const Compiled& compiled, std::size_t month);

/// Makes the pool's arrays those of an idle pool in the month, unless something ran on it already.
void touch(const Compiled& compiled, std::size_t p, std::size_t m, const MonthView& month, Workspace& work);

/// Fills the arrays of every pool that something runs on, and demanded, served and reserved hours of the ledger.
void dispatch_month(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work);

} // namespace costcurve::model
