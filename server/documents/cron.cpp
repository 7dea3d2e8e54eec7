// Cron expressions: fields by a table, times by walking civil minutes, which cctz converts to instants.
#include "server/documents/cron.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <cctz/civil_time.h>
#include <cctz/time_zone.h>
#include <fmt/format.h>

#include "model/documents/text.hpp"

namespace costcurve::documents {

namespace {

using model::Code;

struct FieldRow {
    std::string_view name;
    unsigned low;
    unsigned high;
    std::span<const std::string_view> words; ///< for the values from `low` on
};
constexpr auto kMonths =
    std::to_array<std::string_view>({"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"});
constexpr auto kWeekdays = std::to_array<std::string_view>({"sun", "mon", "tue", "wed", "thu", "fri", "sat"});
constexpr auto kFields = std::to_array<FieldRow>({
    {"minute", 0, 59, {}},
    {"hour", 0, 23, {}},
    {"day-of-month", 1, 31, {}},
    {"month", 1, 12, kMonths},
    {"day-of-week", 0, 7, kWeekdays},
});

struct Nickname {
    std::string_view name;
    std::string_view fields;
};
constexpr auto kNicknames = std::to_array<Nickname>({
    {"@hourly", "0 * * * *"},
    {"@daily", "0 0 * * *"},
    {"@midnight", "0 0 * * *"},
    {"@weekly", "0 0 * * 0"},
    {"@monthly", "0 0 1 * *"},
    {"@yearly", "0 0 1 1 *"},
    {"@annually", "0 0 1 1 *"},
});

constexpr std::array<unsigned, 13> kLongestMonth = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
constexpr int kMaxYears = 40; // 29 February comes within 8, on a certain weekday within 40

using Values = std::bitset<64>;

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find_first_of(separators);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words = split(text, " \t");
    std::erase(words, "");
    return words;
}

std::optional<unsigned> value_of(const FieldRow& field, std::string_view text) {
    const auto word = std::find(field.words.begin(), field.words.end(), model::lower(text));
    if (word != field.words.end()) {
        return field.low + static_cast<unsigned>(word - field.words.begin());
    }
    const std::optional<unsigned> number = model::read_number<unsigned>(text);
    return number && *number >= field.low && *number <= field.high ? number : std::nullopt;
}

/// Adds the values of `a`, `a-b`, `a-b/n`, `*` or `*/n`; says what is wrong, or "".
std::string add_values(const FieldRow& field, std::string_view part, Values& values) {
    const std::size_t slash = part.find('/');
    const std::string_view range = part.substr(0, slash);
    const std::size_t dash = range.find('-');
    const bool is_one = range != "*" && dash == std::string_view::npos;
    const auto low = range == "*" ? field.low : value_of(field, range.substr(0, dash));
    const auto high = range == "*" ? field.high : is_one ? low : value_of(field, range.substr(dash + 1));
    if (!low || !high) {
        const std::string names = field.words.empty() ? "" : fmt::format(", or {} to {}", field.words.front(), field.words.back());
        return fmt::format("{} is '{}'; allowed {} to {}{}, *, a range such as {}-{}, a list with commas", field.name, part,
                           field.low, field.high, names, field.low, field.low + 2);
    }
    if (*low > *high) {
        return fmt::format("{} is '{}'; a range goes up: give two with a comma", field.name, part);
    }
    unsigned step = 1;
    if (slash != std::string_view::npos) {
        step = model::read_number<unsigned>(part.substr(slash + 1)).value_or(0);
        if (is_one || step < 1 || step > field.high) {
            return fmt::format("{} is '{}'; a step is 1 to {}, after * or a range: */{}", field.name, part, field.high,
                               field.low + 2);
        }
    }
    for (unsigned value = *low; value <= *high; value += step) {
        values.set(value);
    }
    return "";
}

template <std::size_t N> std::bitset<N> narrowed(const Values& values) { return std::bitset<N>(values.to_ullong()); }

bool has_a_day(const Cron& cron) {
    for (unsigned month = 1; month < kLongestMonth.size(); ++month) {
        for (unsigned day = 1; cron.months[month] && day <= kLongestMonth.at(month); ++day) {
            if (cron.days[day]) {
                return true;
            }
        }
    }
    return false;
}

bool matches(const Cron& cron, cctz::civil_day day) {
    const auto monday_first = static_cast<unsigned>(cctz::get_weekday(day)); // cctz counts from monday
    const bool weekday = cron.weekdays[(monday_first + 1) % 7];
    const bool of_month = cron.days[static_cast<unsigned>(day.day())];
    return cron.either_day ? weekday || of_month : weekday && of_month;
}

// The first minute at or after `minute` that matches all fields.
std::optional<cctz::civil_minute> next_match(const Cron& cron, cctz::civil_minute minute) {
    const cctz::year_t last = minute.year() + kMaxYears;
    while (minute.year() <= last) {
        if (!cron.months[static_cast<unsigned>(minute.month())]) {
            minute = cctz::civil_minute(cctz::civil_month(minute) + 1);
        } else if (!matches(cron, cctz::civil_day(minute))) {
            minute = cctz::civil_minute(cctz::civil_day(minute) + 1);
        } else if (!cron.hours[static_cast<unsigned>(minute.hour())]) {
            minute = cctz::civil_minute(cctz::civil_hour(minute) + 1);
        } else if (!cron.minutes[static_cast<unsigned>(minute.minute())]) {
            ++minute;
        } else {
            return minute;
        }
    }
    return std::nullopt;
}

using Instant = cctz::time_point<cctz::seconds>;

// Next tick by elapsed time: between two clock changes, local time is unambiguous.
std::optional<Instant> next_that_passes(const Cron& cron, const cctz::time_zone& zone, Instant after) {
    Instant from = after + cctz::seconds(1);
    while (true) {
        const cctz::civil_second local = cctz::convert(from, zone);
        const cctz::civil_minute first = cctz::civil_minute(local) + (local.second() > 0 ? 1 : 0);
        const auto match = next_match(cron, first);
        if (!match) {
            return std::nullopt;
        }
        const Instant tick = from + cctz::seconds(cctz::civil_second(*match) - local);
        cctz::time_zone::civil_transition change;
        if (!zone.next_transition(from, &change)) {
            return tick;
        }
        const Instant changed = zone.lookup(change.to).trans;
        if (tick < changed) {
            return tick;
        }
        from = changed;
    }
}

// Next tick by local time: a skipped time becomes the moment of the change; of a repeated time the first counts.
std::optional<Instant> next_on_the_wall(const Cron& cron, const cctz::time_zone& zone, Instant after) {
    cctz::civil_minute minute(cctz::convert(after, zone));
    while (const auto match = next_match(cron, minute)) {
        const auto found = zone.lookup(cctz::civil_second(*match));
        const Instant tick = found.kind == cctz::time_zone::civil_lookup::SKIPPED ? found.trans : found.pre;
        if (tick > after) {
            return tick;
        }
        minute = *match + 1;
    }
    return std::nullopt;
}

cctz::time_zone zone_of(const std::string& name) {
    cctz::time_zone zone;
    cctz::load_time_zone(name, &zone);
    return zone;
}

std::optional<Instant> next_tick(const Cron& cron, const cctz::time_zone& zone, Instant after) {
    return cron.is_hourly() ? next_that_passes(cron, zone, after) : next_on_the_wall(cron, zone, after);
}

Instant instant(std::int64_t unix_seconds) { return Instant{cctz::seconds{unix_seconds}}; }

} // namespace

model::Result<Cron> parse_cron(std::string_view text, const std::string& pointer) {
    const auto nickname = std::find_if(kNicknames.begin(), kNicknames.end(),
                                       [name = model::lower(text)](const Nickname& row) { return row.name == name; });
    const std::vector<std::string_view> words = words_of(nickname == kNicknames.end() ? text : nickname->fields);
    if (words.size() != kFields.size()) {
        return tl::unexpected(model::Failure{
            {pointer, Code::bad_format,
             fmt::format(
                 "cron has {} fields; give five: minute hour day-of-month month day-of-week, such as '0 2 * * *', or @hourly, "
                 "@daily, @weekly, @monthly, @yearly",
                 words.size())}});
    }
    std::array<Values, kFields.size()> values;
    model::Failure issues;
    for (std::size_t i = 0; i < kFields.size(); ++i) {
        for (const std::string_view part : split(words[i], ",")) {
            if (std::string wrong = add_values(kFields.at(i), part, values.at(i)); !wrong.empty()) {
                issues.push_back({pointer, Code::bad_format, std::move(wrong)});
            }
        }
    }
    constexpr std::size_t kSunday = 7;
    Values& weekdays = values.back();
    weekdays[0] = weekdays[0] || weekdays[kSunday];
    weekdays.reset(kSunday);
    Cron cron{narrowed<60>(values[0]), narrowed<24>(values[1]), narrowed<32>(values[2]),
              narrowed<13>(values[3]), narrowed<7>(weekdays),   !words[2].starts_with('*') && !words[4].starts_with('*')};
    if (issues.empty() && !cron.either_day && !has_a_day(cron)) {
        issues.push_back({pointer, Code::inconsistent,
                          fmt::format("day-of-month is '{}' and month is '{}'; no such month has such a day", words[2], words[3])});
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return cron;
}

std::optional<std::int64_t> next_tick(const Cron& cron, const std::string& zone, std::int64_t after) {
    const std::optional<Instant> tick = next_tick(cron, zone_of(zone), instant(after));
    return tick ? std::optional<std::int64_t>(tick->time_since_epoch().count()) : std::nullopt;
}

std::vector<std::int64_t> ticks_between(const Cron& cron, const std::string& zone, std::int64_t after, std::int64_t until,
                                        std::size_t most) {
    const cctz::time_zone loaded = zone_of(zone);
    std::vector<std::int64_t> ticks;
    auto tick = next_tick(cron, loaded, instant(after));
    while (tick && *tick <= instant(until) && ticks.size() < most) {
        ticks.push_back(tick->time_since_epoch().count());
        tick = next_tick(cron, loaded, *tick);
    }
    return ticks;
}

std::string local_time(const std::string& zone, std::int64_t unix_seconds) {
    return cctz::format("%Y-%m-%dT%H:%M:%S%Ez", instant(unix_seconds), zone_of(zone));
}

} // namespace costcurve::documents
