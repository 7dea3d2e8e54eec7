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

/// Why a list is held as a whole because single prices of it are: more than half of the `judged` ones, or half where these are
/// eight or more. The reason names `first`, one price with its own reason. "" where the list isn't held.
[[nodiscard]] std::string held_list(std::size_t held, std::size_t judged, const std::string& first);

/// A price by what it is compared with.
struct ComparedPrice {
    std::string thing;
    double ratio = 1.0;
};
/// The prices of one list, each by the first that it can be compared with: its own last price, what other sellers ask in the
/// same currency, what they ask in other currencies, and for a hosted model the rough price of its size. `machines` and `own`
/// are new machines once more: against other sellers' prices, and against those of the same seller, on spot apart.
struct ComparedPrices {
    std::vector<ComparedPrice> history, others, abroad, sizes;
    std::vector<ComparedPrice> machines, spot_machines, own, own_spot;
};

/// Adds a price to all lists that it belongs in.
void compare_price(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers, RoughRates& rough,
                   ComparedPrices& compared);

/// Why the whole list may be in another currency or unit; "" where nothing shows it. Needs four prices of three things at
/// least. Reasons:
/// - three quarters of the prices have about one factor (to a twentieth) against their last prices, 1.85 or more, or against
///   other sellers' prices, 3 or more; or the inverse of these;
/// - most are in a currency in which nobody else sells, and their median is 2.2 times what others ask in other currencies, or
///   the inverse, or beyond;
/// - of models that nobody else hosts, the median is 5 times the rough price of their size, or a fifth, or beyond;
/// - the median of new machines is too far from what others, or the same seller, ask for such machines.
[[nodiscard]] std::string common_factor(const ComparedPrices& compared);

} // namespace costcurve::ingest
