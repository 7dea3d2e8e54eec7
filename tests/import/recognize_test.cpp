// Files told by their content and name.
#include <gtest/gtest.h>

#include "server/import/recognize.hpp"

namespace costcurve::imports {
namespace {

std::string format_of(const std::string& text) {
    const NamedText file{"file_2020-01-01.csv", text};
    const std::vector<Recognized> found = recognize({&file, 1}, {});
    std::string names;
    for (const Recognized& one : found) {
        names += (names.empty() ? "" : " ") + std::string(one.format->name);
    }
    return names;
}

TEST(Recognize, TellsFormatsByTheirReaders) {
    EXPECT_EQ(format_of("InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n"
                        "gpu_1x_h100_sxm5,H100-SXM,1.0,26.0,225.0,2.5,us-east-1,,\n"),
              "skypilot");
    EXPECT_EQ(format_of("observation_date,PCU518210518210\n2020-01-01,100\n2020-02-01,101\n"), "price_index");
    EXPECT_EQ(format_of("ContractCommitmentId,ContractCommitmentCategory,ContractCommitmentCost,ContractCommitmentQuantity,"
                        "ContractCommitmentUnit,ContractCommitmentPeriodStart,ContractCommitmentPeriodEnd,BillingCurrency\n"
                        "ri-1,Usage,87600,43800,Hours,2026-05-01T00:00:00Z,2027-05-01T00:00:00Z,USD\n"),
              "focus_commitments")
        << "although it does not say of which device";
    EXPECT_EQ(format_of("a,b,c\n1,2,3\n"), "");
    EXPECT_EQ(format_of(""), "");
}

TEST(Recognize, ReadsNamesOfFiles) {
    EXPECT_EQ(date_in_name("gcp_vms_2026-04-02.csv"), "2026-04-02");
    EXPECT_EQ(date_in_name("2026-04-02"), "2026-04-02");
    EXPECT_EQ(date_in_name("from_2026-04-02_to_2026-05-02.csv"), "") << "which of them?";
    EXPECT_EQ(date_in_name("x2026-02-30.csv"), "") << "no such day";
    EXPECT_EQ(date_in_name("12026-04-021.csv"), "");
    EXPECT_EQ(provider_in_name("gcp_vms_2026-04-02.csv"), "gcp");
    EXPECT_EQ(provider_in_name("vms.csv"), "");
    EXPECT_EQ(provider_in_name("My List_vms.csv"), "");
}

} // namespace
} // namespace costcurve::imports
