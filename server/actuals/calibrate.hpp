// Curves from what was measured: power by utilization, utilization by the hour of the week, throughput by batch. Each says how well
// it fits, and none is made of too little. Knows samples; no store, no JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/documents/curve.hpp"
#include "model/documents/failure.hpp"

namespace costcurve::actuals {

struct Reading {
    std::int64_t time_ms = 0; ///< Unix milliseconds
    double value = 0.0;
};

/// What one source measured; each list ascends in time.
struct SourceReadings {
    std::vector<Reading> power_w;
    std::vector<Reading> utilization; ///< 0 to 1; busy time as devices report it, or shares put in its place
    std::vector<Reading> units_per_s;
    std::vector<Reading> batch;
    std::vector<Reading> input_tokens;  ///< counters
    std::vector<Reading> output_tokens; ///<
};

/// The mean utilization of one source in one hour, by either meaning.
struct HourMean {
    std::int64_t hour = 0;  ///< since 1970-01-01 UTC
    std::int64_t count = 0; ///< samples, above 0
    double mean = 0.0;
};

/// Samples that a fit left out, by cause.
struct Dropped {
    std::size_t unmatched = 0;    ///< no reading of the other metric in time
    std::size_t out_of_range = 0; ///< no such power, utilization, rate or batch can be
    std::size_t stuck = 0;        ///< the sensor gave as good as the same power over and over while utilization moved
    std::size_t outliers = 0;
    std::size_t thin = 0; ///< too few of them at their utilization or batch
};

/// How the hourly means of one hour of the week or day lie.
struct Spread {
    double x = 0.0;
    std::size_t samples = 0;
    double sd = 0.0; ///< between the hours; 0 of one
    double p10 = 0.0;
    double p90 = 0.0;
};

struct Fit {
    model::Curve curve; ///< without id, source and note
    std::size_t samples_used = 0;
    Dropped dropped;
    std::optional<double> r_squared; ///< none where what was measured does not vary
    double residual_sd = 0.0;        ///< in the unit of y
    std::vector<Spread> spread;      ///< of utilization
};

/// What a fit needs. Below it, it is refused.
inline constexpr std::size_t kMinSamples = 100;          ///< of power or throughput, after what was left out
inline constexpr std::size_t kMinPerBin = 5;             ///< of power, at about the same utilization
inline constexpr std::size_t kMinBins = 4;               ///< different utilizations
inline constexpr double kMaxLowest = 0.2;                ///< the lowest of busy time is not above; servers are never idle
inline constexpr double kMinHighest = 0.8;               ///< the highest is not below
inline constexpr std::size_t kMinPerBatch = 10;          ///< of throughput, at the same batch
inline constexpr std::size_t kMinBatches = 2;            ///< different batches
inline constexpr std::int64_t kMinPerHour = 10;          ///< of utilization, in each hour of the week or day
inline constexpr std::size_t kStuckRun = 20;             ///< readings of power in a row that are as good as equal:
inline constexpr double kStuckSpan = 0.005;              ///< from the lowest to the highest, of the first of them,
inline constexpr double kStuckSpanW = 0.1;               ///< or in W, where that is more
inline constexpr double kStuckUtilization = 0.2;         ///< that utilization moves meanwhile
inline constexpr double kMinRSquared = 0.1;              ///< of a power curve: below it power does not follow utilization
inline constexpr double kMaxPowerW = 20000.0;            ///< of a device
inline constexpr std::int64_t kUsualToleranceMs = 15000; ///< between two readings that are taken for simultaneous

/// Power by utilization, never falling: medians of 20 utilizations and of idle and full, outliers and stuck sensors left out,
/// made to rise by `isotonic`. A reading of power is joined with the source's nearest of utilization. Issues have the code
/// too_few, or inconsistent where power does not follow utilization. The curve is over `of`; below the lowest share that was
/// measured the model reads its watts there.
[[nodiscard]] model::Result<Fit> fit_power(std::span<const SourceReadings> sources, std::int64_t tolerance_ms = kUsualToleranceMs,
                                           model::UtilizationOf of = model::UtilizationOf::busy_time);

/// Units/s of a replica by batch, rounded to a whole number: the median at each, outliers left out. Where no rate was reported, it
/// is that of counters of tokens.
[[nodiscard]] model::Result<Fit> fit_throughput(std::span<const SourceReadings> sources,
                                                std::int64_t tolerance_ms = kUsualToleranceMs);

/// Mean utilization, of `of`, by the local hour of the week, in which an hour starts; of the day where the window is shorter than a
/// week. The zone is one that the system knows.
[[nodiscard]] model::Result<Fit> fit_utilization(std::span<const HourMean> hours, std::int64_t window_hours,
                                                 const std::string& time_zone,
                                                 model::UtilizationOf of = model::UtilizationOf::busy_time);

} // namespace costcurve::actuals
