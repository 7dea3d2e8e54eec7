// The distribution of an uncertain input, read through its inverse cumulative distribution function.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/enum_names.hpp"
#include "model/documents/failure.hpp"

namespace costcurve::model {

enum class DistributionKind { uniform, triangular, normal, lognormal, discrete, empirical };
template <>
inline constexpr auto enum_names<DistributionKind> = std::to_array<std::string_view>({"uniform", "triangular", "normal",
                                                                                      "lognormal", "discrete", "empirical"});

/// In the input's unit; or multiples of what the scenario states, where `relative`.
struct Distribution {
    DistributionKind kind = DistributionKind::uniform;
    bool relative = false;
    double low = 0.0;
    double mode = 0.0;
    double high = 0.0;
    double mean = 0.0;
    double sd = 0.0;
    double median = 0.0;
    double sigma = 0.0;
    std::vector<double> values;
    std::vector<double> weights;
    std::vector<double> samples;
};

/// A member of a kind: a number or a list of them. All are needed.
struct DistributionMember {
    std::string_view name;
    double Distribution::*number = nullptr;
    std::vector<double> Distribution::*list = nullptr;
    std::string_view help;
};
/// The members of a kind; the one table of this fact.
[[nodiscard]] std::span<const DistributionMember> members_of(DistributionKind kind);

/// Maximum length of a list.
inline constexpr std::size_t kMaxListed = 100'000;

/// Issues of an impossible distribution; their pointers begin with `at`.
[[nodiscard]] Failure check_distribution(const Distribution& distribution, const std::string& at);

/// The value below which a share u of the distribution lies, 0 < u < 1; rises with u. Of a discrete one the least value whose
/// weights, with those below it, reach u; of an empirical one each sample is as likely. For a distribution without issues.
[[nodiscard]] std::function<double(double u)> inverse_of(const Distribution& distribution);

/// The smallest and the largest possible value; infinite if unbounded.
struct Support {
    double low;
    double high;
};
[[nodiscard]] Support support_of(const Distribution& distribution);

/// Of the standard normal distribution: the value below which a share u lies, and the share below a value.
[[nodiscard]] double normal_quantile(double u);
[[nodiscard]] double normal_share_below(double z);

/// The share of a normal or lognormal distribution outside of [low, high].
[[nodiscard]] double probability_outside(const Distribution& distribution, double low, double high);

} // namespace costcurve::model
