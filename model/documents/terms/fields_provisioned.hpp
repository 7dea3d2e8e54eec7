// Field tables of capacity of a hosted model that is bought.
#pragma once

#include "model/documents/field.hpp"

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<ProvisionedTerm> = "provisioned_term";
template <> inline constexpr std::string_view part_name<ProvisionedTerm> = "provisioned_term";
template <>
inline constexpr auto fields<ProvisionedTerm> = Rows{
    Field{"months",
          &ProvisionedTerm::months,
          {.unit = "months", .min = 1, .max = 120, .required = true, .help = "that units are committed for; no two terms alike"}},
    Field{"price_per_unit_hour",
          &ProvisionedTerm::price_per_unit_hour,
          {.unit = "currency/unit/h", .min = 0, .max = kLargest, .help = "in each hour of the term"}},
    Field{"price_per_unit_month",
          &ProvisionedTerm::price_per_unit_month,
          {.unit = "currency/unit/month",
           .min = 0,
           .max = kLargest,
           .help = "in place of price_per_unit_hour: a reservation's price over its months"}}};

/// Rows of TokensPerMinute: one a class, alike but for its help.
template <class M> constexpr auto tokens_per_minute_row(UnitClass unit_class, M ByClass<M>::*member, std::string_view help) {
    return Field<ByClass<M>, M>{
        name_of(unit_class), member, {.unit = "tokens/unit/min", .min = 0, .max = kLargest, .above_min = true, .help = help}};
}

template <> inline constexpr std::string_view document_name<TokensPerMinute> = "tokens_per_minute";
template <> inline constexpr std::string_view part_name<TokensPerMinute> = "tokens_per_minute";
template <>
inline constexpr auto fields<TokensPerMinute> =
    Rows{tokens_per_minute_row(UnitClass::input, &TokensPerMinute::input, "of input, where a unit takes nothing else"),
         tokens_per_minute_row(UnitClass::cached_input, &TokensPerMinute::cached_input, "of cached input; default that of input"),
         tokens_per_minute_row(UnitClass::cache_write, &TokensPerMinute::cache_write, "of cache writes; default that of input"),
         tokens_per_minute_row(UnitClass::output, &TokensPerMinute::output,
                               "of output: that of input over what an output token counts against it"),
         tokens_per_minute_row(UnitClass::reasoning, &TokensPerMinute::reasoning, "of reasoning; default that of output")};

template <> inline constexpr std::string_view document_name<Provisioned> = "provisioned";
template <> inline constexpr std::string_view part_name<Provisioned> = "provisioned";
template <>
inline constexpr auto fields<Provisioned> = Rows{
    Field{"price_per_unit_hour",
          &Provisioned::price_per_unit_hour,
          {.unit = "currency/unit/h",
           .min = 0,
           .max = kLargest,
           .curve = CurveKind::price,
           .help = "of a unit without a term: number, or date curve; default units are sold for a term alone"}},
    Field{"minimum_units", &Provisioned::minimum_units, {.unit = "units", .min = 1, .max = 1e6, .help = "of a deployment"}},
    Field{"unit_step",
          &Provisioned::unit_step,
          {.unit = "units", .min = 1, .max = 1e6, .help = "by which a deployment is larger than minimum_units"}},
    Field{"tokens_per_minute",
          &Provisioned::tokens_per_minute,
          {.help = "of a unit, by class; without it nobody knows what a unit serves, and none can be bought"}},
    Field{"counts_cached_input", &Provisioned::counts_cached_input, {.help = "false: what the cache has takes nothing of a unit"}},
    Field{"terms", &Provisioned::terms, {.min = 0, .max = 16, .help = "prices of units that are committed for months"}}};

/// Of a pool of kind api.
inline constexpr FieldSpec kProvisionedUnits = {
    .unit = "units",
    .min = 0,
    .max = 1e6,
    .only_for = "api",
    .help = "of provisioned throughput that it buys and serves one workload with, tokens included: what is more goes to the next "
            "entry of runs_on; 0 buys none"};
inline constexpr FieldSpec kProvisionedTermMonths = {
    .unit = "months",
    .min = 1,
    .max = 120,
    .only_for = "api",
    .help = "of the term that units are committed for, one after the other; default by the hour"};

} // namespace costcurve::model
