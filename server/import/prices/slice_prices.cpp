// A slice costs what its chips cost: figures that cannot be so are found in two passes over the list.
#include "server/import/prices/slice_prices.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace costcurve::imports {

namespace {

/// Chips of one generation differ by a factor of 2 between regions, spot from on demand by 5.
constexpr double kMaxOverMedian = 100.0;

// Figures that slices of different sizes share in one place, by generation.
std::set<std::pair<std::uint32_t, double>> flat_figures(std::span<const SlicePrice> prices) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, double>, int> chips_of;
    std::set<std::pair<std::uint32_t, double>> flat;
    for (const SlicePrice& one : prices) {
        if (one.price > 0.0) {
            const auto [found, added] = chips_of.try_emplace({one.generation, one.place, one.price}, one.chips);
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
    const auto flat = flat_figures(prices);
    std::map<std::uint32_t, std::vector<double>> of_chip;
    for (std::size_t i = 0; i < prices.size(); ++i) {
        if (prices[i].price > 0.0 && flat.contains({prices[i].generation, prices[i].price})) {
            wrong[i] = "stands for slices of every size";
        } else if (prices[i].price > 0.0) {
            of_chip[prices[i].generation].push_back(prices[i].price / prices[i].chips);
        }
    }
    std::map<std::uint32_t, double> medians;
    for (auto& [generation, values] : of_chip) {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
        std::nth_element(values.begin(), middle, values.end());
        medians[generation] = *middle;
    }
    for (std::size_t i = 0; i < prices.size(); ++i) {
        const auto median = medians.find(prices[i].generation);
        if (wrong[i].empty() && median != medians.end() && prices[i].price / prices[i].chips > kMaxOverMedian * median->second) {
            wrong[i] = "is over a hundred times what a chip of its generation costs elsewhere in the file";
        }
    }
    return wrong;
}

} // namespace costcurve::imports
