// Columns of FOCUS's dataset Cost and Usage that a bill is read from, and the version of the specification that a file follows.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "server/bill/bill_line.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

/// A column whose cell is a member of the line as it stands.
struct FocusText {
    std::string_view name;
    std::string BillLine::*member;
};
inline constexpr auto kFocusTexts = std::to_array<FocusText>({
    {"SkuId", &BillLine::sku}, // an instance type takes its place where one is known
    {"ResourceId", &BillLine::resource},
    {"CommitmentDiscountId", &BillLine::commitment},
});
/// A column of costs. A row is rejected where a needed one is blank, or any is no number; a blank one is 0.
struct FocusCost {
    std::string_view name;
    double BillLine::*member;
    bool is_needed = false;
};
inline constexpr auto kFocusCosts = std::to_array<FocusCost>({
    {"BilledCost", &BillLine::billed_cost, true},
    {"EffectiveCost", &BillLine::effective_cost, true},
    {"ListCost", &BillLine::list_cost},
});

/// Columns as a file has them: those of the two tables, and those that are read in a way of their own.
struct FocusColumns {
    explicit FocusColumns(Table& file);

    /// A cell of the row at hand; "" of NULL, which stands for no value.
    [[nodiscard]] std::string_view text(Column column) const;
    /// The column of a cost that is in the table.
    [[nodiscard]] Column cost(double BillLine::*member) const;
    void read_texts(BillLine& line) const;
    /// Why the row's costs can't be read, or "".
    [[nodiscard]] std::string read_costs(BillLine& line) const;

    Table& table;
    std::array<Column, kFocusTexts.size()> line_texts; ///< in the order of the table, as the next
    std::array<Column, kFocusCosts.size()> costs;
    Column provider = table.column({"ProviderName", "ServiceProviderName", "Provider"});
    Column region = table.column({"RegionId", "Region"});
    Column category = table.column("ChargeCategory");
    Column charge_class = table.column("ChargeClass");
    Column start = table.column("ChargePeriodStart");
    Column end = table.column("ChargePeriodEnd");
    Column currency = table.column("BillingCurrency");
    Column consumed = table.column("ConsumedQuantity");
    Column consumed_unit = table.column("ConsumedUnit");
    Column priced = table.column("PricingQuantity");
    Column priced_unit = table.column("PricingUnit");
    Column pricing = table.column("PricingCategory");
    Column commitment = table.column("CommitmentDiscountStatus");
    Column service = table.column("ServiceCategory");
    Column resource_type = table.column("ResourceType");
    Column account = table.column("BillingAccountId");
    Column sub_account = table.column("SubAccountId");
    Column period_start = table.column("BillingPeriodStart");
    Column period_end = table.column("BillingPeriodEnd");
    Column tags = table.column("Tags");
    Column allocated_tags = table.column("AllocatedTags");
    Column pricing_currency = table.column("PricingCurrency");
    Column pricing_currency_cost = table.column("PricingCurrencyEffectiveCost");
    std::vector<Column> texts; ///< that may name an instance type
    std::vector<Column> known; ///< of FOCUS, or of the seller (x_)
};

/// "1.0" to "1.4": the newest version that introduced a column of the header, or that dropped one that older versions must have.
/// Versions differ by columns, and no file states its own. Sources: the page of each column, "Introduced (version)", in
/// FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec; 1.4 was ratified on 2026-06-04.
[[nodiscard]] std::string_view focus_version(const std::vector<std::string>& header);

/// Whether a code is that of a national currency (ISO 4217, list one of 2024). FOCUS prices in tokens, credits and units of
/// sellers too, whose names may have three capital letters: DBU is none.
[[nodiscard]] bool is_national_currency(std::string_view code);

} // namespace costcurve::imports
