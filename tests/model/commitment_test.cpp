// When cloud pools are there, the terms of commitments, and what a cut term leaves (model.md, sections 5 and 8).
#include "model/commitment.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::cloud_scenario;
using tests::cost_by_category;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::issues_of;

constexpr double kRateOfOnePercentAMonth = 0.12682503013196977; // 1.01^12 - 1

double cash_of_category(const Answer& answer, Category category) {
    return answer.summary.by_category[static_cast<std::size_t>(category)].cash;
}

ScenarioDocument committed(Purchase purchase, double hourly_price, double upfront, std::optional<int> term, int instances) {
    ScenarioDocument document = cloud_scenario();
    document.start = {2027, 1};
    document.workloads[0].demand.mean_per_s = 0;
    Pool& pool = document.pools[0];
    pool.offer->purchase = purchase;
    pool.offer->hourly_price = flat(hourly_price);
    pool.offer->upfront = upfront;
    pool.offer->term_months = term;
    pool.min_instances = pool.max_instances = instances;
    return document;
}

// hand-2.json, obligation-of-a-cut-term: 2 x 672 + 2 x 744 hours left, worth 1344/1.01 + 1488/1.0201; 400 of 600 unspent.
TEST(Commitment, CutTermLeavesItsHoursToBePaid) {
    ScenarioDocument document = committed(Purchase::committed, 1, 300, 3, 2);
    document.finance.discount_rate = kRateOfOnePercentAMonth;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.pools[0].obligation, 2832));
    EXPECT_TRUE(is_close(answer.summary.terminal.obligations, 2789.373590824429));
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::commitment), 3389.373590824429));
    EXPECT_TRUE(is_close(cash_of_category(answer, Category::commitment), 3389.373590824429));
    EXPECT_TRUE(is_close(answer.summary.total.cost, 4877.373590824429));
    EXPECT_TRUE(is_close(answer.summary.npv, 4835.02335725191));
    EXPECT_TRUE(is_close(answer.summary.unallocated_cost, 4877.373590824429));
    ASSERT_EQ(answer.summary.warnings.size(), 2U) << "the price has no date";
    EXPECT_EQ(answer.summary.warnings[1].code, Code::term_cut);
    EXPECT_NE(answer.summary.warnings[1].message.find("2832"), std::string::npos);
}

TEST(Commitment, BusinessThatContinuesIsOwedItsUnspentUpfront) {
    ScenarioDocument document = committed(Purchase::committed, 1, 300, 3, 2);
    document.finance.at_end = AtEnd::continuing;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::commitment), 200));
    EXPECT_TRUE(is_close(cash_of_category(answer, Category::commitment), 200)) << "600 paid, 400 back";
    EXPECT_TRUE(is_close(answer.summary.pools[0].obligation, 2832)) << "said all the same";
    EXPECT_EQ(answer.summary.terminal.obligations, 0.0);
}

// economics.md, A5: 2 x (7.8 x hours of 30 months + 68374.8) signed for 36 months can't be left after 6 for 90542.
TEST(Commitment, ReservationOfThreeYearsIsNotLeftForFree) {
    ScenarioDocument document = committed(Purchase::reserved, 7.8, 68374.8, 36, 2);
    document.months = 6;
    const Answer answer = evaluate_document(document);
    // January to June 2027 have 4344 hours; the 30 months from July 2027 have 913 days + 1 (February 2028): 21936 hours.
    EXPECT_TRUE(is_close(answer.summary.pools[0].obligation, 2 * 7.8 * 21960, 2e-3));
    EXPECT_GT(answer.summary.total.cost, 540000);
    EXPECT_NEAR(answer.summary.total.cost, 2 * (7.8 * 730 * 36 + 68374.8), 600) << "mine: 546718, in months of 730 hours";
}

// hand-2.json, signed-before-then-on-demand.
TEST(Commitment, TermSignedBeforeTheStartIsPaidToItsEnd) {
    ScenarioDocument document = committed(Purchase::reserved, 2, 5000, 12, 3);
    document.months = 4;
    document.pools[0].from_month = -10;
    document.pools[0].months = 12;
    document.pools[0].discount_fraction = 0.1;
    Pool on_demand = cloud_scenario().pools[0];
    on_demand.id = "od";
    on_demand.offer->hourly_price = flat(5);
    on_demand.max_instances = 1;
    on_demand.from_month = 2;
    on_demand.months = 1;
    document.pools.push_back(on_demand);
    document.workloads[0].demand.mean_per_s = 3;
    document.workloads[0].runs_on.push_back(document.workloads[0].runs_on[0]);
    document.workloads[0].runs_on[1].pool = "od";
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.pools[0].total.cost, 7646.4)) << "the upfront is past";
    EXPECT_TRUE(is_close(answer.summary.pools[1].total.cost, 3720));
    EXPECT_TRUE(is_close(answer.summary.total.cash, 11366.4));
    EXPECT_EQ(answer.summary.months[3].total.cost, 0.0);
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_served, 17971200));
}

TEST(Commitment, TermsFollowEachOtherWhileThePoolIsThere) {
    Pool pool = committed(Purchase::reserved, 1, 100, 12, 1).pools[0];
    const auto starts = [&](int from, std::optional<int> months) {
        pool.from_month = from;
        pool.months = months;
        std::vector<int> found;
        for (const Window& term : terms_of(pool, 36)) {
            found.push_back(term.from);
        }
        return found;
    };
    EXPECT_EQ(starts(0, std::nullopt), (std::vector<int>{0, 12, 24}));
    EXPECT_EQ(starts(6, 12), (std::vector<int>{6}));
    EXPECT_EQ(starts(-12, 24), (std::vector<int>{0})) << "the first is over";
    EXPECT_EQ(starts(-5, 24), (std::vector<int>{-5, 7}));
    EXPECT_EQ(starts(40, std::nullopt), std::vector<int>{});
    pool.offer->purchase = Purchase::on_demand;
    EXPECT_EQ(starts(0, std::nullopt), std::vector<int>{});
}

TEST(Commitment, OneYearReservedAndOnDemandAfterwardsAreTwoPools) {
    ScenarioDocument document = committed(Purchase::reserved, 1, 1200, 12, 1);
    document.months = 24;
    document.pools[0].months = 12;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.total.cost, 1200 + 365 * 24));
    EXPECT_EQ(answer.summary.months[12].total.cost, 0.0);
    EXPECT_EQ(answer.summary.pools[0].obligation, 0.0);
}

TEST(Commitment, WhatIsSignedIsPaid) {
    const auto issues = [](int from, std::optional<int> months) {
        ScenarioDocument document = committed(Purchase::reserved, 1, 0, 12, 1);
        document.pools[0].from_month = from;
        document.pools[0].months = months;
        return issues_of(document);
    };
    using Found = std::vector<std::string>;
    EXPECT_EQ(issues(0, 18), Found{"term_not_whole /pools/0/months"});
    EXPECT_EQ(issues(0, 24), Found{});
    EXPECT_EQ(issues(-12, std::nullopt), Found{});
    EXPECT_EQ(issues(-13, std::nullopt), Found{"out_of_range /pools/0/from_month"});
}

TEST(Commitment, DiscountTakesOffPricesAndUpfronts) {
    ScenarioDocument document = committed(Purchase::reserved, 1, 1200, 1, 1);
    document.pools[0].discount_fraction = 0.25;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 0.75 * (1200 + 744)));
    document.pools[0].kind = PoolKind::owned;
    ScenarioDocument owned = tests::owned_scenario();
    owned.pools[0].discount_fraction = 0.25;
    EXPECT_EQ(issues_of(owned), std::vector<std::string>{"not_allowed /pools/0/discount_fraction"});
}

} // namespace
} // namespace costcurve::model
