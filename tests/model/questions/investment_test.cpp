// Internal rates of return and paybacks of investments worked by hand.
#include "model/questions/investment.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::is_close;

// A server of 1200 that lives a year and costs nothing to run, against an instance of the given price an hour, over 12 months.
ScenarioDocument bought(double price) {
    ScenarioDocument document = tests::owned_scenario();
    document.months = 12;
    Pool& pool = document.pools[0];
    pool.server->price = price;
    pool.server->life_months = 12;
    pool.site->energy_price = tests::flat(0);
    return document;
}
ScenarioDocument paid_monthly(double payment) {
    ScenarioDocument document = bought(0);
    document.pools[0].site = Site();
    document.pools[0].site->network_per_month = payment;
    return document;
}

Investment ask(const ScenarioDocument& a, const ScenarioDocument& b) {
    Variant of_a(a);
    Variant of_b(b);
    return investment_of(**of_a.evaluate(), **of_b.evaluate());
}

TEST(Investment, RateOfReturnOfAnAnnuity) {
    // 12 payments of 1200 x 0.088849 a month are worth 1200 at 1 % a month.
    const double payment = 1200 * 0.01 / (1 - std::pow(1.01, -12));
    const Investment answer = ask(bought(1200), paid_monthly(payment));
    ASSERT_EQ(answer.irr.size(), 1U);
    EXPECT_TRUE(is_close(answer.irr[0], std::pow(1.01, 12) - 1, 1e-9));
    EXPECT_FALSE(answer.reversed);
    EXPECT_TRUE(is_close(*answer.payback_month, 1200 / payment)) << "payments come evenly over their months";
    EXPECT_TRUE(is_close(answer.npv_difference, 1200 - 12 * payment));
}

TEST(Investment, WhichOfTheTwoItIsIsSaid) {
    const Investment answer = ask(paid_monthly(200), bought(1200));
    EXPECT_TRUE(answer.reversed);
    EXPECT_TRUE(is_close(*answer.payback_month, 6));
    EXPECT_TRUE(is_close(answer.npv_difference, 1200));
}

TEST(Investment, DiscountedPaybackComesLaterOrNever) {
    ScenarioDocument a = bought(1200);
    ScenarioDocument b = paid_monthly(1200 * 0.01 / (1 - std::pow(1.01, -12)));
    a.finance.discount_rate = b.finance.discount_rate = std::pow(1.01, 12) - 1;
    EXPECT_NEAR(*ask(a, b).discounted_payback_month, 12, 1e-6);
    a.finance.discount_rate = b.finance.discount_rate = std::pow(1.02, 12) - 1;
    EXPECT_FALSE(ask(a, b).discounted_payback_month);
    EXPECT_TRUE(ask(a, b).payback_month);
}

TEST(Investment, WhatTheEndSettlesCountsInTheRateAndNotInThePayback) {
    ScenarioDocument a = bought(1200);
    a.pools[0].server->life_months = 24; // worth 600 after a year
    const Investment answer = ask(a, paid_monthly(60));
    EXPECT_FALSE(answer.payback_month) << "720 of 1200";
    ASSERT_EQ(answer.irr.size(), 1U);
    EXPECT_GT(answer.irr[0], 0.0) << "1320 come back";
    const TimedCash cash = [&] {
        Variant variant(a);
        const Evaluation& evaluation = **variant.evaluate();
        return timed_cash(evaluation.compiled, evaluation.workspace.ledger, false);
    }();
    EXPECT_TRUE(is_close(cash.terminal, -600));
    EXPECT_EQ(cash.end[11], 0.0);
}

TEST(Investment, EqualPlansHaveNoRateAndNoPayback) {
    const Investment answer = ask(bought(1200), bought(1200));
    EXPECT_TRUE(answer.irr.empty());
    EXPECT_FALSE(answer.payback_month);
    EXPECT_EQ(answer.npv_difference, 0.0);
}

TEST(Investment, AfterTaxFlowsAddUpToThePresentValueAfterTax) {
    ScenarioDocument a = bought(1200);
    a.months = 7;
    a.finance.discount_rate = 0.1;
    a.finance.tax_rate = 0.3;
    a.pools[0].loan = Loan{.fraction = 0.5, .rate = 0.1, .term_months = 12};
    a.pools[0].server->residual_fraction = tests::curve(CurveKind::residual, Axis::age_months, {0, 12}, {0.9, 0.1});
    a.pools[0].purchases.push_back({.month = -10, .servers = 1}); // retires within the horizon
    Variant variant(a);
    const Evaluation& evaluation = **variant.evaluate();
    const TimedCash cash = timed_cash(evaluation.compiled, evaluation.workspace.ledger, true);
    double npv = cash.terminal * evaluation.compiled.discount[7];
    for (std::size_t m = 0; m < 7; ++m) {
        npv +=
            cash.start[m] * evaluation.compiled.discount[m] + (cash.during[m] + cash.end[m]) * evaluation.compiled.discount[m + 1];
    }
    EXPECT_TRUE(is_close(npv, evaluation.summary.npv_after_tax, 1e-12));
}

} // namespace
} // namespace costcurve::model
