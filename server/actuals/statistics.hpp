// Robust statistics that tolerate a few bad sensors: medians, outliers by median deviation, and isotonic regression.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace costcurve::actuals {

/// The value below which a share of 0 to 1 of the values lies, linear between neighbours (Hyndman & Fan, The American Statistician
/// 50, 1996, type 7). The values are not empty, in any order. O(n).
[[nodiscard]] double quantile(std::vector<double> values, double share);
[[nodiscard]] double median(std::vector<double> values);

/// True for each value whose modified z-score |0.6745 (x - median)| / MAD is above 3.5, MAD being the median of |x - median|
/// (Iglewicz & Hoaglin, How to Detect and Handle Outliers, ASQC 1993, p. 11). Where more than half of the values are equal, MAD is
/// 0 and the mean deviation takes its place: |x - median| / (1.253314 mean|x - median|). Fewer than 5 values have no outliers.
[[nodiscard]] std::vector<bool> outliers(const std::vector<double>& values);

/// The rising (never falling) sequence with the least weighted sum of squared differences from y: pool adjacent violators
/// (Barlow, Bartholomew, Bremner & Brunk, Statistical Inference under Order Restrictions, Wiley 1972, section 1.2; Best &
/// Chakravarti, Mathematical Programming 47, 1990). Weights above 0, one a value. O(n).
[[nodiscard]] std::vector<double> isotonic(std::span<const double> y, std::span<const double> weight);

} // namespace costcurve::actuals
