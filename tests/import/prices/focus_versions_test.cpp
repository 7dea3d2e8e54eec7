// Bills by the version of FOCUS that their columns are of, and rows that no bill should have: impossible days, negative hours, a
// list below what is paid, copies. Rules: FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec, specification/datasets/cost_and_usage.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/prices/focus_columns.hpp"
#include "server/import/prices/focus_machines.hpp"

namespace costcurve::imports {
namespace {

const Options kVersioned{.name = "bill.csv", .source = "a bill"};
const std::string kVersionedHeader =
    "BilledCost,EffectiveCost,ListCost,BillingCurrency,ChargeCategory,ChargeClass,ChargePeriodStart,ChargePeriodEnd,"
    "ServiceProviderName,HostProviderName,RegionId,ServiceCategory,SkuId,x_InstanceType,ResourceId,ConsumedQuantity,ConsumedUnit\n";

// 24 hours of a machine of eight H100 for 1000 USD, with what a test changes.
struct MachineDay {
    std::string cost = "1000";
    std::string list = "1300";
    std::string category = "Usage";
    std::string charge_class = {};
    std::string start = "2026-10-01T00:00:00Z";
    std::string end = "2026-10-02T00:00:00Z";
    std::string hours = "24";
    std::string unit = "Hours";
    std::string resource = "i-1";
    [[nodiscard]] std::string text() const {
        return fmt::format("{},{},{},USD,{},{},{},{},AWS,AWS,us-east-1,Compute,S,p5.48xlarge,{},{},{}\n", cost, cost, list,
                           category, charge_class, start, end, resource, hours, hours.empty() ? "" : unit);
    }
};

Reading read_days(const std::vector<MachineDay>& days, const Options& options = kVersioned) {
    std::string text = kVersionedHeader;
    for (const MachineDay& day : days) {
        text += day.text();
    }
    return read_text("focus", text, options);
}

std::optional<double> paid_hour(const Reading& reading) {
    const auto* const offer = reading.find<model::Offer>("paid.aws.p5.48xlarge.us-east-1.on-demand");
    return offer == nullptr ? std::nullopt : std::optional(offer->hourly_price.curve->y.at(0));
}

double cost_of(const Reading& reading) {
    double cost = 0.0;
    for (const BillLine& line : reading.bill) {
        cost += line.effective_cost;
    }
    return cost;
}

TEST(FocusVersions, AreKnownByTheirColumns) {
    const std::vector<std::string> oldest{"BilledCost", "EffectiveCost", "ProviderName", "ChargeClass", "Tags"};
    const auto with = [&](std::string_view column) {
        std::vector<std::string> header = oldest;
        header.emplace_back(column);
        return focus_version(header);
    };
    EXPECT_EQ(focus_version(oldest), "1.0");
    EXPECT_EQ(with("CommitmentDiscountQuantity"), "1.1");
    EXPECT_EQ(with("SkuPriceDetails"), "1.1");
    EXPECT_EQ(with("InvoiceId"), "1.2");
    EXPECT_EQ(with("PricingCurrencyEffectiveCost"), "1.2");
    EXPECT_EQ(with("PricingCurrency"), "1.2");
    EXPECT_EQ(with("AllocatedMethodId"), "1.3");
    EXPECT_EQ(with("ServiceProviderName"), "1.3") << "beside ProviderName, which 1.3 must have";
    EXPECT_EQ(with("CommitmentProgramEligibilityDetails"), "1.4");
    EXPECT_EQ(with("x_InvoiceId"), "1.0");
    EXPECT_EQ(focus_version({"BilledCost", "ServiceProviderName", "HostProviderName"}), "1.4") << "without ProviderName";
    EXPECT_EQ(focus_version({"ContractCommitmentId", "ContractCommitmentUnit"}), "1.3");
    EXPECT_EQ(focus_version({"ContractCommitmentId", "ServiceProviderName", "ContractCommitmentLifecycleStatus"}), "1.4");
    EXPECT_EQ(read_days({{}}).report.format_version, "1.4");
}

TEST(FocusVersions, OfPublishedFilesAreTheirs) {
    SKIP_WITHOUT_SHARED();
    EXPECT_EQ(read_shared("focus", {"focus-1.0/focus_sample.csv"}).report.format_version, "1.0");
    EXPECT_EQ(read_shared("focus", {"focus-spec-1.2/saas_examples/virtual_currency_pricing_model_a2.csv"}).report.format_version,
              "1.2");
    EXPECT_EQ(read_shared("focus", {"focus-1.3/focus_sample_costandusage_gcp_first7.csv"}).report.format_version, "1.3");
}

TEST(FocusDays, ThatCannotBeAreRejectedByRow) {
    const Reading reading = read_days({{.start = "9999-12-01T00:00:00Z", .end = "9999-12-02T00:00:00Z"},
                                       {.start = "1970-01-01T00:00:00Z"},
                                       {.start = "0001-01-01T00:00:00Z"},
                                       {.start = "2026-02-30T00:00:00Z"},
                                       {.start = "2026-10-03T00:00:00Z", .end = "2026-10-02T00:00:00Z"},
                                       {.start = "2026-10-05T00:00:00Z", .end = ""},
                                       {}});
    EXPECT_EQ(reading.report.rejected.rows, 5U);
    EXPECT_TRUE(says(reading.report.rejected, 2, "ChargePeriodStart is 9999-12-01T00:00:00Z; days from 2000-01-01 to 2099-12-31"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "days from 2000-01-01"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "ChargePeriodEnd is 2026-10-02T00:00:00Z, before ChargePeriodStart"));
    EXPECT_EQ(reading.bill.size(), 2U);
    EXPECT_DOUBLE_EQ(paid_hour(reading).value_or(0), 1000.0 / 24) << "the rest lands, and its price";
}

TEST(FocusDays, ToComeAreNotBilled) {
    Options options = kVersioned;
    options.today = 20'727; // 2026-10-01: 56 years of 365 days, 14 leap days, 273 days
    ASSERT_EQ(model::date_text(*options.today), "2026-10-01");
    const auto of = [](const std::string& day, const std::string& category) {
        return MachineDay{.category = category, .start = day + "T00:00:00Z", .end = ""};
    };
    const Reading reading = read_days({of("2026-10-01", "Usage"), of("2026-10-02", "Usage"), of("2026-10-03", "Usage"),
                                       of("2026-11-01", "Purchase"), of("2026-11-02", "Tax"), of("2027-10-01", "Usage")},
                                      options);
    EXPECT_EQ(reading.bill.size(), 3U) << "tomorrow, where a zone is ahead; a fee of next month";
    ASSERT_EQ(reading.report.rejected.rows, 3U);
    EXPECT_TRUE(says(reading.report.rejected, 4, "a day to come: usage up to 2026-10-02 are billed"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "other charges up to 2026-11-01"));
    options.today.reset();
    EXPECT_EQ(read_days({of("2027-10-01", "Usage")}, options).bill.size(), 1U) << "forced";
}

// 1000 USD for 24 h, and what corrects it: by hand.
TEST(FocusCorrections, NetWithWhatTheyCorrect) {
    struct Case {
        const char* what;
        MachineDay correction;
        double cost;
        double price;
    };
    for (const Case& row :
         {Case{"of a closed period", {.cost = "-400", .list = "-520", .charge_class = "Correction", .hours = ""}, 600, 25.0},
          Case{"of hours", {.cost = "-500", .list = "-650", .charge_class = "Correction", .hours = "-12"}, 500, 500.0 / 12},
          Case{"of an open period, without a class", {.cost = "-400", .list = "-520", .hours = ""}, 600, 25.0},
          Case{"of hours of an open period", {.cost = "-500", .list = "-650", .hours = "-12"}, 500, 500.0 / 12},
          Case{"that repeats the hours of its charge", {.cost = "-400", .list = "-520", .hours = "24"}, 600, 25.0},
          Case{
              "of a credit, which is apart", {.cost = "-400", .list = "-400", .category = "Credit", .hours = ""}, 600, 1000.0 / 24},
          Case{"of an adjustment", {.cost = "-400", .category = "Adjustment", .hours = ""}, 600, 1000.0 / 24},
          Case{"of tax", {.cost = "80", .category = "Tax", .hours = ""}, 1080, 1000.0 / 24}}) {
        const Reading reading = read_days({{}, row.correction});
        ASSERT_FALSE(reading.error) << row.what;
        EXPECT_EQ(reading.report.rejected.count, 0U) << row.what;
        EXPECT_DOUBLE_EQ(cost_of(reading), row.cost) << row.what;
        EXPECT_DOUBLE_EQ(paid_hour(reading).value_or(0), row.price) << row.what;
    }
    const Reading repeats = read_days({{}, {.cost = "-400", .list = "-520", .hours = "24"}});
    EXPECT_TRUE(says(repeats.report.warnings, 3, "1 rows of instances have a cost below 0 for hours above 0"));
    double hours = 0.0;
    for (const BillLine& line : repeats.bill) {
        hours += line.hours;
    }
    EXPECT_EQ(hours, 24.0);
}

TEST(Focus, UsageThatReachesAnotherMonthIsWarnedOf) {
    const Reading whole = read_days({{}, {.end = "2026-11-01T00:00:00Z", .resource = "i-2"}});
    EXPECT_FALSE(says(whole.report.warnings, 3, "reaches another month")) << "to the last day of October";
    const Reading reading = read_days({{}, {.end = "2026-11-15T00:00:00Z", .resource = "i-2"}});
    EXPECT_TRUE(says(reading.report.warnings, 3, "1 rows of usage have a charge period that reaches another month"));
}

TEST(FocusCorrections, AloneArePricesOfNothing) {
    for (const std::string& charge_class : {std::string("Correction"), std::string()}) {
        const Reading reading = read_days({{.cost = "-500", .list = "-650", .charge_class = charge_class, .hours = "-12"}});
        EXPECT_EQ(paid_hour(reading), std::nullopt);
        EXPECT_EQ(cost_of(reading), -500.0) << "money that came back stays on the bill";
        EXPECT_TRUE(says(reading.report.warnings, 2, "there is a correction alone"));
    }
}

TEST(FocusRows, WithAListBelowWhatIsPaidAndCopiesAreNamed) {
    const Reading reading = read_days({{.list = "500"}, {.list = "999.999"}, {}, {}, {}});
    EXPECT_TRUE(says(reading.report.warnings, 2, "1 rows of usage have a ListCost below their EffectiveCost"));
    EXPECT_TRUE(says(reading.report.warnings, 5, "2 rows are the same as an earlier one in every column; they count each"));
    EXPECT_EQ(cost_of(reading), 5000.0);
    EXPECT_EQ(read_days({{}, {.resource = "i-2"}}).report.warnings.count, 0U);
}

// The specification lists a part that is unused at 0.
TEST(FocusRows, OfCommitmentsAreListedBelowTheirCost) {
    const Reading reading =
        read_text("focus",
                  "BilledCost,EffectiveCost,ListCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ProviderName,"
                  "CommitmentDiscountId,CommitmentDiscountStatus,TokenClass\n"
                  "0,120,0,USD,Usage,2026-10-01T00:00:00Z,AWS,ri-1,Unused,Input\n",
                  kVersioned);
    EXPECT_TRUE(says(reading.report.warnings, 0, "fields that are not read, and how often they have a value: TokenClass (1)"));
    EXPECT_EQ(reading.report.warnings.count, 1U);
}

TEST(FocusRows, ThatAreHalfBlankAreRejectedWithWhatTheyLack) {
    const Reading reading = read_text("focus",
                                      kVersionedHeader + "1000,,,,Usage,,2026-10-04T00:00:00Z\n" + ",,,,,,,,,,,,,,,,\n" +
                                          "1,1,1,USD,,,2026-10-04\n" + "1,1,1,USD,Usage,,2026-10-04\n" + MachineDay{}.text(),
                                      kVersioned);
    EXPECT_TRUE(says(reading.report.rejected, 2, "EffectiveCost is"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "ChargeCategory is"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "ServiceProviderName or ProviderName is blank; give the option provider"));
    EXPECT_EQ(reading.bill.size(), 1U);
}

TEST(FocusRows, AreAHundredThousandInSeconds) {
    std::string text = kVersionedHeader;
    for (int i = 0; i < 100'000; ++i) {
        text += MachineDay{.start = fmt::format("2026-{:02}-{:02}T00:00:00Z", i % 9 + 1, i % 28 + 1),
                           .end = "",
                           .resource = fmt::format("i-{}", i % 500)}
                    .text();
    }
    const Reading reading = read_text("focus", text, kVersioned);
    EXPECT_EQ(reading.report.rows, 100'000U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    EXPECT_DOUBLE_EQ(cost_of(reading), 1e8);
}

// A seller's unit may be called by three capital letters: it is no money.
TEST(FocusCurrencies, OfSellersAreVirtual) {
    for (const auto& [currency, is_virtual] : {std::pair("DBU", true), std::pair("Credits", true), std::pair("Token", true),
                                               std::pair("EUR", false), std::pair("USD", false)}) {
        const Reading reading =
            read_text("focus",
                      fmt::format("BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ProviderName,"
                                  "PricingCurrency,PricingCurrencyEffectiveCost\n0,55,USD,Usage,2026-10-01,Databricks,{},100\n",
                                  currency),
                      kVersioned);
        ASSERT_EQ(reading.bill.size(), 1U) << currency;
        EXPECT_EQ(reading.bill[0].virtual_currency, is_virtual ? currency : "");
        EXPECT_EQ(reading.bill[0].virtual_currency_cost, is_virtual ? 100.0 : 0.0);
    }
    EXPECT_TRUE(is_national_currency("ZWG"));
    EXPECT_FALSE(is_national_currency("US "));
    EXPECT_FALSE(is_national_currency(""));
}

TEST(FocusMachines, ReadThousandsOfTokens) {
    EXPECT_EQ(tokens_in("1,000 Tokens"), 1e3);
    EXPECT_EQ(tokens_in("1,000,000 Tokens"), 1e6);
    for (const std::string_view unit : {"0,5 tokens", "1,5 tokens", "1,0000 tokens", ",000 tokens", "0,500 tokens"}) {
        EXPECT_FALSE(tokens_in(unit)) << unit;
    }
}

// Contract Commitment of 1.4: the seller stands in the row, and what nobody agrees on any more is no price.
TEST(FocusCommitments, OfVersion14AreOfTheirSellerWhileTheyHold) {
    const std::string header =
        "BillingCurrency,ContractCommitmentCategory,ContractCommitmentCost,ContractCommitmentDescription,"
        "ContractCommitmentId,ContractCommitmentLifecycleStatus,ContractCommitmentPeriodEnd,"
        "ContractCommitmentPeriodStart,ContractCommitmentQuantity,ContractCommitmentUnit,ServiceProviderName\n";
    const auto row = [](const std::string& id, const std::string& status, const std::string& seller) {
        return fmt::format("USD,Usage,438000,p5.48xlarge,{},{},2027-05-01T00:00:00Z,2026-05-01T00:00:00Z,8760,Hours,{}\n", id,
                           status, seller);
    };
    const Reading reading = read_text("focus_commitments",
                                      header + row("a", "Active", "AWS") + row("b", "Proposed", "AWS") +
                                          row("c", "Superseded", "AWS") + row("d", "Canceled", "AWS") + row("e", "Active", ""),
                                      kVersioned);
    EXPECT_EQ(reading.report.format_version, "1.4");
    EXPECT_EQ(reading.count<model::Offer>(), 1U);
    const auto* const offer = reading.find<model::Offer>("contract.aws.p5.48xlarge.committed-12");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->hourly_price.curve->y, std::vector<double>{50});
    EXPECT_TRUE(says(reading.report.rejected, 3, "b is Proposed: no price of it can be had"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "ServiceProviderName is blank; give the option provider"));
}

} // namespace
} // namespace costcurve::imports
