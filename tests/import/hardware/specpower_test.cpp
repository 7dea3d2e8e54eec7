// SPECpower results: nodes, dates with commas, thousands, several results of a system.
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const std::string kSpecpowerHeader =
    "Hardware Vendor Test Sponsor,System Enclosure (if applicable),Date Submitted,Nodes,JVM Vendor,CPU "
    "Description,MHz,Chips,Cores,Total Threads,Total Memory (GB),ssj_ops @ 100%,avg. watts @ 100%,avg. watts @ "
    "active idle,Result (Overall ssj_ops/watt),Skylake\n";

TEST(Specpower, SharesOutNodesAndReadsDatesWithCommas) {
    const Reading reading =
        read_text("specpower",
                  kSpecpowerHeader + "Nokia Corporation,AirFrame,\"Feb 14, 2020\",5,Oracle,Xeon 6210U,2500,5,100,200,320,7411713,"
                                     "877,247,6183,FALSE\nInspur,NF5180M6,\"Jul 29, 2021\",1,Oracle,Xeon 8352Y,2200,2,64,128,512,"
                                     "\"6,652,024\",680,156,\"9,100\",\n",
                  {.name = "spec.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const nokia = reading.find<model::Curve>("power.spec.nokia-corporation.airframe.xeon-6210u-5x-320gb-5n");
    ASSERT_NE(nokia, nullptr);
    EXPECT_EQ(nokia->x, (std::vector<double>{0, 1}));
    EXPECT_DOUBLE_EQ(nokia->y[0], 49.4) << "247 W of five nodes";
    EXPECT_DOUBLE_EQ(nokia->y[1], 175.4);
    EXPECT_NE(nokia->note.find("1482343 ssj_ops at full load a node. Submitted 2020-02-14."), std::string::npos) << nokia->note;
    const auto* const inspur = reading.find<model::Curve>("power.spec.inspur.nf5180m6.xeon-8352y-2x-512gb-1n");
    ASSERT_NE(inspur, nullptr);
    EXPECT_DOUBLE_EQ(inspur->y[1], 680);
    EXPECT_NE(inspur->note.find("6652024 ssj_ops"), std::string::npos);
}

TEST(Specpower, SaysWhatItCannotUse) {
    const Reading reading = read_text(
        "specpower",
        kSpecpowerHeader +
            "V,S,\"Apr 8, 2020\",1,O,C,1,2,3,4,5,100,430,106,1,\nV,S,\"Apr 8, 2020\",1,O,C,1,2,3,4,5,100,425,93,1,\n"
            "V,S2,x,1,O,C,1,2,3,4,5,100,425,93,1,\nV,S3,,1,O,C,1,2,3,4,5,100,,93,1,\n"
            "V,S4,,1,O,C,1,2,3,4,5,100,90,93,1,\n,S5,,1,O,C,1,2,3,4,5,100,90,3,1,\nV,S6,,1.5,O,C,1,2,3,4,5,100,90,3,1,\n");
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.count<model::Curve>(), 2U);
    EXPECT_DOUBLE_EQ(reading.find<model::Curve>("power.spec.v.s.c-2x-5gb-1n")->y[1], 430);
    ASSERT_EQ(reading.report.rejected.count, 5U);
    const auto& why = reading.report.rejected.first;
    EXPECT_EQ(why[0].reason, "another result of the system of row 2, with the same CPUs, memory and nodes; that row is read");
    EXPECT_EQ(why[1].reason, "avg. watts @ 100% is blank");
    EXPECT_EQ(why[2].reason, "it draws 93 W idle and 90 W at full load");
    EXPECT_EQ(why[3].reason, "vendor or system is blank");
    EXPECT_EQ(why[4].reason, "Nodes is 1.5; a whole number is needed");
    EXPECT_EQ(reading.report.warnings.first.at(0).reason, "Date Submitted is \"x\", no date; it is left out");
}

TEST(Specpower, NeedsItsColumns) {
    EXPECT_NE(read_text("specpower", "a,b\n1,2\n").error->message.find("avg. watts @ 100%"), std::string::npos);
    EXPECT_TRUE(read_text("specpower", kSpecpowerHeader).error);
    EXPECT_TRUE(read_text("specpower", "").error);
}

TEST(Specpower, OfTheRealFileAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("specpower", {"cloud-carbon-coefficients/SPECpower-full-results.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 60U);
    // 41 systems by vendor, enclosure, CPU, chips, memory and nodes, one of them with blank nodes; one row stands there twice
    // (ThinkSystem SR645, 12283667).
    EXPECT_EQ(reading.count<model::Curve>(), 40U);
    EXPECT_EQ(reading.report.skipped, 1U);
    EXPECT_EQ(reading.report.rejected.count, 19U);
    EXPECT_EQ(reading.report.warnings.count, 1U) << "a date in the year 0201";
    const auto* const dell = reading.find<model::Curve>("power.spec.dell-inc.poweredge-r6525-epyc-7702.epyc-7702-2x-128gb-1n");
    ASSERT_NE(dell, nullptr);
    EXPECT_DOUBLE_EQ(dell->y[0], 81.6);
    EXPECT_DOUBLE_EQ(dell->y[1], 404);
}

} // namespace
} // namespace costcurve::imports
