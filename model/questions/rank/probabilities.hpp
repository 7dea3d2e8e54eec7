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

/// Factors that are drawn once per sample and shared by all plans, so that plans are compared under equal conditions. Only
/// estimated_rates is drawn per device and model, as their rates err independently, by an amount that depends on their evidence.
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

/// A lognormal distribution with median 1, independent of the other factors.
struct FactorRow {
    std::string_view multiplies;
    double sigma; ///< standard deviation of the logarithm
};
/// By factor. Sigmas are this program's judgements, except two rows that name their source.
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

/// By evidence: standard deviation of the logarithm of a rate's own error, independent of other rates.
inline constexpr std::array<double, 5> kRateSigmas = {0.07, 0.12, 0.14, 0.21, 0.35};

/// One sample: a multiplier above 0 for each factor. It is 1 for estimated rates, which draw_estimated gives.
using FactorDraw = std::array<double, kRankFactors>;
/// One draw per sample; the same for the same seed on any number of threads. More samples extend the same sequence. Empty if the
/// runner was stopped.
[[nodiscard]] std::vector<FactorDraw> draw_factors(std::size_t samples, std::uint64_t seed, const Runner& runner);

/// By sample: the factor of estimated rates of a device and model, to be raised to the power that the rate's evidence requires.
/// Depends only on the arguments, not on other draws.
[[nodiscard]] std::vector<double> draw_estimated(const std::string& device, const std::string& model, std::size_t samples,
                                                 std::uint64_t seed, const Runner& runner);

/// Indices of the entries to compare in every sample, ascending: the first `top`, at least 20; the first of each way and purchase;
/// and their parts, which are a hybrid's base and burst alone, and servers bought at once beside servers bought in stages.
/// `entries` are in the order of the ranking.
[[nodiscard]] std::vector<std::size_t> entries_in_running(const std::vector<Entry>& entries, std::size_t top);

/// Results of the samples by entry compared. The first entries are the listed plans.
struct SampledEntries {
    std::vector<PlanChances> chances;            ///< by entry
    double none = 0.0;                           ///< share of samples in which no entry can do the work
    std::size_t evaluated = 0;                   ///< scenarios evaluated
    std::vector<WorthMeasuring> worth_measuring; ///< by descending value
};
/// Sizes every entry again in every sample, for the sample's demand and rates. If an entry does not do all the work or has no
/// figure, it isn't the best of the sample, and its figures omit the sample. Also evaluates each plan at its own size. Empty if the
/// runner was stopped.
[[nodiscard]] std::optional<SampledEntries> sample_entries(const RankQuestion& question, const std::vector<const Entry*>& running,
                                                           const std::vector<ScenarioPlan>& plans, const Runner& runner);

} // namespace costcurve::model
