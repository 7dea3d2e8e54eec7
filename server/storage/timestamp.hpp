// Moments as microseconds since 1970 and as RFC 3339 text. No time zones but offsets, no calendars but the Gregorian.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace costcurve::storage {

inline constexpr std::int64_t kMicrosecondsPerHour = 3'600'000'000;
inline constexpr std::int64_t kMicrosecondsPerDay = 24 * kMicrosecondsPerHour;

/// The system's clock, in microseconds since 1970-01-01T00:00:00Z.
[[nodiscard]] std::int64_t system_microseconds();

/// "2026-11-21T10:15:00.000001Z": always 27 characters for years 0 to 9999, so that text sorts as time.
[[nodiscard]] std::string format_time(std::int64_t microseconds);

/// The same of milliseconds.
[[nodiscard]] std::string format_milliseconds(std::int64_t milliseconds);

/// Reads RFC 3339 with an offset; digits behind the microsecond are cut off. Nothing where the text isn't a moment.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);

/// The number of "@42", as `as_of` may name a change; nothing of anything else.
[[nodiscard]] std::optional<std::int64_t> parse_sequence(std::string_view text);
[[nodiscard]] std::string format_sequence(std::int64_t sequence);

/// What `as_of` names: a change by its number, or a time in microseconds.
struct Moment {
    bool is_sequence = false;
    std::int64_t value = 0;
};
/// Throws std::invalid_argument, a fault of the caller, unless it is one of both.
[[nodiscard]] Moment moment_of(std::string_view as_of);

} // namespace costcurve::storage
