// Retry schedule of failed deliveries. Pure.
#pragma once

#include <cstdint>
#include <optional>

namespace costcurve::outgoing {

/// Maximum attempts of a delivery, including the first.
inline constexpr int kMaxTries = 8;
/// Seconds before the second attempt; later pauses scale in proportion.
inline constexpr double kFirstRetry = 30.0;

/// Seconds from the try number `tries` (from 1) to the next; nothing after the last. With a first retry of 30 s the pauses are 30
/// s, 2 min, 10 min, 30 min, 2 h, 6 h and 15 h, 24 h in all; each is up to a tenth shorter or longer by `seed`, so that what failed
/// together isn't tried again together.
[[nodiscard]] std::optional<double> pause_after(int tries, std::uint64_t seed, double first_retry_s = kFirstRetry);

} // namespace costcurve::outgoing
