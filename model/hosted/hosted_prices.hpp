// Prices of a hosted model for an entry: service tier, fees, and unknown parts of the price.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Billed tier of an entry on an API pool: the requested one, else batch for batch work if the model has it, else standard.
[[nodiscard]] ServiceTier tier_of(const Workload& workload, const RunsOn& runs_on, const HostedModel& model);
/// Billed tier of an entry on a pool; always standard for pools with provisioned units.
[[nodiscard]] ServiceTier tier_of(const Workload& workload, const RunsOn& runs_on, const Pool& pool);
/// The host's prices of a tier; null for the standard tier, and if none are stated.
[[nodiscard]] const TierPrices* prices_of_tier(const HostedModel& model, ServiceTier tier);
/// The model with the tier's prices instead of the standard ones; empty if the tier states none.
[[nodiscard]] std::optional<HostedModel> at_tier(const HostedModel& model, ServiceTier tier);
/// A tier's factor on the prices of units: its price_factor, or batch_price_fraction.
[[nodiscard]] double tier_factor(const HostedModel& model, ServiceTier tier);

/// Price of batch work as a fraction of the standard price: as stated, else the lowest ratio over unit classes at the newest
/// prices.
[[nodiscard]] double batch_fraction(const HostedModel& model);

/// A fee and the number of times that a request is charged it.
struct FeePart {
    std::string_view fee;
    std::string_view count;      ///< a field of the workload; "" of what is charged once a request
    const Rate* price = nullptr; ///< null where it is not stated
    double each = 0.0;
};
[[nodiscard]] std::vector<FeePart> fee_parts(const std::optional<HostedFees>& fees, const Workload& workload);

/// Unknown parts of a hosted price for these requests: conditions without a field, thresholds without a tier price, unstated fees.
/// Usually empty.
[[nodiscard]] std::vector<std::string> price_doubts(const HostedModel& model, const Workload& workload, ServiceTier tier);

} // namespace costcurve::model
