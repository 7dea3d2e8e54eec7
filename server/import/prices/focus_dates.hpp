// The days of FOCUS charges: ISO 8601 as the specification asks for, and dates with slashes where the row itself says which number
// is the month.
#pragma once

#include <optional>
#include <string_view>

namespace costcurve::imports {

/// Days since 1970-01-01 of ChargePeriodStart. "4/1/25" is read by its billing period, which begins and ends on the first of a
/// month: 4/1/25 to 5/1/25 is April 2025. Nothing where both readings, or none, make such a period of it, and no number is
/// above 12.
[[nodiscard]] std::optional<double> charge_day(std::string_view charge_start, std::string_view period_start,
                                               std::string_view period_end);

} // namespace costcurve::imports
