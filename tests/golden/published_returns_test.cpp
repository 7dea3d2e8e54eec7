// Published rates of return, paybacks and present values of a project against doing nothing, by compare's investment; and growth.
#include "tests/golden/published_2.hpp"

namespace costcurve::golden {
namespace {

using model::Investment;

constexpr int kPeriod = 1; // months apart: a month stands for a year
constexpr int kYear = 12;

// The rate of a period that is the one rate of return a year.
double rate_a_period(const Investment& answer) {
    return answer.irr.size() == 1 ? std::pow(1 + answer.irr[0], 1.0 / 12) - 1 : std::nan("");
}

// Sources spread a year's flow evenly when they interpolate, as the model does a month's.
TEST(Published2, PaybackNpvAndIrrOfOneProject) {
    const json& stored = published_case("irr-payback-52125");
    const json& published = stored.at("published");
    const std::vector<double> flows = stored.at("/inputs/cash_flows"_json_pointer);
    const double rate = stored.at("/inputs/rate"_json_pointer);
    const Investment answer = investment_in(flows, period_rate(rate), kPeriod);
    EXPECT_FALSE(answer.reversed);
    EXPECT_TRUE(is_published("payback", answer.payback_month.value(), published.at("payback_years"), printed(4)));
    EXPECT_TRUE(is_published("discounted payback", answer.discounted_payback_month.value(),
                             published.at("discounted_payback_years"), {0, 0.01}));
    EXPECT_TRUE(is_published("npv", -answer.npv_difference, published.at("npv"), printed(2)));
    EXPECT_TRUE(is_published("irr", rate_a_period(answer), published.at("irr"), {0, 0.0005}));
    // In years of twelve months, each year's flow at its end.
    const Investment by_year = investment_in(flows, rate, kYear);
    EXPECT_TRUE(is_published("npv by years", -by_year.npv_difference, published.at("npv"), printed(2)));
    ASSERT_EQ(by_year.irr.size(), 1U);
    EXPECT_TRUE(is_published("irr by years", by_year.irr[0], published.at("irr"), {0, 0.0005}));
}

TEST(Published2, TwoProjectsAtTwoRates) {
    const json& stored = published_case("irr-npv-two-projects");
    const json& inputs = stored.at("inputs");
    const json& published = stored.at("published");
    for (const std::string name : {"A", "B"}) {
        const std::vector<double> flows = inputs.at(name);
        for (const double rate : inputs.at("rates")) {
            const Investment answer = investment_in(flows, rate, kYear);
            const std::string npv = fmt::format("npv_{}_{:.0f}", name, 100 * rate);
            EXPECT_TRUE(is_published(npv, -answer.npv_difference, published.at(npv), printed(2)));
            ASSERT_EQ(answer.irr.size(), 1U);
            EXPECT_TRUE(is_published("irr of " + name, answer.irr[0], published.at("irr_" + name), printed(4)));
        }
        const Investment by_period = investment_in(flows, 0, kPeriod);
        EXPECT_TRUE(
            is_published("payback of " + name, by_period.payback_month.value(), published.at("payback_" + name), relative(1e-12)));
    }
}

TEST(Published2, PaybackByInterpolation) {
    const json& stored = published_case("payback-165000");
    const std::vector<double> flows = stored.at("/inputs/cash_flows"_json_pointer);
    const double rate = stored.at("/inputs/rate"_json_pointer);
    const Investment answer = investment_in(flows, rate, kYear);
    EXPECT_TRUE(is_published("payback", investment_in(flows, 0, kPeriod).payback_month.value(),
                             stored.at("/published/payback_years"_json_pointer), printed(2)));
    EXPECT_TRUE(is_published("npv (of the case)", -answer.npv_difference, 12627.41, printed(2)));
    ASSERT_EQ(answer.irr.size(), 1U);
    EXPECT_TRUE(is_published("irr (of the case)", answer.irr[0], 0.1613, printed(4)));
}

// 25 years are more than the 240 months of a horizon, so a month stands for a year; the flows that are cut are in years of months.
// The source's solver stops 7e-6 points early, says the case.
TEST(Published2, SeriesWithALateChangeOfSign) {
    const json& stored = published_case("irr-npv-26-years-ssc");
    const json& published = stored.at("published");
    const std::vector<double> flows = stored.at("/inputs/cash_flows"_json_pointer);
    const double rate = stored.at("/inputs/nominal_rate"_json_pointer);
    const Investment whole = investment_in(flows, period_rate(rate), kPeriod);
    constexpr Tolerance kPoints = {0, 1e-4};
    EXPECT_TRUE(is_published("npv", -whole.npv_difference, published.at("npv"), relative(1e-9)));
    EXPECT_TRUE(is_published("irr %", 100 * rate_a_period(whole), published.at("irr_percent"), kPoints));
    for (const std::size_t years : {std::size_t{1}, std::size_t{20}}) {
        const Investment cut = investment_in({flows.begin(), flows.begin() + static_cast<std::ptrdiff_t>(years) + 1}, rate, kYear);
        ASSERT_EQ(cut.irr.size(), 1U) << years;
        EXPECT_TRUE(is_published(fmt::format("irr % to year {}", years), 100 * cut.irr[0],
                                 published.at(fmt::format("irr_percent_cut_at_year_{}", years)), kPoints));
        EXPECT_EQ(cut.payback_month.has_value(), years == 20);
    }
}

TEST(Published2, PricesGrowMonthly) {
    const json& stored = published_case("escalation-monthly");
    const json& inputs = stored.at("inputs");
    const json& published = stored.at("published");
    const auto after = [](double amount, double rate, std::size_t months) {
        const json extra = {{{"name", "payment"}, {"per_month", amount}, {"growth_rate", rate}}};
        const tests::Answer answer = answer_to(one_server({{"extra_costs", extra}}, static_cast<int>(months) + 1));
        return cost_in(answer, months, model::Category::other);
    };
    const double now = inputs.at("cost_now");
    const double escalation = inputs.at("annual_escalation");
    EXPECT_TRUE(is_published("2 months", after(now, escalation, 2), published.at("after_2_months"), printed(2)));
    EXPECT_TRUE(is_published("12 months", after(now, escalation, 12), published.at("after_12_months"), printed(2)));
    EXPECT_TRUE(is_published("factor of 2 months", after(1, escalation, 2), published.at("factor_2_months"), printed(5)));
    const json& also = inputs.at("also");
    for (const std::size_t years : also.at("years")) {
        EXPECT_TRUE(is_published(fmt::format("{} years", years), after(also.at("pv"), also.at("rate"), 12 * years),
                                 published.at(fmt::format("fv_{}_years", years)), printed(2)));
    }
}

} // namespace
} // namespace costcurve::golden
