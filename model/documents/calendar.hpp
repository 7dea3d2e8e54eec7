// Real calendars: days, whole local months of a horizon, and time zones (model.md, section 2). Reads the system's time zone data
// through cctz and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

inline constexpr std::int64_t kHour = 3600; ///< s

/// Days since 1970-01-01 of a civil date. Any year of the proleptic Gregorian calendar.
[[nodiscard]] double days_since_epoch(int year, int month, int day);

/// True where `text` is `YYYY-MM-DD` and that day exists; `days` is then its day since 1970-01-01.
[[nodiscard]] bool parse_date(std::string_view text, double& days);

/// `YYYY-MM-DD` of a day since 1970-01-01.
[[nodiscard]] std::string date_text(double days);

/// `months` after `start`.
[[nodiscard]] YearMonth add_months(YearMonth start, int months);

/// Days of a month.
[[nodiscard]] int days_in(YearMonth month);

/// `YYYY-MM`.
[[nodiscard]] std::string to_text(YearMonth month);

/// True where the system knows the IANA zone. Fixed offsets and file names are no zones.
[[nodiscard]] bool is_time_zone(const std::string& name);

/// Unix seconds of the first instant of each of `months` + 1 local months from `start`. A midnight that a
/// daylight-saving shift skips is the first instant after it; one that comes twice is the first.
[[nodiscard]] std::vector<std::int64_t> month_starts(YearMonth start, int months, const std::string& zone);

/// The number of hours that start in a month: from its first instant, one after the other, while they start
/// before the next month's.
[[nodiscard]] std::int64_t hours_between(std::int64_t start, std::int64_t next);

/// A zone's offset from UTC at an instant, in seconds, and the first instant at which it may differ.
struct ZoneOffset {
    std::int64_t seconds = 0;
    std::int64_t until = 0;
};
[[nodiscard]] ZoneOffset offset_at(const std::string& zone, std::int64_t unix_seconds);

} // namespace costcurve::model
