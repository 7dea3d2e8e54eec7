// Follows a pointer through the tables of figures, and lists the valid names if the pointer is wrong.
#include "model/questions/figure.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "model/allocation.hpp"
#include "model/documents/currencies.hpp"
#include "model/documents/pointer.hpp"
#include "model/finance.hpp"
#include "model/sites.hpp"

namespace costcurve::model {

namespace {

using Names = std::span<const std::string>;
using Read = std::function<std::optional<double>(const Summary&)>;

// The figure or table that a name leads to, or the valid names.
struct Found {
    Read read;
    std::string_view unit;
    std::vector<std::string> choices; ///< valid names, if nothing was found
};

// A name, and the lookup of the names after it.
struct Branch {
    std::string name;
    std::function<Found(Names rest)> follow;
};

Found choose(Names names, const std::vector<Branch>& branches) {
    if (!names.empty()) {
        for (const Branch& branch : branches) {
            if (branch.name == names.front()) {
                return branch.follow(names.subspan(1));
            }
        }
    }
    Found none;
    none.choices.reserve(branches.size());
    for (const Branch& branch : branches) {
        none.choices.push_back(branch.name);
    }
    return none;
}

Branch figure_leaf(std::string_view name, std::string_view unit, Read read) {
    return {std::string(name), [unit, read = std::move(read)](Names rest) {
                return rest.empty() ? Found{read, unit, {}} : Found{nullptr, "", {"nothing: it is a number"}};
            }};
}

// Adds the figures of one part of a summary, which `part_of` selects.
template <class Part, class PartOf> void add(std::vector<Branch>& to, const auto& table, const PartOf& part_of) {
    for (const Figure<Part>& figure : table) {
        to.push_back(figure_leaf(figure.name, figure.unit, [=, read = figure.read](const Summary& s) { return read(part_of(s)); }));
    }
}
template <class Part, class Document, class PartOf>
void add(std::vector<Branch>& to, const auto& table, const Document& document, const PartOf& part_of) {
    for (const FigureOfSome<Part, Document>& row : table) {
        if (row.is_of(document)) {
            to.push_back(figure_leaf(row.figure.name, row.figure.unit,
                                     [=, read = row.figure.read](const Summary& s) { return read(part_of(s)); }));
        }
    }
}

template <class CategoriesOf> Branch by_category(const CategoriesOf& categories_of) {
    return {"by_category", [categories_of](Names rest) {
                std::vector<Branch> branches;
                branches.reserve(kCategories);
                for (std::size_t c = 0; c < kCategories; ++c) {
                    branches.push_back({std::string(name_of(static_cast<Category>(c))), [=](Names names) {
                                            std::vector<Branch> amounts;
                                            add<Amounts>(amounts, kAmountFigures,
                                                         [=](const Summary& s) -> const Amounts& { return categories_of(s)[c]; });
                                            return choose(names, amounts);
                                        }});
                }
                return choose(rest, branches);
            }};
}

Found in_pool(const Pool& pool, std::size_t p, Names names) {
    const auto part = [p](const Summary& s) -> const PoolSummary& { return s.pools[p]; };
    std::vector<Branch> branches;
    add<PoolSummary, Pool>(branches, kPoolFigures, pool, part);
    branches.push_back(by_category([=](const Summary& s) -> const AmountsByCategory& { return part(s).by_category; }));
    return choose(names, branches);
}

// Figures of a unit class; null if a request has no units of that class.
template <class PartOf> Branch class_branch(std::size_t unit_class, const PartOf& part_of) {
    return {std::string(enum_names<UnitClass>[unit_class]), [=](Names rest) {
                std::vector<Branch> branches;
                branches.reserve(kClassFigures.size());
                for (const Figure<ClassCost>& figure : kClassFigures) {
                    branches.push_back(figure_leaf(figure.name, figure.unit, [=, read = figure.read](const Summary& s) {
                        const std::optional<ClassCost>& part = part_of(s).by_class[unit_class];
                        return part && part->units > 0.0 ? read(*part) : std::nullopt;
                    }));
                }
                return choose(rest, branches);
            }};
}

// A month's number in the list that `list_of` selects from a summary.
template <class ListOf> Found in_list(const ScenarioDocument& scenario, std::string_view unit, Names names, const ListOf& list_of) {
    std::vector<Branch> months;
    for (std::size_t m = 0; m < static_cast<std::size_t>(scenario.months); ++m) {
        months.push_back(
            figure_leaf(std::to_string(m), unit, [=](const Summary& s) { return std::optional<double>(list_of(s)[m]); }));
    }
    return choose(names, months);
}

// Sites of owned pools that have an id, in the summary's order.
Found in_sites(const ScenarioDocument& scenario, Names names) {
    std::vector<Branch> branches;
    for (const std::vector<std::size_t>& pools : pools_by_site(scenario)) {
        const std::string& id = scenario.pools[pools.front()].site->id;
        if (id.empty()) {
            continue;
        }
        branches.push_back({id, [s = branches.size(), &scenario](Names rest) {
                                std::vector<Branch> figures;
                                add<SiteSummary>(figures, kSiteFigures,
                                                 [s](const Summary& summary) -> const SiteSummary& { return summary.sites[s]; });
                                figures.push_back({"bill_by_month", [s, &scenario](Names months) {
                                                       return in_list(scenario, "currency", months, [s](const Summary& summary) {
                                                           return summary.sites[s].bill_by_month;
                                                       });
                                                   }});
                                return choose(rest, figures);
                            }});
    }
    return choose(names, branches);
}

Found in_workload(const ScenarioDocument& scenario, std::size_t w, Names names) {
    const Workload& workload = scenario.workloads[w];
    const auto part = [w](const Summary& s) -> const WorkloadSummary& { return s.workloads[w]; };
    std::vector<Branch> branches;
    add<WorkloadSummary, Workload>(branches, kWorkloadFigures, workload, part);
    add<WorkloadSummary>(branches, figures::has_requests(workload) ? kRequestFigures : kTrainingFigures, part);
    const auto by_pool = [&](std::string_view name, std::string_view unit, const auto& values_of) {
        branches.push_back({std::string(name), [&scenario, unit, part, values_of](Names rest) {
                                std::vector<Branch> pools;
                                pools.reserve(scenario.pools.size());
                                for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
                                    pools.push_back(figure_leaf(scenario.pools[p].id, unit, [=](const Summary& s) {
                                        const auto& value = values_of(part(s))[p];
                                        return value ? std::optional<double>(*value) : std::nullopt;
                                    }));
                                }
                                return choose(rest, pools);
                            }});
    };
    by_pool(
        "batch", "sequences", [](const WorkloadSummary& s) -> const auto& { return s.batch; });
    if (figures::is_split(workload)) {
        branches.push_back({"cost_by_class", [part](Names rest) {
                                std::vector<Branch> classes;
                                for (std::size_t c = 0; c < kUnitClasses; ++c) {
                                    classes.push_back(class_branch(c, part));
                                }
                                return choose(rest, classes);
                            }});
    }
    if (workload.kind != WorkloadKind::inference) {
        branches.push_back({"backlog", [&scenario, part](Names rest) {
                                return in_list(scenario, "units", rest, [part](const Summary& s) { return part(s).backlog; });
                            }});
    }
    if (workload.kind == WorkloadKind::training) {
        by_pool(
            "hours_per_epoch", "h/epoch", [](const WorkloadSummary& s) -> const auto& { return s.hours_per_epoch; });
    }
    return choose(names, branches);
}

Found in_tags(const ScenarioDocument& scenario, Names names) {
    const std::vector<TagSummary> tags = tags_of(scenario);
    std::vector<Branch> keys;
    keys.reserve(tags.size());
    for (std::size_t k = 0; k < tags.size(); ++k) {
        keys.push_back({tags[k].key, [&, k](Names rest) {
                            std::vector<Branch> values;
                            for (std::size_t v = 0; v < tags[k].values.size(); ++v) {
                                values.push_back({tags[k].values[v], [=](Names last) {
                                                      std::vector<Branch> figures;
                                                      add<Borne>(figures, kTagFigures, [=](const Summary& s) -> const Borne& {
                                                          return s.by_tag[k].borne[v];
                                                      });
                                                      return choose(last, figures);
                                                  }});
                            }
                            return choose(rest, values);
                        }});
    }
    return choose(names, keys);
}

Found in_month(const ScenarioDocument& scenario, std::size_t m, Names names) {
    const auto part = [m](const Summary& s) -> const MonthSummary& { return s.months[m]; };
    std::vector<Branch> branches;
    add<MonthSummary>(branches, kMonthFigures, part);
    branches.push_back(by_category([=](const Summary& s) -> const AmountsByCategory& { return part(s).by_category; }));
    branches.push_back({"by_pool", [&scenario, part](Names rest) {
                            std::vector<Branch> pools;
                            pools.reserve(scenario.pools.size());
                            for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
                                pools.push_back({scenario.pools[p].id, [=](Names last) {
                                                     std::vector<Branch> amounts;
                                                     add<Amounts>(amounts, kAmountFigures, [=](const Summary& s) -> const Amounts& {
                                                         return part(s).by_pool[p];
                                                     });
                                                     return choose(last, amounts);
                                                 }});
                            }
                            return choose(rest, pools);
                        }});
    return choose(names, branches);
}

// One branch per document of the list, by id.
template <class Document, class In> Found by_id(const std::vector<Document>& documents, Names names, const In& in) {
    std::vector<Branch> branches;
    branches.reserve(documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i) {
        branches.push_back({documents[i].id, [=](Names rest) { return in(i, rest); }});
    }
    return choose(names, branches);
}

// Unit of the objective's figure in the total.
std::string_view unit_of(Objective objective) {
    const auto* const figure = std::find_if(kTotalFigures.begin(), kTotalFigures.end(),
                                            [&](const Figure<Summary>& row) { return row.name == name_of(objective); });
    return figure == kTotalFigures.end() ? "" : figure->unit;
}

Found in_result(const ScenarioDocument& scenario, Names names) {
    std::vector<Branch> totals;
    add<Summary>(totals, kTotalFigures, [](const Summary& s) -> const Summary& { return s; });
    totals.push_back({"terminal", [](Names rest) {
                          std::vector<Branch> settled;
                          add<Terminal>(settled, kTerminalFigures, [](const Summary& s) -> const Terminal& { return s.terminal; });
                          return choose(rest, settled);
                      }});
    const std::vector<Branch> branches{
        {"total", [&](Names rest) { return choose(rest, totals); }},
        by_category([](const Summary& s) -> const AmountsByCategory& { return s.by_category; }),
        {"by_pool",
         [&](Names rest) {
             return by_id(scenario.pools, rest, [&](std::size_t p, Names last) { return in_pool(scenario.pools[p], p, last); });
         }},
        {"by_site", [&](Names rest) { return in_sites(scenario, rest); }},
        {"by_workload",
         [&](Names rest) {
             return by_id(scenario.workloads, rest, [&](std::size_t w, Names last) { return in_workload(scenario, w, last); });
         }},
        {"by_tag", [&](Names rest) { return in_tags(scenario, rest); }},
        {"by_month",
         [&](Names rest) {
             const auto months = static_cast<std::size_t>(scenario.months);
             const auto m = rest.empty() ? std::nullopt : index_of(rest.front(), months);
             if (!m) {
                 return Found{nullptr, "", {fmt::format("0 to {}, the month of the horizon", months - 1)}};
             }
             Found found = in_month(scenario, *m, rest.subspan(1));
             if (found.read) { // checked at each read, as the horizon may itself be an input
                 found.read = [m = *m, read = std::move(found.read)](const Summary& s) {
                     return m < s.months.size() ? read(s) : std::nullopt;
                 };
             }
             return found;
         }},
        figure_leaf("months", "months", [](const Summary& s) { return std::optional(static_cast<double>(s.months.size())); }),
        figure_leaf("decisive", unit_of(decide_by(scenario.finance)), [](const Summary& s) { return figure_of(s, s.decide_by); }),
        figure_leaf("unallocated_cost", "currency", [](const Summary& s) { return std::optional(s.unallocated_cost); }),
    };
    return choose(names, branches);
}

// The summary parts that figures below a pointer's first name need.
Wanted wanted_by(std::string_view name) {
    Wanted wanted;
    wanted.pools = name == "by_pool" || name == "by_site";
    wanted.workloads = name == "by_pool" || name == "by_workload" || name == "by_tag" || name == "unallocated_cost"; // idle_cost
    wanted.months = name == "by_month" || name == "months";
    return wanted;
}

} // namespace

Result<BoundFigure> bind_figure(const ScenarioDocument& scenario, std::string_view pointer, const std::string& at) {
    const auto names = split_pointer(pointer);
    Found found = in_result(scenario, names.value_or(std::vector<std::string>()));
    if (!found.read) {
        return tl::unexpected(Failure{{at, Code::unknown_reference,
                                       fmt::format("no number of the result; a JSON Pointer such as /total/cost; where it goes "
                                                   "astray there is {}",
                                                   fmt::join(found.choices, ", "))}});
    }
    return BoundFigure{std::string(pointer), unit_in(found.unit, scenario.currency), std::move(found.read),
                       wanted_by(names->front())};
}

} // namespace costcurve::model
