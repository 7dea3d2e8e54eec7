// What an offer costs on a day.
#pragma once

#include <optional>
#include <string>

#include "server/answers/answer.hpp"

namespace costcurve::ingest {

struct PriceAnswer {
    std::string offer;
    std::string date;
    double hourly_price = 0.0;
    double hourly_price_per_device = 0.0;
    std::string currency;
    std::string priced_on; ///< the day of the point in force; "" of a price without a date, or before its first
    std::string source;
};

} // namespace costcurve::ingest

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<ingest::PriceAnswer> = "price";
template <>
inline constexpr auto fields<ingest::PriceAnswer> = Rows{
    Field{"offer", &ingest::PriceAnswer::offer, {.format = Format::slug}},
    Field{"date", &ingest::PriceAnswer::date, {.format = Format::date}},
    Field{"hourly_price", &ingest::PriceAnswer::hourly_price, {.help = "of the instance, in its currency; without growth"}},
    Field{"hourly_price_per_device", &ingest::PriceAnswer::hourly_price_per_device, {}},
    Field{"currency", &ingest::PriceAnswer::currency, {.format = Format::currency}},
    Field{"priced_on",
          &ingest::PriceAnswer::priced_on,
          {.format = Format::date,
           .help = "the day that the price in force is of; null of a price without a date, and before the first",
           .null_if_empty = true}},
    Field{"source", &ingest::PriceAnswer::source, {.help = "of the offer", .null_if_empty = true}},
};

} // namespace costcurve::model
