// Fits curves to measurements: power by utilization, utilization by hour of the week, throughput by batch. Each fit reports its
// quality, and too few samples are refused. Knows samples; no store, no JSON.
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
    std::vector<Reading> utilization; ///< 0 to 1; busy time as reported by devices, or shares of throughput
    std::vector<Reading> units_per_s;
    std::vector<Reading> batch;
    std::vector<Reading> input_tokens;  ///< counters
    std::vector<Reading> output_tokens; ///<
};

/// Mean utilization of one source in one hour, as busy time or share of throughput.
struct HourMean {
    std::int64_t hour = 0;  ///< since 1970-01-01 UTC
    std::int64_t count = 0; ///< samples, above 0
    double mean = 0.0;
};

/// Samples that a fit left out, by cause.
struct Dropped {
    std::size_t unmatched = 0;    ///< no reading of the other metric in time
    std::size_t out_of_range = 0; ///< impossible power, utilization, rate or batch
    std::size_t stuck = 0;        ///< nearly constant power while utilization moved
    std::size_t outliers = 0;
    std::size_t thin = 0; ///< too few samples at their utilization or batch
};

/// Spread of the hourly means of one hour of the week or day.
struct Spread {
    double x = 0.0;
    std::size_t samples = 0;
    double sd = 0.0; ///< standard deviation between hours; 0 for a single hour
    double p10 = 0.0;
    double p90 = 0.0;
};

struct Fit {
    model::Curve curve; ///< without id, source and note
    std::size_t samples_used = 0;
    Dropped dropped;
    std::optional<double> r_squared; ///< empty if the measurements don't vary
    double residual_sd = 0.0;        ///< in the unit of y
    std::vector<Spread> spread;      ///< of utilization
};

/// Minimum data of a fit; otherwise it is refused.
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

/// Fits power by utilization as a non-decreasing curve: medians at 20 utilizations and at idle and full, without outliers and stuck
/// sensors, made monotonic by `isotonic`. Power readings are joined with the source's nearest utilization. Issues: too_few, or
/// inconsistent if power doesn't follow utilization. The curve is over `of`; below the lowest measured share the model uses its
/// watts there.
[[nodiscard]] model::Result<Fit> fit_power(std::span<const SourceReadings> sources, std::int64_t tolerance_ms = kUsualToleranceMs,
                                           model::UtilizationOf of = model::UtilizationOf::busy_time);

/// Fits units/s of a replica by batch size, rounded to a whole number: the median at each, without outliers. If no rate was
/// reported, token counters give it.
[[nodiscard]] model::Result<Fit> fit_throughput(std::span<const SourceReadings> sources,
                                                std::int64_t tolerance_ms = kUsualToleranceMs);

/// Fits mean utilization `of` by the local hour of the week in which an hour starts; by hour of the day if the window is shorter
/// than a week. The system must know the time zone.
[[nodiscard]] model::Result<Fit> fit_utilization(std::span<const HourMean> hours, std::int64_t window_hours,
                                                 const std::string& time_zone,
                                                 model::UtilizationOf of = model::UtilizationOf::busy_time);

} // namespace costcurve::actuals
