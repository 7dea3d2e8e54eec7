// Field tables of what is agreed on beside prices: extra costs, leases, loans; finance and allocation.
#pragma once

#include "model/documents/field.hpp"

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<ExtraCost> = "extra_cost";
template <>
inline constexpr auto fields<ExtraCost> = Rows{
    Field{"name", &ExtraCost::name, {.required = true, .help = "what it is: support plan, insurance, property tax, a person"}},
    Field{"category", &ExtraCost::category, {.help = "under which it is reported"}},
    Field{"per_month", &ExtraCost::per_month, {.unit = "currency/month", .min = -kLargest, .max = kLargest, .help = "each month"}},
    Field{"per_unit_month",
          &ExtraCost::per_unit_month,
          {.unit = "currency/unit/month",
           .min = -kLargest,
           .max = kLargest,
           .help = "of each server in service, or instance paid all month; not of an api pool or the scenario"}},
    Field{"fraction_of_bill",
          &ExtraCost::fraction_of_bill,
          {.unit = "fraction", .min = -1, .max = 100, .help = "of compute, usage and commitment of a cloud or api pool"}},
    Field{"per_year_of_price",
          &ExtraCost::per_year_of_price,
          {.unit = "1/year", .min = -10, .max = 10, .help = "of the purchase price in service of an owned pool"}},
    Field{"once",
          &ExtraCost::once,
          {.unit = "currency", .min = -kLargest, .max = kLargest, .help = "at the start of the first month it is borne in"}},
    Field{"from_month", &ExtraCost::from_month, {.unit = "months", .min = -1200, .max = 1200, .help = "the first it is borne in"}},
    Field{
        "months", &ExtraCost::months, {.unit = "months", .min = 1, .max = 2400, .help = "how long; default to the horizon's end"}},
    Field{"growth_rate",
          &ExtraCost::growth_rate,
          {.unit = "1/year", .min = -0.99, .max = 10, .help = "of the amounts; default the category's"}},
};

template <> inline constexpr std::string_view part_name<Lease> = "lease";
template <>
inline constexpr auto fields<Lease> = Rows{
    Field{"payment_per_server_month",
          &Lease::payment_per_server_month,
          {.unit = "currency of the server/server/month", .min = 0, .max = kLargest, .required = true, .help = "fixed"}},
    Field{
        "term_months", &Lease::term_months, {.unit = "months", .min = 1, .max = 600, .required = true, .help = "at most the life"}},
    Field{"in_advance", &Lease::in_advance, {.help = "paid at the month's start; else at its end"}},
    Field{"upfront_per_server",
          &Lease::upfront_per_server,
          {.unit = "currency of the server/server", .min = 0, .max = kLargest, .help = "at the lease's start"}},
    Field{"at_end",
          &Lease::at_end,
          {.help = "servers leave at the term's end, or stay for their life at the same payment, or are bought then"}},
    Field{"buyout_per_server",
          &Lease::buyout_per_server,
          {.unit = "currency of the server/server",
           .min = 0,
           .max = kLargest,
           .help = "at the term's end, of at_end buy: the fair value expected, or the price agreed"}},
};

template <> inline constexpr std::string_view part_name<Loan> = "loan";
template <>
inline constexpr auto fields<Loan> = Rows{
    Field{
        "fraction", &Loan::fraction, {.unit = "fraction", .min = 0, .max = 1, .required = true, .help = "of the hardware's price"}},
    Field{"rate", &Loan::rate, {.unit = "1/year", .min = 0, .max = 10, .required = true, .help = "nominal, paid monthly"}},
    Field{
        "term_months", &Loan::term_months, {.unit = "months", .min = 1, .max = 600, .required = true, .help = "at most the life"}},
    Field{"kind", &Loan::kind, {.help = "equal payments, equal principal, or principal at the end"}},
};

template <> inline constexpr std::string_view document_name<Finance> = "finance";
template <>
inline constexpr auto fields<Finance> = Rows{
    Field{"discount_rate",
          &Finance::discount_rate,
          {.unit = "1/year", .min = 0, .max = 10, .help = "cost of capital; 0.08 is 8 % a year"}},
    Field{"capital", &Finance::capital, {.help = "how hardware becomes a monthly cost"}},
    Field{"at_end",
          &Finance::at_end,
          {.help = "what the horizon's end is: all is sold and settled, or the business goes on and assets count at book value"}},
    Field{"decide_by",
          &Finance::decide_by,
          {.help = "the figure by which a scenario is the cheapest; default npv_after_tax with a tax_rate, else npv with a "
                   "discount_rate, else cost"}},
    Field{"tax_rate", &Finance::tax_rate, {.unit = "fraction", .min = 0, .max = 1, .help = "on profit"}},
    Field{"tax_depreciation", &Finance::tax_depreciation, {.help = "how hardware is written off for tax"}},
    Field{"tax_depreciation_rate",
          &Finance::tax_depreciation_rate,
          {.unit = "1/year", .min = 0, .max = 12, .above_min = true, .help = "of declining_balance"}},
    Field{"tax_depreciation_table",
          &Finance::tax_depreciation_table,
          {.unit = "fraction", .min = 0, .max = 1, .of_entries = true, .help = "by year, adding up to 1; of table"}},
    Field{"bonus_depreciation_fraction",
          &Finance::bonus_depreciation_fraction,
          {.unit = "fraction", .min = 0, .max = 1, .help = "of hardware, written off in the month of purchase"}},
    Field{"investment_credit_fraction",
          &Finance::investment_credit_fraction,
          {.unit = "fraction",
           .min = 0,
           .max = 1,
           .help = "of the price of hardware bought, off the tax of that month; half of it is off what is written off"}},
    Field{"taxable_income_per_year",
          &Finance::taxable_income_per_year,
          {.unit = "scenario currency/year",
           .min = 0,
           .max = kLargest,
           .help = "beside the scenario: what a year deducts beyond it is a loss that later years deduct; default enough for all"}},
    Field{"loss_offset_fraction",
          &Finance::loss_offset_fraction,
          {.unit = "fraction",
           .min = 0,
           .max = 1,
           .help = "of a later year's income that losses carried forward may be off; 0.8 in the US (26 USC 172)"}},
    Field{"inflation_rate",
          &Finance::inflation_rate,
          {.unit = "1/year",
           .min = -0.99,
           .max = 10,
           .help = "of rent, staff, network, storage, software, maintenance, demand "
                   "charges and other costs"}},
    Field{"growth_rates",
          &Finance::growth_rates,
          {.unit = "1/year", .min = -0.99, .max = 10, .help = "by category, in place of inflation_rate; usage and egress too"}},
    Field{"carbon_price_per_tonne",
          &Finance::carbon_price_per_tonne,
          {.unit = "scenario currency/t", .min = 0, .max = kLargest, .help = "internal price of CO2e"}},
    Field{"engineer_week_cost",
          &Finance::engineer_week_cost,
          {.unit = "scenario currency/week", .min = 0, .max = kLargest, .help = "of porting"}},
};

template <> inline constexpr std::string_view part_name<Allocation> = "allocation";
template <>
inline constexpr auto fields<Allocation> = Rows{
    Field{"basis",
          &Allocation::basis,
          {.help = "device-hours reserved or used (busy) in the month, of an api pool units; or fixed shares"}},
    Field{
        "idle",
        &Allocation::idle,
        {.help = "idle device-hours: spread over those who use the pool (the default), or apart, borne by nobody; not with fixed"}},
    Field{"shares",
          &Allocation::shares,
          {.unit = "fraction",
           .min = 0,
           .max = 1,
           .help = "of fixed: {workload: fraction}, adding up to 1, of every pool and month"}},
};

} // namespace costcurve::model
