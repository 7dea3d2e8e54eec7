// Rows and their padding.
#include "model/hours/tables.hpp"

#include <algorithm>
#include <numeric>

#include "model/kernels.hpp"

namespace costcurve::model {

bool read_the_year(const std::vector<HourlyCurve>& curves) {
    return std::any_of(curves.begin(), curves.end(),
                       [](const HourlyCurve& c) { return c.axis == Axis::hour_of_year || c.is_window(); });
}

std::size_t padded(std::size_t hours) { return (hours + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes; }

std::size_t add_weights(HourTable& table, std::size_t distinct, double weight) {
    const std::size_t at = table.weights.size();
    table.weights.resize(at + padded(distinct), 0.0);
    std::fill_n(table.weights.begin() + static_cast<std::ptrdiff_t>(at), distinct, weight);
    table.firsts.resize(table.weights.size(), 0);
    std::iota(table.firsts.begin() + static_cast<std::ptrdiff_t>(at), table.firsts.end(), 0U);
    return at;
}

} // namespace costcurve::model
