// Chooses the performance of a workload on a device.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "model/performance/rated_fit.hpp"
#include "model/questions/rank/rank.hpp"
#include "model/questions/rank/training_runs.hpp"

namespace costcurve::model {

/// The gangs that can train a model on hosts of a device, fewest devices first, or the reason why there are none.
struct Gangs {
    std::vector<Gang> gangs;
    std::string_view reason = {};
};

/// Finds performances by model and device. Refers to the catalogue.
class Fitting {
public:
    /// Replicas have weights at least as precise as `least`, or the model's published precision if `least` is absent.
    explicit Fitting(const Catalog& catalog, std::optional<NumberFormat> least = std::nullopt);

    /// The rate of model/performance/rates.hpp if facts of the model and the device are known. Otherwise the stored rate with the
    /// most work per device held, on hosts of `devices_per_host`; measured rates come first. Cached for equal workloads.
    [[nodiscard]] const Fit& fit(const Workload& workload, const Device& device, int devices_per_host);
    /// The smallest gang of whole hosts whose memory holds the training state, then gangs of 2^n hosts up to kMaxRunDevices. If
    /// hosts aren't known to work together, only a gang of one host (`no_network` if the run needs more).
    [[nodiscard]] const Gangs& gangs(const Workload& workload, const Device& device, int devices_per_host);
    /// Like `fit`, without the cache.
    [[nodiscard]] Fit find(const Workload& workload, const Device& device, int devices_per_host) const;
    /// Whether the longest request exceeds the model's context; false if the context is unknown.
    [[nodiscard]] bool exceeds_context(const Workload& workload) const;
    /// Whether the longest request exceeds kHostedContext while the model's context is unknown.
    [[nodiscard]] bool may_exceed_context(const Workload& workload) const;
    /// Words with the length of the workload's longest request in tokens and the model's context.
    [[nodiscard]] std::string context_text(const Workload& workload) const;
    /// If no endpoint serves the workload's model: hosted models of the same architecture, nearest names first.
    [[nodiscard]] std::vector<OtherCheckpoint> other_checkpoints(const Workload& workload) const;
    /// Whether the catalogue has a rate, facts or an endpoint of the model.
    [[nodiscard]] bool knows(const std::string& model) const;
    /// GB of a model's weights at the largest stated precision, else at two bytes per parameter. Nothing if neither is known.
    [[nodiscard]] std::optional<double> weights_gb(const std::string& model) const;
    /// Ids of models with similar names, best match first.
    [[nodiscard]] std::vector<std::string> near(const std::string& model) const;

    /// The fitted device that misses the latency objectives by the smallest factor. Nothing if no fit failed for its latency.
    [[nodiscard]] std::optional<NearestDevice> nearest() const;

private:
    [[nodiscard]] std::size_t number_of(const Workload& workload);
    [[nodiscard]] Gangs find_gangs(const Workload& workload, const Device& device, int devices_per_host) const;
    [[nodiscard]] Fit stored(const Workload& workload, const Device& device, int devices_per_host) const;

    const Catalog& catalog_;
    std::string least_precision_;
    std::shared_ptr<const Rates> rates_;
    using Key = std::tuple<std::size_t, std::string, int>; ///< index in workloads_, device id, devices per host
    std::vector<Workload> workloads_;                      ///< workloads fitted so far
    std::map<Key, Fit> fits_;
    std::map<Key, Gangs> gangs_;
    std::multimap<std::string, const Performance*, std::less<>> performances_; ///< by model id
    std::map<std::string, const Model*, std::less<>> models_;
};

/// Issues for workloads without a model or with an unknown one, with suggestions of similar names.
[[nodiscard]] Failure unknown_models(const RankQuestion& question, const Fitting& fitting);

} // namespace costcurve::model
