// Bills of published pages on commitments, to the cent: each row another rule or another page.
#include <set>

#include "model/categories/spend_commitments.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::cloud_scenario;
using tests::evaluate_document;
using tests::flat;

constexpr double kHours = 744.0; // of January 2026, the scenarios' month

// Machines that run all the time, without work on them.
struct Rented {
    std::string sku;
    std::string region;
    double hourly_price;
    int instances;
    Purchase purchase = Purchase::on_demand;
};
struct Plan {
    double hourly_spend;
    std::vector<SpendDiscount> discounts;
};
struct Bill {
    std::string what;
    std::string source;
    std::vector<Rented> rented;
    std::vector<Plan> plans;
    double an_hour;
};

ScenarioDocument document_of(const Bill& bill) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.mean_per_s = 0;
    const Pool like = document.pools[0];
    document.pools.clear();
    for (const Rented& rented : bill.rented) {
        Pool& pool = document.pools.emplace_back(like);
        pool.id = document.pools.size() == 1 ? like.id : rented.sku;
        pool.offer->sku = rented.sku;
        pool.offer->region = rented.region;
        pool.offer->provider = "aws";
        pool.offer->purchase = rented.purchase;
        pool.offer->hourly_price = flat(rented.hourly_price);
        pool.min_instances = pool.max_instances = rented.instances;
    }
    for (const Plan& plan : bill.plans) {
        SpendCommitment& commitment = document.spend_commitments.emplace_back();
        commitment.name = "plan";
        commitment.hourly_spend = plan.hourly_spend;
        commitment.term_months = 1;
        commitment.discounts = plan.discounts;
    }
    return document;
}

SpendDiscount off(std::string family, double fraction, std::string region = "") {
    return {"", std::move(family), "", std::move(region), fraction};
}

// The usage of an hour in AWS's examples: 1,000,000 x 0.5 GB x 3 s of Lambda are 22.50 on demand.
std::vector<Rented> usage_of_aws(int r5) {
    return {{"r5.4xlarge", "us-east-1", 1.00, r5},      {"fargate-vcpu", "us-west-1", 0.04, 400},
            {"fargate-gb", "us-west-1", 0.004, 1600},   {"m5.24xlarge", "us-east-1", 10.00, 1},
            {"lambda-duration", "us-east-2", 22.50, 1}, {"lambda-requests", "us-east-2", 0.20, 1}};
}
std::vector<SpendDiscount> compute_plan() {
    return {off("r5", 0.30), off("fargate", 0.25), off("m5", 0.18), off("lambda-duration", 0.15), off("lambda-requests", 0.0)};
}

const std::string kApplying = "https://docs.aws.amazon.com/savingsplans/latest/userguide/sp-applying.html";
const std::string kRepost = "https://repost.aws/questions/QUgw-Sk0sjSJ2JM11c1QofMA/aws-saving-plans-calculation-example-by-amazon";

std::vector<Bill> published() {
    std::vector<Rented> with_reserved = usage_of_aws(2);
    with_reserved.push_back({"r5.4xlarge", "us-east-1", 0.55, 2, Purchase::reserved});
    return {
        {"no plan", kApplying + ", scenario 1", usage_of_aws(4), {}, 59.10},
        {"a plan above all usage: what it leaves is lost",
         kApplying + ", scenario 1",
         usage_of_aws(4),
         {{50.00, compute_plan()}},
         50.00},
        {"a plan of 2.00 covers 2.857 machines",
         kApplying + ", scenario 2",
         usage_of_aws(4),
         {{2.00, compute_plan()}},
         2.00 + 4.0 - 2.00 / 0.70 + 55.10},
        {"a plan across products, the largest saving first",
         kApplying + ", scenario 3",
         usage_of_aws(4),
         {{19.60, compute_plan()}},
         19.60 + 32.70},
        {"reserved machines come before",
         kApplying + ", scenario 4",
         with_reserved,
         {{18.20, compute_plan()}},
         18.20 + 32.70 + 2 * 0.55},
        {"a plan of one family in one region, then one of all",
         kApplying + ", scenario 5",
         usage_of_aws(4),
         {{3.00, {off("r5", 0.40, "us-east-1")}}, {16.80, compute_plan()}},
         3.00 + 16.80 + 32.70},
        {"a plan that is just what all usage comes to",
         kApplying + " of 2020, scenario 1",
         {{"c5.9xlarge", "us-east-1", 4.00, 1},
          {"windows.24xlarge", "us-east-1", 10.00, 1},
          {"fargate-vcpu", "us-west-1", 1.50, 10},
          {"fargate-gb", "us-west-1", 2.00, 5}},
         {{25.00, {off("c5", 0.50), off("windows", 0.20), off("fargate-vcpu", 1.0 / 3.0), off("fargate-gb", 0.50)}}},
         25.00},
        {"one machine that its plan covers", kRepost, {{"m5.large", "", 1.00, 1}}, {{0.90, {off("m5", 0.10)}}}, 0.90},
        {"a second machine is on demand", kRepost, {{"m5.large", "", 1.00, 2}}, {{0.90, {off("m5", 0.10)}}}, 1.90},
        {"none runs, and the plan is paid", kRepost, {{"m5.large", "", 1.00, 0}}, {{0.90, {off("m5", 0.10)}}}, 0.90},
    };
}

TEST(PublishedCommitments, OfSpendAreBilledAsTheirPagesDo) {
    for (const Bill& bill : published()) {
        ScenarioDocument document = document_of(bill);
        for (Pool& pool : document.pools) {
            if (pool.offer->purchase == Purchase::reserved) {
                pool.offer->term_months = 1;
            }
        }
        std::set<std::string> ids; // two pools may have the same sku
        for (Pool& pool : document.pools) {
            pool.id = ids.insert(pool.id).second ? pool.id : pool.id + "-reserved";
        }
        const double cost = evaluate_document(document).summary.total.cost;
        EXPECT_NEAR(cost / kHours, bill.an_hour, 0.5e-6) << bill.what << ": " << bill.source;
        EXPECT_NEAR(cost, bill.an_hour * kHours, 0.005) << bill.what << ": " << bill.source;
    }
}

// Units of a hosted model for a month of 744 hours.
struct Units {
    std::string what;
    std::string source;
    int units;
    std::optional<int> term_months;
    double price; ///< a unit-hour, or a unit-month
    bool by_month;
    double a_month;
};

TEST(PublishedCommitments, OfThroughputAreBilledAsTheirPagesDo) {
    const std::string azure = "Azure OpenAI Service pricing, global provisioned (2026)";
    const std::string bedrock = "https://aws.amazon.com/bedrock/pricing, pricing examples";
    const std::vector<Units> rows = {
        {"15 PTU by the hour", azure, 15, std::nullopt, 1.00, false, 11160.00},
        {"15 PTU by a reservation of a month", azure, 15, 1, 260.00, true, 3900.00},
        {"15 PTU by a reservation of a year, a twelfth of 2,652", azure, 15, 12, 2652.00 / 12, true, 3315.00},
        {"two model units of Titan Text Express for a month", bedrock, 2, 1, 18.40, false, 27379.20},
        {"a model unit of Llama 2 for a month", bedrock, 1, 1, 21.18, false, 15757.92},
    };
    for (const Units& row : rows) {
        ScenarioDocument document = tests::api_scenario();
        document.finance.at_end = AtEnd::continuing; // of the year, the first month
        document.workloads[0].units_per_request = tests::in_and_out(1000, 100);
        document.workloads[0].demand.mean_per_s = 0;
        Pool& pool = document.pools[0];
        Provisioned& provisioned = pool.provisioned.emplace();
        provisioned.tokens_per_minute = TokensPerMinute{{.input = 3000, .output = 750}};
        if (!row.term_months) {
            provisioned.price_per_unit_hour = flat(row.price);
        } else {
            ProvisionedTerm& term = provisioned.terms.emplace_back();
            term.months = *row.term_months;
            (row.by_month ? term.price_per_unit_month : term.price_per_unit_hour) = row.price;
        }
        pool.provisioned_units = row.units;
        pool.provisioned_term_months = row.term_months;
        EXPECT_NEAR(evaluate_document(document).summary.total.cost, row.a_month, 0.005) << row.what << ": " << row.source;
    }
}

} // namespace
} // namespace costcurve::model
