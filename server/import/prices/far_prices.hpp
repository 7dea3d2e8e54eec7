// What is no price because others sell the same for a tenth of it, or for ten times as much.
#pragma once

#include <vector>

namespace costcurve::imports {

/// Prices of one device-hour, paid the same way, differ by a factor of 2 between regions on demand, and of 5 as spot.
inline constexpr double kFarFactor = 10.0;

enum class FarPrice { no, above, below };
/// Where a price is more than ten times the median of others, or less than a tenth of it. A median of 0 or below tells nothing.
[[nodiscard]] constexpr FarPrice far_from(double price, double median) {
    return median <= 0.0                 ? FarPrice::no
           : price > kFarFactor * median ? FarPrice::above
           : price * kFarFactor < median ? FarPrice::below
                                         : FarPrice::no;
}

/// The lower of the two in the middle; the values are not empty.
[[nodiscard]] double lower_median(std::vector<double>& values);

} // namespace costcurve::imports
