// Which requests go to which offer, as an integer programme: units of each offer are whole, buckets of requests may be divided.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace costcurve::model {

/// An offer that may serve buckets of requests: instances or servers of one kind, or a hosted model.
struct MixOffer {
    double fixed = 0.0;    ///< of using it at all, such as spares and porting; 0 or more
    double per_unit = 0.0; ///< of one unit; 0 or more; of a hosted model a unit is a small part of what all buckets cost there
    /// By bucket: units that all of its requests keep busy in the peak (requests/s over those of a unit); infinite where the offer
    /// can't serve it.
    std::vector<double> loads;
    /// By bucket: the part of the offer's rate limit that all of its requests take in the peak; none where it has no limit.
    std::vector<double> limit_parts = {};
};

struct MixAssignment {
    std::vector<std::vector<double>> parts; ///< by offer, then bucket: the part of the bucket's requests that it serves
    double cost = 0.0;
    double bound = 0.0; ///< no assignment costs less

    [[nodiscard]] double gap() const { return cost > 0.0 ? (cost - bound) / cost : 0.0; }
};

/// The gap at which the search ends: half of the 1 % that is promised.
inline constexpr double kMixGap = 0.005;

/// The assignment that costs the least: min Σ fixed y + per_unit n, so that each bucket's parts add up to 1, an offer's loads are
/// at most its n, an integer, and within its limit, and only what is used (y) serves. Mélange (Griggs et al., arXiv:2404.14527,
/// section 5.4) has the same programme with buckets cut into slices. `whole` buckets are not divided. Offers that another undercuts
/// in each number are left out, which costs nothing: all of theirs may go to the other. Nothing where a bucket has no offer.
[[nodiscard]] std::optional<MixAssignment> assign_buckets(const std::vector<MixOffer>& offers, bool whole);

} // namespace costcurve::model
