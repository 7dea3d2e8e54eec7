// Text tables: a block of columns, each as wide as its widest cell; numbers to the right, with thousands separated.
#include "server/commands/table.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "model/calendar.hpp"

namespace costcurve::commands {

namespace {

using namespace costcurve::model;

constexpr std::string_view kMissing = "—";

// Money of any size in about five digits.
std::string money(std::optional<double> value) {
    if (!value) {
        return std::string(kMissing);
    }
    const double size = std::fabs(*value);
    if (size >= 1000 || size == 0) {
        return grouped(*value, 0);
    }
    if (size >= 1) {
        return grouped(*value, 2);
    }
    if (size >= 0.001) {
        return fmt::format("{:.5f}", *value);
    }
    return fmt::format("{:.3e}", *value);
}

std::string percent(std::optional<double> fraction) {
    return fraction ? fmt::format("{:.1f} %", 100 * *fraction) : std::string(kMissing);
}

class Table {
public:
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    [[nodiscard]] bool empty() const { return rows_.size() < 2; }

    /// The first column to the left, the others to the right; a rule under the first row.
    [[nodiscard]] std::string text() const {
        std::vector<std::size_t> widths;
        for (const auto& cells : rows_) {
            widths.resize(std::max(widths.size(), cells.size()));
            for (std::size_t c = 0; c < cells.size(); ++c) {
                widths[c] = std::max(widths[c], width(cells[c]));
            }
        }
        std::string out;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            std::string line = "  ";
            for (std::size_t c = 0; c < rows_[r].size(); ++c) {
                const std::string space(widths[c] - width(rows_[r][c]), ' ');
                line += c == 0 ? rows_[r][c] + space : "  " + space + rows_[r][c];
            }
            out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
            if (r == 0) {
                std::size_t total = 2 * (widths.size() - 1);
                for (const std::size_t w : widths) {
                    total += w;
                }
                out += "  ";
                for (std::size_t i = 0; i < total; ++i) {
                    out += "─";
                }
                out += "\n";
            }
        }
        return out;
    }

private:
    std::vector<std::vector<std::string>> rows_;
};

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

std::string grouped(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", std::fabs(value), decimals);
    const std::size_t point = std::min(text.find('.'), text.size());
    for (std::size_t at = point; at > 3; at -= 3) {
        text.insert(at - 3, ",");
    }
    return value < 0 ? "-" + text : text;
}

std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string printable(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0; // U+0080 to U+009F
        if (c1) {
            text[i + 1] = '?';
        }
        if ((byte < 0x20 && byte != '\n') || byte == 0x7F || c1) {
            text[i] = '?';
        }
    }
    return text;
}

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
