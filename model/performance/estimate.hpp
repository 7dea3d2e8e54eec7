// Rates where nothing was measured: rooflines of training and decoding, and the decode step fitted to published curves
// (model.md, section 4).
#pragma once

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// What an estimate reads of the devices of a replica or gang; fractions of a device count as such.
struct EstimateDevices {
    double devices = 1.0;
    double peak_flops = 0.0;              ///< FLOP/s of one device at the estimate's precision
    double bandwidth = 0.0;               ///< byte/s of one device
    std::optional<double> memory_bytes{}; ///< of all devices; empty: not known
};

[[nodiscard]] constexpr bool is_decode(EstimateMethod method) { return method != EstimateMethod::training_flops; }

/// Training: mfu x devices x peak FLOP/s / (6 N), units/s; N active parameters, 6 N FLOP a token forward and backward
/// (Kaplan et al. 2020, arXiv:2001.08361, section 2.1). Dense transformers; attention's own FLOP are left out.
[[nodiscard]] double training_flops_rate(const Estimate& estimate, const EstimateDevices& on);

/// Decoding: the lower of compute, mfu x devices x peak / (2 N), and memory,
/// batch x devices x bandwidth x mbu / (weight bytes + batch x KV bytes a sequence), tokens/s
/// (Pope et al. 2022, arXiv:2211.05102, section 3).
[[nodiscard]] double decode_roofline_rate(const Estimate& estimate, const EstimateDevices& on, double batch);

/// Seconds of one decode step of a batch: weights and cache read, arithmetic, and what each layer takes by itself,
/// (W + b K) / (n B alpha) + 2 b N / (n F beta) + gamma x layers. The defaults of alpha, beta and gamma were fitted to nine
/// published curves (ML.ENERGY leaderboard, H100 and B200, four dense models, batch 8 to 2,048).
[[nodiscard]] double decode_step_s(const Estimate& estimate, const EstimateDevices& on, double batch);

/// Units/s at a batch by the estimate's method; decode_step counts output units only.
[[nodiscard]] double estimated_rate(const Estimate& estimate, const EstimateDevices& on, double batch);

/// What a prompt's unit takes of the device in units of `units_per_s` by decode_step: arithmetic at half the peak,
/// units_per_s x 2 N / (n F 0.5).
[[nodiscard]] double prompt_weight(const Estimate& estimate, const EstimateDevices& on, double units_per_s);

/// Bytes of weights and of the cache of a batch.
[[nodiscard]] double decode_bytes(const Estimate& estimate, double batch);

/// Upper limit of decode_bytes() on these devices; infinite if their memory isn't known.
[[nodiscard]] double decode_bytes_limit(const Estimate& estimate, const EstimateDevices& on);

} // namespace costcurve::model
