// Assigns requests to offers by an integer programme: units of each offer are whole, buckets of requests may be divided.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace costcurve::model {

/// An offer that may serve buckets of requests: instances or servers of one kind, or a hosted model.
struct MixOffer {
    double fixed = 0.0;    ///< cost of using the offer at all, such as spares and porting; 0 or more
    double per_unit = 0.0; ///< 0 or more; a unit of a hosted model is a small part of the cost of all buckets there
    /// By bucket: units that all of its requests keep busy in the peak (requests/s over requests/s per unit); infinite if the offer
    /// can't serve the bucket.
    std::vector<double> loads;
    /// By bucket: the share of the offer's rate limit that all of its requests take in the peak; empty without a limit.
    std::vector<double> limit_parts = {};
};

struct MixAssignment {
    std::vector<std::vector<double>> parts; ///< by offer, then bucket: the part of the bucket's requests that the offer serves
    double cost = 0.0;
    double bound = 0.0; ///< lower bound: no assignment costs less

    [[nodiscard]] double gap() const { return cost > 0.0 ? (cost - bound) / cost : 0.0; }
};

/// Relative gap at which the search ends: half of the documented 1 %.
inline constexpr double kMixGap = 0.005;

/// The cost-minimal assignment: min Σ fixed y + per_unit n. Each bucket's parts add up to 1. An offer's loads are at most its
/// integer n and within its limit, and only used offers (y = 1) serve. Mélange (Griggs et al., arXiv:2404.14527, section 5.4)
/// solves the same programme with buckets cut into slices. `whole` forbids divided buckets. Offers that another undercuts in every
/// number are left out, which loses nothing. Nothing if no offer serves some bucket.
[[nodiscard]] std::optional<MixAssignment> assign_buckets(const std::vector<MixOffer>& offers, bool whole);

} // namespace costcurve::model
