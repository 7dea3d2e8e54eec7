// Google's TPU prices of a chip-hour.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kJune{.name = "tpu_pricing_2024-06-11.json", .date = "2024-06-11"};

TEST(TpuPrices, AreOffersOfOneChip) {
    const Reading reading = read_text("tpu_prices",
                                      R"json({"TPU v5p": {"us-east5": {"Location": "Ohio", "On Demand (USD)": 4.2000,
                                         "1-year Commitment (USD)": 2.94, "3-year Commitment (USD)": 1.89,
                                         "Spot (USD)": 2.1}}})json",
                                      kJune);
    ASSERT_FALSE(reading.error);
    ASSERT_EQ(reading.documents.size(), 4U);
    const auto* const offer = reading.find<model::Offer>("gcp.tpu-v5p-chip.us-east5.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->device.id, "google.tpu-v5p");
    EXPECT_EQ(offer->devices, 1);
    EXPECT_EQ(offer->currency, "USD");
    EXPECT_EQ(offer->source, "tpu_pricing.json TPU v5p us-east5 On Demand (USD)");
    EXPECT_EQ(offer->hourly_price.curve->x, std::vector<double>{19885.0}); // 54 x 365 + 13 + 162 days
    EXPECT_EQ(offer->hourly_price.curve->y, std::vector<double>{4.2});
    const auto* const committed = reading.find<model::Offer>("gcp.tpu-v5p-chip.us-east5.committed-36");
    ASSERT_NE(committed, nullptr);
    EXPECT_EQ(committed->purchase, model::Purchase::committed);
    EXPECT_EQ(committed->term_months, 36);
    EXPECT_EQ(committed->hourly_price.curve->y, std::vector<double>{1.89});
}

TEST(TpuPrices, TellPodsFromDevices) {
    const Reading reading = read_text("tpu_prices",
                                      R"json({"TPU v3 pod": {"europe-west4": {"On Demand (USD)": 2.0}},
                                          "TPU v3 device": {"europe-west4": {"On Demand (USD)": 2.2}}})json",
                                      kJune);
    EXPECT_NE(reading.find<model::Offer>("gcp.tpu-v3-pod-chip.europe-west4.on-demand"), nullptr);
    EXPECT_NE(reading.find<model::Offer>("gcp.tpu-v3-device-chip.europe-west4.on-demand"), nullptr);
}

TEST(TpuPrices, ReportWhatTheyCannotUse) {
    const Reading reading = read_text("tpu_prices",
                                      R"json({"TPU v99": {"r": {"On Demand (USD)": 2.0}},
                                          "TPU v2 pod": {"a": {"On Demand (USD)": 0, "Spot (USD)": null}, "b": {"Location": "Iowa"},
                                                         "c": {"On Demand (USD)": "dear"}, "d": 3}})json",
                                      kJune);
    EXPECT_TRUE(reading.documents.empty());
    EXPECT_TRUE(says(reading.report.rejected, 1, "TPU v99"));
    EXPECT_TRUE(says(reading.report.rejected, 2, "zero is not a price"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "has no price"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "is no price"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "no object of prices"));
}

TEST(TpuPrices, RefuseOtherFiles) {
    for (const std::string_view text : {"", "[]", "{}", R"({"TPU v2": 3})", R"({"TPU v2": {"a": )", "a,b\n1,2\n"}) {
        EXPECT_TRUE(read_text("tpu_prices", text, kJune).error) << text;
    }
}

TEST(TpuPrices, OfTheRealFileAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("tpu_prices", {"gpuhunt/tpu_pricing_2024-06-11.json"}, kJune);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rows, 17U); // generation and region
    EXPECT_EQ(reading.documents.size(), 68U);
    EXPECT_EQ(reading.find<model::Offer>("gcp.tpu-v5e-chip.europe-west1.spot")->hourly_price.curve->y, std::vector<double>{0.6607});
}

TEST(TpuPrices, AreWarnedOfWhereSpotIsAboveOnDemand) {
    const Reading reading = read_text("tpu_prices",
                                      R"json({"TPU v3 pod": {"europe-west4": {"On Demand (USD)": 2.0, "Spot (USD)": 2.64},
                                          "us-central1": {"Spot (USD)": 2.64}}})json",
                                      kJune);
    EXPECT_EQ(reading.documents.size(), 3U);
    EXPECT_EQ(reading.report.warnings.count, 1U);
    EXPECT_TRUE(says(reading.report.warnings, 1, "TPU v3 pod europe-west4: spot, 2.64, is above on demand, 2"));
}

} // namespace
} // namespace costcurve::imports
