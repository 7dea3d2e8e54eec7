// One scenario as an investment against another: internal rates of return, and when it has paid back (model.md, section 9).
#pragma once

#include <optional>
#include <vector>

#include "model/questions/variant.hpp"

namespace costcurve::model {

/// Cash of a scenario in time, by month: steps at a month's start, payments that grow evenly over it, steps at its end; and what
/// the horizon's end settles, beside the last step.
struct TimedCash {
    std::vector<double> start;
    std::vector<double> during;
    std::vector<double> end;
    double terminal = 0.0;
};

/// The scenario's cash; after tax: payments that are deducted x (1 - tax rate), less the credit for depreciation and sales, and at
/// each year's end the tax that losses move.
[[nodiscard]] TimedCash timed_cash(const Compiled& compiled, const Ledger& ledger, bool after_tax);

/// The sum in exact time, terminal values left out. Of M months 2M + 1 points: point 2m is just after the steps at time m, in
/// months; point 2m + 1 just before those at m + 1. From an even point to the odd one behind it the sum is a straight line. Steps
/// at one time are taken together: a sale and the purchase of what takes its place.
[[nodiscard]] std::vector<double> cumulative(const TimedCash& cash);
/// When a curve of such points comes through 0 on its way to `point`, from `before` there: at once, where that is a step.
[[nodiscard]] double zero_time(std::size_t point, double before, double now);

/// The flow is cash of the other less cash of the investment: after tax where a's tax rate is above 0.
struct Investment {
    bool reversed = false;   ///< b is the investment: its first difference from a is an outlay
    std::vector<double> irr; ///< a year, effective; none, one or several, ascending
    /// Months after which the cumulated flow stays at or above 0, what the horizon's end settles left out; empty where it never
    /// does. `discounted`: at a's discount rate.
    std::optional<double> payback_month;
    std::optional<double> discounted_payback_month;
    double npv_difference = 0.0; ///< npv of a less that of b, after tax likewise
};

/// Both evaluated over the same months. Rates between -99 % and 9,900 % a year are found.
[[nodiscard]] Investment investment_of(const Evaluation& a, const Evaluation& b);

} // namespace costcurve::model
