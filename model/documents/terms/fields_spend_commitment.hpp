// Field tables of commitments to spend.
#pragma once

#include "model/documents/field.hpp"

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<SpendDiscount> = "spend_discount";
template <> inline constexpr std::string_view part_name<SpendDiscount> = "spend_discount";
template <>
inline constexpr auto fields<SpendDiscount> = Rows{
    Field{"provider", &SpendDiscount::provider, {.help = "of the offers it is off; default any"}},
    Field{"family",
          &SpendDiscount::family,
          {.help = "of the offers: their sku, or its beginning up to '.', '-' or '_' (p5 of p5.48xlarge); default any"}},
    Field{"device", &SpendDiscount::device, {.format = Format::slug, .help = "of the offers, an id; default any"}},
    Field{"region", &SpendDiscount::region, {.help = "of the offers; default any"}},
    Field{"fraction",
          &SpendDiscount::fraction,
          {.unit = "fraction",
           .min = 0,
           .max = 1,
           .required = true,
           .help = "off the price on demand; the first of the list that means an offer holds for it"}},
};

template <> inline constexpr std::string_view document_name<SpendCommitment> = "spend_commitment";
template <>
inline constexpr auto fields<SpendCommitment> = Rows{
    Field{"name", &SpendCommitment::name, {.required = true, .help = "what it is: savings plan, committed use"}},
    Field{"hourly_spend",
          &SpendCommitment::hourly_spend,
          {.unit = "currency/h",
           .min = 0,
           .max = kLargest,
           .required = true,
           .help = "paid in each hour, by the month: what is not used in an hour is lost, what is beyond it is on demand"}},
    Field{"term_months", &SpendCommitment::term_months, {.unit = "months", .min = 1, .max = 120, .help = "of a term"}},
    Field{"from_month",
          &SpendCommitment::from_month,
          {.unit = "months", .min = -120, .max = 1200, .help = "in which it begins; negative: signed before the start"}},
    Field{"months",
          &SpendCommitment::months,
          {.unit = "months", .min = 1, .max = 2400, .help = "for how long, whole terms; default to the horizon's end"}},
    Field{"discounts",
          &SpendCommitment::discounts,
          {.min = 1, .max = 1000, .required = true, .help = "of the offers on demand that it pays for"}},
};

} // namespace costcurve::model
