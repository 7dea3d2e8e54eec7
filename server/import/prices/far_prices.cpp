// Prices far from their median, in a list and in the store.
#include "server/import/prices/far_prices.hpp"

#include <algorithm>

namespace costcurve::imports {

double lower_median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace costcurve::imports
