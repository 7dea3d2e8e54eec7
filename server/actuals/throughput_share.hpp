// How much of its largest rate a server does: by its counters of tokens or its rate, or by its requests at a time. Devices report
// the time in which they are busy, which is nearly all of it at a few percent of the rate.
#pragma once

#include "server/actuals/calibrate.hpp"

namespace costcurve::actuals {

/// What a server does at most: one of the two, above 0.
struct FullLoad {
    std::optional<double> units_per_s; ///< of tokens input and output together, as counters have them
    std::optional<double> batch;       ///< requests at a time

    [[nodiscard]] bool is_stated() const { return units_per_s || batch; }
};

/// Shares above 1 by less than this are 1: rates come a little above the largest.
inline constexpr double kLargestShare = 1.1;

/// Units/s from counters of tokens, input and output added, at the middle between readings. A counter that falls has counted from
/// 0; readings further apart than ten minutes have no rate. Empty where one of the two was never read.
[[nodiscard]] std::vector<Reading> counted_rates(const SourceReadings& readings);

/// Units/s as they were reported, else as counted.
[[nodiscard]] std::vector<Reading> rates_of(const SourceReadings& readings);

/// The share of the largest rate or batch, 0 to 1; one above kLargestShare stays as it is, and no fit takes it. The value
/// itself where neither is stated.
[[nodiscard]] double share_of(double value, const FullLoad& full);
[[nodiscard]] std::vector<Reading> throughput_shares(const SourceReadings& readings, const FullLoad& full);

} // namespace costcurve::actuals
