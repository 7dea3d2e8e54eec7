// The parts from which trees of terms are built. Only files of this folder include it.
#pragma once

#include <functional>

#include <fmt/format.h>

#include "model/allocation.hpp"
#include "model/questions/explain/explain_inputs.hpp"

namespace costcurve::model::terms {

/// The evaluated scenario that is explained. `leaves` counts the leaves made so far, which limits the tree's size.
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

/// Months of the horizon, ascending. If `workload` is set, only that workload's direct costs count.
struct Scope {
    std::vector<std::size_t> months;
    std::optional<std::size_t> workload;
};
[[nodiscard]] Scope whole_horizon(const Question& question);
/// The number of the scope's months in [from, to).
[[nodiscard]] double months_within(const Scope& scope, int from, int to);
[[nodiscard]] bool holds(const Scope& scope, int month);
/// The name of a month or of a number of months: "2026-03", "36 months".
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
/// Pointer to a field of the pool's hosted model, stated in the pool or in the endpoint that the pool names.
[[nodiscard]] std::string hosted_at(const Question& question, std::size_t pool, std::string_view rest);
/// Pointers to the hosted model's prices: per unit, above thresholds and per request.
[[nodiscard]] Pointers prices_at(const Question& question, std::size_t pool);
/// Pointers to all fields that determine the bill of an api pool's entry: prices_at, the units of a request and the requested tier.
[[nodiscard]] Pointers billed_by(const Question& question, std::size_t entry);
[[nodiscard]] std::string workload_at(std::size_t workload, std::string_view rest);
/// Name of the field that states a training workload's epochs.
[[nodiscard]] inline std::string_view epochs_at(const Workload& workload) {
    return workload.is_run() ? "epochs" : "epochs_per_month";
}
/// Pointers to the units of a request, whether one length or several are stated, and to the prefix among these units.
[[nodiscard]] Pointers units_at(const Question& question, std::size_t w);
[[nodiscard]] Pointers bucket_at(const Question& question, std::size_t w, std::size_t bucket);
/// Pointer to a field of a runs_on entry. `entry` is the index over all workloads.
[[nodiscard]] std::string entry_at(const Question& question, std::size_t entry, std::string_view rest);
/// Name of a pool, such as "pool own". The index after the last pool stands for no pool.
[[nodiscard]] std::string name_of_pool(const Question& question, std::size_t pool);

/// A term without terms below it. `inputs` are pointers to fields of the scenario.
[[nodiscard]] Term leaf(const Question& question, std::string term, std::string formula, double value, std::string unit,
                        const Pointers& inputs = {});
/// A numeric field as a leaf: its stated value, in the field's unit.
[[nodiscard]] Term stated(const Question& question, std::string term, const std::string& pointer);
/// Terms whose value is computed from the terms below. A sum of no terms becomes a leaf.
[[nodiscard]] Term sum(std::string term, std::string formula, std::string unit, std::vector<Term> terms);
[[nodiscard]] Term product(std::string term, std::string formula, std::string unit, std::vector<Term> terms);
[[nodiscard]] Term quotient(std::string term, std::string formula, std::string unit, Term dividend, Term divisor);
/// The same tree with a new name at the root, and with the value that the ledger or the summary gives.
[[nodiscard]] Term renamed(Term tree, std::string term, double value);
void add_unless_zero(std::vector<Term>& terms, Term term);

/// A sum over months. If months are opened, or there is only one, make(m) gives the term of month m.
struct Monthly {
    std::string term;
    std::string formula;
    std::string unit;
    std::function<double(std::size_t month)> value;
    Pointers inputs = {};
    std::function<Term(std::size_t month)> make = {}; ///< if empty, a month is a leaf
};
[[nodiscard]] Term over_months(const Question& question, const Scope& scope, const Monthly& monthly);

/// Adds a factor to `terms`: price growth of the category × exchange rate over that of month `exchange_from`, averaged over the
/// scope's months with weight `volume`. Adds nothing if the factor is 1.
void add_growth(const Question& question, Category category, const Scope& scope,
                const std::function<double(std::size_t month)>& volume, std::vector<Term>& terms,
                const std::vector<double>& exchange_index = {}, int exchange_from = 0);

/// The site of an owned pool.
[[nodiscard]] const CompiledSite* site_of(const Question& question, std::size_t pool);

/// Volume × rate by month. If months are not opened it is one product, with the mean rate if the rate varies.
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
    std::function<std::vector<Term>(std::size_t month)> rate_terms = nullptr; ///< terms whose sum is the rate, if it has several
};
[[nodiscard]] Term priced(const Question& question, const Scope& scope, const Priced& priced);

/// Price of a unit of a request at a host (explain_work.cpp): formula in words, and one term for each request length if several.
[[nodiscard]] std::string formula_of_unit_price(const Question& question, std::size_t entry);
[[nodiscard]] std::vector<Term> terms_of_unit_price(const Question& question, std::size_t entry, std::size_t month);

// Work and power of a pool (explain_hours.cpp).
[[nodiscard]] Term available_hours(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] Term reserved_hours(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] Term busy_hours(const Question& question, std::size_t pool, const Scope& scope);
/// Instance-hours of a cloud pool, which are paid by the hour.
[[nodiscard]] Term instance_hours(const Question& question, std::size_t pool, const Scope& scope);
/// Servers in service, summed over months and divided by `months`: 1 gives server-months, 12 gives server-years.
[[nodiscard]] Term server_months(const Question& question, std::size_t pool, const Scope& scope, double months,
                                 const std::string& unit);
[[nodiscard]] Term units_served_by(const Question& question, std::size_t entry, const Scope& scope);
/// Pointers to the frequency and duration of host interruptions of an entry, and to the ages at which hosts fail.
[[nodiscard]] Pointers interruptions_read(const Question& question, std::size_t entry);
[[nodiscard]] Term goodput(const Question& question, std::size_t entry);
/// Formula in words of the work that an entry's replicas serve if hosts fail. Replicas on one host fail together.
[[nodiscard]] std::string served_where_hosts_fail(const CompiledEntry& entry, bool is_alone, const std::string& usable);
/// Units per hour of a replica or gang, goodput included, from its rate in units/s.
[[nodiscard]] Term units_per_hour(const Question& question, std::size_t entry);
[[nodiscard]] Term energy(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] Term carbon(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] Term water(const Question& question, std::size_t pool, const Scope& scope);

// The bill of a site's utility (explain_bill.cpp).
/// Whether a site's energy and demand charges are explained line by line: one pool stands at the site, and its bill has more than
/// one price of energy and one of kW.
[[nodiscard]] bool has_bill_lines(const CompiledSite& site);
/// Cost of energy and of demand charges: a price times a volume, or lines of the bill.
[[nodiscard]] std::vector<Term> energy_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> demand_charge(const Question& question, std::size_t pool, const Scope& scope);
/// Energy or demand charges of a pool that is alone at its site.
[[nodiscard]] Term bill_of_category(const Question& question, std::size_t pool, Category category, const Scope& scope);
/// All lines of one month's bill for the pool's site.
[[nodiscard]] Term bill_of_month(const Question& question, std::size_t pool, std::size_t month);

/// An amount of a pool in a month, and the function that makes its term for the months of a scope.
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

// Terms of what is bought or paid ahead (explain_capital.cpp): causes of a category's cost or cash.
using Causes = std::vector<Term> (*)(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> hardware_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> hardware_cash(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> facility_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> facility_cash(const Question& question, std::size_t pool, const Scope& scope);
/// Adds the cost of space for servers at a site, by power and by rack (explain_space.cpp).
void add_space(const Question& question, std::size_t pool, const Scope& scope, std::vector<Term>& terms);
/// Compute cost of instances and provisioned units (explain_compute.cpp).
[[nodiscard]] std::vector<Term> compute(const Question& question, std::size_t pool, const Scope& scope);
/// Payments still owed for provisioned units whose term the horizon cuts. Then their utilization, and the rule of hosted serving.
[[nodiscard]] Term provisioned_owed(const Question& question, std::size_t pool, bool discounted);
[[nodiscard]] Term unit_utilization(const Question& question, std::size_t pool);
[[nodiscard]] Term break_even_utilization(const Question& question, std::size_t pool);
[[nodiscard]] std::string served_by_api_rule(const CompiledPool& pool);
/// Spend commitments: the part that no pool uses, then payments still owed at the horizon's end (discounted to it or not).
[[nodiscard]] std::vector<Term> spend_of_nobody(const Question& question, const Scope& scope);
[[nodiscard]] Term spend_owed(const Question& question, bool discounted);
[[nodiscard]] std::vector<Term> commitment_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> commitment_cash(const Question& question, std::size_t pool, const Scope& scope);
/// Adds extra costs in a category. Their cost and cash are equal.
void add_extra_costs(const Question& question, std::size_t pool, Category category, const Scope& scope, std::vector<Term>& terms);
/// Adds storage of a rented pool, or support plans that belong to no pool (explain_rented.cpp).
void add_seller_charges(const Question& question, std::size_t pool, Category category, const Scope& scope,
                        std::vector<Term>& terms);
/// Change of an entry's usage cost by volume tiers, and egress of an entry whose seller has tiers.
[[nodiscard]] Term usage_in_tiers(const Question& question, std::size_t entry, const Scope& scope);
[[nodiscard]] Term egress_in_tiers(const Question& question, std::size_t entry, const Scope& scope, const std::string& name);
/// Maintenance of leased servers, as a rate of the price that they would have cost.
[[nodiscard]] std::vector<Term> leased_maintenance(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> maintenance(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> lease_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> lease_cash(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> financing_cost(const Question& question, std::size_t pool, const Scope& scope);
[[nodiscard]] std::vector<Term> financing_cash(const Question& question, std::size_t pool, const Scope& scope);
/// Price P of a generation of servers.
[[nodiscard]] Term hardware_price(const Question& question, std::size_t pool, std::size_t purchase, const Asset& asset);
[[nodiscard]] std::vector<Term> disposal(const Question& question, std::size_t pool, const Scope& scope);
/// Costs of a pool that are settled at the horizon's end: disposal, obligations, unspent upfronts.
[[nodiscard]] std::vector<Term> settlement(const Question& question, std::size_t pool);
/// Payments still owed for a pool's running terms and leases, discounted to the horizon's end or not. Also given if none falls due.
[[nodiscard]] std::vector<Term> payments_left(const Question& question, std::size_t pool, bool discounted);
/// Upfront payment of `count` terms.
[[nodiscard]] Term upfront_term(const Question& question, std::size_t pool, double count, const std::string& name,
                                const std::string& formula);
/// Proceeds of selling the rest of a pool's term at the horizon's end. With `sign` -1 they are subtracted.
[[nodiscard]] Term sold_term(const Question& question, std::size_t pool, double sign);
/// The same proceeds as causes of a terminal figure.
[[nodiscard]] std::vector<Term> commitments_sold(const Question& question, std::size_t pool);
/// All obligations that are settled at the horizon's end, over all pools.
[[nodiscard]] Term obligations_at_end(const Question& question);
/// Lease payments of a pool that fall due in the horizon, discounted to the horizon's start.
[[nodiscard]] std::vector<Term> lease_payments_due(const Question& question, std::size_t pool);
/// Assets of a pool in service at the horizon's end: sale proceeds, then book value.
[[nodiscard]] std::vector<Term> assets_sold(const Question& question, std::size_t pool);
[[nodiscard]] std::vector<Term> assets_booked(const Question& question, std::size_t pool);
[[nodiscard]] std::vector<Term> loan_balances(const Question& question, std::size_t pool);
/// The cash of a category that has only cost: no terms.
[[nodiscard]] std::vector<Term> no_cash(const Question& question, std::size_t pool, const Scope& scope);

// Money by pool and category (explain_categories.cpp).
enum class View { cost, cash, present_value };
[[nodiscard]] Term category_term(const Question& question, std::size_t pool, Category category, const Scope& scope, View view);

// Sums and shares (explain_amounts.cpp).
[[nodiscard]] Term pool_amount(const Question& question, std::size_t pool, const Scope& scope, View view);
[[nodiscard]] Term total_amount(const Question& question, const Scope& scope, View view);
[[nodiscard]] Term category_amount(const Question& question, Category category, const Scope& scope, View view);
/// Cost that no workload bears, of one pool and of all pools.
[[nodiscard]] Term idle_cost(const Question& question, std::size_t pool);
[[nodiscard]] Term unallocated(const Question& question);
/// The sum over pools of the terms that `causes` gives.
[[nodiscard]] Term sum_over_pools(const Question& question, std::vector<Term> (*causes)(const Question&, std::size_t pool));
[[nodiscard]] Term over_pools(const Question& question, std::string term, std::string unit, const Scope& scope,
                              const OfPool& of_pool);
[[nodiscard]] Term workload_cost(const Question& question, std::size_t workload);
[[nodiscard]] Term workload_cash(const Question& question, std::size_t workload);
[[nodiscard]] Term workload_present_value(const Question& question, std::size_t workload);
/// Amounts that the workloads with one value of a tag's key bear together.
[[nodiscard]] Term tag_cost(const Question& question, const TagSummary& tag, std::size_t value);
[[nodiscard]] Term tag_cash(const Question& question, const TagSummary& tag, std::size_t value);
[[nodiscard]] Term tag_energy(const Question& question, const TagSummary& tag, std::size_t value);
[[nodiscard]] Term tag_carbon(const Question& question, const TagSummary& tag, std::size_t value);
/// A workload's share of its pools' energy or carbon.
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
/// Requests served by inference, or epochs done by training.
[[nodiscard]] Term work_done(const Question& question, std::size_t workload);
/// Cost per inference, or per epoch.
[[nodiscard]] Term cost_per_work(const Question& question, std::size_t workload);
[[nodiscard]] Term energy_of_workload(const Question& question, std::size_t workload);
[[nodiscard]] Term carbon_of_workload(const Question& question, std::size_t workload);
[[nodiscard]] Term units_per_kwh(const Question& question, std::size_t workload);
[[nodiscard]] Term carbon_g_per_unit(const Question& question, std::size_t workload);
[[nodiscard]] Term water_l_per_million_units(const Question& question, std::size_t workload);
[[nodiscard]] Term cost_per_million_units(const Question& question, std::size_t workload);
/// Units that are carried from the month's end into the next month.
[[nodiscard]] Term backlog(const Question& question, std::size_t workload, std::size_t month);
/// A class of units, input or output: their cost, their number, and the cost per million.
[[nodiscard]] Term cost_of_class(const Question& question, std::size_t workload, UnitClass unit_class);
[[nodiscard]] Term units_of_class(const Question& question, std::size_t workload, UnitClass unit_class);
[[nodiscard]] Term cost_per_million_of_class(const Question& question, std::size_t workload, UnitClass unit_class);
[[nodiscard]] Term levelized_cost(const Question& question, std::size_t workload);
[[nodiscard]] Term hours_per_epoch(const Question& question, std::size_t workload, std::size_t pool);
[[nodiscard]] Term batch(const Question& question, std::size_t workload, std::size_t pool);

} // namespace costcurve::model::terms
