// Why a list of prices is held as a whole, by what is odd of all of them together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

/// Why most kinds of machines come to one price, and did not before; "" where they don't.
[[nodiscard]] std::string same_number(const std::vector<JudgedPrice>& prices, const std::vector<PriceHistory>& histories);

/// Why most prices moved so far, of those that moved and of how many were compared; "" where they didn't.
[[nodiscard]] std::string moved_list(const std::vector<double>& jumps, std::size_t compared);

/// A price by what it is compared with.
struct ComparedPrice {
    std::string thing;
    double ratio = 1.0;
};
/// The prices of one list that are no conditions, by what they were before, what others ask, or, of what nobody else sells in their
/// currency, what others ask in other currencies by rough rates.
struct ComparedPrices {
    std::vector<ComparedPrice> history, others, abroad;
};

/// Notes a price by the first of these that there is.
void compare_price(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers, ComparedPrices& compared);

/// Why most rows are off by one factor, as of another currency or unit; "" where they aren't: where three quarters are within a
/// twentieth of one factor of 1.85 or more, or 1/1.85 or less, of what they were or what others ask; or where, in a currency in
/// which nobody else sells, the median is so far from what others ask in others. Of four prices of three things at least,
/// of eight by what others ask.
[[nodiscard]] std::string common_factor(const ComparedPrices& compared);

} // namespace costcurve::ingest
