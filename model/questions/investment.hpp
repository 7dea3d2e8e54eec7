// One scenario as an investment compared with another: internal rates of return and payback (model.md, section 9).
#pragma once

#include <optional>
#include <vector>

#include "model/questions/variant.hpp"

namespace costcurve::model {

/// A scenario's cash by month: steps at the month's start, payments spread evenly over it, and steps at its end. Amounts settled at
/// the horizon's end are kept apart from the last step.
struct TimedCash {
    std::vector<double> start;
    std::vector<double> during;
    std::vector<double> end;
    double terminal = 0.0;
};

/// The scenario's cash. After tax: deductible payments x (1 - tax rate), less the tax credit for depreciation and sales, and at
/// each year's end the tax that loss carry-over shifts.
[[nodiscard]] TimedCash timed_cash(const Compiled& compiled, const Ledger& ledger, bool after_tax);

/// The cumulative sum in exact time, without terminal values. M months have 2M + 1 points: point 2m is just after the steps at time
/// m, in months; point 2m + 1 is just before the steps at m + 1. The sum is a straight line from each even point to the next odd
/// one. Steps at the same time are added first, such as a sale and the purchase of the replacement.
[[nodiscard]] std::vector<double> cumulative(const TimedCash& cash);
/// The time in months at which the cumulative curve crosses 0 between the point before `point` (value `before`) and `point` (value
/// `now`); a step crosses at once.
[[nodiscard]] double zero_time(std::size_t point, double before, double now);

/// The investment's incremental flow: cash of the other scenario less cash of the investment, after tax if a's tax rate is above 0.
struct Investment {
    bool reversed = false;   ///< b is the investment, because its first difference from a is an outlay
    std::vector<double> irr; ///< effective annual rates, ascending; there may be none or several
    /// Months after which the cumulative flow stays at or above 0, without terminal values; empty if never. `discounted`: the same
    /// at a's discount rate.
    std::optional<double> payback_month;
    std::optional<double> discounted_payback_month;
    double npv_difference = 0.0; ///< npv of a less npv of b; after tax under the same condition
};

/// Both evaluations cover the same months. Finds rates between -99 % and 9,900 % a year.
[[nodiscard]] Investment investment_of(const Evaluation& a, const Evaluation& b);

} // namespace costcurve::model
