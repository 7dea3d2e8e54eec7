// Ledgers of all kinds of plans against the rules of FOCUS 1.4, and read again as bills.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/answers/tables/ledger_csv.hpp"
#include "server/import/importer.hpp"
#include "tests/api/samples.hpp"
#include "tests/support/source_folder.hpp"
#include "tests/tables/focus_rules.hpp"

namespace costcurve::tests {
namespace {

answers::Evaluated evaluated_plan(const std::string& text) {
    model::Result<answers::Evaluated> answer = evaluate_text(text);
    if (!answer) {
        throw std::runtime_error(fmt::format("{}", fmt::join(words(answer.error()), "; ")));
    }
    return std::move(*answer);
}

std::vector<FocusRow> focus_rows(const std::string& csv) {
    const std::vector<CsvRow> rows = read_csv(csv);
    std::vector<FocusRow> all;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        all.emplace_back(rows[0], rows[i]);
    }
    return all;
}

// One machine for a year of 2026 under a commitment: 2 USD an hour, and 6000 ahead.
json committed_year(double upfront) {
    json document = smallest();
    document["months"] = 12;
    document["pools"][0]["min_instances"] = 1;
    document["pools"][0]["max_instances"] = 1;
    json& offer = document["pools"][0]["offer"];
    offer["purchase"] = "committed";
    offer["term_months"] = 12;
    offer["hourly_price"] = 2;
    offer["upfront"] = upfront;
    return document;
}

// Prompts on one pool, answers on another.
json pair_of_pools() {
    json document = smallest();
    json second = document["pools"][0];
    second["id"] = "writers";
    second["offer"]["hourly_price"] = 7.2;
    document["pools"].push_back(second);
    json& workload = document["workloads"][0];
    workload["unit"] = "token";
    workload["units_per_request"] = {{"input", 4000}, {"output", 300}};
    const auto entry = [](const std::string& pool, const std::string& phase) {
        return json{{"pool", pool}, {"phase", phase}, {"performance", {{"units_per_s", 20000}}}};
    };
    workload["runs_on"] = {entry("pool", "prefill"), entry("writers", "decode")};
    workload["runs_on"][0]["cache_bytes_per_token"] = 131072;
    workload["runs_on"][0]["link_gb_per_s"] = 25;
    return document;
}

// Every kind of plan: those of samples.hpp, a commitment with and without a payment ahead, a pair, and all examples.
std::map<std::string, std::string> plans() {
    json discounted = with(mixed(), "/pools/1/min_instances", 1);
    discounted["pools"][1]["discount_fraction"] = 0.2;
    discounted["pools"][1]["tags"] = {{"team", "a, \"b\""}};
    std::map<std::string, std::string> all{{"smallest", smallest().dump()},
                                           {"mixed", mixed().dump()},
                                           {"discounted", discounted.dump()},
                                           {"committed", committed_year(0).dump()},
                                           {"committed, paid ahead", committed_year(6000).dump()},
                                           {"pair", pair_of_pools().dump()}};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / "examples")) {
        if (entry.path().extension() == ".json") {
            std::ifstream file(entry.path(), std::ios::binary);
            all[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
        }
    }
    return all;
}

TEST(LedgerAsFocus, KeepsTheRulesOfColumnsAndRows) {
    std::size_t ledgers = 0;
    std::size_t purchases = 0;
    std::size_t paid_back = 0;
    std::set<std::string> categories;
    for (const auto& [name, text] : plans()) {
        const std::string csv = answers::encode_ledger_csv(evaluated_plan(text), true);
        EXPECT_EQ(broken_focus_columns(read_csv(csv)[0]), std::vector<std::string>()) << name;
        const std::vector<FocusRow> rows = focus_rows(csv);
        EXPECT_EQ(broken_focus_parents(rows), std::vector<std::string>()) << name;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ASSERT_EQ(broken_focus_rules(rows[i]), std::vector<std::string>()) << name << ", row " << i + 2;
            purchases += rows[i].is("ChargeCategory", "Purchase") ? 1 : 0;
            paid_back += rows[i].number("PricingQuantity") < 0 ? 1 : 0;
            categories.insert(rows[i]["PricingCategory"]);
        }
        ++ledgers;
    }
    EXPECT_GT(ledgers, 30U);
    EXPECT_GT(purchases, 100U);
    EXPECT_GT(paid_back, 0U) << "the value of servers at the end";
    EXPECT_EQ(categories, (std::set<std::string>{"Committed", "Dynamic", "Standard"}));
}

// DiscountHandling: what a commitment covers costs in all what was paid for it, in money and in months.
TEST(LedgerAsFocus, SpreadsCommitmentsOverTheirTerm) {
    for (const double upfront : {0.0, 6000.0}) {
        const std::vector<FocusRow> rows =
            focus_rows(answers::encode_ledger_csv(evaluated_plan(committed_year(upfront).dump()), true));
        std::map<std::string, double> money;
        std::map<std::string, double> months;
        for (const FocusRow& row : rows) {
            EXPECT_EQ(row["CommitmentDiscountId"], "pool");
            const std::string category = row["ChargeCategory"];
            money[category] += row.number(category == "Purchase" ? "BilledCost" : "EffectiveCost");
            months[category] += row.number("CommitmentDiscountQuantity");
            if (category == "Purchase") {
                EXPECT_EQ(row["ChargeFrequency"], row.is("x_Category", "compute") ? "Recurring" : "One-Time");
            }
        }
        EXPECT_NEAR(money.at("Purchase"), 2 * 8760 + upfront, 1e-6) << "2026 has 8760 hours";
        EXPECT_NEAR(money.at("Usage"), 2 * 8760 + upfront, 1e-6);
        EXPECT_NEAR(months.at("Purchase"), 12, 1e-9);
        EXPECT_NEAR(months.at("Usage"), 12, 1e-9);
    }
}

TEST(LedgerAsFocus, HasNumbersWithoutExponents) {
    json document = smallest();
    document["pools"][0]["offer"]["hourly_price"] = 1e-9;
    const std::vector<FocusRow> rows = focus_rows(answers::encode_ledger_csv(evaluated_plan(document.dump()), true));
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_NEAR(rows[0].number("BilledCost"), 744e-9, 1e-18);
    EXPECT_EQ(rows[0]["BilledCost"].find('e'), std::string::npos) << rows[0]["BilledCost"];
}

// A rule that no row can break holds nothing: each cell of these, changed to that, is found.
TEST(FocusRules, FindWhatBreaksThem) {
    const std::vector<CsvRow> rows = read_csv(answers::encode_ledger_csv(evaluated_plan(committed_year(6000).dump()), true));
    const CsvRow& head = rows[0];
    std::map<std::string, CsvRow> by_category;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        by_category.try_emplace(rows[i][csv_column(head, "ChargeCategory")], rows[i]);
    }
    struct Broken {
        const char* category;
        const char* column;
        const char* cell;
    };
    for (const Broken& broken : {Broken{"Usage", "BilledCost", ""},
                                 Broken{"Usage", "EffectiveCost", "1e3"},
                                 Broken{"Usage", "EffectiveCost", "1,000"},
                                 Broken{"Usage", "BilledCost", "5"},
                                 Broken{"Usage", "ListCost", "1"},
                                 Broken{"Usage", "ContractedCost", "1"},
                                 Broken{"Usage", "ListUnitPrice", "-1"},
                                 Broken{"Usage", "ContractedUnitPrice", ""},
                                 Broken{"Usage", "BillingCurrency", "usd"},
                                 Broken{"Usage", "BillingPeriodStart", "2026-01-01"},
                                 Broken{"Usage", "BillingPeriodEnd", "2025-01-01T00:00:00Z"},
                                 Broken{"Usage", "ChargePeriodStart", "2025-12-31T00:00:00Z"},
                                 Broken{"Usage", "ChargePeriodEnd", "2027-01-01T00:00:00Z"},
                                 Broken{"Usage", "ChargeCategory", "Fee"},
                                 Broken{"Usage", "ChargeClass", "correction"},
                                 Broken{"Usage", "ChargeFrequency", "Monthly"},
                                 Broken{"Purchase", "ChargeFrequency", "Usage-Based"},
                                 Broken{"Purchase", "EffectiveCost", "1"},
                                 Broken{"Purchase", "PricingCategory", "Committed"},
                                 Broken{"Usage", "PricingCategory", "Standard"},
                                 Broken{"Usage", "PricingQuantity", ""},
                                 Broken{"Usage", "PricingUnit", ""},
                                 Broken{"Usage", "SkuId", ""},
                                 Broken{"Usage", "SkuMeter", ""},
                                 Broken{"Usage", "SkuPriceId", ""},
                                 Broken{"Usage", "SkuPriceDetails", "[1]"},
                                 Broken{"Usage", "Tags", "team=blue"},
                                 Broken{"Usage", "ServiceCategory", "Other"},
                                 Broken{"Usage", "ServiceSubcategory", "Generative AI"},
                                 Broken{"Usage", "ServiceProviderName", "another"},
                                 Broken{"Purchase", "InvoiceIssuerName", "another"},
                                 Broken{"Usage", "HostProviderName", ""},
                                 Broken{"Usage", "ResourceType", ""},
                                 Broken{"Usage", "ResourceId", ""},
                                 Broken{"Purchase", "ResourceId", "machine-1"},
                                 Broken{"Usage", "RegionId", "eu"},
                                 Broken{"Usage", "CommitmentDiscountStatus", ""},
                                 Broken{"Usage", "CommitmentDiscountStatus", "used"},
                                 Broken{"Purchase", "CommitmentDiscountStatus", "Used"},
                                 Broken{"Usage", "CommitmentDiscountId", ""},
                                 Broken{"Usage", "CommitmentDiscountQuantity", ""},
                                 Broken{"Usage", "CommitmentDiscountUnit", ""},
                                 Broken{"Usage", "CommitmentDiscountCategory", "Money"}}) {
        CsvRow row = by_category.at(broken.category);
        row[csv_column(head, broken.column)] = broken.cell;
        const bool is_found = !broken_focus_rules({head, row}).empty();
        const bool is_allowed = std::string(broken.column) == "ServiceProviderName"; // of usage that is billed at 0
        EXPECT_EQ(is_found, !is_allowed) << broken.category << " " << broken.column << " " << broken.cell;
    }
    EXPECT_EQ(broken_focus_columns({"BilledCost", "Billed_Cost", "x_a"}).size(), kFocusMandatory.size() - 1 + 2);
}

imports::HardError read_bill(const std::string& csv, std::vector<BillLine>& lines, imports::Report& report) {
    bool is_given = false;
    imports::Bytes bytes([&]() -> std::string_view { return std::exchange(is_given, true) ? std::string_view() : csv; });
    report.on_bill_line = [&](const BillLine& line) { lines.push_back(line); };
    const imports::Options options{.name = "ledger.csv"};
    return imports::read_file(*imports::find_format("focus"), bytes, options, report);
}

TEST(LedgerAsFocus, IsReadAgainAtTheSameCostByPool) {
    for (const auto& [name, text] : plans()) {
        const answers::Evaluated plan = evaluated_plan(text);
        std::vector<BillLine> lines;
        imports::Report report;
        const imports::HardError error = read_bill(answers::encode_ledger_csv(plan, true), lines, report);
        ASSERT_FALSE(error) << name << ": " << error->message;
        EXPECT_EQ(report.rejected.count, 0U) << name << ": " << report.rejected.first.at(0).reason;
        std::map<std::string, std::pair<double, double>> wanted; // by pool: cost and cash
        std::map<std::string, std::pair<double, double>> found;
        const model::ScenarioDocument& scenario = plan.scenario.document();
        for (const model::LedgerRow& row : ledger_rows(scenario, plan.ledger)) {
            auto& [cost, cash] = wanted[row.pool == model::LedgerRow::kNone ? "" : scenario.pools[row.pool].id];
            cost += row.cost;
            cash += row.cash;
        }
        for (const BillLine& line : lines) {
            auto& [cost, cash] = found[line.resource];
            cost += line.effective_cost;
            cash += line.billed_cost;
        }
        ASSERT_EQ(found.size(), wanted.size()) << name;
        for (const auto& [pool, amounts] : wanted) {
            const double scale = std::max({1.0, std::fabs(amounts.first), std::fabs(amounts.second)});
            EXPECT_NEAR(found.at(pool).first, amounts.first, 1e-9 * scale) << name << " " << pool;
            EXPECT_NEAR(found.at(pool).second, amounts.second, 1e-9 * scale) << name << " " << pool;
        }
    }
}

} // namespace
} // namespace costcurve::tests
