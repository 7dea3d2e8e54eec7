// Any text as a cron expression: it is refused with a sentence, or its ticks ascend, end, and none that matches is left out.
//
// The first byte chooses the time zone, the next four the moment to start from.
#include <algorithm>
#include <array>

#include <cctz/civil_time.h>
#include <cctz/time_zone.h>

#include "server/documents/cron.hpp"
#include "server/import/text/utf8.hpp"
#include "tests/fuzz/expect.hpp"

namespace costcurve::documents {
namespace {

using fuzz::expect;

constexpr std::size_t kHead = 5;
constexpr std::size_t kTicks = 8;
constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kLongestGap = 1500 * kMinute; // of which every minute is looked at
constexpr auto kZones = std::to_array<const char*>({"UTC", "Europe/Brussels", "America/New_York", "Australia/Lord_Howe",
                                                    "Asia/Kolkata", "America/St_Johns", "Africa/Casablanca", "Pacific/Apia"});

// The fields read by themselves, minute by minute.
bool holds(const Cron& cron, cctz::civil_minute minute) {
    const auto weekday = (static_cast<unsigned>(cctz::get_weekday(cctz::civil_day(minute))) + 1) % 7;
    const bool of_month = cron.days[static_cast<unsigned>(minute.day())];
    const bool of_week = cron.weekdays[weekday];
    return cron.months[static_cast<unsigned>(minute.month())] && (cron.either_day ? of_month || of_week : of_month && of_week) &&
           cron.hours[static_cast<unsigned>(minute.hour())] && cron.minutes[static_cast<unsigned>(minute.minute())];
}

// No whole minute between two ticks is one by the clock on the wall, unless it comes for the second time.
void check_gap(const Cron& cron, const cctz::time_zone& zone, std::int64_t after, std::int64_t tick) {
    if (tick - after > kLongestGap) {
        return;
    }
    for (std::int64_t moment = after - after % kMinute + kMinute; moment < tick; moment += kMinute) {
        const cctz::time_point<cctz::seconds> point{cctz::seconds{moment}};
        const cctz::civil_second local = cctz::convert(point, zone);
        const bool is_first = zone.lookup(local).pre == point;
        expect(!holds(cron, cctz::civil_minute(local)) || (!is_first && !cron.is_hourly()), "a tick is left out");
    }
}

void check_ticks(const Cron& cron, const char* name, std::int64_t from) {
    cctz::time_zone zone;
    expect(cctz::load_time_zone(name, &zone), "there is no such time zone");
    const std::vector<std::int64_t> all = ticks_between(cron, name, from, from + 400LL * 365 * 86400, kTicks);
    std::int64_t after = from;
    for (const std::int64_t tick : all) {
        expect(tick > after, "ticks do not ascend");
        expect(next_tick(cron, name, after) == tick, "one tick after another is not what a list has");
        expect(next_tick(cron, name, tick - 1) == tick, "a tick depends on where one starts");
        check_gap(cron, zone, after, tick);
        expect(local_time(name, tick).size() == 25, "a tick's local time is not written as RFC 3339 has it");
        after = tick;
    }
    expect(all.size() == kTicks || !next_tick(cron, name, after), "ticks end before their end");
}

} // namespace
} // namespace costcurve::documents

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { // NOLINT: libFuzzer's name
    using namespace costcurve::documents;
    const std::string_view text = costcurve::fuzz::text_of(data, size).substr(std::min(kHead, size));
    if (size <= kHead || !costcurve::imports::is_utf8(text)) { // JSON has UTF-8 only
        return 0;
    }
    const auto cron = parse_cron(text);
    if (!cron) {
        expect(!cron.error().empty(), "what is refused has no issue");
        for (const auto& issue : cron.error()) {
            expect(issue.pointer == "/cron" && !issue.message.empty() && costcurve::imports::is_utf8(issue.message),
                   "an issue is none");
        }
        return 0;
    }
    const std::int64_t from = std::int64_t{data[1]} << 24 | std::int64_t{data[2]} << 16 | std::int64_t{data[3]} << 8 | data[4];
    check_ticks(*cron, kZones[data[0] % kZones.size()], from);
    return 0;
}
