// OpenCost's price sheets.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kSheet{.name = "prices.csv", .date = "2027-01-01", .provider = "acme"};
const std::string kOpencostHeader =
    "EndTimestamp,InstanceID,Region,AssetClass,InstanceIDField,InstanceType,MarketPriceHourly,Version\n";

TEST(Opencost, MakesOffersOfGpusAndKnownNodes) {
    const Reading reading =
        read_text("opencost",
                  kOpencostHeader + "2028-01-06 23:34:45 UTC,a100-ondemand,,gpu,nvidia.com/gpu_type,,0.5,\n"
                                    "2028-01-06 23:34:45 UTC,a100-reserved,,gpu,nvidia.com/gpu_type,,1,\n"
                                    "2028-01-06 23:34:45 UTC,node-1,regionone,node,spec.providerID,p4d.24xlarge,20.5,\n"
                                    ",H100,,gpu,nvidia.com/gpu_type,,2.5,", // no newline after the last record
                  kSheet);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.documents.size(), 4U);
    const auto* const gpu = reading.find<model::Offer>("acme.a100-ondemand.on-demand");
    ASSERT_NE(gpu, nullptr);
    EXPECT_EQ(gpu->device.id, "nvidia.a100-sxm4-40gb");
    EXPECT_EQ(gpu->devices, 1);
    EXPECT_EQ(gpu->currency, "USD");
    EXPECT_EQ(gpu->hourly_price.curve->y, std::vector<double>{0.5});
    EXPECT_EQ(reading.find<model::Offer>("acme.a100-reserved.reserved")->purchase, model::Purchase::reserved);
    const auto* const node = reading.find<model::Offer>("acme.p4d.24xlarge.regionone.on-demand");
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(node->devices, 8);
    EXPECT_NE(reading.find<model::Offer>("acme.h100.on-demand"), nullptr);
}

TEST(Opencost, ReportsWhatItCannotUse) {
    const Reading reading = read_text("opencost",
                                      kOpencostHeader + "2028-01-06 23:34:45 UTC,gke-node,,node,metadata.name,,0.1337,\n"
                                                        "2028-01-06 23:34:45 UTC,Quadro_RTX_4001,,gpu,gpu.nvidia.com/class,,0.80,\n"
                                                        "2019-04-17 23:34:22 UTC,H100,,gpu,x,,2,\n"
                                                        "2028-01-06 23:34:45 UTC,H100,,gpu,x,,0,\n"
                                                        "soon,H100,,gpu,x,,2,\n"
                                                        "2028-01-06 23:34:45 UTC,disk,,pv,x,,0.01,\n"
                                                        "2028-01-06 23:34:45 UTC,lan,,network,x,,0.01,\n"
                                                        "2028-01-06 23:34:45 UTC,H100,,gpu,x,,2,\n"
                                                        "2028-01-06 23:34:45 UTC,H100,,gpu,x,,3,\n",
                                      kSheet);
    EXPECT_EQ(reading.documents.size(), 2U) << "two prices of a day, which a merge disputes";
    EXPECT_EQ(reading.report.skipped, 1U);
    EXPECT_TRUE(says(reading.report.rejected, 2, "names no accelerators"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "Quadro_RTX_4001"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "the price ended on 2019-04-17"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "MarketPriceHourly is 0"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "EndTimestamp is soon"));
    EXPECT_TRUE(says(reading.report.rejected, 8, "AssetClass is network"));
}

TEST(Opencost, RefusesOtherFiles) {
    EXPECT_TRUE(read_text("opencost", "", kSheet).error);
    EXPECT_TRUE(read_text("opencost", kOpencostHeader, kSheet).error);
    EXPECT_EQ(read_text("opencost", "InstanceID,AssetClass\na,b\n", kSheet).error->message,
              "row 1: the header has no column named EndTimestamp, MarketPriceHourly");
    EXPECT_TRUE(read_text("opencost", kOpencostHeader + "2028,\"a", kSheet).error);
}

TEST(Opencost, ReadsTheRealFiles) {
    SKIP_WITHOUT_SHARED();
    Options options = kSheet;
    options.date = "2019-01-01"; // before every EndTimestamp
    for (const auto& [name, rows, documents] : {std::tuple{"pricing_schema.csv", 3U, 0U},
                                                {"pricing_schema_region.csv", 3U, 0U},
                                                {"pricing_schema_mixed_gpu_ondemand.csv", 4U, 2U}}) {
        const Reading reading = read_shared("opencost", {std::string("opencost/") + name}, options);
        ASSERT_FALSE(reading.error) << name;
        EXPECT_EQ(reading.report.rows, rows) << name;
        EXPECT_EQ(reading.documents.size(), documents) << name;
        EXPECT_EQ(reading.report.rejected.count, rows - documents) << name;
    }
}

} // namespace
} // namespace costcurve::imports
