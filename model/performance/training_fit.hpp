// Fits the linear model of MFU to measured training runs. Knows no files; rate_audit.hpp says how well rates are met that were left
// out.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "model/performance/rate_fit.hpp"
#include "model/performance/training_model.hpp"

namespace costcurve::model {

/// A measured training run; output_per_s is in tokens trained/s of all devices. What it is compared by is in `at`: input tokens are
/// those of a sample, output tokens those of a step and device.
struct TrainingRow : RateRow {
    TrainingRun run{};
};

/// How far the term is held near 0 (near -1 for the level): the standard deviation of a prior of its coefficient.
struct TrainingTermRow {
    TrainingTerm term;
    std::string_view name;
    double prior_sd;
};
extern const std::array<TrainingTermRow, kTrainingTermCount> kTrainingTerms;

/// The conditions that a correction compares; the caller numbers architecture, device and family. Runs of low-rank adapters are of
/// another architecture than those of all parameters.
[[nodiscard]] RateConditions training_conditions(const TrainingRun& run, std::uint32_t architecture, std::uint32_t device,
                                                 std::uint32_t family);

/// A run's measured tokens/s of all devices as a residual against the linear model.
[[nodiscard]] RateMeasurement training_measurement(const TrainingRun& run, const RateConditions& at, double tokens_per_s,
                                                   const TrainingNumbers& coefficients, std::uint32_t id, bool is_own = false);

/// The linear model's rate, corrected, with its interval: output_per_s is in tokens trained/s of all devices, peak_share the MFU.
/// None passes kPeakCeiling.
[[nodiscard]] CorrectedRate corrected_training_rate(const TrainingRun& run, const RateConditions& at,
                                                    const TrainingNumbers& coefficients, const RateMeasurements& measurements,
                                                    const RateIntervals& intervals);

/// MFU that the row reached.
[[nodiscard]] double measured_mfu(const TrainingRow& row);

/// Ridge regression of ln MFU, reweighted eight times for a pseudo-Huber loss of scale 0.13 (the noise of one configuration
/// measured twice), with weights that keep groups of many rows from deciding alone (as fit_step_parameters). LoRA and rows above
/// kPeakCeiling are left out. A millisecond a thousand rows; deterministic.
[[nodiscard]] TrainingNumbers fit_training(std::span<const TrainingRow* const> rows);

} // namespace costcurve::model
