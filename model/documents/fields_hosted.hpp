// Field tables of what hosts keep of prompts, and what they charge beside the standard prices.
#pragma once

#include "model/documents/field.hpp"

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<HostedFees> = "fees";
template <> inline constexpr std::string_view part_name<HostedFees> = "fees";
template <>
inline constexpr auto fields<HostedFees> =
    Rows{Field{"request",
               &HostedFees::request,
               {.unit = "currency/request", .min = 0, .max = kLargest, .curve = CurveKind::price, .help = "number, or date curve"}},
         Field{"search",
               &HostedFees::search,
               {.unit = "currency/search", .min = 0, .max = kLargest, .curve = CurveKind::price, .help = "number, or date curve"}},
         Field{"image",
               &HostedFees::image,
               {.unit = "currency/image", .min = 0, .max = kLargest, .curve = CurveKind::price, .help = "number, or date curve"}},
         Field{"tool_call",
               &HostedFees::tool_call,
               {.unit = "currency/call", .min = 0, .max = kLargest, .curve = CurveKind::price, .help = "number, or date curve"}}};

template <> inline constexpr std::string_view document_name<TierPrices> = "tier_prices";
template <> inline constexpr std::string_view part_name<TierPrices> = "tier_prices";
template <>
inline constexpr auto fields<TierPrices> =
    Rows{Field{"price_factor",
               &TierPrices::price_factor,
               {.unit = "ratio", .min = 0, .max = 100, .help = "of all prices of units, those above thresholds among them"}},
         Field{"price_per_million_units",
               &TierPrices::price_per_million_units,
               {.unit = "currency/million units",
                .min = 0,
                .max = kLargest,
                .curve = CurveKind::price,
                .help = "in place of price_factor: number, or by class; others keep the standard price"}},
         Field{"above",
               &TierPrices::above,
               {.min = 0, .max = 16, .help = "prices of long prompts in this tier, beside price_per_million_units"}},
         Field{"deadline_hours",
               &TierPrices::deadline_hours,
               {.unit = "h", .min = 0, .max = 8760, .above_min = true, .help = "until the answer is there, at most"}}};

template <> inline constexpr std::string_view document_name<ServiceTiers> = "service_tiers";
template <> inline constexpr std::string_view part_name<ServiceTiers> = "service_tiers";
template <>
inline constexpr auto fields<ServiceTiers> = Rows{
    Field{"batch", &ServiceTiers::batch, {.help = "in place of batch_price_fraction; of batch work where no tier is asked for"}},
    Field{"flex", &ServiceTiers::flex, {.help = "slower, and may be refused when the host is full"}},
    Field{"priority", &ServiceTiers::priority, {.help = "before others"}}};

template <> inline constexpr std::string_view document_name<CacheLifetime> = "cache_lifetime";
template <> inline constexpr std::string_view part_name<CacheLifetime> = "cache_lifetime";
template <>
inline constexpr auto fields<CacheLifetime> =
    Rows{Field{"seconds",
               &CacheLifetime::seconds,
               {.unit = "s",
                .min = 0,
                .max = 1e9,
                .above_min = true,
                .required = true,
                .help = "for which a prefix is kept from its last use: each use renews it"}},
         Field{"price_factor",
               &CacheLifetime::price_factor,
               {.unit = "ratio",
                .min = 0,
                .max = 1e6,
                .help = "price of a write, times that of input; default the price of cache_write"}}};

template <> inline constexpr std::string_view document_name<HostedCache> = "cache";
template <> inline constexpr std::string_view part_name<HostedCache> = "cache";
template <>
inline constexpr auto fields<HostedCache> =
    Rows{Field{"write_lifetimes",
               &HostedCache::write_lifetimes,
               {.min = 0, .max = 16, .help = "that requests may ask for; of a workload's prefix the cheapest is taken"}},
         Field{"hit_fraction",
               &HostedCache::hit_fraction,
               {.unit = "fraction",
                .min = 0,
                .max = 1,
                .help = "of prefixes, that are read; default by the arrivals of a workload's prefix and the lifetime"}},
         Field{"min_tokens",
               &HostedCache::min_tokens,
               {.unit = "tokens", .min = 0, .max = 1e9, .help = "a shorter prefix is not kept"}}};

template <> inline constexpr std::string_view part_name<Prefix> = "prefix";
template <> inline constexpr std::string_view document_name<Prefix> = "prefix";
template <>
inline constexpr auto fields<Prefix> = Rows{
    Field{"tokens",
          &Prefix::tokens,
          {.unit = "tokens", .min = 0, .max = 1e9, .above_min = true, .required = true, .help = "of the input of each request"}},
    Field{"requests_per_hour",
          &Prefix::requests_per_hour,
          {.unit = "requests/h",
           .min = 0,
           .max = kLargest,
           .help = "that begin with one and the same prefix; by it and a cache's lifetime it is found or written"}},
    Field{"lifetime_s",
          &Prefix::lifetime_s,
          {.unit = "s",
           .min = 0,
           .max = 1e9,
           .above_min = true,
           .help = "of the cache that requests ask for; default the cheapest, or none"}},
};

} // namespace costcurve::model
