// What a replica does under requests that come at random: the share of its rate at which the workload's objectives hold, and its
// latencies at a share. Reads performances that state prompt_token_s; of others nothing is known but their rate.
#pragma once

#include <optional>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Whether what waiting is reckoned by is stated: prompt_token_s, and units_per_s as a curve over batch, of inference.
[[nodiscard]] bool has_queue(const Performance& performance, const Workload& workload);

/// Whether the wait for the first token is reckoned by how often requests come alone, and not by how many are held too: where all
/// are of one size. Of mixes, between whose tokens the closed form is up to 1.4 times too short (docs/model.md), both bound it.
[[nodiscard]] bool waits_by_arrivals(const Performance& performance, const Workload& workload);

/// The highest share of the rate at `batch` that leaves the workload's slo at its percentile (replica_queue.hpp): of one replica
/// with `batch` slots, to which requests come as a Poisson process. 0: a request alone breaks one. Nothing where there is no
/// objective, it is of no percentile, or has_queue() is false. At most 0.9, to which the closed form is checked. The rate's
/// `scaling` and input pipeline leave it as it is, as they leave latencies. About 0.2 ms at most, none the second time in a thread.
[[nodiscard]] std::optional<double> share_under_load(const Performance& performance, const Workload& workload,
                                                     std::optional<int> batch);

/// Latencies at a percentile of the requests.
struct LoadedLatency {
    double percentile = 95.0;
    double ttft_s = 0.0;
    double itl_s = 0.0; ///< 0: no second token
    double e2e_s = 0.0;
};
/// At a share of the rate at `batch`: of waiting and of the curves of latency, first tokens alone and times between tokens at the
/// requests that then run, the greater. Nothing where has_queue() is false, and from a share of 1 on, where the wait has no end.
[[nodiscard]] std::optional<LoadedLatency> latency_under_load(const Performance& performance, const Workload& workload,
                                                              std::optional<int> batch, double share);

/// What a request that comes to an idle replica takes at the percentile: no objective below it can be kept.
[[nodiscard]] std::optional<LoadedLatency> least_latency(const Performance& performance, const Workload& workload,
                                                         std::optional<int> batch);

} // namespace costcurve::model
