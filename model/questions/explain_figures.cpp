// Rows of figures: where each stands, what it is, and how its tree is made.
#include "model/questions/explain_figures.hpp"

#include <array>

namespace costcurve::model::terms {

const Amounts& amounts_at(const Summary& summary, const Place& place) {
    if (place.month) {
        const MonthSummary& month = summary.months[*place.month];
        return place.category ? month.by_category[static_cast<std::size_t>(*place.category)]
               : place.pool   ? month.by_pool[*place.pool]
                              : month.total;
    }
    const AmountsByCategory& categories = place.pool ? summary.pools[*place.pool].by_category : summary.by_category;
    if (place.category) {
        return categories[static_cast<std::size_t>(*place.category)];
    }
    return place.pool ? summary.pools[*place.pool].total : summary.total;
}

namespace {

Scope scope_of(const Question& question, const Place& place) {
    return place.month ? Scope{{*place.month}, std::nullopt} : whole_horizon(question);
}

Term amount(const Question& question, const Place& place, View view) {
    const Scope scope = scope_of(question, place);
    if (place.pool && place.category) {
        return category_term(question, *place.pool, *place.category, scope, view);
    }
    if (place.category) {
        return category_amount(question, *place.category, scope, view);
    }
    return place.pool ? pool_amount(question, *place.pool, scope, view) : total_amount(question, scope, view);
}

std::optional<double> cost_value(const Question& question, const Place& at) { return amounts_at(question.summary, at).cost; }
std::optional<double> cash_value(const Question& question, const Place& at) { return amounts_at(question.summary, at).cash; }
Term cost(const Question& question, const Place& at) { return amount(question, at, View::cost); }
Term cash(const Question& question, const Place& at) { return amount(question, at, View::cash); }

// What pools have together, of the whole, a pool or a month.
template <double Summary::*kTotal, double PoolSummary::*kPool, double MonthSummary::*kMonth>
std::optional<double> summed(const Question& question, const Place& at) {
    const Summary& summary = question.summary;
    return at.pool ? summary.pools[*at.pool].*kPool : at.month ? summary.months[*at.month].*kMonth : summary.*kTotal;
}
constexpr auto energy_value = summed<&Summary::energy_kwh, &PoolSummary::energy_kwh, &MonthSummary::energy_kwh>;
constexpr auto carbon_value = summed<&Summary::carbon_kg, &PoolSummary::carbon_kg, &MonthSummary::carbon_kg>;
Term energy_tree(const Question& question, const Place& at) {
    const Scope scope = scope_of(question, at);
    return at.pool ? energy(question, *at.pool, scope) : over_pools(question, "energy", "kWh", scope, kEnergy);
}
Term carbon_tree(const Question& question, const Place& at) {
    const Scope scope = scope_of(question, at);
    return at.pool ? carbon(question, *at.pool, scope) : over_pools(question, "carbon", "kg", scope, kCarbon);
}

// A member of a pool's summary, as a figure.
template <auto kMember> std::optional<double> pool_value(const Question& question, const Place& at) {
    return question.summary.pools[*at.pool].*kMember;
}
template <Term (*kMake)(const Question&, std::size_t, const Scope&)> Term of_pool(const Question& question, const Place& at) {
    return kMake(question, *at.pool, whole_horizon(question));
}

Term utilization(const Question& question, const Place& at) {
    return quotient("", "device-hours busy / device-hours paid", "of 1", of_pool<busy_hours>(question, at),
                    of_pool<available_hours>(question, at));
}

Term cost_per_reserved(const Question& question, const Place& at) {
    return quotient("", "cost / device-hours reserved", question.per("device-hour"), amount(question, at, View::cost),
                    of_pool<reserved_hours>(question, at));
}

Term racks(const Question& question, const Place& at) {
    return leaf(question, "", "most of any month: ⌈ servers / ⌊ rack_kw × 1000 / one server's nameplate W ⌋ ⌉, or by rack_units",
                *question.summary.pools[*at.pool].racks, "racks",
                {pool_at(*at.pool, "site/rack_kw"), pool_at(*at.pool, "server/rack_units"),
                 pool_at(*at.pool, "site/rack_units_per_rack"), pool_at(*at.pool, "purchases")});
}

const WorkloadSummary& work_at(const Question& question, const Place& at) { return question.summary.workloads[*at.workload]; }
template <auto kMember> std::optional<double> work_value(const Question& question, const Place& at) {
    return work_at(question, at).*kMember;
}
template <Term (*kMake)(const Question&, std::size_t)> Term of_workload(const Question& question, const Place& at) {
    return kMake(question, *at.workload);
}

std::optional<double> quantity(const Question& question, const Place& at) {
    const WorkloadSummary& work = work_at(question, at);
    return work.units_served > 0 ? std::optional(work.quantity) : std::nullopt;
}

constexpr auto kFigures = std::to_array<Figure>({
    {Holder::total, "cost", cost_value, cost},
    {Holder::total, "cash", cash_value, cash},
    {Holder::amounts, "cost", cost_value, cost},
    {Holder::amounts, "cash", cash_value, cash},
    {Holder::month, "cost", cost_value, cost},
    {Holder::month, "cash", cash_value, cash},
    {Holder::pool, "cost", cost_value, cost},
    {Holder::pool, "cash", cash_value, cash},
    {Holder::total, "energy_kwh", energy_value, energy_tree},
    {Holder::total, "carbon_kg", carbon_value, carbon_tree},
    {Holder::month, "energy_kwh", energy_value, energy_tree},
    {Holder::month, "carbon_kg", carbon_value, carbon_tree},
    {Holder::pool, "energy_kwh", energy_value, energy_tree},
    {Holder::pool, "carbon_kg", carbon_value, carbon_tree},
    {Holder::total, "npv", [](const Question& q, const Place&) { return std::optional(q.summary.npv); },
     [](const Question& q, const Place& at) { return amount(q, at, View::present_value); }},
    {Holder::total, "npv_after_tax", [](const Question& q, const Place&) { return std::optional(q.summary.npv_after_tax); },
     [](const Question& q, const Place&) { return after_tax(q); }},
    {Holder::result, "months", [](const Question& q, const Place&) { return std::optional<double>(q.document.months); },
     [](const Question& q, const Place&) { return stated(q, "months", "/months"); }},
    {Holder::result, "unallocated_cost", [](const Question& q, const Place&) { return std::optional(q.summary.unallocated_cost); },
     [](const Question& q, const Place&) { return unallocated(q); }},
    {Holder::pool, "available_device_hours", pool_value<&PoolSummary::available_device_hours>, of_pool<available_hours>},
    {Holder::pool, "reserved_device_hours", pool_value<&PoolSummary::reserved_device_hours>, of_pool<reserved_hours>},
    {Holder::pool, "busy_device_hours", pool_value<&PoolSummary::busy_device_hours>, of_pool<busy_hours>},
    {Holder::pool, "utilization_fraction", pool_value<&PoolSummary::utilization_fraction>, utilization},
    {Holder::pool, "cost_per_reserved_device_hour", pool_value<&PoolSummary::cost_per_reserved_device_hour>, cost_per_reserved},
    {Holder::owned_pool, "racks", pool_value<&PoolSummary::racks>, racks},
    {Holder::workload, "cost", work_value<&WorkloadSummary::cost>, of_workload<workload_cost>},
    {Holder::workload, "units_demanded", work_value<&WorkloadSummary::units_demanded>, of_workload<units_demanded>},
    {Holder::workload, "units_served", work_value<&WorkloadSummary::units_served>, of_workload<units_served>},
    {Holder::workload, "units_unserved", work_value<&WorkloadSummary::units_unserved>, of_workload<units_unserved>},
    {Holder::workload, "energy_kwh", work_value<&WorkloadSummary::energy_kwh>,
     [](const Question& q, const Place& at) { return workload_share(q, *at.workload, "", "kWh", kEnergy); }},
    {Holder::workload, "carbon_kg", work_value<&WorkloadSummary::carbon_kg>,
     [](const Question& q, const Place& at) { return workload_share(q, *at.workload, "", "kg", kCarbon); }},
    {Holder::workload, "cost_per_million_units", work_value<&WorkloadSummary::cost_per_million_units>,
     of_workload<cost_per_million_units>},
    {Holder::workload, "levelized_cost_per_million_units", work_value<&WorkloadSummary::levelized_cost_per_million_units>,
     of_workload<levelized_cost>},
    {Holder::inference, "requests_served", quantity, of_workload<work_done>},
    {Holder::inference, "cost_per_inference", work_value<&WorkloadSummary::cost_per_quantity>, of_workload<cost_per_work>},
    {Holder::split_units, "cost_per_million_input_units", work_value<&WorkloadSummary::cost_per_million_input_units>,
     of_workload<cost_per_million_input>},
    {Holder::split_units, "cost_per_million_output_units", work_value<&WorkloadSummary::cost_per_million_output_units>,
     of_workload<cost_per_million_output>},
    {Holder::training, "epochs_done", quantity, of_workload<work_done>},
    {Holder::training, "cost_per_epoch", work_value<&WorkloadSummary::cost_per_quantity>, of_workload<cost_per_work>},
    {Holder::hours_per_epoch, "hours_per_epoch",
     [](const Question& q, const Place& at) { return work_at(q, at).hours_per_epoch[*at.pool]; },
     [](const Question& q, const Place& at) { return hours_per_epoch(q, *at.workload, *at.pool); }},
    {Holder::batch, "batch",
     [](const Question& q, const Place& at) {
         const std::optional<int>& batch = work_at(q, at).batch[*at.pool];
         return batch ? std::optional<double>(*batch) : std::nullopt;
     },
     [](const Question& q, const Place& at) { return batch(q, *at.workload, *at.pool); }},
});

} // namespace

std::span<const Figure> figures() { return kFigures; }

} // namespace costcurve::model::terms
