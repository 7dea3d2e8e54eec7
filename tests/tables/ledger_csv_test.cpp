// The ledger as CSV: FOCUS columns, RFC 4180 quoting, and sums that are the result's.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/answers/tables/ledger_csv.hpp"
#include "tests/api/samples.hpp"
#include "tests/support/source_folder.hpp"
#include "tests/tables/focus_rules.hpp"

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
    for (const char* name : {"BillingPeriodStart", "BillingPeriodEnd", "BillingCurrency", "ServiceProviderName", "RegionId",
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
        EXPECT_EQ(rows[i][csv_column(rows[0], "ServiceProviderName")], "p, \"q\"");
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
        for (const auto& [name, values] : kFocusAllowed) {
            const auto found = std::find(rows[0].begin(), rows[0].end(), name);
            for (std::size_t i = 1; found != rows[0].end() && i < rows.size(); ++i) {
                const std::string& cell = rows[i].at(static_cast<std::size_t>(found - rows[0].begin()));
                // two files leave ServiceCategory empty, others have "Database" where the list has "Databases"
                EXPECT_TRUE(name == "ServiceCategory" || cell.empty() || values.contains(cell))
                    << entry.path() << " " << name << " " << cell;
                ++cells;
            }
        }
    }
    EXPECT_GT(cells, 100U);
}

} // namespace
} // namespace costcurve::tests
