// Commitments of contracts: rows as FOCUS 1.3's dataset has them.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kContracts{.name = "contractcommitment_aws.csv", .provider = "aws"};
const std::string kCommitmentHeader =
    "ContractCommitmentId,ContractCommitmentType,ContractCommitmentCategory,ContractCommitmentCost,ContractCommitmentQuantity,"
    "ContractCommitmentUnit,ContractCommitmentDescription,ContractCommitmentPeriodStart,ContractCommitmentPeriodEnd,ContractId,"
    "ContractPeriodStart,ContractPeriodEnd,BillingCurrency\n";

std::string commitment(const std::string& id, const std::string& what, const std::string& from, const std::string& to) {
    return id + ",Reserved Instance," + what + "," + from + "T00:00:00Z," + to + "T00:00:00Z,C-1,2026-03-02T00:00:00Z," +
           "2027-05-01T00:00:00Z,USD\n";
}

// 4 instances over a year of 8,760 hours: 35,040 hours for 1,752,000 USD are 50 an hour.
TEST(FocusCommitments, BecomeOffersOfTheirTerm) {
    const Reading reading =
        read_text("focus_commitments",
                  kCommitmentHeader +
                      commitment("ri-1", "Usage,1752000,35040.0,Hours,p5.48xlarge 1yr NoUpfront", "2026-03-02", "2027-03-02") +
                      commitment("ri-2", "Usage,1927200,35040.0,Hours,p5.48xlarge 1yr NoUpfront", "2026-05-01", "2027-05-01") +
                      commitment("ri-3", "Usage,1927200,35040.0,Hours,p5.48xlarge 1yr NoUpfront", "2026-05-01", "2027-05-01") +
                      commitment("ri-4", "Usage,2628000,105120,Hours,p5.48xlarge 3yr", "2026-05-01", "2029-05-01"),
                  kContracts);
    ASSERT_FALSE(reading.error);
    ASSERT_EQ(reading.documents.size(), 2U);
    const auto* const year = reading.find<model::Offer>("contract.aws.p5.48xlarge.committed-12");
    ASSERT_NE(year, nullptr);
    EXPECT_EQ(year->device.id, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(year->devices, 8);
    EXPECT_EQ(year->purchase, model::Purchase::committed);
    EXPECT_EQ(year->term_months, 12);
    EXPECT_EQ(year->currency, "USD");
    EXPECT_EQ(year->hourly_price.curve->y, (std::vector<double>{50, 55}));
    EXPECT_NE(year->note.find("ri-2, until 2027-05-01, 1927200 USD for 35040.0 Hours"), std::string::npos) << year->note;
    const auto* const three = reading.find<model::Offer>("contract.aws.p5.48xlarge.committed-36");
    ASSERT_NE(three, nullptr);
    EXPECT_EQ(three->hourly_price.curve->y, std::vector<double>{25});
    EXPECT_EQ(reading.report.skipped, 1U) << "the same again";
}

TEST(FocusCommitments, SayWhatTheyCannotBecome) {
    const Reading reading = read_text(
        "focus_commitments",
        kCommitmentHeader + commitment("sp-1", "Spend,250000,,,Annual minimum spend", "2026-01-31", "2027-01-31") +
            commitment("ri-1", "Usage,280460.16,4380000.0,Hours,EC2ReservedInstance-1yr-NoUpfront", "2026-05-01", "2027-05-01") +
            commitment("ri-2", "Usage,100,10,GB,p5.48xlarge", "2026-05-01", "2027-05-01") +
            commitment("ri-3", "Usage,100,,Hours,p5.48xlarge", "2026-05-01", "2027-05-01") +
            commitment("ri-4", "Usage,100,10,Hours,p5.48xlarge", "2026-05-01", "2027-05-02") +
            commitment("ri-5", "Usage,100,10,Hours,p5.48xlarge", "2026-05-01", "2027-05-01") +
            commitment("ri-6", "Usage,200,10,Hours,p5.48xlarge", "2026-05-01", "2027-05-01"),
        kContracts);
    EXPECT_EQ(reading.documents.size(), 2U) << "two prices of a day, which a merge disputes";
    ASSERT_EQ(reading.report.rejected.rows, 5U);
    const std::vector<std::string> words{"sp-1 commits 250000 USD of money", "names no instance with accelerators; give device",
                                         "ContractCommitmentUnit is GB", "ContractCommitmentQuantity is blank",
                                         "whole months are needed"};
    for (std::size_t i = 0; i < words.size(); ++i) {
        EXPECT_NE(reading.report.rejected.first[i].reason.find(words[i]), std::string::npos)
            << reading.report.rejected.first[i].reason;
    }
}

TEST(FocusCommitments, AreOfTheDeviceThatIsGiven) {
    Options options = kContracts;
    options.device = "H100";
    options.region = "us-east-1";
    const Reading reading =
        read_text("focus_commitments",
                  kCommitmentHeader +
                      commitment("ri-1", "Usage,87600,43800.0,Hours,EC2ReservedInstance-1yr-NoUpfront", "2026-05-01", "2027-05-01"),
                  options);
    const auto* const offer = reading.find<model::Offer>("contract.aws.1x-h100.us-east-1.committed-12");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->device.id, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(offer->hourly_price.curve->y, std::vector<double>{2});
}

} // namespace
} // namespace costcurve::imports
