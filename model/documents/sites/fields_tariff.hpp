// Field tables of what a utility bills: demand charges, energy tiers, the minimum, reactive power, riders.
#pragma once

#include "model/documents/field.hpp"

namespace costcurve::model {

template <> inline constexpr std::string_view part_name<DemandTier> = "demand_tier";
template <>
inline constexpr auto fields<DemandTier> = Rows{
    Field{"above_kw", &DemandTier::above_kw, {.unit = "kW", .min = 0, .max = kLargest, .required = true, .help = "of billed kW"}},
    Field{"add_per_kw_month",
          &DemandTier::add_per_kw_month,
          {.unit = "currency/kW/month",
           .min = -kLargest,
           .max = kLargest,
           .required = true,
           .help = "on each kW beyond; tiers add up"}},
};

template <> inline constexpr std::string_view document_name<DemandCharge> = "demand_charge";
template <>
inline constexpr auto fields<DemandCharge> = Rows{
    Field{"name", &DemandCharge::name, {.max_bytes = kMaxNameBytes, .help = "as the bill has it"}},
    Field{"per_kw_month",
          &DemandCharge::per_kw_month,
          {.unit = "currency/kW/month", .min = 0, .max = kLargest, .required = true, .help = "on the largest facility power"}},
    Field{"per_kw_year",
          &DemandCharge::per_kw_year,
          {.unit = "currency/kW/year",
           .min = 0,
           .max = kLargest,
           .help = "beside it, in equal parts over the calendar months that bill"}},
    Field{"hours",
          &DemandCharge::hours,
          {.curve = CurveKind::demand, .help = "step curve over hour_of_week, 0 or 1: hours that count; default all"}},
    Field{"months",
          &DemandCharge::months,
          {.unit = "month", .min = 1, .max = 12, .of_entries = true, .help = "calendar months that bill; default all"}},
    Field{"ratchet_fraction",
          &DemandCharge::ratchet_fraction,
          {.unit = "fraction", .min = 0, .max = 1, .help = "of earlier peaks, billed at least"}},
    Field{"ratchet_months",
          &DemandCharge::ratchet_months,
          {.unit = "months", .min = 1, .max = 1200, .help = "how far they reach back"}},
    Field{"ratchet_peak_months",
          &DemandCharge::ratchet_peak_months,
          {.unit = "month",
           .min = 1,
           .max = 12,
           .of_entries = true,
           .help = "calendar months whose peaks count for it; default all"}},
    Field{"coincident",
          &DemandCharge::coincident,
          {.help = "billed at the grid's peak: the expected kW, the mean over its hours, in place of the largest"}},
    Field{"min_kw", &DemandCharge::min_kw, {.unit = "kW", .min = 0, .max = kLargest, .help = "billed at least, as contracted"}},
    Field{"tiers", &DemandCharge::tiers, {.min = 0, .max = 64, .help = "ascending; what each kW beyond adds to the price"}},
};

template <> inline constexpr std::string_view document_name<EnergyTier> = "energy_tier";
template <>
inline constexpr auto fields<EnergyTier> = Rows{
    Field{"above_kwh_month",
          &EnergyTier::above_kwh_month,
          {.unit = "kWh/month", .min = 0, .max = kLargest, .help = "of the site's month; the three add up"}},
    Field{"above_kwh_day",
          &EnergyTier::above_kwh_day,
          {.unit = "kWh/day", .min = 0, .max = kLargest, .help = "of each day, taken as the days' mean"}},
    Field{"above_kwh_per_kw",
          &EnergyTier::above_kwh_per_kw,
          {.unit = "kWh/kW/month",
           .min = 0,
           .max = kLargest,
           .help = "hours of use: of each kW of the month's largest facility power"}},
    Field{"add_per_kwh",
          &EnergyTier::add_per_kwh,
          {.unit = "currency/kWh", .min = -1e6, .max = 1e6, .required = true, .help = "on each kWh beyond; tiers add up"}},
    Field{"months",
          &EnergyTier::months,
          {.unit = "month", .min = 1, .max = 12, .of_entries = true, .help = "calendar months in which it holds; default all"}},
    Field{"kw_of_charge",
          &EnergyTier::kw_of_charge,
          {.min = 0,
           .max = 63,
           .help = "place among demand_charges, from 0, of the one whose billed kW above_kwh_per_kw counts; default the month's "
                   "largest facility power"}},
};

template <> inline constexpr std::string_view part_name<MinimumBill> = "minimum_bill";
template <>
inline constexpr auto fields<MinimumBill> = Rows{
    Field{"per_month", &MinimumBill::per_month, {.unit = "currency/month", .min = 0, .max = kLargest, .help = "at each place"}},
    Field{"per_kw_month",
          &MinimumBill::per_kw_month,
          {.unit = "currency/kW/month", .min = 0, .max = kLargest, .help = "beside it, of each kW billed"}},
    Field{"kw_of_charge",
          &MinimumBill::kw_of_charge,
          {.min = 0,
           .max = 63,
           .help = "place among demand_charges, from 0, of the one whose billed kW counts; default the month's largest "
                   "facility power"}},
};

template <> inline constexpr std::string_view part_name<ReactiveCharge> = "reactive_charge";
template <>
inline constexpr auto fields<ReactiveCharge> = Rows{
    Field{"target_power_factor",
          &ReactiveCharge::target_power_factor,
          {.unit = "fraction", .min = 0.1, .max = 1, .help = "at which nothing is billed"}},
    Field{"per_kvar_month",
          &ReactiveCharge::per_kvar_month,
          {.unit = "currency/kvar/month", .min = 0, .max = kLargest, .help = "beyond it, at the month's largest facility power"}},
    Field{"per_kvarh",
          &ReactiveCharge::per_kvarh,
          {.unit = "currency/kvarh", .min = 0, .max = kLargest, .help = "beyond it, of the month"}},
    Field{"adjusts_demand",
          &ReactiveCharge::adjusts_demand,
          {.help = "kW of demand charges are multiplied by target / power factor; with a target of 1 they are billed by the kVA"}},
};

template <> inline constexpr std::string_view part_name<Rider> = "rider";
template <>
inline constexpr auto fields<Rider> = Rows{
    Field{"name", &Rider::name, {.required = true, .max_bytes = kMaxNameBytes, .help = "as the bill has it"}},
    Field{"per_month", &Rider::per_month, {.unit = "currency/month", .min = 0, .max = kLargest, .help = "at each place"}},
    Field{"per_kwh", &Rider::per_kwh, {.unit = "currency/kWh", .min = -1e6, .max = 1e6, .help = "of all kWh"}},
    Field{"per_kw",
          &Rider::per_kw,
          {.unit = "currency/kW/month", .min = 0, .max = kLargest, .help = "of the month's largest facility power"}},
    Field{"fraction_of_bill",
          &Rider::fraction_of_bill,
          {.unit = "fraction", .min = -1, .max = 100, .help = "of all lines but such fractions, the minimum included"}},
    Field{"months",
          &Rider::months,
          {.unit = "month", .min = 1, .max = 12, .of_entries = true, .help = "calendar months in which it holds; default all"}},
    Field{"from_month", &Rider::from_month, {.unit = "months", .min = 0, .max = 1200, .help = "the horizon's first it is in"}},
    Field{"to_month", &Rider::to_month, {.unit = "months", .min = 0, .max = 1200, .help = "the last, included; default the end"}},
};

} // namespace costcurve::model
