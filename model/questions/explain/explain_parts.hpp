// The parts that trees of terms are built of; only files of explain include it.
#pragma once

#include <functional>

#include <fmt/format.h>

#include "model/allocation.hpp"
#include "model/questions/explain/explain_inputs.hpp"

namespace costcurve::model::terms {

/// What is explained. `leaves` counts those made so far, so that no tree grows without bound.
struct Question {
    const ScenarioDocument& document;
    const Compiled& compiled;
    const Ledger& ledger;
    const Summary& summary;
    const Shares& shares;
    bool open_months = false;
    mutable std::size_t leaves = 0;

    [[nodiscard]] bool is_full() const { return leaves > kMaxTerms; }
    [[nodiscard]] const std::string& currency() const { return document.currency; }
    [[nodiscard]] std::string per(std::string_view unit) const { return fmt::format("{}/{}", currency(), unit); }
};

/// Months of the horizon, ascending, and the workload whose direct costs are meant, where it is one.
struct Scope {
    std::vector<std::size_t> months;
    std::optional<std::size_t> workload;
};
[[nodiscard]] Scope whole_horizon(const Question& question);
/// The number of the scope's months in [from, to).
[[nodiscard]] double months_within(const Scope& scope, int from, int to);
[[nodiscard]] bool holds(const Scope& scope, int month);
/// "2026-03", "36 months".
[[nodiscard]] std::string name_of_month(const Question& question, std::size_t month);
[[nodiscard]] std::string count_of(double count, std::string_view what);

/// The sum of value(m) over the scope's months.
template <class F> [[nodiscard]] double sum_of(const Scope& scope, const F& value) {
    double sum = 0.0;
    for (const std::size_t m : scope.months) {
        sum += value(m);
    }
    return sum;
}

using Pointers = std::vector<std::string>;
[[nodiscard]] std::string pool_at(std::size_t pool, std::string_view rest);
/// A field of the hosted model: of the pool, or of the endpoint that it names.
[[nodiscard]] std::string hosted_at(const Question& question, std::size_t pool, std::string_view rest);
/// The prices of the hosted model: by unit, above thresholds and of a request.
[[nodiscard]] Pointers prices_at(const Question& question, std::size_t pool);
/// All that the bill of an entry on an api pool depends on: these, what a request has, and the tier that it asks for.
[[nodiscard]] Pointers billed_by(const Question& question, std::size_t entry);
[[nodiscard]] std::string workload_at(std::size_t workload, std::string_view rest);
/// Which field of a training workload states its epochs.
[[nodiscard]] inline std::string_view epochs_at(const Workload& workload) {
    return workload.is_run() ? "epochs" : "epochs_per_month";
}
/// Where the units of a request are stated, of all lengths or of one, and what of them is a prefix.
[[nodiscard]] Pointers units_at(const Question& question, std::size_t w);
[[nodiscard]] Pointers bucket_at(const Question& question, std::size_t w, std::size_t bucket);
/// Of a runs_on entry, by its index over all workloads.
[[nodiscard]] std::string entry_at(const Question& question, std::size_t entry, std::string_view rest);
/// "pool own"; the last pool is none.
[[nodiscard]] std::string name_of_pool(const Question& question, std::size_t pool);

/// A term without terms. Each pointer names a field of the scenario.
[[nodiscard]] Term leaf(const Question& question, std::string term, std::string formula, double value, std::string unit,
                        const Pointers& inputs = {});
/// A field as it is stated, which is a number; its unit is the field's.
[[nodiscard]] Term stated(const Question& question, std::string term, const std::string& pointer);
/// The value is reckoned from the terms. A sum of nothing is a leaf.
[[nodiscard]] Term sum(std::string term, std::string formula, std::string unit, std::vector<Term> terms);
[[nodiscard]] Term product(std::string term, std::string formula, std::string unit, std::vector<Term> terms);
[[nodiscard]] Term quotient(std::string term, std::string formula, std::string unit, Term dividend, Term divisor);
/// The same tree, its root named and valued by what the ledger or the summary says.
[[nodiscard]] Term renamed(Term tree, std::string term, double value);
void add_unless_zero(std::vector<Term>& terms, Term term);

/// A sum over months, opened where that is asked for or there is only one: then make(m) is the term of a month.
struct Monthly {
    std::string term;
    std::string formula;
    std::string unit;
    std::function<double(std::size_t month)> value;
    Pointers inputs = {};
    std::function<Term(std::size_t month)> make = {}; ///< where empty, a month is a leaf
};
[[nodiscard]] Term over_months(const Question& question, const Scope& scope, const Monthly& monthly);

/// What a category's prices have grown to, times the exchange rate over that of month `exchange_from`, as a factor: the mean of the
/// scope's months, weighted by `volume`. Nothing where it is 1.
void add_growth(const Question& question, Category category, const Scope& scope,
                const std::function<double(std::size_t month)>& volume, std::vector<Term>& terms,
                const std::vector<double>& exchange_index = {}, int exchange_from = 0);

/// The site of an owned pool.
[[nodiscard]] const CompiledSite* site_of(const Question& question, std::size_t pool);

/// Volume times rate, both by month: one product where months are not opened, with the rate's mean where it is not one number.
struct Priced {
    std::string term;
    std::string formula;
    std::string unit;
    std::function<double(std::size_t month)> volume;
    std::function<double(std::size_t month)> rate;
    std::function<Term(const Scope& scope)> volume_term;
    std::string rate_term;
    std::string rate_formula;
    std::string rate_unit;
    Pointers rate_inputs;
    std::function<std::vector<Term>(std::size_t month)> rate_terms = nullptr; ///< that the rate is the sum of, where it has several
};
[[nodiscard]] Term priced(const Question& question, const Scope& scope, const Priced& priced);

/// What a unit of a request costs at a host (explain_work.cpp): the rule in words, and each length's part where there are several.
[[nodiscard]] std::string formula_of_unit_price(const Question& question, std::size_t entry);
[[nodiscard]] std::vector<Term> terms_of_unit_price(const Question& question, std::size_t entry, std::size_t month);

// Work and power, by pool (explain_hours.cpp).
[[nodiscard]] Term available_hours(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] Term reserved_hours(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] Term busy_hours(const Question& question, std::size_t pool, const Scope& scope);
/// Instances of a cloud pool, paid by the hour.
[[nodiscard]] Term instance_hours(const Question& question, std::size_t pool, const Scope& scope);
/// Σ over months of servers in service, in units of `months` months: 1 gives server-months, 12 server-years.
[[nodiscard]] Term server_months(const Question& question, std::size_t pool, const Scope& scope, double months,
                                 const std::string& unit);
[[nodiscard]] Term units_served_by(const Question& question, std::size_t entry, const Scope& scope);
/// How often hosts of an entry are interrupted, at which ages, and for how long.
[[nodiscard]] Pointers interruptions_read(const Question& question, std::size_t entry);
[[nodiscard]] Term goodput(const Question& question, std::size_t entry);
/// The rule of what an entry's replicas serve that fail: those of a host together.
[[nodiscard]] std::string served_where_hosts_fail(const CompiledEntry& entry, bool is_alone, const std::string& usable);
/// Units/s of a replica or gang, goodput included, as units an hour.
[[nodiscard]] Term units_per_hour(const Question& question, std::size_t entry);
[[nodiscard]] Term energy(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] Term carbon(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] Term water(const Question& question, std::size_t pool, const Scope& scope);

// The bill of a site's utility (explain_bill.cpp).
/// Whether a site's categories are explained by lines: one pool stands there, and the bill has more than one price of energy and
/// one of kW.
[[nodiscard]] bool has_bill_lines(const CompiledSite& site);
/// Cost of energy, and of demand charges: one price and volume, or lines of the bill.
[[nodiscard]] std::vector<Term> energy_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> demand_charge(const Question& question, std::size_t pool, const Scope& scope);
/// Energy or demand charges of the pool that stands alone at its site.
[[nodiscard]] Term bill_of_category(const Question& question, std::size_t pool, Category category, const Scope& scope);
/// All lines of the bill of a pool's site in a month.
[[nodiscard]] Term bill_of_month(const Question& question, std::size_t pool, std::size_t month);

/// What a pool has in a month, and the term that explains it for the months of a scope.
struct OfPool {
    double (*value)(const Question& question, std::size_t pool, std::size_t month);
    Term (*make)(const Question& question, std::size_t pool, const Scope& scope);
};
inline constexpr OfPool kEnergy = {
    [](const Question& question, std::size_t pool, std::size_t month) { return question.ledger.energy_kwh(month, pool); }, energy};
inline constexpr OfPool kCarbon = {
    [](const Question& question, std::size_t pool, std::size_t month) { return question.ledger.carbon_kg(month, pool); }, carbon};
inline constexpr OfPool kWater = {
    [](const Question& question, std::size_t pool, std::size_t month) { return question.ledger.water_l(month, pool); }, water};

// What is bought or paid ahead (explain_capital.cpp): causes of a category's cost or cash.
using Causes = std::vector<Term> (*)(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> hardware_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> hardware_cash(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> facility_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> facility_cash(const Question& question, std::size_t pool, const Scope& scope);
/// What servers take up at a site, by power and by the rack (explain_space.cpp).
void add_space(const Question& question, std::size_t pool, const Scope& scope, std::vector<Term>& terms);
/// Of instances and provisioned units (explain_compute.cpp).
[[nodiscard]] std::vector<Term> compute(const Question& question, std::size_t pool, const Scope& scope);
/// What a cut term of provisioned units leaves to be paid; the rule by which a hosted model serves.
[[nodiscard]] Term provisioned_owed(const Question& question, std::size_t pool, bool discounted);
[[nodiscard]] Term unit_utilization(const Question& question, std::size_t pool);
[[nodiscard]] Term break_even_utilization(const Question& question, std::size_t pool);
[[nodiscard]] std::string served_by_api_rule(const CompiledPool& pool);
/// What a term of commitments to spend leaves to be paid, discounted to the horizon's end or not.
[[nodiscard]] std::vector<Term> spend_of_nobody(const Question& question, const Scope& scope);
[[nodiscard]] Term spend_owed(const Question& question, bool discounted);
[[nodiscard]] std::vector<Term> commitment_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> commitment_cash(const Question& question, std::size_t pool, const Scope& scope);
/// Extra costs that fall under a category: cost and cash alike.
void add_extra_costs(const Question& question, std::size_t pool, Category category, const Scope& scope, std::vector<Term>& terms);
/// Storage of a rented pool, and support plans of no pool (explain_rented.cpp).
void add_seller_charges(const Question& question, std::size_t pool, Category category, const Scope& scope,
                        std::vector<Term>& terms);
/// What volume tiers change of an entry's usage; egress of an entry whose seller has tiers.
[[nodiscard]] Term usage_in_tiers(const Question& question, std::size_t entry, const Scope& scope);
[[nodiscard]] Term egress_in_tiers(const Question& question, std::size_t entry, const Scope& scope, const std::string& name);
/// Of leased servers, on what they would have cost.
[[nodiscard]] std::vector<Term> leased_maintenance(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> maintenance(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> lease_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> lease_cash(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> financing_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> financing_cash(const Question& question, std::size_t pool, const Scope& scope);
/// P of a generation of servers.
[[nodiscard]] Term hardware_price(const Question& question, std::size_t pool, std::size_t purchase, const Asset& asset);
[[nodiscard]] std::vector<Term> disposal(const Question& question, std::size_t pool, const Scope& scope);
/// Cost of a pool that the horizon's end settles: disposal, obligations, unspent upfronts.
[[nodiscard]] std::vector<Term> settlement(const Question& question, std::size_t pool);
/// What is left to be paid of a pool's running terms and leases, discounted to the horizon's end or not; also where it is not due.
[[nodiscard]] std::vector<Term> payments_left(const Question& question, std::size_t pool, bool discounted);
/// An upfront in so many terms.
[[nodiscard]] Term upfront_term(const Question& question, std::size_t pool, double count, const std::string& name,
                                const std::string& formula);
/// What the rest of a pool's term brings where the horizon ends within it; `sign` -1 where it is taken off.
[[nodiscard]] Term sold_term(const Question& question, std::size_t pool, double sign);
/// The same as the terminal figure.
[[nodiscard]] std::vector<Term> commitments_sold(const Question& question, std::size_t pool);
/// All that is settled so at the horizon's end.
[[nodiscard]] Term obligations_at_end(const Question& question);
/// Lease payments of a pool that are due in the horizon, discounted to its start.
[[nodiscard]] std::vector<Term> lease_payments_due(const Question& question, std::size_t pool);
/// Of the assets of a pool in service at the horizon's end: what they bring, or their book value.
[[nodiscard]] std::vector<Term> assets_sold(const Question& question, std::size_t pool);
[[nodiscard]] std::vector<Term> assets_booked(const Question& question, std::size_t pool);
[[nodiscard]] std::vector<Term> loan_balances(const Question& question, std::size_t pool);
/// Of a category that has cost alone.
[[nodiscard]] std::vector<Term> no_cash(const Question& question, std::size_t pool, const Scope& scope);

// Money by pool and category (explain_categories.cpp).
enum class View { cost, cash, present_value };
[[nodiscard]] Term category_term(const Question& question, std::size_t pool, Category category, const Scope& scope, View view);

// Sums and shares (explain_amounts.cpp).
[[nodiscard]] Term pool_amount(const Question& question, std::size_t pool, const Scope& scope, View view);
[[nodiscard]] Term total_amount(const Question& question, const Scope& scope, View view);
[[nodiscard]] Term category_amount(const Question& question, Category category, const Scope& scope, View view);
/// What no workload bears: of a pool, and of all.
[[nodiscard]] Term idle_cost(const Question& question, std::size_t pool);
[[nodiscard]] Term unallocated(const Question& question);
/// The sum of what `causes` finds in each pool.
[[nodiscard]] Term sum_over_pools(const Question& question, std::vector<Term> (*causes)(const Question&, std::size_t pool));
[[nodiscard]] Term over_pools(const Question& question, std::string term, std::string unit, const Scope& scope,
                              const OfPool& of_pool);
[[nodiscard]] Term workload_cost(const Question& question, std::size_t workload);
[[nodiscard]] Term workload_cash(const Question& question, std::size_t workload);
[[nodiscard]] Term workload_present_value(const Question& question, std::size_t workload);
/// Of a value of a tag's key: what its workloads bear together.
[[nodiscard]] Term tag_cost(const Question& question, const TagSummary& tag, std::size_t value);
[[nodiscard]] Term tag_cash(const Question& question, const TagSummary& tag, std::size_t value);
[[nodiscard]] Term tag_energy(const Question& question, const TagSummary& tag, std::size_t value);
[[nodiscard]] Term tag_carbon(const Question& question, const TagSummary& tag, std::size_t value);
/// A workload's share of what its pools draw: energy or carbon.
[[nodiscard]] Term workload_share(const Question& question, std::size_t workload, std::string term, std::string unit,
                                  const OfPool& of_pool);
[[nodiscard]] Term after_tax(const Question& question);
[[nodiscard]] Term tax_loss_left(const Question& question);

// Work and unit costs of a workload (explain_work.cpp).
[[nodiscard]] Term units_demanded(const Question& question, std::size_t workload);
[[nodiscard]] Term units_served(const Question& question, std::size_t workload);
[[nodiscard]] Term units_unserved(const Question& question, std::size_t workload);
[[nodiscard]] Term units_lost_to_outages(const Question& question, std::size_t workload);
[[nodiscard]] Term days_of_run(const Question& question, std::size_t workload);
/// Requests served, or epochs done.
[[nodiscard]] Term work_done(const Question& question, std::size_t workload);
/// Cost of an inference, or of an epoch.
[[nodiscard]] Term cost_per_work(const Question& question, std::size_t workload);
[[nodiscard]] Term energy_of_workload(const Question& question, std::size_t workload);
[[nodiscard]] Term carbon_of_workload(const Question& question, std::size_t workload);
[[nodiscard]] Term units_per_kwh(const Question& question, std::size_t workload);
[[nodiscard]] Term carbon_g_per_unit(const Question& question, std::size_t workload);
[[nodiscard]] Term water_l_per_million_units(const Question& question, std::size_t workload);
[[nodiscard]] Term cost_per_million_units(const Question& question, std::size_t workload);
/// Of a class of units, input or output: what they cost, their number, and the cost of a million.
/// Units at the month's end that the next one takes.
[[nodiscard]] Term backlog(const Question& question, std::size_t workload, std::size_t month);
[[nodiscard]] Term cost_of_class(const Question& question, std::size_t workload, UnitClass unit_class);
[[nodiscard]] Term units_of_class(const Question& question, std::size_t workload, UnitClass unit_class);
[[nodiscard]] Term cost_per_million_of_class(const Question& question, std::size_t workload, UnitClass unit_class);
[[nodiscard]] Term levelized_cost(const Question& question, std::size_t workload);
[[nodiscard]] Term hours_per_epoch(const Question& question, std::size_t workload, std::size_t pool);
[[nodiscard]] Term batch(const Question& question, std::size_t workload, std::size_t pool);

} // namespace costcurve::model::terms
