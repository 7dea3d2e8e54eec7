// Rankings against brute force over small catalogues, and what must never win (model.md, section 9).
#include "model/questions/rank/rank.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/figures.hpp"
#include "model/questions/variant.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::evaluate_document;
using tests::flat;

constexpr auto kModel = "tiny";

// Three months, a request a second of 300 tokens in and 100 out.
RankQuestion question_of(double requests_per_s) {
    RankQuestion question;
    question.work = tests::cloud_scenario();
    question.work.pools.clear();
    question.work.months = 3;
    Workload& workload = question.work.workloads.front();
    workload.runs_on.clear();
    workload.unit = "token";
    workload.model = kModel;
    workload.units_per_request = tests::in_and_out(300, 100);
    workload.demand.mean_per_s = requests_per_s;
    question.top = 100;
    return question;
}

Device device_of(const std::string& id) {
    Device device = tests::cloud_scenario().pools.front().offer->device;
    device.id = id;
    return device;
}

Offer offer_of(const std::string& id, double price, Purchase purchase = Purchase::on_demand) {
    Offer offer;
    offer.id = id;
    offer.provider = "provider-" + id;
    offer.sku = id;
    offer.device = device_of("device-" + id);
    offer.purchase = purchase;
    offer.hourly_price = flat(price);
    if (purchase == Purchase::reserved) {
        offer.term_months = 3;
    }
    if (purchase == Purchase::spot) {
        offer.interruptions_per_hour = 0.01;
    }
    return offer;
}

Performance measured(const std::string& device, double units_per_s) {
    Performance performance;
    performance.device.id = device;
    performance.model = kModel;
    performance.units_per_s = flat(units_per_s);
    return performance;
}

void add_offer(Catalog& catalog, Offer offer, double units_per_s) {
    catalog.performances.push_back(measured(offer.device.id, units_per_s));
    catalog.offers.push_back(std::move(offer));
}

Endpoint endpoint_of(const std::string& provider, double input, double output) {
    Endpoint endpoint;
    endpoint.id = provider;
    endpoint.provider = provider;
    endpoint.model = kModel;
    endpoint.price_per_million_units = tests::in_and_out(flat(input), flat(output));
    return endpoint;
}

void add_server(Catalog& catalog, const std::string& id, double price, double units_per_s) {
    const Pool pool = tests::owned_scenario().pools.front();
    Server& server = catalog.servers.emplace_back(*pool.server);
    server.id = id;
    server.device.id = "device-" + id;
    server.price = price;
    catalog.performances.push_back(measured(server.device.id, units_per_s));
    if (catalog.sites.empty()) {
        Site& site = catalog.sites.emplace_back(*pool.site);
        site.id = "site";
        site.space_per_kw_month = 100;
    }
}

Ranking ranked(const RankQuestion& question, const Catalog& catalog) {
    Result<Ranking> ranking = rank(question, catalog, one_by_one());
    if (!ranking) {
        throw std::runtime_error(ranking.error().front().message);
    }
    return std::move(*ranking);
}

std::optional<Exclusion> excluded_for(const Ranking& ranking, const std::string& reason) {
    const auto found = std::find_if(ranking.excluded.begin(), ranking.excluded.end(),
                                    [&](const Exclusion& exclusion) { return exclusion.reason == reason; });
    return found == ranking.excluded.end() ? std::nullopt : std::optional(*found);
}

// ---- brute force ----

// A way as the test knows it, without the program's: its pool with a number of units, and its performance.
struct BruteWay {
    std::string name;
    Pool pool;
    std::optional<Performance> performance;
    bool is_fixed = false;
};

Pool sized(const BruteWay& way, int units) {
    Pool pool = way.pool;
    if (pool.kind == PoolKind::cloud) {
        pool.max_instances = units;
        pool.min_instances = way.is_fixed ? units : 0;
    }
    if (pool.kind == PoolKind::owned) {
        pool.purchases.front().servers = units;
    }
    return pool;
}

// The figure of a plan that does all the work; nothing of others.
std::optional<double> figure_of_pools(const RankQuestion& question, const std::vector<std::pair<const BruteWay*, int>>& ways) {
    ScenarioDocument scenario = question.work;
    for (const auto& [way, units] : ways) {
        scenario.pools.push_back(sized(*way, units));
        scenario.workloads.front().runs_on.push_back({way->pool.id, way->performance, {}});
    }
    const tests::Answer answer = evaluate_document(scenario);
    return answer.summary.is_feasible() ? std::optional(answer.summary.total.cost) : std::nullopt;
}

struct BruteBest {
    double figure = 0.0;
    int units = 0;
};
std::optional<BruteBest> best_alone(const RankQuestion& question, const BruteWay& way) {
    std::optional<BruteBest> best;
    for (int units = 1; units <= 16; ++units) {
        const std::optional<double> figure = figure_of_pools(question, {{&way, units}});
        if (figure && (!best || *figure < best->figure)) {
            best = {*figure, units};
        }
    }
    return best;
}

std::vector<BruteWay> ways_of(const Catalog& catalog) {
    std::vector<BruteWay> ways;
    const auto performance_on = [&](const std::string& device) {
        return *std::find_if(catalog.performances.begin(), catalog.performances.end(),
                             [&](const Performance& performance) { return performance.device.id == device; });
    };
    for (const Offer& offer : catalog.offers) {
        BruteWay& way = ways.emplace_back();
        way.is_fixed = offer.purchase == Purchase::reserved;
        way.name = fmt::format("{} {}, {}{}", offer.provider, offer.sku,
                               offer.purchase == Purchase::on_demand ? "on demand" : name_of(offer.purchase),
                               way.is_fixed ? " for 3 months" : "");
        way.pool.id = offer.id;
        way.pool.offer = offer;
        way.performance = performance_on(offer.device.id);
    }
    for (const Server& server : catalog.servers) {
        BruteWay& way = ways.emplace_back();
        way.name = fmt::format("{} at site", server.id);
        way.pool.id = server.id;
        way.pool.kind = PoolKind::owned;
        way.pool.server = server;
        way.pool.site = catalog.sites.front();
        way.pool.purchases.emplace_back();
        way.performance = performance_on(server.device.id);
        way.is_fixed = true;
    }
    for (const Endpoint& endpoint : catalog.endpoints) {
        BruteWay& way = ways.emplace_back();
        way.name = fmt::format("{} of {}", kModel, endpoint.provider);
        way.pool.id = endpoint.id;
        way.pool.kind = PoolKind::api;
        way.pool.endpoint = endpoint;
    }
    return ways;
}

using Named = std::pair<double, std::string>;

std::vector<Named> by_brute_force(const RankQuestion& question, const Catalog& catalog) {
    const std::vector<BruteWay> ways = ways_of(catalog);
    std::vector<std::optional<BruteBest>> alone;
    std::vector<Named> all;
    for (const BruteWay& way : ways) {
        alone.push_back(best_alone(question, way));
        if (alone.back()) {
            all.emplace_back(alone.back()->figure, way.name);
        }
    }
    for (std::size_t b = 0; b < ways.size(); ++b) {
        for (std::size_t u = 0; u < ways.size(); ++u) {
            if (!ways[b].is_fixed || ways[u].is_fixed || !alone[b] || !alone[u]) {
                continue;
            }
            std::optional<double> best;
            for (int units = 1; units < alone[b]->units; ++units) {
                const auto figure = figure_of_pools(question, {{&ways[b], units}, {&ways[u], alone[u]->units}});
                best = figure && (!best || *figure < *best) ? figure : best;
            }
            if (best) {
                all.emplace_back(*best, ways[b].name + " + " + ways[u].name);
            }
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
    double between(double low, double high) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL; // D. E. Knuth, MMIX
        return low + (high - low) * static_cast<double>(state_ >> 11U) * 0x1p-53;
    }
    bool chance(double probability) { return between(0, 1) < probability; }

private:
    std::uint64_t state_;
};

Catalog random_catalog(Random& random) {
    Catalog catalog;
    for (int i = 0; i < 3; ++i) {
        const Purchase purchase = i == 0 ? Purchase::reserved : random.chance(0.5) ? Purchase::on_demand : Purchase::spot;
        const double price = random.between(1, 4) * (purchase == Purchase::reserved ? 0.6 : 1.0);
        add_offer(catalog, offer_of(fmt::format("o{}", i), price, purchase), random.between(150, 600));
    }
    if (random.chance(0.7)) {
        add_server(catalog, "s", random.between(1e3, 2e4), random.between(150, 600));
    }
    if (random.chance(0.7)) {
        catalog.endpoints.push_back(endpoint_of("host", random.between(0.2, 4), random.between(1, 8)));
        if (random.chance(0.3)) {
            catalog.endpoints.back().max_units_per_s = random.between(100, 2000);
        }
    }
    return catalog;
}

TEST(Rank, IsTheOrderOfBruteForceOnTwoHundredCatalogues) {
    std::size_t hybrids = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random(seed);
        const Catalog catalog = random_catalog(random);
        RankQuestion question = question_of(random.between(0.5, 2.5));
        std::vector<double> shape(24);
        std::vector<double> hours(24);
        for (int h = 0; h < 24; ++h) {
            hours[static_cast<std::size_t>(h)] = h;
            shape[static_cast<std::size_t>(h)] = random.between(0.2, 1.8);
        }
        question.work.workloads.front().demand.shape =
            tests::curve(CurveKind::demand, Axis::hour_of_day, hours, shape, Interpolation::step);
        const Ranking ranking = ranked(question, catalog);
        const std::vector<Named> expected = by_brute_force(question, catalog);
        ASSERT_EQ(ranking.plans.size(), expected.size()) << seed;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(ranking.plans[i].scenario.name, expected[i].second) << seed << ", place " << i;
            EXPECT_EQ(ranking.plans[i].decisive, expected[i].first) << seed << ", place " << i;
            hybrids += expected[i].second.find(" + ") != std::string::npos ? 1 : 0;
        }
    }
    EXPECT_GT(hybrids, 200U);
}

// ---- what never wins ----

TEST(Rank, WhatLeavesWorkUndoneNeverWins) {
    Catalog catalog;
    catalog.endpoints = {endpoint_of("cheap", 0.001, 0.001), endpoint_of("dear", 9, 9)};
    catalog.endpoints.front().max_units_per_s = 10;
    const Ranking ranking = ranked(question_of(1), catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.name, "tiny of dear");
    EXPECT_EQ(excluded_for(ranking, "unserved")->examples, std::vector<std::string>{"tiny of cheap"});
}

TEST(Rank, UnknownCarbonNeverWins) {
    Catalog catalog;
    catalog.endpoints = {endpoint_of("silent", 0.001, 0.001), endpoint_of("open", 9, 9)};
    catalog.endpoints.back().carbon_g_per_unit = 1;
    RankQuestion question = question_of(1);
    question.work.finance.decide_by = Objective::carbon_kg;
    const Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 1U);
    EXPECT_EQ(ranking.plans.front().scenario.name, "tiny of open");
    EXPECT_EQ(excluded_for(ranking, "unknown_carbon_kg")->count, 1U);
}

TEST(Rank, PricesOfLongAgoAreLeftOut) {
    Catalog catalog;
    Offer old = offer_of("old", 0.01);
    old.hourly_price = tests::curve(CurveKind::price, Axis::date, {19'000}, {0.01}, Interpolation::step); // January 2022
    add_offer(catalog, old, 1000);
    add_offer(catalog, offer_of("new", 3), 1000);
    RankQuestion question = question_of(1);
    EXPECT_EQ(ranked(question, catalog).plans.front().scenario.pools.front().id, "new");
    EXPECT_EQ(excluded_for(ranked(question, catalog), "old_price")->count, 1U);
    question.limits.max_price_age_days = 5000;
    EXPECT_EQ(ranked(question, catalog).plans.front().scenario.pools.front().id, "old");
}

TEST(Rank, LimitsAreKept) {
    Catalog catalog;
    add_offer(catalog, offer_of("a", 1), 1000);
    add_offer(catalog, offer_of("b", 2, Purchase::spot), 1000);
    add_server(catalog, "s", 1000, 1000);
    catalog.endpoints.push_back(endpoint_of("host", 1, 1));
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
        RankQuestion question = question_of(0.5);
        row.limit(question);
        const Ranking ranking = ranked(question, catalog);
        EXPECT_EQ(ranking.plans.size(), row.plans) << row.what;
        EXPECT_TRUE(row.reason.empty() || excluded_for(ranking, row.reason)) << row.what;
    }
}

TEST(Rank, OfOneOfferTheCheapestRegionStands) {
    Catalog catalog;
    add_offer(catalog, offer_of("a", 2), 1000);
    Offer elsewhere = catalog.offers.front();
    elsewhere.id = "a-elsewhere";
    elsewhere.region = "elsewhere";
    elsewhere.hourly_price = flat(1.5);
    catalog.offers.push_back(elsewhere);
    RankQuestion question = question_of(1);
    ASSERT_EQ(ranked(question, catalog).plans.size(), 1U);
    EXPECT_EQ(ranked(question, catalog).plans.front().scenario.pools.front().id, "a-elsewhere");
    EXPECT_EQ(excluded_for(ranked(question, catalog), "dearer_region")->examples, std::vector<std::string>{"a"});
    question.work.finance.carbon_price_per_tonne = 100; // then regions differ in more than price
    EXPECT_EQ(ranked(question, catalog).plans.size(), 2U);
}

TEST(Rank, NothingFeasibleIsNoPlanWithReasons) {
    Catalog catalog;
    catalog.endpoints.push_back(endpoint_of("host", 1, 1));
    catalog.endpoints.back().max_units_per_s = 1;
    const Ranking ranking = ranked(question_of(1), catalog);
    EXPECT_TRUE(ranking.plans.empty());
    EXPECT_EQ(ranking.excluded.front().reason, "unserved");
}

TEST(Rank, NoPoolIsLargeEnoughForGrowthWithoutEnd) {
    Catalog catalog;
    add_offer(catalog, offer_of("a", 1), 1000);
    catalog.endpoints.push_back(endpoint_of("host", 1, 1));
    RankQuestion question = question_of(1e12);
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
    RankQuestion question = question_of(1);
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
    add_offer(catalog, offer_of("a", 1), 1000);
    add_offer(catalog, offer_of("b", 2), 900);
    add_server(catalog, "s", 1e5, 1000);
    catalog.endpoints.push_back(endpoint_of("host", 4, 9));
    const Ranking ranking = ranked(question_of(0.5), catalog);
    ASSERT_GE(ranking.plans.size(), 4U);
    EXPECT_FALSE(ranking.plans.front().wins_at);
    std::size_t with_price = 0;
    for (std::size_t i = 1; i < ranking.plans.size(); ++i) {
        const ScenarioPlan& plan = ranking.plans[i];
        if (!plan.wins_at) {
            continue;
        }
        ++with_price;
        Variant variant(plan.scenario);
        const Result<std::size_t> input = variant.bind(plan.wins_at->pointer, "");
        ASSERT_TRUE(input);
        ASSERT_FALSE(variant.set(*input, plan.wins_at->value, ""));
        EXPECT_TRUE(tests::is_close((*variant.evaluate())->summary.total.cost, ranking.plans.front().decisive, 1e-9))
            << plan.scenario.name;
    }
    EXPECT_GE(with_price, 2U);
}

TEST(Rank, SaysWhyWithBothValues) {
    Catalog catalog;
    add_offer(catalog, offer_of("a", 1), 1000);
    add_offer(catalog, offer_of("b", 2), 600);
    const Ranking ranking = ranked(question_of(1), catalog);
    ASSERT_EQ(ranking.plans.size(), 2U);
    EXPECT_EQ(ranking.plans[1].why, "its device-hour costs 2 against 1 USD; a busy device does 600 against 1000 tokens/s");
}

TEST(Rank, ServersAreBoughtAsDemandGrows) {
    Catalog catalog;
    add_server(catalog, "s", 10'000, 500);
    RankQuestion question = question_of(1);
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
