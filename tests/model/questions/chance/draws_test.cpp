// Draws: uniform, correlated as asked, the same for the same seed, and how fast means come near.
#include "model/questions/chance/draws.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/questions/chance/spread.hpp"

namespace costcurve::tests {
namespace {

using model::Draws;
using model::RankCorrelation;
using model::Sampling;

std::vector<double> drawn(const Draws& draws, std::size_t inputs, std::size_t count, std::size_t first = 0) {
    std::vector<double> shares(inputs * count);
    draws.fill(first, count, shares);
    return shares;
}

// Pearson's correlation of the ranks.
double spearman(std::span<const double> a, std::span<const double> b) {
    const auto n = static_cast<double>(a.size());
    std::vector<double> rank_of_a(a.size());
    double place = 0.0;
    for (const std::uint32_t i : model::order_of(a)) {
        rank_of_a[i] = place++;
    }
    place = 0.0;
    double sum = 0.0;
    for (const std::uint32_t i : model::order_of(b)) {
        sum += (place++ - (n - 1) / 2) * (rank_of_a[i] - (n - 1) / 2);
    }
    return sum / (n * (n * n - 1) / 12);
}

TEST(Draws, AreWhereTheirNumberSaysWhateverTheBlock) {
    const auto triangle =
        model::correlate(std::vector<RankCorrelation>{{0, 1, 0.5}}, std::vector<std::string>{"/a", "/b", "/c"}, "");
    for (const Sampling sampling : {Sampling::random, Sampling::sobol}) {
        const Draws draws(sampling, 7, 3, *triangle);
        const std::vector<double> whole = drawn(draws, 3, 50);
        for (std::size_t first = 0; first < 50; first += 10) {
            const std::vector<double> part = drawn(draws, 3, 10, first);
            for (std::size_t input = 0; input < 3; ++input) {
                for (std::size_t i = 0; i < 10; ++i) {
                    EXPECT_EQ(part[input * 10 + i], whole[input * 50 + first + i]);
                }
            }
        }
    }
}

TEST(Draws, OfAnotherSeedOrInputAreOthers) {
    for (const Sampling sampling : {Sampling::random, Sampling::sobol}) {
        const std::vector<double> one = drawn(Draws(sampling, 1, 2, {}), 2, 100);
        const std::vector<double> other = drawn(Draws(sampling, 2, 2, {}), 2, 100);
        EXPECT_NE(one, other);
        EXPECT_NE(std::vector(one.begin(), one.begin() + 100), std::vector(one.begin() + 100, one.end()));
    }
}

TEST(Draws, AreUniformBetween0And1) {
    constexpr std::size_t kCount = 1U << 16U;
    for (const Sampling sampling : {Sampling::random, Sampling::sobol}) {
        const std::vector<double> shares = drawn(Draws(sampling, 3, 1, {}), 1, kCount);
        std::vector<int> bins(16);
        for (const double share : shares) {
            ASSERT_GT(share, 0.0);
            ASSERT_LT(share, 1.0);
            ++bins[static_cast<std::size_t>(share * 16)];
        }
        for (const int bin : bins) { // 4096 expected; a binomial's standard deviation is 62
            EXPECT_NEAR(bin, 4096, sampling == Sampling::sobol ? 0 : 310);
        }
    }
}

TEST(Draws, OneSobolPointLiesInEachPartOfTheRange) { // a net stays one under a digital shift
    constexpr std::size_t kCount = 256;
    const std::vector<double> shares = drawn(Draws(Sampling::sobol, 11, 5, {}), 5, kCount);
    for (std::size_t input = 0; input < 5; ++input) {
        std::vector<int> bins(kCount);
        for (std::size_t i = 0; i < kCount; ++i) {
            ++bins[static_cast<std::size_t>(shares[input * kCount + i] * kCount)];
        }
        EXPECT_EQ(bins, std::vector<int>(kCount, 1)) << input;
    }
}

TEST(Draws, HaveTheRankCorrelationsAskedFor) {
    constexpr std::size_t kCount = 20'000;
    const std::vector<RankCorrelation> asked = {{0, 1, 0.6}, {1, 2, -0.3}, {0, 3, 0.7}};
    const std::vector<std::string> names = {"/a", "/b", "/c", "/d", "/e"};
    const auto triangle = model::correlate(asked, names, "");
    ASSERT_TRUE(triangle);
    for (const Sampling sampling : {Sampling::random, Sampling::sobol}) {
        const std::vector<double> shares = drawn(Draws(sampling, 5, 5, *triangle), 5, kCount);
        const auto column = [&](std::size_t input) { return std::span(shares).subspan(input * kCount, kCount); };
        for (const RankCorrelation& row : asked) {
            EXPECT_NEAR(spearman(column(row.a), column(row.b)), row.rho, 0.02);
        }
        EXPECT_NEAR(spearman(column(2), column(4)), 0.0, 0.02);
        EXPECT_NEAR(spearman(column(0), column(2)), 0.0, 0.02) << "not asked for";
    }
}

TEST(Draws, CorrelationsThatCantHoldTogetherAreRefusedWithTheLeastEigenvalue) {
    const std::vector<std::string> names = {"/a", "/b", "/c", "/d"};
    const std::vector<RankCorrelation> asked = {{0, 1, 0.9}, {1, 2, 0.9}, {0, 2, -0.9}, {0, 3, 0.1}};
    const auto triangle = model::correlate(asked, names, "/correlations");
    ASSERT_FALSE(triangle);
    const model::Issue& issue = triangle.error().front();
    EXPECT_EQ(issue.pointer, "/correlations");
    EXPECT_EQ(issue.code, model::Code::inconsistent);
    EXPECT_NE(issue.message.find("/a with /c: -0.9"), std::string::npos) << issue.message;
    EXPECT_NE(issue.message.find("the least eigenvalue of their matrix is -0.8"), std::string::npos) << issue.message;
    const auto twins =
        model::correlate(std::vector<RankCorrelation>{{0, 1, 1.0}, {0, 2, 0.5}, {1, 2, -0.5}, {2, 3, 0.5}}, names, "");
    EXPECT_FALSE(twins) << "what is the same can't go with a third both up and down";
    const std::vector<RankCorrelation> apart = {{0, 1, 0.9}, {1, 2, 0.9}, {0, 2, -0.9}, {3, 4, 0.5}};
    const auto blamed = model::correlate(apart, std::vector<std::string>{"/a", "/b", "/c", "/d", "/e"}, "");
    ASSERT_FALSE(blamed);
    EXPECT_EQ(blamed.error().front().message.find("/d with /e"), std::string::npos) << "they are not to blame";
}

TEST(Draws, OfCorrelation1AreTheSameAndOfMinus1TheOpposite) {
    constexpr std::size_t kCount = 1000;
    const std::vector<RankCorrelation> asked = {{0, 1, 1.0}, {0, 2, -1.0}, {1, 2, -1.0}, {0, 3, 0.5}, {1, 3, 0.5}, {2, 3, -0.5}};
    const auto triangle = model::correlate(asked, std::vector<std::string>{"/a", "/b", "/c", "/d"}, "");
    ASSERT_TRUE(triangle);
    const std::vector<double> shares = drawn(Draws(Sampling::random, 5, 4, *triangle), 4, kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        EXPECT_NEAR(shares[kCount + i], shares[i], 1e-12);
        EXPECT_NEAR(shares[2 * kCount + i], 1 - shares[i], 1e-12);
    }
    EXPECT_NEAR(spearman(std::span(shares).subspan(3 * kCount), std::span(shares).first(kCount)), 0.5, 0.08);
}

// Root mean square error of the mean of u + v^2 over 32 seeds.
double error_of_mean(Sampling sampling, std::size_t count) {
    constexpr std::uint64_t kSeeds = 32;
    double squares = 0.0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const std::vector<double> shares = drawn(Draws(sampling, seed, 2, {}), 2, count);
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            sum += shares[i] + shares[count + i] * shares[count + i];
        }
        const double error = sum / static_cast<double>(count) - (0.5 + 1.0 / 3);
        squares += error * error;
    }
    return std::sqrt(squares / kSeeds);
}

TEST(Draws, AMeanComesNearWithTheRootOfTheSamplesAndFasterWithSobol) {
    const double random = error_of_mean(Sampling::random, 256) / error_of_mean(Sampling::random, 256 * 64);
    const double sobol = error_of_mean(Sampling::sobol, 256) / error_of_mean(Sampling::sobol, 256 * 64);
    EXPECT_GT(random, 5.0); // 8 expected
    EXPECT_LT(random, 12.0);
    EXPECT_GT(sobol, 40.0); // 64 where it goes with 1/n
    EXPECT_LT(error_of_mean(Sampling::sobol, 256), error_of_mean(Sampling::random, 256) / 5);
}

} // namespace
} // namespace costcurve::tests
