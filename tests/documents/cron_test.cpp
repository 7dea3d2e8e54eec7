// Cron expressions: what is read and what is refused; ticks where clocks change, worked by hand from the zones' rules.
#include "server/documents/cron.hpp"

#include <gtest/gtest.h>

#include "server/storage/timestamp.hpp"

namespace costcurve::documents {
namespace {

using Texts = std::vector<std::string>;

std::int64_t seconds(const std::string& text) { return storage::parse_time(text).value() / 1000000; }

Texts next_ticks(const std::string& cron, const std::string& zone, const std::string& after, std::size_t count) {
    constexpr std::int64_t kCentury = 36525LL * 24 * 3600;
    const model::Result<Cron> parsed = parse_cron(cron);
    Texts found;
    if (!parsed) {
        return {parsed.error().front().message};
    }
    for (const std::int64_t tick : ticks_between(*parsed, zone, seconds(after), seconds(after) + kCentury, count)) {
        found.push_back(local_time(zone, tick));
    }
    return found;
}

struct TickRow {
    const char* why;
    const char* cron;
    const char* zone;
    const char* after;
    Texts ticks;
};

// In 2026 clocks go forward: Berlin 29 March 02:00 to 03:00, New York 8 March 02:00 to 03:00, Lord Howe 4 October 02:00 to 02:30,
// Cairo 24 April 00:00 to 01:00; and back: Berlin 25 October 03:00 to 02:00, New York 1 November 02:00 to 01:00, Lord Howe 5 April
// 02:00 to 01:30. Apia had no 30 December 2011. (tz database 2024a)
const TickRow kTickRows[] = {
    {"plain", "30 9 * * *", "UTC", "2026-11-21T09:29:59Z", {"2026-11-21T09:30:00+00:00", "2026-11-22T09:30:00+00:00"}},
    {"a tick is after, not at", "30 9 * * *", "UTC", "2026-11-21T09:30:00Z", {"2026-11-22T09:30:00+00:00"}},
    {"seconds are passed over", "* * * * *", "UTC", "2026-11-21T09:30:01Z", {"2026-11-21T09:31:00+00:00"}},
    {"the end of the year", "0 0 1 1 *", "UTC", "2026-12-31T23:59:59Z", {"2027-01-01T00:00:00+00:00"}},
    {"the minute before it",
     "59 23 31 12 *",
     "UTC",
     "2026-06-01T00:00:00Z",
     {"2026-12-31T23:59:00+00:00", "2027-12-31T23:59:00+00:00"}},
    {"months that have a 31st",
     "0 0 31 * *",
     "UTC",
     "2026-01-31T00:00:00Z",
     {"2026-03-31T00:00:00+00:00", "2026-05-31T00:00:00+00:00", "2026-07-31T00:00:00+00:00"}},
    {"leap days, none in 2100",
     "0 12 29 2 *",
     "UTC",
     "2092-03-01T00:00:00Z",
     {"2096-02-29T12:00:00+00:00", "2104-02-29T12:00:00+00:00"}},
    {"either day where both are restricted",
     "0 0 13 * fri",
     "UTC",
     "2026-11-01T00:00:00Z",
     {"2026-11-06T00:00:00+00:00", "2026-11-13T00:00:00+00:00", "2026-11-20T00:00:00+00:00", "2026-11-27T00:00:00+00:00",
      "2026-12-04T00:00:00+00:00", "2026-12-11T00:00:00+00:00", "2026-12-13T00:00:00+00:00"}},
    {"both days where one begins with a star",
     "0 0 */15 * mon",
     "UTC",
     "2026-01-01T00:00:00Z",
     {"2026-02-16T00:00:00+00:00", "2026-03-16T00:00:00+00:00", "2026-06-01T00:00:00+00:00"}},
    {"sunday is 7 and 0", "0 0 * * 7", "UTC", "2026-11-21T00:00:00Z", {"2026-11-22T00:00:00+00:00", "2026-11-29T00:00:00+00:00"}},
    {"names in a range",
     "0 8 * Jan-MAR Mon-Fri",
     "UTC",
     "2026-03-30T09:00:00Z",
     {"2026-03-31T08:00:00+00:00", "2027-01-01T08:00:00+00:00"}},
    {"a range up to sunday",
     "0 0 * * 5-7",
     "UTC",
     "2026-11-19T00:00:00Z",
     {"2026-11-20T00:00:00+00:00", "2026-11-21T00:00:00+00:00", "2026-11-22T00:00:00+00:00", "2026-11-27T00:00:00+00:00"}},
    {"steps of a range",
     "0 8-18/5 * * *",
     "UTC",
     "2026-11-21T00:00:00Z",
     {"2026-11-21T08:00:00+00:00", "2026-11-21T13:00:00+00:00", "2026-11-21T18:00:00+00:00", "2026-11-22T08:00:00+00:00"}},
    {"@weekly is sunday", "@weekly", "UTC", "2026-11-21T00:00:00Z", {"2026-11-22T00:00:00+00:00"}},
    {"no whole hours of offset", "0 6 * * *", "Asia/Kathmandu", "2026-11-21T00:14:59Z", {"2026-11-21T06:00:00+05:45"}},
    {"left out: once, right after",
     "30 2 * * *",
     "Europe/Berlin",
     "2026-03-28T12:00:00Z",
     {"2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"}},
    {"left out several times: once",
     "*/15 2 * * *",
     "Europe/Berlin",
     "2026-03-28T12:00:00Z",
     {"2026-03-29T03:00:00+02:00", "2026-03-30T02:00:00+02:00"}},
    {"left out, and one at the change: once",
     "0 2,3 * * *",
     "Europe/Berlin",
     "2026-03-29T00:00:00Z",
     {"2026-03-29T03:00:00+02:00", "2026-03-30T02:00:00+02:00"}},
    {"twice: the first time",
     "30 2 * * *",
     "Europe/Berlin",
     "2026-10-24T12:00:00Z",
     {"2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"}},
    {"asked between the two", "30 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", {"2026-10-26T02:30:00+01:00"}},
    {"twice, every second hour: the first time",
     "0 */2 * * *",
     "Europe/Berlin",
     "2026-10-24T22:30:00Z",
     {"2026-10-25T02:00:00+02:00", "2026-10-25T04:00:00+01:00"}},
    {"every hour goes by time: twice",
     "30 * * * *",
     "Europe/Berlin",
     "2026-10-24T23:40:00Z",
     {"2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", "2026-10-25T03:30:00+01:00"}},
    {"every hour goes by time: none left out",
     "30 * * * *",
     "Europe/Berlin",
     "2026-03-29T00:00:00Z",
     {"2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00"}},
    {"every minute goes by time",
     "* * * * *",
     "America/New_York",
     "2026-11-01T05:58:30Z",
     {"2026-11-01T01:59:00-04:00", "2026-11-01T01:00:00-05:00", "2026-11-01T01:01:00-05:00"}},
    {"every hour of one day, across the change",
     "0 * 1 11 *",
     "America/New_York",
     "2026-11-01T04:30:00Z",
     {"2026-11-01T01:00:00-04:00", "2026-11-01T01:00:00-05:00", "2026-11-01T02:00:00-05:00"}},
    {"left out in New York",
     "5 2 * * *",
     "America/New_York",
     "2026-03-07T12:00:00Z",
     {"2026-03-08T03:00:00-04:00", "2026-03-09T02:05:00-04:00"}},
    {"half an hour forward",
     "15 2 * * *",
     "Australia/Lord_Howe",
     "2026-10-03T00:00:00Z",
     {"2026-10-04T02:30:00+11:00", "2026-10-05T02:15:00+11:00"}},
    {"half an hour forward, not touched",
     "45 2 * * *",
     "Australia/Lord_Howe",
     "2026-10-03T00:00:00Z",
     {"2026-10-04T02:45:00+11:00"}},
    {"half an hour back",
     "45 1 * * *",
     "Australia/Lord_Howe",
     "2026-04-04T00:00:00Z",
     {"2026-04-05T01:45:00+11:00", "2026-04-06T01:45:00+10:30"}},
    {"half an hour back, by time",
     "45 * * * *",
     "Australia/Lord_Howe",
     "2026-04-04T14:00:00Z",
     {"2026-04-05T01:45:00+11:00", "2026-04-05T01:45:00+10:30", "2026-04-05T02:45:00+10:30"}},
    {"midnight left out",
     "0 0 * * *",
     "Africa/Cairo",
     "2026-04-23T12:00:00Z",
     {"2026-04-24T01:00:00+03:00", "2026-04-25T00:00:00+03:00"}},
    {"a day left out",
     "0 12 30 12 *",
     "Pacific/Apia",
     "2011-01-01T00:00:00Z",
     {"2011-12-31T00:00:00+14:00", "2012-12-30T12:00:00+14:00"}},
    {"a zone's rules hold beyond 2037",
     "30 2 * * *",
     "Europe/Berlin",
     "2060-03-27T12:00:00Z",
     {"2060-03-28T03:00:00+02:00", "2060-03-29T02:30:00+02:00"}},
};

TEST(Cron, TicksAsWorkedByHand) {
    for (const TickRow& row : kTickRows) {
        EXPECT_EQ(next_ticks(row.cron, row.zone, row.after, row.ticks.size()), row.ticks) << row.why << ": " << row.cron;
    }
}

TEST(Cron, CountsTicksOfAnIntervalWithItsEndAndWithoutItsStart) {
    const Cron cron = parse_cron("*/20 * * * *").value();
    const std::int64_t start = seconds("2026-11-21T10:00:00Z");
    EXPECT_EQ(ticks_between(cron, "UTC", start, start + 3600, 10), (std::vector{start + 1200, start + 2400, start + 3600}));
    EXPECT_EQ(ticks_between(cron, "UTC", start, start + 1199, 10), std::vector<std::int64_t>{});
    EXPECT_EQ(ticks_between(cron, "UTC", start, start - 9000, 10), std::vector<std::int64_t>{});
    EXPECT_EQ(ticks_between(cron, "UTC", start, start + 3600, 2).size(), 2U);
}

TEST(Cron, PutsThreeHundredSixtyFiveDailyTicksInAYearWhateverTheClocksDo) {
    const std::int64_t start = seconds("2026-01-01T12:00:00Z");
    const std::int64_t end = seconds("2027-01-01T12:00:00Z");
    for (const char* zone : {"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "Asia/Kathmandu"}) {
        for (const int hour : {0, 1, 2, 3, 12}) {
            for (const int minute : {0, 15, 30, 59}) {
                const Cron cron = parse_cron(std::to_string(minute) + " " + std::to_string(hour) + " * * *").value();
                EXPECT_EQ(ticks_between(cron, zone, start, end, 1000).size(), 365U) << zone << " " << hour << ":" << minute;
            }
        }
        const Cron hourly = parse_cron("@hourly").value();
        const bool half_hours = std::string(zone) == "Australia/Lord_Howe"; // the hour of the change forward has no full hour
        EXPECT_EQ(ticks_between(hourly, zone, start, end, 10000).size(), half_hours ? 8759U : 8760U) << zone;
    }
}

struct WrongRow {
    const char* cron;
    std::size_t issues;
    const char* says;
};
const WrongRow kWrongRows[] = {
    {"", 1, "0 fields; give five"},
    {"* * * *", 1, "4 fields"},
    {"* * * * * *", 1, "6 fields"},
    {"60 * * * *", 1, "minute is '60'; allowed 0 to 59"},
    {"* 24 * * *", 1, "hour is '24'; allowed 0 to 23"},
    {"* * 0 * *", 1, "day-of-month is '0'; allowed 1 to 31"},
    {"* * * 13 *", 1, "month is '13'; allowed 1 to 12, or jan to dec"},
    {"* * * * 8", 1, "day-of-week is '8'; allowed 0 to 7, or sun to sat"},
    {"* * * * someday", 1, "or sun to sat"},
    {"mon * * * *", 1, "minute is 'mon'"},
    {"-1 * * * *", 1, "minute is '-1'"},
    {"+1 * * * *", 1, "minute is '+1'"},
    {"1.5 * * * *", 1, "minute is '1.5'"},
    {"1,,2 * * * *", 1, "minute is ''"},
    {"1, * * * *", 1, "minute is ''"},
    {"5-1 * * * *", 1, "a range goes up"},
    {"* * * * fri-mon", 1, "a range goes up"},
    {"*/0 * * * *", 1, "a step is 1 to 59"},
    {"*/60 * * * *", 1, "a step is 1 to 59"},
    {"*/ * * * *", 1, "a step is"},
    {"5/15 * * * *", 1, "after * or a range"},
    {"** * * * *", 1, "minute is '**'"},
    {"99999999999999999999 * * * *", 1, "minute is '99999999999999999999'"},
    {"0 0 30 2 *", 1, "no such month has such a day"},
    {"0 0 31 4,6,9,11 *", 1, "no such month has such a day"},
    {"@reboot", 1, "1 fields"},
    {"60 24 0 13 8", 5, "minute"},
};

TEST(Cron, RefusesWhatItCannotReadAndSaysWhatIsAllowed) {
    for (const WrongRow& row : kWrongRows) {
        const model::Result<Cron> parsed = parse_cron(row.cron);
        ASSERT_FALSE(parsed) << row.cron;
        EXPECT_EQ(parsed.error().size(), row.issues) << row.cron;
        EXPECT_EQ(parsed.error().front().pointer, "/cron");
        EXPECT_NE(parsed.error().front().message.find(row.says), std::string::npos) << parsed.error().front().message;
    }
    EXPECT_TRUE(parse_cron("0 0 30 2 mon")) << "mondays in February are enough";
}

} // namespace
} // namespace costcurve::documents
