// The bound of plans with provisioned units and commitments to spend, against brute force.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "model/hosted/provisioned.hpp"
#include "model/questions/optimize/bound.hpp"
#include "model/questions/optimize/optimize.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using namespace costcurve::model;

Rate day_and_night() { return curve(CurveKind::demand, Axis::hour_of_day, {0, 12}, {0.5, 1.5}, Interpolation::step); }

// Units that serve 0.1 requests/s each, beside tokens at 0.504 an hour of a unit.
ScenarioDocument units_and_tokens(double price) {
    ScenarioDocument document = api_scenario();
    Workload& work = document.workloads[0];
    work.units_per_request = in_and_out(300, 100);
    work.demand.shape = day_and_night();
    document.pools[0].price_per_million_units = in_and_out(flat(2), flat(8));
    Pool by_token = document.pools[0];
    by_token.id = "by-token";
    Provisioned& provisioned = document.pools[0].provisioned.emplace();
    provisioned.price_per_unit_hour = flat(price);
    provisioned.tokens_per_minute = TokensPerMinute{{.input = 4200, .output = 1050}};
    document.pools[0].provisioned_units = 0;
    document.pools.push_back(by_token);
    work.runs_on.push_back({});
    work.runs_on.back().pool = "by-token";
    return document;
}

double bound_at(const ScenarioDocument& document, const std::vector<Decide>& decide) {
    const auto decisions = bind_decisions(document, decide);
    EXPECT_TRUE(decisions);
    const Scenario scenario = make_scenario(document).value();
    const auto linear = bound_of(scenario, *decisions, Objective::cost, {}, 48);
    Box box;
    for (const Decision& decision : *decisions) {
        box.low.push_back(decision.min);
        box.high.push_back(decision.max);
    }
    return linear->solve(box).value;
}

TEST(CommitmentBound, OfUnitsIsTheBestPlanAndNoMore) {
    for (const double price : {0.1, 0.3, 0.45, 0.6}) {
        ScenarioDocument document = units_and_tokens(price);
        const double bound = bound_at(document, {{"/pools/0/provisioned_units", 0, 20}});
        double least = HUGE_VAL;
        for (int units = 0; units <= 20; ++units) {
            document.pools[0].provisioned_units = units;
            least = std::min(least, evaluate_document(document).summary.total.cost);
        }
        EXPECT_LE(bound, least * (1 + 1e-9)) << price;
        EXPECT_GE(bound, least * (1 - 1e-4)) << price;
    }
}

TEST(CommitmentBound, UnderACommitmentToSpendIsUnderEveryPlan) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.mean_per_s = 3;
    document.workloads[0].demand.shape = day_and_night();
    SpendCommitment& plan = document.spend_commitments.emplace_back();
    plan.name = "plan";
    plan.term_months = 1;
    plan.discounts = {{"", "", "", "", 0.4}};
    for (const double spend : {0.0, 2.0, 6.0, 20.0}) {
        document.spend_commitments[0].hourly_spend = spend;
        document.pools[0].min_instances = 0;
        document.pools[0].max_instances = 8;
        const double bound = bound_at(document, {{"/pools/0/min_instances", 0, 6}});
        for (int instances = 0; instances <= 6; ++instances) {
            document.pools[0].min_instances = instances;
            EXPECT_LE(bound, evaluate_document(document).summary.total.cost * (1 + 1e-9)) << spend << " " << instances;
        }
        EXPECT_GT(bound, 0.0);
    }
}

// A reservation that stores weights: billed once, however many its instances, and what is left of it is sold up to a limit.
TEST(CommitmentBound, HasStorageOnceAndWhatIsSold) {
    ScenarioDocument document = cloud_scenario();
    document.months = 2;
    document.workloads[0].demand.mean_per_s = 3;
    document.workloads[0].stored_gb = 5000;
    Offer& offer = *document.pools[0].offer;
    offer.purchase = Purchase::reserved;
    offer.term_months = 12;
    offer.upfront = 6000;
    offer.storage_per_gb_month = 0.2;
    for (const double limit : {1e9, 9000.0}) {
        offer.resale = TermResale{0.9, 0.12, 0.12, limit};
        document.pools[0].min_instances = document.pools[0].max_instances = 1;
        const double bound = bound_at(document, {{"/pools/0/max_instances", 1, 6}});
        double least = HUGE_VAL;
        for (int instances = 3; instances <= 6; ++instances) { // fewer leave work undone
            document.pools[0].min_instances = document.pools[0].max_instances = instances;
            least = std::min(least, evaluate_document(document).summary.total.cost);
        }
        EXPECT_LE(bound, least * (1 + 1e-9)) << limit;
        EXPECT_GE(bound, least - (limit < 1e9 ? HUGE_VAL : 1e-4 * least)) << "storage is no slack";
        EXPECT_GT(bound, 2 * 5000 * 0.2);
    }
}

// A block of two weeks, a machine on demand in tiers, tokens in tiers; egress in tiers, and support.
ScenarioDocument rented_by_days_and_volume() {
    ScenarioDocument document = cloud_scenario();
    document.months = 2;
    Workload& work = document.workloads[0];
    work.demand.mean_per_s = 3;
    work.demand.shape = day_and_night();
    work.egress_gb_per_unit = 0.001;
    Pool& on_demand = document.pools[0];
    on_demand.max_instances = 3;
    on_demand.offer->volume_tiers = {{500, 0.7}};
    on_demand.offer->egress_tiers = {{"", 0, 0.0}, {"", 100, 0.09}};
    Pool block = on_demand;
    block.id = "block";
    block.offer->purchase = Purchase::block;
    block.offer->hourly_price = flat(0);
    block.offer->upfront = 700;
    block.offer->term_days = 14;
    block.offer->volume_tiers = {};
    block.from_day = 20;
    Pool by_token = api_scenario().pools[0];
    by_token.id = "tokens";
    by_token.price_per_million_units = one_price(flat(1500));
    by_token.volume_tiers = {{1e6, 0.8}};
    document.pools.push_back(block);
    document.pools.push_back(by_token);
    work.runs_on.insert(work.runs_on.begin(), work.runs_on[0]);
    work.runs_on[0].pool = "block";
    work.runs_on.push_back({});
    work.runs_on.back().pool = "tokens";
    document.support_plans = {{"support", "", 100, {{0, 0.1}, {5000, 0.07}}}};
    return document;
}

TEST(CommitmentBound, OfDaysAndVolumesIsUnderEveryPlan) {
    ScenarioDocument document = rented_by_days_and_volume();
    document.pools[1].min_instances = document.pools[1].max_instances = 0;
    const double bound = bound_at(document, {{"/pools/1/max_instances", 0, 5}});
    double least = HUGE_VAL;
    for (int instances = 0; instances <= 5; ++instances) {
        document.pools[1].min_instances = document.pools[1].max_instances = instances;
        least = std::min(least, evaluate_document(document).summary.total.cost);
    }
    EXPECT_LE(bound, least * (1 + 1e-9));
    EXPECT_GT(bound, 0.5 * least);
}

// Three months of which one is used: the more machines, the less an hour that is owed costs.
TEST(CommitmentBound, OfHoursOwedInTiersIsUnderEveryPlan) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.mean_per_s = 5;
    document.workloads[0].unserved_cost_per_unit = 1;
    Pool& pool = document.pools[0];
    pool.offer->purchase = Purchase::reserved;
    pool.offer->term_months = 3;
    pool.offer->volume_tiers = {{500, 0.1}};
    pool.min_instances = pool.max_instances = 0;
    const double bound = bound_at(document, {{"/pools/0/max_instances", 0, 6}});
    double least = HUGE_VAL;
    for (int instances = 0; instances <= 6; ++instances) {
        document.pools[0].min_instances = document.pools[0].max_instances = instances;
        least = std::min(least, evaluate_document(document).summary.total.cost);
    }
    EXPECT_LE(bound, least * (1 + 1e-9));
    EXPECT_GT(bound, 0.3 * least);
}

} // namespace
} // namespace costcurve::tests
