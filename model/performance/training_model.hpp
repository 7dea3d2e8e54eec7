// Tokens/s of a training run: model FLOPs utilization by a linear model of its logarithm. Pure arithmetic on facts of a model, a
// device and a run; knows no documents and no measurements (rates.hpp corrects it by them).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "model/documents/measurement.hpp"
#include "model/performance/step_model.hpp"

namespace costcurve::model {

/// What the linear model of ln MFU adds up: one number a row of kTrainingTerms.
enum class TrainingTerm : std::size_t {
    level,
    size,
    small_size,
    devices,
    small_steps,
    sequence,
    year,
    bf16,
    fp8,
    fp4,
    mixture,
    expert_size,
    mixture_devices,
    ampere,
    hopper,
    blackwell,
    grace_blackwell,
    ada,
    cdna3,
    cdna4,
    tpu,
    gaudi,
    megatron,
    mlperf,
    maxtext,
    llm_foundry,
    torchtitan,
    count
};
inline constexpr std::size_t kTrainingTermCount = static_cast<std::size_t>(TrainingTerm::count);
using TrainingNumbers = std::array<double, kTrainingTermCount>;

/// The software that training runs are grouped by; `other` also where it is not stated.
enum class TrainingSoftware { other, megatron, mlperf, maxtext, llm_foundry, torchtitan };

/// A training run.
struct TrainingRun {
    double active_parameters = 0.0; ///< that a token goes through
    double layers = 0.0;
    double hidden = 0.0;            ///< width
    double attention_flop = 0.0;    ///< forward, a token and token before it; 0: not known, of layers as wide as hidden
    bool is_mixture = false;        ///< of experts
    double expert_parameters = 0.0; ///< of one expert of one layer; 0: not known, or dense
    double peak_flops = 0.0;        ///< FLOP/s of a device at the precision of the products
    double peak_flops_16 = 0.0;     ///< the same at 16 bit, in which attention is computed
    std::string_view family;        ///< of devices, by training_family()
    TrainingSoftware software = TrainingSoftware::other;
    WeightPrecision precision = WeightPrecision::bf16;
    TrainingMethod method = TrainingMethod::full;
    double devices = 1.0;         ///< of the whole run; 1 or more
    double sequence = 4096.0;     ///< tokens of a sample
    double tokens_per_step = 0.0; ///< of all devices; 0: not stated, taken for kUsualStepTokens a device
    double year = 0.0;            ///< of the software: 2026.5 is July 2026; 0: not stated, taken for kTrainingYear
};

/// Tokens of a step and device, where none are stated; steps of more are no slower.
inline constexpr double kUsualStepTokens = 16384.0;
/// The year of software where none is stated: that of the newest rows of the fit.
inline constexpr double kTrainingYear = 2026.5;
/// Years of software that the fit has rows of; those beyond count as the nearest.
inline constexpr double kFirstTrainingYear = 2023.0;
inline constexpr double kLastTrainingYear = 2026.7;

/// "hopper", "grace_blackwell" …: a device's family, where superchips are their own.
[[nodiscard]] std::string_view training_family(std::string_view device);

/// By the framework's name and the publisher's: MLPerf's submitters tune for it, whatever they run.
[[nodiscard]] TrainingSoftware training_software(std::string_view framework, std::string_view publisher);

/// Seconds that one device takes for a token at an MFU of 1: c (N / F_q + L h s / F_16), where c is 6 FLOP a parameter and token
/// forward and backward, 4 with low-rank adapters, whose frozen weights take no gradient (Kaplan et al. 2020, section 2.1,
/// arXiv:2001.08361; attention: Narayanan et al. 2021, arXiv:2104.04473, section 5.1, causal).
[[nodiscard]] double training_token_s(const TrainingRun& run);

/// What each term is multiplied by, in ln MFU.
[[nodiscard]] TrainingNumbers training_features(const TrainingRun& run);

/// MFU by the linear model, at most kPeakCeiling. LoRA takes the same, though none of its runs is in the fit.
[[nodiscard]] double training_mfu(const TrainingRun& run, const TrainingNumbers& coefficients);

} // namespace costcurve::model
