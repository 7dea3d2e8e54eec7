// Rankings against brute force over small catalogues, and what must never win (model.md, section 9).
#include "model/questions/rank/rank.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/documents/calendar.hpp"
#include "model/documents/curve.hpp"
#include "model/figures.hpp"
#include "model/questions/variant.hpp"
#include "tests/model/close.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/affordable.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

TEST(Rank, IsTheOrderOfBruteForceOnTwoHundredCatalogues) {
    std::size_t hybrids = 0;
    for (std::uint64_t seed = 0; seed < affordable(200); ++seed) {
        Random random(seed);
        const Catalog catalog = random_catalog(random);
        RankQuestion question = tiny_question(random.between(0.5, 2.5));
        question.work.workloads.front().demand.shape = random_day(random);
        if (seed % 4 == 3) { // of as high a peak: up to a dozen units of a base are all tried
            Demand& demand = question.work.workloads.front().demand;
            demand.burst = Burst{random.between(1, 4), 360, 24};
            demand.mean_per_s = *demand.mean_per_s / demand.burst->factor;
        }
        const Ranking ranking = ranked(question, catalog);
        const std::vector<Named> expected = by_brute_force(question, catalog);
        ASSERT_EQ(ranking.plans.size(), expected.size()) << seed;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(ranking.plans[i].scenario.name, expected[i].second) << seed << ", place " << i;
            EXPECT_EQ(ranking.plans[i].decisive, expected[i].first) << seed << ", place " << i;
            hybrids += expected[i].second.find(" + ") != std::string::npos ? 1 : 0;
        }
    }
    EXPECT_GT(hybrids, affordable(200));
}

// ---- what never wins ----

TEST(Rank, WhatLeavesWorkUndoneNeverWins) {
    Catalog catalog;
    catalog.endpoints = {tiny_endpoint("cheap", 0.001, 0.001), tiny_endpoint("dear", 9, 9)};
    catalog.endpoints.front().max_units_per_s = 10;
    const Ranking ranking = ranked(tiny_question(1), catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.name, "tiny of dear");
    EXPECT_EQ(excluded_for(ranking, "unserved")->examples, std::vector<std::string>{"tiny of cheap"});
}

TEST(Rank, WhatLeavesWorkUndoneWinsWhereThatIsIgnored) {
    Catalog catalog;
    catalog.endpoints = {tiny_endpoint("cheap", 0.001, 0.001), tiny_endpoint("dear", 9, 9)};
    catalog.endpoints.front().max_units_per_s = 10;
    RankQuestion question = tiny_question(1);
    question.ignore_unserved = true;
    const Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 2U);
    EXPECT_EQ(ranking.plans.front().scenario.name, "tiny of cheap");
    EXPECT_FALSE(ranking.plans.front().summary.is_feasible()) << "as it is";
    EXPECT_TRUE(ranking.excluded.empty());
}

TEST(Rank, UnknownCarbonNeverWins) {
    Catalog catalog;
    catalog.endpoints = {tiny_endpoint("silent", 0.001, 0.001), tiny_endpoint("open", 9, 9)};
    catalog.endpoints.back().carbon_g_per_unit = 1;
    RankQuestion question = tiny_question(1);
    question.work.finance.decide_by = Objective::carbon_kg;
    const Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.name, "tiny of open");
    EXPECT_EQ(excluded_for(ranking, "unknown_carbon_kg")->count, 1U);
}

TEST(Rank, WhatStatesNoLatencyKeepsNoObjective) {
    Catalog catalog;
    catalog.endpoints = {tiny_endpoint("silent", 0.1, 0.1), tiny_endpoint("quick", 9, 9)};
    catalog.endpoints.back().e2e_s = 0.02;
    add_offer(catalog, tiny_offer("rented", 1), 300); // its rate states none either
    RankQuestion question = tiny_question(1);
    EXPECT_EQ(ranked(question, catalog).plans.front().scenario.pools.front().id, "silent");
    question.work.workloads.front().slo.e2e_s = 0.05;
    const Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "quick");
    EXPECT_EQ(excluded_for(ranking, "latency_unknown")->count, 2U);
    question.work.workloads.front().slo = {};
    question.work.workloads.front().slo.itl_s = 0.05;
    EXPECT_EQ(excluded_for(ranked(question, catalog), "latency_unknown")->count, 3U) << "nobody states the time between tokens";
}

TEST(Rank, AnAssumedRateIsNotFirstWhereABetterKnownOneIsWithinItsInterval) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("assumed", 1), 300);
    add_offer(catalog, tiny_offer("known", 1.5), 300); // within exp(1.28 x 0.35) = 1.57
    catalog.performances.front().basis = Evidence::assumed;
    const auto first = [&] { return ranked(tiny_question(1), catalog).plans.front().scenario.pools.front().id; };
    EXPECT_EQ(first(), "known");
    catalog.offers.back().hourly_price.number = 1.7;
    EXPECT_EQ(first(), "assumed");
    catalog.offers.back().hourly_price.number = 1.5;
    catalog.performances.front().basis = Evidence::measured;
    EXPECT_EQ(first(), "assumed") << "which is measured now";
    catalog.performances.front().mix = RequestMix{30, 100, 0};
    catalog.performances.front().class_weights.input = 0.0;
    catalog.performances.back().mix = RequestMix{30, 1000, 0};
    RankQuestion question = tiny_question(1);
    question.work.workloads.front().units_per_request = in_and_out(30, 1000);
    EXPECT_EQ(ranked(question, catalog).plans.front().scenario.pools.front().id, "known") << "measured with other requests";
}

TEST(Rank, ARateThatNothingBoundsIsNeverFirst) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("boundless", 1), 1e6);
    add_offer(catalog, tiny_offer("known", 1), 300);
    catalog.offers.front().device.peak_flops.clear();
    const Ranking ranking = ranked(tiny_question(1000), catalog);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "known");
    EXPECT_LT(ranking.plans[1].decisive, ranking.plans.front().decisive);
    EXPECT_NE(ranking.level.find("not how fast it can be"), std::string::npos);
}

TEST(Rank, APriceWithAnUnknownConditionIsNeverFirstNorMeasured) {
    Catalog catalog;
    catalog.endpoints = {tiny_endpoint("doubtful", 0.001, 0.001), tiny_endpoint("dear", 9, 9)};
    catalog.endpoints.front().unknown_conditions = {"the time of day"};
    RankQuestion question = tiny_question(1);
    Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 2U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "dear");
    question.limits.evidence = Evidence::measured;
    ranking = ranked(question, catalog);
    EXPECT_TRUE(ranking.plans.empty());
    EXPECT_EQ(excluded_for(ranking, "evidence")->count, 2U) << "nobody has measured a host";
    catalog.endpoints.pop_back();
    question.limits.evidence = Evidence::assumed;
    EXPECT_EQ(ranked(question, catalog).plans.size(), 1U) << "there is no other";
}

TEST(Rank, AHostedModelWhoseContextIsTooShortIsLeftOut) {
    Catalog catalog;
    catalog.endpoints = {tiny_endpoint("host", 1, 1)};
    catalog.models.emplace_back();
    catalog.models.back().id = catalog.endpoints.back().model;
    for (const double context : {0.0, 1e6, 1.0}) {
        catalog.models.back().context_tokens = context; // 0: not stated
        const Ranking ranking = ranked(tiny_question(1), catalog);
        EXPECT_EQ(ranking.plans.empty(), context == 1.0) << context;
        EXPECT_EQ(excluded_for(ranking, "exceeds_context").has_value(), context == 1.0) << context;
    }
}

TEST(Rank, PricesOfAnUnknownCurrencyAreLeftOut) {
    Catalog catalog;
    Offer unknown = tiny_offer("unknown", 0.01);
    unknown.hourly_price = tests::curve(CurveKind::price, Axis::date, {20'400}, {0.01}, Interpolation::step);
    unknown.hourly_price.curve->stored.revision = 1; // a stored curve, named by the offer
    add_offer(catalog, unknown, 1000);
    add_offer(catalog, tiny_offer("known", 3), 1000);
    const Ranking ranking = ranked(tiny_question(1), catalog);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "known");
    EXPECT_EQ(excluded_for(ranking, "currency_unknown")->count, 1U);
    catalog.offers.front().hourly_price.curve->currency = "USD";
    EXPECT_EQ(ranked(tiny_question(1), catalog).plans.front().scenario.pools.front().id, "unknown");
}

TEST(Rank, PricesOfLongAgoAreLeftOut) {
    Catalog catalog;
    Offer old = tiny_offer("old", 0.01);
    old.hourly_price = tests::curve(CurveKind::price, Axis::date, {19'000}, {0.01}, Interpolation::step); // January 2022
    add_offer(catalog, old, 1000);
    add_offer(catalog, tiny_offer("new", 3), 1000);
    RankQuestion question = tiny_question(1);
    EXPECT_EQ(ranked(question, catalog).plans.front().scenario.pools.front().id, "new");
    EXPECT_EQ(excluded_for(ranked(question, catalog), "old_price")->count, 1U);
    question.limits.max_price_age_days = 5000;
    EXPECT_EQ(ranked(question, catalog).plans.front().scenario.pools.front().id, "old");
}

TEST(Rank, LimitsAreKept) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 1), 1000);
    add_offer(catalog, tiny_offer("b", 2, Purchase::spot), 1000);
    add_server(catalog, "s", 1000, 1000);
    catalog.endpoints.push_back(tiny_endpoint("host", 1, 1));
    struct Row {
        const char* what;
        std::function<void(RankQuestion&)> limit;
        std::string reason;
        std::size_t plans;
    };
    const std::vector<Row> rows = {
        {"providers", [](auto& q) { q.limits.providers = {"host"}; }, "provider", 2}, // owned has no provider
        {"purchases", [](auto& q) { q.limits.purchases = {Purchase::spot}; }, "purchase", 3},
        {"devices", [](auto& q) { q.limits.devices = {"device-a"}; }, "device", 2},
        {"kinds", [](auto& q) { q.limits.kinds = {DeviceKind::tpu}; }, "kind", 1},
        {"sites", [](auto& q) { q.limits.sites = {"elsewhere"}; }, "site", 3},
        {"include", [](auto& q) { q.include = {Way::api}; }, "", 1},
    };
    for (const Row& row : rows) {
        RankQuestion question = tiny_question(0.5);
        row.limit(question);
        const Ranking ranking = ranked(question, catalog);
        EXPECT_EQ(ranking.plans.size(), row.plans) << row.what;
        EXPECT_TRUE(row.reason.empty() || excluded_for(ranking, row.reason)) << row.what;
    }
}

TEST(Rank, OfOneOfferTheCheapestRegionStands) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 2), 1000);
    Offer elsewhere = catalog.offers.front();
    elsewhere.id = "a-elsewhere";
    elsewhere.region = "elsewhere";
    elsewhere.hourly_price = flat(1.5);
    catalog.offers.push_back(elsewhere);
    RankQuestion question = tiny_question(1);
    ASSERT_EQ(ranked(question, catalog).plans.size(), 1U);
    EXPECT_EQ(ranked(question, catalog).plans.front().scenario.pools.front().id, "a-elsewhere");
    EXPECT_EQ(excluded_for(ranked(question, catalog), "dearer_region")->examples, std::vector<std::string>{"a"});
    question.work.finance.carbon_price_per_tonne = 100; // then regions differ in more than price
    EXPECT_EQ(ranked(question, catalog).plans.size(), 2U);
}

TEST(Rank, RegionsBindWhatIsRentedOwnedAndCalled) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 3), 1000);
    add_offer(catalog, tiny_offer("b", 1), 1000); // cheapest by the number
    add_server(catalog, "s", 1, 1000);
    catalog.endpoints.push_back(tiny_endpoint("host", 0.0001, 0.0001));
    catalog.offers.front().region = "europe-west9";
    catalog.offers.back().region = "us-east-1";
    const auto first_of = [&](const RankQuestion& question) {
        const Ranking ranking = ranked(question, catalog);
        return ranking.plans.empty() ? "" : ranking.plans.front().scenario.pools.front().id;
    };
    RankQuestion question = tiny_question(1);
    EXPECT_NE(first_of(question), "a");
    question.limits.regions = {"eu"};
    EXPECT_EQ(first_of(question), "a") << "where nobody knows where the site and the host are";
    EXPECT_EQ(excluded_for(ranked(question, catalog), "region")->count, 3U);
    question.limits.regions.clear();
    question.work.workloads.front().regions = {"FR", "de"};
    EXPECT_EQ(first_of(question), "a") << "by what the work states";
    catalog.sites.front().country = "DE";
    EXPECT_EQ(first_of(question), "s");
    question.work.workloads.front().regions = {"apac"};
    EXPECT_EQ(first_of(question), "");
}

TEST(Rank, ALevelOfTheMarketIsNoOffer) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("sold", 2), 1000);
    add_offer(catalog, tiny_offer("level", 1), 1000);
    catalog.offers.back().provider = "market";
    RankQuestion question = tiny_question(1);
    Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "sold");
    EXPECT_EQ(excluded_for(ranking, "market_level")->examples, std::vector<std::string>{"level"});
    question.include = {Way::cloud, Way::market};
    ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 2U);
    EXPECT_TRUE(ranking.plans.front().scenario.name.starts_with("level of the market, no seller: "))
        << ranking.plans.front().scenario.name;
}

TEST(Rank, ASpotPriceIsTheMedianOfItsLastNinetyDays) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("spot", 0, Purchase::spot), 1000);
    add_offer(catalog, tiny_offer("sold", 2), 1000);
    const double start = days_since_epoch(tiny_question(1).work.start.year, tiny_question(1).work.start.month, 1);
    Curve price;
    price.kind = CurveKind::price;
    price.axis = Axis::date;
    price.interpolation = Interpolation::step;
    price.outside = Outside::hold;
    price.x = {start - 200, start - 95, start - 60, start - 30, start - 5}; // the last three are within 90 days of the last
    price.y = {9, 9, 3, 4, 0.1};
    catalog.offers.front().hourly_price = Rate{0.0, price};
    const Ranking ranking = ranked(tiny_question(1), catalog);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "sold") << "of a last point of 0.1 spot would be first";
    for (const ScenarioPlan& plan : ranking.plans) {
        const Offer& offer = *plan.scenario.pools.front().offer;
        if (plan.scenario.pools.size() == 1 && offer.id == "spot") {
            EXPECT_EQ(offer.hourly_price.curve->y.back(), 3.0) << "of 3, 4 and 0.1";
            EXPECT_EQ(offer.hourly_price.curve->x.back(), start - 5) << "of that day";
        }
    }
}

TEST(Rank, ASaleAtBookValueDecidesNothing) {
    Catalog catalog;
    add_server(catalog, "by-book", 1100, 1000); // dearer, and worth nine tenths at its end
    add_server(catalog, "cheaper", 1000, 1000);
    catalog.servers.front().residual_fraction = flat(0.9);
    catalog.servers.back().residual_fraction = flat(0);
    RankQuestion question = tiny_question(1);
    question.work.finance.at_end = AtEnd::exit;
    const Ranking ranking = ranked(question, catalog);
    ASSERT_GE(ranking.plans.size(), 2U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "cheaper");
    const Curve& curve = *ranking.plans.front().scenario.pools.front().server->residual_fraction.curve;
    EXPECT_EQ(read(curve, 12.0), 0.65);
    EXPECT_EQ(curve.y.size(), 7U);
}

TEST(Rank, AnEstimateOfAPriceIsNothingThatCanBeRented) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("sold", 2), 1000);
    add_offer(catalog, tiny_offer("estimated", 1), 1000);
    RankQuestion question = tiny_question(1);
    ASSERT_EQ(ranked(question, catalog).plans.front().scenario.pools.front().id, "estimated") << "it would come first";
    catalog.offers.back().provider = "semianalysis";
    const Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "sold");
    EXPECT_EQ(excluded_for(ranking, "estimate_only")->examples, std::vector<std::string>{"estimated"});
    question.limits.providers = {"semianalysis"};
    EXPECT_TRUE(ranked(question, catalog).plans.empty()) << "not even where it is named";
}

TEST(Rank, ABlockOfDaysIsNoPlanForMonths) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("sold", 2), 1000);
    add_offer(catalog, tiny_offer("block", 0), 1000);
    Offer& block = catalog.offers.back();
    block.purchase = Purchase::block;
    block.term_days = 14;
    block.upfront = 1;
    const Ranking ranking = ranked(tiny_question(1), catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "sold");
    EXPECT_EQ(excluded_for(ranking, "block_of_days")->examples, std::vector<std::string>{"block"});
}

TEST(Rank, WhatABillSaysWasPaidIsNothingThatCanBeRented) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("sold", 2), 1000);
    add_offer(catalog, tiny_offer("paid.aws.x", 1), 1000);
    const Ranking ranking = ranked(tiny_question(1), catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.pools.front().id, "sold");
    EXPECT_EQ(excluded_for(ranking, "paid_price")->examples, std::vector<std::string>{"paid.aws.x"});
    catalog.offers.back().provider = "paid-cloud";
    EXPECT_EQ(ranked(tiny_question(1), catalog).plans.size(), 2U) << "a seller of that name sells";
}

TEST(Rank, NothingFeasibleIsNoPlanWithReasons) {
    Catalog catalog;
    catalog.endpoints.push_back(tiny_endpoint("host", 1, 1));
    catalog.endpoints.back().max_units_per_s = 1;
    const Ranking ranking = ranked(tiny_question(1), catalog);
    EXPECT_TRUE(ranking.plans.empty());
    EXPECT_EQ(ranking.excluded.front().reason, "unserved");
}

TEST(Rank, NoPoolIsLargeEnoughForGrowthWithoutEnd) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 1), 1000);
    catalog.endpoints.push_back(tiny_endpoint("host", 1, 1));
    RankQuestion question = tiny_question(1e12);
    question.work.months = 240;
    question.work.workloads.front().demand.growth_per_month = 10;
    const Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 1U); // 1e12 x 11^239 requests a second, hosted
    EXPECT_EQ(ranking.plans.front().scenario.name, "tiny of host");
    EXPECT_EQ(excluded_for(ranking, "unserved")->count, 1U);
}

TEST(Rank, AnUnknownModelIsAnIssueWithNearNames) {
    Catalog catalog;
    for (const char* const id : {"llama-3.1-70b", "llama-3.1-8b", "gpt-oss-120b"}) {
        catalog.models.emplace_back().id = id;
    }
    RankQuestion question = tiny_question(1);
    question.work.workloads.front().model = "llama-3.1-7b";
    const Result<Ranking> ranking = rank(question, catalog, one_by_one());
    ASSERT_FALSE(ranking);
    EXPECT_EQ(ranking.error().front().pointer, "/workloads/0/model");
    EXPECT_NE(ranking.error().front().message.find("near it are llama-3.1-70b, llama-3.1-8b"), std::string::npos)
        << ranking.error().front().message;
    EXPECT_NE(ranking.error().front().message.find("/v1/models"), std::string::npos);
}

// ---- what stands beside a plan ----

TEST(Rank, AtItsWinningPriceAPlanEqualsTheFirst) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 1), 1000);
    add_offer(catalog, tiny_offer("b", 2), 900);
    add_server(catalog, "s", 1e5, 1000);
    catalog.endpoints.push_back(tiny_endpoint("host", 4, 9));
    const Ranking ranking = ranked(tiny_question(0.5), catalog);
    ASSERT_GE(ranking.plans.size(), 4U);
    EXPECT_TRUE(ranking.plans.front().wins_at);
    std::size_t with_price = 0;
    for (std::size_t i = 0; i < ranking.plans.size(); ++i) {
        const ScenarioPlan& plan = ranking.plans[i];
        if (!plan.wins_at) {
            continue;
        }
        ++with_price;
        Variant variant(plan.scenario);
        const Result<std::size_t> input = variant.bind(plan.wins_at->pointer, "");
        ASSERT_TRUE(input);
        ASSERT_FALSE(variant.set(*input, plan.wins_at->value, ""));
        EXPECT_TRUE(tests::is_close((*variant.evaluate())->summary.total.cost, ranking.plans[i == 0 ? 1 : 0].decisive, 1e-9))
            << plan.scenario.name;
        EXPECT_EQ(plan.wins_at->currency, plan.scenario.pools[0].kind == PoolKind::api ? "" : "USD");
    }
    EXPECT_GE(with_price, 2U);
}

TEST(Rank, TheWinningPriceIsInThePricesOwnCurrency) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 1), 1000);
    add_offer(catalog, tiny_offer("b", 2), 1000);
    RankQuestion question = tiny_question(0.5);
    const double dollars = ranked(question, catalog).plans[1].wins_at->value;
    question.work.currency = "GBP";
    question.work.exchange_rates = {{"USD", 0.78}};
    for (Offer& offer : catalog.offers) {
        offer.currency = "USD";
    }
    const WinsAt in_pounds = *ranked(question, catalog).plans[1].wins_at;
    EXPECT_TRUE(tests::is_close(in_pounds.value, dollars, 1e-9));
    EXPECT_EQ(in_pounds.currency, "USD");
}

TEST(Rank, SaysWhyWithBothValues) {
    Catalog catalog;
    add_offer(catalog, tiny_offer("a", 1), 1000);
    add_offer(catalog, tiny_offer("b", 2), 600);
    const Ranking ranking = ranked(tiny_question(1), catalog);
    ASSERT_EQ(ranking.plans.size(), 2U);
    EXPECT_EQ(ranking.plans[1].why, "its device-hour costs 2 against 1 USD; a busy device does 600 against 1000 tokens/s");
}

TEST(Rank, ServersAreBoughtAsDemandGrows) {
    Catalog catalog;
    add_server(catalog, "s", 10'000, 500);
    RankQuestion question = tiny_question(1);
    question.work.months = 36;
    question.work.workloads.front().demand.growth_per_month = 0.05;
    const Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 2U);
    const ScenarioPlan& staged = ranking.plans.front();
    EXPECT_EQ(staged.scenario.name, "s at site, staged");
    // 400 units/s, growing by 5 % a month: 400 x 1.05^11 = 684, x 1.05^23 = 1229, x 1.05^35 = 2206; 500 a server.
    ASSERT_EQ(staged.scenario.pools.front().purchases.size(), 3U);
    const std::vector<ServerPurchase>& purchases = staged.scenario.pools.front().purchases;
    EXPECT_EQ(purchases[0].servers, 2);
    EXPECT_EQ(purchases[1].month, 12);
    EXPECT_EQ(purchases[1].servers, 1);
    EXPECT_EQ(purchases[2].month, 24);
    EXPECT_EQ(purchases[2].servers, 2);
}

} // namespace
} // namespace costcurve::model
