// Finds a figure by its pointer into the result, as it is laid out, and builds its tree.
#include "model/questions/explain.hpp"

#include <algorithm>

#include "model/questions/explain_figures.hpp"

namespace costcurve::model {

namespace {

using namespace terms;

// What stands under a name in the result: a figure, or more names.
struct Node;
using Names = std::vector<std::pair<std::string, Node>>;
struct Node {
    Place place;
    const Figure* figure = nullptr;
    Names (*names)(const Question& question, const Place& place) = nullptr;
};

void add_figures(Names& names, Holder holder, const Place& place) {
    for (const Figure& figure : figures()) {
        if (figure.holder == holder) {
            names.push_back({std::string(figure.name), {place, &figure, nullptr}});
        }
    }
}

const Figure& only_figure_of(Holder holder) {
    return *std::find_if(figures().begin(), figures().end(), [&](const Figure& figure) { return figure.holder == holder; });
}

Names amounts(const Question& /*question*/, const Place& place) {
    Names names;
    add_figures(names, Holder::amounts, place);
    return names;
}

// Categories with money; those of the whole all.
Names categories(const Question& question, const Place& place) {
    Names names;
    for (std::size_t c = 0; c < kCategories; ++c) {
        Place at = place;
        at.category = static_cast<Category>(c);
        const Amounts& money = amounts_at(question.summary, at);
        if (money.cost != 0.0 || money.cash != 0.0 || (!place.pool && !place.month)) {
            names.push_back({std::string(name_of(*at.category)), {at, nullptr, amounts}});
        }
    }
    return names;
}

// The pools, each a node like `node`.
Names pools_as(const Question& question, const Place& place, Node node) {
    Names names;
    for (std::size_t p = 0; p < question.document.pools.size(); ++p) {
        node.place = place;
        node.place.pool = p;
        names.push_back({question.document.pools[p].id, node});
    }
    return names;
}

// Those of them that have the figure.
template <Holder kHolder> Names pools_with(const Question& question, const Place& place) {
    Names names = pools_as(question, place, {{}, &only_figure_of(kHolder), nullptr});
    std::erase_if(names, [&](const auto& name) { return !name.second.figure->value(question, name.second.place); });
    return names;
}

Names pool(const Question& question, const Place& place) {
    Names names;
    add_figures(names, Holder::pool, place);
    if (question.document.pools[*place.pool].kind == PoolKind::owned) {
        add_figures(names, Holder::owned_pool, place);
    }
    names.push_back({"by_category", {place, nullptr, categories}});
    return names;
}

Names workload(const Question& question, const Place& place) {
    const Workload& work = question.document.workloads[*place.workload];
    Names names;
    add_figures(names, Holder::workload, place);
    if (work.kind == WorkloadKind::inference) {
        add_figures(names, Holder::inference, place);
        if (work.units_per_request.split) {
            add_figures(names, Holder::split_units, place);
        }
    } else {
        add_figures(names, Holder::training, place);
        names.push_back({"hours_per_epoch", {place, nullptr, pools_with<Holder::hours_per_epoch>}});
    }
    names.push_back({"batch", {place, nullptr, pools_with<Holder::batch>}});
    return names;
}

Names workloads(const Question& question, const Place& place) {
    Names names;
    for (std::size_t w = 0; w < question.document.workloads.size(); ++w) {
        Place at = place;
        at.workload = w;
        names.push_back({question.document.workloads[w].id, {at, nullptr, workload}});
    }
    return names;
}

template <Names (*kNames)(const Question&, const Place&)> Names pools_of(const Question& question, const Place& place) {
    return pools_as(question, place, {{}, nullptr, kNames});
}

Names month(const Question& /*question*/, const Place& place) {
    Names names;
    add_figures(names, Holder::month, place);
    names.push_back({"by_category", {place, nullptr, categories}});
    names.push_back({"by_pool", {place, nullptr, pools_of<amounts>}});
    return names;
}

Names months(const Question& question, const Place& place) {
    Names names;
    for (std::size_t m = 0; m < question.compiled.months; ++m) {
        Place at = place;
        at.month = m;
        names.push_back({std::to_string(m), {at, nullptr, month}});
    }
    return names;
}

Names result(const Question& /*question*/, const Place& place) {
    Names names;
    names.push_back({"total", {place, nullptr, [](const Question&, const Place& at) {
                                   Names of_total;
                                   add_figures(of_total, Holder::total, at);
                                   return of_total;
                               }}});
    names.push_back({"by_category", {place, nullptr, categories}});
    names.push_back({"by_pool", {place, nullptr, pools_of<pool>}});
    names.push_back({"by_workload", {place, nullptr, workloads}});
    names.push_back({"by_month", {place, nullptr, months}});
    add_figures(names, Holder::result, place);
    return names;
}

Failure nothing_there(const std::string& message) { return {{"", Code::unknown_reference, message}}; }

// A few of the names, as a sentence needs them.
std::string listed(const Names& names) {
    constexpr std::size_t kMost = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) {
        text += (i == 0 ? "" : ", ") + names[i].first;
    }
    return names.empty() ? "nothing" : names.size() > kMost ? fmt::format("{}, … {}", text, names.back().first) : text;
}

std::string shown(std::string_view pointer) { return pointer.empty() ? "the result" : std::string(pointer); }

Result<Node> find_figure(const Question& question, std::string_view pointer) {
    Node node{{}, nullptr, result};
    std::size_t at = 0;
    while (node.figure == nullptr) {
        const Names names = node.names(question, node.place);
        const std::size_t end = std::min(pointer.find('/', std::min(at + 1, pointer.size())), pointer.size());
        if (at == pointer.size() || pointer[at] != '/') {
            return tl::unexpected(
                nothing_there(fmt::format("figure must be a JSON Pointer to a number, such as /total/cost; {} holds {}",
                                          shown(pointer.substr(0, at)), listed(names))));
        }
        const std::string_view segment = pointer.substr(at + 1, end - at - 1);
        const auto found = std::find_if(names.begin(), names.end(),
                                        [&](const std::pair<std::string, Node>& name) { return name.first == segment; });
        if (found == names.end()) {
            constexpr std::size_t kMostShown = 80;
            return tl::unexpected(
                nothing_there(fmt::format("{} has no figure {}; there are: {}", shown(pointer.substr(0, at)),
                                          segment.size() > kMostShown ? "of that name" : segment, listed(names))));
        }
        node = found->second;
        at = end;
    }
    if (at != pointer.size()) {
        return tl::unexpected(nothing_there(fmt::format("{} is a number; nothing stands below it", pointer.substr(0, at))));
    }
    return node;
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

// "cost per inference of workload chat", "cost of energy of pool own in 2026-03".
std::string title(const Question& question, std::string_view name, const Place& place) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    if (place.category) {
        text += fmt::format(" of {}", name_of(*place.category));
    }
    if (place.workload) {
        text += fmt::format(" of workload {}", question.document.workloads[*place.workload].id);
    }
    if (place.pool) {
        text += fmt::format(" {} {}", place.workload ? "on" : "of", name_of_pool(question, *place.pool));
    }
    return place.month ? fmt::format("{} in {}", text, name_of_month(question, *place.month)) : text;
}

} // namespace

Result<Term> explain(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger, const Summary& summary,
                     std::string_view figure, std::optional<int> depth) {
    const Question question{scenario, scenario.document(), compiled, ledger, summary, depth.has_value()};
    Result<Node> node = find_figure(question, figure);
    if (!node) {
        return tl::unexpected(std::move(node.error()));
    }
    const std::optional<double> value = node->figure->value(question, node->place);
    if (!value) {
        return tl::unexpected(nothing_there(fmt::format("{} is null: what it is divided by is 0", figure)));
    }
    Term tree = renamed(node->figure->make(question, node->place), title(question, node->figure->name, node->place), *value);
    if (depth) {
        cut(tree, *depth);
    }
    return tree;
}

} // namespace costcurve::model
