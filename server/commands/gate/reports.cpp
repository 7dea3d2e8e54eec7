// The words of findings, and the forms for people: a table and a comment in Markdown.
#include "server/commands/gate/reports.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/commands/text_table.hpp"

namespace costcurve::commands {

namespace {

using gate::Figure;
using gate::Verdict;

std::string in_words(std::string_view name) {
    std::string words(name);
    std::ranges::replace(words, '_', ' ');
    return words;
}

std::string number_words(double value, std::string_view unit) {
    if (unit == "fraction") {
        return percent(value);
    }
    const std::string number = unit == "days" ? grouped(value, 0) : money(value);
    return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

bool is_flag(const gate::Finding& finding) {
    return finding.figure == Figure::does_its_work || finding.figure == Figure::read_whole;
}

std::string flag_message(const gate::Finding& finding) {
    const bool is_work = finding.figure == Figure::does_its_work;
    if (finding.verdict == Verdict::kept) {
        return is_work ? "it does its work" : "all of it is known";
    }
    return (is_work ? "it leaves work undone: " : "not all of it is known: ") + finding.why;
}

std::string message_of(const gate::Finding& finding) {
    if (is_flag(finding)) {
        return flag_message(finding);
    }
    if (finding.verdict == Verdict::unknown) {
        const std::string at_least = finding.value ? fmt::format(" ({})", found_words(finding)) : "";
        return fmt::format("{} is not known{}: {}", rule_words(finding), at_least, finding.why);
    }
    return fmt::format("{} is {}; allowed {}", rule_words(finding), found_words(finding), allowed_words(finding));
}

// What a renderer of Markdown or HTML could take for markup, as entities.
std::string markdown_text(std::string_view text) {
    constexpr std::string_view kMarkup = "&<>|`*_[]\\@#~!";
    std::string escaped;
    for (const char c : one_line(text)) {
        escaped += kMarkup.find(c) == std::string_view::npos ? std::string(1, c) : fmt::format("&#{};", static_cast<int>(c));
    }
    return escaped;
}

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) {
        row += " " + markdown_text(cell) + " |";
    }
    return row + "\n";
}

std::string markdown_table(const std::vector<std::string>& head) {
    std::string rule = "|";
    for (std::size_t i = 0; i < head.size(); ++i) {
        rule += " --- |";
    }
    return markdown_row(head) + rule + "\n";
}

std::vector<std::string> cells_of(const gate::Finding& finding) {
    const bool has_reason = !finding.why.empty() && finding.verdict != Verdict::kept;
    return {std::string(verdict_words(finding)), finding.scenario, rule_words(finding),
            has_reason ? finding.why : found_words(finding), is_flag(finding) ? "" : allowed_words(finding)};
}

bool has_base(const gate::Report& report) {
    return std::ranges::any_of(report.changes, [](const gate::Change& change) { return change.change.has_value(); });
}

std::vector<std::string> change_head(const gate::Report& report) {
    return has_base(report) ? std::vector<std::string>{"scenario", "cost a month", "base", "change"}
                            : std::vector<std::string>{"scenario", "cost a month"};
}

std::vector<std::string> change_cells(const gate::Report& report, const gate::Change& change) {
    std::vector<std::string> cells = {change.scenario, (change.is_at_least ? "at least " : "") +
                                                           number_words(change.cost_per_month, change.currency)};
    if (has_base(report)) {
        cells.push_back(change.base_cost_per_month ? number_words(*change.base_cost_per_month, change.currency)
                                                   : std::string(kMissing));
        cells.push_back(change_words(change));
    }
    return cells;
}

// What makes a change of cost another than that of prices and machines.
std::vector<std::string> differences(const gate::Report& report) {
    std::vector<std::string> lines;
    for (const gate::Change& change : report.changes) {
        for (const std::string& one : change.differs) {
            lines.push_back(fmt::format("{}: {}", change.scenario, one));
        }
    }
    return lines;
}

std::string question_text(const gate::Question& question) {
    const std::string devices = question.devices > 0.0 ? fmt::format(" ({:g} accelerators)", question.devices) : "";
    return fmt::format("{}: {}{}", question.subject, question.what, devices);
}

std::string not_read_text(const gate::NotRead& row) { return fmt::format("{} × {}: {}", row.count, row.what, row.why); }

using Encode = std::string (*)(const gate::Report& report);
struct Format {
    std::string_view name;
    Encode encode;
};
constexpr auto kFormats = std::to_array<Format>({
    {"text", text_report},
    {"markdown", markdown_report},
    {"sarif", sarif_report},
    {"junit", junit_report},
    {"json", [](const gate::Report& report) { return answers::encode_answer(report) + "\n"; }},
});

} // namespace

std::string rule_words(const gate::Finding& finding) {
    const std::string name = in_words(model::name_of(finding.figure));
    return finding.part.empty() ? name : finding.part + ": " + name;
}

std::string found_words(const gate::Finding& finding) {
    if (finding.figure == Figure::evidence) {
        return finding.evidence.empty() ? std::string(kMissing) : finding.evidence;
    }
    if (is_flag(finding)) {
        return finding.verdict == Verdict::kept ? "yes" : finding.verdict == Verdict::broken ? "no" : std::string(kMissing);
    }
    return !finding.value ? std::string(kMissing)
                          : (finding.is_at_least ? "at least " : "") + number_words(*finding.value, finding.unit);
}

std::string allowed_words(const gate::Finding& finding) {
    if (finding.figure == Figure::evidence) {
        return finding.weakest + " or better";
    }
    return finding.limit ? (finding.is_min ? "from " : "up to ") + number_words(*finding.limit, finding.unit) : "";
}

std::string_view outcome_words(gate::Outcome outcome) {
    constexpr auto kWords = std::to_array<std::string_view>(
        {"every rule is kept", "rules that warn are broken", "a rule is broken", "a rule can't be judged"});
    return kWords[static_cast<std::size_t>(outcome)];
}

std::string_view verdict_words(const gate::Finding& finding) {
    return finding.verdict == Verdict::broken ? model::name_of(finding.level) : model::name_of(finding.verdict);
}

std::string change_words(const gate::Change& change) {
    if (!change.change) {
        return std::string(kMissing);
    }
    const std::string sign = *change.change > 0.0 ? "+" : "";
    const std::string share = change.change_fraction ? fmt::format(", {:+.1f} %", 100.0 * *change.change_fraction) : "";
    return fmt::format("{}{} {}{}", sign, money(change.change), change.currency, share);
}

std::vector<std::string> report_formats() {
    std::vector<std::string> names;
    std::ranges::transform(kFormats, std::back_inserter(names), [](const Format& format) { return std::string(format.name); });
    return names;
}

void add_messages(gate::Report& report) {
    for (gate::Finding& finding : report.findings) {
        finding.message = message_of(finding);
    }
}

std::string encode_report(const gate::Report& report, std::string_view format) {
    return std::ranges::find(kFormats, format, &Format::name)->encode(report);
}

std::string text_report(const gate::Report& report) {
    if (report.is_silent) {
        return "";
    }
    Table findings;
    findings.row({"rule", "scenario", "found", "allowed", "verdict"});
    std::string reasons;
    for (const gate::Finding& finding : report.findings) {
        if (!is_flag(finding) || finding.verdict != Verdict::kept) {
            findings.row({rule_words(finding), finding.scenario, found_words(finding), allowed_words(finding),
                          std::string(verdict_words(finding))});
        }
        if (!finding.why.empty() && finding.verdict != Verdict::kept) {
            reasons += fmt::format("  {}: {}\n", one_line(finding.scenario), one_line(finding.message));
        }
    }
    Table changes;
    changes.row(change_head(report));
    for (const gate::Change& change : report.changes) {
        changes.row(change_cells(report, change));
    }
    return fmt::format("{}\n{}{}{}{}", outcome_words(report.outcome), findings.empty() ? "" : "\n" + findings.text(), reasons,
                       changes.empty() ? "" : "\n" + changes.text(), deployment_report(report));
}

std::string deployment_report(const gate::Report& report) {
    std::string text;
    const auto add_lines = [&text](std::string_view title, const auto& rows, const auto& line_of) {
        text += rows.empty() ? "" : fmt::format("\n  {}\n", title);
        for (const auto& row : rows) {
            text += fmt::format("    {}\n", one_line(line_of(row)));
        }
    };
    add_lines("other work than the base's", differences(report), [](const std::string& line) { return line; });
    add_lines("not known, what moves most first", report.questions, question_text);
    add_lines("not read", report.not_read, not_read_text);
    return text;
}

std::string markdown_report(const gate::Report& report) {
    if (report.is_silent) {
        return "";
    }
    std::string text = fmt::format("<!-- costcurve gate -->\n### Cost gate: {}\n", outcome_words(report.outcome));
    const std::vector<std::string> head = {"", "scenario", "rule", "found", "allowed"};
    std::string open;
    std::string kept;
    std::size_t kept_count = 0;
    for (const gate::Finding& finding : report.findings) {
        (finding.verdict == Verdict::kept ? kept : open) += markdown_row(cells_of(finding));
        kept_count += finding.verdict == Verdict::kept ? 1U : 0U;
    }
    text += open.empty() ? "" : "\n" + markdown_table(head) + open;
    text += report.changes.empty() ? "" : "\n" + markdown_table(change_head(report));
    for (const gate::Change& change : report.changes) {
        text += markdown_row(change_cells(report, change));
    }
    const auto add_lines = [&text](std::string_view title, const auto& rows, const auto& line_of) {
        text += rows.empty() ? "" : fmt::format("\n{}:\n\n", title);
        for (const auto& row : rows) {
            text += fmt::format("- {}\n", markdown_text(line_of(row)));
        }
    };
    add_lines("Other work than the base's", differences(report), [](const std::string& line) { return line; });
    add_lines("Not known, what moves most first", report.questions, question_text);
    add_lines("Not read", report.not_read, not_read_text);
    if (kept_count > 0) {
        text += fmt::format("\n<details><summary>{} kept</summary>\n\n{}{}\n</details>\n", kept_count, markdown_table(head), kept);
    }
    return text;
}

} // namespace costcurve::commands
