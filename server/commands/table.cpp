// The blocks of the comparison, one after another.
#include "server/commands/table.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "model/calendar.hpp"
#include "server/commands/text_table.hpp"

namespace costcurve::commands {

namespace {

using namespace costcurve::model;

const ScenarioDocument& document_of(const api::Evaluated& answer) { return answer.scenario.document(); }

std::string name_of_scenario(const api::Evaluated& answer, std::size_t index) {
    const ScenarioDocument& document = document_of(answer);
    const std::string& name = document.name.empty() ? document.id : document.name;
    return fmt::format("{} {}", index + 1, name.empty() ? "scenario" : name);
}

std::string headline(std::span<const api::Evaluated> answers) {
    double cheapest = HUGE_VAL;
    for (const api::Evaluated& answer : answers) {
        cheapest = std::min(cheapest, answer.summary.total.cost);
    }
    Table table;
    table.row({"scenario", "cost", "", "cash", "NPV", "after tax", "energy MWh", "CO2e t", "unserved"});
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const Summary& summary = answers[i].summary;
        double demanded = 0.0;
        double unserved = 0.0;
        for (const WorkloadSummary& workload : summary.workloads) {
            unserved = std::max(unserved, workload.units_demanded > 0 ? workload.units_unserved / workload.units_demanded : 0.0);
            demanded += workload.units_demanded;
        }
        const double above = cheapest > 0 ? summary.total.cost / cheapest - 1 : 0.0;
        table.row({name_of_scenario(answers[i], i), money(summary.total.cost),
                   answers.size() < 2 ? ""
                   : above == 0       ? "cheapest"
                                      : fmt::format("+{:.1f} %", 100 * above),
                   money(summary.total.cash), money(summary.npv), money(summary.npv_after_tax),
                   grouped(summary.energy_kwh / 1000, 1), grouped(summary.carbon_kg / 1000, 1),
                   demanded > 0 && unserved > 1e-9 ? percent(unserved) : "none"});
    }
    return table.text();
}

std::string unit_costs(std::span<const api::Evaluated> answers) {
    Table table;
    table.row(
        {"unit costs", "per epoch", "per inference", "per million", "levelized", "million in", "million out", "of", "evidence"});
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const ScenarioDocument& document = document_of(answers[i]);
        for (std::size_t w = 0; w < document.workloads.size(); ++w) {
            const Workload& workload = document.workloads[w];
            const WorkloadSummary& summary = answers[i].summary.workloads[w];
            const bool training = workload.kind == WorkloadKind::training;
            table.row({fmt::format("{} {}", i + 1, workload.id), training ? money(summary.cost_per_quantity) : "",
                       training ? "" : money(summary.cost_per_quantity), money(summary.cost_per_million_units),
                       money(summary.levelized_cost_per_million_units),
                       summary.cost_per_million_input_units ? money(summary.cost_per_million_input_units) : "",
                       summary.cost_per_million_output_units ? money(summary.cost_per_million_output_units) : "",
                       workload.unit + "s", std::string(summary.evidence ? model::name_of(*summary.evidence) : kMissing)});
        }
    }
    return table.text();
}

std::string cost_stack(std::span<const api::Evaluated> answers) {
    Table table;
    std::vector<std::string> head = {"cost by category"};
    for (std::size_t i = 0; i < answers.size(); ++i) {
        head.push_back(fmt::format("{}", i + 1));
    }
    table.row(head);
    for (std::size_t c = 0; c < kCategories; ++c) {
        std::vector<std::string> cells = {std::string(model::name_of(static_cast<Category>(c)))};
        bool any = false;
        for (const api::Evaluated& answer : answers) {
            const double cost = answer.summary.by_category[c].cost;
            any = any || cost != 0;
            cells.push_back(cost == 0 ? "" : money(cost));
        }
        if (any) {
            table.row(cells);
        }
    }
    std::vector<std::string> total = {"total"};
    for (const api::Evaluated& answer : answers) {
        total.push_back(money(answer.summary.total.cost));
    }
    table.row(total);
    return table.text();
}

std::string pools(std::span<const api::Evaluated> answers) {
    Table table;
    table.row({"pool", "kind", "cost", "utilization", "device-hours paid", "per reserved h", "energy MWh", "racks"});
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const ScenarioDocument& document = document_of(answers[i]);
        for (std::size_t p = 0; p < document.pools.size(); ++p) {
            const PoolSummary& pool = answers[i].summary.pools[p];
            const bool api = document.pools[p].kind == PoolKind::api;
            table.row({fmt::format("{} {}", i + 1, document.pools[p].id), std::string(model::name_of(document.pools[p].kind)),
                       money(pool.total.cost), api ? "" : percent(pool.utilization_fraction),
                       api ? "" : grouped(pool.available_device_hours, 0), api ? "" : money(pool.cost_per_reserved_device_hour),
                       api ? "" : grouped(pool.energy_kwh / 1000, 1), pool.racks ? grouped(*pool.racks, 0) : ""});
        }
    }
    return table.text();
}

std::string training_times(std::span<const api::Evaluated> answers) {
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

std::string warnings(std::span<const api::Evaluated> answers) {
    std::string text;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        for (const Issue& warning : answers[i].summary.warnings) {
            text += fmt::format("  {} {}  {}: {}\n", i + 1, warning.pointer, code_name(warning.code), warning.message);
        }
        if (answers[i].summary.unallocated_cost > 0) {
            text += fmt::format("  {} {} {} is borne by no workload: paid in months in which nothing used the pool\n", i + 1,
                                money(answers[i].summary.unallocated_cost), document_of(answers[i]).currency);
        }
    }
    return text.empty() ? "" : "warnings\n" + text;
}

} // namespace

std::string comparison_table(std::span<const api::Evaluated> answers) {
    const ScenarioDocument& first = document_of(answers.front());
    bool one_currency = true;
    for (const api::Evaluated& answer : answers) {
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
    out += headline(answers) + "\n" + unit_costs(answers) + "\n" + training_times(answers) + cost_stack(answers) + "\n" +
           pools(answers) + "\n";
    return out + warnings(answers);
}

} // namespace costcurve::commands
