// A server's share of its maximum rate: by token counters, rate, or concurrent requests. Devices' busy time is no substitute: it is
// nearly full at a few percent of the rate.
#pragma once

#include "server/actuals/calibrate.hpp"

namespace costcurve::actuals {

/// Maximum of a server: one of both, above 0.
struct FullLoad {
    std::optional<double> units_per_s; ///< of tokens input and output together, as counters have them
    std::optional<double> batch;       ///< requests at a time

    [[nodiscard]] bool is_stated() const { return units_per_s || batch; }
};

/// Largest share that is still cut to 1: rates may slightly exceed the maximum.
inline constexpr double kLargestShare = 1.1;

/// Units/s from counters of tokens, input and output added, at the middle between readings. A counter that falls has counted from
/// 0; readings further apart than ten minutes have no rate. Empty where one of the two was never read.
[[nodiscard]] std::vector<Reading> counted_rates(const SourceReadings& readings);

/// Units/s as reported, otherwise from counters.
[[nodiscard]] std::vector<Reading> rates_of(const SourceReadings& readings);

/// Share of the maximum rate or batch, 0 to 1. A share above kLargestShare is unchanged, and fits reject it. Returns the value
/// itself if no maximum is stated.
[[nodiscard]] double share_of(double value, const FullLoad& full);
[[nodiscard]] std::vector<Reading> throughput_shares(const SourceReadings& readings, const FullLoad& full);

} // namespace costcurve::actuals
