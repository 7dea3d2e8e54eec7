// What the rest of a term brings at the horizon's end (model.md, section 8): published pages to the cent, limits, and refusals.
#include <algorithm>

#include "model/categories/term_resale.hpp"
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

// So many machines for a term, in a horizon that ends before it.
ScenarioDocument reserved(int months, int term_months, double upfront, double hourly_price, const TermResale& resale) {
    ScenarioDocument document = cloud_scenario();
    document.months = months;
    Pool& pool = document.pools[0];
    pool.min_instances = pool.max_instances = 1;
    pool.offer->purchase = Purchase::reserved;
    pool.offer->term_months = term_months;
    pool.offer->upfront = upfront;
    pool.offer->hourly_price = flat(hourly_price);
    pool.offer->resale = resale;
    return document;
}

struct ResaleRow {
    std::string what, source;
    int months, term_months, instances;
    double upfront;
    TermResale resale;
    double sold, cost;
};

TEST(PublishedCommitments, OfReservationsAreSoldAsTheirPagesDo) {
    const std::string azure = "https://learn.microsoft.com/azure/cost-management-billing/reservations/"
                              "exchange-and-refund-azure-reservations";
    const std::string aws = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ri-market-general.html";
    const std::vector<ResaleRow> rows = {
        {"36 months at 100, refunded after the 12th", azure, 12, 36, 1, 3600, {1, 0, 0, 50000}, 2400.00, 1200.00},
        {"the same, with the fee of 12 % that may come", azure, 12, 36, 1, 3600, {1, 0.12, 0.12, 50000}, 2112.00, 1488.00},
        {"25 of them: no more than 50,000 in 12 months", azure, 12, 36, 25, 3600, {1, 0, 0, 50000}, 50000.00, 40000.00},
        {"9 of 12 months for 500 of 1,500, less 12 %", aws, 3, 12, 1, 2000, {1.0 / 3, 0.12, 0, {}}, 440.00, 1560.00},
        {"less than a month is no month to sell", aws, 12, 12, 1, 2000, {1, 0.12, 0, {}}, 0.00, 2000.00},
    };
    for (const ResaleRow& row : rows) {
        ScenarioDocument document = reserved(row.months, row.term_months, row.upfront, 0, row.resale);
        document.pools[0].min_instances = document.pools[0].max_instances = row.instances;
        const Answer answer = evaluate_document(document);
        EXPECT_NEAR(answer.summary.terminal.commitments_sold, row.sold, 0.005) << row.what << ": " << row.source;
        EXPECT_NEAR(answer.summary.total.cost, row.cost, 0.005) << row.what << ": " << row.source;
        EXPECT_NEAR(answer.summary.total.cash, row.cost, 0.005) << row.what << ": " << row.source;
    }
}

// A buyer goes on with the hourly price: what is left of the term is not owed.
TEST(Resale, TakesOverThePaymentsLeft) {
    ScenarioDocument document = reserved(1, 3, 0, 2, {0, 0, 0, {}}); // 744 h of January; February and March have 1416
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 2 * 744));
    document.pools[0].offer->resale->payments_owed_fraction = 0.12;
    const Answer fee = evaluate_document(document);
    EXPECT_TRUE(is_close(fee.summary.total.cost, 2 * 744 + 0.12 * 2 * 1416));
    EXPECT_TRUE(is_close(fee.summary.terminal.obligations, 0.12 * 2 * 1416));
    EXPECT_TRUE(is_close(fee.summary.pools[0].obligation, 2 * 1416)) << "as signed";
    document.finance.at_end = AtEnd::continuing;
    EXPECT_EQ(evaluate_document(document).summary.terminal.commitments_sold, 0.0) << "the business goes on, and so does the term";
}

// 300 of prices and 2832 of payments left each: half of both may be sold.
TEST(Resale, IsUpToTheLimitOfAllPoolsAtTheSeller) {
    ScenarioDocument document = reserved(1, 3, 450, 2, {1, 0, 0, 3132});
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "other";
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.terminal.commitments_sold, 300));
    EXPECT_TRUE(is_close(answer.summary.terminal.obligations, 2832));
    EXPECT_TRUE(is_close(answer.summary.total.cost, 2 * (450 + 2 * 744) - 300 + 2832));
    document.pools[1].offer->provider = "another";
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 2 * (150 + 2 * 744))) << "each seller by itself";
}

TEST(Resale, OfATermOfBeforeTheHorizonIsAnIncome) {
    ScenarioDocument document = reserved(1, 3, 450, 0, {1, 0, 0, {}});
    document.pools[0].from_month = -1;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, -150)) << "what was paid for it is past";
}

TEST(Resale, IsSaidToBeUnsure) {
    const Answer answer = evaluate_document(reserved(12, 36, 3600, 0, {1, 0, 0, {}}));
    const auto cut = std::ranges::find(answer.summary.warnings, Code::term_cut, &Issue::code);
    ASSERT_NE(cut, answer.summary.warnings.end());
    EXPECT_NE(cut->message.find("refunded for 2400 USD"), std::string::npos) << cut->message;
}

TEST(Resale, GoesWithTermsInMonths) {
    ScenarioDocument document = reserved(1, 3, 450, 0, {1, 0, 0, {}});
    document.pools[0].offer->term_months.reset();
    document.pools[0].offer->term_days = 90;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"not_allowed /pools/0/offer/resale"});
    document = cloud_scenario();
    document.pools[0].offer->resale = TermResale{1, 0, 0, {}};
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"not_allowed /pools/0/offer/resale"});
}

} // namespace
} // namespace costcurve::model
