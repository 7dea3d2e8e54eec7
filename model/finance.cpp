// Implements the formulas of capital and discounting, each with its limit at a rate of 0.
#include "model/finance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace costcurve::model {

namespace {

// IRS Publication 946, table A-1, half-year convention, by recovery period in years.
constexpr std::array<double, 4> kMacrs3 = {0.3333, 0.4445, 0.1481, 0.0741};
constexpr std::array<double, 6> kMacrs5 = {0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576};
constexpr std::array<double, 8> kMacrs7 = {0.1429, 0.2449, 0.1749, 0.1249, 0.0893, 0.0892, 0.0893, 0.0446};

// Depreciation fractions by year; empty for rules that depreciate by month.
std::span<const double> yearly_fractions(const Finance& finance) {
    switch (finance.tax_depreciation) {
    case TaxDepreciation::macrs_3:
        return kMacrs3;
    case TaxDepreciation::macrs_5:
        return kMacrs5;
    case TaxDepreciation::macrs_7:
        return kMacrs7;
    case TaxDepreciation::table:
        return finance.tax_depreciation_table;
    case TaxDepreciation::straight_line:
    case TaxDepreciation::declining_balance:
        break;
    }
    return {};
}

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

std::vector<double> tax_depreciation(const Finance& finance, Money basis, Months life, int months) {
    const std::span<const double> fractions = yearly_fractions(finance);
    std::vector<double> amounts(static_cast<std::size_t>(months), 0.0);
    double book = basis.value;
    for (std::size_t m = 0; m < amounts.size(); ++m) {
        if (finance.tax_depreciation == TaxDepreciation::straight_line) {
            amounts[m] = static_cast<double>(m) < life.value ? basis.value / life.value : 0.0;
        } else if (finance.tax_depreciation == TaxDepreciation::declining_balance) {
            amounts[m] = book * finance.tax_depreciation_rate.value_or(0.0) / 12;
            book -= amounts[m];
        } else {
            amounts[m] = m / 12 < fractions.size() ? basis.value * fractions[m / 12] / 12 : 0.0;
        }
    }
    return amounts;
}

double equivalent_annual_cost(double npv, double discount_rate, double months) {
    if (discount_rate == 0.0) {
        return npv * 12 / months;
    }
    return npv * discount_rate / -std::expm1(-std::log1p(discount_rate) * months / 12);
}

double loan_balance(const Loan& loan, double amount, int payments) {
    if (payments >= loan.term_months) {
        return 0.0;
    }
    const double i = loan.rate / 12;
    switch (loan.kind) {
    case LoanKind::bullet:
        return amount;
    case LoanKind::annuity:
        if (i > 0.0) {
            // expm1 and log1p keep the digits that (1 + i)^k - 1 loses at small i.
            const double monthly_log = std::log1p(i);
            return amount * (1 - std::expm1(monthly_log * payments) / std::expm1(monthly_log * loan.term_months));
        }
        break;
    case LoanKind::linear:
        break;
    }
    return amount * (1 - static_cast<double>(payments) / loan.term_months);
}

double loan_interest(const Loan& loan, double amount, int payments) {
    return loan.rate / 12 * loan_balance(loan, amount, payments);
}

Objective decide_by(const Finance& finance) {
    return finance.decide_by.value_or(finance.tax_rate > 0        ? Objective::npv_after_tax
                                      : finance.discount_rate > 0 ? Objective::npv
                                                                  : Objective::cost);
}

bool may_grow(Category category) { return row_of(category).growth != CategoryRow::Growth::none; }

double growth_rate(const Finance& finance, Category category) {
    if (!may_grow(category)) {
        return 0.0;
    }
    const auto stated = finance.growth_rates.find(std::string(name_of(category)));
    const bool inflates = row_of(category).growth == CategoryRow::Growth::inflates;
    return stated != finance.growth_rates.end() ? stated->second : inflates ? finance.inflation_rate : 0.0;
}

Category category_of(const ExtraCost& extra) { return *value_of<Category>(name_of(extra.category)); }

double growth_rate(const Finance& finance, const ExtraCost& extra) {
    return extra.growth_rate ? *extra.growth_rate : growth_rate(finance, category_of(extra));
}

} // namespace costcurve::model
