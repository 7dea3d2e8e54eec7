// Statistics of a figure's samples: mean, quantiles, tail, and how much of their variance an input explains. Samples without the
// figure are NaN and are left out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace costcurve::model {

struct Spread {
    std::size_t samples = 0; ///< that have the figure; at least 1
    double mean = 0.0;
    double standard_error = 0.0; ///< of the mean: standard deviation / sqrt(samples); 0 for one sample
    double p5 = 0.0;
    double p10 = 0.0;
    double p50 = 0.0;
    double p90 = 0.0;
    double p95 = 0.0;
    double cvar_95 = 0.0;               ///< mean of the highest 5 % of the samples, at least one
    std::array<double, 21> quantiles{}; ///< of 0, 5, … 100 %: from the least to the greatest
};

/// The statistics; empty if no sample has the figure. O(n log n).
[[nodiscard]] std::optional<Spread> spread_of(std::span<const double> samples);

/// The quantile of ascending numbers by linear interpolation between them: type 7 of Hyndman and Fan (1996), as in R and NumPy.
[[nodiscard]] double quantile_of(std::span<const double> ascending, double share);

/// The samples' indices, sorted by ascending value of the input.
[[nodiscard]] std::vector<std::uint32_t> order_of(std::span<const double> input);

/// The share of the output's variance that would go if the input were known: Var(E[output | input]) / Var(output), the first-order
/// index of Sobol. From the given samples (Plischke, Borgonovo and Smith 2013): the variance between bins of equal size by the
/// input's rank, about sqrt(n) of them and at most 64, equal values in one bin; less what bins explain by chance (epsilon squared,
/// Kelley 1935). `order` is that of the input. At least 0; empty where the output does not vary.
[[nodiscard]] std::optional<double> explained_share(std::span<const std::uint32_t> order, std::span<const double> input,
                                                    std::span<const double> output);

/// Cumulative shares of `whole` samples by month of payoff; samples with a month beyond the last have not paid off.
[[nodiscard]] std::vector<double> shares_by_month(const std::vector<std::uint16_t>& months_paid_off, std::size_t months,
                                                  std::size_t whole);

} // namespace costcurve::model
