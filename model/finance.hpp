// Time value of money, growth of prices, capital recovery, book value and tax depreciation (model.md, section 8).
#pragma once

#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/units.hpp"
#include "model/ledger.hpp"

namespace costcurve::model {

/// Discount factor (1 + d)^-(months/12): present value, at the horizon's start, of one unit of money paid `months` later.
[[nodiscard]] double discount_factor(double discount_rate, double months);

/// Compound change by calendar month: (1 + rate)^(months/12).
[[nodiscard]] double growth_factor(double rate_per_year, double months);

/// Whether `growth_rates` may name the category.
[[nodiscard]] bool may_grow(Category category);

/// The category's stated rate a year, else the inflation rate (usage and egress: 0). 0 for a category that doesn't grow.
[[nodiscard]] double growth_rate(const Finance& finance, Category category);

/// The category of an extra cost.
[[nodiscard]] Category category_of(const ExtraCost& extra);

/// The rate by which an extra cost grows: its own, else its category's.
[[nodiscard]] double growth_rate(const Finance& finance, const ExtraCost& extra);

/// Capital cost a month of an asset with price P, residual R and a life of L months.
/// straight_line: (P - R)/L. annuity, r = (1+d)^(1/12) - 1: (P - R (1+r)^-L) r / (1 - (1+r)^-L), the capital
/// recovery factor of engineering economics (NREL/TP-462-5173, 1995, "capital recovery factor"); d = 0: (P - R)/L.
[[nodiscard]] Money monthly_capital_cost(Capital rule, double discount_rate, Money price, Money residual, Months life);

/// Straight line from P at age 0 to R at the end of life, for both capital rules.
[[nodiscard]] Money book_value(Money price, Money residual, Months life, Months age);

/// Tax depreciation by month, from the first month of an asset with tax basis `basis` and depreciation period `life`.
/// straight_line: basis/L a month, to 0. macrs_3, macrs_5, macrs_7: fractions by year, in twelfths (IRS Publication 946,
/// table A-1, half-year convention). table: yearly fractions of `finance`, in twelfths. declining_balance: book x rate/12.
/// The result has `months` entries.
[[nodiscard]] std::vector<double> tax_depreciation(const Finance& finance, Money basis, Months life, int months);

/// The equal yearly amount with the same NPV over the horizon: npv x d / (1 - (1+d)^(-months/12)); npv / years at d = 0.
[[nodiscard]] double equivalent_annual_cost(double npv, double discount_rate, double months);

/// Balance of a loan of B = `amount` after k = `payments` of its n payments; 0 after its term. Annuity: B - B ((1+i)^k - 1) /
/// ((1+i)^n - 1). Linear: B - B k/n. Bullet: B until the last payment. i = rate/12.
[[nodiscard]] double loan_balance(const Loan& loan, double amount, int payments);

/// Interest due with the payment after the first `payments`: i x balance.
[[nodiscard]] double loan_interest(const Loan& loan, double amount, int payments);

/// The objective that ranks scenarios: the stated one, else npv_after_tax with a tax rate, else npv with a discount rate, else
/// cost.
[[nodiscard]] Objective decide_by(const Finance& finance);

} // namespace costcurve::model
