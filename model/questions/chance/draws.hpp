// Random numbers of a simulation, from counters, so that each number depends only on the seed, the input and the sample.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/enum_names.hpp"
#include "model/documents/failure.hpp"

namespace costcurve::model {

/// How samples lie: independent ones (Philox4x32-10: Salmon et al., SC 2011), or points of Sobol's sequence with the direction
/// numbers of Joe and Kuo (2008) as Boost has them, every coordinate shifted by bits of the seed (a random digital shift: Lemieux,
/// Monte Carlo and Quasi-Monte Carlo Sampling, 2009, section 6.2).
enum class Sampling { random, sobol };
template <> inline constexpr auto enum_names<Sampling> = std::to_array<std::string_view>({"random", "sobol"});

/// Spearman's correlation of the ranks of two inputs, by their numbers.
struct RankCorrelation {
    std::size_t a;
    std::size_t b;
    double rho; ///< -1 to 1
};

/// The lower triangle whose product with its transpose is the matrix of correlations of normal numbers: 2 sin(pi rho / 6)
/// (Pearson 1907) for each rank correlation, 0 between the others. Row by row; empty without correlations. Where there is no such
/// triangle an issue at `at`: the least eigenvalue, and between which of `names` it arises.
[[nodiscard]] Result<std::vector<double>> correlate(std::span<const RankCorrelation> correlations,
                                                    std::span<const std::string> names, const std::string& at);

/// Draws of one simulation. Thread-safe.
class Draws {
public:
    /// `triangle` as correlate gives it.
    Draws(Sampling sampling, std::uint64_t seed, std::size_t inputs, std::vector<double> triangle);

    /// Shares between 0 and 1, without them, for samples from `first` on: out[input * count + i]. Correlated by a Gaussian copula:
    /// normal numbers times the triangle, and back to shares.
    void fill(std::size_t first, std::size_t count, std::span<double> out) const;

private:
    void correlate_rows(std::size_t count, std::span<double> out) const;

    Sampling sampling_;
    std::uint64_t seed_;
    std::size_t inputs_;
    std::vector<double> triangle_;
};

} // namespace costcurve::model
