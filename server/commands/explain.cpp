// `costcurve explain FILE --figure POINTER`: where a figure comes from, as an indented tree or JSON.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "server/answers/evaluate.hpp"
#include "server/answers/explain.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/text_table.hpp"

namespace costcurve::commands {

namespace {

using model::Rule;
using model::Term;

std::string number(double value) {
    constexpr double kGrouped = 1000;
    constexpr double kMaxDigits = 1e15;
    if (std::fabs(value) >= kGrouped && std::fabs(value) < kMaxDigits) {
        return grouped(value, value == std::floor(value) ? 0 : 2);
    }
    return fmt::format("{:.6g}", value);
}

// A line of the tree; the first three columns are aligned.
struct Line {
    std::string label;
    std::string value;
    std::string unit;
    std::string rest;
};

std::string origin_of(const model::TermInput& input) {
    std::string from = input.source;
    if (input.revision > 0) {
        from += fmt::format("{}revision {}", from.empty() ? "" : ", ", input.revision);
    }
    if (!input.currency.empty()) {
        from += fmt::format("{}stated in {}, × {}", from.empty() ? "" : "; ", input.currency, input.exchange_rate);
    }
    const std::string text = input.source.empty() && input.revision == 0 ? from : "from " + from;
    const std::string day = input.is_price ? "price of " + input.price_day.value_or("a day unknown") : "";
    return text + (text.empty() || day.empty() ? "" : ", ") + day;
}

void add_lines(const Term& term, std::size_t level, std::vector<Line>& lines) {
    const std::string indent(2 * level, ' ');
    Line line{indent + term.term, number(term.value), term.unit, term.formula.empty() ? "" : "= " + term.formula};
    const bool is_input = term.rule == Rule::leaf && term.inputs.size() == 1 && term.inputs.front().value == term.value;
    if (is_input) { // one line says both
        line.rest = fmt::format("= {}  {}", term.inputs.front().name, origin_of(term.inputs.front()));
    }
    lines.push_back(std::move(line));
    for (const model::TermInput& input : term.inputs) {
        if (!is_input) {
            lines.push_back({indent + "  · " + input.name, input.value ? number(*input.value) : "—", input.unit, origin_of(input)});
        }
    }
    for (const Term& part : term.terms) {
        add_lines(part, level + 1, lines);
    }
}

std::string padding(std::size_t columns, const std::string& text) { return std::string(columns - width(text), ' '); }

std::string tree_text(const Term& tree) {
    std::vector<Line> lines;
    add_lines(tree, 0, lines);
    std::size_t label = 0;
    std::size_t value = 0;
    std::size_t unit = 0;
    for (const Line& line : lines) {
        label = std::max(label, width(line.label));
        value = std::max(value, width(line.value));
        unit = std::max(unit, width(line.unit));
    }
    std::string text;
    for (const Line& line : lines) {
        const std::string row = line.label + padding(label, line.label) + "  " + padding(value, line.value) + line.value + " " +
                                line.unit + padding(unit, line.unit) + "  " + line.rest;
        text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

int explain_file(const ExplainOptions& options, const storage::Store* store) {
    const std::optional<std::string> text = read_file(options.file);
    if (!text) {
        fmt::print(stderr, "{}: can't be read; is the path right?\n", options.file);
        return kWorldFailed;
    }
    documents::Source source = store != nullptr ? documents::Source(*store, std::nullopt) : documents::Source();
    const auto tree = answers::evaluate_text(*text, source).and_then([&](const answers::Evaluated& evaluated) {
        return answers::explain_evaluated(evaluated, options.figure, options.depth, "--figure");
    });
    if (!tree) {
        print_issues(options.file, tree.error());
        return kWrongInput;
    }
    fmt::print("{}", options.format == "json" ? answers::encode_term(*tree) + "\n" : printable(tree_text(*tree)));
    return kDone;
}

} // namespace

int explain(const ExplainOptions& options) {
    return with_store(options.database, [&](const storage::Store* store) { return explain_file(options, store); });
}

} // namespace costcurve::commands
