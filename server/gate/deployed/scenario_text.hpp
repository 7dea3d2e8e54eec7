// A deployment's pools and served models as the JSON of a scenario. Looks nothing up.
#pragma once

#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/gate/deployed/deployment.hpp"

namespace costcurve::gate::deployed {

/// Instances of an offer, paid for all the time.
struct RentedPool {
    std::string id;
    const model::Offer* offer = nullptr;
    double count = 0.0;
    double max_count = 0.0;

    [[nodiscard]] double devices() const { return count * offer->devices; }
};

/// A model that an object's pods serve, and where.
struct ServedModel {
    const Pods* pods = nullptr;
    std::vector<std::string> pools; ///< ids
};

/// A slug of letters, digits, dots and dashes.
[[nodiscard]] std::string slug_of(std::string_view text);

/// The scenario of a year from `start` on, of at least one pool. Workloads have no demand. Where no model is served, one
/// workload without demand runs on the pools.
[[nodiscard]] std::string scenario_text(const std::vector<ServedModel>& models, const std::vector<RentedPool>& pools,
                                        model::YearMonth start);

} // namespace costcurve::gate::deployed
