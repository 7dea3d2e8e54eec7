// Lines of FOCUS bills by resource, tags, commitment and units; the specification's own examples; bad cells; a million rows.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/prices/bill_sums.hpp"
#include "server/import/prices/bill_tags.hpp"
#include "server/import/prices/focus_columns.hpp"
#include "server/import/prices/focus_dates.hpp"
#include "server/import/prices/focus_machines.hpp"

namespace costcurve::imports {
namespace {

const Options kLines{.name = "bill.csv", .source = "a bill"};

using Cells = std::vector<std::pair<std::string, std::vector<std::string>>>; // by column

// A row by its cells; the header is theirs.
std::string bill_of(const Cells& columns) {
    std::string text = "BillingCurrency,ProviderName,RegionId";
    for (const auto& [name, cells] : columns) {
        text += "," + name;
    }
    for (std::size_t row = 0; row < columns.front().second.size(); ++row) {
        text += "\nUSD,AWS,us-east-1";
        for (const auto& [name, cells] : columns) {
            std::string quoted;
            for (const char c : cells[row]) {
                quoted += c == '"' ? "\"\"" : std::string(1, c);
            }
            text += ",\"" + quoted + "\"";
        }
    }
    return text + "\n";
}

double sum(const Reading& reading, double BillLine::*figure, std::string_view category = "usage") {
    double total = 0.0;
    for (const BillLine& line : reading.bill) {
        total += line.category == category ? line.*figure : 0.0;
    }
    return total;
}

TEST(FocusLines, KeepResourcesTagsCommitmentsAndQuantities) {
    const std::string day = "2026-05-01T00:00:00Z";
    const Reading reading = read_text(
        "focus",
        bill_of({{"BilledCost", {"1", "2", "4", "8"}},
                 {"EffectiveCost", {"1", "2", "4", "8"}},
                 {"ListCost", {"2", "4", "8", "16"}},
                 {"ChargeCategory", {"Usage", "Usage", "Usage", "Usage"}},
                 {"ChargePeriodStart", {day, "2026-05-01T01:00:00Z", day, day}},
                 {"SkuId", {"S", "S", "S", "S"}},
                 {"ResourceId", {"i-1", "i-1", "i-2", "i-1"}},
                 {"Tags", {R"({"team": "blue", "env":"prod"})", R"({"env":"prod","team":"blue"})", R"({"team":"red"})", "NULL"}},
                 {"SubAccountId", {"a", "a", "a", "a"}},
                 {"CommitmentDiscountId", {"", "", "sp-1", ""}},
                 {"CommitmentDiscountStatus", {"", "", "Used", ""}},
                 {"ConsumedQuantity", {"3", "5", "7", "9"}},
                 {"ConsumedUnit", {"GB", "GB", "GB", "GB"}},
                 {"PricingQuantity", {"30", "50", "70", "90"}},
                 {"PricingUnit", {"100 MB", "100 MB", "100 MB", "100 MB"}}}),
        kLines);
    ASSERT_FALSE(reading.error);
    ASSERT_EQ(reading.bill.size(), 3U) << "the same tags in another order are the same line";
    const BillLine& first = reading.bill[0];
    EXPECT_EQ(first.resource, "i-1");
    EXPECT_EQ(first.tags, R"({"env":"prod","team":"blue"})");
    EXPECT_EQ(first.account, "/a");
    EXPECT_EQ(first.billed_cost, 3.0);
    EXPECT_EQ(first.consumed_unit, "GB");
    EXPECT_EQ(first.consumed_quantity, 8.0);
    EXPECT_EQ(first.priced_unit, "100 MB");
    EXPECT_EQ(first.priced_quantity, 80.0);
    EXPECT_EQ(reading.bill[1].commitment, "sp-1");
    EXPECT_EQ(reading.bill[1].commitment_status, "used");
    EXPECT_EQ(reading.bill[2].tags, "");
    EXPECT_EQ(reading.report.rejected.count + reading.report.warnings.count, 0U);
}

// A charge with a cell in every column of both tables.
Cells full_charge() {
    Cells columns{{"ChargeCategory", {"Usage"}}, {"ChargePeriodStart", {"2026-05-01T00:00:00Z"}}};
    for (const FocusText& text : kFocusTexts) {
        columns.push_back({std::string(text.name), {fmt::format("of {}", text.name)}});
    }
    for (const FocusCost& cost : kFocusCosts) {
        columns.push_back({std::string(cost.name), {fmt::format("{}.5", cost.name.size())}});
    }
    return columns;
}

TEST(FocusLines, HaveEachTextAndCostOfTheTables) {
    const Reading reading = read_text("focus", bill_of(full_charge()), kLines);
    ASSERT_EQ(reading.bill.size(), 1U);
    for (const FocusText& text : kFocusTexts) {
        EXPECT_EQ(reading.bill[0].*text.member, fmt::format("of {}", text.name));
    }
    for (const FocusCost& cost : kFocusCosts) {
        EXPECT_EQ(reading.bill[0].*cost.member, static_cast<double>(cost.name.size()) + 0.5) << cost.name;
    }
}

TEST(FocusLines, AreRejectedWithoutANeededCostOrWithACostThatIsNoNumber) {
    for (const FocusCost& cost : kFocusCosts) {
        for (const char* const cell : {"", "NULL", "much"}) {
            Cells columns = full_charge();
            std::ranges::find(columns, cost.name, &Cells::value_type::first)->second = {cell};
            const Reading reading = read_text("focus", bill_of(columns), kLines);
            const bool is_good = !cost.is_needed && std::string_view(cell) != "much";
            EXPECT_EQ(reading.bill.size(), is_good ? 1U : 0U) << cost.name << " " << cell;
            EXPECT_EQ(says(reading.report.rejected, 2, "; numbers are needed"), !is_good) << cost.name << " " << cell;
            EXPECT_EQ(says(reading.report.rejected, 2, fmt::format("{} is much", cost.name)), std::string_view(cell) == "much");
        }
    }
}

TEST(FocusLines, CountTokens) {
    const std::string day = "2026-05-01T00:00:00Z";
    const Reading reading = read_text("focus",
                                      bill_of({{"BilledCost", {"1", "2", "3", "4"}},
                                               {"EffectiveCost", {"1", "2", "3", "4"}},
                                               {"ChargeCategory", {"Usage", "Usage", "Usage", "Purchase"}},
                                               {"ChargePeriodStart", {day, day, day, day}},
                                               {"ConsumedQuantity", {"12.5", "", "245", ""}},
                                               {"ConsumedUnit", {"1K tokens", "", "Execution", ""}},
                                               {"PricingQuantity", {"0.0125", "2", "245", "100000"}},
                                               {"PricingUnit", {"1M tokens", "Million tokens", "Tokens", "Token"}},
                                               {"PricingCurrency", {"USD", "", "Token", "USD"}},
                                               {"PricingCurrencyEffectiveCost", {"1", "", "490", "0"}}}),
                                      kLines);
    EXPECT_EQ(sum(reading, &BillLine::tokens), 12'500.0 + 2e6) << "those of a virtual currency are none of a model";
    EXPECT_EQ(sum(reading, &BillLine::virtual_currency_cost), 490.0);
    EXPECT_EQ(sum(reading, &BillLine::tokens, "purchase"), 0.0) << "bought, not used";
    EXPECT_EQ(sum(reading, &BillLine::billed_cost, "purchase"), 4.0);
}

TEST(FocusLines, WithBrokenTagsAreKeptAndNamed) {
    const std::vector<std::string> cells{
        R"({"team": "blue")",           R"(["team"])",          "team=blue",
        R"({"a":{"b":"c"}})",           R"({"a":"1","a":"2"})", R"({"team":"blue","n":3,"t":true,"gone":null})",
        "\"; DROP TABLE bill_line; --", std::string(200, '[')};
    const std::vector<std::string> ones(cells.size(), "1");
    const Reading reading = read_text("focus",
                                      bill_of({{"BilledCost", ones},
                                               {"EffectiveCost", ones},
                                               {"ChargeCategory", std::vector<std::string>(cells.size(), "Usage")},
                                               {"ChargePeriodStart", std::vector<std::string>(cells.size(), "2026-05-01")},
                                               {"Tags", cells}}),
                                      kLines);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    EXPECT_EQ(reading.report.warnings.rows, cells.size() - 1);
    EXPECT_TRUE(says(reading.report.warnings, 2, "Tags is {\"team\": \"blue\": it is not JSON"));
    EXPECT_TRUE(says(reading.report.warnings, 3, "it is a list"));
    EXPECT_TRUE(says(reading.report.warnings, 5, "a is a list or an object; a text is needed"));
    EXPECT_TRUE(says(reading.report.warnings, 6, "the key \"a\" twice"));
    EXPECT_EQ(sum(reading, &BillLine::billed_cost), static_cast<double>(cells.size())) << "no row's money is lost";
    ASSERT_EQ(reading.bill.size(), 2U);
    EXPECT_EQ(reading.bill[1].tags, R"({"n":"3","t":"true","team":"blue"})");
}

TEST(FocusLines, HaveTheTagsOfWhatTheyAreAllocatedTo) {
    const Reading reading = read_text("focus",
                                      bill_of({{"BilledCost", {"1"}},
                                               {"EffectiveCost", {"1"}},
                                               {"ChargeCategory", {"Usage"}},
                                               {"ChargePeriodStart", {"2026-05-01"}},
                                               {"AllocatedTags", {R"({"team":"search","workload":"w"})"}},
                                               {"Tags", {R"({"env":"dev","team":"platform"})"}}}),
                                      kLines);
    EXPECT_EQ(reading.bill.at(0).tags, R"({"env":"dev","team":"search","workload":"w"})");
}

TEST(FocusLines, WarnOfAPurchaseThatCostsWhatItCovers) {
    const std::string day = "2026-05-01";
    const Reading reading = read_text("focus",
                                      bill_of({{"BilledCost", {"24", "0"}},
                                               {"EffectiveCost", {"24", "24"}},
                                               {"ChargeCategory", {"Purchase", "Usage"}},
                                               {"ChargePeriodStart", {day, day}},
                                               {"CommitmentDiscountId", {"ri-1", "ri-1"}},
                                               {"CommitmentDiscountStatus", {"", "Used"}}}),
                                      kLines);
    EXPECT_TRUE(says(reading.report.warnings, 2, "1 purchases of commitments have an EffectiveCost, 24 in all, where FOCUS has 0"));
    EXPECT_EQ(sum(reading, &BillLine::effective_cost), 24.0);
}

TEST(FocusDates, AreReadWhereTheRowSaysWhichNumberIsTheMonth) {
    struct Case {
        std::string_view charge, begin, end;
        std::string wanted;
    };
    for (const Case& row :
         {Case{"2025-04-02T10:00:00Z", "", "", "2025-04-02"}, Case{"4/1/25", "4/1/25", "5/1/25", "2025-04-01"},
          Case{"4/2/25", "4/1/25", "5/1/25", "2025-04-02"}, Case{"2/4/2025", "1/4/2025", "1/5/2025", "2025-04-02"},
          Case{"12/31/25", "", "", "2025-12-31"}, Case{"31/12/25", "", "", "2025-12-31"}, Case{"3/3/25", "", "", "2025-03-03"},
          Case{"3/4/25", "", "", ""}, Case{"3/4/25", "1/1/25", "1/1/26", ""}, Case{"13/13/25", "", "", ""},
          Case{"2/30/25", "", "", ""}, Case{"0/1/25", "0/1/25", "0/1/25", ""}, Case{"4/1", "", "", ""},
          Case{"2023-02-01T30:00:00Z", "", "", ""}, Case{"", "", "", ""}}) {
        const auto day = charge_day(row.charge, row.begin, row.end);
        EXPECT_EQ(day ? model::date_text(*day) : "", row.wanted) << row.charge << " in " << row.begin << " to " << row.end;
    }
}

TEST(FocusMachines, ReadUnitsOfTokens) {
    EXPECT_EQ(tokens_in("Tokens"), 1.0);
    EXPECT_EQ(tokens_in("1K tokens"), 1e3);
    EXPECT_EQ(tokens_in("1000 input tokens"), 1e3);
    EXPECT_EQ(tokens_in("1M Tokens"), 1e6);
    EXPECT_EQ(tokens_in("Million output tokens"), 1e6);
    for (const std::string_view unit : {"", "Hours", "token bucket", "access tokens", "-1 tokens", "inf tokens", "1K", "tokenss"}) {
        EXPECT_FALSE(tokens_in(unit)) << unit;
    }
}

TEST(BillTags, AreOneTextForTheSameTags) {
    EXPECT_EQ(canonical_tags({}), "");
    EXPECT_EQ(canonical_tags({{"b", "2"}, {"a", "\"\\\n"}}), R"({"a":"\"\\\u000a","b":"2"})");
    EXPECT_EQ(read_tags(canonical_tags({{"b", "2"}, {"a", "\"\\\n"}})).tags.at("a"), "\"\\\n");
    EXPECT_EQ(read_tags(fmt::format(R"({{"a":"{}"}})", std::string(1025, 'x'))).complaint,
              "a key or a value has more than 1024 bytes");
}

// Commitments: what they cover costs what was paid for them. Each file has an hour of a commitment, and of usage.
TEST(FocusSpecification, SpreadsCommitmentsOverWhatTheyCover) {
    SKIP_WITHOUT_SHARED();
    const Options options{.provider = "example", .currency = "USD"};
    const std::string flexibility = "focus-spec-1.2/commitment_discount_flexibility/";
    for (const std::string name : {"one_hundred_percent_utilization_with_commitment_discount_flexibility_with_1_resource",
                                   "one_hundred_percent_utilization_with_commitment_discount_flexibility_with_2_resources",
                                   "one_hundred_percent_utilization_without_commitment_discount_flexibility",
                                   "zero_percent_utilization_without_commitment_discount_flexibility"}) {
        const Reading reading = read_shared("focus", {flexibility + name + ".csv"}, options);
        ASSERT_FALSE(reading.error) << name << reading.error->message;
        EXPECT_EQ(reading.report.rejected.count, 0U) << name;
        EXPECT_DOUBLE_EQ(sum(reading, &BillLine::effective_cost),
                         sum(reading, &BillLine::billed_cost) + sum(reading, &BillLine::billed_cost, "purchase"))
            << name;
        EXPECT_EQ(sum(reading, &BillLine::effective_cost, "purchase"), 0.0) << name;
    }
    constexpr double kHoursOfYear = 8760.0;
    const std::string scenarios = "focus-spec-1.2/commitment_discount_scenarios/commitment_discount_";
    const Reading purchase = read_shared("focus", {scenarios + "purchase_scenario_1.csv"}, options);
    for (const int number : {1, 2, 3, 4}) {
        const Reading usage = read_shared("focus", {fmt::format("{}usage_scenario_{}.csv", scenarios, number)}, options);
        ASSERT_FALSE(usage.error) << number;
        double covered = 0.0;
        for (const BillLine& line : usage.bill) {
            covered += line.commitment.empty() ? 0.0 : line.effective_cost;
        }
        EXPECT_DOUBLE_EQ(covered * kHoursOfYear, sum(purchase, &BillLine::billed_cost, "purchase")) << number;
    }
    const Reading unused = read_shared("focus", {scenarios + "usage_scenario_3.csv"}, options);
    ASSERT_EQ(unused.bill.size(), 2U);
    EXPECT_EQ(unused.bill[1].commitment_status, "unused");
    EXPECT_EQ(unused.bill[1].effective_cost, 0.25);
}

TEST(FocusSpecification, HasVirtualCurrencies) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("focus", {"focus-spec-1.2/saas_examples/virtual_currency_pricing_model_a2.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.bill.size(), 3U);
    EXPECT_EQ(model::date_text(static_cast<double>(reading.bill[0].day)), "2025-04-01") << "4/1/25, of a period to 5/1/25";
    EXPECT_EQ(reading.bill[0].virtual_currency, "Token");
    EXPECT_EQ(sum(reading, &BillLine::virtual_currency_cost), 245.0 + 10.0 + 360.0);
    EXPECT_EQ(sum(reading, &BillLine::effective_cost), 490.0 + 20.0 + 720.0);
    EXPECT_EQ(sum(reading, &BillLine::billed_cost), 0.0) << "drawn from a balance";
    EXPECT_EQ(sum(reading, &BillLine::tokens), 0.0);
    EXPECT_EQ(reading.bill[2].resource, "718239-abd0-12353");
}

TEST(FocusSpecification, IsReadInAllOfItsExamples) {
    SKIP_WITHOUT_SHARED();
    const std::string folder = "focus-spec-1.2/saas_examples/";
    for (const std::string name :
         {"virtual_currency_pricing_model_a1", "virtual_currency_pricing_model_b1", "virtual_currency_pricing_model_b2",
          "virtual_currency_pricing_model_b3", "virtual_currency_pricing_model_c", "simple_agreements/simple_saas_agreements_a1",
          "simple_agreements/simple_saas_agreements_a2", "simple_agreements/simple_saas_agreements_a3",
          "simple_agreements/simple_saas_agreements_b", "simple_agreements/simple_saas_agreements_c",
          "spend_agreements/saas_spend_agreements_a1", "spend_agreements/saas_spend_agreements_a2",
          "spend_agreements/saas_spend_agreements_b1", "spend_agreements/saas_spend_agreements_b2"}) {
        const Reading reading = read_shared("focus", {folder + name + ".csv"});
        ASSERT_FALSE(reading.error) << name << reading.error->message;
        EXPECT_EQ(reading.report.rejected.count, 0U) << name << " " << reading.report.rejected.first.at(0).reason;
        EXPECT_GT(reading.bill.size(), 0U) << name;
    }
}

TEST(FocusSpecification, OfVersion13HasTagsAndSubAccounts) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("focus", {"focus-1.3/focus_sample_costandusage_gcp_first7.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rejected.count, 0U);
    ASSERT_EQ(reading.bill.size(), 7U);
    EXPECT_EQ(reading.bill[0].resource, "//storage.googleapis.com/projects/examplecorp-staging-552831/buckets/bucket-f36bd2c4");
    EXPECT_EQ(reading.bill[0].tags, R"({"cost-center":"cc-1042","environment":"dev","owner":"team-payments"})");
    EXPECT_EQ(reading.bill[0].account, "11C2D3-E4F506-A7B8C9/examplecorp-staging-552831");
    EXPECT_EQ(reading.bill[3].tags, R"({"cost-center":"cc-3110","environment":"dev","owner":"team-data","workload":"search"})");
    EXPECT_NEAR(sum(reading, &BillLine::billed_cost, "tax"), 13.54517748 + 0.00536402, 1e-12);
    EXPECT_NEAR(sum(reading, &BillLine::billed_cost), 135.4517748 + 0.0536402 + 0.0249106 + 106.96304543256 + 58.1574375, 1e-9);
}

// Rows of one line are added up as they come: what is kept goes by the lines, not by the rows.
TEST(FocusLines, OfAMillionRowsAreStreamed) {
    constexpr std::size_t kRows = 1'000'000;
    constexpr std::size_t kResources = 40;
    constexpr std::size_t kDays = 28;
    std::string block = "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ProviderName,ResourceId,Tags\n";
    std::size_t row = 0;
    Bytes bytes([&]() -> std::string_view {
        if (row > 0) {
            block.clear();
        }
        for (std::size_t end = std::min(kRows, row + 1000); row < end; ++row) {
            block += fmt::format("0.5,0.25,USD,Usage,2026-05-{:02}T00:00:00Z,AWS,i-{},\"{{\"\"team\"\":\"\"t{}\"\"}}\"\n",
                                 row / kResources % kDays + 1, row % kResources, row % kResources % 4);
        }
        return block;
    });
    Report report;
    std::size_t lines = 0;
    double billed = 0.0;
    report.on_bill_line = [&](const BillLine& line) {
        ++lines;
        billed += line.billed_cost;
    };
    const HardError error = read_file(*find_format("focus"), bytes, kLines, report);
    ASSERT_FALSE(error) << error->message;
    EXPECT_EQ(report.rows, kRows);
    EXPECT_EQ(lines, kResources * kDays);
    EXPECT_EQ(billed, 0.5 * kRows);
}

TEST(BillSums, AreRefusedWhereTheyAreTooMany) {
    BillSums sums;
    BillLine line;
    for (std::size_t i = 0; i < BillSums::kMax; ++i) {
        line.day = static_cast<std::int64_t>(i % 365);
        line.resource = std::to_string(i / 365);
        ASSERT_TRUE(sums.add(line));
    }
    EXPECT_TRUE(sums.add(line)) << "one that is there";
    line.resource = "one more";
    EXPECT_FALSE(sums.add(line));
}

} // namespace
} // namespace costcurve::imports
