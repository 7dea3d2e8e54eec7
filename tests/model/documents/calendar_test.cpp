// Real months and hours (model.md, section 2): daylight-saving shifts, leap years, zone names, grouping of hours.
#include "model/documents/calendar.hpp"
#include "model/hours/hours.hpp"

#include <map>
#include <numeric>

#include "model/kernels.hpp"
#include "tests/model/close.hpp"

namespace costcurve::model {
namespace {

using tests::is_close;

std::int64_t month_hours(YearMonth month, const std::string& zone) {
    const std::vector<std::int64_t> starts = month_starts(month, 1, zone);
    return hours_between(starts[0], starts[1]);
}

// A curve whose value is its hour.
HourlyCurve clock_curve(Axis axis, const std::string& zone) {
    const std::map<Axis, std::size_t> periods = {{Axis::hour_of_day, 24}, {Axis::hour_of_week, 168}, {Axis::hour_of_year, 8760}};
    HourlyCurve curve{axis, std::vector<double>(periods.at(axis)), zone};
    std::iota(curve.values.begin(), curve.values.end(), 0.0);
    return curve;
}

// Hours of the month by the value that a curve reads in them.
std::map<double, double> hours_by_value(const HourTable& table, std::size_t month, std::size_t curve = 0) {
    std::map<double, double> hours;
    const HourSet& set = table.sets[table.months[month].set];
    for (std::size_t h = 0; h < set.distinct; ++h) {
        hours[table.values_of(table.months[month].set, curve)[h]] += table.weights_of(month)[h];
    }
    return hours;
}

double weighted_sum(const HourTable& table, std::size_t month, std::size_t curve) {
    double sum = 0;
    for (const auto& [value, hours] : hours_by_value(table, month, curve)) {
        sum += value * hours;
    }
    return sum;
}

TEST(Calendar, MonthHasTheHoursOfItsLocalCalendar) {
    struct Row {
        const char* zone;
        YearMonth month;
        std::int64_t hours;
        const char* why;
    };
    const std::vector<Row> rows = {
        {"UTC", {2026, 1}, 744, "31 days"},
        {"UTC", {2026, 4}, 720, "30 days"},
        {"UTC", {2026, 2}, 672, "28 days"},
        {"UTC", {2028, 2}, 696, "leap year"},
        {"UTC", {2000, 2}, 696, "a century that is a leap year"},
        {"UTC", {2100, 2}, 672, "a century that is none"},
        {"UTC", {2026, 12}, 744, "the last month of a year"},
        {"Europe/Berlin", {2026, 3}, 743, "an hour lost on 29 March"},
        {"Europe/Berlin", {2026, 10}, 745, "an hour gained on 25 October"},
        {"Europe/Berlin", {2040, 3}, 743, "after 2037"},
        {"Europe/Berlin", {2040, 10}, 745, "after 2037"},
        {"Europe/Berlin", {2040, 7}, 744, "after 2037"},
        {"America/New_York", {2026, 3}, 743, "an hour lost on 8 March"},
        {"America/New_York", {2026, 11}, 721, "an hour gained on 1 November"},
        {"America/New_York", {2050, 11}, 721, "after 2037"},
        {"Asia/Kolkata", {2026, 3}, 744, "no daylight saving"},
        {"Australia/Lord_Howe", {2026, 4}, 721, "720.5 h: the last hour starts half an hour before the end"},
        {"Australia/Lord_Howe", {2026, 10}, 744, "743.5 h: the same"},
        {"America/Sao_Paulo", {2018, 11}, 719, "midnight of 4 November is skipped"},
        {"America/Sao_Paulo", {2019, 2}, 673, "an hour gained on 17 February"},
        {"America/Asuncion", {2017, 10}, 743, "the month's first midnight is skipped"},
        {"America/Asuncion", {2017, 9}, 720, "the month before it is whole"},
        {"America/Havana", {2015, 11}, 721, "the month's first midnight comes twice"},
        {"America/Havana", {2015, 10}, 744, "the month before it ends at the first of them"},
        {"Africa/Cairo", {2024, 10}, 745, "the shift back is at the month's last midnight"},
        {"Pacific/Apia", {2011, 12}, 720, "30 December was skipped"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(month_hours(row.month, row.zone), row.hours) << row.zone << ' ' << to_text(row.month) << ": " << row.why;
    }
}

TEST(Calendar, MonthStartsAtItsFirstLocalMidnight) {
    struct Row {
        const char* zone;
        YearMonth month;
        double days; ///< since 1970-01-01, of the month's first
        std::int64_t east_s;
    };
    // Days since 1970 by hand: 56 x 365 + 14 leap days = 20454 on 2026-01-01; 2040-07-01: 70 x 365 + 17 + 182 = 25749.
    const std::vector<Row> rows = {
        {"UTC", {1970, 1}, 0, 0},
        {"UTC", {2026, 1}, 20454, 0},
        {"Europe/Berlin", {2026, 1}, 20454, 3600},
        {"Europe/Berlin", {2026, 7}, 20454 + 181, 7200},
        {"Europe/Berlin", {2040, 7}, 25749, 7200},
        {"Europe/Berlin", {2040, 1}, 25749 - 182, 3600},
        {"America/New_York", {2026, 1}, 20454, -5 * 3600},
        {"America/New_York", {2040, 7}, 25749, -4 * 3600},
        {"Asia/Kolkata", {2026, 1}, 20454, 5 * 3600 + 1800},
        {"Australia/Lord_Howe", {2026, 1}, 20454, 11 * 3600},
        {"Australia/Lord_Howe", {2026, 7}, 20454 + 181, 10 * 3600 + 1800},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(month_starts(row.month, 1, row.zone).front(), static_cast<std::int64_t>(row.days) * 86400 - row.east_s)
            << row.zone << ' ' << to_text(row.month);
    }
}

TEST(Calendar, SkippedMidnightIsTheFirstInstantAfterIt) {
    // Asuncion, 2017-10-01 00:00 -04 became 01:00 -03: 04:00 UTC. Days to 2017-10-01: 47 x 365 + 12 + 273 = 17440.
    EXPECT_EQ(month_starts({2017, 10}, 1, "America/Asuncion").front(), 17440LL * 86400 + 4 * 3600);
}

TEST(Calendar, MidnightThatComesTwiceIsTheFirst) {
    // Havana, 2015-11-01 01:00 -04 became 00:00 -05; the first midnight is 04:00 UTC. Days: 45 x 365 + 11 + 304 = 16740.
    EXPECT_EQ(month_starts({2015, 11}, 1, "America/Havana").front(), 16740LL * 86400 + 4 * 3600);
}

TEST(Calendar, MonthsOfAYearAddUpToIt) {
    for (const char* zone : {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"}) {
        for (const auto& [year, hours] : std::map<int, std::int64_t>{{2026, 8760}, {2028, 8784}, {2041, 8760}}) {
            std::int64_t sum = 0;
            for (int month = 1; month <= 12; ++month) {
                sum += month_hours({year, month}, zone);
            }
            EXPECT_EQ(sum, hours) << zone << ' ' << year;
        }
    }
}

TEST(Calendar, KnowsZonesByTheirIanaNamesOnly) {
    for (const char* name : {"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Etc/GMT+5",
                             "America/Argentina/Buenos_Aires"}) {
        EXPECT_TRUE(is_time_zone(name)) << name;
    }
    for (const char* name : {"",
                             " ",
                             "../x",
                             "../../etc/passwd",
                             "Europe/../Europe/Berlin",
                             "/usr/share/zoneinfo/UTC",
                             "/etc/localtime",
                             "localtime",
                             "libc:localtime",
                             "Nope/Zone",
                             "Europe",
                             "Europe/",
                             "Europe/Berlin/",
                             "Europe/Berlin ",
                             "Fixed/UTC+01:00:00",
                             "+01:00",
                             "zone.tab",
                             "tzdata.zi",
                             "leapseconds",
                             "Mars/Phobos"}) {
        EXPECT_FALSE(is_time_zone(name)) << '"' << name << '"';
    }
    EXPECT_FALSE(is_time_zone(std::string("UTC\0x", 5)));
    EXPECT_FALSE(is_time_zone(std::string(5000, 'A')));
}

TEST(Calendar, OtherFilesOfTheZoneDataAreNoZones) {
    // Not in the IANA list; where the system has such files or spellings they load all the same.
    for (const char* name : {"posixrules", "posix/Europe/Berlin", "right/Europe/Berlin", "Europe//Berlin", "Europe/./Berlin"}) {
        EXPECT_FALSE(is_time_zone(name)) << name;
    }
}

TEST(Calendar, ParsesDaysThatExist) {
    struct Row {
        const char* text;
        double days;
    };
    // 2000-01-01: 30 x 365 + 7; 2024-02-29: 54 x 365 + 13 + 59.
    const std::vector<Row> rows = {{"1970-01-01", 0},     {"1969-12-31", -1},    {"2000-01-01", 10957},
                                   {"2024-02-29", 19782}, {"2026-01-01", 20454}, {"1900-01-01", -25567}};
    for (const Row& row : rows) {
        double days = 0.5;
        EXPECT_TRUE(parse_date(row.text, days)) << row.text;
        EXPECT_EQ(days, row.days) << row.text;
    }
    for (const char* text : {"", "2026", "2026-1-1", "2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-01-00",
                             "2026/01/01", "26-01-01", "2026-01-01T", " 2026-01-01", "2026-+1-01", "2026--1-01", "abcd-ef-gh"}) {
        double days = 0;
        EXPECT_FALSE(parse_date(text, days)) << '"' << text << '"';
    }
    EXPECT_EQ(days_since_epoch(2040, 7, 1), 25749);
}

TEST(Calendar, AddsMonthsAcrossYears) {
    struct Row {
        YearMonth start;
        int months;
        const char* expected;
    };
    for (const Row& row : {Row{{2026, 1}, 0, "2026-01"}, Row{{2026, 1}, 11, "2026-12"}, Row{{2026, 12}, 1, "2027-01"},
                           Row{{2026, 11}, 239, "2046-10"}, Row{{2026, 1}, -1, "2025-12"}, Row{{2026, 6}, -18, "2024-12"}}) {
        EXPECT_EQ(to_text(add_months(row.start, row.months)), row.expected);
    }
}

TEST(HourTable, WithoutCurvesAMonthIsOneHourOfItsWeight) {
    const HourTable table = group_hours({{2026, 3}, 8, "Europe/Berlin", {}});
    const std::vector<double> hours = {743, 720, 744, 720, 744, 744, 720, 745};
    ASSERT_EQ(table.months.size(), hours.size());
    for (std::size_t m = 0; m < hours.size(); ++m) {
        EXPECT_EQ(table.months[m].total, hours[m]);
        EXPECT_EQ(table.weights_of(m)[0], hours[m]);
        EXPECT_EQ(table.sets[table.months[m].set].distinct, 1U);
    }
}

TEST(HourTable, DayCurveLosesAndGainsTheHourOfTheShift) {
    HourlyCurve night{Axis::hour_of_day, std::vector<double>(24, 0.0), "Europe/Berlin"};
    std::fill_n(night.values.begin(), 8, 1.0); // 00:00 to 08:00
    struct Row {
        YearMonth month;
        double night, day;
    };
    // 31 nights of 8 hours; the hour from 2 to 3 is missing in March and twice in October.
    for (const Row& row :
         {Row{{2026, 3}, 247, 496}, Row{{2026, 10}, 249, 496}, Row{{2026, 7}, 248, 496}, Row{{2040, 3}, 247, 496}}) {
        const HourTable table = group_hours({row.month, 1, "Europe/Berlin", {night}});
        EXPECT_EQ(table.sets.at(0).distinct, 2U);
        EXPECT_EQ(hours_by_value(table, 0), (std::map<double, double>{{0, row.day}, {1, row.night}})) << to_text(row.month);
    }
}

TEST(HourTable, WeekStartsOnMonday) {
    // January 2026 begins on a Thursday: Thursday, Friday and Saturday come five times, the others four.
    const HourTable table = group_hours({{2026, 1}, 1, "UTC", {clock_curve(Axis::hour_of_week, "UTC")}});
    const std::map<double, double> hours = hours_by_value(table, 0);
    ASSERT_EQ(hours.size(), 168U);
    for (const auto& [hour, weight] : hours) {
        const int day = static_cast<int>(hour) / 24; // 0 is Monday
        EXPECT_EQ(weight, day >= 3 && day <= 5 ? 5 : 4) << "hour " << hour;
    }
}

TEST(HourTable, HalfHourShiftReadsTheWholeHourInWhichAnHourStarts) {
    // Lord Howe, 5 April 2026, 02:00 becomes 01:30: hours start at 0:00, 1:00, 1:30, 2:30 … and half past from then on.
    const HourTable april =
        group_hours({{2026, 4}, 1, "Australia/Lord_Howe", {clock_curve(Axis::hour_of_day, "Australia/Lord_Howe")}});
    for (const auto& [hour, weight] : hours_by_value(april, 0)) {
        EXPECT_EQ(weight, hour == 1 ? 31 : 30) << hour;
    }
    // 4 October, 02:00 becomes 02:30: each of the day's hours starts once.
    const HourTable october =
        group_hours({{2026, 10}, 1, "Australia/Lord_Howe", {clock_curve(Axis::hour_of_day, "Australia/Lord_Howe")}});
    for (const auto& [hour, weight] : hours_by_value(october, 0)) {
        EXPECT_EQ(weight, 31) << hour;
    }
}

TEST(HourTable, CurvesAreReadInTheirOwnZones) {
    // 00:00 UTC is 05:30 in Kolkata, which reads hour 5; and 19:00 the evening before in New York (winter).
    const HourTable table = group_hours({{2026, 1},
                                         1,
                                         "UTC",
                                         {clock_curve(Axis::hour_of_day, "UTC"), clock_curve(Axis::hour_of_day, "Asia/Kolkata"),
                                          clock_curve(Axis::hour_of_day, "America/New_York")}});
    const HourSet& set = table.sets.at(0);
    ASSERT_EQ(set.distinct, 24U);
    for (std::size_t h = 0; h < 24; ++h) {
        const int utc = static_cast<int>(table.values_of(0, 0)[h]);
        EXPECT_EQ(static_cast<int>(table.values_of(0, 1)[h]), (utc + 5) % 24);
        EXPECT_EQ(static_cast<int>(table.values_of(0, 2)[h]), (utc + 19) % 24);
        EXPECT_EQ(table.weights_of(0)[h], 31);
    }
}

TEST(HourTable, MonthsOfAHalfHourZoneReadUtcAtHalfPast) {
    // January begins in Kolkata at 18:30 UTC, which reads 18; 31 days of 24 hours.
    const HourTable table = group_hours({{2026, 1}, 1, "Asia/Kolkata", {clock_curve(Axis::hour_of_week, "UTC")}});
    const std::map<double, double> hours = hours_by_value(table, 0);
    // 2025-12-31 is a Wednesday; 744 hours are four weeks and the 72 hours from Wednesday 18:00.
    for (const auto& [hour, weight] : hours) {
        EXPECT_EQ(weight, hour >= 66 && hour < 138 ? 5 : 4) << hour;
    }
}

TEST(HourTable, TwentyNinthOfFebruaryReadsAsTheTwentyEighth) {
    const HourTable table = group_hours({{2028, 2}, 2, "UTC", {clock_curve(Axis::hour_of_year, "UTC")}});
    const HourSet& february = table.sets[table.months[0].set];
    ASSERT_EQ(february.distinct, 696U);
    const double* const values = table.values_of(table.months[0].set, 0);
    for (std::size_t h = 0; h < 24; ++h) {
        EXPECT_EQ(values[h], 31.0 * 24 + static_cast<double>(h)) << "the 1st";
        EXPECT_EQ(values[28 * 24 + h], 58.0 * 24 + static_cast<double>(h)) << "the 29th";
        EXPECT_EQ(values[27 * 24 + h], values[28 * 24 + h]);
    }
    EXPECT_EQ(table.values_of(table.months[1].set, 0)[0], 59.0 * 24) << "1 March";
}

TEST(HourTable, HourOfYearEndsAt8759) {
    const HourTable table = group_hours({{2028, 12}, 2, "UTC", {clock_curve(Axis::hour_of_year, "UTC")}});
    EXPECT_EQ(table.values_of(table.months[0].set, 0)[743], 8759.0);
    EXPECT_EQ(table.values_of(table.months[1].set, 0)[0], 0.0);
}

TEST(HourTable, HourOfYearIsTheLocalOne) {
    // Berlin, 29 March is day 31 + 28 + 28 = 87, its hour 2 is missing; 25 October is day 273 + 24, its hour 2 comes twice.
    const HourTable table = group_hours({{2026, 1}, 12, "Europe/Berlin", {clock_curve(Axis::hour_of_year, "Europe/Berlin")}});
    const std::map<double, double> march = hours_by_value(table, 2);
    EXPECT_EQ(march.size(), 743U);
    EXPECT_EQ(march.begin()->first, 59.0 * 24);
    EXPECT_EQ(march.count(87 * 24 + 2), 0U);
    EXPECT_EQ(march.count(87 * 24 + 3), 1U);
    const std::map<double, double> october = hours_by_value(table, 9);
    EXPECT_EQ(october.size(), 744U);
    EXPECT_EQ(october.at(297 * 24 + 2), 2.0);
    EXPECT_EQ(october.rbegin()->first, 304.0 * 24 - 1);
}

TEST(HourTable, SetsArePaddedWithHoursThatWeighNothing) {
    for (const Axis axis : {Axis::hour_of_day, Axis::hour_of_year}) {
        const HourTable table = group_hours({{2026, 3}, 2, "Europe/Berlin", {clock_curve(axis, "Europe/Berlin")}});
        for (std::size_t m = 0; m < table.months.size(); ++m) {
            const HourSet& set = table.sets[table.months[m].set];
            const double* const weights = table.weights_of(m);
            EXPECT_EQ(set.size % kernels::kLanes, 0U);
            EXPECT_LE(table.months[m].weights + set.size, table.weights.size());
            EXPECT_LE(set.rows.at(0) + set.size, table.values.size());
            EXPECT_GE(table.largest, set.size);
            for (std::size_t h = set.distinct; h < set.size; ++h) {
                EXPECT_EQ(weights[h], 0.0);
            }
            EXPECT_EQ(std::accumulate(weights, weights + set.size, 0.0), table.months[m].total);
        }
    }
}

TEST(HourTable, EveryHourReadsTheHourOfTheYearOnItsOwnZonesClock) {
    // Both shifts, the turn of the year and the leap day, hour by hour; months begin on another zone's clock.
    for (const char* zone : {"UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"}) {
        const HourTable table = group_hours({{2027, 9}, 10, "Europe/Berlin", {clock_curve(Axis::hour_of_year, zone)}});
        const std::vector<std::int64_t> starts = month_starts({2027, 9}, 10, "Europe/Berlin");
        for (std::size_t m = 0; m < table.months.size(); ++m) {
            for (std::size_t h = 0; h < table.sets[m].distinct; ++h) {
                const std::int64_t t = starts[m] + static_cast<std::int64_t>(h) * 3600;
                const std::int64_t local = t + offset_at(zone, t).seconds;
                const std::int64_t day_of_2028 = local / 86400 - static_cast<std::int64_t>(days_since_epoch(2028, 1, 1));
                const std::int64_t day = day_of_2028 < 0 ? day_of_2028 + 365 : day_of_2028 < 59 ? day_of_2028 : day_of_2028 - 1;
                ASSERT_EQ(table.values_of(m, 0)[h], static_cast<double>(day * 24 + local / 3600 % 24))
                    << zone << " " << m << " " << h;
            }
        }
    }
}

TEST(HourTable, GroupingIsExact) {
    // A curve over the hour of the year makes every hour its own: sums over hours must not tell the two apart.
    const std::vector<HourlyCurve> grouped = {clock_curve(Axis::hour_of_week, "Australia/Lord_Howe"),
                                              clock_curve(Axis::hour_of_day, "Europe/Berlin"),
                                              clock_curve(Axis::hour_of_day, "America/New_York")};
    std::vector<HourlyCurve> each = grouped;
    each.push_back({Axis::hour_of_year, std::vector<double>(8760, 1.0), "UTC"});
    for (const char* zone : {"UTC", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"}) {
        const HourTable few = group_hours({{2039, 1}, 25, zone, grouped});
        const HourTable all = group_hours({{2039, 1}, 25, zone, each});
        for (std::size_t m = 0; m < 25; ++m) {
            EXPECT_EQ(few.months[m].total, all.months[m].total);
            for (std::size_t c = 0; c < grouped.size(); ++c) {
                EXPECT_EQ(hours_by_value(few, m, c), hours_by_value(all, m, c)) << zone << " month " << m << " curve " << c;
            }
        }
    }
}

TEST(HourTable, SplittingTheHorizonChangesNothing) {
    const std::vector<HourlyCurve> curves = {clock_curve(Axis::hour_of_week, "America/New_York")};
    const HourTable whole = group_hours({{2026, 1}, 24, "America/New_York", curves});
    const HourTable second = group_hours({{2027, 1}, 12, "America/New_York", curves});
    for (std::size_t m = 0; m < 12; ++m) {
        EXPECT_TRUE(is_close(weighted_sum(second, m, 0), weighted_sum(whole, m + 12, 0)));
    }
}

TEST(GroupHours, TakesATableOfScaledCurvesForItsOwn) {
    const auto scaled = [](HourlyCurve curve, double factor) {
        std::for_each(curve.values.begin(), curve.values.end(), [factor](double& value) { value *= factor; });
        return curve;
    };
    const HourlyCurve weekly = clock_curve(Axis::hour_of_week, "Europe/Berlin");
    const HourlyCurve daily = clock_curve(Axis::hour_of_day, "America/New_York");
    const HourlyCurve yearly = clock_curve(Axis::hour_of_year, "UTC");
    for (const std::vector<HourlyCurve>& curves : {std::vector{weekly, daily}, std::vector{weekly, yearly}}) {
        for (const double factor : {1.0, 0.1, -3.0, 0.0}) { // 0: no hour differs from another
            const HorizonHours horizon{{2026, 3}, 14, "UTC", {scaled(curves[0], factor), curves[1]}};
            const HourTable anew = group_hours(horizon);
            const HourTable taken = group_hours(horizon, group_hours({{2026, 3}, 14, "UTC", curves}));
            EXPECT_EQ(taken.values, anew.values) << factor;
            EXPECT_EQ(taken.weights, anew.weights) << factor;
            EXPECT_EQ(taken.largest, anew.largest) << factor;
            ASSERT_EQ(taken.sets.size(), anew.sets.size()) << factor;
            for (std::size_t s = 0; s < anew.sets.size(); ++s) {
                EXPECT_EQ(taken.sets[s].rows, anew.sets[s].rows) << factor;
            }
        }
    }
    const HourTable other = group_hours({{2026, 3}, 1, "UTC", {weekly}}, group_hours({{2026, 3}, 2, "UTC", {weekly}}));
    EXPECT_EQ(other.months.size(), 1U);
}

} // namespace
} // namespace costcurve::model
