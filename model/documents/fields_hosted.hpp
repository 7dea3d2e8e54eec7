// Field tables of what hosts keep of prompts, and what they charge beside the standard prices.
#pragma once

#include "model/documents/field.hpp"
#include "model/documents/fields_tiers.hpp"

namespace costcurve::model {

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

} // namespace costcurve::model
