// Which performance a workload has on a device.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "model/performance/rated_fit.hpp"
#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// Performances by model and device; refers to the catalogue.
class Fitting {
public:
    explicit Fitting(const Catalog& catalog);

    /// Where the model and the device have facts, the rate of model/performance/rates.hpp; else the stored one that does the most
    /// work for each device that it holds in hosts of so many, measured ones first. The workload is known by its address.
    [[nodiscard]] const Fit& fit(const Workload& workload, const Device& device, int devices_per_host);
    /// Whether a request is longer than the model's context; false where that is not known.
    [[nodiscard]] bool exceeds_context(const Workload& workload) const;
    /// Whether there is anything to go by: a rate on some device, facts, or an endpoint.
    [[nodiscard]] bool knows(const std::string& model) const;
    /// Models whose names are near, best first.
    [[nodiscard]] std::vector<std::string> near(const std::string& model) const;

    /// The device that comes nearest to the objectives, of those that were fitted and keep them at no load.
    [[nodiscard]] std::optional<NearestDevice> nearest() const;

private:
    [[nodiscard]] Fit find(const Workload& workload, const Device& device, int devices_per_host) const;
    [[nodiscard]] Fit stored(const Workload& workload, const Device& device, int devices_per_host) const;

    const Catalog& catalog_;
    std::shared_ptr<const Rates> rates_;
    std::map<std::tuple<const Workload*, std::string, int>, Fit> fits_;
    std::multimap<std::string, const Performance*, std::less<>> performances_; ///< by model
    std::map<std::string, const Model*, std::less<>> models_;
};

} // namespace costcurve::model
