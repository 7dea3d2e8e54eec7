// Hosted models: what their hosts state of them, and what they charge.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/curve.hpp"
#include "model/documents/enum_names.hpp"
#include "model/documents/terms/provisioned.hpp"
#include "model/documents/terms/rented.hpp"
#include "model/documents/unit_classes.hpp"
#include "model/documents/values.hpp"

namespace costcurve::model {

/// The price of a hosted model: one, or by class.
struct UnitPrice : ByClass<std::optional<Rate>> {
    bool split = false;
    Rate total; ///< where not split
    friend bool operator==(const UnitPrice&, const UnitPrice&) = default;
};

/// What of a request is billed at the price above a threshold: all of it, or the prompt's tokens beyond.
enum class PriceScope { request, beyond };
template <> inline constexpr auto enum_names<PriceScope> = std::to_array<std::string_view>({"request", "beyond"});

/// The price of requests whose prompt is longer than a threshold; classes that it does not name keep theirs.
struct PriceAbove {
    double input_tokens = 0.0;
    std::optional<UnitPrice> price_per_million_units;
    PriceScope scope = PriceScope::request;
    friend bool operator==(const PriceAbove&, const PriceAbove&) = default;
};

/// How soon a host serves a request, and at which of its prices.
enum class ServiceTier { standard, batch, flex, priority };
template <>
inline constexpr auto enum_names<ServiceTier> = std::to_array<std::string_view>({"standard", "batch", "flex", "priority"});

/// What units cost in a tier: a factor of the standard prices, or prices; classes that these do not name keep the standard ones.
struct TierPrices {
    std::optional<double> price_factor;
    std::optional<UnitPrice> price_per_million_units;
    std::vector<PriceAbove> above;        ///< beside prices; the standard ones where empty
    std::optional<double> deadline_hours; ///< until the answer is there, at most; not known where unstated
    friend bool operator==(const TierPrices&, const TierPrices&) = default;
};
struct ServiceTiers {
    std::optional<TierPrices> batch;
    std::optional<TierPrices> flex;
    std::optional<TierPrices> priority;
    friend bool operator==(const ServiceTiers&, const ServiceTiers&) = default;
};

/// What is charged beside tokens: for each request, and for each of what the workload has so many of in a request.
struct HostedFees {
    std::optional<Rate> request;
    std::optional<Rate> search;
    std::optional<Rate> image;
    std::optional<Rate> tool_call;
    friend bool operator==(const HostedFees&, const HostedFees&) = default;
};

/// How long a prefix is kept, from its last use, and what it costs to write it.
struct CacheLifetime {
    double seconds = 0.0;
    std::optional<double> price_factor; ///< of the price of input; the price of cache_write where unstated
    friend bool operator==(const CacheLifetime&, const CacheLifetime&) = default;
};

/// What a host keeps of prompts.
struct HostedCache {
    std::vector<CacheLifetime> write_lifetimes;
    std::optional<double> hit_fraction; ///< in place of what follows from arrivals
    double min_tokens = 0.0;            ///< shorter prefixes are not kept
    friend bool operator==(const HostedCache&, const HostedCache&) = default;
};

/// The beginning of a prompt that requests share: of their input, which hosts keep and bill apart.
struct Prefix {
    double tokens = 0.0;
    std::optional<double> requests_per_hour; ///< with one and the same prefix; not known where unstated
    std::optional<double> lifetime_s;        ///< that requests ask for; the cheapest where unstated
    friend bool operator==(const Prefix&, const Prefix&) = default;
};

/// What a hosted model costs and does, as its host states it.
struct HostedModel {
    std::string provider;
    std::string model;
    std::optional<UnitPrice> price_per_million_units;
    std::vector<PriceAbove> above; ///< ascending, of one scope
    std::optional<HostedCache> cache;
    std::optional<HostedFees> fees;
    std::optional<ServiceTiers> service_tiers;
    std::optional<Provisioned> provisioned;      ///< units that may be bought; none where unstated
    std::vector<VolumeTier> volume_tiers;        ///< of units a month, ascending
    std::vector<std::string> unknown_conditions; ///< of its price, that have no field
    double batch_price_fraction = 1.0;
    std::optional<double> max_units_per_s;
    std::optional<double> e2e_s; ///< of a whole request; not known where unstated
    std::optional<double> ttft_s;
    std::optional<double> itl_s;
    std::optional<double> latency_percentile; ///< of these figures; not known where unstated
    std::optional<double> energy_wh_per_unit; ///< not known where unstated
    std::optional<double> carbon_g_per_unit;
    friend bool operator==(const HostedModel&, const HostedModel&) = default;
};

/// A hosted model with an id of its own, that pools may name.
struct Endpoint : HostedModel {
    std::string id, source, note;
    Stored stored;
    std::string region;
    std::string currency;
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

} // namespace costcurve::model
