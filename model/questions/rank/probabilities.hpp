// How likely each plan is the best, under default uncertainties of demand, rates and prices (docs/questions.md, Rank).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/rank/entries.hpp"

namespace costcurve::model {

/// What is drawn once a sample and multiplies the same in all plans, so that like moves with like; estimated_rates once a device
/// and model, as rates of two of them err apart, by their evidence.
enum class RankFactor {
    demand,
    throughput,
    estimated_rates,
    cloud_prices,
    spot_prices,
    hosted_prices,
    server_prices,
    energy_prices
};
template <>
inline constexpr auto enum_names<RankFactor> = std::to_array<std::string_view>({"demand", "throughput", "estimated_rates",
                                                                                "cloud_prices", "spot_prices", "hosted_prices",
                                                                                "server_prices", "energy_prices"});
inline constexpr std::size_t kRankFactors = enum_names<RankFactor>.size();

/// A lognormal distribution of median 1; independent of the others.
struct FactorRow {
    std::string_view multiplies;
    double sigma; ///< standard deviation of the logarithm
};
/// By factor. Defaults of this program: judgements, but for the two that name where they are from.
inline constexpr std::array<FactorRow, kRankFactors> kFactorRows = {{
    {"units of every workload, in all months alike", 0.3},
    {"units a second of every device; the same configuration differs by so much between publishers (docs/estimates.md)", 0.2},
    {"units a second besides, a draw for each device and model; sigma is that of estimated rates, others have 0.07 (measured), "
     "0.12 "
     "(interpolated), 0.14 (extrapolated) and 0.35 (assumed), errors of left-out rates (decision 0051)",
     0.21},
    {"hourly prices and upfronts of all offers but spot", 0.1},
    {"hourly prices of spot offers", 0.3},
    {"prices of hosted models", 0.3},
    {"prices of servers, their network and storage; 0.35 of a server's price of no day, or of an old one", 0.1},
    {"prices of a kilowatt-hour at the sites of owned servers", 0.2},
}};

/// By evidence: how far a rate errs apart from all others, the standard deviation of its logarithm.
inline constexpr std::array<double, 5> kRateSigmas = {0.07, 0.12, 0.14, 0.21, 0.35};

/// One sample: by factor, above 0; 1 for estimated rates, which draw_estimated gives.
using FactorDraw = std::array<double, kRankFactors>;
/// By sample; the same for the same seed on any number of threads, and more samples begin with the same ones. Empty where the
/// runner was told to stop.
[[nodiscard]] std::vector<FactorDraw> draw_factors(std::size_t samples, std::uint64_t seed, const Runner& runner);

/// By sample, the factor of estimated rates of a device and model, to the power that its evidence has: of these and the seed alone,
/// whatever else is drawn.
[[nodiscard]] std::vector<double> draw_estimated(const std::string& device, const std::string& model, std::size_t samples,
                                                 std::uint64_t seed, const Runner& runner);

/// The entries, by number, that are compared in every sample: the first `top`, at least 20; the first of each way and purchase;
/// and what these are made of: the base and the burst of a hybrid alone, and servers bought at once beside those bought by stages.
/// Ascending. `entries` are in the order of the ranking.
[[nodiscard]] std::vector<std::size_t> entries_in_running(const std::vector<Entry>& entries, std::size_t top);

/// What the samples say of the entries in the running; the first of them are the plans that are listed.
struct SampledEntries {
    std::vector<PlanChances> chances;            ///< by entry
    double none = 0.0;                           ///< samples in which none can do the work
    std::size_t evaluated = 0;                   ///< whole scenarios
    std::vector<WorthMeasuring> worth_measuring; ///< by value, descending
};
/// In every sample all numbers of units are sized anew for its demand and rates, as the ranking sizes them, and what does not do
/// all the work, or has no figure, is not the best, and the sample is left out of its figures. The plans are evaluated at their own
/// size besides. Empty where the runner was told to stop.
[[nodiscard]] std::optional<SampledEntries> sample_entries(const RankQuestion& question, const std::vector<const Entry*>& running,
                                                           const std::vector<ScenarioPlan>& plans, const Runner& runner);

} // namespace costcurve::model
