// Field tables of what sellers charge by the month's volume.
#pragma once

#include "model/documents/field.hpp"

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<VolumeTier> = "volume_tier";
template <> inline constexpr std::string_view part_name<VolumeTier> = "volume_tier";
template <>
inline constexpr auto fields<VolumeTier> = Rows{
    Field{"above",
          &VolumeTier::above,
          {.unit = "device-hours/month, or units/month",
           .min = 0,
           .max = kLargest,
           .required = true,
           .help = "of the month; tiers ascend. What lies below the first is at the list price"}},
    Field{
        "price_factor",
        &VolumeTier::price_factor,
        {.unit = "ratio", .min = 0, .max = 100, .required = true, .help = "times the list price, of the volume above; 0 is free"}},
};

template <> inline constexpr std::string_view document_name<EgressTier> = "egress_tier";
template <> inline constexpr std::string_view part_name<EgressTier> = "egress_tier";
template <>
inline constexpr auto fields<EgressTier> = Rows{
    Field{"destination", &EgressTier::destination, {.help = "as a workload's egress_destination names it; default the internet"}},
    Field{"above_gb",
          &EgressTier::above_gb,
          {.unit = "GB/month", .min = 0, .max = kLargest, .help = "of the month; tiers of a destination ascend"}},
    Field{"price_per_gb",
          &EgressTier::price_per_gb,
          {.unit = "currency/GB", .min = 0, .max = kLargest, .required = true, .help = "of the GB above, up to the next tier"}},
};

template <> inline constexpr std::string_view document_name<TermResale> = "term_resale";
template <> inline constexpr std::string_view part_name<TermResale> = "term_resale";
template <>
inline constexpr auto fields<TermResale> = Rows{
    Field{"price_fraction",
          &TermResale::price_fraction,
          {.unit = "fraction",
           .min = 0,
           .max = 1,
           .required = true,
           .help = "of the upfront that the months left are worth, which a buyer pays or the seller refunds"}},
    Field{"fee_fraction",
          &TermResale::fee_fraction,
          {.unit = "fraction", .min = 0, .max = 1, .help = "of that price, which the seller keeps"}},
    Field{"payments_owed_fraction",
          &TermResale::payments_owed_fraction,
          {.unit = "fraction", .min = 0, .max = 1, .help = "of the payments left, which stay owed; a buyer takes over the rest"}},
    Field{"sales_limit",
          &TermResale::sales_limit,
          {.unit = "currency",
           .min = 0,
           .max = kLargest,
           .help = "of what may be sold, in prices and payments left, of all pools at the seller together; default none"}},
};

template <> inline constexpr std::string_view document_name<SupportBracket> = "support_bracket";
template <> inline constexpr std::string_view part_name<SupportBracket> = "support_bracket";
template <>
inline constexpr auto fields<SupportBracket> = Rows{
    Field{"above",
          &SupportBracket::above,
          {.unit = "currency/month", .min = 0, .max = kLargest, .help = "of the month's bill; brackets ascend"}},
    Field{"fraction",
          &SupportBracket::fraction,
          {.unit = "fraction", .min = 0, .max = 1, .required = true, .help = "of the bill above, up to the next bracket"}},
};

template <> inline constexpr std::string_view document_name<SupportPlan> = "support_plan";
template <>
inline constexpr auto fields<SupportPlan> = Rows{
    Field{"name", &SupportPlan::name, {.required = true, .help = "what it is: business support, enterprise support"}},
    Field{"provider",
          &SupportPlan::provider,
          {.help = "of the offers and hosted models whose bill it is read off; default all, and unused commitments to spend"}},
    Field{"minimum_per_month",
          &SupportPlan::minimum_per_month,
          {.unit = "currency/month", .min = 0, .max = kLargest, .help = "that a month costs at least"}},
    Field{"brackets",
          &SupportPlan::brackets,
          {.min = 0, .max = 16, .help = "fractions of the month's compute, usage, commitment, egress and storage"}},
};

/// Rules of volume tiers, of an offer (`only_for` "") and of a hosted model.
[[nodiscard]] constexpr FieldSpec volume_tiers_spec(std::string_view only_for, std::string_view help) {
    return {.min = 0, .max = 16, .only_for = only_for, .help = help};
}
inline constexpr std::string_view kTiersOfUnits =
    "price factors by the units of the month, of all pools with the same hosted model; default one price";
inline constexpr FieldSpec kTermDays = {.unit = "days",
                                        .min = 1,
                                        .max = 3650,
                                        .help = "length of the commitment in days, in place of term_months; of a block all of it"};
inline constexpr FieldSpec kFromDay = {
    .unit = "days", .min = 1, .max = 31, .only_for = "cloud", .help = "of from_month, on which terms of term_days begin"};
inline constexpr FieldSpec kDays = {.unit = "days",
                                    .min = 1,
                                    .max = 36500,
                                    .only_for = "cloud",
                                    .help = "for how long, whole terms of term_days; default a block's own, of others to the "
                                            "horizon's end"};
inline constexpr FieldSpec kBeginsAtUtcHour = {
    .unit = "hours",
    .min = 0,
    .max = 23.99,
    .help = "of the day, UTC, at which days of term_days begin and end; default midnight in the scenario's time_zone"};
inline constexpr FieldSpec kResale = {
    .help = "what the rest of a term in months brings where the horizon ends within it; default nothing"};
inline constexpr FieldSpec kEgressTiers = {
    .min = 0, .max = 64, .help = "of a month's GB, by destination, in place of egress_per_gb; of one seller all pools together"};
inline constexpr FieldSpec kStoragePrice = {.unit = "currency/GB/month",
                                            .min = 0,
                                            .max = kLargest,
                                            .help = "of weights and checkpoints that workloads store; default not billed"};
inline constexpr FieldSpec kEgressDestination = {
    .help = "where data go to, as an offer's egress_tiers name it: region, zone, peer; default the internet"};
inline constexpr FieldSpec kStoredGb = {.unit = "GB",
                                        .min = 0,
                                        .max = 1e9,
                                        .help = "of weights that each pool keeps, where its offer states "
                                                "storage_per_gb_month; default the weight_bytes of its estimate"};

} // namespace costcurve::model
