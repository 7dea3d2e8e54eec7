// Quantiles: those of the normal distribution are Boost's, the others a line each.
#include "model/questions/chance/distribution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/distributions/normal.hpp>
#include <fmt/format.h>

namespace costcurve::model {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using D = Distribution;
constexpr DistributionMember kLow{"low", &D::low, nullptr, "the least value"};
constexpr DistributionMember kHigh{"high", &D::high, nullptr, "the greatest value"};
constexpr std::array kUniform{kLow, kHigh};
constexpr std::array kTriangular{kLow, DistributionMember{"mode", &D::mode, nullptr, "the likeliest value"}, kHigh};
constexpr std::array kNormal{DistributionMember{"mean", &D::mean, nullptr, "the mean"},
                             DistributionMember{"sd", &D::sd, nullptr, "the standard deviation"}};
constexpr std::array kLognormal{DistributionMember{"median", &D::median, nullptr, "the median"},
                                DistributionMember{"sigma", &D::sigma, nullptr, "the standard deviation of the logarithm"}};
constexpr std::array kDiscrete{DistributionMember{"values", nullptr, &D::values, "the values"},
                               DistributionMember{"weights", nullptr, &D::weights, "how likely each is, to any sum"}};
constexpr std::array kEmpirical{DistributionMember{"samples", nullptr, &D::samples, "values that were seen; each is as likely"}};

// Values with their weights summed up, by ascending value.
struct Steps {
    std::vector<double> values;
    std::vector<double> sums;
};

Steps steps_of(const std::vector<double>& values, const std::vector<double>& weights) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    Steps steps;
    steps.values.reserve(values.size());
    steps.sums.reserve(values.size());
    double sum = 0.0;
    for (const std::size_t i : order) {
        sum += weights.empty() ? 1.0 : weights[i];
        steps.values.push_back(values[i]);
        steps.sums.push_back(sum);
    }
    return steps;
}

// Collects issues of the members by name.
struct Check {
    const std::string& at;
    Failure issues;
    void require(bool good, std::string_view member, std::string message) {
        if (!good) {
            issues.push_back({fmt::format("{}/{}", at, member), Code::out_of_range, std::move(message)});
        }
    }
};

void check_list(const std::vector<double>& list, std::string_view name, Check& check) {
    check.require(!list.empty() && list.size() <= kMaxListed, name,
                  fmt::format("{} has {} numbers; allowed 1 to {}", name, list.size(), kMaxListed));
}

} // namespace

std::span<const DistributionMember> members_of(DistributionKind kind) {
    switch (kind) {
    case DistributionKind::uniform:
        return kUniform;
    case DistributionKind::triangular:
        return kTriangular;
    case DistributionKind::normal:
        return kNormal;
    case DistributionKind::lognormal:
        return kLognormal;
    case DistributionKind::discrete:
        return kDiscrete;
    case DistributionKind::empirical:
        break;
    }
    return kEmpirical;
}

Failure check_distribution(const Distribution& d, const std::string& at) {
    Check check{at, {}};
    switch (d.kind) {
    case DistributionKind::uniform:
        check.require(d.low <= d.high, "high", fmt::format("high is {}, below low, {}", d.high, d.low));
        break;
    case DistributionKind::triangular:
        check.require(d.low <= d.high, "high", fmt::format("high is {}, below low, {}", d.high, d.low));
        check.require(d.low <= d.mode && d.mode <= d.high, "mode",
                      fmt::format("mode is {}; it must lie between low and high, {} and {}", d.mode, d.low, d.high));
        break;
    case DistributionKind::normal:
        check.require(d.sd >= 0, "sd", fmt::format("sd is {}; it must be at least 0", d.sd));
        break;
    case DistributionKind::lognormal:
        check.require(d.median > 0, "median", fmt::format("median is {}; it must be above 0", d.median));
        check.require(d.sigma >= 0, "sigma", fmt::format("sigma is {}; it must be at least 0", d.sigma));
        break;
    case DistributionKind::discrete:
        check_list(d.values, "values", check);
        check.require(d.weights.size() == d.values.size(), "weights",
                      fmt::format("there are {} weights for {} values", d.weights.size(), d.values.size()));
        check.require(std::all_of(d.weights.begin(), d.weights.end(), [](double w) { return w >= 0; }), "weights",
                      "a weight is below 0");
        check.require(std::accumulate(d.weights.begin(), d.weights.end(), 0.0) > 0, "weights", "the weights sum to 0");
        break;
    case DistributionKind::empirical:
        check_list(d.samples, "samples", check);
        break;
    }
    return std::move(check.issues);
}

double normal_quantile(double u) { return boost::math::quantile(boost::math::normal(), u); }
double normal_share_below(double z) { return boost::math::cdf(boost::math::normal(), z); }

std::function<double(double u)> inverse_of(const Distribution& distribution) {
    const Distribution d = distribution;
    switch (d.kind) {
    case DistributionKind::uniform:
        return [=](double u) { return d.low + u * (d.high - d.low); };
    case DistributionKind::triangular:
        return [=](double u) {
            const double width = d.high - d.low;
            const double left = d.mode - d.low;
            return u * width <= left ? d.low + std::sqrt(u * width * left) : d.high - std::sqrt((1 - u) * width * (width - left));
        };
    case DistributionKind::normal:
        return [=](double u) { return d.mean + d.sd * normal_quantile(u); };
    case DistributionKind::lognormal:
        return [=](double u) { return d.median * std::exp(d.sigma * normal_quantile(u)); };
    case DistributionKind::discrete:
    case DistributionKind::empirical:
        break;
    }
    Steps steps = d.kind == DistributionKind::discrete ? steps_of(d.values, d.weights) : steps_of(d.samples, {});
    return [steps = std::move(steps)](double u) {
        const auto found = std::lower_bound(steps.sums.begin(), steps.sums.end(), u * steps.sums.back());
        return steps.values[static_cast<std::size_t>(found - steps.sums.begin())];
    };
}

Support support_of(const Distribution& d) {
    const auto ends = [](const std::vector<double>& list) {
        const auto [least, most] = std::minmax_element(list.begin(), list.end());
        return Support{*least, *most};
    };
    switch (d.kind) {
    case DistributionKind::uniform:
    case DistributionKind::triangular:
        return {d.low, d.high};
    case DistributionKind::normal:
        return {-kInfinity, kInfinity};
    case DistributionKind::lognormal:
        return {0.0, kInfinity};
    case DistributionKind::discrete:
        return ends(d.values);
    case DistributionKind::empirical:
        break;
    }
    return ends(d.samples);
}

double probability_outside(const Distribution& d, double low, double high) {
    const bool is_log = d.kind == DistributionKind::lognormal;
    const auto share_below = [&](double x) {
        if (is_log && x <= 0) {
            return 0.0;
        }
        const double distance = is_log ? std::log(x / d.median) : x - d.mean;
        const double scale = is_log ? d.sigma : d.sd;
        return scale > 0 ? normal_share_below(distance / scale) : (distance > 0 ? 1.0 : 0.0);
    };
    return share_below(low) + (1 - share_below(high));
}

} // namespace costcurve::model
