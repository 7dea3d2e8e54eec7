// What each category of a pool is made of: one row a category, its rule in words and where its causes come from.
#include <algorithm>
#include <array>

#include "model/questions/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

constexpr double kMonthsPerYear = 12;

std::vector<Term> one(Term term) {
    std::vector<Term> terms;
    add_unless_zero(terms, std::move(term));
    return terms;
}

// A product of a volume that a month has and a field.
std::vector<Term> volume_times(const Question& question, std::string term, std::string formula, Term volume, std::string rate,
                               const std::string& pointer) {
    std::vector<Term> terms;
    terms.push_back(std::move(volume));
    terms.push_back(stated(question, std::move(rate), pointer));
    return one(product(std::move(term), std::move(formula), question.currency(), std::move(terms)));
}

std::vector<Term> compute(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    return one(priced(question, scope,
                      {"instances",
                       "Σ hours × instances × hourly price",
                       question.currency(),
                       [&](std::size_t m) { return question.ledger.available_hours(m, p) / pool.devices_per_unit; },
                       [&](std::size_t m) { return pool.hourly_price[m]; },
                       [&](const Scope& part) { return instance_hours(question, p, part); },
                       "hourly price",
                       "hourly_price × (1 + price_growth_rate)^(m/12)",
                       question.per("instance-hour"),
                       {pool_at(p, "offer/hourly_price"), pool_at(p, "offer/price_growth_rate")}}));
}

std::vector<Term> energy_cost(const Question& question, std::size_t p, const Scope& scope) {
    const CompiledPool& pool = question.compiled.pools[p];
    const bool hourly = pool.energy_price.curve != Signal::kFlat;
    const std::size_t c = static_cast<std::size_t>(Category::energy);
    const auto kwh = [&](std::size_t m) { return question.ledger.energy_kwh(m, p); };
    const auto price = [&](std::size_t m) {
        if (!hourly) {
            return pool.energy_price.monthly[m];
        }
        return kwh(m) == 0.0 ? 0.0 : question.ledger.cost(m, p, c) / kwh(m);
    };
    const std::string formula = "energy_price × (1 + energy_price_growth_rate)^(m/12)";
    return one(priced(question, scope,
                      {"energy",
                       "Σ energy × tariff",
                       question.currency(),
                       kwh,
                       price,
                       [&](const Scope& part) { return energy(question, p, part); },
                       "energy price",
                       hourly ? formula + ", mean of the hours, weighted by energy" : formula,
                       question.per("kWh"),
                       {pool_at(p, "site/energy_price"), pool_at(p, "site/energy_price_growth_rate")}}));
}

std::vector<Term> demand_charge(const Question& question, std::size_t p, const Scope& scope) {
    Term peaks = over_months(question, scope, {"peak power", "the month's largest facility kW", "kW-months", [&](std::size_t m) {
                                                   return question.ledger.peak_kw(m, p);
                                               }});
    return volume_times(question, "peaks", "largest facility kW × demand_charge_per_kw_month", std::move(peaks), "demand charge",
                        pool_at(p, "site/demand_charge_per_kw_month"));
}

std::vector<Term> software(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms;
    terms.push_back(server_months(question, p, scope, kMonthsPerYear, "server-years"));
    terms.push_back(stated(question, "devices in a server", pool_at(p, "server/devices")));
    return volume_times(question, "licences", "devices in service × software_per_device_year / 12",
                        product("device-years", "server-years × devices", "device-years", std::move(terms)), "price of a device",
                        pool_at(p, "server/software_per_device_year"));
}

std::vector<Term> staff(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> fixed;
    fixed.push_back(stated(question, "people", pool_at(p, "site/fte")));
    fixed.push_back(
        leaf(question, "years", "months / 12", static_cast<double>(scope.months.size()) / kMonthsPerYear, "years", {"/months"}));
    std::vector<Term> by_server;
    by_server.push_back(stated(question, "people by server", pool_at(p, "site/fte_per_server")));
    by_server.push_back(server_months(question, p, scope, kMonthsPerYear, "server-years"));
    std::vector<Term> people;
    add_unless_zero(people, product("fixed", "fte × years", "person-years", std::move(fixed)));
    add_unless_zero(people, product("by server", "fte_per_server × server-years", "person-years", std::move(by_server)));
    return volume_times(question, "staff", "(fte + fte_per_server × servers) × salary_per_year / 12",
                        sum("person-years", "fixed + by server", "person-years", std::move(people)), "salary",
                        pool_at(p, "site/salary_per_year"));
}

std::vector<Term> monthly_price(const Question& question, std::size_t p, const Scope& scope, std::string_view field) {
    return volume_times(question, "monthly price", fmt::format("months × {}", field),
                        leaf(question, "months", "of the horizon", static_cast<double>(scope.months.size()), "months", {"/months"}),
                        "price of a month", pool_at(p, fmt::format("site/{}", field)));
}
std::vector<Term> network(const Question& question, std::size_t p, const Scope& scope) {
    return monthly_price(question, p, scope, "network_per_month");
}
std::vector<Term> storage(const Question& question, std::size_t p, const Scope& scope) {
    return monthly_price(question, p, scope, "storage_per_month");
}

std::vector<Term> carbon_cost(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms;
    terms.push_back(carbon(question, p, scope));
    terms.push_back(leaf(question, "carbon price", "carbon_price_per_tonne / 1000", question.compiled.carbon_price_per_kg,
                         question.per("kg"), {"/finance/carbon_price_per_tonne"}));
    return one(product("carbon", "carbon, embodied included × carbon price", question.currency(), std::move(terms)));
}

// Calls visit(entry, workload's name) for each entry on the pool of the workloads that the scope means.
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
    const UnitPrice& price = question.document.pools[p].price_per_million_units;
    const std::string at = pool_at(p, "price_per_million_units");
    for_each_entry(question, p, scope, [&](std::size_t e, const std::string& name) {
        const CompiledEntry& entry = question.compiled.entries[e];
        const std::string units = workload_at(entry.workload, "units_per_request");
        const Pointers inputs =
            price.split ? Pointers{at + "/input", at + "/output", units + "/input", units + "/output"} : Pointers{at};
        add_unless_zero(terms, priced(question, scope,
                                      {name, "units × price per unit", question.currency(),
                                       [&](std::size_t m) { return question.ledger.served(m, e); },
                                       [&](std::size_t m) { return entry.price_per_unit[m]; },
                                       [&](const Scope& part) { return units_served_by(question, e, part); }, "price of a unit",
                                       price.split ? "(input × price + output × price) / (input + output) / 10^6"
                                                   : "price_per_million_units / 10^6",
                                       question.per("unit"), inputs}));
    });
    return terms;
}

std::vector<Term> egress(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms;
    for_each_entry(question, p, scope, [&](std::size_t e, const std::string& name) {
        if (question.compiled.entries[e].egress_per_unit == 0.0) {
            return;
        }
        std::vector<Term> factors;
        factors.push_back(units_served_by(question, e, scope));
        factors.push_back(
            stated(question, "GB of a unit", workload_at(question.compiled.entries[e].workload, "egress_gb_per_unit")));
        factors.push_back(stated(question, "price of a GB", pool_at(p, "offer/egress_per_gb")));
        add_unless_zero(
            terms, product(name, "units served × egress_gb_per_unit × egress_per_gb", question.currency(), std::move(factors)));
    });
    return terms;
}

// Porting: borne in `share` of the whole.
std::vector<Term> porting(const Question& question, std::size_t p, const Scope& scope, double share, const std::string& formula) {
    std::vector<Term> terms;
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
        const auto left = [&](std::size_t m) {
            double served = 0.0;
            for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
                served += question.ledger.served(m, e);
            }
            return std::max(0.0, question.ledger.demanded(m, w) - served);
        };
        std::vector<Term> factors;
        factors.push_back(over_months(question, scope, {"units unserved", "demanded − served", "units", left}));
        factors.push_back(stated(question, "cost of a unit", workload_at(w, "unserved_cost_per_unit")));
        add_unless_zero(terms, product("workload " + question.document.workloads[w].id, "units unserved × unserved_cost_per_unit",
                                       question.currency(), std::move(factors)));
    }
    return terms;
}

struct CategoryRow {
    Category category;
    std::string_view cost_rule;
    Causes cost;
    std::string_view cash_rule; ///< "" where cash is the month's cost
    Causes cash;
};
constexpr auto kRows = std::to_array<CategoryRow>({
    {Category::compute, "Σ hours × instances × hourly price", compute, "", compute},
    {Category::usage, "units × price per unit", usage, "", usage},
    {Category::commitment, "upfront / term, each month of the term", commitment_cost,
     "upfront at the term's start, less what is unspent", commitment_cash},
    {Category::hardware, "a charge each month of service", hardware_cost, "P at purchase, less R or book value at the end",
     hardware_cash},
    {Category::facility, "space in service, and a charge of own build", facility_cost, "as paid, less book value at the end",
     facility_cash},
    {Category::energy, "Σ energy × tariff", energy_cost, "", energy_cost},
    {Category::demand_charge, "largest facility kW × demand charge", demand_charge, "", demand_charge},
    {Category::maintenance, "P × maintenance_rate / 12", maintenance, "", maintenance},
    {Category::software, "devices in service × software_per_device_year / 12", software, "", software},
    {Category::staff, "(fte + fte_per_server × servers) × salary / 12", staff, "", staff},
    {Category::network, "network_per_month", network, "", network},
    {Category::storage, "storage_per_month", storage, "", storage},
    {Category::egress, "units served × GB × price", egress, "", egress},
    {Category::engineering, "weeks × cost of a week, straight line over the horizon", engineering_cost,
     "weeks × cost of a week at the first month's start", engineering_cash},
    {Category::carbon, "carbon, embodied included × carbon price", carbon_cost, "", carbon_cost},
    {Category::unserved, "units unserved × unserved_cost_per_unit", unserved, "", unserved},
});
static_assert(kRows.size() == kCategories);

// Of a workload's own, or of all.
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
    double whole = 0.0; // paid at the start
    for (std::size_t k = 0; m == 0 && k < ledger.months; ++k) {
        whole += ledger.direct(k, p, *scope.workload, d);
    }
    return whole;
}

// By month: what of it is paid at the month's first instant.
std::vector<double> paid_at_starts(const Question& question, std::size_t p, Category category, const Scope& scope) {
    std::vector<double> paid(question.compiled.months, 0.0);
    if (category == Category::engineering) {
        paid.front() = amount_in(question, 0, p, category, scope, View::cash);
    }
    const bool is_owned = p < question.document.pools.size() && question.document.pools[p].kind == PoolKind::owned;
    if (is_owned && (category == Category::hardware || category == Category::facility)) {
        return assets_bought(question, p, category);
    }
    if (category == Category::commitment && p < question.document.pools.size() && question.document.pools[p].offer) {
        const Pool& pool = question.document.pools[p];
        for (std::size_t m = 0; m < paid.size(); m += static_cast<std::size_t>(pool.offer->term_months.value_or(1))) {
            paid[m] = pool.offer->upfront * pool.max_instances;
        }
    }
    return paid;
}

Term present_value(const Question& question, std::size_t p, Category category, const Scope& scope) {
    const std::vector<double>& discount = question.compiled.discount;
    const std::vector<double> starts = paid_at_starts(question, p, category, scope);
    const auto paid = [&](bool at_start, const std::string& term, const std::string& formula) {
        const auto cash = [&, at_start](std::size_t m) {
            return at_start ? starts[m] : amount_in(question, m, p, category, scope, View::cash) - starts[m];
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

} // namespace

Term category_term(const Question& question, std::size_t pool, Category category, const Scope& scope, View view) {
    if (view == View::present_value) {
        return present_value(question, pool, category, scope);
    }
    const CategoryRow& row = kRows[static_cast<std::size_t>(category)];
    const double value = sum_of(scope, [&](std::size_t m) { return amount_in(question, m, pool, category, scope, view); });
    const bool own_cash = view == View::cash && !row.cash_rule.empty();
    const std::string rule(own_cash ? row.cash_rule : row.cost_rule);
    std::string name(name_of(category));
    if (value == 0.0 || question.is_full()) {
        return leaf(question, std::move(name), rule, value, question.currency());
    }
    std::vector<Term> causes = (view == View::cash ? row.cash : row.cost)(question, pool, scope);
    if (causes.size() == 1 && causes.front().rule == Rule::product) {
        return renamed(std::move(causes.front()), std::move(name), value);
    }
    return renamed(sum("", rule, question.currency(), std::move(causes)), std::move(name), value);
}

} // namespace costcurve::model::terms
