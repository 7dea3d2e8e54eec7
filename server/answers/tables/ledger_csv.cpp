// Ledger rows as FOCUS charges; one table row per column. Requirements of columns: specification 1.4 (ratified 2026-06-04),
// FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec, specification/datasets/cost_and_usage.
#include "server/answers/tables/ledger_csv.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/commitment.hpp"
#include "model/documents/calendar.hpp"
#include "model/documents/prices.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/tables/table.hpp"

namespace costcurve::answers {

namespace {

using model::Category;
using model::LedgerRow;

// FOCUS terms of a category: ServiceSubcategory, and ChargeFrequency of usage charges.
struct ChargeTerms {
    Category category;
    std::string_view subcategory;
    std::string_view frequency;
};
constexpr auto kChargeTerms = std::to_array<ChargeTerms>({
    {Category::compute, "Virtual Machines", "Usage-Based"},    {Category::usage, "Generative AI", "Usage-Based"},
    {Category::commitment, "Virtual Machines", "Recurring"},   {Category::hardware, "Other (Compute)", "Recurring"},
    {Category::facility, "Other (Other)", "Recurring"},        {Category::energy, "Other (Other)", "Usage-Based"},
    {Category::demand_charge, "Other (Other)", "Usage-Based"}, {Category::maintenance, "Other (Other)", "Recurring"},
    {Category::software, "Other (Other)", "Recurring"},        {Category::staff, "Other (Other)", "Recurring"},
    {Category::network, "Other (Networking)", "Recurring"},    {Category::storage, "Other (Storage)", "Recurring"},
    {Category::egress, "Other (Networking)", "Usage-Based"},   {Category::engineering, "Other (Other)", "One-Time"},
    {Category::carbon, "Other (Other)", "Usage-Based"},        {Category::unserved, "Other (Other)", "Usage-Based"},
    {Category::disposal, "Other (Other)", "One-Time"},         {Category::lease, "Other (Compute)", "Recurring"},
    {Category::financing, "Other (Other)", "Recurring"},       {Category::other, "Other (Other)", "Recurring"},
});
static_assert(kChargeTerms.size() == model::kCategories);
static_assert([] {
    for (std::size_t i = 0; i < kChargeTerms.size(); ++i) {
        if (static_cast<std::size_t>(kChargeTerms[i].category) != i) {
            return false;
        }
    }
    return true;
}());

// A pool's commitments: covered amount by month, and total payments.
struct Committed {
    std::map<std::size_t, double> covered; ///< by month
    double paid = 0.0;
};

struct Charge {
    const Evaluated& evaluated;
    const model::ScenarioDocument& scenario;
    const LedgerRow& row;
    const model::Pool* pool;         ///< null if none
    const model::PriceOrigin* price; ///< price of the pool
    const Committed* committed;      ///< null without a commitment
    bool is_purchase;
    double billed;
    double effective;

    [[nodiscard]] bool is_internal() const { return pool == nullptr || pool->kind == model::PoolKind::owned; }
    [[nodiscard]] const model::CategoryRow& words() const { return model::row_of(row.category); }
    [[nodiscard]] const ChargeTerms& terms() const { return kChargeTerms[static_cast<std::size_t>(row.category)]; }
    /// Contracted cost: both amounts are at contracted rates.
    [[nodiscard]] double contracted() const { return is_purchase ? billed : effective; }
    /// -1 for refunds, because unit prices are never below 0.
    [[nodiscard]] int quantity() const { return contracted() < 0.0 ? -1 : 1; }
};

// Without an exponent, which FOCUS's NumericFormat forbids; the shortest that reads back as the same number.
std::string number(double value) {
    constexpr std::size_t kDigits = 400; // 1e308 and 5e-324 with all of their zeros
    std::array<char, kDigits> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    return value == 0.0 || error != std::errc() ? "0" : std::string(text.data(), end);
}

std::string month_start(const Charge& charge, int after) {
    return fmt::format("{}-01T00:00:00Z", to_text(add_months(charge.scenario.start, static_cast<int>(charge.row.month) + after)));
}

std::string period_start(const Charge& charge) { return month_start(charge, 0); }
std::string period_end(const Charge& charge) { return month_start(charge, 1); }

// FOCUS wants an account: a plan has none, its scenario stands for it.
std::string account_id(const Charge& charge) {
    return csv_text(charge.scenario.id.empty() ? charge.evaluated.inputs_hash : charge.scenario.id);
}

// Provider of a charge: oneself for owned pools; the pool's name for a cloud without a name.
std::string provider_of(const Charge& charge) {
    if (charge.is_internal()) {
        return "Internal";
    }
    const std::string& name = charge.pool->offer ? charge.pool->offer->provider : hosted(*charge.pool).provider;
    return csv_text(name.empty() ? charge.pool->id : name);
}

// Host provider; an endpoint's seller doesn't state whose machines serve.
std::string host_of(const Charge& charge) { return charge.pool == nullptr ? "Not Applicable" : provider_of(charge); }

std::string region_of(const Charge& charge) {
    const model::Pool* const pool = charge.pool;
    return pool == nullptr ? "" : csv_text(pool->offer ? pool->offer->region : pool->endpoint ? pool->endpoint->region : "");
}

std::string zone_of(const Charge& charge) {
    return charge.pool != nullptr && charge.pool->offer ? csv_text(charge.pool->offer->zone) : std::string();
}

std::string pool_id(const Charge& charge) { return charge.pool != nullptr ? charge.pool->id : std::string(); }

std::string pool_kind(const Charge& charge) {
    return charge.pool != nullptr ? std::string(name_of(charge.pool->kind)) : std::string();
}

std::string_view workload_of(const Charge& charge) {
    return charge.row.workload == LedgerRow::kNone ? std::string_view() : charge.scenario.workloads[charge.row.workload].id;
}

std::string description_of(const Charge& charge) {
    std::string text(charge.words().label);
    text += charge.pool != nullptr ? fmt::format(" of {}", charge.pool->id) : "";
    text += workload_of(charge).empty() ? "" : fmt::format(" for {}", workload_of(charge));
    return csv_text(charge.is_purchase ? text + ", bought" : text);
}

// Whether the charge is computed from a provider's list price.
bool is_listed(const Charge& charge) {
    const Category category = charge.row.category;
    return !charge.is_internal() &&
           (category == Category::compute || category == Category::usage || category == Category::commitment);
}

std::string sku_of(const Charge& charge) {
    const std::string sku = !is_listed(charge) ? "" : charge.pool->offer ? charge.pool->offer->sku : hosted(*charge.pool).model;
    return sku.empty() ? std::string(name_of(charge.row.category)) : sku;
}

// A price is that of a pool: ids of pools have no slash, so each has one SKU.
std::string sku_price_of(const Charge& charge) {
    return charge.pool == nullptr ? sku_of(charge) : fmt::format("{}/{}", sku_of(charge), charge.pool->id);
}

std::string sku_details(const Charge& charge) {
    if (!is_listed(charge) || !charge.pool->offer || charge.pool->offer->sku.empty()) {
        return "";
    }
    const model::Offer& offer = *charge.pool->offer;
    return csv_text(fmt::format(R"({{"GpuCount":{},"InstanceType":{}}})", offer.devices, encode_answer(offer.sku)));
}

// Cost without the pool's discount, if it is computed from a list price.
double list_cost(const Charge& charge) {
    const double off = is_listed(charge) ? charge.pool->discount_fraction : 0.0;
    return off < 1 ? charge.contracted() / (1 - off) : charge.contracted();
}

std::string pricing_category(const Charge& charge) {
    const bool is_spot = is_listed(charge) && charge.pool->offer && charge.pool->offer->purchase == model::Purchase::spot;
    return charge.committed != nullptr && !charge.is_purchase ? "Committed" : is_spot ? "Dynamic" : "Standard";
}

std::string frequency_of(const Charge& charge) {
    if (!charge.is_purchase) {
        return std::string(charge.terms().frequency);
    }
    return charge.row.category == Category::compute ? "Recurring"
                                                    : "One-Time"; // hourly commitment fees recur; upfront payments are one-time
}

// `text` for charges that a commitment covers or that purchase one.
std::string of_commitment(const Charge& charge, std::string_view text) {
    return std::string(charge.committed != nullptr ? text : std::string_view());
}

// Months of the pool's commitment, by what they cost: all that is covered in a month is one.
std::string committed_months(const Charge& charge) {
    if (charge.committed == nullptr) {
        return "";
    }
    const Committed& all = *charge.committed;
    const double whole = charge.is_purchase ? all.paid : all.covered.at(charge.row.month);
    const double months = charge.is_purchase ? static_cast<double>(all.covered.size()) : 1.0;
    return number(whole == 0.0 ? 0.0 : charge.contracted() / whole * months);
}

// Tags as FOCUS's JSON object; "" if there are none.
std::string tags_of(const Charge& charge) {
    return charge.pool == nullptr || charge.pool->tags.empty() ? "" : csv_text(encode_answer(charge.pool->tags));
}

struct Column {
    std::string_view name;
    std::string (*cell)(const Charge& charge);
};
// By name, as ColumnHandling recommends: FOCUS's, then ours.
constexpr auto kColumns = std::to_array<Column>({
    {"AvailabilityZone", zone_of},
    {"BilledCost", [](const Charge& charge) { return number(charge.billed); }},
    {"BillingAccountId", account_id},
    {"BillingAccountName", [](const Charge& charge) { return csv_text(charge.scenario.name); }},
    {"BillingCurrency", [](const Charge& charge) { return charge.scenario.currency; }},
    {"BillingPeriodEnd", period_end},
    {"BillingPeriodStart", period_start},
    {"ChargeCategory", [](const Charge& charge) { return std::string(charge.is_purchase ? "Purchase" : "Usage"); }},
    {"ChargeClass", [](const Charge& /*charge*/) { return std::string(); }}, // no row corrects an earlier bill
    {"ChargeDescription", description_of},
    {"ChargeFrequency", frequency_of},
    {"ChargePeriodEnd", period_end},
    {"ChargePeriodStart", period_start},
    {"CommitmentDiscountCategory", [](const Charge& charge) { return of_commitment(charge, "Usage"); }},
    {"CommitmentDiscountId", [](const Charge& charge) { return of_commitment(charge, pool_id(charge)); }},
    {"CommitmentDiscountName", [](const Charge& charge) { return of_commitment(charge, pool_id(charge)); }},
    {"CommitmentDiscountQuantity", committed_months},
    // its machines run all the time, whatever they do
    {"CommitmentDiscountStatus", [](const Charge& charge) { return of_commitment(charge, charge.is_purchase ? "" : "Used"); }},
    {"CommitmentDiscountType",
     [](const Charge& charge) {
         return charge.committed == nullptr ? std::string() : std::string(name_of(charge.pool->offer->purchase));
     }},
    {"CommitmentDiscountUnit", [](const Charge& charge) { return of_commitment(charge, "Months"); }},
    {"ContractedCost", [](const Charge& charge) { return number(charge.contracted()); }},
    {"ContractedUnitPrice", [](const Charge& charge) { return number(std::fabs(charge.contracted())); }},
    {"EffectiveCost", [](const Charge& charge) { return number(charge.effective); }},
    {"HostProviderName", host_of},
    {"InvoiceIssuerName", provider_of},
    {"ListCost", [](const Charge& charge) { return number(list_cost(charge)); }},
    {"ListUnitPrice", [](const Charge& charge) { return number(std::fabs(list_cost(charge))); }},
    {"PricingCategory", pricing_category},
    {"PricingQuantity", [](const Charge& charge) { return fmt::format("{}", charge.quantity()); }}, // of the whole month
    {"PricingUnit", [](const Charge& charge) { return std::string(charge.is_purchase ? "Units" : "Months"); }},
    {"RegionId", region_of},
    {"RegionName", region_of},
    {"ResourceId", pool_id},
    {"ResourceName", pool_id},
    {"ResourceType", pool_kind},
    {"ServiceCategory", [](const Charge& charge) { return std::string(charge.words().focus_service); }},
    {"ServiceName", [](const Charge& charge) { return std::string(charge.words().label); }}, // each of one ServiceCategory
    {"ServiceProviderName", provider_of},
    {"ServiceSubcategory", [](const Charge& charge) { return std::string(charge.terms().subcategory); }},
    {"SkuId", [](const Charge& charge) { return csv_text(sku_of(charge)); }},
    {"SkuMeter", [](const Charge& charge) { return std::string(charge.words().label); }},
    {"SkuPriceDetails", sku_details},
    {"SkuPriceId", [](const Charge& charge) { return csv_text(sku_price_of(charge)); }},
    {"Tags", tags_of},
    {"x_Category", [](const Charge& charge) { return std::string(name_of(charge.row.category)); }},
    {"x_PriceDay", [](const Charge& charge) { return is_listed(charge) ? charge.price->day.value_or("") : std::string(); }},
    {"x_PriceSource", [](const Charge& charge) { return is_listed(charge) ? csv_text(charge.price->source) : std::string(); }},
    {"x_Scenario", [](const Charge& charge) { return csv_text(charge.scenario.name); }},
    {"x_Workload", [](const Charge& charge) { return std::string(workload_of(charge)); }},
});

void add_charge(std::string& csv, const Charge& charge) {
    if (charge.billed == 0.0 && charge.effective == 0.0) {
        return;
    }
    for (const Column& column : kColumns) {
        csv += &column == kColumns.data() ? "" : ",";
        csv += column.cell(charge);
    }
    csv += "\r\n";
}

// Whether a row is charged by a commitment to machines: those of a pool whose offer is one.
bool is_committed(const model::Pool* pool, Category category) {
    return pool != nullptr && pool->offer && model::is_commitment(pool->offer->purchase) &&
           pool->offer->purchase != model::Purchase::dedicated &&
           (category == Category::compute || category == Category::commitment);
}

// Whether payment and use are separate charges. FOCUS: a purchase that covers other charges has no EffectiveCost, and the covered
// charges have no BilledCost. All others have both.
bool is_paid_apart(const model::Pool* pool, const LedgerRow& row) {
    return row.category == Category::commitment || row.category == Category::hardware || is_committed(pool, row.category) ||
           row.cash != row.cost;
}

} // namespace

std::string encode_ledger_csv(const Evaluated& evaluated, bool with_header) {
    std::string csv;
    for (const Column& column : kColumns) {
        if (with_header) {
            csv += (csv.empty() ? "" : ",") + std::string(column.name);
        }
    }
    csv += with_header ? "\r\n" : "";
    const model::ScenarioDocument& scenario = evaluated.scenario.document();
    std::vector<model::PriceOrigin> prices;
    prices.reserve(scenario.pools.size());
    for (const model::Pool& pool : scenario.pools) {
        prices.push_back(model::price_origin(pool, scenario.start));
    }
    const auto pool_of = [&](const LedgerRow& row) { return row.pool == LedgerRow::kNone ? nullptr : &scenario.pools[row.pool]; };
    const std::vector<LedgerRow> rows = ledger_rows(scenario, evaluated.ledger);
    std::map<std::size_t, Committed> committed; // by pool
    for (const LedgerRow& row : rows) {
        if (is_committed(pool_of(row), row.category)) {
            committed[row.pool].covered[row.month] += row.cost;
            committed[row.pool].paid += row.cash;
        }
    }
    for (const LedgerRow& row : rows) {
        const model::Pool* const pool = pool_of(row);
        const model::PriceOrigin* const price = pool == nullptr ? nullptr : &prices[row.pool];
        const Committed* const terms = is_committed(pool, row.category) ? &committed.at(row.pool) : nullptr;
        const bool is_apart = is_paid_apart(pool, row);
        if (is_apart) {
            add_charge(csv, {evaluated, scenario, row, pool, price, terms, true, row.cash, 0.0});
        }
        add_charge(csv, {evaluated, scenario, row, pool, price, terms, false, is_apart ? 0.0 : row.cash, row.cost});
    }
    return csv;
}

} // namespace costcurve::answers
