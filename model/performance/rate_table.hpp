// The numbers of the step model, of the correction by measurements and of the intervals, fitted to published rates.
//
// `build/run/tests/rate_audit --fit ../shared/data/measured-rates/serving.csv` prints kStepParameters and kRateIntervals;
// docs/decisions/0051-the-step-model.md says how, and what they reach.
#pragma once

#include "model/performance/rate_correction.hpp"
#include "model/performance/step_model.hpp"

namespace costcurve::model {

// clang-format off
inline constexpr StepParameters kStepParameters = {
    .bandwidth_share = 0.905,     // of the bandwidth
    .shard_loss = 0.109,          // exponent
    .peak_share = 0.745,          // of the peak
    .peak_share_fp8 = 0.715,      // of peak_share
    .peak_share_experts = 0.772,  // of peak_share
    .expert_padding = 7.32,       // tokens
    .layer_s = 4.94e-05,          // s
    .expert_layer_s = 2.65e-05,   // s
    .hard_layer_s = 3.34e-05,     // s
    .step_s = 0.00043,            // s
    .sequence_s = 1.89e-05,       // s
    .reduce_s = 3.05e-06,         // s
    .link_share = 0.603,          // of the link
    .tensorrt_sequence = 0.651,   // of sequence_s
    .plain_layer = 1.21,          // times
    .plain_sequence = 2.78,       // times
    .plain_experts_fp8 = 1.65,    // times
    .first_prompt = 1.15,         // times
    .first_steps = 6.74,          // steps
    .first_s = 0.0254,            // s
    .first_queue = 0.081,         // of the prompts of others that run
    .first_sglang = 2.46,         // times
};

/// p10 and p90 of ln(measured / predicted) by class of evidence, dense models and mixtures, rows or groups left out.
inline constexpr RateIntervals kRateIntervals = {{
    {{{-0.056, 0.067}, {-0.147, 0.128}}}, // measured
    {{{-0.110, 0.073}, {-0.139, 0.102}}}, // interpolated
    {{{-0.089, 0.325}, {-0.251, 0.120}}}, // extrapolated
    {{{-0.223, 0.178}, {-0.269, 0.331}}}, // estimated
    {{{-0.400, 0.400}, {-0.500, 0.500}}}, // assumed: not enough data, a guess
}};
// clang-format on

} // namespace costcurve::model
