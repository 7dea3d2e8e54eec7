// Field tables of what hosts charge beside the standard prices: fees, and tiers of service.
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

} // namespace costcurve::model
