// The number and the time of the next change.
#pragma once

#include <cstdint>

namespace costcurve::storage {

/// Largest lag of the clock behind the last change that counts as jitter. The change is then dated a microsecond after the last; a
/// larger lag means that the clock was set back.
inline constexpr std::int64_t kClockJitter = 1'000'000; // microseconds

/// A stored time further ahead of the clock than this was written under a wrong clock.
inline constexpr std::int64_t kMaxClockAhead = 60'000'000; // microseconds

/// Position of a change in history. Sequence numbers ascend whatever the clock does. An era is a period in which the clock was not
/// set back: within an era, times ascend with sequence numbers.
struct ChangeNumber {
    std::int64_t sequence = 0; ///< from 1; 0 means no change
    std::int64_t era = 0;
    std::int64_t recorded_at = 0; ///< microseconds since 1970
    friend bool operator==(const ChangeNumber&, const ChangeNumber&) = default;
};

/// The number of the change after `last`, at the clock's time `now`. Two writers must never compute it from the same `last`.
[[nodiscard]] constexpr ChangeNumber next_change(const ChangeNumber& last, std::int64_t now) {
    const std::int64_t behind = last.recorded_at - now;
    if (last.sequence == 0 || behind < 0) {
        return {last.sequence + 1, last.era, now};
    }
    return behind <= kClockJitter ? ChangeNumber{last.sequence + 1, last.era, last.recorded_at + 1}
                                  : ChangeNumber{last.sequence + 1, last.era + 1, now};
}

} // namespace costcurve::storage
