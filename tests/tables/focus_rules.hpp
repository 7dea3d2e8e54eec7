// The rules of FOCUS 1.4 that rows of a bill can be held to: "Requirements" of the columns and attributes in
// FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec, specification/datasets/cost_and_usage and specification/attributes (1.4, ratified
// 2026-06-04), and what the specification's validator checks of them (finopsfoundation/focus_validator, static rules). Rules that
// need more than the rows (a price list, an invoice) are not here.
#pragma once

#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/tables/read_csv.hpp"

namespace costcurve::tests {

/// A row by the names of its columns; "" is null, and so is a column that is not there.
class FocusRow {
public:
    FocusRow(const CsvRow& head, const CsvRow& row) {
        for (std::size_t i = 0; i < head.size(); ++i) {
            cells_[head[i]] = row.at(i);
        }
    }
    [[nodiscard]] std::string operator[](const std::string& name) const {
        const auto found = cells_.find(name);
        return found == cells_.end() ? std::string() : found->second;
    }
    [[nodiscard]] bool is_null(const std::string& name) const { return (*this)[name].empty(); }
    [[nodiscard]] double number(const std::string& name) const { return is_null(name) ? 0.0 : std::stod((*this)[name]); }
    [[nodiscard]] bool is(const std::string& name, const std::string& value) const { return (*this)[name] == value; }

private:
    std::map<std::string, std::string> cells_;
};

/// Feature level Mandatory: CostAndUsage MUST include each.
inline const std::vector<std::string> kFocusMandatory{
    "BilledCost",      "BillingAccountId", "BillingAccountName", "BillingCurrency", "BillingPeriodEnd",  "BillingPeriodStart",
    "ChargeCategory",  "ChargeClass",      "ChargeDescription",  "ChargePeriodEnd", "ChargePeriodStart", "ContractedCost",
    "EffectiveCost",   "HostProviderName", "InvoiceIssuerName",  "ListCost",        "PricingQuantity",   "PricingUnit",
    "ServiceCategory", "ServiceName",      "ServiceProviderName"};

/// Allows nulls: False, of all columns that ours may have; and those that Usage and Purchase need where they correct nothing.
inline const std::vector<std::string> kFocusNotNull{"BilledCost",
                                                    "BillingAccountId",
                                                    "BillingCurrency",
                                                    "BillingPeriodEnd",
                                                    "BillingPeriodStart",
                                                    "ChargeCategory",
                                                    "ChargeFrequency",
                                                    "ChargePeriodEnd",
                                                    "ChargePeriodStart",
                                                    "ContractedCost",
                                                    "EffectiveCost",
                                                    "HostProviderName",
                                                    "InvoiceIssuerName",
                                                    "ListCost",
                                                    "ServiceCategory",
                                                    "ServiceName",
                                                    "ServiceProviderName",
                                                    "ServiceSubcategory",
                                                    "ContractedUnitPrice",
                                                    "ListUnitPrice",
                                                    "PricingCategory",
                                                    "PricingQuantity",
                                                    "SkuId",
                                                    "SkuPriceId"};

inline const std::vector<std::string> kFocusDecimals{"BilledCost",     "CommitmentDiscountQuantity",
                                                     "ContractedCost", "ContractedUnitPrice",
                                                     "EffectiveCost",  "ListCost",
                                                     "ListUnitPrice",  "PricingQuantity"};
inline const std::vector<std::string> kFocusMoments{"BillingPeriodEnd", "BillingPeriodStart", "ChargePeriodEnd",
                                                    "ChargePeriodStart"};

/// Allowed values.
inline const std::map<std::string, std::set<std::string>> kFocusAllowed{
    {"ChargeCategory", {"Usage", "Purchase", "Tax", "Credit", "Adjustment"}},
    {"ChargeClass", {"Correction"}},
    {"ChargeFrequency", {"One-Time", "Recurring", "Usage-Based"}},
    {"CommitmentDiscountCategory", {"Spend", "Usage"}},
    {"CommitmentDiscountStatus", {"Used", "Unused"}},
    {"PricingCategory", {"Standard", "Dynamic", "Committed", "Other"}},
    {"ServiceCategory",
     {"AI and Machine Learning", "Analytics", "Business Applications", "Compute", "Databases", "Developer Tools", "Multicloud",
      "Identity", "Integration", "Internet of Things", "Management and Governance", "Media", "Migration", "Mobile", "Networking",
      "Security", "Storage", "Web", "Other"}}};
/// The parents of the values of ServiceSubcategory that are not "Other (<parent>)", as far as ours has them.
inline const std::map<std::string, std::string> kFocusSubcategories{{"Generative AI", "AI and Machine Learning"},
                                                                    {"Virtual Machines", "Compute"}};

/// One is null where the other is: first, second.
inline const std::vector<std::pair<std::string, std::string>> kFocusNullTogether{
    {"ResourceName", "ResourceId"},
    {"ResourceType", "ResourceId"},
    {"RegionName", "RegionId"},
    {"PricingUnit", "PricingQuantity"},
    {"SkuMeter", "SkuId"},
    {"CommitmentDiscountCategory", "CommitmentDiscountId"},
    {"CommitmentDiscountName", "CommitmentDiscountId"},
    {"CommitmentDiscountQuantity", "CommitmentDiscountId"},
    {"CommitmentDiscountType", "CommitmentDiscountId"},
    {"CommitmentDiscountUnit", "CommitmentDiscountQuantity"}};

struct FocusRule {
    const char* name;
    bool (*holds)(const FocusRow& row);
};
[[nodiscard]] inline bool is_focus_json(const std::string& cell) {
    return cell.empty() || nlohmann::json::parse(cell, nullptr, false).is_object();
}
/// Of columns with each other.
inline const std::vector<FocusRule> kFocusRules{
    {"a billing period starts before it ends",
     [](const FocusRow& row) { return row["BillingPeriodStart"] < row["BillingPeriodEnd"]; }},
    {"a charge period starts before it ends",
     [](const FocusRow& row) { return row["ChargePeriodStart"] < row["ChargePeriodEnd"]; }},
    {"a charge that corrects nothing is of its billing period",
     [](const FocusRow& row) {
         return row["BillingPeriodStart"] <= row["ChargePeriodStart"] && row["ChargePeriodEnd"] <= row["BillingPeriodEnd"];
     }},
    {"BillingCurrency is a code of ISO 4217",
     [](const FocusRow& row) { return std::regex_match(row["BillingCurrency"], std::regex("[A-Z]{3}")); }},
    {"who issues no invoice of a charge bills nothing",
     [](const FocusRow& row) { return row["ServiceProviderName"] == row["InvoiceIssuerName"] || row.number("BilledCost") == 0; }},
    {"ListCost is ListUnitPrice times PricingQuantity",
     [](const FocusRow& row) { return row.number("ListCost") == row.number("ListUnitPrice") * row.number("PricingQuantity"); }},
    {"ContractedCost is ContractedUnitPrice times PricingQuantity",
     [](const FocusRow& row) {
         return row.number("ContractedCost") == row.number("ContractedUnitPrice") * row.number("PricingQuantity");
     }},
    {"unit prices are not below 0",
     [](const FocusRow& row) { return row.number("ListUnitPrice") >= 0 && row.number("ContractedUnitPrice") >= 0; }},
    {"a purchase is not usage-based",
     [](const FocusRow& row) { return !row.is("ChargeCategory", "Purchase") || !row.is("ChargeFrequency", "Usage-Based"); }},
    {"a purchase that covers charges has EffectiveCost 0",
     [](const FocusRow& row) { return !row.is("ChargeCategory", "Purchase") || row.number("EffectiveCost") == 0; }},
    {"EffectiveCost is BilledCost, but of what covers or is covered",
     [](const FocusRow& row) {
         return row.is("ChargeCategory", "Purchase") || row.number("BilledCost") == 0 ||
                row.number("BilledCost") == row.number("EffectiveCost");
     }},
    {"what a commitment covers is Committed, its purchase is not, and nothing else is",
     [](const FocusRow& row) {
         const bool is_covered = !row.is_null("CommitmentDiscountId") && row.is("ChargeCategory", "Usage");
         return row.is("PricingCategory", "Committed") == is_covered;
     }},
    {"what a commitment covers is billed at 0",
     [](const FocusRow& row) { return row.is_null("CommitmentDiscountStatus") || row.number("BilledCost") == 0; }},
    {"CommitmentDiscountStatus is that of usage of a commitment",
     [](const FocusRow& row) {
         const bool is_covered = !row.is_null("CommitmentDiscountId") && row.is("ChargeCategory", "Usage");
         return row.is_null("CommitmentDiscountStatus") != is_covered;
     }},
    {"the resource of a commitment's purchase is the commitment",
     [](const FocusRow& row) {
         return !row.is("ChargeCategory", "Purchase") || row.is_null("CommitmentDiscountId") ||
                row["ResourceId"] == row["CommitmentDiscountId"];
     }},
    {"SkuPriceDetails is null without SkuPriceId",
     [](const FocusRow& row) { return !row.is_null("SkuPriceId") || row.is_null("SkuPriceDetails"); }},
    {"SkuPriceDetails is a JSON object", [](const FocusRow& row) { return is_focus_json(row["SkuPriceDetails"]); }},
    {"Tags is a JSON object", [](const FocusRow& row) { return is_focus_json(row["Tags"]); }},
    {"ServiceSubcategory is of its ServiceCategory", [](const FocusRow& row) {
         const auto parent = kFocusSubcategories.find(row["ServiceSubcategory"]);
         return parent != kFocusSubcategories.end() ? parent->second == row["ServiceCategory"]
                                                    : row["ServiceSubcategory"] == "Other (" + row["ServiceCategory"] + ")";
     }}};

/// What a row breaks.
[[nodiscard]] inline std::vector<std::string> broken_focus_rules(const FocusRow& row) {
    static const std::regex decimal(R"(-?\d+(\.\d+)?)"); // NumericFormat: no exponent, no sign of what is above 0
    static const std::regex moment(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)");
    std::vector<std::string> broken;
    const auto add_unless = [&](bool holds, const std::string& name) {
        if (!holds) {
            broken.push_back(name);
        }
    };
    for (const std::string& name : kFocusNotNull) {
        add_unless(!row.is_null(name), name + " is null");
    }
    for (const std::string& name : kFocusDecimals) {
        add_unless(row.is_null(name) || std::regex_match(row[name], decimal), name + " is no decimal");
    }
    for (const std::string& name : kFocusMoments) {
        add_unless(std::regex_match(row[name], moment), name + " is no moment");
    }
    for (const auto& [name, values] : kFocusAllowed) {
        add_unless(row.is_null(name) || values.contains(row[name]), name + " is not allowed");
    }
    for (const auto& [name, other] : kFocusNullTogether) {
        add_unless(row.is_null(name) == row.is_null(other), fmt::format("{} or {} alone is null", name, other));
    }
    for (const FocusRule& rule : kFocusRules) {
        add_unless(rule.holds(row), rule.name);
    }
    return broken;
}

/// What the columns of a file break.
[[nodiscard]] inline std::vector<std::string> broken_focus_columns(const CsvRow& head) {
    std::vector<std::string> broken;
    for (const std::string& name : kFocusMandatory) {
        if (std::find(head.begin(), head.end(), name) == head.end()) {
            broken.push_back(name + " is missing");
        }
    }
    const auto is_custom = [](const std::string& name) { return name.starts_with("x_"); };
    for (std::size_t i = 0; i < head.size(); ++i) {
        if (!std::regex_match(head[i], std::regex("(x_)?[A-Z][A-Za-z]*")) || head[i].size() > 50) {
            broken.push_back(head[i] + " is no name of a column");
        }
        if (i > 0 && std::pair(is_custom(head[i - 1]), head[i - 1]) >= std::pair(is_custom(head[i]), head[i])) {
            broken.push_back(head[i] + " is out of order"); // SHOULD: by name, FOCUS's before one's own
        }
    }
    return broken;
}

/// What the rows break together: each of the first has one of the second.
[[nodiscard]] inline std::vector<std::string> broken_focus_parents(const std::vector<FocusRow>& rows) {
    std::vector<std::string> broken;
    for (const auto& [child, parent] :
         {std::pair("SkuPriceId", "SkuId"), std::pair("ServiceName", "ServiceCategory"),
          std::pair("ServiceName", "ServiceSubcategory"), std::pair("ServiceSubcategory", "ServiceCategory")}) {
        std::map<std::string, std::string> parents;
        for (const FocusRow& row : rows) {
            if (parents.try_emplace(row[child], row[parent]).first->second != row[parent]) {
                broken.push_back(fmt::format("{} {} has two of {}", child, row[child], parent));
            }
        }
    }
    return broken;
}

} // namespace costcurve::tests
