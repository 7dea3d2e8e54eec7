// FOCUS bills: what was really paid, by day, and the effective price of an instance-hour.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

#include "server/import/prices/focus_machines.hpp"

namespace costcurve::imports {
namespace {

const Options kBill{.name = "focus_sample.csv", .source = "a bill"};
constexpr std::int64_t kFifthOfSeptember2024 =
    19971; // 54 years of 365 days, 14 leap days, 244 + 4 days of 2024 less the leap day counted

const std::string kFocusHeader = "BilledCost,BillingCurrency,ChargeCategory,ChargeClass,ChargeDescription,ChargePeriodStart,"
                                 "CommitmentDiscountStatus,ConsumedQuantity,ConsumedUnit,EffectiveCost,ListCost,ListUnitPrice,"
                                 "PricingCategory,ProviderName,RegionId,ResourceType,ServiceCategory,SkuId,Tags\n";

std::string hour(const std::string& hour, const std::string& cost, const std::string& more = "") {
    return cost + ",\"USD\",\"Usage\",NULL,\"$3.06 per On Demand Linux p3.2xlarge Instance Hour\",\"2024-09-05 " + hour +
           ":00:00\",NULL,1.000,\"Hours\"," + cost + "," + (more.empty() ? cost : more) +
           ",\"3.06\",\"Standard\",\"AWS\",\"us-west-2\",\"instance\",\"Compute\",\"SKU1\",\"{\"\"team\"\": \"\"a, b\"\"}\"\n";
}

TEST(Focus, RollsUsageUpByDay) {
    const Reading reading = read_text("focus", kFocusHeader + hour("22", "3.06") + hour("23", "2.94", "3.06"), kBill);
    ASSERT_FALSE(reading.error);
    ASSERT_EQ(reading.bill.size(), 1U);
    const BillLine& line = reading.bill[0];
    EXPECT_EQ(line.day, kFifthOfSeptember2024);
    EXPECT_EQ(line.provider, "aws");
    EXPECT_EQ(line.region, "us-west-2");
    EXPECT_EQ(line.sku, "p3.2xlarge");
    EXPECT_EQ(line.purchase, "on_demand");
    EXPECT_EQ(line.device, "nvidia.v100-sxm2-16gb");
    EXPECT_EQ(line.currency, "USD");
    EXPECT_DOUBLE_EQ(line.hours, 2.0);
    EXPECT_DOUBLE_EQ(line.device_hours, 2.0);
    EXPECT_DOUBLE_EQ(line.billed_cost, 6.0);
    EXPECT_DOUBLE_EQ(line.effective_cost, 6.0);
    EXPECT_DOUBLE_EQ(line.list_cost, 6.12);
}

// Two accounts have a line each, and one price that is paid by both.
TEST(Focus, KeepsAccountsApart) {
    const auto row = [](const std::string& account, const std::string& part, const std::string& cost) {
        std::string text = hour("22", cost);
        text.insert(text.size() - 1, "," + account + "," + part);
        return text;
    };
    std::string header = kFocusHeader;
    header.insert(header.size() - 1, ",BillingAccountId,SubAccountId");
    const Reading reading =
        read_text("focus", header + row("1", "x", "3.00") + row("1", "x", "3.10") + row("2", "NULL", "2.30"), kBill);
    ASSERT_EQ(reading.bill.size(), 2U);
    EXPECT_EQ(reading.bill[0].account, "1/x");
    EXPECT_DOUBLE_EQ(reading.bill[0].billed_cost, 6.1);
    EXPECT_EQ(reading.bill[1].account, "2");
    const auto* const offer = reading.find<model::Offer>("paid.aws.p3.2xlarge.us-west-2.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_DOUBLE_EQ(offer->hourly_price.curve->y[0], 2.8); // (3.00 + 3.10 + 2.30) / 3 hours
}

TEST(Focus, RejectsAmountsWhoseCommaIsUnclear) {
    const Reading reading = read_text("focus", kFocusHeader + hour("22", "\"3,060\"") + hour("23", "\"0,590\""), kBill);
    EXPECT_EQ(reading.report.rejected.count, 1U);
    EXPECT_TRUE(says(reading.report.rejected, 2, "BilledCost is 3,060 (thousands or a decimal comma?"));
    ASSERT_EQ(reading.bill.size(), 1U);
    EXPECT_DOUBLE_EQ(reading.bill[0].billed_cost, 0.59);
}

TEST(Focus, MakesAnOfferOfWhatWasPaid) {
    std::string other_day = hour("00", "2.5");
    other_day.replace(other_day.find("2024-09-05"), 10, "2024-09-04"); // later in the file, earlier in time
    const Reading reading = read_text("focus", kFocusHeader + hour("22", "3.06") + hour("23", "2.94") + other_day, kBill);
    const auto* const offer = reading.find<model::Offer>("paid.aws.p3.2xlarge.us-west-2.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->hourly_price.curve->x, (std::vector<double>{kFifthOfSeptember2024 - 1, kFifthOfSeptember2024}));
    EXPECT_DOUBLE_EQ(offer->hourly_price.curve->y[0], 2.5);
    EXPECT_DOUBLE_EQ(offer->hourly_price.curve->y[1], 3.0); // (3.06 + 2.94) / 2 hours
    EXPECT_EQ(offer->devices, 1);
    EXPECT_EQ(offer->currency, "USD");
    EXPECT_EQ(offer->source, "a bill focus_sample.csv p3.2xlarge");
}

// A row of p4d.24xlarge with these cells.
std::string row(const std::string& billed, const std::string& effective, const std::string& category,
                const std::string& charge_class, const std::string& status, const std::string& quantity,
                const std::string& pricing) {
    return billed + ",USD," + category + "," + charge_class + ",p4d.24xlarge,2024-09-05T00:00:00Z," + status + "," + quantity +
           ",Hours," + effective + ",32.77,32.77," + pricing + ",AWS,us-east-1,instance,Compute,SKU2,NULL\n";
}

TEST(Focus, CountsACommitmentOnce) {
    // The purchase is billed, its cost is spread over the hours it covers; unused hours are paid and not used.
    const Reading reading = read_text("focus",
                                      kFocusHeader + row("24000", "24000", "Purchase", "NULL", "NULL", "1", "Standard") +
                                          row("0", "20", "Usage", "NULL", "Used", "1", "Committed") +
                                          row("0", "20", "Usage", "NULL", "Unused", "NULL", "Committed"),
                                      kBill);
    EXPECT_TRUE(says(reading.report.warnings, 2, "1 rows are purchase, billed at 24000 in all; they are kept apart from usage"));
    const auto* const offer = reading.find<model::Offer>("paid.aws.p4d.24xlarge.us-east-1.committed");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->hourly_price.curve->y, std::vector<double>{20.0});
    EXPECT_EQ(offer->purchase, model::Purchase::committed);
    EXPECT_EQ(offer->devices, 8);
    double effective = 0.0;
    double hours = 0.0;
    for (const BillLine& line : reading.bill) {
        effective += line.category == "usage" ? line.effective_cost : 0.0;
        hours += line.hours;
    }
    EXPECT_EQ(effective, 40.0); // what was paid in all, the unused hour included
    EXPECT_EQ(hours, 1.0);
}

TEST(Focus, KeepsTaxesAndCreditsApart) {
    const Reading reading = read_text("focus",
                                      kFocusHeader + row("30", "30", "Usage", "NULL", "NULL", "1", "Standard") +
                                          row("-5", "-5", "Credit", "NULL", "NULL", "NULL", "NULL") +
                                          row("3", "3", "Tax", "NULL", "NULL", "NULL", "NULL") +
                                          row("1", "1", "Adjustment", "NULL", "NULL", "NULL", "NULL"),
                                      kBill);
    ASSERT_EQ(reading.bill.size(), 4U);
    EXPECT_EQ(reading.bill[0].category, "usage");
    EXPECT_EQ(reading.bill[1].category, "credit");
    EXPECT_EQ(reading.bill[1].effective_cost, -5.0);
    EXPECT_EQ(reading.bill[2].hours, 0.0) << "a tax takes no hours";
    EXPECT_EQ(reading.report.skipped, 0U);
    EXPECT_TRUE(says(reading.report.warnings, 3, "1 rows are credit, billed at -5 in all"));
    EXPECT_TRUE(says(reading.report.warnings, 4, "1 rows are tax, billed at 3 in all"));
    EXPECT_EQ(reading.find<model::Offer>("paid.aws.p4d.24xlarge.us-east-1.on-demand")->hourly_price.curve->y,
              std::vector<double>{30.0});
}

TEST(Focus, CorrectionsCorrectThePricePaid) {
    const Reading reading = read_text("focus",
                                      kFocusHeader + row("30", "30", "Usage", "NULL", "NULL", "1", "Standard") +
                                          row("-12", "-12", "Usage", "Correction", "NULL", "-0.5", "Standard"),
                                      kBill);
    EXPECT_EQ(reading.find<model::Offer>("paid.aws.p4d.24xlarge.us-east-1.on-demand")->hourly_price.curve->y,
              std::vector<double>{36.0})
        << "18 for half an hour, as the lines say";
    ASSERT_EQ(reading.bill.size(), 1U);
    EXPECT_EQ(reading.bill[0].effective_cost, 18.0);
    EXPECT_EQ(reading.bill[0].hours, 0.5);
    const Reading amount = read_text("focus",
                                     kFocusHeader + row("30", "30", "Usage", "NULL", "NULL", "1", "Standard") +
                                         row("-12", "-12", "Usage", "Correction", "NULL", "NULL", "Standard"),
                                     kBill);
    EXPECT_EQ(amount.find<model::Offer>("paid.aws.p4d.24xlarge.us-east-1.on-demand")->hourly_price.curve->y,
              std::vector<double>{18.0});
    const Reading alone =
        read_text("focus", kFocusHeader + row("-12", "-12", "Usage", "Correction", "NULL", "-0.5", "Standard"), kBill);
    EXPECT_TRUE(alone.documents.empty());
    EXPECT_TRUE(says(alone.report.warnings, 2, "there is a correction alone"));
    EXPECT_EQ(alone.bill.size(), 1U);
}

TEST(Focus, CaseOfACorrectionIsThePricePaid) {
    SKIP_WITHOUT_CASE("focus-correction.csv");
    const Reading reading = read_cases("focus", {"focus-correction.csv"});
    ASSERT_EQ(reading.documents.size(), 1U);
    EXPECT_EQ(std::get<model::Offer>(reading.documents.front()).hourly_price.curve->y, std::vector<double>{25.0});
}

TEST(Focus, TakesNoZeroForAPrice) {
    const Reading reading = read_text("focus", kFocusHeader + row("32.77", "0", "Usage", "NULL", "NULL", "1", "Standard"), kBill);
    EXPECT_TRUE(reading.documents.empty());
    EXPECT_EQ(reading.bill.size(), 1U);
    EXPECT_TRUE(
        says(reading.report.rejected, 2, "us-east-1, on_demand, 2024-09-05: EffectiveCost is 0 in 1 hours; zero is not a price"));
    EXPECT_TRUE(says(reading.report.warnings, 2, "1 rows without a commitment have EffectiveCost 0"));
}

// Ids have no punctuation but a hyphen: two names of a region come to one.
TEST(Focus, RejectsASecondPriceOfOneIdAndDay) {
    const auto second = [](const std::string& cost) {
        std::string row = hour("23", cost);
        row.replace(row.find("us-west-2"), 9, "us west 2");
        return read_text("focus", kFocusHeader + hour("22", "3.06") + row, kBill);
    };
    const Reading other = second("2.94");
    ASSERT_EQ(other.count<model::Offer>(), 1U);
    const auto* const offer = other.find<model::Offer>("paid.aws.p3.2xlarge.us-west-2.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->hourly_price.curve->y.size(), 1U);
    EXPECT_EQ(other.report.rejected.count, 1U);
    EXPECT_TRUE(says(other.report.rejected, 3, "has two prices on one day") || says(other.report.rejected, 2, "has two prices"));
    EXPECT_EQ(other.bill.size(), 2U) << "both were paid";
    EXPECT_EQ(second("3.06").report.rejected.count, 0U) << "one price twice";
}

TEST(Focus, ReadsAzuresColumns) {
    const Reading reading =
        read_text("focus",
                  "BilledCost,BillingCurrency,ChargeCategory,ChargeDescription,ChargePeriodStart,EffectiveCost,"
                  "PricingCategory,PricingQuantity,PricingUnit,ProviderName,RegionId,ResourceType,ServiceCategory,"
                  "SkuId,x_SkuMeterName\n"
                  "4.4,EUR,Usage,Virtual Machines NCads A100 v4 Series - NC24ads A100 v4 Spot - DE West Central,"
                  "2024-09-05T00:00Z,4.4,Dynamic,4,1 Hour,Microsoft,germanywestcentral,Virtual machine,Compute,"
                  "DZH318Z08PWK,NC24ads A100 v4 Spot\n",
                  kBill);
    const auto* const offer = reading.find<model::Offer>("paid.azure.standard_nc24ads_a100_v4.germanywestcentral.spot");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->device.id, "nvidia.a100-pcie-80gb");
    EXPECT_NEAR(offer->hourly_price.curve->y[0], 1.1, 1e-12);
    EXPECT_EQ(offer->currency, "EUR");
}

TEST(Focus, ReadsGooglesColumns) {
    const Reading reading =
        read_text("focus",
                  "BilledCost,BillingCurrency,ChargeCategory,ChargeDescription,ChargePeriodStart,ConsumedQuantity,"
                  "ConsumedUnit,EffectiveCost,ProviderName,RegionId,ServiceCategory,SkuId,x_InstanceType\n"
                  "7.5,USD,Usage,Instance,2024-09-05 00:00:00 UTC,7200,seconds,7.5,Google Cloud,us-central1,"
                  "Compute,AAAA-BBBB,a2-highgpu-1g\n"
                  "0.1,USD,Usage,Network egress,2024-09-05 00:00:00 UTC,2,gibibytes,0.1,Google Cloud,us-central1,"
                  "Compute,CCCC-DDDD,a2-highgpu-1g\n",
                  kBill);
    const auto* const offer = reading.find<model::Offer>("paid.gcp.a2-highgpu-1g.us-central1.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_DOUBLE_EQ(offer->hourly_price.curve->y[0], 3.75);
    ASSERT_EQ(reading.bill.size(), 2U);
    EXPECT_EQ(reading.bill[1].sku, "CCCC-DDDD");
    EXPECT_EQ(reading.bill[1].purchase, "");
    EXPECT_EQ(reading.bill[1].device, "");
}

TEST(Focus, SaysWhyAUnitThatIsNoHourGivesNoPrice) {
    std::string row = hour("22", "3.06");
    row.replace(row.find("\"Hours\""), 7, "\"GPU Hours\"");
    const Reading reading = read_text("focus", kFocusHeader + row, kBill);
    EXPECT_EQ(reading.count<model::Offer>(), 0U);
    EXPECT_TRUE(says(reading.report.warnings, 2,
                     "1 rows of instances are in \"GPU Hours\" or another unit than hours of an instance: no price paid is made of "
                     "them"));
}

TEST(Focus, WantsTheCurrencyOfAMixedBill) {
    std::string euros = hour("21", "1");
    euros.replace(euros.find("USD"), 3, "EUR");
    const std::string text = kFocusHeader + hour("22", "3.06") + euros;
    const Reading mixed = read_text("focus", text, kBill);
    ASSERT_TRUE(mixed.error);
    EXPECT_EQ(mixed.error->message, "BillingCurrency is EUR and USD in one bill; say with the option currency which one to read");
    Options options = kBill;
    options.currency = "USD";
    const Reading said = read_text("focus", text, options);
    ASSERT_FALSE(said.error);
    EXPECT_EQ(said.bill.size(), 1U);
    EXPECT_TRUE(says(said.report.rejected, 3, "BillingCurrency is EUR; the bill is read in USD"));
}

TEST(Focus, RejectsRowsThatCannotBeUsed) {
    std::string no_cost = row("1", "NULL", "Usage", "NULL", "NULL", "1", "Standard");
    std::string no_day = row("1", "1", "Usage", "NULL", "NULL", "1", "Standard");
    no_day.replace(no_day.find("2024-09-05T"), 11, "2024-13-05T");
    const Reading reading =
        read_text("focus", kFocusHeader + no_cost + no_day + row("1", "1", "Gift", "NULL", "NULL", "1", "Standard"), kBill);
    EXPECT_TRUE(says(reading.report.rejected, 2, "EffectiveCost is NULL"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "ChargePeriodStart is 2024-13-05"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "ChargeCategory is Gift"));
}

TEST(Focus, RefusesOtherFiles) {
    EXPECT_EQ(read_text("focus", "BilledCost,Tags\n1,2\n", kBill).error->message,
              "row 1: the header has no column named EffectiveCost, BillingCurrency, ChargeCategory, ChargePeriodStart");
    EXPECT_TRUE(read_text("focus", "", kBill).error);
    EXPECT_TRUE(read_text("focus", kFocusHeader, kBill).error);
    EXPECT_TRUE(read_text("focus", kFocusHeader + "1,\"USD", kBill).error);
}

TEST(FocusMachines, AreFoundInTheTextsOfProviders) {
    struct Row {
        std::string_view text;
        std::string_view type;
    };
    for (const Row& one : {Row{"$32.77 per On Demand Linux p4d.24xlarge Instance Hour", "p4d.24xlarge"},
                           Row{"USW2-BoxUsage:p3.2xlarge", "p3.2xlarge"},
                           Row{R"({"VMName":"a","ServiceType":"Standard_ND96isr_H100_v5","VCPUs":96})", "Standard_ND96isr_H100_v5"},
                           Row{"NC40ads H100 v5", "Standard_NC40ads_H100_v5"}, Row{"p3.2xlarge, Linux.", "p3.2xlarge"}}) {
        const auto found = find_instance(std::span(&one.text, 1));
        ASSERT_TRUE(found) << one.text;
        EXPECT_EQ(found->type, one.type);
    }
    for (const std::string_view text :
         {"ml.p3.2xlarge", "c5.2xlarge", "$0.34 per hour", "A2 Instance Core running in Americas", ""}) {
        EXPECT_FALSE(find_instance(std::span(&text, 1))) << text;
    }
}

TEST(FocusMachines, ReadUnitsOfTime) {
    EXPECT_EQ(hours_in("Hours"), 1.0);
    EXPECT_EQ(hours_in("1 Hour"), 1.0);
    EXPECT_EQ(hours_in("100 Hours"), 100.0);
    EXPECT_EQ(hours_in("seconds"), 1.0 / 3600.0);
    EXPECT_FALSE(hours_in("GB"));
    EXPECT_FALSE(hours_in("vCPU-Hours"));
    EXPECT_FALSE(hours_in("LCU-Hours"));
    EXPECT_FALSE(hours_in(""));
    EXPECT_TRUE(is_beside_the_machine("USE1-EBSOptimized:p2.xlarge"));
}

TEST(Focus, ReadsTheRealFile) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("focus", {"focus-1.0/focus_sample.csv"}, {});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 256U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    double billed = 0.0;
    double effective = 0.0;
    double hours = 0.0;
    for (const BillLine& line : reading.bill) {
        billed += line.billed_cost;
        effective += line.effective_cost;
        hours += line.hours;
    }
    // Sums of the columns; hours of the 9 rows whose ResourceType is instance, an hour each (Python).
    EXPECT_NEAR(billed, 6.5891077654, 1e-9);
    EXPECT_NEAR(effective, 4.568017758, 1e-9);
    EXPECT_NEAR(hours, 9.0, 1e-9);
}

} // namespace
} // namespace costcurve::imports
