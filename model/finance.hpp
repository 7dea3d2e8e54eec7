// Time value of money, growth of prices, capital recovery, book value and tax depreciation (model.md, section 8).
#pragma once

#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/units.hpp"
#include "model/ledger.hpp"

namespace costcurve::model {

/// (1 + d)^-(months/12): what one unit of money, paid `months` after the horizon's start, is worth at it.
[[nodiscard]] double discount_factor(double discount_rate, double months);

/// Compound change by calendar month: (1 + rate)^(months/12).
[[nodiscard]] double growth_factor(double rate_per_year, double months);

/// Whether `growth_rates` may name the category.
[[nodiscard]] bool may_grow(Category category);

/// The stated rate a year; else the inflation rate, 0 for usage and egress. 0 for a category that does not grow.
[[nodiscard]] double growth_rate(const Finance& finance, Category category);

/// The category of an extra cost.
[[nodiscard]] Category category_of(const ExtraCost& extra);

/// The rate by which an extra cost grows: its own, else its category's.
[[nodiscard]] double growth_rate(const Finance& finance, const ExtraCost& extra);

/// What a month bears of an asset of price P and residual R over a life L in months.
/// straight_line: (P - R)/L. annuity, r = (1+d)^(1/12) - 1: (P - R (1+r)^-L) r / (1 - (1+r)^-L), the capital
/// recovery factor of engineering economics (NREL/TP-462-5173, 1995, "capital recovery factor"); d = 0: (P - R)/L.
[[nodiscard]] Money monthly_capital_cost(Capital rule, double discount_rate, Money price, Money residual, Months life);

/// Straight line between P at age 0 and R at the end of life; the rule of both capital methods.
[[nodiscard]] Money book_value(Money price, Money residual, Months life, Months age);

/// Tax depreciation, month by month from its first, of an asset of `basis` that is written off over `life`.
/// straight_line: basis/L a month, to 0. macrs_3, macrs_5, macrs_7: fractions by year, in twelfths (IRS Publication 946,
/// table A-1, half-year convention); table: those of `finance`, likewise. declining_balance: book x rate/12.
/// The result has `months` entries.
[[nodiscard]] std::vector<double> tax_depreciation(const Finance& finance, Money basis, Months life, int months);

/// npv spread evenly over the years of a horizon: npv x d / (1 - (1+d)^(-months/12)), npv / years at d = 0.
[[nodiscard]] double equivalent_annual_cost(double npv, double discount_rate, double months);

/// What is left of a loan of `amount` after so many payments; 0 after its term. Annuity of equal payments (B - B ((1+i)^k - 1) /
/// ((1+i)^n - 1)), linear (B - B k/n), or bullet (B until the last); i = rate/12.
[[nodiscard]] double loan_balance(const Loan& loan, double amount, int payments);

/// The interest of the next payment: i x balance.
[[nodiscard]] double loan_interest(const Loan& loan, double amount, int payments);

/// The figure by which a scenario is called the cheapest: the stated one; else npv_after_tax where there is a tax rate, npv where
/// there is a discount rate, cost.
[[nodiscard]] Objective decide_by(const Finance& finance);

} // namespace costcurve::model
