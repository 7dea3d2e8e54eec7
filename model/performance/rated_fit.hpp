// How a workload's model runs on a device, by the rate that model/performance/rates.hpp gives: on how many devices, at which
// precision.
#pragma once

#include <optional>
#include <string_view>

#include "model/performance/rates.hpp"
#include "model/performance/training_rates.hpp"

namespace costcurve::model {

/// Where no replica keeps the latency objectives: the one that misses them least, and its latencies for requests that wait for
/// no other.
struct NearMiss {
    double devices = 1.0; ///< of the replica
    std::string precision;
    double percentile = 95.0; ///< of the requests that keep the times
    double ttft_s = 0.0;
    double itl_s = 0.0;
    double e2e_s = 0.0;
    double times_over = 0.0; ///< what they are times the objective, the largest of them
};

/// p10 and p90 of a rate, units/s.
struct RateRange {
    double low = 0.0;
    double high = 0.0;
};

/// What is known of a replica or a gang at the load that is chosen, beside its rate.
struct RateFacts {
    double ceiling = 0.0; ///< share of the device's nearest ceiling
    Ceiling ceiling_of = Ceiling::bandwidth;
    double mfu = 0.0;           ///< model FLOPs utilization, of the stated peak
    std::optional<int> kv_bits; ///< of a value in the cache; nothing of training
};

/// A performance that fits, or why there is none.
struct Fit {
    std::optional<Performance> performance;
    std::string_view reason;              ///< where there is none
    std::optional<NearMiss> nearest = {}; ///< where that is ineligible_latency
    std::optional<RateFacts> facts = {};  ///< of rates that are predicted
    std::optional<RateRange> range = {};  ///< of a run of training
};

/// The replica, of 1, 2, 4 … devices of a host and of a precision at or above the least, that gives the most for each device it
/// holds and keeps the objectives: with curves of tokens/s, time between tokens and time to the first token over the requests that
/// it holds, and the weight of the prompts. The least precision is `least_precision`, else the one the model was published in; a
/// workload that states its precision runs in that. The evidence is that of the load that is chosen. Reasons: exceeds_context,
/// no_peak_at_precision, exceeds_memory, ineligible_latency.
[[nodiscard]] Fit rated_fit(const Rates& rates, const Model& model, const Device& device, const Workload& workload,
                            int devices_per_host, const std::string& least_precision = {});

/// The performance for the workload's request, where has_other_mix: its rate and latencies at each load times the ratio of the
/// rates of both requests, of which it is a measurement itself. A rate faster than the device moves nothing, and none becomes it.
/// Where neither a concurrency nor a batch is stated the load is the most that memory holds. `rated_by` has the measurements, not
/// the model. Nothing where the step model has no rate of both: shares of devices, a precision that is not stored or computed in.
[[nodiscard]] std::optional<Performance> at_mix_of(const Workload& workload, const Performance& performance, const Rates& rates,
                                                   const Model& model, const Device& device);

/// Whether a rate with a mix is faster than its devices at that mix and load (rates.hpp), at any load of a curve over the batch.
[[nodiscard]] bool is_above_ceiling(const Workload& workload, const Performance& performance, const Model& model,
                                    const Device& device);

/// The smallest gang that holds in four fifths of its memory what training keeps of the model (training_state_bytes), a power of
/// two of devices inside a host, else whole hosts, or the least devices where those are more, with the rate of the workload's
/// samples, else of kTrainedSequence tokens or the model's context where that is shorter: at the workload's precision, else bf16,
/// by its method. Reasons: no_peak_at_precision, exceeds_context, exceeds_memory (the device states none, or no 131,072 of them
/// hold it).
[[nodiscard]] Fit rated_training_fit(const TrainingRates& rates, const Model& model, const Device& device, const Workload& workload,
                                     int devices_per_host, double least_devices = 0.0);

/// Tokens of a sample, where a workload states none.
inline constexpr double kTrainedSequence = 4096.0;

} // namespace costcurve::model
