// Prices of TPU slices, which are sums over chips: wrong ones are found in two passes over the list.
#include "server/import/prices/slice_prices.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "server/import/prices/far_prices.hpp"

namespace costcurve::imports {

namespace {

using Figure = std::pair<std::uint32_t, double>; // of a generation

// Figures that slices of different sizes share in one place, by generation.
std::set<Figure> flat_figures(std::span<const SlicePrice> prices) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool, double>, int> chips_of;
    std::set<Figure> flat;
    for (const SlicePrice& one : prices) {
        if (one.price > 0.0) {
            const auto [found, added] = chips_of.try_emplace({one.generation, one.place, one.is_spot, one.price}, one.chips);
            if (!added && found->second != one.chips) {
                flat.insert({one.generation, one.price});
            }
        }
    }
    return flat;
}

} // namespace

std::vector<std::string_view> find_placeholders(std::span<const SlicePrice> prices) {
    std::vector<std::string_view> wrong(prices.size());
    const std::set<Figure> flat = flat_figures(prices);
    std::map<std::pair<std::uint32_t, bool>, std::vector<double>> of_chip;
    for (std::size_t i = 0; i < prices.size(); ++i) {
        if (prices[i].price > 0.0 && flat.contains({prices[i].generation, prices[i].price})) {
            wrong[i] = "stands for slices of every size";
        } else if (prices[i].price > 0.0) {
            of_chip[{prices[i].generation, prices[i].is_spot}].push_back(prices[i].price / prices[i].chips);
        }
    }
    std::map<std::pair<std::uint32_t, bool>, double> medians;
    for (auto& [key, values] : of_chip) {
        medians[key] = lower_median(values);
    }
    std::map<Figure, FarPrice> far_off;
    for (const SlicePrice& one : prices) {
        const auto median = medians.find({one.generation, one.is_spot});
        const FarPrice far =
            median == medians.end() || one.price <= 0.0 ? FarPrice::no : far_from(one.price / one.chips, median->second);
        if (far != FarPrice::no) {
            far_off.insert_or_assign({one.generation, one.price}, far);
        }
    }
    for (std::size_t i = 0; i < prices.size(); ++i) {
        const auto far = far_off.find({prices[i].generation, prices[i].price});
        if (wrong[i].empty() && far != far_off.end()) {
            wrong[i] = far->second == FarPrice::above
                           ? "is over ten times what a chip of its generation costs elsewhere in the file"
                           : "is below a tenth of what a chip of its generation costs elsewhere in the file";
        }
    }
    return wrong;
}

} // namespace costcurve::imports
