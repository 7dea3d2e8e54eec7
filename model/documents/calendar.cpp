// Days, local months and zones through cctz, right after 2037 too (docs/decisions/0001).
#include "model/documents/calendar.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include <cctz/civil_time.h>
#include <cctz/time_zone.h>

namespace costcurve::model {

namespace {

using Instant = cctz::time_point<cctz::seconds>;
Instant instant(std::int64_t unix_seconds) { return Instant{cctz::seconds{unix_seconds}}; }

cctz::time_zone zone_of(const std::string& name) {
    cctz::time_zone zone;
    cctz::load_time_zone(name, &zone);
    return zone;
}

} // namespace

double days_since_epoch(int year, int month, int day) {
    const std::chrono::year_month_day ymd{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                          std::chrono::day{static_cast<unsigned>(day)}};
    return static_cast<double>(std::chrono::sys_days{ymd}.time_since_epoch().count());
}

bool parse_date(std::string_view text, double& days) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
        return false;
    }
    const auto number = [&](std::size_t at, std::size_t length, int& value) {
        const char* const end = text.data() + at + length;
        return std::from_chars(text.data() + at, end, value).ptr == end && value > 0;
    };
    int year = 0;
    int month = 0;
    int day = 0;
    if (!number(0, 4, year) || !number(5, 2, month) || !number(8, 2, day)) {
        return false;
    }
    const std::chrono::year_month_day ymd{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                          std::chrono::day{static_cast<unsigned>(day)}};
    if (!ymd.ok()) {
        return false;
    }
    days = static_cast<double>(std::chrono::sys_days{ymd}.time_since_epoch().count());
    return true;
}

std::string date_text(double days) {
    const std::chrono::year_month_day ymd{std::chrono::sys_days{std::chrono::days{static_cast<int>(days)}}};
    const auto day = static_cast<unsigned>(ymd.day());
    const YearMonth month{static_cast<int>(ymd.year()), static_cast<int>(static_cast<unsigned>(ymd.month()))};
    return to_text(month) + (day < 10 ? "-0" : "-") + std::to_string(day);
}

YearMonth add_months(YearMonth start, int months) {
    const int index = start.year * 12 + start.month - 1 + months;
    return {index / 12, index % 12 + 1};
}

int days_in(YearMonth month) {
    const YearMonth next = add_months(month, 1);
    return static_cast<int>(days_since_epoch(next.year, next.month, 1) - days_since_epoch(month.year, month.month, 1));
}

std::string to_text(YearMonth month) {
    std::string text = std::to_string(month.year);
    text.insert(0, 4 - std::min<std::size_t>(4, text.size()), '0');
    return text + (month.month < 10 ? "-0" : "-") + std::to_string(month.month);
}

bool is_time_zone(const std::string& name) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '_' || c == '-' ||
               c == '+';
    };
    // Files beside the zones: the machine's own, and copies of the whole data.
    const bool no_zone = name == "localtime" || name == "posixrules" || name.starts_with("posix/") || name.starts_with("right/");
    if (no_zone || name.empty() || name.size() > 64 || name.front() == '/' || name.find("//") != std::string::npos) {
        return false;
    }
    if (!std::all_of(name.begin(), name.end(), allowed)) {
        return false;
    }
    cctz::time_zone zone;
    return cctz::load_time_zone(name, &zone);
}

std::vector<std::int64_t> month_starts(YearMonth start, int months, const std::string& zone) {
    const cctz::time_zone tz = zone_of(zone);
    std::vector<std::int64_t> starts;
    for (int m = 0; m <= months; ++m) {
        const YearMonth month = add_months(start, m);
        const auto found = tz.lookup(cctz::civil_second(month.year, month.month, 1));
        const bool skipped = found.kind == cctz::time_zone::civil_lookup::SKIPPED;
        starts.push_back((skipped ? found.trans : found.pre).time_since_epoch().count());
    }
    return starts;
}

std::int64_t hours_between(std::int64_t start, std::int64_t next) { return (next - start + kHour - 1) / kHour; }

ZoneOffset offset_at(const std::string& zone, std::int64_t unix_seconds) {
    const cctz::time_zone tz = zone_of(zone);
    cctz::time_zone::civil_transition transition;
    const bool ends = tz.next_transition(instant(unix_seconds), &transition);
    return {tz.lookup(instant(unix_seconds)).offset, ends ? tz.lookup(transition.to).trans.time_since_epoch().count() : INT64_MAX};
}

} // namespace costcurve::model
