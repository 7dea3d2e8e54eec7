// Day-ahead prices: clock changes, units, currencies, what is missing.
#include <cctz/civil_time.h>
#include <cctz/time_zone.h>
#include <fmt/format.h>

#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

// Lines of a whole local year in the zone, one an hour, in the spelling of a strftime format: the price of the hour is `price` of
// its count from 0.
template <class Price>
std::string year_of(int year, const std::string& zone_name, const std::string& header, const std::string& format, Price price) {
    cctz::time_zone zone;
    cctz::load_time_zone(zone_name, &zone);
    const auto start = cctz::convert(cctz::civil_second(year, 1, 1), zone);
    const auto end = cctz::convert(cctz::civil_second(year + 1, 1, 1), zone);
    std::string text = header + "\r\n";
    int count = 0;
    for (auto t = start; t < end; t += std::chrono::hours(1)) {
        text += fmt::format("{},{}\r\n", cctz::format(format, t, zone), price(count++));
    }
    return text;
}

const std::string kStata = "%d%b%Y %H:%M:%S";
const Options kBrussels{.name = "prices.csv", .time_zone = "Europe/Brussels", .id = "tariff.be-day-ahead"};

Options per_kwh(std::string unit = "kWh") {
    Options options = kBrussels;
    options.currency = "EUR";
    options.unit = std::move(unit);
    return options;
}

const model::Curve& year_curve(const Reading& reading, const std::string& id = "tariff.be-day-ahead-2022") {
    static const model::Curve nothing;
    const auto* const found = reading.find<model::Curve>(id);
    EXPECT_NE(found, nullptr) << id;
    return found == nullptr ? nothing : *found;
}

// Hour of the year of a day of 2022 and an hour: 27 March is day 85 (31 + 28 + 26), 30 October day 302 (273 + 29).
constexpr int kSkipped = 85 * 24 + 2;
constexpr int kRepeated = 302 * 24 + 2;

TEST(DayAhead, HasTheMeanAtTheHourThatComesTwice) {
    // October's 02:00 is the 7250th and 7251st hour of the year (302 x 24 + 2 less the skipped one, from 0: 7249, 7250).
    const Reading reading = read_text("day_ahead",
                                      year_of(2022, "Europe/Brussels", "time,DAM_price", kStata,
                                              [](int i) { return i == 7249   ? ".1"
                                                                 : i == 7250 ? ".3"
                                                                             : ".0820"; }),
                                      per_kwh());
    ASSERT_FALSE(reading.error) << reading.error->message;
    const model::Curve& curve = year_curve(reading);
    ASSERT_EQ(curve.x.size(), 8759U);
    EXPECT_DOUBLE_EQ(model::read(curve, kRepeated), 0.2);
    EXPECT_DOUBLE_EQ(model::read(curve, kRepeated - 1), 0.082);
    EXPECT_DOUBLE_EQ(model::read(curve, kRepeated + 1), 0.082);
    EXPECT_NE(curve.note.find("2022-10-30 02:00 came twice: the mean of both."), std::string::npos) << curve.note;
    EXPECT_NE(curve.note.find("EUR per kWh"), std::string::npos);
    EXPECT_EQ(curve.currency, "EUR");
    EXPECT_EQ(reading.report.rejected.count + reading.report.warnings.count, 0U);
}

TEST(DayAhead, HasNoPointAtTheHourThatIsSkipped) {
    // 27 March 01:00 is hour 85 x 24 + 1 = 2041 of the year, 03:00 the one after it.
    std::string text = year_of(2022, "Europe/Brussels", "time,DAM_price", kStata, [](int i) {
        return i == 2041 ? "0.5" : i == 2042 ? "0.7" : "0.1";
    });
    const std::size_t three = text.find("27Mar2022 03");
    ASSERT_NE(three, std::string::npos);
    text.insert(three, "27mar2022 02:00:00,\r\n"); // blank, as published
    const Reading reading = read_text("day_ahead", text, per_kwh());
    ASSERT_FALSE(reading.error) << reading.error->message;
    const model::Curve& curve = year_curve(reading);
    EXPECT_FALSE(std::binary_search(curve.x.begin(), curve.x.end(), kSkipped));
    EXPECT_DOUBLE_EQ(model::read(curve, kSkipped), 0.5) << "in another year: the hour before";
    EXPECT_DOUBLE_EQ(model::read(curve, kSkipped + 1), 0.7);
    EXPECT_EQ(reading.report.skipped, 1U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    EXPECT_NE(curve.note.find("2022-03-27 02:00 was skipped and has no point"), std::string::npos) << curve.note;
}

TEST(DayAhead, KnowsTheSummerTimeOfTheSouth) {
    // Sydney 2022: 3 April 02:00 twice (day 92 of the year), 2 October 02:00 skipped (day 274).
    const Reading reading =
        read_text("day_ahead", year_of(2022, "Australia/Sydney", "time,price (AUD/MWh)", "%Y-%m-%d %H:%M", [](int i) { return i; }),
                  {.time_zone = "Australia/Sydney", .id = "tariff.nsw"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const model::Curve& curve = year_curve(reading, "tariff.nsw-2022");
    ASSERT_EQ(curve.x.size(), 8759U);
    const int repeated = 92 * 24 + 2;
    const int skipped = 274 * 24 + 2;
    EXPECT_DOUBLE_EQ(model::read(curve, repeated), (repeated + 0.5) / 1000) << "hours 2210 and 2211 from 0";
    EXPECT_DOUBLE_EQ(model::read(curve, repeated + 1), (repeated + 2) / 1000.0);
    EXPECT_FALSE(std::binary_search(curve.x.begin(), curve.x.end(), skipped));
    EXPECT_DOUBLE_EQ(model::read(curve, skipped + 1), (skipped + 1) / 1000.0) << "one more and one less since the year began";
}

TEST(DayAhead, ReadsNegativePricesAndMeansOfTheWeek) {
    // 1 January 2022 is a Saturday: its hour 0 is hour 120 of the week. 2022 has 53 Saturdays; -0.53 on the first makes -0.01.
    const Reading reading = read_text(
        "day_ahead", year_of(2022, "Europe/Brussels", "time,DAM_price", kStata, [](int i) { return i == 0 ? "-.53" : "0"; }),
        per_kwh());
    ASSERT_FALSE(reading.error);
    EXPECT_DOUBLE_EQ(model::read(year_curve(reading), 0), -0.53);
    const model::Curve& week = year_curve(reading, "tariff.be-day-ahead-2022.hour-of-week");
    ASSERT_EQ(week.x.size(), 168U);
    EXPECT_NEAR(week.y[120], -0.01, 1e-12);
    EXPECT_DOUBLE_EQ(week.y[121], 0.0);
}

TEST(DayAhead, OfALeapYearLeaveOut29February) {
    // 2024: 29 February is day 59; its hours count 1416 to 1439, those of 1 March begin at 1440 and read as day 59 of the curve.
    const Reading reading = read_text(
        "day_ahead", year_of(2024, "UTC", "Datetime (UTC),Price (EUR/MWhe)", "%Y-%m-%d %H:%M:%S", [](int i) { return i; }),
        {.time_zone = "UTC", .id = "tariff.x"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const model::Curve& curve = year_curve(reading, "tariff.x-2024");
    ASSERT_EQ(curve.x.size(), 8760U);
    EXPECT_DOUBLE_EQ(curve.y[1415], 1.415);
    EXPECT_DOUBLE_EQ(curve.y[1416], 1.440);
    EXPECT_NE(curve.note.find("29 February is left out"), std::string::npos);
}

// ENTSO-E's export: intervals, points between day and month, its own zone, whatever the tariff's is.
TEST(DayAhead, OfTheTransparencyPlatformAreReadAsExported) {
    std::string text = "\"MTU (CET/CEST)\",\"Day-ahead Price [EUR/MWh]\",\"Currency\",\"BZN|BE\"\n";
    cctz::time_zone zone;
    cctz::load_time_zone("Europe/Brussels", &zone);
    const auto start = cctz::convert(cctz::civil_second(2023, 1, 1), zone);
    for (int i = 0; i < 8760; ++i) {
        const auto t = start + std::chrono::hours(i);
        text += fmt::format("\"{} - {}\",\"{}\",\"EUR\",\"\"\n", cctz::format("%d.%m.%Y %H:%M", t, zone),
                            cctz::format("%d.%m.%Y %H:%M", t + std::chrono::hours(1), zone), i == 0 ? "-12.50" : "100.00");
    }
    const Reading reading = read_text("day_ahead", text, kBrussels);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_DOUBLE_EQ(model::read(year_curve(reading, "tariff.be-day-ahead-2023"), 0), -0.0125);
    Options london = kBrussels;
    london.time_zone = "Europe/London"; // its year begins an hour later
    const Reading shifted = read_text("day_ahead", text, london);
    ASSERT_FALSE(shifted.error) << shifted.error->message;
    ASSERT_EQ(shifted.report.rejected.count, 1U);
    EXPECT_EQ(shifted.report.rejected.first.at(0).reason,
              "2022 lacks 8759 of its 8760 hours in Europe/London, the first 2022-01-01 00:00; no tariff is "
              "made of it");
    EXPECT_TRUE(says(shifted.report.warnings, 0, "2023: Filled from the hours beside them: 2023-12-31 23:00."));
}

// Since 2025: quarters, days with slashes, several areas and auctions, the zone beside the hours that come twice.
TEST(DayAhead, OfQuartersAreMeansOfTheHour) {
    std::string text = "\"MTU (CET/CEST)\",\"Area\",\"Sequence\",\"Day-ahead Price (EUR/MWh)\",\"Intraday Price (EUR/MWh)\"\n";
    cctz::time_zone zone;
    cctz::load_time_zone("Europe/Brussels", &zone);
    const auto start = cctz::convert(cctz::civil_second(2026, 1, 1), zone);
    for (int i = 0; i < 8760 * 4; ++i) {
        const auto t = start + std::chrono::minutes(15 * i);
        const std::string when = cctz::format("%d/%m/%Y %H:%M:%S (%Z)", t, zone);
        text += fmt::format("{0} - {0},BZN|BE,Without Sequence,{1},999\n{0} - {0},BZN|FR,Without Sequence,1,2\n", when, i % 4 * 10);
    }
    Options options = kBrussels;
    options.region = "BZN|BE";
    const Reading reading = read_text("day_ahead", text, options);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_NEAR(model::read(year_curve(reading, "tariff.be-day-ahead-2026"), 5000), 0.015, 1e-12) << "mean of 0, 10, 20, 30";
    EXPECT_EQ(reading.report.skipped, 8760U * 4) << "those of France";
    options.region.clear();
    const Reading both = read_text("day_ahead", text, options);
    ASSERT_TRUE(both.error);
    EXPECT_EQ(both.error->message, "row 3: the file has prices of BZN|BE and of BZN|FR; name one as region");
}

TEST(DayAhead, OfAYearWithFewHoursMissingAreFilledAndSaySo) {
    const auto price = [](int i) { return i == 100 || i == 101 || i == 8000 ? "" : i < 100 ? "0.1" : "0.3"; };
    const Reading reading = read_text("day_ahead", year_of(2022, "Europe/Brussels", "time,DAM_price", kStata, price), per_kwh());
    ASSERT_FALSE(reading.error) << reading.error->message;
    const model::Curve& curve = year_curve(reading, "tariff.be-day-ahead-2022");
    EXPECT_DOUBLE_EQ(model::read(curve, 100), 0.2) << "the mean of 0.1 and 0.3";
    EXPECT_DOUBLE_EQ(model::read(curve, 101), 0.2);
    EXPECT_NE(curve.note.find("Filled from the hours beside them: 2022-01-05 04:00, 2022-01-05 05:00, 2022-11-30"),
              std::string::npos)
        << curve.note;
    EXPECT_EQ(reading.report.warnings.count, 1U);
}

TEST(DayAhead, OfAYearInUtcAreReadInALocalZone) {
    for (const char* const zone : {"Europe/Copenhagen", "Asia/Tokyo", "America/New_York"}) {
        const std::string text =
            year_of(2022, "UTC", "Datetime (UTC),Price (EUR/kWh)", "%Y-%m-%d %H:%M", [](int) { return "0.1"; });
        Options options = kBrussels;
        options.time_zone = zone;
        const Reading reading = read_text("day_ahead", text, options);
        EXPECT_FALSE(reading.error) << zone << ": " << reading.error->message;
    }
}

TEST(DayAhead, NeverFillManyHours) {
    std::string text =
        year_of(2022, "Europe/Brussels", "time,DAM_price", kStata, [](int i) { return i >= 100 && i < 104 ? "" : "0.1"; });
    const std::size_t line = text.find("06Jan2022 00:00:00");
    text.erase(line, text.find('\n', line) + 1 - line);
    const Reading reading = read_text("day_ahead", text, per_kwh());
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->message, "2022 lacks 5 of its 8760 hours in Europe/Brussels, the first 2022-01-05 04:00; no tariff is "
                                      "made of it");
    EXPECT_EQ(reading.report.rejected.first.at(0).row, 102U);
    EXPECT_EQ(reading.report.rejected.first.at(0).reason, "the price of 05Jan2022 04:00:00 is blank");
    EXPECT_TRUE(reading.documents.empty());
}

TEST(DayAhead, OfSeveralYearsBecomeACurveEach) {
    const auto price = [](int) { return "0.1"; };
    const std::string second = year_of(2022, "Europe/Brussels", "time,DAM_price", kStata, price);
    std::string text = year_of(2021, "Europe/Brussels", "time,DAM_price", kStata, price) + second.substr(second.find('\n') + 1) +
                       "01jan2023 00:00:00,.2\r\n";
    const Reading reading = read_text("day_ahead", text, per_kwh());
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.count<model::Curve>(), 4U);
    ASSERT_EQ(reading.report.rejected.count, 1U) << "2023 has an hour only";
    EXPECT_EQ(reading.report.rejected.first.at(0).reason.substr(0, 15), "2023 lacks 8759");
}

TEST(DayAhead, OfTimesWithoutDaylightSavingAreRefused) {
    const std::string text = year_of(2022, "UTC", "time,DAM_price", "%Y-%m-%d %H:%M", [](int) { return "0.1"; });
    const Reading reading = read_text("day_ahead", text, per_kwh());
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->message, "row 2044: this hour does not exist in Europe/Brussels, and has a price: the times know no "
                                      "daylight saving. Give the zone that they are in as time_zone");
}

TEST(DayAhead, WithTheRepeatedHourOnceSayThatItIsTakenForBoth) {
    std::string text = year_of(2022, "Europe/Brussels", "time,DAM_price", kStata, [](int) { return "0.1"; });
    const std::size_t line = text.find("30Oct2022 02:00:00");
    text.erase(line, text.find('\n', line) + 1 - line);
    const Reading reading = read_text("day_ahead", text, per_kwh());
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.report.warnings.count, 1U);
    EXPECT_EQ(reading.report.warnings.first.at(0).reason,
              "2022-10-30 02:00 comes twice in Europe/Brussels and has one price: it is taken for both");
}

TEST(DayAhead, ReadDecimalCommasAndSayWhatIsNoPrice) {
    const std::string text = "HourUTC;PriceArea;SpotPriceDKK;SpotPriceEUR\n2022-01-01T00:00;DK1;372,350;50,060\n"
                             "2022-01-01T00:00;DK1;372,350;50,060\n2022-01-01T00:00;DK1;1;2\n2022-01-01T00:07;DK1;1;2\n"
                             "2022-01-01T01:00;DK1;1;twelve\n01/02/2022 00:00;DK1;1;2\n";
    Options options = per_kwh("MWh");
    const Reading reading = read_text("day_ahead", text, options);
    ASSERT_TRUE(reading.error) << "an hour is no year";
    ASSERT_EQ(reading.report.rejected.count, 5U);
    EXPECT_EQ(reading.report.skipped, 1U);
    const auto& complaints = reading.report.rejected.first;
    EXPECT_EQ(complaints[0].reason, "2022-01-01T00:00 has another price in a row above");
    EXPECT_EQ(complaints[1].reason, "time is \"2022-01-01T00:07\"; prices are those of hours, halves or quarters");
    EXPECT_EQ(complaints[2].reason, "price is \"twelve\"; a number is needed");
    EXPECT_EQ(complaints[3].reason, "time is \"01/02/2022 00:00\"; give it as YYYY-MM-DD HH:MM");
}

TEST(DayAhead, AskForWhatTheHeaderDoesNotSay) {
    const std::string rows = "\n01jan2022 00:00:00,.1\n";
    EXPECT_EQ(read_text("day_ahead", "time,DAM_price" + rows, kBrussels).error->message,
              "row 1: column \"DAM_price\" does not say what its prices are per; give the option unit");
    EXPECT_EQ(read_text("day_ahead", "time,price per kWh" + rows, kBrussels).error->message,
              "row 1: column \"price per kWh\" does not say its currency; give the option currency");
    EXPECT_EQ(read_text("day_ahead", "time,price EUR/MWh" + rows, per_kwh()).error->message,
              "row 1: column \"price EUR/MWh\" is per mwh, the option unit is kWh");
    Options sek = per_kwh("MWh");
    sek.currency = "SEK";
    EXPECT_EQ(read_text("day_ahead", "time,price EUR/MWh" + rows, sek).error->message,
              "row 1: prices are in EUR, the option currency is SEK");
    EXPECT_TRUE(read_text("day_ahead", "time,load\n1,2\n", per_kwh()).error);
    EXPECT_TRUE(read_text("day_ahead", "", per_kwh()).error);
}

TEST(DayAhead, OfTheRealFileGiveTheMeanOf2022) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("day_ahead", {"entsoe-day-ahead/DAM_prices.csv"}, per_kwh());
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 8761U);
    EXPECT_EQ(reading.report.skipped, 1U);
    EXPECT_EQ(reading.report.rejected.count + reading.report.warnings.count, 0U);
    const model::Curve& curve = year_curve(reading);
    ASSERT_EQ(curve.x.size(), 8759U);
    EXPECT_DOUBLE_EQ(curve.y[0], 0.0820199966430664);
    // Rows 7252 and 7253: .1002200012207031 and .0999300003051758.
    EXPECT_NEAR(model::read(curve, kRepeated), 0.10007500076293945, 1e-15);
    EXPECT_DOUBLE_EQ(model::read(curve, kSkipped), .2219299926757813);
    const model::Curve& week = year_curve(reading, "tariff.be-day-ahead-2022.hour-of-week");
    EXPECT_NEAR(week.y[0], 0.216, 5e-5) << "as deploy/catalog/curves.json has it";
    EXPECT_NEAR(week.y[5], 0.2102, 5e-5);
}

} // namespace
} // namespace costcurve::imports
