// A bill line and the table of its columns, used by SQL statements, sums, copies and held documents. Knows no SQL and no formats.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace costcurve {

/// A provider's charge for one kind of resource on one day (FOCUS names in comments). Names that the bill doesn't state are "".
struct BillLine {
    std::int64_t day = 0; ///< ChargePeriodStart, in days since 1970-01-01 UTC
    std::string provider; ///< ProviderName, as a slug
    std::string account;  ///< BillingAccountId, followed by "/" and SubAccountId if stated
    std::string region;   ///< RegionId
    std::string sku;      ///< SkuId, or the instance type where it is known
    std::string purchase; ///< on_demand, spot, committed; "" unless a machine is charged
    std::string device;   ///< id of a device; "" where it is not in the catalogue
    std::string currency; ///< BillingCurrency
    double hours = 0.0;   ///< ConsumedQuantity in hours of instances; 0 in other units
    double device_hours = 0.0;
    double billed_cost = 0.0;
    double effective_cost = 0.0; ///< cost with commitments amortized
    double list_cost = 0.0;
    std::string category = "usage";     ///< ChargeCategory in lower case, or allocation: usage that another line bills
    std::string resource = {};          ///< ResourceId
    std::string tags = {};              ///< Tags: a JSON object of texts, keys ascending
    std::string commitment = {};        ///< CommitmentDiscountId
    std::string commitment_status = {}; ///< CommitmentDiscountStatus in lower case: used, unused
    std::string consumed_unit = {};     ///< ConsumedUnit
    std::string priced_unit = {};       ///< PricingUnit
    std::string virtual_currency = {};  ///< PricingCurrency where ISO 4217 doesn't have it, such as Token
    double consumed_quantity = 0.0;     ///< in consumed_unit
    double priced_quantity = 0.0;       ///< in priced_unit
    double virtual_currency_cost = 0.0; ///< PricingCurrencyEffectiveCost, in virtual_currency
    double tokens = 0.0;                ///< of language models, from quantities of units such as "1K tokens"

    friend bool operator==(const BillLine&, const BillLine&) = default;
};

/// A column of a line: its name in the store and in held documents.
template <class T> struct BillColumn {
    std::string_view name;
    T BillLine::*member;
};

/// Names that identify a group, together with the day: a bill's lines replace all stored lines of their groups. The account is the
/// last.
inline constexpr auto kBillGroupNames = std::to_array<BillColumn<std::string>>({
    {"provider", &BillLine::provider},
    {"region", &BillLine::region},
    {"sku", &BillLine::sku},
    {"purchase", &BillLine::purchase},
    {"device", &BillLine::device},
    {"currency", &BillLine::currency},
    {"account", &BillLine::account},
});
inline constexpr auto kNamesBesideAccount = std::span(kBillGroupNames).first<kBillGroupNames.size() - 1>();
/// Names that distinguish the lines of a group.
inline constexpr auto kBillLineNames = std::to_array<BillColumn<std::string>>({
    {"category", &BillLine::category},
    {"resource", &BillLine::resource},
    {"tags", &BillLine::tags},
    {"commitment", &BillLine::commitment},
    {"commitment_status", &BillLine::commitment_status},
    {"consumed_unit", &BillLine::consumed_unit},
    {"priced_unit", &BillLine::priced_unit},
    {"virtual_currency", &BillLine::virtual_currency},
});
/// Figures that are summed over lines of the same names.
inline constexpr auto kBillFigures = std::to_array<BillColumn<double>>({
    {"hours", &BillLine::hours},
    {"device_hours", &BillLine::device_hours},
    {"tokens", &BillLine::tokens},
    {"consumed_quantity", &BillLine::consumed_quantity},
    {"priced_quantity", &BillLine::priced_quantity},
    {"virtual_currency_cost", &BillLine::virtual_currency_cost},
    {"billed_cost", &BillLine::billed_cost},
    {"effective_cost", &BillLine::effective_cost},
    {"list_cost", &BillLine::list_cost},
});

/// All names: those of the group, then those of the line.
inline constexpr auto kBillNames = [] {
    std::array<BillColumn<std::string>, kBillGroupNames.size() + kBillLineNames.size()> names{};
    std::size_t place = 0;
    for (const auto& column : kBillGroupNames) {
        names[place++] = column;
    }
    for (const auto& column : kBillLineNames) {
        names[place++] = column;
    }
    return names;
}();

} // namespace costcurve
