// The number and the time of the next change.
#pragma once

#include <cstdint>

namespace costcurve::storage {

/// A clock behind the last change by up to this counts as unsteady, not as set back: the change is dated a microsecond later.
inline constexpr std::int64_t kClockJitter = 1'000'000; // microseconds

/// A stored moment further ahead of the clock than this is of a clock that was wrong.
inline constexpr std::int64_t kMaxClockAhead = 60'000'000; // microseconds

/// The place of a change in history. Numbers ascend whatever the clock; an era is a time in which the clock was not set back, so
/// that within an era times ascend with numbers.
struct ChangeNumber {
    std::int64_t sequence = 0; ///< from 1; 0 is none
    std::int64_t era = 0;
    std::int64_t recorded_at = 0; ///< microseconds since 1970
    friend bool operator==(const ChangeNumber&, const ChangeNumber&) = default;
};

/// The one after `last` at a time by the clock. No two writers may compute it from the same `last`.
[[nodiscard]] constexpr ChangeNumber next_change(const ChangeNumber& last, std::int64_t now) {
    const std::int64_t behind = last.recorded_at - now;
    if (last.sequence == 0 || behind < 0) {
        return {last.sequence + 1, last.era, now};
    }
    return behind <= kClockJitter ? ChangeNumber{last.sequence + 1, last.era, last.recorded_at + 1}
                                  : ChangeNumber{last.sequence + 1, last.era + 1, now};
}

} // namespace costcurve::storage
