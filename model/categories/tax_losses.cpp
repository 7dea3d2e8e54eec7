// Computes tax years: losses carried forward and losses used.
#include "model/categories/tax_losses.hpp"

#include <algorithm>

namespace costcurve::model {

namespace {

constexpr std::size_t kMonthsOfYear = 12;

// A month's deductions: payments other than asset purchases and loan principal, plus depreciation and the like for those.
double deducted_in(const Compiled& compiled, const Ledger& ledger, std::size_t m) {
    const CapitalFlows& capital = compiled.capital;
    double paid = 0.0;
    for (std::size_t p = 0; p <= ledger.pools; ++p) {
        for (const double cash : ledger.cash.row(m, p)) {
            paid += cash;
        }
    }
    const bool is_last = m + 1 == compiled.months;
    const double settled = is_last ? compiled.terminal.loan_balance - compiled.terminal.sale : 0.0;
    return paid - capital.start[m] - capital.sold[m] - capital.principal[m] - settled + capital.tax_credit[m];
}

} // namespace

std::vector<TaxYear> tax_years(const Compiled& compiled, const Ledger& ledger) {
    std::vector<TaxYear> years;
    if (!compiled.taxable_income_per_year || compiled.tax_rate == 0.0) {
        return years;
    }
    double carried = 0.0;
    for (std::size_t from = 0; from < compiled.months; from += kMonthsOfYear) {
        TaxYear year;
        year.end = std::min(from + kMonthsOfYear, compiled.months);
        year.income = *compiled.taxable_income_per_year * static_cast<double>(year.end - from) / kMonthsOfYear;
        for (std::size_t m = from; m < year.end; ++m) {
            year.deducted += deducted_in(compiled, ledger, m);
        }
        const double left = year.income - year.deducted;
        year.lost = std::max(0.0, -left);
        year.used = std::min(carried, compiled.loss_offset_fraction * std::max(0.0, left));
        carried += year.beyond();
        year.carried = carried;
        years.push_back(year);
    }
    return years;
}

double npv_of_losses(const std::vector<TaxYear>& years, const Compiled& compiled) {
    double value = 0.0;
    for (const TaxYear& year : years) {
        value += compiled.tax_rate * year.beyond() * compiled.discount[year.end];
    }
    return value;
}

} // namespace costcurve::model
