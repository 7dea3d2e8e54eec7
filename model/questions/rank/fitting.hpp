// Which performance a workload has on a device: measured ones first, else an estimate from the facts of its model.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// A performance that fits, or why there is none.
struct Fit {
    std::optional<Performance> performance;
    std::string_view reason; ///< where there is none
};

/// Performances by model and device; refers to the catalogue.
class Fitting {
public:
    explicit Fitting(const Catalog& catalog);

    /// The one that does the most work for each device that it holds in hosts of so many; of measured ones, where there are any,
    /// else of all that are stored, else estimated.
    [[nodiscard]] Fit fit(const Workload& workload, const Device& device, int devices_per_host) const;
    /// Whether a request is longer than the model's context; false where that is not known.
    [[nodiscard]] bool exceeds_context(const Workload& workload) const;
    /// Whether there is anything to go by: a rate on some device, facts, or an endpoint.
    [[nodiscard]] bool knows(const std::string& model) const;
    /// Models whose names are near, best first.
    [[nodiscard]] std::vector<std::string> near(const std::string& model) const;

private:
    const Catalog& catalog_;
    std::multimap<std::string, const Performance*, std::less<>> performances_; ///< by model
    std::map<std::string, const Model*, std::less<>> models_;
};

/// A decode_step estimate of a model on a device, with the factors fitted to it or its like (docs/estimates.md): the least power of
/// two of devices that holds the weights and one request, and the largest batch up to 1024 that fits with whole answers in memory
/// and keeps the latency objective.
[[nodiscard]] Fit estimate_of(const Model& model, const Device& device, const Workload& workload, int devices_per_host);

} // namespace costcurve::model
