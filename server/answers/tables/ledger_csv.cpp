// Ledger rows as charges, a column a row of a table. What FOCUS says of a column: focus.finops.org/focus-specification/v1-2
// (2025), section 3.1.
#include "server/answers/tables/ledger_csv.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/prices.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/tables/table.hpp"

namespace costcurve::answers {

namespace {

using model::Category;
using model::LedgerRow;

struct Charge {
    const Evaluated& evaluated;
    const model::ScenarioDocument& scenario;
    const LedgerRow& row;
    const model::Pool* pool;         ///< null: of none
    const model::PriceOrigin* price; ///< of the pool
    bool is_purchase;
    double billed;
    double effective;

    [[nodiscard]] bool is_internal() const { return pool == nullptr || pool->kind == model::PoolKind::owned; }
    [[nodiscard]] std::string_view label() const { return model::row_of(row.category).label; }
    /// At contracted rates, as both amounts are.
    [[nodiscard]] double contracted() const { return is_purchase ? billed : effective; }
};

std::string month_start(const Charge& charge, int after) {
    return fmt::format("{}-01T00:00:00Z", to_text(add_months(charge.scenario.start, static_cast<int>(charge.row.month) + after)));
}

std::string period_start(const Charge& charge) { return month_start(charge, 0); }
std::string period_end(const Charge& charge) { return month_start(charge, 1); }

// FOCUS wants an account: a plan has none, its scenario stands for it.
std::string account_id(const Charge& charge) {
    return csv_text(charge.scenario.id.empty() ? charge.evaluated.inputs_hash : charge.scenario.id);
}

// Who is paid: nobody but oneself for what is owned; a cloud without a name is called as its pool is.
std::string provider_of(const Charge& charge) {
    if (charge.is_internal()) {
        return "Internal";
    }
    const std::string& name = charge.pool->offer ? charge.pool->offer->provider : hosted(*charge.pool).provider;
    return csv_text(name.empty() ? charge.pool->id : name);
}

std::string region_of(const Charge& charge) {
    const model::Pool* const pool = charge.pool;
    return pool == nullptr ? "" : csv_text(pool->offer ? pool->offer->region : pool->endpoint ? pool->endpoint->region : "");
}

std::string service_category(const Charge& charge) { return std::string(model::row_of(charge.row.category).focus_service); }

std::string service_name(const Charge& charge) {
    return std::string(charge.pool != nullptr ? name_of(charge.pool->kind) : charge.label());
}

std::string_view workload_of(const Charge& charge) {
    return charge.row.workload == LedgerRow::kNone ? std::string_view() : charge.scenario.workloads[charge.row.workload].id;
}

std::string description_of(const Charge& charge) {
    std::string text(charge.label());
    text += charge.pool != nullptr ? fmt::format(" of {}", charge.pool->id) : "";
    text += workload_of(charge).empty() ? "" : fmt::format(" for {}", workload_of(charge));
    return csv_text(charge.is_purchase ? text + ", bought" : text);
}

// What a provider's list price comes to.
bool is_listed(const Charge& charge) {
    const Category category = charge.row.category;
    return !charge.is_internal() &&
           (category == Category::compute || category == Category::usage || category == Category::commitment);
}

// Without the pool's discount, where the amount is what a provider's list price comes to.
double list_cost(const Charge& charge) {
    const double off = is_listed(charge) ? charge.pool->discount_fraction : 0.0;
    return off < 1 ? charge.contracted() / (1 - off) : charge.contracted();
}

// As FOCUS has them: a JSON object, nothing where there are none.
std::string tags_of(const Charge& charge) {
    return charge.pool == nullptr || charge.pool->tags.empty() ? "" : csv_text(encode_answer(charge.pool->tags));
}

std::string number(double value) { return fmt::format("{}", value); }

struct Column {
    std::string_view name;
    std::string (*cell)(const Charge& charge);
};
constexpr auto kColumns = std::to_array<Column>({
    {"BillingPeriodStart", period_start},
    {"BillingPeriodEnd", period_end},
    {"ChargePeriodStart", period_start},
    {"ChargePeriodEnd", period_end},
    {"BillingAccountId", account_id},
    {"BillingAccountName", [](const Charge& charge) { return csv_text(charge.scenario.name); }},
    {"BillingCurrency", [](const Charge& charge) { return charge.scenario.currency; }},
    {"ProviderName", provider_of},
    {"PublisherName", provider_of},
    {"InvoiceIssuerName", provider_of},
    {"RegionId", region_of},
    {"ChargeCategory", [](const Charge& charge) { return std::string(charge.is_purchase ? "Purchase" : "Usage"); }},
    {"ChargeClass", [](const Charge& /*charge*/) { return std::string(); }}, // no row corrects an earlier bill
    {"ChargeDescription", description_of},
    {"ServiceCategory", service_category},
    {"ServiceName", service_name},
    {"ResourceId", [](const Charge& charge) { return charge.pool != nullptr ? charge.pool->id : std::string(); }},
    {"PricingQuantity", [](const Charge& /*charge*/) { return std::string("1"); }}, // an amount is of the whole month
    {"PricingUnit", [](const Charge& charge) { return std::string(charge.is_purchase ? "Units" : "Months"); }},
    {"BilledCost", [](const Charge& charge) { return number(charge.billed); }},
    {"EffectiveCost", [](const Charge& charge) { return number(charge.effective); }},
    {"ContractedCost", [](const Charge& charge) { return number(charge.contracted()); }},
    {"ListCost", [](const Charge& charge) { return number(list_cost(charge)); }},
    {"Tags", tags_of},
    {"x_Scenario", [](const Charge& charge) { return csv_text(charge.scenario.name); }},
    {"x_Workload", [](const Charge& charge) { return std::string(workload_of(charge)); }},
    {"x_Category", [](const Charge& charge) { return std::string(name_of(charge.row.category)); }},
    {"x_PriceDay", [](const Charge& charge) { return is_listed(charge) ? charge.price->day.value_or("") : std::string(); }},
    {"x_PriceSource", [](const Charge& charge) { return is_listed(charge) ? csv_text(charge.price->source) : std::string(); }},
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
    for (const LedgerRow& row : ledger_rows(scenario, evaluated.ledger)) {
        const model::Pool* const pool = row.pool == LedgerRow::kNone ? nullptr : &scenario.pools[row.pool];
        const model::PriceOrigin* const price = pool == nullptr ? nullptr : &prices[row.pool];
        const bool is_prepaid = row.category == Category::commitment || row.category == Category::hardware;
        if (is_prepaid) { // FOCUS: a purchase that covers later use has no EffectiveCost, its use no BilledCost
            add_charge(csv, {evaluated, scenario, row, pool, price, true, row.cash, 0.0});
        }
        add_charge(csv, {evaluated, scenario, row, pool, price, false, is_prepaid ? 0.0 : row.cash, row.cost});
    }
    return csv;
}

} // namespace costcurve::answers
