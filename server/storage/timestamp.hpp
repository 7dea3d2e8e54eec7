// Moments as microseconds since 1970 and as RFC 3339 text. No time zones but offsets, no calendars but the Gregorian.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace costcurve::storage {

/// The system's clock, in microseconds since 1970-01-01T00:00:00Z.
[[nodiscard]] std::int64_t system_microseconds();

/// "2026-11-21T10:15:00.000001Z": always 27 characters for years 0 to 9999, so that text sorts as time.
[[nodiscard]] std::string format_time(std::int64_t microseconds);

/// Reads RFC 3339 with an offset; digits behind the microsecond are cut off. Nothing where the text isn't a moment.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);

} // namespace costcurve::storage
