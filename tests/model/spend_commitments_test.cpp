// Commitments to spend: hours that differ, what they mean, and what the horizon's end leaves of them (model.md, section 8).
#include "model/categories/spend_commitments.hpp"

#include <cmath>

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::cost_by_category;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::issues_of;

// One machine at 3.60 an hour by night, three by day; 3.60 an hour are committed at half the price, and pay for two.
ScenarioDocument day_and_night_rented() {
    ScenarioDocument document = tests::cloud_scenario();
    Workload& work = document.workloads[0];
    work.demand.mean_per_s = 2;
    work.demand.shape = tests::curve(CurveKind::demand, Axis::hour_of_day, {0, 12}, {0.5, 1.5}, Interpolation::step);
    document.pools[0].max_instances = 5;
    SpendCommitment& plan = document.spend_commitments.emplace_back();
    plan.name = "plan";
    plan.hourly_spend = 3.60;
    plan.term_months = 1;
    plan.discounts = {{"", "", "", "", 0.5}};
    return document;
}

// By night 1.80 of 3.60 is lost; by day two of three machines are paid for, and one is on demand.
TEST(SpendCommitments, OfAnHourPayForNoOther) {
    const Answer answer = evaluate_document(day_and_night_rented());
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::commitment), 372 * 1.80));
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::compute), 372 * 1.80 + 372 * (3.60 + 3.60)));
    EXPECT_TRUE(is_close(answer.summary.total.cost, 744 * 3.60 + 372 * 3.60));
    EXPECT_TRUE(is_close(answer.summary.unallocated_cost, 372 * 1.80)) << "what is lost is borne by no workload";
}

TEST(SpendCommitments, OfMoreThanAllIsUsedCostNoLessThanTheDiscountedPrice) {
    ScenarioDocument document = day_and_night_rented();
    document.spend_commitments[0].hourly_spend = 0;
    const double on_demand = evaluate_document(document).summary.total.cost;
    EXPECT_TRUE(is_close(on_demand, 372 * 4 * 3.60));
    for (const double spend : {0.1, 1.0, 1.8, 2.7, 5.4, 9.0}) {
        document.spend_commitments[0].hourly_spend = spend;
        const double cost = evaluate_document(document).summary.total.cost;
        EXPECT_GE(cost, std::max(on_demand / 2, 744 * spend) * (1 - 1e-12));
        EXPECT_LE(cost, on_demand + 744 * spend);
    }
}

TEST(SpendCommitments, MeanOffersByAllThatIsStated) {
    Offer offer;
    offer.provider = "aws";
    offer.sku = "p5.48xlarge";
    offer.region = "us-east-1";
    offer.device.id = "h100";
    struct Row {
        SpendDiscount discount;
        bool means;
    };
    const std::vector<Row> rows = {
        {{"", "", "", "", 0.1}, true},
        {{"aws", "p5", "h100", "us-east-1", 0.1}, true},
        {{"", "p5.48xlarge", "", "", 0.1}, true},
        {{"gcp", "", "", "", 0.1}, false},
        {{"", "p", "", "", 0.1}, false},
        {{"", "p5e", "", "", 0.1}, false},
        {{"", "", "h200", "", 0.1}, false},
        {{"", "", "", "us-west-2", 0.1}, false},
    };
    for (const Row& row : rows) {
        SpendCommitment plan;
        plan.discounts = {row.discount};
        EXPECT_EQ(discount_on(plan, offer).has_value(), row.means) << row.discount.provider << row.discount.family;
    }
    SpendCommitment first;
    first.discounts = {{"", "p5", "", "", 0.4}, {"", "", "", "", 0.2}};
    EXPECT_EQ(*discount_on(first, offer), 0.4) << "the first that means it";
}

TEST(SpendCommitments, OfATermThatTheHorizonCutsArePaidWhole) {
    ScenarioDocument document = day_and_night_rented();
    document.finance.discount_rate = 0.1;
    document.spend_commitments[0].term_months = 3;
    const double left = 672 * std::pow(1.1, -1.0 / 12) + 744 * std::pow(1.1, -2.0 / 12); // hours of February and March
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.terminal.obligations, 3.60 * left));
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::commitment), 372 * 1.80 + 3.60 * left));
    document.spend_commitments[0].from_month = -2;
    EXPECT_EQ(evaluate_document(document).summary.terminal.obligations, 0.0) << "it ends with the horizon";
    document.finance.at_end = AtEnd::continuing;
    document.spend_commitments[0].from_month = 0;
    EXPECT_EQ(evaluate_document(document).summary.terminal.obligations, 0.0);
}

TEST(SpendCommitments, SupportByTheBillIsOfTheDiscountedOne) {
    ScenarioDocument document = day_and_night_rented();
    ExtraCost& support = document.pools[0].extra_costs.emplace_back();
    support.name = "support";
    support.fraction_of_bill = 0.1;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::other), 0.1 * cost_by_category(answer, Category::compute)));
}

TEST(SpendCommitments, OfSpotAndReservedPayForNothing) {
    for (const Purchase purchase : {Purchase::spot, Purchase::reserved}) {
        ScenarioDocument document = day_and_night_rented();
        Pool& pool = document.pools[0];
        pool.offer->purchase = purchase;
        pool.offer->interruptions_per_hour = 0;
        pool.offer->availability_fraction = 1;
        pool.min_instances = pool.max_instances;
        if (purchase == Purchase::reserved) {
            pool.offer->term_months = 1;
        }
        EXPECT_TRUE(is_close(cost_by_category(evaluate_document(document), Category::commitment), 744 * 3.60)) << name_of(purchase);
    }
}

TEST(SpendCommitments, HaveWholeTermsThatReachIntoTheHorizon) {
    ScenarioDocument document = day_and_night_rented();
    document.spend_commitments[0].term_months = 12;
    document.spend_commitments[0].months = 18;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"term_not_whole /spend_commitments/0/months"});
    document.spend_commitments[0].months = 12;
    document.spend_commitments[0].from_month = -12;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"out_of_range /spend_commitments/0/from_month"});
}

} // namespace
} // namespace costcurve::model
