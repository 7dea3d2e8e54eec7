// What parts of names say of boards, and that the memory of boards is that of the catalogue.
#include "server/import/identity/boards.hpp"

#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/import/identity/aliases.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::imports {
namespace {

TEST(Boards, HaveTheMemoryOfTheCatalogue) {
    std::ifstream file(tests::source_folder() / "deploy/catalog/devices.json");
    std::size_t compared = 0;
    for (const nlohmann::json& device : nlohmann::json::parse(file)) {
        const std::string id = device["id"];
        if (memory_gb_of(id) > 0.0) {
            ++compared;
            EXPECT_TRUE(has_memory(id, device["memory_gib"].get<double>())) << id;
        }
    }
    EXPECT_GT(compared, 35U);
    std::set<std::string_view> unknown;
    for (const AliasRow& row : device_aliases()) {
        if (memory_gb_of(row.device) <= 0.0 && !row.device.starts_with("google.")) {
            unknown.insert(row.device);
        }
    }
    EXPECT_EQ(unknown, std::set<std::string_view>{"intel.xeon-6980p"}) << "a processor";
}

TEST(Boards, AreKnownByTheirPartsInAnyOrder) {
    for (const std::string_view memory : {"80GB", "80G", "80 GB", "80GiB"}) {
        for (const std::string_view form : {"SXM4", "sxm", "PCIE", "PCIe"}) {
            for (const std::string_view mark : {"_", "-", " "}) {
                const std::string wanted = form[0] == 'S' || form[0] == 's' ? "nvidia.a100-sxm4-80gb" : "nvidia.a100-pcie-80gb";
                const auto joined = [&](std::initializer_list<std::string_view> parts) {
                    std::string name;
                    for (const std::string_view part : parts) {
                        name.append(name.empty() ? "" : mark).append(part);
                    }
                    return name;
                };
                EXPECT_EQ(device_of(joined({"A100", memory, form})), wanted);
                EXPECT_EQ(device_of(joined({"A100", form, memory, "BAREMETAL"})), wanted);
                EXPECT_EQ(device_of(joined({"NVIDIA", "A100", form, memory})), wanted);
            }
        }
    }
    EXPECT_EQ(device_of("H100_PCIE_BAREMETAL"), "nvidia.h100-pcie-80gb");
    EXPECT_EQ(device_of("L40S_PCIE_BAREMETAL"), "nvidia.l40s");
    EXPECT_EQ(device_of("RTX PRO 6000 96GB"), "nvidia.rtx-pro-6000-bse");
}

TEST(Boards, OfWhichAPartIsUnknownAreNot) {
    for (const std::string_view name :
         {"A100 PCIe 40GB", "H100 64GB", "H100 PCIe 80GB HBM2e", "RTXPRO6000-WK", "RTX4090 48GB", "Intel A100 80G", "L4 SXM",
          "BAREMETAL", "80GB", "A100 80GB 40GB", "H100 SXM PCIe", "H1000_PCIE"}) {
        EXPECT_EQ(device_of(name), std::nullopt) << name;
    }
}

} // namespace
} // namespace costcurve::imports
