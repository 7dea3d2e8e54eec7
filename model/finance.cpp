// Formulas of capital and discounting; each is one line of arithmetic and its limit.
#include "model/finance.hpp"

#include <array>
#include <cmath>

namespace costcurve::model {

namespace {

// IRS Publication 946, table A-1, 5-year property, half-year convention.
constexpr std::array<double, 6> kMacrs5 = {0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576};

} // namespace

double discount_factor(double discount_rate, double months) { return std::pow(1 + discount_rate, -months / 12); }

double growth_factor(double rate_per_year, double months) {
    return rate_per_year == 0.0 ? 1.0 : std::pow(1 + rate_per_year, months / 12);
}

Money monthly_capital_cost(Capital rule, double discount_rate, Money price, Money residual, Months life) {
    if (rule == Capital::straight_line || discount_rate == 0.0) {
        return (price - residual) / life.value;
    }
    // expm1 and log1p keep the digits that 1 - (1 + r)^-L loses at small d.
    const double monthly_log = std::log1p(discount_rate) / 12;
    const double r = std::expm1(monthly_log);
    const double end_of_life = std::exp(-monthly_log * life.value);
    return (price - residual * end_of_life) * (r / -std::expm1(-monthly_log * life.value));
}

Money book_value(Money price, Money residual, Months life, Months age) { return price - (price - residual) * (age / life); }

std::vector<double> tax_depreciation(TaxDepreciation rule, double rate_per_year, Money basis, Months life, int months) {
    std::vector<double> amounts(static_cast<std::size_t>(months), 0.0);
    double book = basis.value;
    for (std::size_t m = 0; m < amounts.size(); ++m) {
        switch (rule) {
        case TaxDepreciation::straight_line:
            amounts[m] = static_cast<double>(m) < life.value ? basis.value / life.value : 0.0;
            break;
        case TaxDepreciation::macrs_5:
            amounts[m] = m / 12 < kMacrs5.size() ? basis.value * kMacrs5[m / 12] / 12 : 0.0;
            break;
        case TaxDepreciation::declining_balance:
            amounts[m] = book * rate_per_year / 12;
            book -= amounts[m];
            break;
        }
    }
    return amounts;
}

} // namespace costcurve::model
