// The comparison of scenarios as text tables.
#include "server/commands/table.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/prices.hpp"
#include "model/figures.hpp"
#include "model/questions/ranking.hpp"
#include "server/answers/compare.hpp"
#include "server/commands/text_table.hpp"

namespace costcurve::commands {

namespace {

using namespace costcurve::model;

const ScenarioDocument& document_of(const answers::Evaluated& answer) { return answer.scenario.document(); }

std::string name_of_scenario(const answers::Evaluated& answer, std::size_t index) {
    const ScenarioDocument& document = document_of(answer);
    const std::string& name = document.name.empty() ? document.id : document.name;
    return fmt::format("{} {}", index + 1, name.empty() ? "scenario" : name);
}

// In thousands; what is not known is at least the part that is.
std::string thousands(const model::Metered& metered) {
    const std::string text = grouped(metered.at_least / 1000, 1);
    return metered.is_known ? text : metered.at_least > 0.0 ? "≥ " + text : "not known";
}

// A column of the headline; `objective` where scenarios can be decided by it.
struct HeadlineColumn {
    std::string_view title;
    Objective objective;
    std::string (*text)(const Summary& summary);
};
constexpr auto kHeadline = std::to_array<HeadlineColumn>({
    {"cost", Objective::cost, [](const Summary& s) { return money(s.total.cost); }},
    {"cash", Objective::cash, [](const Summary& s) { return money(s.total.cash); }},
    {"NPV", Objective::npv, [](const Summary& s) { return money(s.npv); }},
    {"after tax", Objective::npv_after_tax, [](const Summary& s) { return money(s.npv_after_tax); }},
    {"energy MWh", Objective::energy_kwh, [](const Summary& s) { return thousands(s.meters.energy_kwh); }},
    {"CO2e t", Objective::carbon_kg, [](const Summary& s) { return thousands(s.meters.carbon_kg); }},
});

// The largest fraction of a workload's demand that is left undone.
std::string unserved_text(const Summary& summary) {
    double unserved = 0.0;
    for (const WorkloadSummary& workload : summary.workloads) {
        unserved = std::max(unserved, workload.units_demanded > 0 ? workload.units_unserved / workload.units_demanded : 0.0);
    }
    return unserved > 1e-9 ? percent(unserved) : "none";
}

// Beside the deciding figure: the cheapest, how far another lies above it, or that it can't do the work or loses too much of it.
std::string mark_of(const Summary& summary, Objective decide_by, const Summary* cheapest, std::size_t count, bool ignore_unserved) {
    if (!is_eligible(summary, ignore_unserved)) {
        return summary.is_feasible() ? "outages" : "infeasible";
    }
    if (count < 2 || cheapest == nullptr) {
        return "";
    }
    const double least = figure_of(*cheapest, decide_by).value_or(0.0);
    const double above = least > 0 ? figure_of(summary, decide_by).value_or(0.0) / least - 1 : 0.0;
    return &summary == cheapest ? "cheapest" : least > 0 ? fmt::format("+{:.1f} %", 100 * above) : "";
}

// Why none is the cheapest: the first things that differ.
std::string differences_text(const std::vector<ScenarioDifference>& differences) {
    constexpr std::size_t kMaxLines = 3;
    std::string text = "not the same work, so none is the cheapest:\n";
    for (std::size_t i = 0; i < std::min(kMaxLines, differences.size()); ++i) {
        const ScenarioDifference& difference = differences[i];
        text +=
            fmt::format("  {}: {} against {} of 1\n", difference.scenario + 1, difference.what + " " + difference.b, difference.a);
    }
    return differences.size() > kMaxLines ? text + fmt::format("  and {} more\n", differences.size() - kMaxLines) : text;
}

// What a unit costs each, where that is what they share.
std::string by_unit_text(std::span<const answers::Evaluated> answers, const std::vector<const Summary*>& summaries) {
    std::vector<const ScenarioDocument*> documents;
    for (const answers::Evaluated& answer : answers) {
        documents.push_back(&document_of(answer));
    }
    const auto ranking = rank_by_unit(documents, summaries);
    if (!ranking) {
        return "";
    }
    std::string text = fmt::format("by unit, levelized, {} a million {}s:", documents.front()->currency, ranking->unit);
    for (std::size_t i = 0; i < summaries.size(); ++i) {
        text += fmt::format("{} {}: {}{}", i == 0 ? "" : ",", i + 1,
                            ranking->levelized[i] ? money(ranking->levelized[i]) : "infeasible",
                            ranking->cheapest == i ? " (the least)" : "");
    }
    return text + "\n";
}

std::string headline(std::span<const answers::Evaluated> answers, bool one_currency, bool ignore_unserved) {
    const Objective decide_by = answers.front().summary.decide_by;
    std::vector<const Summary*> summaries;
    for (const answers::Evaluated& answer : answers) {
        summaries.push_back(&answer.summary);
    }
    const std::vector<ScenarioDifference> differences = answers::differences_of(answers, 0);
    const auto cheapest = one_currency && differences.empty() ? cheapest_of(summaries, decide_by, ignore_unserved) : std::nullopt;
    Table table;
    std::vector<std::string> head = {"scenario"};
    for (const HeadlineColumn& column : kHeadline) {
        head.emplace_back(column.title);
        if (column.objective == decide_by) {
            head.emplace_back("");
        }
    }
    head.emplace_back("unserved");
    table.row(head);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        std::vector<std::string> cells = {name_of_scenario(answers[i], i)};
        for (const HeadlineColumn& column : kHeadline) {
            cells.push_back(column.text(*summaries[i]));
            if (column.objective == decide_by) {
                cells.push_back(
                    mark_of(*summaries[i], decide_by, cheapest ? summaries[*cheapest] : nullptr, answers.size(), ignore_unserved));
            }
        }
        cells.push_back(unserved_text(*summaries[i]));
        table.row(cells);
    }
    const std::string decided = answers.size() < 2 ? ""
                                                   : fmt::format("decided by {}{}\n", model::name_of(decide_by),
                                                                 ignore_unserved ? ", unserved work ignored" : "");
    return table.text() + (differences.empty() ? decided : differences_text(differences) + by_unit_text(answers, summaries));
}

std::string unit_costs(std::span<const answers::Evaluated> answers) {
    Table table;
    table.row(
        {"unit costs", "per epoch", "per inference", "per million", "levelized", "million in", "million out", "of", "evidence"});
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const ScenarioDocument& document = document_of(answers[i]);
        for (std::size_t w = 0; w < document.workloads.size(); ++w) {
            const Workload& workload = document.workloads[w];
            const WorkloadSummary& summary = answers[i].summary.workloads[w];
            const bool training = workload.kind == WorkloadKind::training;
            const std::optional<double> in = model::figures::cost_per_million_of<UnitClass::input>(summary);
            const std::optional<double> out = model::figures::cost_per_million_of<UnitClass::output>(summary);
            table.row({fmt::format("{} {}", i + 1, workload.id), training ? money(summary.cost_per_quantity) : "",
                       training ? "" : money(summary.cost_per_quantity), money(summary.cost_per_million_units),
                       money(summary.levelized_cost_per_million_units), in ? money(in) : "", out ? money(out) : "",
                       workload.unit + "s", std::string(summary.evidence ? model::name_of(*summary.evidence) : kMissing)});
        }
    }
    return table.text();
}

std::string cost_stack(std::span<const answers::Evaluated> answers) {
    Table table;
    std::vector<std::string> head = {"cost by category"};
    for (std::size_t i = 0; i < answers.size(); ++i) {
        head.push_back(fmt::format("{}", i + 1));
    }
    table.row(head);
    for (std::size_t c = 0; c < kCategories; ++c) {
        std::vector<std::string> cells = {std::string(model::name_of(static_cast<Category>(c)))};
        bool any = false;
        for (const answers::Evaluated& answer : answers) {
            const double cost = answer.summary.by_category[c].cost;
            any = any || cost != 0;
            cells.push_back(cost == 0 ? "" : money(cost));
        }
        if (any) {
            table.row(cells);
        }
    }
    std::vector<std::string> total = {"total"};
    for (const answers::Evaluated& answer : answers) {
        total.push_back(money(answer.summary.total.cost));
    }
    table.row(total);
    return table.text();
}

std::string pools(std::span<const answers::Evaluated> answers) {
    Table table;
    table.row({"pool", "kind", "cost", "utilization", "device-hours paid", "per reserved h", "energy MWh", "racks"});
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const ScenarioDocument& document = document_of(answers[i]);
        for (std::size_t p = 0; p < document.pools.size(); ++p) {
            const PoolSummary& pool = answers[i].summary.pools[p];
            const bool api = document.pools[p].kind == PoolKind::api;
            const std::optional<double>& used = api ? pool.unit_utilization : pool.utilization_fraction;
            table.row({fmt::format("{} {}", i + 1, document.pools[p].id), std::string(model::name_of(document.pools[p].kind)),
                       money(pool.total.cost), api && !used ? "" : percent(used),
                       api ? "" : grouped(pool.available_device_hours, 0), api ? "" : money(pool.cost_per_reserved_device_hour),
                       thousands(pool.meters.energy_kwh), pool.racks ? grouped(*pool.racks, 0) : ""});
        }
    }
    return table.text();
}

} // namespace

std::string priced(const Pool& pool, YearMonth start) {
    const PriceOrigin origin = price_origin(pool, start);
    return fmt::format("price of {}, {}", origin.day.value_or("a day unknown"),
                       origin.source.empty() ? "source unknown" : "from " + one_line(origin.source));
}

namespace {

// Of hosted models: since when, and who states it.
std::string hosted_prices(std::span<const answers::Evaluated> answers) {
    std::string text;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        for (const Pool& pool : document_of(answers[i]).pools) {
            if (pool.kind == PoolKind::api) {
                text += fmt::format("  {} {}: {}\n", i + 1, pool.id, priced(pool, document_of(answers[i]).start));
            }
        }
    }
    return text.empty() ? "" : "hosted prices\n" + text + "\n";
}

std::string training_times(std::span<const answers::Evaluated> answers) {
    Table table;
    table.row({"training", "epochs done", "hours per epoch, by pool"});
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const ScenarioDocument& document = document_of(answers[i]);
        for (std::size_t w = 0; w < document.workloads.size(); ++w) {
            if (document.workloads[w].kind != WorkloadKind::training) {
                continue;
            }
            const WorkloadSummary& summary = answers[i].summary.workloads[w];
            std::string hours;
            for (std::size_t p = 0; p < summary.hours_per_epoch.size(); ++p) {
                if (summary.hours_per_epoch[p]) {
                    hours +=
                        fmt::format("{}{}: {:.4g} h", hours.empty() ? "" : ", ", document.pools[p].id, *summary.hours_per_epoch[p]);
                }
            }
            table.row({fmt::format("{} {}", i + 1, document.workloads[w].id), grouped(summary.quantity, 2),
                       hours.empty() ? std::string(kMissing) : hours});
        }
    }
    return table.empty() ? "" : table.text() + "\n";
}

std::string warnings(std::span<const answers::Evaluated> answers) {
    std::string text;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        for (const Issue& warning : answers[i].summary.warnings) {
            text += fmt::format("  {} {}  {}: {}\n", i + 1, warning.pointer, code_name(warning.code), warning.message);
        }
        const ScenarioDocument& document = document_of(answers[i]);
        if (answers[i].summary.unallocated_cost > 0) {
            text += fmt::format("  {} {} {} is borne by no workload: paid in months in which nothing used the pool{}{}\n", i + 1,
                                money(answers[i].summary.unallocated_cost), document.currency,
                                document.spend_commitments.empty() ? "" : ", or spend that is committed and not used",
                                document.support_plans.empty() ? "" : ", or support");
        }
    }
    return text.empty() ? "" : "warnings\n" + text;
}

} // namespace

std::string comparison_table(std::span<const answers::Evaluated> answers, bool ignore_unserved) {
    const ScenarioDocument& first = document_of(answers.front());
    bool one_currency = true;
    for (const answers::Evaluated& answer : answers) {
        one_currency = one_currency && document_of(answer).currency == first.currency;
    }
    std::string title;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const ScenarioDocument& document = document_of(answers[i]);
        const std::string line = fmt::format("{} to {}, {} month{}, {}", to_text(document.start),
                                             to_text(add_months(document.start, document.months - 1)), document.months,
                                             document.months == 1 ? "" : "s", document.currency);
        if (title.find(line) == std::string::npos) {
            title += (title.empty() ? "" : "; ") + line;
        }
    }
    std::string out = fmt::format("costcurve · {}\n\n", title);
    if (!one_currency) {
        out += "Currencies differ: amounts of one row do not compare with another's.\n\n";
    }
    out += headline(answers, one_currency, ignore_unserved) + "\n" + unit_costs(answers) + "\n" + training_times(answers) +
           cost_stack(answers) + "\n" + pools(answers) + "\n" + hosted_prices(answers);
    return out + warnings(answers);
}

std::string assumptions_text(const std::vector<model::Assumption>& assumptions) {
    std::string text = assumptions.empty() ? "" : "\n  assumed:\n";
    for (const model::Assumption& line : assumptions) {
        text += fmt::format("  {} {}{}{}: {}; {}\n", line.what, line.value, line.unit.empty() ? "" : " ", line.unit, line.why,
                            line.change);
    }
    return text;
}

} // namespace costcurve::commands
