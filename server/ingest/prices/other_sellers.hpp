// What the sellers of one thing ask for it: medians of a device-hour of a device and purchase, or of a million units of a class of
// a hosted model.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

inline constexpr std::string_view kEstimator = "semianalysis"; ///< a provider of offers that sells nothing

/// A price of an offer or an endpoint.
struct JudgedPrice {
    storage::DocumentKey key;
    std::string seller;
    std::string thing;      ///< a device's id, or a hosted model
    std::string sort;       ///< the purchase, or the class of units, "" for all, with the condition that its price is of
    std::string currency;   ///< "" where an endpoint has none of its own
    std::string_view place; ///< the part of the world; "" where its region does not say it
    int devices = 1;
    bool has_upfront = false;  ///< the hour is not all that is paid: it is compared with its own history alone
    bool is_condition = false; ///< of a tier, a threshold, a fee or a lifetime: as that
    double price = 0.0;
    std::optional<double> day; ///< of the last point
    std::string region;        ///< as the list spells it

    [[nodiscard]] double per_device() const { return price / static_cast<double>(devices); }
    [[nodiscard]] bool has_history_alone() const { return has_upfront || is_condition; }
};

[[nodiscard]] inline bool is_of_offer(const JudgedPrice& price) { return price.key.kind == storage::Kind::offer; }

/// US dollars per unit of a currency, by a rough rate; 1 without a currency, 0 for an unknown one.
[[nodiscard]] double dollars_of(std::string_view currency);

/// Whether an offer is of a bill or a contract: what one buyer pays. A seller whose own name is such a prefix is a seller.
[[nodiscard]] bool is_private(std::string_view id, std::string_view provider);

/// What an endpoint states of money: a price, or a factor of one.
struct StatedPrice {
    std::string sort;
    const model::Rate* rate = nullptr; ///< null: a factor
    double factor = 0.0;
    bool is_condition = false;
};
/// By class of units, above thresholds and in tiers, the fees, and the factors of tiers and of the cache's lifetimes.
[[nodiscard]] std::vector<StatedPrice> stated_prices(const model::Endpoint& endpoint);

/// Empty for private offers, and for documents without a price here.
[[nodiscard]] std::vector<JudgedPrice> prices_of(const model::Offer& offer);
/// One for each price and factor that it states.
[[nodiscard]] std::vector<JudgedPrice> prices_of(const model::Endpoint& endpoint);

[[nodiscard]] double median_of(std::vector<double> values);

/// Reads the stored offers of a device and purchase once, and all endpoints once, where they are needed first.
class OtherSellers {
public:
    explicit OtherSellers(const storage::Snapshot& snapshot) : snapshot_(snapshot) {}

    struct Median {
        double price = 0.0;      ///< of one device; 0 where the price's currency is not known
        std::size_t sellers = 0; ///< 0: nobody sells it
    };
    enum class Whose { others, own, own_anywhere, abroad };
    /// The median of the sellers' medians near it, of the same thing, sort and currency; of `own_anywhere` in all parts of the
    /// world; of `abroad` that of other sellers anywhere in other currencies, by rough rates.
    [[nodiscard]] Median median(const JudgedPrice& price, Whose whose);
    /// A currency in which the same seller asks for the same thing, or, where it doesn't sell that, for anything, where it asks in
    /// none as the price's; "" where it does.
    [[nodiscard]] std::string other_currency(const JudgedPrice& price);

private:
    struct Ask {
        std::string seller;
        std::string currency;
        std::string_view place;
        double price = 0.0; // of one device
    };
    using Asks = std::map<std::pair<std::string, std::string>, std::vector<Ask>>; // by thing and sort

    [[nodiscard]] Median find_median(const JudgedPrice& price, Whose whose);
    [[nodiscard]] const std::vector<Ask>& asks(const JudgedPrice& price);
    void read_offers(const std::string& device, const std::string& purchase, std::vector<Ask>& asks) const;
    void read_endpoints();
    [[nodiscard]] const std::set<std::string>& currencies_of(const JudgedPrice& price);

    const storage::Snapshot& snapshot_;
    Asks offers_;
    std::optional<Asks> endpoints_;
    std::map<std::pair<storage::Kind, std::string>, std::set<std::string>> currencies_; ///< by seller
    std::map<std::tuple<storage::Kind, std::string, std::string, std::string, std::string, std::string, Whose>, Median> medians_;
};

} // namespace costcurve::ingest
