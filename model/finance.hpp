// Time value of money, capital recovery, book value and tax depreciation (model.md, section 8).
#pragma once

#include <vector>

#include "model/documents.hpp"
#include "model/units.hpp"

namespace costcurve::model {

/// (1 + d)^-(months/12): what one unit of money, paid `months` after the horizon's start, is worth at it.
[[nodiscard]] double discount_factor(double discount_rate, double months);

/// Compound change by calendar month: (1 + rate)^(months/12).
[[nodiscard]] double growth_factor(double rate_per_year, double months);

/// What a month bears of an asset of price P and residual R over a life L in months.
/// straight_line: (P - R)/L. annuity, r = (1+d)^(1/12) - 1: (P - R (1+r)^-L) r / (1 - (1+r)^-L), the capital
/// recovery factor of engineering economics (NREL/TP-462-5173, 1995, "capital recovery factor"); d = 0: (P - R)/L.
[[nodiscard]] Money monthly_capital_cost(Capital rule, double discount_rate, Money price, Money residual, Months life);

/// Straight line between P at age 0 and R at the end of life; the rule of both capital methods.
[[nodiscard]] Money book_value(Money price, Money residual, Months life, Months age);

/// Tax depreciation, month by month from its first, of an asset of `basis` that is written off over `life`.
/// straight_line: basis/L a month, to 0. macrs_5: 20, 32, 19.2, 11.52, 11.52, 5.76 % by year, in twelfths
/// (IRS Publication 946, table A-1, half-year convention). declining_balance: book x rate/12.
/// The result has `months` entries.
[[nodiscard]] std::vector<double> tax_depreciation(TaxDepreciation rule, double rate_per_year, Money basis, Months life,
                                                   int months);

} // namespace costcurve::model
