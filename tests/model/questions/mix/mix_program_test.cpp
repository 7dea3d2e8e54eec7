// Buckets of requests over offers against every assignment, and against every number of units.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "model/questions/mix/mix_program.hpp"
#include "model/questions/optimize/linear_program.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/affordable.hpp"

namespace costcurve::model {
namespace {

using tests::affordable;
using tests::Random;

constexpr double kNever = std::numeric_limits<double>::infinity();

// Offers that are good at short or at long requests; a few can't serve some bucket.
std::vector<MixOffer> random_offers(Random& random, std::size_t count, std::size_t buckets, double scale) {
    std::vector<MixOffer> offers;
    for (std::size_t j = 0; j < count; ++j) {
        MixOffer& offer = offers.emplace_back();
        offer.per_unit = random.between(1, 4);
        offer.fixed = random.chance(0.5) ? random.between(0, 4) : 0.0;
        const double slope = random.between(-1, 1);
        for (std::size_t b = 0; b < buckets; ++b) {
            const double length = static_cast<double>(b) / static_cast<double>(buckets);
            offer.loads.push_back(random.chance(0.1) && j > 0 ? kNever
                                                              : scale * random.between(0.5, 1.5) * std::exp(slope * length));
        }
    }
    return offers;
}

double cost_of(const std::vector<MixOffer>& offers, const std::vector<double>& load) {
    double cost = 0.0;
    for (std::size_t j = 0; j < offers.size(); ++j) {
        cost += load[j] > 0.0 ? offers[j].fixed + offers[j].per_unit * std::ceil(load[j] - 1e-9) : 0.0;
    }
    return cost;
}

struct BruteMix {
    double cost = kNever;
    bool is_split = false;
};
// Every assignment of whole buckets.
BruteMix every_assignment(const std::vector<MixOffer>& offers) {
    const std::size_t buckets = offers.front().loads.size();
    const auto all = static_cast<std::size_t>(std::pow(offers.size(), buckets));
    BruteMix best;
    for (std::size_t code = 0; code < all; ++code) {
        std::vector<double> load(offers.size(), 0.0);
        std::size_t left = code;
        for (std::size_t b = 0; b < buckets; ++b, left /= offers.size()) {
            load[left % offers.size()] += offers[left % offers.size()].loads[b];
        }
        if (const double cost = cost_of(offers, load); cost < best.cost) {
            best = {cost, std::ranges::count_if(load, [](double units) { return units > 0.0; }) > 1};
        }
    }
    return best;
}

// Whether so many units serve all buckets, in parts.
bool serves_all(const std::vector<MixOffer>& offers, const std::vector<int>& units) {
    LinearProgram program;
    std::vector<std::vector<LinearTerm>> of_bucket(offers.front().loads.size());
    for (std::size_t j = 0; j < offers.size(); ++j) {
        std::vector<LinearTerm> room;
        for (std::size_t b = 0; b < of_bucket.size(); ++b) {
            if (std::isfinite(offers[j].loads[b])) {
                const std::size_t part = program.add_column(0.0, 0.0, units[j] > 0 ? 1.0 : 0.0);
                room.push_back({part, offers[j].loads[b]});
                of_bucket[b].push_back({part, 1.0});
            }
        }
        program.add_row(-kNever, units[j], room);
    }
    for (const std::vector<LinearTerm>& terms : of_bucket) {
        program.add_row(1.0, 1.0, terms);
    }
    return program.solve().status == LinearProgram::Status::solved;
}

// Every number of units up to what serves all buckets alone.
double every_number(const std::vector<MixOffer>& offers) {
    std::vector<int> most;
    for (const MixOffer& offer : offers) {
        double all = 0.0;
        for (const double load : offer.loads) {
            all += std::isfinite(load) ? load : 0.0;
        }
        most.push_back(static_cast<int>(std::ceil(all)));
    }
    double best = kNever;
    std::vector<int> units(offers.size(), 0);
    while (true) {
        double cost = 0.0;
        for (std::size_t j = 0; j < offers.size(); ++j) {
            cost += units[j] > 0 ? offers[j].fixed + offers[j].per_unit * units[j] : 0.0;
        }
        if (cost < best && serves_all(offers, units)) {
            best = cost;
        }
        std::size_t j = 0;
        while (j < units.size() && units[j] == most[j]) {
            units[j++] = 0;
        }
        if (j == units.size()) {
            return best;
        }
        ++units[j];
    }
}

TEST(MixProgram, EqualsEveryAssignmentOfWholeBuckets) {
    std::uint64_t splits = 0;
    for (std::uint64_t seed = 1; seed <= affordable(200); ++seed) {
        Random random(seed);
        const std::vector<MixOffer> offers = random_offers(random, 3, 6, 1.0);
        const BruteMix best = every_assignment(offers);
        const std::optional<MixAssignment> found = assign_buckets(offers, true);
        ASSERT_TRUE(found) << "seed " << seed;
        EXPECT_LE(found->gap(), 0.01) << "seed " << seed;
        EXPECT_LE(found->cost, best.cost * 1.01) << "seed " << seed;
        EXPECT_GE(found->cost, best.cost * (1 - 1e-6)) << "seed " << seed;
        EXPECT_LE(found->bound, best.cost * (1 + 1e-6)) << "seed " << seed;
        splits += best.is_split ? 1 : 0;
    }
    EXPECT_GE(splits, affordable(100)) << "half of the optima are splits";
}

TEST(MixProgram, EqualsEveryNumberOfUnitsWhereBucketsAreDivided) {
    for (std::uint64_t seed = 1; seed <= affordable(60); ++seed) {
        Random random(seed);
        const std::vector<MixOffer> offers = random_offers(random, 3, 4, 0.8);
        const double best = every_number(offers);
        const std::optional<MixAssignment> found = assign_buckets(offers, false);
        ASSERT_TRUE(found) << "seed " << seed;
        EXPECT_LE(found->cost, best * 1.01) << "seed " << seed;
        EXPECT_GE(found->cost, best * (1 - 1e-5)) << "seed " << seed;
        EXPECT_LE(found->bound, best * (1 + 1e-6)) << "seed " << seed;
        for (std::size_t b = 0; b < 4; ++b) {
            double served = 0.0;
            for (const std::vector<double>& parts : found->parts) {
                served += parts[b];
            }
            EXPECT_NEAR(served, 1.0, 1e-5);
        }
    }
}

// By hand: short requests take 2 units of A or 4 of B, long ones 4 of A or 2 of B; A and B cost 1. Each alone costs 6, both 4.
// The published example of Mélange's solver (github.com/tyler-griggs/melange-release @3c4c1a1, melange/config/example.json):
// requests/s of an A10G at 1.01 and an A100 at 3.67 USD an hour in four buckets, 30 of them a second. Its README prints 3 A10G and
// 1 A100, 6.70 USD an hour, of whole buckets; one type alone is 7.34 or 12.12.
TEST(MixProgram, EqualsThePublishedExample) {
    const std::vector<double> requests_per_s = {0.2 * 30, 0.1 * 30, 0.5 * 30, 0.2 * 30};
    std::vector<MixOffer> offers = {{0.0, 1.01, {2, 1, 5, 2}}, {0.0, 3.67, {20, 20, 40, 20}}};
    for (MixOffer& offer : offers) {
        std::ranges::transform(requests_per_s, offer.loads, offer.loads.begin(), std::divides<>());
    }
    const MixAssignment whole = assign_buckets(offers, true).value();
    EXPECT_NEAR(whole.cost, 3 * 1.01 + 3.67, 1e-9);
    EXPECT_NEAR(whole.cost, 6.7, 1e-9) << "as printed";
    const MixAssignment divided = assign_buckets(offers, false).value();
    EXPECT_NEAR(divided.cost, 1.01 + 3.67, 1e-9) << "by hand: a third of the third bucket to one A10G, and the A100 is full";
}

TEST(MixProgram, PutsEachBucketWhereItIsCheap) {
    const std::vector<MixOffer> offers = {{0, 1, {2, 4}}, {0, 1, {4, 2}}, {0, 3, {2, 2}}};
    const std::optional<MixAssignment> found = assign_buckets(offers, false);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->cost, 4.0, 1e-6);
    EXPECT_EQ(found->parts, (std::vector<std::vector<double>>{{1, 0}, {0, 1}, {0, 0}}));
    const std::vector<MixOffer> with_spares = {{3, 1, {2, 4}}, {3, 1, {4, 2}}};
    EXPECT_NEAR(assign_buckets(with_spares, false)->cost, 9.0, 1e-6) << "two groups would pay for spares twice: 10";
}

TEST(MixProgram, HasNothingForABucketThatNoOfferServes) {
    EXPECT_FALSE(assign_buckets({{0, 1, {1, kNever}}, {0, 1, {2, kNever}}}, false));
    EXPECT_FALSE(assign_buckets({}, false));
}

TEST(MixProgram, IsProvenForTwentyBucketsOverThreeHundredOffers) {
    Random random(7);
    const std::vector<MixOffer> offers = random_offers(random, 300, 20, 3.0);
    const std::optional<MixAssignment> found = assign_buckets(offers, false);
    ASSERT_TRUE(found);
    EXPECT_LE(found->gap(), 0.01);
}

} // namespace
} // namespace costcurve::model
