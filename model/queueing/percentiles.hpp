// Latencies of one percentile of the requests at another.
#pragma once

namespace costcurve::model {

/// The percentile that one of all requests, 100, is taken as: no distribution says what none of them passes.
inline constexpr double kMaxPercentile = 99.99;
/// What a latency of one percentile is multiplied by for another; 0: the mean. The longest of all, 100, stays as it is: no request
/// takes longer, and of how many it was is not known.
[[nodiscard]] double percentile_ratio(double spread, double from, double to);

} // namespace costcurve::model
