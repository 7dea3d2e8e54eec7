// Dates of FOCUS bills. A date such as 4/1/25 is read by the row's billing period, never by the bill's origin.
#include "server/import/prices/focus_dates.hpp"

#include <array>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr int kMonths = 12;

// Three numbers between slashes; a year of two digits is of this century.
std::optional<std::array<int, 3>> slashed(std::string_view text) {
    constexpr int kCentury = 2000;
    constexpr int kTwoDigits = 100;
    text = text.substr(0, text.find(' '));
    std::array<int, 3> parts{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parts[i]);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        const bool is_followed = i + 1 < parts.size() ? text.starts_with('/') : text.empty();
        if (error != std::errc() || parts[i] < 1 || !is_followed) {
            return std::nullopt;
        }
        text.remove_prefix(i + 1 < parts.size() ? 1 : 0);
    }
    if (parts[0] > 31 || parts[1] > 31 || parts[2] > 9999 || (parts[2] >= kTwoDigits && parts[2] < kCentury)) {
        return std::nullopt; // a year that comes first is no moment of these
    }
    parts[2] += parts[2] < kTwoDigits ? kCentury : 0;
    return parts;
}

std::optional<double> day_of_parts(int year, int month, int day) {
    double days = 0.0;
    const std::string text = fmt::format("{:04}-{:02}-{:02}", year, month, day);
    return model::parse_date(text, days) ? std::optional(days) : std::nullopt;
}

} // namespace

std::optional<double> charge_day(std::string_view charge_start, std::string_view period_start, std::string_view period_end) {
    if (const auto moment = parse_moment(charge_start)) {
        return day_of(*moment);
    }
    const auto charge = slashed(charge_start);
    if (!charge) {
        return std::nullopt;
    }
    const auto& [first, second, year] = *charge;
    const auto begin = slashed(period_start);
    const auto end = slashed(period_end);
    // Of a period whose days are the first of a month under a reading: the other number of each is the day.
    const bool by_month_first = begin && end && (*begin)[1] == 1 && (*end)[1] == 1;
    const bool by_day_first = begin && end && (*begin)[0] == 1 && (*end)[0] == 1;
    if (first > kMonths || (second <= kMonths && by_day_first && !by_month_first)) {
        return day_of_parts(year, second, first);
    }
    if (second > kMonths || first == second || (by_month_first && !by_day_first)) {
        return day_of_parts(year, first, second);
    }
    return std::nullopt;
}

} // namespace costcurve::imports
