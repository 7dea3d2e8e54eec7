// Names that a user adds: which readings they reach, and which of two wins.
#include "server/import/identity/added_names.hpp"
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

TEST(AddedNames, WinOverTheBuiltInOnes) {
    AddedNames names;
    names.add("NVIDIA H100", {"nvidia.h100-ours", 1});
    names.add("RTX 5090", {"nvidia.rtx-5090", 1});
    names.add("gpu_8x_rtx6000", {"nvidia.rtx-6000", 8});
    EXPECT_EQ(device_of("h100"), "nvidia.h100-sxm5-80gb");
    {
        const NamesInUse in_use(&names);
        EXPECT_EQ(device_of("h100"), "nvidia.h100-ours");
        EXPECT_EQ(device_of("GeForce RTX-5090"), "nvidia.rtx-5090");
        EXPECT_EQ(device_of("A100-80GB"), "nvidia.a100-sxm4-80gb");
        EXPECT_EQ(device_of("gpu_8x_rtx6000"), std::nullopt) << "a name of eight devices is not one's";
        ASSERT_TRUE(instance_of("GPU_8x_RTX6000"));
        EXPECT_EQ(instance_of("GPU_8x_RTX6000")->devices, 8);
        EXPECT_EQ(instance_of("RTX 5090"), std::nullopt);
    }
    EXPECT_EQ(device_of("RTX 5090"), std::nullopt);
}

TEST(AddedNames, OneThatStandsForTwoThingsIsOfNeither) {
    AddedNames names;
    names.add("RTX 5090", {"nvidia.rtx-5090", 1});
    names.add("rtx5090", {"nvidia.rtx-5090", 1});
    EXPECT_TRUE(names.ambiguous().empty()) << "twice the same";
    names.add("RTX-5090", {"nvidia.rtx-5090-d", 1});
    EXPECT_EQ(names.ambiguous(), std::vector<std::string>{"RTX-5090"});
    const NamesInUse in_use(&names);
    EXPECT_EQ(device_of("RTX 5090"), std::nullopt);
}

TEST(AddedNames, ReachTheReaderOfATable) {
    AddedNames names;
    names.add("RTX6000", {"nvidia.rtx-6000", 1});
    names.add("gpu_4x_x1", {"example.x1", 4});
    Options options{.name = "lambda.csv", .date = "2026-04-02", .provider = "lambda"};
    const std::string text = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,Price,SpotPrice\n"
                             "gpu_1x_rtx6000,14,46,RTX6000,1,,us-east-1,0.5,\n"
                             "gpu_4x_x1,14,46,X1,,,us-east-1,4,\n";
    EXPECT_EQ(read_text("skypilot", text, options).documents.size(), 0U);
    options.names = &names;
    const Reading reading = read_text("skypilot", text, options);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    const auto* const one = reading.find<model::Offer>("lambda.gpu_1x_rtx6000.us-east-1.on-demand");
    ASSERT_NE(one, nullptr);
    EXPECT_EQ(one->device.id, "nvidia.rtx-6000");
    EXPECT_EQ(one->devices, 1);
    const auto* const four = reading.find<model::Offer>("lambda.gpu_4x_x1.us-east-1.on-demand");
    ASSERT_NE(four, nullptr);
    EXPECT_EQ(four->devices, 4);
}

TEST(AddedNames, MakeAnOfferOfAPartOfADevice) { // as if Azure rented a quarter of an A10
    AddedNames names;
    names.add("Standard_NV9ads_A10_v9", {"nvidia.a10-quarter", 1});
    Options options{.name = "azure.csv", .date = "2026-04-08", .provider = "azure"};
    const std::string text =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,Generation\n"
        "Standard_NV9ads_A10_v9,A10,0.25,9,55,A10,0.7,,eastus,V2\n";
    const Reading without = read_text("skypilot", text, options);
    EXPECT_TRUE(says(without.report.rejected, 2, "store the part as a device, and an alias of the type"));
    options.names = &names;
    const Reading reading = read_text("skypilot", text, options);
    const auto* const offer = reading.find<model::Offer>("azure.standard_nv9ads_a10_v9.eastus.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->device.id, "nvidia.a10-quarter");
    EXPECT_EQ(offer->devices, 1);
}

} // namespace
} // namespace costcurve::imports
