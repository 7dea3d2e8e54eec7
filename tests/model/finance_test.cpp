// Discounting, capital recovery, book value and tax depreciation (model.md, section 8).
#include "model/finance.hpp"

#include <numeric>

#include "tests/model/close.hpp"

namespace costcurve::model {
namespace {

using tests::is_close;

double annuity(double rate, double price, double residual, double life) {
    return monthly_capital_cost(Capital::annuity, rate, Money{price}, Money{residual}, Months{life}).value;
}
double straight(double rate, double price, double residual, double life) {
    return monthly_capital_cost(Capital::straight_line, rate, Money{price}, Money{residual}, Months{life}).value;
}
double book(double price, double residual, double life, double age) {
    return book_value(Money{price}, Money{residual}, Months{life}, Months{age}).value;
}
std::vector<double> depreciation(TaxDepreciation rule, double rate, double basis, double life, int months) {
    Finance finance;
    finance.tax_depreciation = rule;
    finance.tax_depreciation_rate = rate;
    return tax_depreciation(finance, Money{basis}, Months{life}, months);
}
double sum_of(const std::vector<double>& amounts) { return std::accumulate(amounts.begin(), amounts.end(), 0.0); }

TEST(Finance, DiscountFactorCompoundsByYear) {
    struct Row {
        double rate, months, expected;
        const char* arithmetic;
    };
    const std::vector<Row> rows = {
        {0.1, 0, 1, "now"},
        {0.1, 12, 1 / 1.1, "a year"},
        {0.1, 24, 1 / 1.21, "two years"},
        {0.21, 6, 1 / 1.1, "1.21^0.5 = 1.1"},
        {0, 240, 1, "no discount"},
        {1, 12, 0.5, "1/2"},
        {10, 12, 1.0 / 11, "1/11"},
    };
    for (const Row& row : rows) {
        EXPECT_TRUE(is_close(discount_factor(row.rate, row.months), row.expected)) << row.arithmetic;
    }
}

TEST(Finance, DiscountFactorOfAPeriodIsTheProductOfItsParts) {
    for (double months = 0; months < 60; months += 7) {
        EXPECT_TRUE(is_close(discount_factor(0.08, months) * discount_factor(0.08, 60 - months), discount_factor(0.08, 60)));
    }
}

TEST(Finance, GrowthCompoundsByYear) {
    struct Row {
        double rate, months, expected;
    };
    for (const Row& row :
         {Row{0.1, 12, 1.1}, Row{0.21, 6, 1.1}, Row{0, 100, 1}, Row{-0.19, 6, 0.9}, Row{0.21, -6, 1 / 1.1}, Row{3, 0, 1}}) {
        EXPECT_TRUE(is_close(growth_factor(row.rate, row.months), row.expected)) << row.rate << ' ' << row.months;
    }
}

TEST(Finance, StraightLineBearsTheLossOfValueEvenly) {
    EXPECT_TRUE(is_close(straight(0, 36000, 0, 48), 750));
    EXPECT_TRUE(is_close(straight(0.2, 36000, 0, 48), 750)) << "whatever the rate";
    EXPECT_TRUE(is_close(straight(0, 36000, 7200, 48), 600)) << "(36000 - 7200) / 48";
    EXPECT_EQ(straight(0, 36000, 36000, 48), 0.0) << "no loss";
    EXPECT_EQ(straight(0, 0, 0, 1), 0.0);
}

TEST(Finance, AnnuityIsThePublishedCapitalRecoveryFactor) {
    struct Row {
        double monthly_rate;
        int months;
        double factor; ///< (A/P, i, n), engineering economy tables; five decimals
    };
    const std::vector<Row> rows = {
        {0.01, 12, 0.08885}, {0.01, 36, 0.03321},  {0.01, 48, 0.02633},
        {0.01, 60, 0.02224}, {0.005, 12, 0.08607}, {0.02, 24, 0.05287},
    };
    for (const Row& row : rows) {
        const double yearly = std::pow(1 + row.monthly_rate, 12) - 1;
        EXPECT_NEAR(annuity(yearly, 1, 0, row.months), row.factor, 5e-6) << row.monthly_rate << ' ' << row.months;
    }
}

TEST(Finance, AnnuityOfOneYearByHand) {
    // (1 + d)^(1/12) = 1.01 and L = 1: (P - R / 1.01) x 0.01 / (1 - 1 / 1.01) = 1.01 P - R.
    EXPECT_TRUE(is_close(annuity(std::pow(1.01, 12) - 1, 1000, 100, 1), 910, 1e-10));
}

TEST(Finance, PresentValueOfAnnuityPaymentsIsThePriceLessTheDiscountedResidual) {
    for (const double rate : {0.001, 0.05, 0.12, 1.0, 10.0}) {
        for (const double life : {1.0, 12.0, 48.0, 600.0}) {
            for (const double residual : {0.0, 10000.0, 50000.0}) {
                const double payment = annuity(rate, 50000, residual, life);
                double present = 0;
                for (int m = 1; m <= static_cast<int>(life); ++m) {
                    present += payment * discount_factor(rate, m);
                }
                EXPECT_TRUE(is_close(present, 50000 - residual * discount_factor(rate, life), 1e-10)) << rate << ' ' << life;
            }
        }
    }
}

TEST(Finance, AnnuityTendsToTheStraightLine) {
    EXPECT_EQ(annuity(0, 36000, 7200, 48), 600.0);
    EXPECT_TRUE(is_close(annuity(1e-12, 36000, 7200, 48), 600, 1e-9));
    EXPECT_TRUE(is_close(annuity(1e-6, 36000, 7200, 48), 600, 1e-5));
}

TEST(Finance, AnnuityRisesWithTheRateAndFallsWithTheLife) {
    double last = straight(0, 1000, 100, 36);
    for (double rate = 0.01; rate < 5; rate *= 1.5) {
        EXPECT_GT(annuity(rate, 1000, 100, 36), last);
        EXPECT_LT(annuity(rate, 1000, 100, 48), annuity(rate, 1000, 100, 36));
        EXPECT_LT(annuity(rate, 1000, 200, 36), annuity(rate, 1000, 100, 36));
        last = annuity(rate, 1000, 100, 36);
    }
}

TEST(Finance, CapitalCostScalesWithPrices) {
    EXPECT_TRUE(is_close(annuity(0.1, 2000, 600, 36), 2 * annuity(0.1, 1000, 300, 36)));
    EXPECT_TRUE(is_close(straight(0.1, 2000, 600, 36), 2 * straight(0.1, 1000, 300, 36)));
}

TEST(Finance, BookValueFallsStraightFromPriceToResidual) {
    struct Row {
        double price, residual, life, age, expected;
    };
    for (const Row& row : {Row{1000, 100, 36, 0, 1000}, Row{1000, 100, 36, 36, 100}, Row{1000, 100, 36, 12, 700},
                           Row{1000, 0, 48, 24, 500}, Row{1000, 1000, 48, 24, 1000}}) {
        EXPECT_TRUE(is_close(book(row.price, row.residual, row.life, row.age), row.expected));
    }
}

TEST(Finance, BookValueIsThePriceLessTheStraightLineCosts) {
    for (int age = 0; age <= 36; ++age) {
        EXPECT_TRUE(is_close(book(1000, 100, 36, age) + age * straight(0, 1000, 100, 36), 1000));
    }
}

TEST(Finance, StraightLineTaxDepreciationWritesOffToNothing) {
    const std::vector<double> amounts = depreciation(TaxDepreciation::straight_line, 0, 4800, 48, 60);
    ASSERT_EQ(amounts.size(), 60U);
    EXPECT_EQ(amounts[0], 100.0);
    EXPECT_EQ(amounts[47], 100.0);
    EXPECT_EQ(amounts[48], 0.0);
    EXPECT_TRUE(is_close(sum_of(amounts), 4800));
}

TEST(Finance, Macrs5FollowsTableA1OfIrsPublication946) {
    const std::vector<double> amounts = depreciation(TaxDepreciation::macrs_5, 0, 120000, 36, 84);
    const std::vector<double> yearly = {24000, 38400, 23040, 13824, 13824, 6912, 0}; // 20, 32, 19.2, 11.52, 11.52, 5.76 %
    for (std::size_t year = 0; year < yearly.size(); ++year) {
        double total = 0;
        for (std::size_t m = 0; m < 12; ++m) {
            total += amounts[year * 12 + m];
            EXPECT_EQ(amounts[year * 12 + m], amounts[year * 12]) << "in twelfths";
        }
        EXPECT_TRUE(is_close(total, yearly[year])) << "year " << year + 1;
    }
    EXPECT_TRUE(is_close(sum_of(amounts), 120000));
}

TEST(Finance, DecliningBalanceTakesItsShareOfWhatIsLeft) {
    // 40 % a year, in twelfths: 1200 x 0.4 / 12 = 40; then 1160 x 0.4 / 12; the book after n months is 1200 (29/30)^n.
    const std::vector<double> amounts = depreciation(TaxDepreciation::declining_balance, 0.4, 1200, 36, 36);
    EXPECT_TRUE(is_close(amounts[0], 40));
    EXPECT_TRUE(is_close(amounts[1], 1160.0 / 30));
    EXPECT_TRUE(is_close(1200 - sum_of(amounts), 1200 * std::pow(29.0 / 30, 36)));
}

TEST(Finance, DecliningBalanceAtTwelveWritesOffInAMonth) {
    EXPECT_EQ(depreciation(TaxDepreciation::declining_balance, 12, 1200, 36, 3), (std::vector<double>{1200, 0, 0}));
}

TEST(Finance, TaxDepreciationHasItsLimits) {
    for (const TaxDepreciation rule :
         {TaxDepreciation::straight_line, TaxDepreciation::macrs_5, TaxDepreciation::declining_balance}) {
        EXPECT_TRUE(depreciation(rule, 0.3, 1000, 36, 0).empty());
        EXPECT_EQ(sum_of(depreciation(rule, 0.3, 0, 36, 36)), 0.0);
        EXPECT_LE(sum_of(depreciation(rule, 0.3, 1000, 36, 240)), 1000 * (1 + 1e-12)) << "never more than the basis";
        const std::vector<double> one = depreciation(rule, 0.3, 1000, 36, 24);
        const std::vector<double> two = depreciation(rule, 0.3, 2000, 36, 24);
        for (std::size_t m = 0; m < one.size(); ++m) {
            EXPECT_TRUE(is_close(two[m], 2 * one[m]));
        }
    }
}

// IRS Publication 946, table A-1: 3- and 7-year property.
TEST(TaxDepreciation, MacrsOfThreeAndSevenYearsAddUp) {
    for (const auto& [rule, first, years] :
         {std::tuple(TaxDepreciation::macrs_3, 0.3333, 4), {TaxDepreciation::macrs_7, 0.1429, 8}}) {
        Finance finance;
        finance.tax_depreciation = rule;
        const std::vector<double> amounts = tax_depreciation(finance, Money{1200}, Months{60}, 120);
        double sum = 0.0;
        for (const double amount : amounts) {
            sum += amount;
        }
        EXPECT_NEAR(amounts[0], 100 * first, 1e-9);
        EXPECT_NEAR(sum, 1200, 1e-9);
        EXPECT_GT(amounts[static_cast<std::size_t>(12 * years - 1)], 0.0);
        EXPECT_EQ(amounts[static_cast<std::size_t>(12 * years)], 0.0);
    }
}

TEST(TaxDepreciation, TableIsByYearInTwelfths) {
    Finance finance;
    finance.tax_depreciation = TaxDepreciation::table;
    finance.tax_depreciation_table = {0.75, 0.25};
    const std::vector<double> amounts = tax_depreciation(finance, Money{1200}, Months{60}, 25);
    EXPECT_TRUE(tests::is_close(amounts[11], 75));
    EXPECT_TRUE(tests::is_close(amounts[12], 25));
    EXPECT_EQ(amounts[24], 0.0);
}

// numpy-financial: ppmt and ipmt of 2500 at 8.24 % over 12 months; the first payment leaves 2299.42.
TEST(Loan, AnnuityBalanceIsThePublishedOne) {
    const Loan loan{.fraction = 1, .rate = 0.0824, .term_months = 12, .kind = LoanKind::annuity};
    EXPECT_NEAR(loan_balance(loan, 2500, 1), 2299.42, 0.005);
    EXPECT_NEAR(loan_interest(loan, 2500, 0), 17.17, 0.005);
    EXPECT_EQ(loan_balance(loan, 2500, 12), 0.0);
    EXPECT_EQ(loan_balance(loan, 2500, 0), 2500.0);
    double interest = 0.0;
    for (int k = 0; k < 12; ++k) {
        interest += loan_interest(loan, 2500, k);
    }
    EXPECT_NEAR(interest, 112.98, 0.005);
    const Loan free{.fraction = 1, .rate = 0, .term_months = 4, .kind = LoanKind::annuity};
    EXPECT_EQ(loan_balance(free, 100, 1), 75.0) << "the limit is linear";
}

TEST(EquivalentAnnualCost, SpreadsThePresentValueOverTheYears) {
    EXPECT_TRUE(tests::is_close(equivalent_annual_cost(6000, 0.1, 12), 6600));
    EXPECT_TRUE(tests::is_close(equivalent_annual_cost(6000, 0, 36), 2000));
}

} // namespace
} // namespace costcurve::model
