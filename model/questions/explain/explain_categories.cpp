// Causes of each category of a pool's cost: a table with one row a category, its formula in words and the function for its terms.
#include <algorithm>
#include <array>

#include "model/categories/operating_costs.hpp"
#include "model/compile_work.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/pairs/pair_work.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

std::vector<Term> one(Term term) {
    std::vector<Term> terms;
    add_unless_zero(terms, std::move(term));
    return terms;
}

// Months (0 or 1) in which the site has servers × places of the site × the pool's share of the site's nameplate kW.
double site_months(const Question& question, std::size_t p, std::size_t m) {
    const CompiledSite& site = *site_of(question, p);
    const CompiledPool& pool = question.compiled.pools[p];
    return site.nameplate_kw[m] > 0
               ? question.document.pools[p].site->places * pool.units_paid[m] * pool.power.nameplate_w / 1000 / site.nameplate_kw[m]
               : 0.0;
}
Term site_share(const Question& question, std::size_t p, const Scope& scope, double per, const std::string& unit) {
    return over_months(question, scope,
                       {unit,
                        "places × share of the nameplate kW in service" + std::string(per == 1 ? "" : " / 12"),
                        unit,
                        [&, p, per](std::size_t m) { return site_months(question, p, m) / per; },
                        {pool_at(p, "site/places"), pool_at(p, "purchases")}});
}

// Terms of an owned pool's operating costs in the category, one for each row of kOperatingCosts.
std::vector<Term> operating_costs(const Question& question, std::size_t p, Category category, const Scope& scope) {
    std::vector<Term> causes;
    for (const OperatingCost& cost : kOperatingCosts) {
        if (cost.category != category) {
            continue;
        }
        const bool is_of_servers = cost.volume == OperatingCost::Volume::servers;
        const std::string unit = cost.months == 1 ? "months" : "years";
        std::vector<Term> factors;
        factors.push_back(is_of_servers ? server_months(question, p, scope, cost.months, "server-" + unit)
                                        : site_share(question, p, scope, cost.months, unit));
        for (const StatedFactor& factor : cost.factors) {
            if (!factor.name.empty()) {
                factors.push_back(stated(question, std::string(factor.name), pool_at(p, factor.at)));
            }
        }
        add_growth(
            question, category, scope,
            [&](std::size_t m) { return is_of_servers ? question.compiled.pools[p].units_paid[m] : site_months(question, p, m); },
            factors, exchange_index_of(cost, *question.document.pools[p].server, *question.document.pools[p].site));
        add_unless_zero(causes,
                        product(std::string(cost.name), std::string(cost.formula), question.currency(), std::move(factors)));
    }
    return causes;
}

// Formulas of the category's operating costs, in words.
std::string operating_rule(Category category) {
    std::string rule;
    for (const OperatingCost& cost : kOperatingCosts) {
        if (cost.category == category) {
            rule += fmt::format("{}{}", rule.empty() ? "" : " + ", cost.formula);
        }
    }
    return rule;
}

std::vector<Term> carbon_cost(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms;
    terms.push_back(carbon(question, p, scope));
    terms.push_back(leaf(question, "carbon price", "carbon_price_per_tonne / 1000", question.compiled.carbon_price_per_kg,
                         question.per("kg"), {"/finance/carbon_price_per_tonne"}));
    return one(product("carbon", "carbon, embodied included × carbon price", question.currency(), std::move(terms)));
}

// Calls visit(entry, workload's name) for each entry on the pool whose workload is in the scope.
template <class F> void for_each_entry(const Question& question, std::size_t p, const Scope& scope, const F& visit) {
    for (std::size_t e = 0; e < question.compiled.entries.size(); ++e) {
        const CompiledEntry& entry = question.compiled.entries[e];
        if (entry.pool == p && scope.workload.value_or(entry.workload) == entry.workload) {
            visit(e, "workload " + question.document.workloads[entry.workload].id);
        }
    }
}

std::vector<Term> usage(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms;
    const Pointers prices = prices_at(question, p);
    for_each_entry(question, p, scope, [&](std::size_t e, const std::string& name) {
        const CompiledEntry& entry = question.compiled.entries[e];
        add_unless_zero(terms, priced(question, scope,
                                      {name, "units × price per unit", question.currency(),
                                       [&](std::size_t m) { return question.ledger.served(m, e); },
                                       [&](std::size_t m) { return entry.price_per_unit[m]; },
                                       [&](const Scope& part) { return units_served_by(question, e, part); }, "price of a unit",
                                       formula_of_unit_price(question, e), question.per("unit"), billed_by(question, e),
                                       [&](std::size_t m) { return terms_of_unit_price(question, e, m); }}));
        add_unless_zero(terms, usage_in_tiers(question, e, scope));
    });
    return terms;
}

// GB that leave the pool for a unit: as stated, or in a prefill/decode pair the KV cache that moves to the other pool.
Term gb_of_unit(const Question& question, std::size_t e) {
    const std::size_t w = question.compiled.entries[e].workload;
    if (e >= question.compiled.workloads[w].first_answer) {
        return stated(question, "GB of a unit", workload_at(w, "egress_gb_per_unit"));
    }
    Pointers inputs = units_at(question, w);
    inputs.push_back(entry_at(question, e, "cache_bytes_per_token"));
    return leaf(question, "GB of a unit", "cache_bytes_per_token × prompt tokens / units of a request / 10^9",
                egress_gb_per_unit(question.document.workloads[w], 0, question.document.pools), "GB/unit", inputs);
}

std::vector<Term> egress(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms;
    for_each_entry(question, p, scope, [&](std::size_t e, const std::string& name) {
        if (question.compiled.entries[e].egress_per_unit == 0.0) {
            return;
        }
        if (question.compiled.entries[e].egress_gb_per_unit > 0.0) {
            add_unless_zero(terms, egress_in_tiers(question, e, scope, name));
            return;
        }
        std::vector<Term> factors;
        factors.push_back(units_served_by(question, e, scope));
        factors.push_back(gb_of_unit(question, e));
        factors.push_back(stated(question, "price of a GB", pool_at(p, "offer/egress_per_gb")));
        add_growth(
            question, Category::egress, scope, [&](std::size_t m) { return question.ledger.served(m, e); }, factors);
        add_unless_zero(
            terms, product(name, "units served × egress_gb_per_unit × egress_per_gb", question.currency(), std::move(factors)));
    });
    return terms;
}

// Terms of porting costs, of which the scope bears `share`.
std::vector<Term> porting(const Question& question, std::size_t p, const Scope& scope, double share, const std::string& formula) {
    std::vector<Term> terms;
    if (p >= question.document.pools.size() || !has_capacity(question.compiled, question.document, p)) {
        return terms;
    }
    for_each_entry(question, p, scope, [&](std::size_t e, const std::string& name) {
        std::vector<Term> factors;
        factors.push_back(stated(question, "porting", entry_at(question, e, "porting/engineer_weeks")));
        factors.push_back(stated(question, "cost of a week", "/finance/engineer_week_cost"));
        if (share != 1.0) {
            factors.push_back(leaf(question, "share", formula, share, "of 1", {"/months"}));
        }
        add_unless_zero(terms, product(name, "engineer_weeks × engineer_week_cost", question.currency(), std::move(factors)));
    });
    return terms;
}
std::vector<Term> engineering_cost(const Question& question, std::size_t p, const Scope& scope) {
    const double share = static_cast<double>(scope.months.size()) / static_cast<double>(question.compiled.months);
    return porting(question, p, scope, share, "months / months of the horizon");
}
std::vector<Term> engineering_cash(const Question& question, std::size_t p, const Scope& scope) {
    return porting(question, p, scope, holds(scope, 0) ? 1.0 : 0.0, "paid at the first month's start");
}

std::vector<Term> unserved(const Question& question, std::size_t /*none*/, const Scope& scope) {
    std::vector<Term> terms;
    for (std::size_t w = 0; w < question.compiled.workloads.size(); ++w) {
        const CompiledWorkload& workload = question.compiled.workloads[w];
        if (scope.workload.value_or(w) != w || workload.unserved_cost_per_unit == 0.0) {
            continue;
        }
        const auto left = [&](std::size_t m) { return units_unserved(question.compiled, question.ledger, m, w); };
        std::vector<Term> factors;
        factors.push_back(
            over_months(question, scope,
                        {"units unserved", workload.carries_over ? "backlog that the horizon's end cuts off" : "demanded − served",
                         "units", left}));
        factors.push_back(stated(question, "cost of a unit", workload_at(w, "unserved_cost_per_unit")));
        add_unless_zero(terms, product("workload " + question.document.workloads[w].id, "units unserved × unserved_cost_per_unit",
                                       question.currency(), std::move(factors)));
    }
    return terms;
}

// A category whose cost is more than volume × stated prices (other categories: operating_costs.hpp).
struct CategoryRow {
    Category category;
    std::optional<PoolKind> of; ///< kind of pool that has the category; other pools have only its extra costs. Empty: all kinds
    std::string_view cost_rule;
    Causes cost;
    std::string_view cash_rule; ///< "" if cash equals the month's cost
    Causes cash;
};
constexpr auto kRows = std::to_array<CategoryRow>({
    {Category::compute, {}, "Σ hours × instances × hourly price", compute, "", compute},
    {Category::usage, PoolKind::api, "units × price per unit", usage, "", usage},
    {Category::commitment,
     {},
     "upfront / term, each month of the term; what a cut term leaves",
     commitment_cost,
     "upfront at the term's start; what the horizon's end settles",
     commitment_cash},
    {Category::hardware, PoolKind::owned, "a charge each month of service", hardware_cost,
     "P at purchase, less R or what the end brings", hardware_cash},
    {Category::facility, PoolKind::owned, "space in service, and a charge of own build", facility_cost,
     "as paid, less book value at the end", facility_cash},
    {Category::energy, PoolKind::owned, "Σ energy × tariff", energy_cost, "", energy_cost},
    {Category::demand_charge, PoolKind::owned, "largest facility kW × demand charge", demand_charge, "", demand_charge},
    {Category::maintenance, PoolKind::owned, "P × maintenance_rate / 12", maintenance, "", maintenance},
    {Category::egress, PoolKind::cloud, "units served × GB × price", egress, "", egress},
    {Category::engineering,
     {},
     "weeks × cost of a week, straight line over the horizon",
     engineering_cost,
     "weeks × cost of a week at the first month's start",
     engineering_cash},
    {Category::carbon, {}, "carbon, embodied included × carbon price", carbon_cost, "", carbon_cost},
    {Category::unserved, {}, "units unserved × unserved_cost_per_unit", unserved, "", unserved},
    {Category::disposal, PoolKind::owned, "book value less sale at the horizon's end", disposal,
     "none: the sale's cash is in hardware", no_cash},
    {Category::lease, PoolKind::owned, "payments, and upfronts over the term", lease_cost, "payments, and upfronts when paid",
     lease_cash},
    {Category::financing, PoolKind::owned, "interest of loans", financing_cost, "principal, interest and what is left at the end",
     financing_cash},
    {Category::other, {}, "extra costs", no_cash, "", no_cash},
});
constexpr const CategoryRow* row_with_causes(Category category) {
    const auto* const row =
        std::find_if(kRows.begin(), kRows.end(), [&](const CategoryRow& it) { return it.category == category; });
    return row == kRows.end() ? nullptr : row;
}
static_assert(
    [] {
        for (std::size_t c = 0; c < kCategories; ++c) {
            if ((row_with_causes(Category(c)) != nullptr) == has_operating_costs(Category(c))) {
                return false;
            }
        }
        return true;
    }(),
    "each category has a row here or operating costs");

// Amount of a category in a month: of the scope's workload if it names one, otherwise of all.
double amount_in(const Question& question, std::size_t m, std::size_t p, Category category, const Scope& scope, View view) {
    const Ledger& ledger = question.ledger;
    const auto c = static_cast<std::size_t>(category);
    if (!scope.workload || !is_direct(c)) {
        return view == View::cost ? ledger.cost(m, p, c) : ledger.cash(m, p, c);
    }
    const auto d = static_cast<std::size_t>(std::find(kDirect.begin(), kDirect.end(), category) - kDirect.begin());
    if (view == View::cost || category != Category::engineering) {
        return ledger.direct(m, p, *scope.workload, d);
    }
    double whole = 0.0; // paid at the horizon's start
    for (std::size_t k = 0; m == 0 && k < ledger.months; ++k) {
        whole += ledger.direct(k, p, *scope.workload, d);
    }
    return whole;
}

// Part of the category's cash that is paid at the start of the month.
double paid_at_start(const Question& question, std::size_t m, std::size_t p, Category category, const Scope& scope) {
    return category == Category::engineering ? amount_in(question, m, p, category, scope, View::cash)
                                             : question.compiled.flows.starts(m, p, static_cast<std::size_t>(category));
}

Term present_value(const Question& question, std::size_t p, Category category, const Scope& scope) {
    const std::vector<double>& discount = question.compiled.discount;
    const auto paid = [&](bool at_start, const std::string& term, const std::string& formula) {
        const auto cash = [&, at_start](std::size_t m) {
            const double start = paid_at_start(question, m, p, category, scope);
            return at_start ? start : amount_in(question, m, p, category, scope, View::cash) - start;
        };
        const auto factor = [&, at_start](std::size_t m) { return discount[at_start ? m : m + 1]; };
        return over_months(
            question, scope,
            {term,
             formula,
             question.currency(),
             [&](std::size_t m) { return cash(m) * factor(m); },
             {"/finance/discount_rate"},
             [&](std::size_t m) {
                 std::vector<Term> terms;
                 terms.push_back(leaf(question, "cash", "", cash(m), question.currency()));
                 terms.push_back(leaf(question, "discount factor", "1 / (1+d)^t", factor(m), "of 1", {"/finance/discount_rate"}));
                 return product("", formula, question.currency(), std::move(terms));
             }});
    };
    std::vector<Term> terms;
    add_unless_zero(terms, paid(true, "paid at months' starts", "cash / (1+d)^(m/12)"));
    add_unless_zero(terms, paid(false, "paid at months' ends", "cash / (1+d)^((m+1)/12)"));
    return sum(std::string(name_of(category)), "Σ cash / (1+d)^t", question.currency(), std::move(terms));
}

// Whether a pool of this kind can have the category. The last index stands for no pool: only unserved work and commitments.
bool may_cost(const Question& question, std::size_t pool, Category category, const CategoryRow* row) {
    if (pool >= question.document.pools.size()) {
        return category == Category::unserved || category == Category::commitment;
    }
    const std::optional<PoolKind> of = row == nullptr ? PoolKind::owned : row->of;
    return !of || *of == question.document.pools[pool].kind;
}

} // namespace

Term category_term(const Question& question, std::size_t pool, Category category, const Scope& scope, View view) {
    if (view == View::present_value) {
        return present_value(question, pool, category, scope);
    }
    const CategoryRow* const row = row_with_causes(category);
    const double value = sum_of(scope, [&](std::size_t m) { return amount_in(question, m, pool, category, scope, view); });
    const bool own_cash = row != nullptr && view == View::cash && !row->cash_rule.empty();
    const std::string rule = row == nullptr ? operating_rule(category) : std::string(own_cash ? row->cash_rule : row->cost_rule);
    std::string name(name_of(category));
    if (value == 0.0 || question.is_full()) {
        return leaf(question, std::move(name), rule, value, question.currency());
    }
    std::vector<Term> causes;
    if (!scope.workload || is_direct(static_cast<std::size_t>(category))) {
        if (may_cost(question, pool, category, row)) {
            causes = row == nullptr ? operating_costs(question, pool, category, scope)
                                    : (view == View::cash ? row->cash : row->cost)(question, pool, scope);
        }
        add_extra_costs(question, pool, category, scope, causes);
        add_seller_charges(question, pool, category, scope, causes);
    }
    if (causes.size() == 1 && causes.front().rule == Rule::product) {
        return renamed(std::move(causes.front()), std::move(name), value);
    }
    return renamed(sum("", rule, question.currency(), std::move(causes)), std::move(name), value);
}

} // namespace costcurve::model::terms
