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
    -1.151, // level
    0.072, // size
    0.043, // small_size
    -0.026, // devices
    0.144, // small_steps
    -0.294, // sequence
    0.126, // year
    0.311, // bf16
    0.176, // fp8
    -0.487, // fp4
    -0.624, // mixture
    0.571, // expert_size
    -0.354, // mixture_devices
    0.272, // ampere
    -0.071, // hopper
    -0.077, // blackwell
    0.062, // grace_blackwell
    0.000, // ada
    0.000, // cdna3
    -0.211, // cdna4
    0.002, // tpu
    0.023, // gaudi
    0.057, // megatron
    0.207, // mlperf
    0.016, // maxtext
    0.047, // llm_foundry
    -0.326, // torchtitan
};

/// p10 and p90 of ln(measured / predicted) by class of evidence, dense models and mixtures, rows or groups left out.
inline constexpr RateIntervals kTrainingIntervals = {{
    {{{-0.127, 0.112}, {-0.172, 0.203}}}, // measured
    {{{-0.110, 0.085}, {-0.300, 0.300}}}, // interpolated; mixtures: not enough data, as those that were measured
    {{{-0.188, 0.097}, {-0.300, 0.300}}}, // extrapolated; mixtures: not enough data
    {{{-0.241, 0.204}, {-0.271, 0.308}}}, // estimated
    {{{-0.400, 0.400}, {-0.500, 0.500}}}, // assumed: not enough data, a guess
}};
// clang-format on

} // namespace costcurve::model
