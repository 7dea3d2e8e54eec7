// What the taxable income beside a scenario leaves of its deductions: losses carried forward (model.md, "Tax losses").
#pragma once

#include <vector>

#include "model/compile.hpp"
#include "model/ledger.hpp"

namespace costcurve::model {

/// A tax year: twelve months from the horizon's start on, the last as long as the horizon has months for it. Amounts of money
/// before the tax rate.
struct TaxYear {
    std::size_t end = 0;   ///< months from the start
    double income = 0.0;   ///< beside the scenario
    double deducted = 0.0; ///< payments, depreciation, book value less sales, credits over the tax rate
    double lost = 0.0;     ///< of it, beyond the income: carried forward
    double used = 0.0;     ///< of losses of years before, at most loss_offset_fraction of what is left of the income
    double carried = 0.0;  ///< losses left at its end
    /// What it is taxed on more than if all were deducted at once.
    [[nodiscard]] double beyond() const { return lost - used; }
};
/// The years of the horizon; none where taxable_income_per_year is not stated, as then there is tax enough. Source: 26 USC
/// 172(a)(2), (b)(1)(A): no carry back, no limit in years. Cost: O(months x pools x categories).
[[nodiscard]] std::vector<TaxYear> tax_years(const Compiled& compiled, const Ledger& ledger);

/// The present value of the tax that losses move to later years, paid at each year's end; what is carried beyond the horizon is
/// lost.
[[nodiscard]] double npv_of_losses(const std::vector<TaxYear>& years, const Compiled& compiled);

} // namespace costcurve::model
