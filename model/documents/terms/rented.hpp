// What sellers charge by the month's volume: tiers of device-hours, units and egress, and support by the bill.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace costcurve::model {

/// A price factor of the part of a month's volume above a threshold, up to the next tier's.
struct VolumeTier {
    double above = 0.0;
    double price_factor = 1.0;
    friend bool operator==(const VolumeTier&, const VolumeTier&) = default;
};

/// The price of the part of a month's GB to a destination above a threshold, up to the next tier's.
struct EgressTier {
    std::string destination; ///< as workloads name it; "" the internet
    double above_gb = 0.0;
    double price_per_gb = 0.0;
    friend bool operator==(const EgressTier&, const EgressTier&) = default;
};

/// What the rest of a term brings where the horizon ends within it: sold to another buyer, or refunded by the seller.
struct TermResale {
    double price_fraction = 0.0;         ///< of the upfront that the months left are worth
    double fee_fraction = 0.0;           ///< of that price, kept by the seller
    double payments_owed_fraction = 0.0; ///< of the payments left
    std::optional<double> sales_limit;   ///< of what is sold at a seller, in prices and payments left
    friend bool operator==(const TermResale&, const TermResale&) = default;
};

/// A fraction of the part of a month's bill above an amount, up to the next bracket's.
struct SupportBracket {
    double above = 0.0;
    double fraction = 0.0;
    friend bool operator==(const SupportBracket&, const SupportBracket&) = default;
};

/// Support that is paid by the month: what the brackets come to, at least the minimum.
struct SupportPlan {
    std::string name;
    std::string provider; ///< whose bill it is read off; "" of all that is rented and hosted
    double minimum_per_month = 0.0;
    std::vector<SupportBracket> brackets;
    friend bool operator==(const SupportPlan&, const SupportPlan&) = default;
};

} // namespace costcurve::model
