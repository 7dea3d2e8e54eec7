// llm-d-planner's lists: hosted models by token, GPUs by cloud; and SkyPilot's template of on-premises prices.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kDecember{.name = "prices.csv", .date = "2025-12-01"};
const Options kOwn{.name = "pricing.csv", .date = "2025-12-01", .provider = "acme"};
const std::string kModels = "model_name,provider,price_per_1m_input_tokens,price_per_1m_output_tokens,price_blended,"
                            "median_output_tokens_per_sec,median_ttft_seconds\n";
const std::string kSlurm = "Region,Zone,PricePerVCPU,PricePerMemoryGB,AcceleratorName,PricePerAccelerator\r\n";

TEST(ApiPrices, AreEndpointsWithPricesOfInputAndOutput) {
    const Reading reading = read_text(
        "api_prices", kModels + "Command-R+ (Apr '24),Cohere,3,15,6,,0.25\nCommand-R (Apr '24),Cohere,0.5,1.5,1,,\n", kDecember);
    ASSERT_FALSE(reading.error);
    const auto* const endpoint = reading.find<model::Endpoint>("cohere.command-r-plus-apr-24");
    ASSERT_NE(endpoint, nullptr);
    EXPECT_EQ(endpoint->model, "command-r-plus-apr-24");
    EXPECT_EQ(endpoint->currency, "USD");
    EXPECT_EQ(endpoint->ttft_s, 0.25);
    ASSERT_TRUE(endpoint->price_per_million_units && endpoint->price_per_million_units->split);
    const model::Curve& input = *endpoint->price_per_million_units->input->curve;
    EXPECT_EQ(input.axis, model::Axis::date);
    EXPECT_EQ(input.x, std::vector<double>{20423.0}); // 55 x 365 + 14 + 334 days
    EXPECT_EQ(input.y, std::vector<double>{3.0});
    EXPECT_EQ(endpoint->price_per_million_units->output->curve->y, std::vector<double>{15.0});
    EXPECT_EQ(reading.find<model::Endpoint>("cohere.command-r-apr-24")->ttft_s, std::nullopt);
}

TEST(ApiPrices, AreNeitherZeroNorBlank) {
    const Reading reading =
        read_text("api_prices", kModels + "A,X,0,0,0,1,1\nB,X,,2,,,\nC,,1,1,,,\nD,X,free,1,,,\nB,X,1,,,,\n", kDecember);
    EXPECT_TRUE(reading.documents.empty());
    EXPECT_TRUE(says(reading.report.rejected, 2, "the price of input tokens is 0"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "the price of input tokens is blank"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "provider is blank"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "the price of input tokens"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "the price of output tokens is blank"));
    EXPECT_TRUE(says(read_text("api_prices", kModels + "B,X,1,2,,,\nb,x,3,4,,,\n", kDecember).report.warnings, 3,
                     "b is x.b, as B above, at another price: it is held"));
}

TEST(ApiPrices, RefuseOtherFiles) {
    EXPECT_TRUE(read_text("api_prices", "", kDecember).error);
    EXPECT_TRUE(read_text("api_prices", kModels, kDecember).error);
    EXPECT_EQ(read_text("api_prices", "model_name,provider\na,b\n", kDecember).error->message,
              "row 1: the header has no column named price_per_1m_input_tokens, price_per_1m_output_tokens");
}

TEST(ApiPrices, OfTheRealFileAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("api_prices", {"llm-d-planner/model_pricing.csv"}, kDecember);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rows, 89U);
    EXPECT_EQ(reading.documents.size(), 50U);      // with both prices
    EXPECT_EQ(reading.report.rejected.count, 39U); // with neither
}

TEST(GpuCatalog, MakesAnOfferOfEachCloud) {
    const Reading reading = read_text("gpu_catalog",
                                      R"({"gpu_types": [{"gpu_type": "A100-80", "aliases": ["NVIDIA-A100-80GB"], "memory_gb": 80,
                                          "node_selector_label": "NVIDIA-A100-SXM4-80GB", "cost_per_hour_usd": 3.5,
                                          "cost_per_hour_aws": 4.10, "cost_per_hour_gcp": null}]})",
                                      kDecember);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.documents.size(), 2U);
    const auto* const offer = reading.find<model::Offer>("gpu-catalog.aws.a100-80.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->device.id, "nvidia.a100-sxm4-80gb");
    EXPECT_EQ(offer->devices, 1);
    EXPECT_EQ(offer->hourly_price.curve->y, std::vector<double>{4.1});
    EXPECT_NE(offer->note.find("round number kept by hand"), std::string::npos);
    EXPECT_EQ(reading.find<model::Offer>("gpu-catalog.market.a100-80.on-demand")->provider, "market");
}

TEST(GpuCatalog, ReportsWhatItCannotUse) {
    const Reading reading = read_text("gpu_catalog",
                                      R"({"gpu_types": [{"gpu_type": "L20", "cost_per_hour_usd": 2}, {"cost_per_hour_usd": 2},
                                          {"gpu_type": "L4", "aliases": ["H100"], "cost_per_hour_usd": 2},
                                          {"gpu_type": "L40", "cost_per_hour_usd": 0}, 7]})",
                                      kDecember);
    EXPECT_TRUE(reading.documents.empty());
    EXPECT_TRUE(says(reading.report.rejected, 1, "gpu_type is L20"));
    EXPECT_TRUE(says(reading.report.rejected, 2, "no gpu_type"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "names both"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "cost_per_hour_usd is no price"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "no gpu_type"));
}

TEST(GpuCatalog, RefusesOtherFiles) {
    for (const std::string_view text : {"", "[]", "{}", R"({"gpu_types": []})", R"({"gpu_types": [{"gpu_type")"}) {
        EXPECT_TRUE(read_text("gpu_catalog", text, kDecember).error) << text;
    }
}

TEST(GpuCatalog, OfTheRealFileIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("gpu_catalog", {"llm-d-planner/gpu_catalog.json"}, kDecember);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rows, 11U);
    EXPECT_EQ(reading.documents.size(), 33U);     // 8 types x 4, and MI300X of no cloud
    EXPECT_EQ(reading.report.rejected.count, 2U); // L20 and B100 are none of ours
}

TEST(SlurmPrices, AreOffersOfOneAccelerator) {
    const Reading reading =
        read_text("slurm_prices", kSlurm + "lab,rack-1,0.02,0.003,H100,1.75\r\n,,0.0,0.0,,0.0\r\nlab,,0,0,Voodoo2,1\r\n", kOwn);
    ASSERT_FALSE(reading.error);
    const auto* const offer = reading.find<model::Offer>("acme.1x-h100.rack-1.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->region, "lab");
    EXPECT_EQ(offer->zone, "rack-1");
    EXPECT_EQ(offer->sku, "1x H100");
    EXPECT_EQ(offer->currency, "USD");
    EXPECT_EQ(offer->source, "pricing.csv H100");
    EXPECT_NE(
        read_text("slurm_prices", kSlurm + "lab,,0.02,0.003,H100,1.75\r\n", kOwn).find<model::Offer>("acme.1x-h100.lab.on-demand"),
        nullptr);
    EXPECT_EQ(offer->hourly_price.curve->y, std::vector<double>{1.75});
    EXPECT_TRUE(says(reading.report.rejected, 3, "a price above 0 is needed"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "Voodoo2"));
    EXPECT_EQ(reading.report.warnings.count, 0U);
    EXPECT_TRUE(read_text("slurm_prices", kSlurm, kOwn).error);
    EXPECT_TRUE(read_text("slurm_prices", "a,b\n1,2\n", kOwn).error);
}

TEST(SlurmPrices, OfTheRealTemplateAreToBeFilledIn) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("slurm_prices", {"skypilot-catalog/slurm_pricing_v8.csv"}, kOwn);
    ASSERT_FALSE(reading.error);
    EXPECT_TRUE(reading.documents.empty());
    EXPECT_TRUE(says(reading.report.rejected, 2, "PricePerAccelerator is \"0.0\""));
}

} // namespace
} // namespace costcurve::imports
