// The numbers of the model of MFU, of its correction by measurements and of the intervals, fitted to published training runs.
//
// `build/run/tests/rate_audit --fit-training ../shared/data/measured-rates/training.csv` prints kTrainingCoefficients and
// kTrainingIntervals; a test makes them anew.
#pragma once

#include "model/performance/rate_correction.hpp"
#include "model/performance/training_model.hpp"

namespace costcurve::model {

/// How far a measured run moves others (input: tokens of a sample; output: tokens of a step and device). The framework does not
/// count: its level is in the linear model. A year halves a weight nearly eight times: releases of software doubled the rates of
/// mixtures. Tried over left-out rows and groups.
inline constexpr CorrectionScales kTrainingScales{.input = 0.5,
                                                  .output = 1.0,
                                                  .concurrency = 1.0,
                                                  .devices = 2.0,
                                                  .other_device = 0.25,
                                                  .other_family = 0.05,
                                                  .other_framework = 1.0,
                                                  .other_precision = 0.3,
                                                  .other_software = 1.0,
                                                  .years = 0.35,
                                                  .own = 10.0,
                                                  .prior = 0.2,
                                                  .max_residual = 0.8};

// clang-format off
inline constexpr TrainingNumbers kTrainingCoefficients = {
    -1.121, // level
    0.070, // size
    0.046, // small_size
    -0.019, // devices
    0.136, // small_steps
    -0.306, // sequence
    0.119, // year
    0.334, // bf16
    0.099, // fp8
    -0.433, // fp4
    -0.709, // mixture
    0.670, // expert_size
    -0.292, // mixture_devices
    0.259, // ampere
    -0.078, // hopper
    -0.108, // blackwell
    0.080, // grace_blackwell
    0.000, // ada
    0.000, // cdna3
    -0.132, // cdna4
    -0.064, // tpu
    0.043, // gaudi
    0.082, // megatron
    0.173, // mlperf
    0.047, // maxtext
    -0.013, // llm_foundry
    -0.289, // torchtitan
};

/// p10 and p90 of ln(measured / predicted) by class of evidence, dense models and mixtures, rows or groups left out.
inline constexpr RateIntervals kTrainingIntervals = {{
    {{{-0.131, 0.093}, {-0.242, 0.218}}}, // measured
    {{{-0.096, 0.084}, {-0.300, 0.300}}}, // interpolated; mixtures: not enough data, as those that were measured
    {{{-0.193, 0.091}, {-0.300, 0.300}}}, // extrapolated; mixtures: not enough data
    {{{-0.230, 0.211}, {-0.309, 0.347}}}, // estimated
    {{{-0.400, 0.400}, {-0.500, 0.500}}}, // assumed: not enough data, a guess
}};
// clang-format on

} // namespace costcurve::model
