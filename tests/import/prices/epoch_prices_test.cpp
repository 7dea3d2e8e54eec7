// Epoch AI's list: rentals become offers, purchases curves, each price at its date.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const std::string kEpochPricesHeader =
    "\xEF\xBB\xBFPrice source,Price date,Hardware model,Manufacturer,Vendor,Location,Price per chip-hour "
    "(on-demand),Price per chip-hour (1-year CUD),Price per chip-hour (3-year CUD),Price (hardware "
    "purchase),Notes,Cloud GPU description,Number of GPUs\n";

Reading read_rows(const std::string& rows) {
    return read_text("epoch_prices", kEpochPricesHeader + rows, {.name = "Hardware prices.csv"});
}

TEST(EpochPrices, OfRentalsAreOffersByDate) {
    const Reading reading =
        read_rows("u,2022-08-05,NVIDIA Tesla T4,NVIDIA,Amazon Web Services,,0.98,,,,g4dn.12xlarge,T4 (16 GB),4\n"
                  "u,2022-08-04,NVIDIA Tesla T4,NVIDIA,Amazon Web Services,,1.00,,,,g4dn.12xlarge,T4 (16 GB),4\n");
    ASSERT_FALSE(reading.error);
    const auto* const offer = reading.find<model::Offer>("aws.g4dn.12xlarge.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->devices, 4);
    EXPECT_EQ(offer->device.id, "nvidia.t4");
    EXPECT_EQ(offer->hourly_price.curve->x, (std::vector<double>{19208.0, 19209.0})); // 52 x 365 + 13 + 215 days
    EXPECT_EQ(offer->hourly_price.curve->y, (std::vector<double>{4.0, 3.92}));        // a chip-hour x 4
    EXPECT_EQ(reading.documents.size(), 1U);
}

TEST(EpochPrices, OfCommitmentsHaveTheirTerm) {
    const Reading reading = read_rows(
        "u,2024-01-29,NVIDIA A100,NVIDIA,Microsoft Azure,East US,3.72,3.10,2.30,,"
        "instance NC48ads A100 v4 number of GPUs: 2 OS/Software: CentOS,,\n"
        "u,2024-01-29,NVIDIA Tesla K80,NVIDIA,Microsoft Azure,East US,1.00,0.74,0.53,,instance NC24r number of GPUs: 4X,,\n");
    EXPECT_EQ(reading.documents.size(), 6U);
    const auto* const offer = reading.find<model::Offer>("azure.standard_nc48ads_a100_v4.eastus.committed-36");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->term_months, 36);
    EXPECT_EQ(offer->devices, 2);
    EXPECT_EQ(offer->device.id, "nvidia.a100-pcie-80gb"); // the instance type says more than "A100"
    EXPECT_EQ(offer->hourly_price.curve->y, std::vector<double>{4.6});
    EXPECT_EQ(reading.find<model::Offer>("azure.nc24r-4x-k80.eastus.on-demand")->hourly_price.curve->y, std::vector<double>{4.0});
}

TEST(EpochPrices, OfAMeterThatIsNotCalledAsItsTypeAreOffersOfTheType) {
    const Reading reading = read_rows("u,2024-01-29,NVIDIA A100,NVIDIA,Microsoft Azure,East US,3.40,2.83,1.70,,"
                                      "instance ND96asr A100 v4 number of GPUs: 8x,,\n");
    EXPECT_EQ(reading.documents.size(), 3U);
    const auto* const offer = reading.find<model::Offer>("azure.standard_nd96asr_v4.eastus.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->sku, "Standard_ND96asr_v4");
    EXPECT_EQ(offer->devices, 8);
    EXPECT_NEAR(offer->hourly_price.curve->y.front(), 27.2, 1e-9);
}

TEST(EpochPrices, OfSeveralRegionsInACellAreOffersOfEach) {
    const Reading reading =
        read_rows("u,2024-06-01,Google TPU v5e,Google,Google Cloud,\"Iowa (us-central1), us-west4\",1.20,,,,,,\n");
    EXPECT_EQ(reading.documents.size(), 2U);
    EXPECT_NE(reading.find<model::Offer>("gcp.1x-tpu-v5e.us-central1.on-demand"), nullptr);
    const auto* const offer = reading.find<model::Offer>("gcp.1x-tpu-v5e.us-west4.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->region, "us-west4");
    EXPECT_EQ(offer->note, "Of one chip; the list does not say how many an instance has.");
}

TEST(EpochPrices, OfPurchasesAreCurvesOfAChip) {
    const Reading reading = read_rows("u,2016-07-01,NVIDIA Tesla K80,NVIDIA,,,,,,3700.00,Single-unit list price,,1\n"
                                      "u,2014-11-17,NVIDIA Tesla K80,NVIDIA,,,,,,5000.00,Single-unit release price,,1\n"
                                      "u,2016-06-21,NVIDIA Tesla P100 PCIe 16GB,NVIDIA,,,,,,16125.00,\"DGX-1, 8 GPU, 128GB\",,8\n"
                                      "u,2017-05-01,Google TPU v2,Google,,,,,,5054.00,Estimated TPU purchase price,,\n");
    const auto* const curve = reading.find<model::Curve>("hardware.nvidia.k80.1x");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->kind, model::CurveKind::price);
    EXPECT_EQ(curve->y, (std::vector<double>{5000.0, 3700.0}));
    EXPECT_EQ(curve->note, "USD per chip, bought.");
    EXPECT_EQ(curve->currency, "USD");
    const auto* const system = reading.find<model::Curve>("hardware.nvidia.p100-pcie-16gb.8x");
    ASSERT_NE(system, nullptr);
    EXPECT_EQ(system->note, "USD per chip, bought in systems of 8.");
    EXPECT_NE(reading.find<model::Curve>("hardware.google.tpu-v2"), nullptr);
    EXPECT_TRUE(says(reading.report.warnings, 5, "estimated"));
}

TEST(EpochPrices, ReportWhatTheyCannotUse) {
    const Reading reading = read_rows("u,2012-11-12,NVIDIA Tesla K20X,NVIDIA,,,,,,7699.00,launch price,,\n"
                                      "u,2022-08-04,NVIDIA Tesla P4,NVIDIA,Microsoft Azure,,2.07,,,,NC6s v2,P100 (16 GB),1\n"
                                      "u,,NVIDIA Tesla K80,NVIDIA,,,,,,7699.00,,,\n"
                                      "u,2022-08-04,NVIDIA Tesla K80,NVIDIA,Google Cloud,,,,,,,,\n"
                                      "u,2022-08-04,NVIDIA Tesla K80,NVIDIA,Google Cloud,,0,,,,,,\n"
                                      "u,2022-08-04,NVIDIA Tesla K80,NVIDIA,,,0.9,,,,,,\n");
    EXPECT_TRUE(reading.documents.empty());
    EXPECT_TRUE(says(reading.report.rejected, 2, "NVIDIA Tesla K20X"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "but Cloud GPU description is P100 (16 GB)"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "Price date is ;"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "it has no price"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "a price is 0"));
    EXPECT_TRUE(says(reading.report.rejected, 7, "Vendor is blank"));
}

TEST(EpochPrices, GiveAnOfferTwiceThatHasTwoPricesOfADay) {
    const Reading reading = read_rows("u,2023-05-23,NVIDIA RTX A6000,NVIDIA,Cudo Compute,,0.81,,,,,A6000 (48 GB),1\n"
                                      "u,2023-05-23,NVIDIA RTX A6000,NVIDIA,Cudo Compute,,0.78,,,,,A6000 (48 GB),1\n"
                                      "u,2023-05-23,NVIDIA RTX A6000,NVIDIA,Cudo Compute,,0.81,,,,,A6000 (48 GB),1\n");
    ASSERT_EQ(reading.documents.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& offer = std::get<model::Offer>(reading.documents[i]);
        EXPECT_EQ(offer.id, "cudo-compute.1x-rtx-a6000.on-demand");
        EXPECT_EQ(offer.hourly_price.curve->y, std::vector<double>{i == 0 ? 0.78 : 0.81});
    }
    EXPECT_EQ(reading.report.skipped, 1U);
}

TEST(EpochPrices, RefuseOtherFiles) {
    EXPECT_TRUE(read_text("epoch_prices", "").error);
    EXPECT_TRUE(read_text("epoch_prices", kEpochPricesHeader).error);
    EXPECT_EQ(read_text("epoch_prices", "Price date,Vendor\n1,2\n").error->message,
              "row 1: the header has no column named Hardware model, Price per chip-hour (on-demand), Price (hardware purchase)");
    EXPECT_TRUE(read_rows("u,2023-05-23,\"NVIDIA").error);
}

TEST(EpochPrices, OfTheRealFileAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("epoch_prices", {"epoch-hardware/Hardware prices.csv"}, {});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rows, 433U);
    EXPECT_EQ(reading.report.rejected.count, 89U); // 79 of boards that are none of ours, 10 P100s called P4
    EXPECT_EQ(reading.report.warnings.count, 10U); // purchases that the notes call estimated
    EXPECT_EQ(reading.count<model::Curve>(), 28U); // devices and sizes of system
    // AWS p4d.24xlarge, 3 years: 1.45 a chip-hour x 8 from 2021-06-15 on; TPU v4: 1.45 a chip-hour.
    EXPECT_NEAR(reading.find<model::Offer>("aws.p4d.24xlarge.us-east-1.committed-36")->hourly_price.curve->y[0], 11.6, 1e-9);
    EXPECT_EQ(reading.find<model::Offer>("gcp.1x-tpu-v4.us-central2-b.committed-36")->hourly_price.curve->y,
              (std::vector<double>{1.45, 1.45, 1.45}));
    const auto* const k80 = reading.find<model::Curve>("hardware.nvidia.k80.1x");
    ASSERT_NE(k80, nullptr);
    EXPECT_EQ(k80->y.front(), 5000.0);
}

} // namespace
} // namespace costcurve::imports
