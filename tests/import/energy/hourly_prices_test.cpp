// Hourly prices of a year: one number a line.
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

std::string year_with(const std::string& line) {
    std::string text;
    for (int hour = 0; hour < 8760; ++hour) {
        text += line + "\r\n";
    }
    return text;
}

TEST(HourlyPrices, AreReadAsATariffPerKwh) {
    const Reading reading =
        read_text("hourly_prices", year_with("-42.5"), {.name = "prices.csv", .source = "a study", .id = "tariff.x"});
    ASSERT_FALSE(reading.error);
    const auto* const curve = reading.find<model::Curve>("tariff.x");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->x.size(), 8760U);
    EXPECT_DOUBLE_EQ(curve->y[8759], -0.0425);
    EXPECT_EQ(curve->source, "a study prices.csv");
}

TEST(HourlyPrices, OfAnIncompleteYearAreRefused) {
    const Reading reading = read_text("hourly_prices", "1\n2\n3\n", {.id = "tariff.x"});
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->message, "the file has 3 prices; a year has 8760 hours, of which each may have one, two or four");
    EXPECT_TRUE(reading.documents.empty());
}

TEST(HourlyPrices, OfALeapYearSayWhatToLeaveOut) {
    std::string hours = year_with("1");
    for (int hour = 0; hour < 24; ++hour) {
        hours += "1\n";
    }
    const Reading reading = read_text("hourly_prices", hours, {.id = "tariff.x"});
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->message, "the file has 8784 prices; a year has 8760 hours: leave out the 24 of 29 February");
}

TEST(HourlyPrices, ByTheQuarterAreMeans) {
    std::string quarters;
    for (int hour = 0; hour < 8760; ++hour) {
        quarters += hour == 1 ? "10\n20\n30\n60\n" : "5\n5\n5\n5\n";
    }
    const Reading reading = read_text("hourly_prices", quarters, {.id = "tariff.x"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const curve = reading.find<model::Curve>("tariff.x");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->x.size(), 8760U);
    EXPECT_DOUBLE_EQ(curve->y[0], 0.005);
    EXPECT_DOUBLE_EQ(curve->y[1], 0.03);
    for (int day = 0; day < 96; ++day) {
        quarters += "5\n";
    }
    const Reading leap = read_text("hourly_prices", quarters, {.id = "tariff.x"});
    ASSERT_TRUE(leap.error);
    EXPECT_EQ(leap.error->message, "the file has 35136 prices; a year has 8760 hours: leave out the 96 of 29 February");
}

TEST(HourlyPrices, NameTheRowThatIsNoNumber) {
    const Reading reading = read_text("hourly_prices", "1\n2\nthree\n", {.id = "tariff.x"});
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->message,
              "row 3: it is not a number: one price a line is needed, per MWh, with a point as decimal mark");
    EXPECT_TRUE(read_text("hourly_prices", year_with("45,123"), {.id = "tariff.x"}).error) << "thousands, or decimals?";
}

TEST(HourlyPrices, OfTheRealFileAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("hourly_prices", {"nrel-ssc/LCGS_price_per_MWh.csv"}, {.id = "tariff.nrel"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 8760U);
}

} // namespace
} // namespace costcurve::imports
