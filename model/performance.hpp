// What one replica or gang does: measured, read from a curve, or estimated by a roofline (model.md, section 4).
#pragma once

#include <optional>

#include "model/documents.hpp"

namespace costcurve::model {

/// The rate of a replica or gang before interruptions, and how well it is known.
struct ReplicaRate {
    double units_per_s = 0.0;
    std::optional<int> batch; ///< the batch it was read at, where one was stated or chosen
    Evidence evidence = Evidence::measured;
    bool capped_by_input = false; ///< the input pipeline, not the accelerator, sets the rate
};

/// The batch of a performance: the stated one, else under a latency objective the largest whole one, up to the
/// last point of the throughput (else latency) curve, whose latency keeps the objective.
/// `found` is false where the objective can't be kept; `batch` is empty where none is stated or needed.
struct BatchChoice {
    bool found = true;
    std::optional<int> batch;
};
[[nodiscard]] BatchChoice choose_batch(const Performance& performance, const std::optional<double>& latency_objective_s);

/// Training: mfu x devices x peak FLOP/s / (6 N), units/s; N active parameters, 6 N FLOP a token forward and backward
/// (Kaplan et al. 2020, arXiv:2001.08361, section 2.1). Dense transformers; attention's own FLOP are left out.
[[nodiscard]] double training_flops_rate(const Estimate& estimate, double devices, double peak_flops);

/// Decoding: the lower of compute, mfu x devices x peak / (2 N), and memory,
/// batch x devices x bandwidth x mbu / (weight bytes + batch x KV bytes a sequence), tokens/s
/// (Pope et al. 2022, arXiv:2211.05102, section 3). `bandwidth` in byte/s of one device.
[[nodiscard]] double decode_roofline_rate(const Estimate& estimate, double devices, double peak_flops, double batch,
                                          double bandwidth);

/// The rate at a batch. The performance and device have passed make_scenario: what an estimate needs is there.
[[nodiscard]] ReplicaRate replica_rate(const Performance& performance, const Device& device, const std::string& workload_precision,
                                       std::optional<int> batch);

} // namespace costcurve::model
