// Columns of FOCUS's dataset Cost and Usage that a bill is read from, and the version of the specification that a file follows.
#pragma once

#include <string_view>
#include <vector>

#include "server/import/text/table.hpp"

namespace costcurve::imports {

struct FocusColumns {
    explicit FocusColumns(Table& file);

    Table& table;
    Column provider = table.column({"ProviderName", "ServiceProviderName", "Provider"});
    Column region = table.column({"RegionId", "Region"});
    Column sku = table.column("SkuId");
    Column category = table.column("ChargeCategory");
    Column charge_class = table.column("ChargeClass");
    Column start = table.column("ChargePeriodStart");
    Column end = table.column("ChargePeriodEnd");
    Column currency = table.column("BillingCurrency");
    Column billed = table.column("BilledCost");
    Column effective = table.column("EffectiveCost");
    Column list = table.column("ListCost");
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
    Column resource = table.column("ResourceId");
    Column tags = table.column("Tags");
    Column allocated_tags = table.column("AllocatedTags");
    Column commitment_id = table.column("CommitmentDiscountId");
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
