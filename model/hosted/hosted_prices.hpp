// What a hosted model charges an entry for: its tier of service and fees, and what of its price is not known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// The tier that an entry on an api pool is billed at: the one asked for, else batch of batch work where it is stated.
[[nodiscard]] ServiceTier tier_of(const Workload& workload, const RunsOn& runs_on, const HostedModel& model);
/// That of an entry on a pool: what buys units has the standard one alone.
[[nodiscard]] ServiceTier tier_of(const Workload& workload, const RunsOn& runs_on, const Pool& pool);
/// What the host states of a tier; null of the standard one, and where it does not.
[[nodiscard]] const TierPrices* prices_of_tier(const HostedModel& model, ServiceTier tier);
/// The model with the tier's prices in place of the standard ones; nothing where the tier states none.
[[nodiscard]] std::optional<HostedModel> at_tier(const HostedModel& model, ServiceTier tier);
/// A tier's factor on the prices of units: its price_factor, or batch_price_fraction.
[[nodiscard]] double tier_factor(const HostedModel& model, ServiceTier tier);

/// What batch work costs as a fraction of the price: the stated one, or that of the class with the lowest ratio to its standard
/// price, each at the newest price.
[[nodiscard]] double batch_fraction(const HostedModel& model);

/// A fee, and for how many things of a request it is charged.
struct FeePart {
    std::string_view fee;
    std::string_view count;      ///< a field of the workload; "" of what is charged once a request
    const Rate* price = nullptr; ///< null where it is not stated
    double each = 0.0;
};
[[nodiscard]] std::vector<FeePart> fee_parts(const std::optional<HostedFees>& fees, const Workload& workload);

/// What of a hosted price is not known for these requests: conditions without a field, thresholds that a tier states no price
/// for, fees that are not stated. None, for most.
[[nodiscard]] std::vector<std::string> price_doubts(const HostedModel& model, const Workload& workload, ServiceTier tier);

} // namespace costcurve::model
