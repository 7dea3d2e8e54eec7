// Civil dates by std::chrono, zones by the calendar.
#include "model/hours/zone_clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace costcurve::model {

namespace {

constexpr std::int64_t kDay = 86400;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Hours since Monday 1969-12-29 00:00 local; modulo 168 it is the hour of the week.
std::int64_t week_clock(std::int64_t local_seconds) { return floor_div(local_seconds, kHour) + 72; }

} // namespace

int hour_of_week(std::int64_t local_seconds) {
    const std::int64_t clock = week_clock(local_seconds);
    return static_cast<int>(clock - kWeek * floor_div(clock, kWeek));
}

int hour_of_year(std::int64_t local_seconds) {
    const std::int64_t day = floor_div(local_seconds, kDay);
    const std::chrono::sys_days date{std::chrono::days{day}};
    const std::chrono::year_month_day ymd{date};
    static constexpr std::array<int, 12> kDaysBefore = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    const unsigned month = static_cast<unsigned>(ymd.month());
    const unsigned day_of_month = month == 2 ? std::min(static_cast<unsigned>(ymd.day()), 28U) : static_cast<unsigned>(ymd.day());
    const int day_of_year = kDaysBefore[month - 1] + static_cast<int>(day_of_month) - 1;
    return day_of_year * 24 + static_cast<int>((local_seconds - day * kDay) / kHour);
}

std::int64_t hours_to_leap_day(std::int64_t local_seconds) {
    const std::chrono::year_month_day today{std::chrono::sys_days{std::chrono::days{floor_div(local_seconds, kDay)}}};
    const std::chrono::year_month_day leap_day{today.year(), std::chrono::February, std::chrono::day{29}};
    if (!leap_day.ok() || today >= leap_day) {
        return INT64_MAX;
    }
    return hours_between(local_seconds, std::chrono::sys_days{leap_day}.time_since_epoch().count() * kDay);
}

Zones distinct_zones(const std::vector<HourlyCurve>& curves) {
    Zones zones;
    std::vector<std::string> names;
    for (const HourlyCurve& curve : curves) {
        const auto found = std::find(names.begin(), names.end(), curve.time_zone);
        zones.of_curve.push_back(static_cast<std::size_t>(found - names.begin()));
        if (found == names.end()) {
            names.push_back(curve.time_zone);
            zones.clocks.emplace_back(curve.time_zone);
        }
    }
    return zones;
}

} // namespace costcurve::model
