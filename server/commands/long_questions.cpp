// `costcurve simulate` and `map`: the same questions as over HTTP, asked of files, on all cores, with a bar on a terminal.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/text.hpp"
#include "model/questions/ranking.hpp"
#include "server/answers/break_even.hpp"
#include "server/answers/compare.hpp"
#include "server/answers/map.hpp"
#include "server/answers/simulate.hpp"
#include "server/commands/bar.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/option_rows.hpp"
#include "server/commands/scenarios.hpp"
#include "server/commands/text_table.hpp"
#include "server/jobs/threads.hpp"

namespace costcurve::commands {

namespace {

std::string numbered_name(const std::vector<model::Placed>& scenarios, std::size_t s) {
    return fmt::format("{} {}", s + 1, answers::name_of_scenario(scenarios[s].document, s));
}

std::string output_text(const model::Simulation& answer, const std::vector<model::Placed>& scenarios, std::size_t output,
                        const std::string& pointer) {
    Table table;
    table.row({fmt::format("{}, {}", pointer, answer.scenarios.front().outputs[output].unit), "mean", "± s.e.", "p5", "p10", "p50",
               "p90", "p95", "worst 5 %", output == 0 ? "can do it" : "", output == 0 ? "cheapest" : ""});
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        const auto& spread = answer.scenarios[s].outputs[output].spread;
        const auto of = [&](double model::Spread::*member) {
            return money(spread ? std::optional((*spread).*member) : std::nullopt);
        };
        using S = model::Spread;
        table.row({numbered_name(scenarios, s), of(&S::mean), of(&S::standard_error), of(&S::p5), of(&S::p10), of(&S::p50),
                   of(&S::p90), of(&S::p95), of(&S::cvar_95), output == 0 ? percent(answer.scenarios[s].probability_feasible) : "",
                   output == 0 ? percent(answer.scenarios[s].probability_cheapest) : ""});
    }
    return table.text() + "\n";
}

// Each against the baseline, and each budget.
std::string difference_text(const model::Simulation& answer, const model::SimulateQuestion& question,
                            const std::vector<model::Placed>& scenarios) {
    Table table;
    table.row({fmt::format("{} less that of {}, {}", question.outputs.front(), question.baseline + 1,
                           answer.scenarios.front().outputs.front().unit),
               "mean", "± s.e.", "p5", "p50", "p95"});
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        if (const auto& found = answer.scenarios[s].difference) {
            table.row({numbered_name(scenarios, s), money(found->mean), money(found->standard_error), money(found->p5),
                       money(found->p50), money(found->p95)});
        }
    }
    return table.text() + "\n";
}

std::string budgets_text(const model::Simulation& answer, const model::SimulateQuestion& question,
                         const std::vector<model::Placed>& scenarios) {
    std::string text;
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        for (const model::BudgetMet& met : answer.scenarios[s].probability_below) {
            const model::Budget& budget = question.budgets[met.budget];
            text += fmt::format("  {} does its work with {} at or below {} in {}\n", numbered_name(scenarios, s),
                                budget.output.empty() ? question.outputs.front() : budget.output, money(budget.amount),
                                percent(met.probability));
        }
    }
    return text.empty() ? text : "\n" + text;
}

std::string shares_text(const model::Simulation& answer, const model::SimulateQuestion& question) {
    Table table;
    std::vector<std::string> head = {"share of its variance that goes if the input is known"};
    for (std::size_t s = 0; s < answer.scenarios.size(); ++s) {
        head.push_back(fmt::format("{}", s + 1));
    }
    table.row(std::move(head));
    for (std::size_t i = 0; i < question.inputs.size(); ++i) {
        std::vector<std::string> cells = {question.inputs[i].pointer};
        for (const model::SimulatedScenario& scenario : answer.scenarios) {
            cells.push_back(percent(scenario.outputs.front().explained_shares[i]));
        }
        table.row(std::move(cells));
    }
    return table.text();
}

std::string simulation_text(const model::Simulation& answer, const model::SimulateQuestion& question,
                            const std::vector<model::Placed>& scenarios) {
    std::string text;
    for (std::size_t o = 0; o < question.outputs.size(); ++o) {
        text += output_text(answer, scenarios, o, question.outputs[o]);
    }
    if (scenarios.size() > 1 && answer.differences.empty()) {
        text += difference_text(answer, question, scenarios);
    }
    text += shares_text(answer, question) + budgets_text(answer, question, scenarios);
    if (question.break_even) {
        const auto even = std::find_if(answer.break_even.begin(), answer.break_even.end(), [](double p) { return p >= 0.5; });
        text += fmt::format("\n  {} has become cheaper by cash than {} ", question.break_even->a + 1, question.break_even->b + 1);
        text += even == answer.break_even.end()
                    ? fmt::format("at the horizon's end or before in {}\n",
                                  percent(answer.break_even.empty() ? 0.0 : answer.break_even.back()))
                    : fmt::format("by the end of month {} in {}\n", even - answer.break_even.begin() + 1, percent(*even));
    }
    text += ignored_text(question.ignore_unserved);
    if (answer.not_comparable > 0) {
        text += fmt::format("\n  in {} of {} samples they do not do the same work, and nothing is the cheapest\n",
                            answer.not_comparable, question.samples);
    }
    if (answer.failed > 0) {
        text += fmt::format("\n  {} of {} samples break rules and are left out; the first: {}: {}\n", answer.failed,
                            question.samples, answer.first_failure->pointer, answer.first_failure->message);
    }
    return text;
}

// POINTER=from:to:steps, or with :log at its end. Nothing where it is none.
std::optional<model::MapAxis> read_axis(const std::string& text, const std::string& at) {
    constexpr double kMaxSteps = 1e6;
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos) {
        return std::nullopt;
    }
    std::vector<std::string_view> parts;
    for (std::string_view rest = std::string_view(text).substr(equals + 1);;) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        parts.push_back(rest.substr(0, colon));
        if (colon == rest.size()) {
            break;
        }
        rest.remove_prefix(colon + 1);
    }
    const bool is_log = parts.size() == 4 && parts[3] == "log";
    if (parts.size() != 3 && !is_log) {
        return std::nullopt;
    }
    const auto from = model::read_number<double>(parts[0]);
    const auto to = model::read_number<double>(parts[1]);
    const auto steps = model::read_number<double>(parts[2]);
    const bool good = from && to && steps && *steps >= 2 && *steps <= kMaxSteps && (!is_log || (*from > 0 && *to > 0));
    return good ? std::optional(model::MapAxis{text.substr(0, equals), at,
                                               answers::spaced(*from, *to, static_cast<std::size_t>(*steps), is_log)})
                : std::nullopt;
}

// The number of the cheapest in each cell, y upward as on paper.
std::string map_text(const model::CheapestMap& map, const model::MapQuestion& question,
                     const std::vector<model::Placed>& scenarios) {
    std::string cells;
    bool some_without = false;
    bool some_other = false;
    for (std::size_t row = question.y.values.size(); row-- > 0;) {
        cells += fmt::format("  {:>12} ", figure(question.y.values[row]));
        for (std::size_t column = 0; column < question.x.values.size(); ++column) {
            const auto& cheapest = map.cheapest[row][column];
            const bool is_other = map.same_work[row][column] == 0;
            cells += fmt::format("{:>{}}",
                                 cheapest   ? fmt::format("{}", *cheapest + 1)
                                 : is_other ? "x"
                                            : ".",
                                 scenarios.size() > 9 ? 4 : 2);
            some_without = some_without || (!cheapest && !is_other);
            some_other = some_other || is_other;
        }
        cells += "\n";
    }
    std::string text = fmt::format("  the cheapest by {}, {}\n  upward {}, {}\n  across {}, {}: {} to {}\n\n", question.output,
                                   map.output_unit, question.y.pointer, map.y_unit, question.x.pointer, map.x_unit,
                                   figure(question.x.values.front()), figure(question.x.values.back()));
    text += cells + "\n";
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        text += fmt::format("  {}\n", numbered_name(scenarios, s));
    }
    text += some_without ? "  . none of them does all of its work\n" : "";
    text += ignored_text(question.ignore_unserved);
    text += some_other ? "  x they do not do the same work\n" : "";
    return map.failed == 0 ? text
                           : text + fmt::format("\n  {} evaluations break rules; the first: {}: {}\n", map.failed,
                                                map.first_failure->pointer, map.first_failure->message);
}

model::Result<answers::SimulationInputs> read_simulation(std::string_view text, std::size_t scenarios) {
    return answers::parse_request<answers::SimulationInputs>(text, {}).and_then(
        [&](answers::SimulationInputs inputs) -> model::Result<answers::SimulationInputs> {
            model::Failure issues;
            answers::check_simulation(inputs, scenarios, {}, issues);
            if (!issues.empty()) {
                return tl::unexpected(std::move(issues));
            }
            return inputs;
        });
}

jobs::Watch shown_on(Bar& bar, std::string_view what) {
    jobs::Watch watch;
    watch.progress = [&bar, what](std::size_t done, std::size_t total) { bar.show(what, done, total); };
    return watch;
}

struct SimulateOptions : QuestionOptions {
    std::string inputs_file; // JSON of the inputs and what else is asked of them; "-" is standard input
    std::optional<std::size_t> samples;
    std::optional<std::uint64_t> seed;
};

int simulate(const SimulateOptions& options) {
    const std::optional<std::string> text = read_file(options.inputs_file);
    if (!text) {
        fmt::print(stderr, "{}: can't be read; is the path right?\n", options.inputs_file);
        return kWorldFailed;
    }
    return ask_question(options, [&](const std::vector<model::Placed>& scenarios) {
        const auto inputs = read_simulation(*text, scenarios.size());
        if (!inputs) {
            print_issues(options.inputs_file, inputs.error());
            return static_cast<int>(kWrongInput);
        }
        model::SimulateQuestion question = answers::with_output(*inputs, scenarios);
        question.samples = options.samples.value_or(question.samples);
        question.seed = options.seed.value_or(question.seed);
        question.ignore_unserved = question.ignore_unserved || options.ignore_unserved;
        Bar bar;
        jobs::Threads threads(0, shown_on(bar, "simulating"));
        const auto answer = model::simulate(scenarios, question, threads.runner());
        return answer ? print_answer(options, answers::encode_simulation(*answer, question, scenarios),
                                     simulation_text(*answer, question, scenarios))
                      : refuse(answer.error());
    });
}

struct MapOptions : QuestionOptions {
    std::string x; // POINTER=from:to:steps, or with :log at its end
    std::string y;
    std::string output; // a JSON Pointer into the result; "": the figure that decides
};

int map(const MapOptions& options) {
    const auto x = read_axis(options.x, "--x");
    const auto y = read_axis(options.y, "--y");
    model::Failure issues;
    for (const auto& [axis, name, text] : {std::tuple(&x, "--x", &options.x), {&y, "--y", &options.y}}) {
        if (!*axis) {
            issues.push_back(
                {name, model::Code::bad_format,
                 fmt::format("'{}': give POINTER=from:to:steps, of 2 steps or more; :log at its end needs both above 0", *text)});
        }
    }
    if (!issues.empty()) {
        return refuse(issues);
    }
    return ask_question(options, [&](const std::vector<model::Placed>& scenarios) {
        const model::MapQuestion question{*x, *y, model::output_or_deciding(options.output, scenarios.front().document),
                                          options.ignore_unserved};
        if (const auto issue = answers::check_cells(question.x.values.size(), question.y.values.size(), scenarios.size(), {})) {
            return refuse({*issue});
        }
        Bar bar;
        jobs::Threads threads(0, shown_on(bar, "mapping"));
        const auto answer = map_cheapest(scenarios, question, threads.runner());
        return answer ? print_answer(options, answers::encode_map(*answer, question, scenarios),
                                     map_text(*answer, question, scenarios))
                      : refuse(answer.error());
    });
}

} // namespace

void add_long_questions(Verbs& verbs) {
    const auto [simulation, simulated] =
        add_question(verbs, "simulate", "what figures come to where inputs are uncertain", simulate);
    simulation.add_option("--inputs", simulated.inputs_file, "JSON file of inputs with their distributions; - is standard input")
        ->required();
    simulation.add_option("--samples", simulated.samples, "in place of the file's; 10000 where neither says")
        ->check(CLI::Range(2, 1'000'000));
    simulation.add_option("--seed", simulated.seed, "in place of the file's; 0 where neither says");
    add_ignore_unserved(simulation, simulated.ignore_unserved);
    const auto [grid, mapped] = add_question(verbs, "map", "the cheapest of scenarios over a grid of two inputs", map);
    grid.add_option("--x", mapped.x, "POINTER=from:to:steps, across; :log at its end for equal ratios")->required();
    grid.add_option("--y", mapped.y, "the same, upward")->required();
    add_member<answers::MapRequest>(grid, "--output", "output", mapped.output);
    add_ignore_unserved(grid, mapped.ignore_unserved);
}

} // namespace costcurve::commands
