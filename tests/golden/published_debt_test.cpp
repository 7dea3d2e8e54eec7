// Published leases, loans, resales and tax depreciation, each a scenario: published_2.json names the sources.
#include "tests/golden/published_2.hpp"

namespace costcurve::golden {
namespace {

using model::Category;

json leased(double payment, int payments, int first_month) {
    return {{"server", {{"life_months", payments}}},
            {"purchases",
             {{{"month", first_month},
               {"servers", 1},
               {"lease", {{"payment_per_server_month", payment}, {"term_months", payments}}}}}}};
}

std::vector<double> by_month(const tests::Answer& answer, Category category) {
    std::vector<double> costs;
    for (std::size_t m = 0; m < answer.summary.months.size(); ++m) {
        costs.push_back(cost_in(answer, m, category));
    }
    return costs;
}

// Payments in advance, a period each: the liability is after the first of them. That of a lease that began k periods ago is the
// source's balance after k years, before the payment that is due.
TEST(Published2, LeaseInAdvanceLiability) {
    const json& stored = published_case("lease-ifrs16-advance-10y");
    const json& inputs = stored.at("inputs");
    const json& published = stored.at("published");
    const double payment = inputs.at("payment_per_year");
    const int payments = inputs.at("payments");
    const auto liability = [&](int years_ago) {
        const json finance = {{"discount_rate", period_rate(inputs.at("discount_rate_annual"))}};
        const json lease = leased(payment, payments, -years_ago);
        return answer_to(one_server(lease, payments - years_ago, finance)).summary.pools[0].lease_liability;
    };
    const double at_start = liability(0) - payment;
    EXPECT_TRUE(is_published("liability", at_start, published.at("liability_at_commencement"), printed(2)));
    EXPECT_TRUE(
        is_published("interest of year 1", liability(1) - at_start, published.at("/year_1/interest"_json_pointer), printed(0)));
    EXPECT_TRUE(is_published("closing of year 1", liability(1), published.at("/year_1/closing"_json_pointer), printed(0)));
    EXPECT_TRUE(is_published("interest of year 2", liability(2) - (liability(1) - payment),
                             published.at("/year_2/interest"_json_pointer), printed(0)));
    EXPECT_TRUE(is_published("closing of year 2", liability(2), published.at("/year_2/closing"_json_pointer), printed(0)));
    for (const auto& [years, amount] : published.at("discounted").items()) { // of the k-th payment: what the first k + 1 add
        const int k = std::stoi(years);
        const auto first = [&](int count) {
            const json finance = {{"discount_rate", period_rate(inputs.at("discount_rate_annual"))}};
            return answer_to(one_server(leased(payment, count, 0), count, finance)).summary.pools[0].lease_liability;
        };
        EXPECT_TRUE(is_published("discounted, year " + years, first(k + 1) - first(k), amount, printed(2)));
    }
}

// The advantage of leasing is the npv after tax of buying less that of leasing. The source's factors have three digits.
TEST(Published2, LeaseAgainstBuyingAfterTax) {
    const json& stored = published_case("lease-vs-buy-85000");
    const json& inputs = stored.at("inputs");
    constexpr int kYears = 10;
    const json finance = {{"discount_rate", period_rate(inputs.at("discount_after_tax"))}, {"tax_rate", inputs.at("tax_rate")}};
    const double price = inputs.at("price");
    const json server = {
        {"price", price}, {"life_months", kYears}, {"residual_fraction", inputs.at("salvage_before_tax").get<double>() / price}};
    model::Variant bought(decoded(one_server({{"server", server}}, kYears, finance)));
    model::Variant rented(decoded(one_server(leased(inputs.at("lease_before_tax"), kYears, 0), kYears, finance)));
    const model::Investment answer = model::investment_of(**bought.evaluate(), **rented.evaluate());
    EXPECT_FALSE(answer.reversed) << "buying is the investment";
    EXPECT_TRUE(is_published("npv", answer.npv_difference, stored.at("/published/npv"_json_pointer), {0, 10}));
    EXPECT_TRUE(is_published("npv, factors not rounded", answer.npv_difference, 10467.08, printed(2)));
    const auto flows = model::timed_cash((*rented.evaluate())->compiled, (*rented.evaluate())->workspace.ledger, true);
    EXPECT_TRUE(
        is_published("payment after tax", flows.start[0], stored.at("/published/after_tax_payment"_json_pointer), relative(1e-12)));
    const auto owned = cash_after_tax(answer_to(one_server({{"server", server}}, kYears, finance)));
    EXPECT_TRUE(is_published("tax shield", -owned.during[0], stored.at("/published/tax_shield"_json_pointer), relative(1e-12)));
    EXPECT_TRUE(is_published("salvage after tax", -owned.end.back() - owned.terminal,
                             stored.at("/published/after_tax_salvage"_json_pointer), relative(1e-12)));
}

json financed(double price, int life_months, const json& loan) {
    return {{"server", {{"price", price}, {"life_months", life_months}}}, {"loan", loan}};
}

// The twelve months of interest alone are those of a bullet; the principal by steps after them is no loan of the model's.
TEST(Published2, LoanMonthsOfInterestAlone) {
    const json& stored = published_case("loan-grace-43m");
    const json& inputs = stored.at("inputs");
    const int grace = inputs.at("grace_months");
    const double rate =
        12 * (std::pow(1 + inputs.at("effective_annual_rate").get<double>(), 1.0 / 12) - 1); // nominal, as loans have
    const json loan = {{"fraction", 1}, {"rate", rate}, {"term_months", inputs.at("term_months")}, {"kind", "bullet"}};
    const tests::Answer answer = answer_to(one_server(financed(inputs.at("principal"), 60, loan), grace));
    std::vector<double> interest = stored.at("/published/interest_by_month"_json_pointer);
    interest.resize(static_cast<std::size_t>(grace));
    expect_published("interest, month", by_month(answer, Category::financing), interest, printed(0));
    EXPECT_TRUE(is_published("balance", answer.summary.terminal.loan_balance,
                             stored.at("/published/ending_balance_by_month/11"_json_pointer), relative(1e-12)));
}

// A period each; the balance after k periods is what a horizon of k leaves to be repaid.
TEST(Published2, LoanAnnuitySchedule) {
    const json& stored = published_case("loan-annuity-5y");
    const json& published = stored.at("published");
    const int periods = stored.at("/inputs/periods"_json_pointer);
    const double principal = stored.at("/inputs/principal"_json_pointer);
    const json loan = {{"fraction", 1},
                       {"rate", 12 * stored.at("/inputs/rate"_json_pointer).get<double>()},
                       {"term_months", periods},
                       {"kind", "annuity"}};
    const auto after = [&](int months) { return answer_to(one_server(financed(principal, periods, loan), months)); };
    const tests::Answer whole = after(periods);
    std::vector<double> paid, repaid, balance;
    for (std::size_t m = 0; m < 5; ++m) {
        const model::Amounts& financing = whole.summary.months[m].by_category[at(Category::financing)];
        paid.push_back(financing.cash + (m == 0 ? principal : 0.0)); // it is paid out in the first month
        repaid.push_back(paid.back() - financing.cost);
        balance.push_back(after(static_cast<int>(m) + 1).summary.terminal.loan_balance);
    }
    const Tolerance cent = {0, 0.01}; // the source's, whose last digits don't all add up
    expect_published("interest, period", by_month(whole, Category::financing), published.at("interest"), cent);
    expect_published("principal, period", repaid, published.at("principal"), cent);
    expect_published("balance, period", balance, published.at("balance"), cent);
    expect_published("payment", paid, std::vector<double>(5, published.at("payment")), printed(2));
    EXPECT_TRUE(is_published("total interest", whole.summary.by_category[at(Category::financing)].cost,
                             published.at("total_interest"), cent));
}

// What is deducted for the asset, by year.
std::vector<double> depreciation_by_year(const tests::Answer& answer) {
    std::vector<double> years(answer.compiled.months / 12, 0.0);
    for (std::size_t m = 0; m < answer.compiled.months; ++m) {
        years[m / 12] += answer.compiled.capital.tax_credit[m] - answer.compiled.capital.tax_credit_of_sales[m];
    }
    if (!years.empty()) {
        years.back() -= answer.compiled.capital.tax_credit_at_end;
    }
    return years;
}

json sold_at(double price, double sale, int after_months) {
    const json curve = {{"kind", "residual"}, {"axis", "age_months"}, {"points", {{after_months, sale / price}}}};
    return {{"server", {{"price", price}, {"life_months", 60}, {"residual_fraction", curve}}}};
}

// The whole fourth year is written off, as the textbook does; the IRS would allow half of it in the year of the sale.
TEST(Published2, ResaleAfterFourYearsOfMacrs5) {
    const json& loss = published_case("resale-loss-macrs5");
    const json& gain = published_case("resale-gain-6m");
    constexpr int kMonths = 48;
    const auto sold = [](const json& stored) {
        const json& inputs = stored.at("inputs");
        const json finance = {{"tax_rate", inputs.at("tax_rate")}, {"tax_depreciation", "macrs_5"}};
        return answer_to(one_server(sold_at(inputs.at("price"), inputs.at("sale_price"), kMonths), kMonths, finance));
    };
    const tests::Answer with_loss = sold(loss);
    std::vector<double> depreciation = loss.at("/published/depreciation"_json_pointer);
    depreciation.resize(kMonths / 12);
    expect_published("depreciation, year", depreciation_by_year(with_loss), depreciation, relative(1e-12));
    EXPECT_TRUE(is_published("loss", with_loss.compiled.capital.tax_credit_at_end, loss.at("/published/loss"_json_pointer),
                             relative(1e-12)));
    EXPECT_TRUE(is_published("cash after tax", -cash_after_tax(with_loss).terminal,
                             loss.at("/published/after_tax_cash"_json_pointer), {0, 0.5}));
    const tests::Answer with_gain = sold(gain);
    EXPECT_TRUE(is_published("gain", -with_gain.compiled.capital.tax_credit_at_end, gain.at("/published/gain"_json_pointer),
                             relative(1e-12)));
    EXPECT_TRUE(is_published("salvage after tax", -cash_after_tax(with_gain).terminal,
                             gain.at("/published/after_tax_salvage"_json_pointer), relative(1e-12)));
}

// A period each; income is a negative extra cost, taxed as all of them.
TEST(Published2, ResaleAtTheFirstPriceIsTaxed) {
    const json& stored = published_case("resale-full-gain-npw");
    const json& inputs = stored.at("inputs");
    const int life = inputs.at("life_years");
    const double price = inputs.at("price");
    const json finance = {{"discount_rate", period_rate(inputs.at("marr"))}, {"tax_rate", inputs.at("tax_rate")}};
    const auto kept = [&](double resale) {
        const json server = {{"price", price}, {"life_months", life}, {"residual_fraction", resale / price}};
        const json income = {{{"name", "income"}, {"per_month", -inputs.at("income_before_tax").get<double>()}}};
        return answer_to(one_server({{"server", server}, {"extra_costs", income}}, life, finance));
    };
    const tests::Answer without = kept(inputs.at("/resale/0"_json_pointer));
    const tests::Answer with = kept(inputs.at("/resale/1"_json_pointer));
    const json& published = stored.at("published");
    EXPECT_TRUE(is_published("flow after tax", -cash_after_tax(without).during[1], published.at("atcf"), relative(1e-12)));
    EXPECT_TRUE(is_published("npw", -without.summary.npv_after_tax, published.at("npw_no_resale"), printed(0)));
    EXPECT_TRUE(is_published("npw with resale", -with.summary.npv_after_tax, published.at("npw_with_resale"), printed(0)));
    EXPECT_TRUE(is_published("salvage after tax", -cash_after_tax(with).end.back() - cash_after_tax(with).terminal,
                             published.at("after_tax_salvage"), relative(1e-12)));
}

// The tables' own digits. Each year is spread in twelfths from the month of purchase, which is not the IRS's tax year.
TEST(Published2, MacrsTables) {
    const json& published = published_case("tax-macrs-half-year-tables").at("published");
    for (const int years : {3, 5, 7}) {
        const std::vector<double> table = published.at(fmt::format("{}_year", years));
        const int months = 12 * static_cast<int>(table.size());
        const json server = {{"server", {{"price", 100}, {"life_months", months}}}};
        const json finance = {{"tax_rate", 0.3}, {"tax_depreciation", fmt::format("macrs_{}", years)}};
        expect_published(fmt::format("macrs_{}, year", years), depreciation_by_year(answer_to(one_server(server, months, finance))),
                         table, relative(1e-12));
    }
}

// Both levels of tax as the effective rate. The source's loan pays interest by the year: of a bullet the first year's is the same.
TEST(Published2, Macrs5AndInterestSaveTax) {
    const json& stored = published_case("tax-macrs5-savings-ssc");
    const json& inputs = stored.at("inputs");
    const json& published = stored.at("published");
    const double cost = inputs.at("installed_cost");
    const json finance = {{"tax_rate", published.at("effective_tax_rate_percent").get<double>() / 100},
                          {"tax_depreciation", "macrs_5"}};
    constexpr int kMonths = 84;
    const json server = {{"server", {{"price", cost}, {"life_months", kMonths}}}};
    const tests::Answer owned = answer_to(one_server(server, kMonths, finance));
    expect_published("depreciation, year", depreciation_by_year(owned), published.at("cf_fed_depreciation"), {1e-12, 1e-6});

    constexpr double kDebt = 0.6; // of the source's inputs
    json bought = financed(cost, 60,
                           {{"fraction", kDebt},
                            {"rate", inputs.at("interest_year_1").get<double>() / (kDebt * cost)},
                            {"term_months", 60},
                            {"kind", "bullet"}});
    bought["extra_costs"] = {
        {{"name", "operation"}, {"per_month", inputs.at("/operating_expenses/0"_json_pointer).get<double>() / 12}}};
    const tests::Answer answer = answer_to(one_server(bought, 12, finance));
    const model::TimedCash before = model::timed_cash(answer.compiled, answer.ledger, false);
    const model::TimedCash after = cash_after_tax(answer);
    double saved = 0.0;
    for (std::size_t m = 0; m < 12; ++m) {
        saved += before.during[m] - after.during[m];
    }
    EXPECT_TRUE(
        is_published("savings of year 1", saved, published.at("/cf_sta_and_fed_tax_savings/0"_json_pointer), relative(1e-12)));
}

} // namespace
} // namespace costcurve::golden
