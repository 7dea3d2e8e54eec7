// Finds the maker of a figure's tree by the names in its pointer.
#include "model/questions/explain.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>

#include "model/questions/explain_parts.hpp"
#include "model/questions/figure.hpp"
#include "model/questions/pointer.hpp"

namespace costcurve::model {

namespace {

using namespace terms;

// Which pool, workload, month and category a figure is of.
struct Place {
    std::optional<std::size_t> pool;
    std::optional<std::size_t> workload;
    std::optional<std::size_t> month;
    std::optional<Category> category;
};

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

template <View kView> Term money(const Question& question, const Place& at) { return amount(question, at, kView); }

Term energy_tree(const Question& question, const Place& at) {
    const Scope scope = scope_of(question, at);
    return at.pool ? energy(question, *at.pool, scope) : over_pools(question, "energy", "kWh", scope, kEnergy);
}
Term carbon_tree(const Question& question, const Place& at) {
    const Scope scope = scope_of(question, at);
    return at.pool ? carbon(question, *at.pool, scope) : over_pools(question, "carbon", "kg", scope, kCarbon);
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

template <Term (*kMake)(const Question&, std::size_t)> Term of_workload(const Question& question, const Place& at) {
    return kMake(question, *at.workload);
}
template <Term (*kMake)(const Question&, std::size_t, std::size_t)> Term of_both(const Question& question, const Place& at) {
    return kMake(question, *at.workload, *at.pool);
}

// How a figure of that name is explained.
struct Maker {
    std::string_view name;
    Term (*make)(const Question& question, const Place& at);
};

constexpr auto kOfPoolsAndMonths = std::to_array<Maker>({
    {"cost", money<View::cost>},
    {"cash", money<View::cash>},
    {"npv", money<View::present_value>},
    {"npv_after_tax", [](const Question& question, const Place& /*whole*/) { return after_tax(question); }},
    {"energy_kwh", energy_tree},
    {"carbon_kg", carbon_tree},
    {"available_device_hours", of_pool<available_hours>},
    {"reserved_device_hours", of_pool<reserved_hours>},
    {"busy_device_hours", of_pool<busy_hours>},
    {"utilization_fraction", utilization},
    {"cost_per_reserved_device_hour", cost_per_reserved},
    {"racks", racks},
    {"unallocated_cost", [](const Question& question, const Place& /*whole*/) { return unallocated(question); }},
    {"months", [](const Question& question, const Place& /*whole*/) { return stated(question, "months", "/months"); }},
});

constexpr auto kOfWorkloads = std::to_array<Maker>({
    {"cost", of_workload<workload_cost>},
    {"units_demanded", of_workload<units_demanded>},
    {"units_served", of_workload<units_served>},
    {"units_unserved", of_workload<units_unserved>},
    {"energy_kwh", [](const Question& q, const Place& at) { return workload_share(q, *at.workload, "energy", "kWh", kEnergy); }},
    {"carbon_kg", [](const Question& q, const Place& at) { return workload_share(q, *at.workload, "carbon", "kg", kCarbon); }},
    {"cost_per_million_units", of_workload<cost_per_million_units>},
    {"cost_per_million_input_units", of_workload<cost_per_million_input>},
    {"cost_per_million_output_units", of_workload<cost_per_million_output>},
    {"levelized_cost_per_million_units", of_workload<levelized_cost>},
    {"requests_served", of_workload<work_done>},
    {"cost_per_inference", of_workload<cost_per_work>},
    {"epochs_done", of_workload<work_done>},
    {"cost_per_epoch", of_workload<cost_per_work>},
    {"hours_per_epoch", of_both<hours_per_epoch>},
    {"batch", of_both<batch>},
});

template <class Document> std::size_t index_by_id(const std::vector<Document>& documents, const std::string& id) {
    const auto found =
        std::find_if(documents.begin(), documents.end(), [&](const Document& document) { return document.id == id; });
    return static_cast<std::size_t>(found - documents.begin());
}

// A name in a pointer that bind_figure knows, and the name after it where that tells which one.
std::size_t step(const ScenarioDocument& scenario, std::span<const std::string> names, Place& at) {
    const std::string& name = names.front();
    if (names.size() < 2 || name == "total") {
        return 1;
    }
    if (name == "by_workload") {
        at.workload = index_by_id(scenario.workloads, names[1]);
    } else if (name == "by_month") {
        at.month = index_of(names[1], static_cast<std::size_t>(scenario.months));
    } else if (name == "by_category") {
        at.category = value_of<Category>(names[1]);
    } else { // by_pool, hours_per_epoch, batch
        at.pool = index_by_id(scenario.pools, names[1]);
    }
    return 2;
}

void cut(Term& term, int depth) {
    if (depth == 0) {
        term.rule = Rule::leaf;
        term.terms.clear();
    }
    for (Term& part : term.terms) {
        cut(part, depth - 1);
    }
}

// "total cost", "cost per inference of workload chat", "cost of energy of pool own in 2026-03".
std::string title(const Question& question, std::span<const std::string> names, std::string_view name, const Place& at) {
    std::string text = (names.front() == "total" ? "total " : "") + std::string(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    if (at.category) {
        text += fmt::format(" of {}", name_of(*at.category));
    }
    if (at.workload) {
        text += fmt::format(" of workload {}", question.document.workloads[*at.workload].id);
    }
    if (at.pool) {
        text += fmt::format(" {} {}", at.workload ? "on" : "of", name_of_pool(question, *at.pool));
    }
    return at.month ? fmt::format("{} in {}", text, name_of_month(question, *at.month)) : text;
}

} // namespace

Result<Term> explain(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger, const Summary& summary,
                     std::string_view figure, std::optional<int> depth) {
    const Result<BoundFigure> bound = bind_figure(scenario.document(), figure, "");
    if (!bound) {
        return tl::unexpected(bound.error());
    }
    const std::optional<double> value = bound->read(summary);
    if (!value) {
        return tl::unexpected(Failure{{"", Code::unknown_reference, fmt::format("{} is null in this result", figure)}});
    }
    const Question question{scenario.document(), compiled, ledger, summary, depth.has_value()};
    const std::vector<std::string> names = *split_pointer(figure);
    Place at;
    std::size_t last = 0;
    for (std::size_t next = 0; next < names.size();) {
        last = next;
        next += step(question.document, std::span(names).subspan(next), at);
    }
    const std::span<const Maker> makers = at.workload ? std::span<const Maker>(kOfWorkloads) : kOfPoolsAndMonths;
    const auto maker = std::find_if(makers.begin(), makers.end(), [&](const Maker& row) { return row.name == names[last]; });
    assert(maker != makers.end() && "a figure of the result has no tree");
    Term tree = renamed(maker->make(question, at), title(question, names, maker->name, at), *value);
    if (depth) {
        cut(tree, *depth);
    }
    return tree;
}

} // namespace costcurve::model
