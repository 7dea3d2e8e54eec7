// Provisioned throughput: what units serve, what overflows, and what the horizon's end leaves of a term (model.md, section 5).
#include "model/hosted/provisioned.hpp"

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

// gpt-4.1 by Microsoft Learn, "Determine PTU sizing for a workload" (2026): 3,000 input tokens a minute a unit, an output token
// counts as 4, 15 units and 5 more each; cached input counts nothing. Prices: 2 and 8 USD a million by the token, 1 USD a
// unit-hour.
Provisioned gpt_4_1() {
    Provisioned provisioned;
    provisioned.price_per_unit_hour = flat(1.0);
    provisioned.minimum_units = 15;
    provisioned.unit_step = 5;
    provisioned.tokens_per_minute = TokensPerMinute{{.input = 3000, .output = 750}};
    provisioned.counts_cached_input = false;
    return provisioned;
}

// Requests of 1,000 in and 250 out, which are 2,000 input tokens to a unit: 1.5 a minute. Half of each day at 0.2 requests/s, half
// at 0.6: 15 units serve 22.5 a minute, 0.375 a second.
ScenarioDocument day_and_night() {
    ScenarioDocument document = tests::api_scenario();
    Workload& work = document.workloads[0];
    work.units_per_request = tests::in_and_out(1000, 250);
    work.demand.mean_per_s = 0.4;
    work.demand.shape = tests::curve(CurveKind::demand, Axis::hour_of_day, {0, 12}, {0.5, 1.5}, Interpolation::step);
    Pool& bought = document.pools[0];
    bought.price_per_million_units = tests::in_and_out(flat(2), flat(8));
    Pool by_token = bought;
    by_token.id = "by-token";
    bought.provisioned = gpt_4_1();
    bought.provisioned_units = 15;
    document.pools.push_back(by_token);
    work.runs_on.push_back({});
    work.runs_on.back().pool = "by-token";
    return document;
}

// A request costs 0.002 + 0.002 USD by the token. Of 744 hours 372 have 0.6 - 0.375 requests/s left, 3,600 s each.
TEST(Provisioned, UnitsAreIdleAtNightAndOverflowByDay) {
    const Answer answer = evaluate_document(day_and_night());
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::compute), 15 * 744.0));
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::usage), 372 * 3600 * 0.225 * 0.004));
    const PoolSummary& bought = answer.summary.pools[0];
    EXPECT_TRUE(is_close(*bought.unit_utilization, (0.2 + 0.375) / 2 / 0.375));
    EXPECT_TRUE(is_close(*bought.break_even_utilization, 15 * 744.0 / (744 * 3600 * 0.375 * 0.004)));
    EXPECT_FALSE(answer.summary.pools[1].break_even_utilization);
}

// The mean of the day, 0.4 requests/s, is above 15 units by 0.025: a bill by means would have an overflow nine times too small.
TEST(Provisioned, TheBillIsOfHoursNotOfTheirMean) {
    ScenarioDocument flat_demand = day_and_night();
    flat_demand.workloads[0].demand.shape.reset();
    const double by_means = cost_by_category(evaluate_document(flat_demand), Category::usage);
    EXPECT_TRUE(is_close(cost_by_category(evaluate_document(day_and_night()), Category::usage) / by_means, 4.5));
}

TEST(Provisioned, CachedInputCountsWhereItIsSaid) {
    Workload work;
    work.units_per_request = tests::units(1000, 3000, 250);
    Provisioned provisioned = gpt_4_1();
    EXPECT_TRUE(is_close(units_per_s_of_unit(provisioned, work), 4250 * 1.5 / 60));
    provisioned.counts_cached_input = true;
    EXPECT_TRUE(is_close(units_per_s_of_unit(provisioned, work), 4250 * 0.6 / 60)) << "5,000 of 3,000 a minute";
    provisioned.tokens_per_minute->cached_input = 30000;
    EXPECT_TRUE(is_close(units_per_s_of_unit(provisioned, work), 4250 / (2000.0 / 3000 + 0.1) / 60));
    provisioned.tokens_per_minute->output.reset();
    EXPECT_EQ(units_per_s_of_unit(provisioned, work), 0.0) << "nobody knows";
}

TEST(Provisioned, AYearThatTheHorizonCutsIsPaidWhole) {
    ScenarioDocument document = day_and_night();
    document.finance.discount_rate = 0.1;
    Pool& bought = document.pools[0];
    bought.provisioned->terms = {{.months = 3, .price_per_unit_hour = {}, .price_per_unit_month = 260}};
    bought.provisioned_term_months = 3;
    const double left = std::pow(1.1, -1.0 / 12) + std::pow(1.1, -2.0 / 12);
    Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::compute), 15 * 260));
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::commitment), 15 * 260 * left));
    EXPECT_TRUE(is_close(answer.summary.pools[0].obligation, 15 * 260 * 2));
    bought.provisioned->terms[0] = {.months = 3, .price_per_unit_hour = 0.5, .price_per_unit_month = {}};
    answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.pools[0].obligation, 15 * 0.5 * (672 + 744)));
    document.finance.at_end = AtEnd::continuing;
    EXPECT_EQ(cost_by_category(evaluate_document(document), Category::commitment), 0.0);
}

TEST(Provisioned, FeesArePaidEitherWayAndMoveNoBreakEven) {
    ScenarioDocument document = day_and_night();
    const double without = *evaluate_document(document).summary.pools[0].break_even_utilization;
    for (Pool& pool : document.pools) {
        pool.fees = HostedFees{};
        pool.fees->request = flat(0.01);
    }
    EXPECT_TRUE(is_close(*evaluate_document(document).summary.pools[0].break_even_utilization, without));
}

TEST(Provisioned, WhatIsNotSoldOrNotKnownIsRefused) {
    struct Row {
        void (*change)(ScenarioDocument&);
        std::string issue;
    };
    const std::vector<Row> rows = {
        {[](ScenarioDocument& d) { d.pools[0].provisioned_units = 17; }, "out_of_range /pools/0/provisioned_units"},
        {[](ScenarioDocument& d) { d.pools[0].provisioned_units = 10; }, "out_of_range /pools/0/provisioned_units"},
        {[](ScenarioDocument& d) { d.pools[0].provisioned_term_months = 12; }, "unknown_value /pools/0/provisioned_term_months"},
        {[](ScenarioDocument& d) { d.pools[0].provisioned->price_per_unit_hour.reset(); },
         "missing /pools/0/provisioned_term_months"},
        {[](ScenarioDocument& d) { d.pools[0].provisioned->tokens_per_minute.reset(); },
         "missing /pools/0/provisioned/tokens_per_minute"},
        {[](ScenarioDocument& d) { d.pools[0].provisioned->tokens_per_minute->output.reset(); },
         "missing /workloads/0/runs_on/0/pool"},
        {[](ScenarioDocument& d) { d.pools[0].provisioned.reset(); }, "missing /pools/0/provisioned"},
        {[](ScenarioDocument& d) { d.workloads[0].runs_on[0].service_tier = ServiceTier::standard; },
         "not_allowed /workloads/0/runs_on/0/service_tier"},
        {[](ScenarioDocument& d) { d.workloads[0].units_per_request = UnitsPerRequest{}; }, "missing /workloads/0/runs_on/0/pool"},
        {[](ScenarioDocument& d) {
             d.workloads.push_back(d.workloads[0]);
             d.workloads[1].id = "more";
         },
         "not_allowed /pools/0/provisioned_units"},
        {[](ScenarioDocument& d) { d.pools[1].provisioned_term_months = 12; }, "missing /pools/1/provisioned_units"},
        {[](ScenarioDocument& d) { d.pools[0].provisioned->terms = {{}}; },
         "missing /pools/0/provisioned/terms/0/price_per_unit_month"},
    };
    for (const Row& row : rows) {
        ScenarioDocument document = day_and_night();
        row.change(document);
        EXPECT_EQ(issues_of(document), std::vector<std::string>{row.issue});
    }
    ScenarioDocument none = day_and_night();
    none.pools[0].provisioned_units = 0;
    EXPECT_TRUE(issues_of(none).empty());
    EXPECT_EQ(cost_by_category(evaluate_document(none), Category::compute), 0.0);
}

TEST(Provisioned, FeesStayAndTokensCostNothing) {
    ScenarioDocument document = day_and_night();
    document.workloads[0].demand.shape.reset();
    document.workloads[0].demand.mean_per_s = 0.1;
    document.workloads[0].searches_per_request = 2;
    document.pools[0].fees.emplace().search = flat(0.01);
    document.pools[1].fees = document.pools[0].fees;
    EXPECT_TRUE(is_close(cost_by_category(evaluate_document(document), Category::usage), 0.1 * 744 * 3600 * 0.02));
}

} // namespace
} // namespace costcurve::model
