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

/// The same for milliseconds.
[[nodiscard]] std::string format_milliseconds(std::int64_t milliseconds);

/// Reads RFC 3339 with an offset; digits beyond microseconds are cut off. Nothing if the text isn't a valid time.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);

/// The number in "@42", which names a change in `as_of`; nothing for any other text.
[[nodiscard]] std::optional<std::int64_t> parse_sequence(std::string_view text);
[[nodiscard]] std::string format_sequence(std::int64_t sequence);

/// The meaning of an `as_of`: the number of a change, or a time in microseconds.
struct Moment {
    bool is_sequence = false;
    std::int64_t value = 0;
};
/// Parses `as_of`. Throws std::invalid_argument, the caller's error, if it is neither a number nor a time.
[[nodiscard]] Moment moment_of(std::string_view as_of);

} // namespace costcurve::storage
