// Which performance a workload has on a device.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "model/performance/rated_fit.hpp"
#include "model/questions/rank/rank.hpp"
#include "model/questions/rank/training_runs.hpp"

namespace costcurve::model {

/// The gangs that may train a model on hosts of a device, the fewest devices first; why there are none.
struct Gangs {
    std::vector<Gang> gangs;
    std::string_view reason = {};
};

/// Performances by model and device; refers to the catalogue.
class Fitting {
public:
    /// With replicas no less precise than `least`; as the model was published where nothing is said.
    explicit Fitting(const Catalog& catalog, std::optional<NumberFormat> least = std::nullopt);

    /// Where the model and the device have facts, the rate of model/performance/rates.hpp; else the stored one that does the most
    /// work for each device that it holds in hosts of so many, measured ones first. Kept for equal workloads.
    [[nodiscard]] const Fit& fit(const Workload& workload, const Device& device, int devices_per_host);
    /// The smallest gang of whole hosts that holds what training keeps, and those of powers of two of hosts above it, up to
    /// kMaxRunDevices: of one host alone where more aren't known to work as one (`no_network` where it takes more).
    [[nodiscard]] const Gangs& gangs(const Workload& workload, const Device& device, int devices_per_host);
    /// The same as `fit`, found anew.
    [[nodiscard]] Fit find(const Workload& workload, const Device& device, int devices_per_host) const;
    /// Whether a request is longer than the model's context; false where that is not known.
    [[nodiscard]] bool exceeds_context(const Workload& workload) const;
    /// Whether its requests are longer than hosted models read at least, and the model's context is not known.
    [[nodiscard]] bool may_exceed_context(const Workload& workload) const;
    /// The tokens of the workload's longest request, and the model's context.
    [[nodiscard]] std::string context_text(const Workload& workload) const;
    /// Where nobody hosts the workload's model: models of its architecture that hosts serve, the nearest names first.
    [[nodiscard]] std::vector<OtherCheckpoint> other_checkpoints(const Workload& workload) const;
    /// Whether there is anything to go by: a rate on some device, facts, or an endpoint.
    [[nodiscard]] bool knows(const std::string& model) const;
    /// GB of a model's weights, of the largest precision that is stated; else of two bytes a parameter. Nothing where neither is
    /// known.
    [[nodiscard]] std::optional<double> weights_gb(const std::string& model) const;
    /// Models whose names are near, best first.
    [[nodiscard]] std::vector<std::string> near(const std::string& model) const;

    /// The device that comes nearest to the objectives, of those that were fitted and keep them at no load.
    [[nodiscard]] std::optional<NearestDevice> nearest() const;

private:
    [[nodiscard]] std::size_t number_of(const Workload& workload);
    [[nodiscard]] Gangs find_gangs(const Workload& workload, const Device& device, int devices_per_host) const;
    [[nodiscard]] Fit stored(const Workload& workload, const Device& device, int devices_per_host) const;

    const Catalog& catalog_;
    std::string least_precision_;
    std::shared_ptr<const Rates> rates_;
    using Key = std::tuple<std::size_t, std::string, int>; ///< a number of workloads_, a device, devices of a host
    std::vector<Workload> workloads_;                      ///< that were fitted
    std::map<Key, Fit> fits_;
    std::map<Key, Gangs> gangs_;
    std::multimap<std::string, const Performance*, std::less<>> performances_; ///< by model
    std::map<std::string, const Model*, std::less<>> models_;
};

/// Issues where a workload names no model that something is known of, with near names.
[[nodiscard]] Failure unknown_models(const RankQuestion& question, const Fitting& fitting);

} // namespace costcurve::model
