// Columns of FOCUS, and its versions by the columns that they introduced.
#include "server/import/prices/focus_columns.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

struct VersionRow {
    std::string_view version;
    std::string_view columns; // that it introduced, separated by blanks
};
// Newest first.
constexpr auto kVersions = std::to_array<VersionRow>({
    {"1.4",
     "CommitmentProgramEligibilityDetails InvoiceDetailId ContractCommitmentApplicability ContractCommitmentBenefitCategory "
     "ContractCommitmentCreated ContractCommitmentDiscountPercentage ContractCommitmentDurationType "
     "ContractCommitmentFulfillmentInterval ContractCommitmentLastUpdated ContractCommitmentLifecycleStatus "
     "ContractCommitmentModel ContractCommitmentOfferCategory ContractCommitmentPaymentInterval ContractCommitmentPaymentModel "
     "ContractCommitmentPaymentUpfrontPercentage PricingCurrencyContractCommitmentCost"},
    {"1.3", "AllocatedMethodDetails AllocatedMethodId AllocatedResourceId AllocatedResourceName AllocatedTags ContractApplied "
            "HostProviderName ServiceProviderName ContractCommitmentId"},
    {"1.2", "BillingAccountType InvoiceId PricingCurrency PricingCurrencyContractedUnitPrice PricingCurrencyEffectiveCost "
            "PricingCurrencyListUnitPrice SubAccountType"},
    {"1.1", "CapacityReservationId CapacityReservationStatus CommitmentDiscountQuantity CommitmentDiscountUnit ServiceSubcategory "
            "SkuMeter SkuPriceDetails"},
});
constexpr std::string_view kOldest = "1.0";

// All columns of Cost and Usage, 1.0 to 1.4: what two charges may differ in, beside columns of a seller's own.
constexpr std::string_view kCostAndUsage =
    "AllocatedMethodDetails AllocatedMethodId AllocatedResourceId AllocatedResourceName AllocatedTags AvailabilityZone BilledCost "
    "BillingAccountId BillingAccountName BillingAccountType BillingCurrency BillingPeriodEnd BillingPeriodStart "
    "CapacityReservationId CapacityReservationStatus ChargeCategory ChargeClass ChargeDescription ChargeFrequency ChargePeriodEnd "
    "ChargePeriodStart CommitmentDiscountCategory CommitmentDiscountId CommitmentDiscountName CommitmentDiscountQuantity "
    "CommitmentDiscountStatus CommitmentDiscountType CommitmentDiscountUnit CommitmentProgramEligibilityDetails ConsumedQuantity "
    "ConsumedUnit ContractApplied ContractedCost ContractedUnitPrice EffectiveCost HostProviderName InvoiceDetailId InvoiceId "
    "InvoiceIssuerName ListCost ListUnitPrice PricingCategory PricingCurrency PricingCurrencyContractedUnitPrice "
    "PricingCurrencyEffectiveCost PricingCurrencyListUnitPrice PricingQuantity PricingUnit ProviderName PublisherName RegionId "
    "RegionName ResourceId ResourceName ResourceType ServiceCategory ServiceName ServiceProviderName ServiceSubcategory SkuId "
    "SkuMeter SkuPriceDetails SkuPriceId SubAccountId SubAccountName SubAccountType Tags";

// ISO 4217 list one, 2024-06-25, without codes of funds, metals and tests.
constexpr std::string_view kCurrencies =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP "
    "CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR "
    "ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN "
    "MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD "
    "SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW "
    "ZWG";

bool has_word(std::string_view words, std::string_view word) {
    for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) {
            return true;
        }
    }
    return false;
}

} // namespace

FocusColumns::FocusColumns(Table& file) : table(file) {
    std::ranges::transform(kFocusTexts, line_texts.begin(), [&](const FocusText& row) { return table.column(row.name); });
    std::ranges::transform(kFocusCosts, costs.begin(), [&](const FocusCost& row) { return table.column(row.name); });
    for (const std::string_view name :
         {"x_InstanceType", "InstanceType", "x_UsageType", "x_SkuMeterName", "SkuMeter", "ResourceType", "ChargeDescription",
          "x_SkuDescription", "SkuPriceDetails", "x_SkuDetails"}) {
        if (const Column column = table.column(name)) {
            texts.push_back(column);
        }
    }
    for (std::size_t i = 0; i < table.header().size(); ++i) { // a cell that is looked at counts as read: not of unknown columns
        const std::string& name = table.header()[i];
        if (name.starts_with("x_") || has_word(kCostAndUsage, name)) {
            known.push_back({static_cast<int>(i)});
        }
    }
}

std::string_view FocusColumns::text(Column column) const {
    const std::string_view cell = table.text(column);
    return cell == "NULL" || cell == "null" ? std::string_view() : cell;
}

Column FocusColumns::cost(double BillLine::*member) const {
    return costs[static_cast<std::size_t>(std::ranges::find(kFocusCosts, member, &FocusCost::member) - kFocusCosts.begin())];
}

void FocusColumns::read_texts(BillLine& line) const {
    for (std::size_t i = 0; i < kFocusTexts.size(); ++i) {
        line.*kFocusTexts[i].member = text(line_texts[i]);
    }
}

std::string FocusColumns::read_costs(BillLine& line) const {
    bool is_readable = true;
    for (std::size_t i = 0; i < kFocusCosts.size(); ++i) {
        const Number cost = table.amount(costs[i]);
        is_readable = is_readable && (cost || (!kFocusCosts[i].is_needed && cost.state == Number::State::blank));
        line.*kFocusCosts[i].member = cost.value;
    }
    if (is_readable) {
        return "";
    }
    std::string cells;
    for (std::size_t i = 0; i < kFocusCosts.size(); ++i) {
        cells += fmt::format("{}{} is {}", cells.empty() ? "" : ", ", kFocusCosts[i].name, table.shown(costs[i]));
    }
    return cells + "; numbers are needed";
}

std::string_view focus_version(const std::vector<std::string>& header) {
    const auto has = [&](std::string_view name) { return std::find(header.begin(), header.end(), name) != header.end(); };
    if (has("ServiceProviderName") && !has("ProviderName") && !has("ContractCommitmentId")) {
        return kVersions.front().version; // 1.4 dropped what 1.3 called deprecated and must have
    }
    for (const VersionRow& row : kVersions) {
        if (std::any_of(header.begin(), header.end(), [&](const std::string& name) { return has_word(row.columns, name); })) {
            return row.version;
        }
    }
    return kOldest;
}

bool is_national_currency(std::string_view code) { return code.size() == 3 && has_word(kCurrencies, code); }

} // namespace costcurve::imports
