// Real calendars: whole local months of a horizon, their hours, and the hours that read the same values
// (model.md, section 2). Reads the system's time zone data through cctz and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents.hpp"

namespace costcurve::model {

/// Days since 1970-01-01 of a civil date. Any year of the proleptic Gregorian calendar.
[[nodiscard]] double days_since_epoch(int year, int month, int day);

/// True where `text` is `YYYY-MM-DD` and that day exists; `days` is then its day since 1970-01-01.
[[nodiscard]] bool parse_date(std::string_view text, double& days);

/// `YYYY-MM-DD` of a day since 1970-01-01.
[[nodiscard]] std::string date_text(double days);

/// `months` after `start`.
[[nodiscard]] YearMonth add_months(YearMonth start, int months);

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

/// A periodic curve, sampled at its whole hours, and the zone in which it is read.
struct HourlyCurve {
    Axis axis = Axis::hour_of_week;
    std::vector<double> values; ///< 24, 168 or 8760
    std::string time_zone;
};

/// Months that read the same set of different hours. `values[s * size + h]` is what curve s reads in hour h.
struct HourSet {
    std::size_t size = 0; ///< padded to whole lanes of the kernels; hours past `distinct` repeat the last and weigh nothing
    std::size_t distinct = 0;
    std::vector<double> values;
};

struct MonthHours {
    std::size_t set = 0;         ///< which HourSet
    std::vector<double> weights; ///< hours of the month that each hour of the set stands for; size of the set
    double total = 0.0;          ///< hours in the month
};

struct HourTable {
    std::vector<HourSet> sets;
    std::vector<MonthHours> months;
    std::size_t largest = 0; ///< size of the largest set
};

/// Groups the hours of every month by the values the curves read in them. Exact: an hour of the table is `weight`
/// real hours that no curve can tell apart. A curve over the hour of the year makes every hour its own.
/// Cost: O(months x 168 + transitions) without an hour-of-year curve, O(hours x curves) with one.
[[nodiscard]] HourTable group_hours(YearMonth start, int months, const std::string& zone, const std::vector<HourlyCurve>& curves);

} // namespace costcurve::model
