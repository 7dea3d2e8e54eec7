// How a workload's model runs on a device, by the rate that model/performance/rates.hpp gives: on how many devices, at which
// precision.
#pragma once

#include <optional>
#include <string_view>

#include "model/performance/rates.hpp"

namespace costcurve::model {

/// A performance that fits, or why there is none.
struct Fit {
    std::optional<Performance> performance;
    std::string_view reason; ///< where there is none
};

/// The replica, of 1, 2, 4 … devices of a host and of a precision at or above the least, that gives the most for each device it
/// holds and keeps the objectives: with curves of tokens/s, time between tokens and time to the first token over the requests that
/// it holds, and the weight of the prompts. The least precision is the workload's, else the one the model was published in. Its
/// evidence is that of the load that is chosen. Reasons: exceeds_context, no_peak_at_precision, exceeds_memory, ineligible_latency.
[[nodiscard]] Fit rated_fit(const Rates& rates, const Model& model, const Device& device, const Workload& workload,
                            int devices_per_host);

} // namespace costcurve::model
