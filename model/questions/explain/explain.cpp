// Finds the function that builds the tree of a figure by the names in the figure's JSON Pointer.
#include "model/questions/explain/explain.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

#include "model/documents/pointer.hpp"
#include "model/finance.hpp"
#include "model/questions/explain/explain_parts.hpp"
#include "model/questions/figure.hpp"

namespace costcurve::model {

namespace {

using namespace terms;

// The pool, workload, month and category that a figure belongs to.
struct Place {
    std::optional<std::size_t> pool;
    std::optional<std::size_t> workload;
    std::optional<std::size_t> month;
    std::optional<Category> category;
    const TagSummary* tag = nullptr;
    std::size_t value = 0;           ///< index of the tag's value
    std::optional<std::size_t> site; ///< index of the summary's site
    std::optional<UnitClass> unit_class;
    bool is_terminal = false;
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
Term water_tree(const Question& question, const Place& at) {
    return over_pools(question, "water", "l", scope_of(question, at), kWater);
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

Term annual(const Question& question, const Place& /*whole*/) {
    const double npv = question.summary.npv;
    std::vector<Term> terms;
    terms.push_back(renamed(total_amount(question, whole_horizon(question), View::present_value), "npv", npv));
    terms.push_back(leaf(question, "capital recovery factor", "d / (1 − (1+d)^(−months/12)); 12 / months at d = 0",
                         equivalent_annual_cost(1.0, question.document.finance.discount_rate, question.document.months), "1/year",
                         {"/finance/discount_rate", "/months"}));
    return product("", "npv × capital recovery factor", question.per("year"), std::move(terms));
}

Term before_financing(const Question& question, const Place& /*whole*/) {
    const Scope scope = whole_horizon(question);
    std::vector<Term> terms;
    terms.push_back(renamed(total_amount(question, scope, View::present_value), "npv", question.summary.npv));
    terms.push_back(leaf(question, "−npv of financing", "−Σ cash of loans / (1+d)^t",
                         *question.summary.npv_before_financing - question.summary.npv, question.currency(),
                         {"/finance/discount_rate"}));
    return sum("", "npv − npv of financing", question.currency(), std::move(terms));
}

Term obligation(const Question& question, const Place& at) {
    return sum("", "Σ payments left of running terms and leases", question.currency(), payments_left(question, *at.pool, false));
}

Term lease_liability(const Question& question, const Place& at) {
    return sum("", "Σ lease payments due in the horizon / (1+d)^t", question.currency(), lease_payments_due(question, *at.pool));
}

template <std::vector<Term> (*kCauses)(const Question&, std::size_t)>
Term at_end(const Question& question, const Place& /*whole*/) {
    return sum_over_pools(question, kCauses);
}

// A term that sums a figure over the pools of one site.
template <class Make> Term over_site(const Question& question, const Place& at, const std::string& unit, const Make& make) {
    std::vector<Term> terms;
    for (const std::size_t p : question.summary.sites[*at.site].pools) {
        Term term = make(p);
        const double value = term.value;
        add_unless_zero(terms, renamed(std::move(term), name_of_pool(question, p), value));
    }
    return sum("", "Σ over the site's pools", unit, std::move(terms));
}
Term site_cost(const Question& question, const Place& at) {
    const Scope all = whole_horizon(question);
    return over_site(question, at, question.currency(), [&](std::size_t p) { return pool_amount(question, p, all, View::cost); });
}
template <Term (*kMake)(const Question&, std::size_t, const Scope&)>
Term metered_at_site(const Question& question, const Place& at) {
    return over_site(question, at,
                     kMake == energy  ? "kWh"
                     : kMake == water ? "l"
                                      : "kg",
                     [&](std::size_t p) { return kMake(question, p, whole_horizon(question)); });
}
Term site_peak(const Question& question, const Place& at) {
    return leaf(question, "", "largest facility power of any month, of its pools together: Σ P_it × PUE / 1000",
                question.summary.sites[*at.site].peak_kw, "kW");
}

Term peak_kw(const Question& question, const Place& at) {
    return leaf(question, "", "largest facility power of any month: P_it × PUE / 1000", *question.summary.pools[*at.pool].peak_kw,
                "kW");
}

Term racks(const Question& question, const Place& at) {
    return leaf(question, "", "most of any month: ⌈ servers / ⌊ rack_kw × 1000 / one server's nameplate W ⌋ ⌉, or by rack_units",
                *question.summary.pools[*at.pool].racks, "racks",
                {pool_at(*at.pool, "site/rack_kw"), pool_at(*at.pool, "server/rack_units"),
                 pool_at(*at.pool, "site/rack_units_per_rack"), pool_at(*at.pool, "purchases")});
}

template <Term (*kMake)(const Question&, std::size_t, UnitClass)> Term of_class(const Question& question, const Place& at) {
    return kMake(question, *at.workload, at.unit_class.value());
}
template <Term (*kMake)(const Question&, std::size_t)> Term of_workload(const Question& question, const Place& at) {
    return kMake(question, *at.workload);
}
template <Term (*kMake)(const Question&, std::size_t, std::size_t)> Term of_both(const Question& question, const Place& at) {
    return kMake(question, *at.workload, *at.pool);
}

Term decisive(const Question& question, const Place& whole);

// The name of a figure and the function that builds its tree.
struct Maker {
    std::string_view name;
    Term (*make)(const Question& question, const Place& at);
};

constexpr auto kOfPoolsAndMonths = std::to_array<Maker>({
    {"cost", money<View::cost>},
    {"cash", money<View::cash>},
    {"npv", money<View::present_value>},
    {"npv_after_tax", [](const Question& question, const Place& /*whole*/) { return after_tax(question); }},
    {"equivalent_annual_cost", annual},
    {"npv_before_financing", before_financing},
    {"idle_cost", [](const Question& question, const Place& at) { return idle_cost(question, *at.pool); }},
    {"obligation", obligation},
    {"lease_liability", lease_liability},
    {"peak_kw", peak_kw},
    {"energy_kwh", energy_tree},
    {"carbon_kg", carbon_tree},
    {"energy_kwh_at_least", energy_tree},
    {"carbon_kg_at_least", carbon_tree},
    {"water_l", water_tree},
    {"available_device_hours", of_pool<available_hours>},
    {"reserved_device_hours", of_pool<reserved_hours>},
    {"busy_device_hours", of_pool<busy_hours>},
    {"utilization_fraction", utilization},
    {"cost_per_reserved_device_hour", cost_per_reserved},
    {"racks", racks},
    {"unit_utilization", [](const Question& question, const Place& at) { return unit_utilization(question, *at.pool); }},
    {"break_even_utilization", [](const auto& question, const Place& at) { return break_even_utilization(question, *at.pool); }},
    {"decisive", [](const Question& question, const Place& whole) { return decisive(question, whole); }},
    {"unallocated_cost", [](const Question& question, const Place& /*whole*/) { return unallocated(question); }},
    {"months", [](const Question& question, const Place& /*whole*/) { return stated(question, "months", "/months"); }},
});

constexpr auto kOfWorkloads = std::to_array<Maker>({
    {"cost", of_workload<workload_cost>},
    {"cash", of_workload<workload_cash>},
    {"npv", of_workload<workload_present_value>},
    {"units_demanded", of_workload<units_demanded>},
    {"units_served", of_workload<units_served>},
    {"units_unserved", of_workload<units_unserved>},
    {"units_lost_to_outages", of_workload<units_lost_to_outages>},
    {"energy_kwh", of_workload<energy_of_workload>},
    {"carbon_kg", of_workload<carbon_of_workload>},
    {"units_per_kwh", of_workload<units_per_kwh>},
    {"carbon_g_per_unit", of_workload<carbon_g_per_unit>},
    {"water_l_per_million_units", of_workload<water_l_per_million_units>},
    {"cost_per_million_units", of_workload<cost_per_million_units>},
    {"cost_per_million_input_units",
     [](const Question& question, const Place& at) { return cost_per_million_of_class(question, *at.workload, UnitClass::input); }},
    {"cost_per_million_output_units",
     [](const Question& question, const Place& at) {
         return cost_per_million_of_class(question, *at.workload, UnitClass::output);
     }},
    {"levelized_cost_per_million_units", of_workload<levelized_cost>},
    {"requests_served", of_workload<work_done>},
    {"cost_per_inference", of_workload<cost_per_work>},
    {"epochs_done", of_workload<work_done>},
    {"cost_per_epoch", of_workload<cost_per_work>},
    {"days", of_workload<days_of_run>},
    {"backlog", [](const Question& question, const Place& at) { return backlog(question, *at.workload, *at.month); }},
    {"hours_per_epoch", of_both<hours_per_epoch>},
    {"batch", of_both<batch>},
});

template <Term (*kMake)(const Question&, const TagSummary&, std::size_t)> Term of_tag(const Question& question, const Place& at) {
    return kMake(question, *at.tag, at.value);
}

constexpr auto kOfTags = std::to_array<Maker>({
    {"cost", of_tag<tag_cost>},
    {"cash", of_tag<tag_cash>},
    {"energy_kwh", of_tag<tag_energy>},
    {"carbon_kg", of_tag<tag_carbon>},
});

constexpr auto kOfClasses = std::to_array<Maker>({
    {"cost", of_class<cost_of_class>},
    {"units", of_class<units_of_class>},
    {"cost_per_million", of_class<cost_per_million_of_class>},
});

constexpr auto kOfSites = std::to_array<Maker>({
    {"cost", site_cost},
    {"energy_kwh", metered_at_site<energy>},
    {"carbon_kg", metered_at_site<carbon>},
    {"peak_kw", site_peak},
    {"bill_by_month",
     [](const auto& question, const Place& at) {
         return bill_of_month(question, question.summary.sites[*at.site].pools[0], *at.month);
     }},
    {"water_l", metered_at_site<water>},
});

constexpr auto kOfTheEnd = std::to_array<Maker>({
    {"sale", at_end<assets_sold>},
    {"book", at_end<assets_booked>},
    {"obligations", [](const Question& question, const Place& /*whole*/) { return obligations_at_end(question); }},
    {"commitments_sold", at_end<commitments_sold>},
    {"loan_balance", at_end<loan_balances>},
    {"tax_loss", [](const Question& question, const Place& /*whole*/) { return tax_loss_left(question); }},
});

std::span<const Maker> makers_of(const Place& at) {
    if (at.is_terminal) {
        return kOfTheEnd;
    }
    if (at.site) {
        return kOfSites;
    }
    if (at.tag != nullptr) {
        return kOfTags;
    }
    return at.unit_class ? std::span<const Maker>(kOfClasses)
           : at.workload ? std::span<const Maker>(kOfWorkloads)
                         : kOfPoolsAndMonths;
}

// The tree of the figure that decides a comparison. The figure belongs to no single pool or month, so it is one of the total's.
Term decisive(const Question& question, const Place& whole) {
    const std::string_view name = name_of(question.summary.decide_by);
    const auto maker =
        std::find_if(kOfPoolsAndMonths.begin(), kOfPoolsAndMonths.end(), [&](const Maker& row) { return row.name == name; });
    Term tree = maker->make(question, whole);
    tree.term = name;
    return tree;
}

template <class Document> std::size_t index_by_id(const std::vector<Document>& documents, const std::string& id) {
    const auto found =
        std::find_if(documents.begin(), documents.end(), [&](const Document& document) { return document.id == id; });
    return static_cast<std::size_t>(found - documents.begin());
}

// Reads the first names of a valid pointer into `at`: one, or more if the first needs an index or id. Returns how many.
std::size_t step(const Question& question, std::span<const std::string> names, Place& at) {
    const ScenarioDocument& scenario = question.document;
    const std::string& name = names.front();
    at.is_terminal = at.is_terminal || name == "terminal";
    if (names.size() < 2 || name == "total" || name == "terminal") {
        return 1;
    }
    if (name == "by_tag") {
        const std::vector<TagSummary>& tags = question.summary.by_tag;
        at.tag = &*std::find_if(tags.begin(), tags.end(), [&](const TagSummary& t) { return t.key == names[1]; });
        at.value =
            static_cast<std::size_t>(std::find(at.tag->values.begin(), at.tag->values.end(), names[2]) - at.tag->values.begin());
        return 3;
    }
    if (name == "by_workload") {
        at.workload = index_by_id(scenario.workloads, names[1]);
    } else if (name == "by_month" || name == "backlog" || name == "bill_by_month") {
        at.month = index_of(names[1], static_cast<std::size_t>(scenario.months));
    } else if (name == "by_category") {
        at.category = value_of<Category>(names[1]);
    } else if (name == "by_site") {
        at.site = index_by_id(question.summary.sites, names[1]);
    } else if (name == "cost_by_class") {
        at.unit_class = value_of<UnitClass>(names[1]);
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

// Title of a figure: "total cost", "cost per inference of workload chat", "cost of energy of pool own in 2026-03".
std::string title(const Question& question, std::span<const std::string> names, std::string_view name, const Place& at) {
    std::string text = (names.front() == "total" && !at.is_terminal ? "total " : "") + std::string(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    if (at.is_terminal) {
        return text + " at the horizon's end";
    }
    if (name == "decisive") {
        return fmt::format("decisive figure, {}", name_of(question.summary.decide_by));
    }
    if (at.site) {
        text += " of site " + question.summary.sites[*at.site].id;
    }
    if (at.unit_class) {
        text += fmt::format(" of {} units", name_of(*at.unit_class));
    }
    if (at.category) {
        text += fmt::format(" of {}", name_of(*at.category));
    }
    if (at.tag != nullptr) {
        text += fmt::format(" of {} {}", at.tag->key, at.tag->values[at.value]);
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
    const Shares shares(scenario.document(), ledger);
    const Question question{scenario.document(), compiled, ledger, summary, shares, depth.has_value()};
    const std::vector<std::string> names = *split_pointer(figure);
    Place at;
    std::size_t last = 0;
    for (std::size_t next = 0; next < names.size();) {
        last = next;
        next += step(question, std::span(names).subspan(next), at);
    }
    const std::span<const Maker> makers = makers_of(at);
    const auto maker = std::find_if(makers.begin(), makers.end(), [&](const Maker& row) { return row.name == names[last]; });
    if (maker == makers.end()) {
        throw std::logic_error("a figure of the result has no tree: " + names[last]);
    }
    Term tree = renamed(maker->make(question, at), title(question, names, maker->name, at), *value);
    if (depth) {
        cut(tree, *depth);
    }
    return tree;
}

} // namespace costcurve::model
