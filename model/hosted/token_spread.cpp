// A lognormal of mean m and 95th percentile q has q/m = e^(z s - s^2/2), z = 1.645: s = z - sqrt(z^2 - 2 ln(q/m)), the smaller of
// two solutions, up to q/m = e^(z^2/2). The mean of its part between the quantiles of probabilities a and b is m (F(f(b) - s) -
// F(f(a) - s)) / (b - a), with F the normal distribution and f its quantile (Johnson, Kotz and Balakrishnan, Continuous Univariate
// Distributions, volume 1, 1994, chapter 14).
#include "model/hosted/token_spread.hpp"

#include <array>
#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <fmt/format.h>

namespace costcurve::model {

namespace {

constexpr double kPercentile = 0.95;

double quantile_of_normal(double p) { return boost::math::quantile(boost::math::normal(), p); }

// Standard deviation of the logarithm; empty if no lognormal has this mean and percentile.
std::optional<double> deviation(double mean, double p95) {
    const double z = quantile_of_normal(kPercentile);
    const double rest = z * z - 2.0 * std::log(p95 / mean);
    return rest < 0.0 || p95 < mean ? std::nullopt : std::optional(z - std::sqrt(rest));
}

// The share of the mean that values below the quantile of p contribute.
double part_below(double p, double sigma) {
    return p <= 0.0 ? 0.0 : p >= 1.0 ? 1.0 : boost::math::cdf(boost::math::normal(), quantile_of_normal(p) - sigma);
}

// Shares of requests by bucket, shortest first.
std::vector<double> shares() {
    constexpr int kTwentieths = 18;
    constexpr int kHundredths = 10;
    std::vector<double> shares(kTwentieths, 0.05);
    shares.insert(shares.end(), kHundredths, 0.01);
    return shares;
}

std::string_view name_of_class(std::size_t c) { return enum_names<UnitClass>[c]; }

} // namespace

tl::expected<std::vector<TokenBucket>, SpreadIssue> buckets_of(const TokenSpread& spread) {
    std::array<double, kUnitClasses> sigma{};
    bool varies = false;
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        const double mean = spread.mean[static_cast<UnitClass>(c)];
        const double p95 = spread.p95[static_cast<UnitClass>(c)];
        if (p95 == 0.0) {
            continue;
        }
        const std::optional<double> found = mean > 0.0 ? deviation(mean, p95) : std::nullopt;
        if (!found) {
            return tl::unexpected(SpreadIssue{
                fmt::format("/p95/{}", name_of_class(c)),
                fmt::format("{} is {} at a mean of {}; a 95th percentile is at least the mean and at most 3.868 times it: state "
                            "buckets where requests are spread wider",
                            name_of_class(c), p95, mean)});
        }
        sigma[c] = *found;
        varies = varies || *found > 0.0;
    }
    std::vector<TokenBucket> buckets;
    double begin = 0.0;
    for (const double share : varies ? shares() : std::vector<double>{1.0}) {
        const double end = begin + share > 1.0 - share / 2.0 ? 1.0 : begin + share;
        TokenBucket& bucket = buckets.emplace_back();
        bucket.share = share;
        std::size_t c = 0;
        for_each_field<UnitsPerRequest>([&](const auto& field) {
            const double part = sigma[c] > 0.0 ? (part_below(end, sigma[c]) - part_below(begin, sigma[c])) / share : 1.0;
            bucket.*field.member = spread.mean.*field.member * part;
            ++c;
        });
        begin = end;
    }
    return buckets;
}

} // namespace costcurve::model
