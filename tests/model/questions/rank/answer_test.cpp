// What an answer says of all the ways: that each is ranked or counted, what an exclusion was held to, who hosts a model nearly as
// the one that is asked for, and that hosts whose energy is not known don't win.
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "model/figures.hpp"
#include "model/questions/rank/probabilities.hpp"
#include "model/questions/rank/rank.hpp"
#include "model/questions/rank/replicas.hpp"
#include "model/questions/rank/usual_prices.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using namespace tests;

std::size_t excluded_in(const Ranking& ranking) {
    return std::accumulate(ranking.excluded.begin(), ranking.excluded.end(), std::size_t{0},
                           [](std::size_t total, const Exclusion& exclusion) { return total + exclusion.count; });
}

TEST(RankAnswer, CountsEachWayOnce) {
    const std::vector<std::vector<Way>> asked = {{}, {Way::hybrid}, {Way::cloud}, {Way::owned, Way::hybrid}, {Way::api}};
    std::size_t parts = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Random random(seed);
        const Catalog catalog = random_catalog(random);
        for (const std::vector<Way>& include : asked) {
            RankQuestion question = tiny_question(random.between(0.5, 2.5));
            question.include = include;
            question.top = 2;
            const Ranking ranking = ranked(question, catalog);
            EXPECT_EQ(ranking.considered, ranking.ranked + excluded_in(ranking)) << seed;
            EXPECT_EQ(ranking.plans.size(), std::min<std::size_t>(2, ranking.ranked)) << seed;
            parts += excluded_for(ranking, "part_of_hybrids") ? 1 : 0;
            if (include.empty()) {
                EXPECT_GE(ranking.considered, catalog.offers.size() + catalog.servers.size() + catalog.endpoints.size()) << seed;
            }
        }
    }
    EXPECT_GT(parts, 40U);
}

TEST(RankAnswer, NamesTheContextThatRequestsExceed) {
    Catalog catalog = one_device();
    catalog.endpoints = {tiny_endpoint("host", 1, 1)};
    RankQuestion question = tiny_question(1);
    question.work.workloads.front().units_per_request = in_and_out(9000, 100);
    const Ranking ranking = ranked(question, catalog);
    EXPECT_TRUE(ranking.plans.empty());
    const std::optional<Exclusion> beyond = excluded_for(ranking, "exceeds_context");
    ASSERT_TRUE(beyond);
    EXPECT_EQ(beyond->count, 2U);
    EXPECT_EQ(beyond->note, "a request has up to 9100 tokens, the context of tiny 8192");
    EXPECT_EQ(excluded_for(ranked(tiny_question(1), catalog), "exceeds_context"), std::nullopt);
}

TEST(RankAnswer, NamesHostedModelsOfTheSameArchitectureWhereNobodyHostsTheModel) {
    Catalog catalog = one_device();
    const auto add_model = [&](const std::string& id, int layers) {
        Model& other = catalog.models.emplace_back(catalog.models.front());
        other.id = id;
        other.layers = layers;
    };
    add_model("tiny-0528", 32);
    add_model("other", 32);
    add_model("tiny-large", 48);
    for (const auto& [provider, model] : {std::pair("a", "tiny-0528"), {"b", "tiny-0528"}, {"c", "other"}, {"d", "tiny-large"}}) {
        catalog.endpoints.push_back(tiny_endpoint(provider, 1, 1));
        catalog.endpoints.back().model = model;
    }
    const Ranking ranking = ranked(tiny_question(1), catalog);
    ASSERT_EQ(ranking.other_checkpoints.size(), 2U);
    EXPECT_EQ(ranking.other_checkpoints[0].model, "tiny-0528");
    EXPECT_EQ(ranking.other_checkpoints[0].hosts, 2U);
    EXPECT_EQ(ranking.other_checkpoints[1].model, "other");
    catalog.endpoints.push_back(tiny_endpoint("e", 1, 1));
    EXPECT_TRUE(ranked(tiny_question(1), catalog).other_checkpoints.empty()) << "hosted itself";
}

// A price that nobody dates, or of long ago, is no better known than a rate that is assumed: it may be 1.57 times as much.
TEST(RankAnswer, AServerWhosePriceIsOfNoDayOrAnOldOneGivesWayToWhatIsKnown) {
    const double within = std::exp(kNormalP90 * kRateSigmas[static_cast<std::size_t>(Evidence::assumed)]);
    const auto catalog_at = [](double price, const char* day) {
        Catalog catalog;
        add_server(catalog, "own", price, 400);
        catalog.servers.front().price_date.text = day;
        add_offer(catalog, tiny_offer("rent", 1), 400);
        return catalog;
    };
    RankQuestion question = tiny_question(1);
    question.include = {Way::cloud, Way::owned};
    int gave_way = 0;
    for (const double price : {1e3, 1e4, 2e4, 2.6e4, 3e4, 4e4, 5e4, 1e5}) {
        const Ranking dated = ranked(question, catalog_at(price, "2026-01-01"));
        const std::string first = ranked(question, catalog_at(price * within, "2026-01-01")).plans[0].scenario.name;
        const bool gives_way = dated.plans[0].scenario.name != first;
        gave_way += gives_way ? 1 : 0;
        for (const char* const day : {"", "2022-03-01"}) {
            const Ranking assumed = ranked(question, catalog_at(price, day));
            EXPECT_EQ(assumed.plans[0].scenario.name, first) << price << day;
            EXPECT_EQ(assumed.plans[1].why.starts_with("behind, as its server's price is of no day, or of an old one"), gives_way)
                << assumed.plans[1].why;
        }
    }
    EXPECT_GE(gave_way, 1);
    EXPECT_LT(gave_way, 7);
}

TEST(RankAnswer, HostsOfUnknownEnergyAreNotFirst) {
    Catalog catalog;
    add_server(catalog, "own", 1e4, 400);
    Offer rented = tiny_offer("rent", 1);
    rented.site = catalog.sites.front(); // so that the energy of its devices is known, and that of its hosts is not
    add_offer(catalog, rented, 400);
    RankQuestion question = tiny_question(1);
    question.work.finance.decide_by = Objective::energy_kwh;
    question.include = {Way::cloud, Way::owned};
    const Ranking ranking = ranked(question, catalog);
    ASSERT_EQ(ranking.plans.size(), 2U);
    EXPECT_EQ(ranking.plans[0].scenario.name, "own at site");
    EXPECT_LT(ranking.plans[1].decisive, ranking.plans[0].decisive);
    EXPECT_TRUE(ranking.plans[1].why.starts_with("behind, as what its hosts take is not known; ")) << ranking.plans[1].why;
    EXPECT_TRUE(ranking.level.starts_with("plan 2 takes less and is not the first")) << ranking.level;
    const double rented_hours = ranking.plans[1].summary.pools[0].available_device_hours;
    const double least = ranking.plans[1].decisive + rented_hours * 0.575 * 1.2; // kWh with hosts of the most watts
    const double owned_hours = 24.0 * 90;                                        // of one server
    for (const double more : {-0.02, 0.02}) {
        Catalog hungry = catalog;
        const double watts = (least - ranking.plans[0].decisive) / owned_hours * 1000 / hungry.sites.front().pue.number;
        hungry.servers.front().host_idle_w += watts * (1 + more);
        hungry.servers.front().host_max_w += watts * (1 + more);
        EXPECT_EQ(ranked(question, hungry).plans[0].scenario.name, more > 0 ? "provider-rent rent, on demand" : "own at site");
    }
    catalog.offers.front().host_idle_w = 1;
    catalog.offers.front().host_max_w = 2;
    EXPECT_EQ(ranked(question, catalog).plans[0].scenario.name, "provider-rent rent, on demand");
}

TEST(RankAnswer, RepliesWithTheCacheTheCeilingAndTheResale) {
    const Ranking rented = ranked(tiny_question(1), one_device());
    ASSERT_FALSE(rented.plans.empty());
    const std::vector<Replica> replicas = replicas_of(rented.plans.front());
    ASSERT_EQ(replicas.size(), 1U);
    EXPECT_EQ(replicas.front().kv_bits, 16) << "beside weights of 16 bits";
    EXPECT_GT(replicas.front().ceiling.value_or(0.0), 0.1);
    EXPECT_LT(replicas.front().ceiling.value_or(1.0), 0.9);
    EXPECT_EQ(row_of(rented.plans.front()).resale, std::nullopt);
    Catalog catalog;
    add_server(catalog, "own", 1e4, 400);
    const Ranking owned = ranked(tiny_question(0.5), catalog);
    ASSERT_FALSE(owned.plans.empty());
    EXPECT_EQ(replicas_of(owned.plans.front()).front().ceiling, std::nullopt) << "a stored rate says nothing of it";
    const double servers = owned.plans.front().scenario.pools.front().purchases.front().servers;
    EXPECT_DOUBLE_EQ(row_of(owned.plans.front()).resale.value_or(0.0), servers * 1e4 * (1 - 3.0 / 48)) << "three of 48 months old";
}

TEST(RankAnswer, SaysTheValuesOfAllCurvesOfResaleThatAreInUse) {
    Catalog catalog;
    add_server(catalog, "plain", 1e4, 400);
    catalog.servers.front().residual_fraction = {0.1, std::nullopt};
    const auto value = [&] {
        for (const Assumption& line : ranked(tiny_question(0.5), catalog).assumptions) {
            if (line.what == "resale") {
                return line.value;
            }
        }
        return std::string("no line");
    };
    EXPECT_EQ(value(), "0.65, 0.42, 0.27, 0.18, 0.1");
    add_server(catalog, "own", 1e4, 400);
    Curve stated = *default_resale().curve;
    stated.id = "residual.own";
    catalog.servers.back().residual_fraction = {0.0, stated};
    EXPECT_EQ(value(), "0.65, 0.42, 0.27, 0.18, 0.1") << "the same values";
    stated.x = {0, 24, 48};
    stated.y = {1, 1, 0.5};
    catalog.servers.back().residual_fraction = {0.0, stated};
    EXPECT_EQ(value(), "0.65, 0.42, 0.27, 0.18, 0.1; 1, 1, 0.75, 0.5, 0.5 of residual.own");
    catalog.servers.erase(catalog.servers.begin());
    EXPECT_EQ(value(), "no line") << "nothing of it is assumed";
}

} // namespace
} // namespace costcurve::model
