// The ledger as CSV: FOCUS columns, RFC 4180 quoting, and sums that are the result's.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/answers/tables/ledger_csv.hpp"
#include "tests/api/samples.hpp"
#include "tests/support/source_folder.hpp"
#include "tests/tables/read_csv.hpp"

namespace costcurve::tests {
namespace {

answers::Evaluated evaluated_ledger(const json& document) {
    model::Result<answers::Evaluated> answer = evaluate_text(document.dump());
    if (!answer) {
        throw std::runtime_error(fmt::format("{}", fmt::join(words(answer.error()), "; ")));
    }
    return std::move(*answer);
}

TEST(LedgerCsv, HasOneHeaderAndRowsOfItsWidth) {
    const answers::Evaluated answer = evaluated_ledger(mixed());
    const std::vector<CsvRow> rows = read_csv(answers::encode_ledger_csv(answer, true));
    const std::vector<CsvRow> bare = read_csv(answers::encode_ledger_csv(answer, false));
    ASSERT_GT(rows.size(), 10U);
    EXPECT_EQ(rows.size(), bare.size() + 1);
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.size(), rows.front().size());
    }
    EXPECT_EQ(rows[1], bare[0]);
    // FOCUS names; columns of ours begin with x_.
    for (const char* name : {"BillingPeriodStart", "BillingPeriodEnd", "BillingCurrency", "ProviderName", "RegionId",
                             "ChargeCategory", "BilledCost", "EffectiveCost"}) {
        EXPECT_NO_THROW((void)csv_column(rows.front(), name)) << name;
    }
}

TEST(LedgerCsv, SumsToTheTotal) {
    const answers::Evaluated answer = evaluated_ledger(mixed());
    const std::vector<CsvRow> rows = read_csv(answers::encode_ledger_csv(answer, true));
    double cost = 0;
    double cash = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        cost += std::stod(rows[i][csv_column(rows[0], "EffectiveCost")]);
        cash += std::stod(rows[i][csv_column(rows[0], "BilledCost")]);
    }
    EXPECT_NEAR(cost, answer.summary.total.cost, 1e-9 * std::fabs(answer.summary.total.cost));
    EXPECT_NEAR(cash, answer.summary.total.cash, 1e-6 * std::fabs(answer.summary.total.cost));
}

TEST(LedgerCsv, QuotesCommasQuotesAndLineEnds) {
    const std::vector<CsvRow> rows =
        read_csv(answers::encode_ledger_csv(evaluated_ledger(with(mixed(), "/pools/1/min_instances", 1)), true));
    bool seen = false;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i][csv_column(rows[0], "x_Scenario")], "mixed, \"quoted\"");
        if (rows[i][csv_column(rows[0], "ResourceId")] != "burst") {
            continue;
        }
        seen = true;
        EXPECT_EQ(rows[i][csv_column(rows[0], "ProviderName")], "p, \"q\"");
        EXPECT_EQ(rows[i][csv_column(rows[0], "RegionId")], "eu\nwest");
    }
    EXPECT_TRUE(seen);
}

TEST(LedgerCsv, HasThePoolsTagsOnItsRows) {
    json document = with(mixed(), "/pools/1/min_instances", 1);
    document["pools"][1]["tags"] = {{"team", "a, \"b\""}, {"stage", "prod"}};
    const std::vector<CsvRow> rows = read_csv(answers::encode_ledger_csv(evaluated_ledger(document), true));
    bool seen = false;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::string& tags = rows[i][csv_column(rows[0], "Tags")];
        if (rows[i][csv_column(rows[0], "ResourceId")] != "burst") {
            EXPECT_EQ(tags, "");
            continue;
        }
        seen = true;
        EXPECT_EQ(json::parse(tags), (json{{"stage", "prod"}, {"team", "a, \"b\""}})) << "FOCUS 1.2: a JSON object";
    }
    EXPECT_TRUE(seen);
}

TEST(LedgerCsv, CoversEachMonthUpToTheFirstOfTheNext) {
    const std::vector<CsvRow> rows =
        read_csv(answers::encode_ledger_csv(evaluated_ledger(with(with(smallest(), "/start", "2026-12"), "/months", 2)), true));
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1][csv_column(rows[0], "BillingPeriodStart")], "2026-12-01T00:00:00Z");
    EXPECT_EQ(rows[1][csv_column(rows[0], "BillingPeriodEnd")], "2027-01-01T00:00:00Z");
    EXPECT_EQ(rows[2][csv_column(rows[0], "BillingPeriodStart")], "2027-01-01T00:00:00Z");
    // FOCUS, ChargeCategory: one of a closed list; BillingCurrency: ISO 4217.
    EXPECT_EQ(rows[1][csv_column(rows[0], "BillingCurrency")], "USD");
    EXPECT_EQ(rows[1][csv_column(rows[0], "ChargeCategory")], "Usage");
    // 1 request/s on one instance at 3.6 USD/h, 744 hours
    EXPECT_DOUBLE_EQ(std::stod(rows[1][csv_column(rows[0], "EffectiveCost")]), 2678.4);
    EXPECT_EQ(rows[1][csv_column(rows[0], "x_Category")], "compute");
    EXPECT_EQ(rows[1][csv_column(rows[0], "x_Workload")], "work");
}

// A column of FOCUS 1.2 of feature level Mandatory (focus.finops.org/focus-specification/v1-2, section 3.1, and "Content
// Constraints" of each): whether it may be null, its form, and its closed list.
struct FocusColumn {
    const char* name;
    bool is_nullable;
    enum class Form { text, decimal, date_time, currency } form;
    std::set<std::string> allowed = {};
};
using Form = FocusColumn::Form;
const std::set<std::string> kServiceCategories = {"AI and Machine Learning",
                                                  "Analytics",
                                                  "Business Applications",
                                                  "Compute",
                                                  "Databases",
                                                  "Developer Tools",
                                                  "Multicloud",
                                                  "Identity",
                                                  "Integration",
                                                  "Internet of Things",
                                                  "Management and Governance",
                                                  "Media",
                                                  "Migration",
                                                  "Mobile",
                                                  "Networking",
                                                  "Security",
                                                  "Storage",
                                                  "Web",
                                                  "Other"};
const std::vector<FocusColumn> kMandatory = {
    {"BilledCost", false, Form::decimal},
    {"BillingAccountId", false, Form::text},
    {"BillingAccountName", true, Form::text},
    {"BillingCurrency", false, Form::currency},
    {"BillingPeriodEnd", false, Form::date_time},
    {"BillingPeriodStart", false, Form::date_time},
    {"ChargeCategory", false, Form::text, {"Usage", "Purchase", "Tax", "Credit", "Adjustment"}},
    {"ChargeClass", true, Form::text, {"Correction"}},
    {"ChargeDescription", true, Form::text},
    {"ChargePeriodEnd", false, Form::date_time},
    {"ChargePeriodStart", false, Form::date_time},
    {"ContractedCost", false, Form::decimal},
    {"EffectiveCost", false, Form::decimal},
    {"InvoiceIssuerName", false, Form::text},
    {"ListCost", false, Form::decimal},
    {"PricingQuantity", true, Form::decimal},
    {"PricingUnit", true, Form::text},
    {"ProviderName", false, Form::text},
    {"PublisherName", false, Form::text},
    {"ServiceCategory", false, Form::text, kServiceCategories},
    {"ServiceName", false, Form::text},
};

bool has_form(Form form, const std::string& cell) {
    static const std::regex decimal(R"(-?\d+(\.\d+)?([eE][+-]?\d+)?)"); // Numeric Format
    static const std::regex date_time(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)");
    static const std::regex currency("[A-Z]{3}");
    switch (form) {
    case Form::decimal:
        return std::regex_match(cell, decimal);
    case Form::date_time:
        return std::regex_match(cell, date_time);
    case Form::currency:
        return std::regex_match(cell, currency);
    case Form::text:
        break;
    }
    return true;
}

// What a row breaks of the rules of its columns and among them.
std::vector<std::string> broken_rules(const CsvRow& head, const CsvRow& row) {
    std::vector<std::string> broken;
    for (const FocusColumn& rule : kMandatory) {
        const std::string& cell = row[csv_column(head, rule.name)];
        if (cell.empty() ? !rule.is_nullable
                         : !has_form(rule.form, cell) || !(rule.allowed.empty() || rule.allowed.contains(cell))) {
            broken.push_back(std::string(rule.name) + " is " + cell);
        }
    }
    const auto cell = [&](const char* name) { return row[csv_column(head, name)]; };
    if (cell("ChargePeriodStart") >= cell("ChargePeriodEnd") || cell("BillingPeriodStart") >= cell("BillingPeriodEnd")) {
        broken.push_back("a period ends before it starts");
    }
    if (cell("PricingQuantity").empty() || cell("PricingUnit").empty()) { // of Usage and Purchase
        broken.push_back("PricingQuantity or PricingUnit is null");
    }
    if (cell("ChargeCategory") == "Purchase" && std::stod(cell("EffectiveCost")) != 0) {
        broken.push_back("a purchase that covers later use has an EffectiveCost");
    }
    return broken;
}

TEST(LedgerCsv, KeepsTheRulesOfFocus) {
    json document = with(mixed(), "/pools/1/min_instances", 1);
    document["pools"][1]["discount_fraction"] = 0.2;
    for (const json& scenario : {document, json(smallest())}) {
        const std::vector<CsvRow> rows = read_csv(answers::encode_ledger_csv(evaluated_ledger(scenario), true));
        ASSERT_GT(rows.size(), 1U);
        for (const std::string& name : rows[0]) { // column names: Pascal case, or the prefix of one's own
            EXPECT_TRUE(std::regex_match(name, std::regex("(x_)?[A-Z][A-Za-z]*"))) << name;
        }
        for (std::size_t i = 1; i < rows.size(); ++i) {
            EXPECT_EQ(broken_rules(rows[0], rows[i]), std::vector<std::string>()) << i;
        }
    }
}

TEST(LedgerCsv, SplitsWhatIsBoughtIntoThePurchaseAndItsUse) {
    const std::vector<CsvRow> rows = read_csv(answers::encode_ledger_csv(evaluated_ledger(mixed()), true));
    const auto cell = [&](const CsvRow& row, const char* name) { return row[csv_column(rows[0], name)]; };
    std::size_t purchases = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        if (cell(rows[i], "ChargeCategory") == "Purchase") {
            ++purchases;
            EXPECT_EQ(cell(rows[i], "EffectiveCost"), "0");
            EXPECT_NE(cell(rows[i], "BilledCost"), "0");
        } else if (cell(rows[i], "x_Category") == "hardware") {
            EXPECT_EQ(cell(rows[i], "BilledCost"), "0");
        }
    }
    EXPECT_GT(purchases, 0U);
}

TEST(LedgerCsv, HasTheListCostBeforeThePoolsDiscount) {
    json document = smallest();
    document["pools"][0]["discount_fraction"] = 0.25;
    const std::vector<CsvRow> rows = read_csv(answers::encode_ledger_csv(evaluated_ledger(document), true));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_DOUBLE_EQ(std::stod(rows[1][csv_column(rows[0], "ListCost")]), 2678.4); // 744 h at 3.6
    EXPECT_DOUBLE_EQ(std::stod(rows[1][csv_column(rows[0], "ContractedCost")]), 2008.8);
}

// The rules that the ledger is held to hold of what the specification publishes too.
TEST(LedgerCsv, IsHeldToRulesThatPublishedRowsKeep) {
    std::filesystem::path root = tests::source_folder(); // of a worktree, shared lies beside one of the folders that it is in
    while (root != root.parent_path() && !std::filesystem::exists(root / "shared/data")) {
        root = root.parent_path();
    }
    const std::filesystem::path folder = root / "shared/data/focus-spec-1.2/saas_examples";
    if (!std::filesystem::exists(folder)) {
        GTEST_SKIP() << "the published examples of FOCUS 1.2 are not here";
    }
    std::size_t cells = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".csv") {
            continue;
        }
        std::ifstream file(entry.path(), std::ios::binary);
        std::string text{std::istreambuf_iterator<char>(file), {}};
        text = std::regex_replace(text, std::regex("\r?\n"), "\r\n");
        text.erase(0, text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
        text += text.ends_with("\n") ? "" : "\r\n";
        const std::vector<CsvRow> rows = read_csv(text);
        for (const FocusColumn& rule : kMandatory) {
            const auto found = std::find(rows[0].begin(), rows[0].end(), rule.name);
            for (std::size_t i = 1; found != rows[0].end() && i < rows.size(); ++i) {
                const std::string& cell = rows[i].at(static_cast<std::size_t>(found - rows[0].begin()));
                // dates there are a spreadsheet's; two files leave ServiceCategory empty, others have "Database" where the list has
                // "Databases"
                const bool is_checked =
                    rule.name != std::string_view("ServiceCategory") && (rule.form == Form::currency || !rule.allowed.empty());
                EXPECT_TRUE(!cell.empty() || rule.is_nullable || !is_checked) << entry.path() << " " << rule.name;
                EXPECT_TRUE(cell.empty() || !is_checked || has_form(rule.form, cell))
                    << entry.path() << " " << rule.name << " " << cell;
                EXPECT_TRUE(cell.empty() || !is_checked || rule.allowed.empty() || rule.allowed.contains(cell))
                    << rule.name << " " << cell;
                ++cells;
            }
        }
    }
    EXPECT_GT(cells, 100U);
}

} // namespace
} // namespace costcurve::tests
