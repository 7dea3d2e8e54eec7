// Prices of TPU slices that are none: placeholders that stand in a price list where a price is missing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace costcurve::imports {

/// The price of a slice in one place. 0: it has none.
struct SlicePrice {
    std::uint32_t generation = 0; ///< which kind of chip
    std::uint32_t place = 0;
    int chips = 1;
    double price = 0.0;
    bool is_spot = false;
};

/// What is wrong with each price, "" where nothing is. A slice costs what its chips cost, so these are no prices, however they are
/// paid: one that several sizes share in one place, the same figure at other places of the generation, one that is more than ten
/// times the generation's median of a chip paid that way or less than a tenth of it, and the same figure paid the other way. O(n
/// log n).
[[nodiscard]] std::vector<std::string_view> find_placeholders(std::span<const SlicePrice> prices);

} // namespace costcurve::imports
