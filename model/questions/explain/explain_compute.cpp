// Terms of what is paid by the hour: instances and provisioned units. For the units also what a cut term still owes, and their
// work.
#include <algorithm>

#include "model/commitment.hpp"
#include "model/documents/units.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

double hours_in(const Question& question, std::size_t month) { return question.compiled.hours.months[month].total; }

// Change of a pool's bill against list prices by commitments to spend, or by volume tiers of device-hours.
Term off_list_price(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const bool has_tiers = !question.document.pools[p].offer->volume_tiers.empty();
    return over_months(question, scope,
                       {has_tiers ? "volume tiers" : "commitments to spend",
                        has_tiers ? "list price × (mean price_factor of the month's device-hours − 1)"
                                  : "−Σ hours: price on demand × fraction of what the hour's commitments pay for",
                        question.currency(),
                        [&question, &pool, p](std::size_t m) {
                            const double listed =
                                question.ledger.available_hours(m, p) / pool.devices_per_unit * pool.hourly_price[m];
                            return question.ledger.cost(m, p, static_cast<std::size_t>(Category::compute)) - listed;
                        },
                        {has_tiers ? pool_at(p, "offer/volume_tiers") : "/spend_commitments"}});
}

// Pointer to the price of a provisioned unit: that of the term bought, or the hourly price.
std::string unit_price_at(const Question& question, std::size_t p) {
    const Pool& pool = question.document.pools[p];
    if (const ProvisionedTerm* const term = provisioned_term(pool)) {
        const std::string_view field = term->price_per_unit_month ? "price_per_unit_month" : "price_per_unit_hour";
        return hosted_at(question, p, fmt::format("provisioned/terms/{}/{}", term - hosted(pool).provisioned->terms.data(), field));
    }
    return hosted_at(question, p, "provisioned/price_per_unit_hour");
}

bool is_by_month(const Question& question, std::size_t p) {
    const ProvisionedTerm* const term = provisioned_term(question.document.pools[p]);
    return term != nullptr && term->price_per_unit_month;
}

std::vector<Term> provisioned_compute(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const bool by_month = is_by_month(question, p);
    const auto volume = [&, by_month](std::size_t m) { return pool.units_paid[m] * (by_month ? 1.0 : hours_in(question, m)); };
    const std::string unit = by_month ? "unit-months" : "unit-hours";
    std::vector<Term> causes;
    add_unless_zero(
        causes,
        priced(question, scope,
               {"provisioned units",
                by_month ? "Σ months × units × price of a unit-month" : "Σ hours × units × price of a unit-hour",
                question.currency(),
                volume,
                [&, by_month](std::size_t m) { return by_month ? pool.monthly_price[m] : pool.hourly_price[m]; },
                [&, unit](const Scope& part) {
                    return over_months(
                        question, part,
                        {unit, by_month ? "months × units" : "hours × units", unit, volume, {pool_at(p, "provisioned_units")}});
                },
                by_month ? "price of a unit-month" : "price of a unit-hour",
                by_month ? "price_per_unit_month × (1 − discount_fraction)"
                         : "price_per_unit_hour × (1 − discount_fraction) × growth of usage",
                question.per(by_month ? "unit-month" : "unit-hour"),
                {unit_price_at(question, p), pool_at(p, "discount_fraction")}}));
    return causes;
}

} // namespace

std::vector<Term> compute(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    if (pool.kind != PoolKind::cloud) {
        return is_provisioned(question.document.pools[p]) ? provisioned_compute(question, p, scope) : std::vector<Term>{};
    }
    std::vector<Term> causes;
    causes.push_back(
        priced(question, scope,
               {"instances",
                "Σ hours × instances × hourly price",
                question.currency(),
                [&](std::size_t m) { return question.ledger.available_hours(m, p) / pool.devices_per_unit; },
                [&](std::size_t m) { return pool.hourly_price[m]; },
                [&](const Scope& part) { return instance_hours(question, p, part); },
                "hourly price",
                "hourly_price × (1 − discount_fraction) × (1 + price_growth_rate)^(m/12)",
                question.per("instance-hour"),
                {pool_at(p, "offer/hourly_price"), pool_at(p, "offer/price_growth_rate"), pool_at(p, "discount_fraction")}}));
    if (!question.compiled.spend.empty() || !question.compiled.device_hour_tiers.empty()) {
        add_unless_zero(causes, off_list_price(question, p, scope));
    }
    return causes;
}

namespace {

// Index of the entry of the only workload for which the pool's units are bought.
std::size_t entry_on(const Question& question, std::size_t p) {
    const auto& entries = question.compiled.entries;
    return static_cast<std::size_t>(std::ranges::find(entries, p, &CompiledEntry::pool) - entries.begin());
}

double units_at_most(const Question& question, std::size_t p, std::size_t m) {
    return question.compiled.pools[p].max_units_per_s[m] * hours_in(question, m) * kSecondsPerHour;
}

} // namespace

Term unit_utilization(const Question& question, std::size_t p) {
    const Scope all = whole_horizon(question);
    return quotient("", "units served / units that provisioned units can serve", "of 1",
                    units_served_by(question, entry_on(question, p), all),
                    over_months(question, all,
                                {"units at most",
                                 "Σ hours × 3600 × provisioned_units × units of a request / (60 × Σ units / tokens_per_minute)",
                                 "units",
                                 [&, p](std::size_t m) { return units_at_most(question, p, m); },
                                 {pool_at(p, "provisioned_units"), hosted_at(question, p, "provisioned/tokens_per_minute")}}));
}

Term break_even_utilization(const Question& question, std::size_t p) {
    const std::size_t e = entry_on(question, p);
    const Scope all = whole_horizon(question);
    const CompiledPool& pool = question.compiled.pools[p];
    return quotient("", "what units cost / all that they can serve, at the price of tokens", "of 1",
                    over_months(question, all,
                                {"units",
                                 "Σ hours × units × price",
                                 question.currency(),
                                 [&](std::size_t m) { return pool.paid_for_units(m, hours_in(question, m)); },
                                 {pool_at(p, "provisioned_units"), unit_price_at(question, p)}}),
                    over_months(question, all,
                                {"tokens", "Σ units at most × price of a unit", question.currency(),
                                 [&, e, p](std::size_t m) {
                                     return units_at_most(question, p, m) * question.compiled.entries[e].token_price[m];
                                 },
                                 prices_at(question, p)}));
}

Term provisioned_owed(const Question& question, std::size_t p, bool discounted) {
    const TermLeft left = term_left(question.document.pools[p], question.document);
    const CompiledPool& pool = question.compiled.pools[p];
    const bool by_month = is_by_month(question, p);
    const double whole = by_month ? left.months : left.hours;
    const double at_end = by_month ? left.discounted_months : left.discounted_hours;
    Pointers inputs = {pool_at(p, "provisioned_term_months"), "/months"};
    if (discounted) {
        inputs.emplace_back("/finance/discount_rate");
    }
    std::vector<Term> terms;
    terms.push_back(stated(question, "units", pool_at(p, "provisioned_units")));
    terms.push_back(leaf(question, "price of a unit", "of the term, × (1 − discount_fraction)",
                         by_month ? pool.monthly_price.back() : pool.hourly_price.back(),
                         question.per(by_month ? "unit-month" : "unit-hour"),
                         {unit_price_at(question, p), pool_at(p, "discount_fraction")}));
    const std::string name = by_month ? "months left" : "hours left";
    terms.push_back(leaf(question, discounted ? name + ", discounted" : name,
                         discounted ? "Σ of the k-th month left / (1+d)^(k/12)" : "of the term", discounted ? at_end : whole,
                         by_month ? "months" : "h", inputs));
    return product("owed at the horizon's end", "units × price × " + name, question.currency(), std::move(terms));
}

std::string served_by_api_rule(const CompiledPool& pool) {
    return pool.units_per_s_of_unit > 0.0
               ? "Σ hours × 3600 × min(demand left, provisioned_units × units of a request / (60 × Σ units / tokens_per_minute))"
               : "Σ hours × 3600 × min(demand left, max_units_per_s left)";
}

} // namespace costcurve::model::terms
