// Why a list of prices is held as a whole, by what is odd of all of them together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/ingest/prices/price_history.hpp"
#include "server/ingest/prices/rough_rates.hpp"

namespace costcurve::ingest {

/// Why most kinds of machines come to one price, and did not before; "" where they don't.
[[nodiscard]] std::string same_number(const std::vector<JudgedPrice>& prices, const std::vector<PriceHistory>& histories);

/// Why most prices moved so far, of those that moved and of how many were compared; "" where they didn't.
[[nodiscard]] std::string moved_list(const std::vector<double>& jumps, std::size_t compared);

/// Why most prices as spot are too small a part of those on demand of the same SKU and place; "" where they aren't.
[[nodiscard]] std::string cheap_spot(const std::vector<double>& spot_of_on_demand);

/// Why a list of which `held` of `judged` prices are held is held as a whole: more than half, or half of eight or more; names
/// `first`, one of them and its reason. "" where it isn't.
[[nodiscard]] std::string held_list(std::size_t held, std::size_t judged, const std::string& first);

/// A price by what it is compared with.
struct ComparedPrice {
    std::string thing;
    double ratio = 1.0;
};
/// The prices of one list that are no conditions, by what they were before, what others ask, or, of what nobody else sells in their
/// currency, what others ask in other currencies by rough rates; of models that nobody else hosts what their size costs about. New
/// machines once more by what others ask, and by what the same seller asks for the same: those on spot apart.
struct ComparedPrices {
    std::vector<ComparedPrice> history, others, abroad, sizes;
    std::vector<ComparedPrice> machines, spot_machines, own, own_spot;
};

/// Notes a price by the first of the former that there is, and by all of the latter.
void compare_price(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers, RoughRates& rough,
                   ComparedPrices& compared);

/// Why most rows are off by one factor, as of another currency or unit; "" where they aren't: where three quarters are within a
/// twentieth of one factor of 1.85 or more, or 1/1.85 or less, of what they were or what others ask; or where, in a currency in
/// which nobody else sells, the median is so far from what others ask in others; or where the median of models that nobody else
/// hosts is a fifth or five times what their active parameters cost about, or beyond; or that of new machines so far from what
/// others or their own seller ask for the same. Of four prices of three things at least.
[[nodiscard]] std::string common_factor(const ComparedPrices& compared);

} // namespace costcurve::ingest
