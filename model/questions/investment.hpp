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

/// The scenario's cash; after tax: payments that are deducted x (1 - tax rate), less the credit for depreciation and sales.
[[nodiscard]] TimedCash timed_cash(const Compiled& compiled, const Ledger& ledger, bool after_tax);

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
