// Distributions against their closed forms, and what is impossible about one.
#include "model/questions/chance/distribution.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/model/close.hpp"

namespace costcurve::tests {
namespace {

using model::Distribution;
using model::DistributionKind;

Distribution made(DistributionKind kind, std::vector<double> numbers) {
    Distribution distribution;
    distribution.kind = kind;
    std::size_t i = 0;
    for (const model::DistributionMember& member : model::members_of(kind)) {
        if (member.number != nullptr) {
            distribution.*member.number = numbers.at(i++);
        }
    }
    return distribution;
}

Distribution discrete_values(std::vector<double> values, std::vector<double> weights) {
    Distribution distribution;
    distribution.kind = DistributionKind::discrete;
    distribution.values = std::move(values);
    distribution.weights = std::move(weights);
    return distribution;
}

Distribution empirical(std::vector<double> samples) {
    Distribution distribution;
    distribution.kind = DistributionKind::empirical;
    distribution.samples = std::move(samples);
    return distribution;
}

// Mean and standard deviation by the middle of a million equal shares.
std::pair<double, double> moments(const Distribution& distribution) {
    constexpr int kShares = 1'000'000;
    const auto inverse = model::inverse_of(distribution);
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < kShares; ++i) {
        const double x = inverse((i + 0.5) / kShares);
        sum += x;
        squares += x * x;
    }
    const double mean = sum / kShares;
    return {mean, std::sqrt(squares / kShares - mean * mean)};
}

TEST(Distribution, MeanAndStandardDeviationAreThoseOfTheClosedForm) {
    struct Row {
        const char* name;
        Distribution distribution;
        double mean;
        double sd;
    };
    const double e = std::exp(0.125); // sigma 0.5
    const Row rows[] = {
        {"uniform: (a+b)/2, (b-a)/sqrt(12)", made(DistributionKind::uniform, {2, 8}), 5, 6 / std::sqrt(12.0)},
        {"triangular: (a+b+c)/3", made(DistributionKind::triangular, {1, 2, 6}), 3, std::sqrt((1 + 4 + 36 - 2 - 6 - 12) / 18.0)},
        {"triangular with its mode at an end", made(DistributionKind::triangular, {0, 0, 3}), 1, std::sqrt(0.5)},
        {"normal", made(DistributionKind::normal, {10, 3}), 10, 3},
        {"lognormal: m e^(s^2/2)", made(DistributionKind::lognormal, {4, 0.5}), 4 * e, 4 * e * std::sqrt(e * e - 1)},
        {"discrete", discrete_values({5, 1, 2}, {1, 2, 1}), 2.25, std::sqrt((25 + 2 * 1 + 4) / 4.0 - 2.25 * 2.25)},
        {"empirical", empirical({4, 1, 1, 2}), 2, std::sqrt(1.5)},
    };
    for (const Row& row : rows) {
        const auto [mean, sd] = moments(row.distribution);
        EXPECT_NEAR(mean, row.mean, 2e-5 * row.mean) << row.name;
        EXPECT_NEAR(sd, row.sd, 2e-4 * row.sd) << row.name;
    }
}

TEST(Distribution, AQuantileRisesFromTheLeastToTheGreatestValue) {
    for (const Distribution& distribution : {made(DistributionKind::uniform, {2, 8}), made(DistributionKind::triangular, {1, 2, 6}),
                                             discrete_values({5, 1, 2}, {1, 0, 1}), empirical({4, 1, 1, 2})}) {
        const auto inverse = model::inverse_of(distribution);
        const model::Support support = model::support_of(distribution);
        double last = inverse(1e-12);
        EXPECT_GE(last, support.low);
        for (int i = 1; i < 1000; ++i) {
            const double x = inverse(i / 1000.0);
            EXPECT_GE(x, last);
            last = x;
        }
        EXPECT_LE(inverse(1 - 1e-12), support.high);
    }
}

TEST(Distribution, AValueWithoutWeightIsNeverDrawn) {
    const auto inverse = model::inverse_of(discrete_values({1, 2, 3}, {0, 1, 0}));
    for (const double u : {1e-15, 0.5, 1 - 1e-15}) {
        EXPECT_EQ(inverse(u), 2);
    }
}

TEST(Distribution, AWidthOfNothingIsAlwaysTheSameValue) {
    for (const Distribution& distribution : {made(DistributionKind::uniform, {3, 3}), made(DistributionKind::triangular, {3, 3, 3}),
                                             made(DistributionKind::normal, {3, 0}), made(DistributionKind::lognormal, {3, 0})}) {
        EXPECT_EQ(model::inverse_of(distribution)(0.1), 3);
        EXPECT_EQ(model::inverse_of(distribution)(0.9), 3);
    }
}

TEST(Distribution, TheShareOutsideIsThatOfTheTails) {
    EXPECT_TRUE(is_close(model::probability_outside(made(DistributionKind::normal, {0, 1}), -1.959963984540054, HUGE_VAL), 0.025));
    EXPECT_TRUE(is_close(model::probability_outside(made(DistributionKind::normal, {5, 2}), 1, 9), 2 * 0.022750131948179195));
    EXPECT_TRUE(
        is_close(model::probability_outside(made(DistributionKind::lognormal, {1, 1}), 0, std::exp(1.0)), 0.15865525393145707));
}

TEST(Distribution, WhatIsImpossibleIsAnIssueOfItsMember) {
    struct Row {
        Distribution distribution;
        const char* pointer;
    };
    const Row rows[] = {
        {made(DistributionKind::uniform, {2, 1}), "/d/high"},
        {made(DistributionKind::triangular, {2, 2, 1}), "/d/high"},
        {made(DistributionKind::triangular, {1, 5, 4}), "/d/mode"},
        {made(DistributionKind::normal, {1, -1}), "/d/sd"},
        {made(DistributionKind::lognormal, {0, 1}), "/d/median"},
        {made(DistributionKind::lognormal, {1, -1}), "/d/sigma"},
        {discrete_values({}, {}), "/d/values"},
        {discrete_values({1, 2}, {1}), "/d/weights"},
        {discrete_values({1, 2}, {2, -1}), "/d/weights"},
        {discrete_values({1, 2}, {0, 0}), "/d/weights"},
        {empirical({}), "/d/samples"},
    };
    for (const Row& row : rows) {
        const model::Failure issues = model::check_distribution(row.distribution, "/d");
        ASSERT_FALSE(issues.empty()) << row.pointer;
        EXPECT_EQ(issues.front().pointer, row.pointer);
        EXPECT_EQ(issues.front().code, model::Code::out_of_range);
    }
}

} // namespace
} // namespace costcurve::tests
