// Units of a hosted model in the ranking: a base beside tokens, against every number of units.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "model/scenario.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using namespace costcurve::model;

// Of 300 tokens in and 100 out, 700 to a unit: it serves 6 a minute, 0.1 a second. By the token a request costs 0.0014 USD, so that
// a unit at work costs as much at 0.504 an hour.
Catalog by_units(double price_per_unit_hour) {
    Catalog catalog = one_device();
    catalog.offers.clear();
    catalog.endpoints = {tiny_endpoint("host", 2, 8)};
    Provisioned& provisioned = catalog.endpoints.front().provisioned.emplace();
    provisioned.price_per_unit_hour = flat(price_per_unit_hour);
    provisioned.minimum_units = 2;
    provisioned.unit_step = 3;
    provisioned.tokens_per_minute = TokensPerMinute{{.input = 4200, .output = 1050}};
    return catalog;
}

// Half of the day at 0.5 requests/s, half at 1.5.
RankQuestion of_day_and_night() {
    RankQuestion question = tiny_question(1);
    question.work.workloads.front().demand.shape =
        curve(CurveKind::demand, Axis::hour_of_day, {0, 12}, {0.5, 1.5}, Interpolation::step);
    question.samples = 0;
    return question;
}

// Every number of units beside tokens, evaluated whole.
double least_of_all(const ScenarioDocument& plan) {
    double least = HUGE_VAL;
    for (int steps = 0; steps <= 8; ++steps) {
        ScenarioDocument changed = plan;
        set_units(changed.pools.front(), steps, true);
        least = std::min(least, evaluate_document(changed).summary.total.cost);
    }
    return least;
}

TEST(RankProvisioned, UnitsForTheBaseAndTokensForThePeak) {
    const Ranking ranking = ranked(of_day_and_night(), by_units(0.35));
    ASSERT_FALSE(ranking.plans.empty());
    const ScenarioDocument& first = ranking.plans.front().scenario;
    ASSERT_EQ(first.pools.size(), 2U);
    EXPECT_TRUE(first.pools[0].provisioned_units);
    EXPECT_FALSE(first.pools[1].provisioned_units);
    EXPECT_TRUE(is_close(ranking.plans.front().decisive, least_of_all(first), 1e-9));
    EXPECT_EQ(*first.pools[0].provisioned_units, 5) << "they work all day; three more idle at night, at 1.39 times the tokens";
}

TEST(RankProvisioned, TokensAloneWhereUnitsCostMore) {
    const Ranking ranking = ranked(of_day_and_night(), by_units(0.6));
    ASSERT_FALSE(ranking.plans.empty());
    EXPECT_EQ(ranking.plans.front().scenario.pools.size(), 1U);
    EXPECT_FALSE(ranking.plans.front().scenario.pools[0].provisioned_units);
}

TEST(RankProvisioned, UnitsAloneWhereTheyAreCheapAtThePeak) {
    const Ranking ranking = ranked(of_day_and_night(), by_units(0.1));
    ASSERT_FALSE(ranking.plans.empty());
    const Pool& pool = ranking.plans.front().scenario.pools.front();
    ASSERT_TRUE(pool.provisioned_units);
    EXPECT_GE(*pool.provisioned_units, 14);
}

// Where no host states a latency, one whose price depends on what is not known is not the first, however little it asks.
TEST(RankProvisioned, AKnownPriceComesBeforeAnUnknownOne) {
    Catalog catalog = by_units(0.1);
    catalog.endpoints.push_back(tiny_endpoint("dear", 4, 16));
    catalog.endpoints.front().unknown_conditions = {"prices of units"};
    const Ranking ranking = ranked(of_day_and_night(), catalog);
    ASSERT_FALSE(ranking.plans.empty());
    ASSERT_TRUE(ranking.plans.front().scenario.pools.front().endpoint);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().endpoint->provider, "dear");
}

TEST(RankProvisioned, WhatAUnitServesIsKnownOrItIsNotInTheRanking) {
    Catalog catalog = by_units(0.0);
    catalog.endpoints.front().provisioned->tokens_per_minute.reset();
    const Ranking ranking = ranked(of_day_and_night(), catalog);
    EXPECT_TRUE(excluded_for(ranking, "unknown_unit_rate"));
    for (const ScenarioPlan& plan : ranking.plans) {
        EXPECT_FALSE(plan.scenario.pools.front().provisioned_units);
    }
    catalog = by_units(0.0);
    catalog.endpoints.front().provisioned->tokens_per_minute->output.reset();
    EXPECT_TRUE(excluded_for(ranked(of_day_and_night(), catalog), "unknown_unit_rate"));
}

TEST(RankProvisioned, TermsUpToTheHorizonAreWaysOfTheirOwn) {
    Catalog catalog = by_units(0.6);
    catalog.endpoints.front().provisioned->terms = {{.months = 1, .price_per_unit_hour = 0.3, .price_per_unit_month = {}},
                                                    {.months = 12, .price_per_unit_hour = 0.01, .price_per_unit_month = {}}};
    const Ranking ranking = ranked(of_day_and_night(), catalog); // of three months
    ASSERT_FALSE(ranking.plans.empty());
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().provisioned_term_months, 1);
}

} // namespace
} // namespace costcurve::tests
