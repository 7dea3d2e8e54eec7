// A price index: a curve over date, of what costs 1 on a date.
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

TEST(PriceIndex, IsThePriceOfWhatCostsOneOnADate) {
    const std::string text = "observation_date,PCU1\n2000-12-01,100.000\n2001-01-01,.\n2001-02-01,125\n2001-03-01,150\n";
    const Reading reading = read_text("price_index", text, {.name = "PCU1.csv", .date = "2001-02-20"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const curve = reading.find<model::Curve>("price-index.pcu1.base-2001-02-20");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->kind, model::CurveKind::price);
    EXPECT_EQ(curve->interpolation, model::Interpolation::step);
    EXPECT_EQ(curve->y, (std::vector<double>{0.8, 1.0, 1.2})); // by 125, February's
    EXPECT_EQ(curve->x[0], 11292);                             // 2000-12-01
    EXPECT_EQ(reading.report.skipped, 1U);                     // FRED's blank
}

TEST(PriceIndex, WhatCannotBeUsedIsNamed) {
    const std::string text = "observation_date,PCU1\n2000-12-01,100\nsoon,1\n2001-01-01,0\n2000-11-01,90\n";
    const Reading reading = read_text("price_index", text, {.date = "2001-01-01", .id = "index.a"});
    EXPECT_NE(reading.find<model::Curve>("index.a"), nullptr);
    EXPECT_EQ(reading.report.rejected.count, 3U);
    EXPECT_EQ(read_text("price_index", text, {.date = "1999-01-01"}).error->message,
              "date is 1999-01-01; the index has no value at or before it");
    EXPECT_EQ(read_text("price_index", "a,b,c\n1,2,3\n", {.date = "1999-01-01"}).error->message,
              "row 1: two columns are needed: observation_date, and the index under the name of its series");
    EXPECT_TRUE(read_text("price_index", "", {.date = "1999-01-01"}).error);
}

TEST(PriceIndex, TheRealSeriesIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading =
        read_shared("price_index", {"epoch-training-cost/PCU518210518210.csv"}, {.date = "2024-12-01", .id = "index.hosting"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const curve = reading.find<model::Curve>("index.hosting");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->x.size(), reading.report.rows);
    EXPECT_NEAR(curve->y.front(), 100.0 / 119.349, 1e-12); // the index of December 2024 is 119.349
    EXPECT_NEAR(curve->y.back(), 123.659 / 119.349, 1e-12);
}

} // namespace
} // namespace costcurve::imports
