// Tax losses: deductions beyond the taxable income are carried forward (model.md, "Tax losses").
#pragma once

#include <vector>

#include "model/compile.hpp"
#include "model/ledger.hpp"

namespace costcurve::model {

/// A tax year: twelve months, counted from the horizon's start; the last may be shorter. Amounts are currency before the tax rate.
struct TaxYear {
    std::size_t end = 0;   ///< last month + 1, from the horizon's start
    double income = 0.0;   ///< taxable income outside the scenario
    double deducted = 0.0; ///< payments, depreciation, book value less sales, credits over the tax rate
    double lost = 0.0;     ///< the part of `deducted` beyond the income: carried forward
    double used = 0.0;     ///< earlier losses used, at most loss_offset_fraction of the remaining income
    double carried = 0.0;  ///< losses left at the year's end
    /// Taxed amount beyond that if all were deducted at once; negative if earlier losses are used.
    [[nodiscard]] double beyond() const { return lost - used; }
};
/// The tax years of the horizon. Empty without taxable_income_per_year, as income is then assumed to cover all deductions, and if
/// tax_rate is 0. Source: 26 USC 172(a)(2), (b)(1)(A): no carryback, no limit in years. Cost: O(months x pools x categories).
[[nodiscard]] std::vector<TaxYear> tax_years(const Compiled& compiled, const Ledger& ledger);

/// Present value of the extra tax due to losses that are used later, paid at each year's end. Losses carried beyond the horizon are
/// worthless.
[[nodiscard]] double npv_of_losses(const std::vector<TaxYear>& years, const Compiled& compiled);

} // namespace costcurve::model
