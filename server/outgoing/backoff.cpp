// Pauses between attempts of a delivery, by a table.
#include "server/outgoing/backoff.hpp"

#include <array>

namespace costcurve::outgoing {

namespace {

constexpr std::array<double, kMaxTries - 1> kMultiples = {1, 4, 20, 60, 240, 720, 1800};
constexpr double kJitter = 0.1;

// SplitMix64 (Steele, Lea & Flood 2014): every seed gives bits of its own.
std::uint64_t mixed(std::uint64_t seed) {
    seed += 0x9e3779b97f4a7c15U;
    seed = (seed ^ (seed >> 30U)) * 0xbf58476d1ce4e5b9U;
    seed = (seed ^ (seed >> 27U)) * 0x94d049bb133111ebU;
    return seed ^ (seed >> 31U);
}

} // namespace

std::optional<double> pause_after(int tries, std::uint64_t seed, double first_retry_s) {
    if (tries < 1 || tries >= kMaxTries) {
        return std::nullopt;
    }
    constexpr double kTwoTo53 = 9007199254740992.0;
    const auto bits = mixed(seed * kMaxTries + static_cast<std::uint64_t>(tries)) >> 11U;
    const double from_minus_one_to_one = 2.0 * (static_cast<double>(bits) / kTwoTo53) - 1.0;
    return first_retry_s * kMultiples.at(static_cast<std::size_t>(tries) - 1) * (1.0 + kJitter * from_minus_one_to_one);
}

} // namespace costcurve::outgoing
