// Field table of exchange rates by month.
#pragma once

#include "model/documents/field.hpp"

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<ExchangeForward> = "exchange_forward";
template <> inline constexpr std::string_view part_name<ExchangeForward> = "exchange_forward";
template <>
inline constexpr auto fields<ExchangeForward> = Rows{
    Field{"currency", &ExchangeForward::currency, {.required = true, .format = Format::currency, .help = "one of it"}},
    Field{"rates",
          &ExchangeForward::rates,
          {.required = true,
           .curve = CurveKind::index,
           .axis = Axis::date,
           .help = "is so much of the scenario's currency, read at each month's first day; the last holds beyond it"}},
};

} // namespace costcurve::model
