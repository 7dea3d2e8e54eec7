// `costcurve compare`, `break-even`, `solve` and `sensitivity`: the same questions as over HTTP, asked of files.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/documents/currencies.hpp"
#include "model/documents/text.hpp"
#include "model/questions/range.hpp"
#include "model/questions/ranking.hpp"
#include "server/answers/break_even.hpp"
#include "server/answers/compare.hpp"
#include "server/answers/sensitivity.hpp"
#include "server/answers/solve.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/option_rows.hpp"
#include "server/commands/scenarios.hpp"
#include "server/commands/table.hpp"
#include "server/commands/text_table.hpp"

namespace costcurve::commands {

namespace {

std::string signed_money(double amount) { return (amount > 0 ? "+" : "") + money(amount); }

// A driver's value with its unit: 62 %, 4.58 USD/device-hour.
std::string driver_text(double value, const model::DriverStep& step, const std::string& currency) {
    const std::string number = step.unit == "currency" ? money(value) : figure(value);
    return step.unit == "fraction" ? percent(value) : fmt::format("{} {}", number, model::unit_in(step.unit, currency));
}

// The same difference in the ratios that people reason by.
std::string bridge_text(const answers::Waterfall& waterfall, std::size_t baseline, const std::string& currency) {
    Table table;
    table.row({fmt::format("by driver, {}, {}", name_of(waterfall.bridge.figure), currency), fmt::format("{}", baseline + 1),
               fmt::format("{}", waterfall.to + 1), "difference"});
    for (const model::DriverStep& step : waterfall.bridge.steps) {
        table.row({"  " + step.driver, driver_text(step.a, step, currency), driver_text(step.b, step, currency),
                   signed_money(step.amount)});
    }
    return fmt::format("{}\n  {}\n", table.text(), waterfall.bridge.why);
}

std::string waterfall_text(const answers::Comparison& comparison, const answers::Waterfall& waterfall) {
    const auto& from = comparison.scenarios[comparison.baseline];
    const auto& to = comparison.scenarios[waterfall.to];
    Table table;
    table.row({fmt::format("why {} costs other than {}, {}", waterfall.to + 1, comparison.baseline + 1,
                           from.scenario.document().currency),
               "cost"});
    table.row(
        {fmt::format("{} {}", comparison.baseline + 1, answers::name_of_scenario(from.scenario.document(), comparison.baseline)),
         money(from.summary.total.cost)});
    for (const model::Step& step : waterfall.by_cause) {
        table.row({"  " + step.cause, signed_money(step.amount)});
    }
    table.row({fmt::format("{} {}", waterfall.to + 1, answers::name_of_scenario(to.scenario.document(), waterfall.to)),
               money(to.summary.total.cost)});
    return table.text();
}

std::string comparison_text(const answers::Comparison& comparison) {
    std::string text = comparison_table(comparison.scenarios, comparison.ignore_unserved);
    for (const answers::Waterfall& waterfall : comparison.waterfalls) {
        text += waterfall_text(comparison, waterfall) + "\n" +
                bridge_text(waterfall, comparison.baseline, comparison.scenarios.front().scenario.document().currency) + "\n";
    }
    return text;
}

// The words that a break-even is printed with.
struct PairWords {
    std::string a;
    std::string b;
    std::string unit;
    std::string currency;
};

std::string crossings_text(std::string_view what, const model::BreakEven& answer, const model::Crossings& found,
                           const PairWords& words) {
    std::string text;
    for (const model::Crossing& crossing : found.crossings) {
        text += fmt::format("  {}: {} becomes cheaper at {:.6g} {}{}\n", what, crossing.a_is_cheaper ? words.a : words.b,
                            crossing.at, words.unit, crossing.is_jump ? " (the difference jumps there)" : "");
    }
    const bool a_is = found.relation == model::Relation::a_always_cheaper;
    if (a_is || found.relation == model::Relation::b_always_cheaper) {
        text += fmt::format("  {}: {} is always cheaper{}\n", what, a_is ? words.a : words.b,
                            !answer.stretches.empty() ? " where they can be ranked"
                            : answer.low              ? " in the range"
                                                      : "");
    } else if (found.relation == model::Relation::equal) {
        text += fmt::format("  {}: equal\n", what);
    }
    if (found.at_end && *found.at_end != 0.0 && found.relation != model::Relation::none) {
        text += fmt::format("  {}: {} is cheaper by {} {} at the end, terminal values included\n", what,
                            *found.at_end < 0.0 ? words.a : words.b, money(std::abs(*found.at_end)), words.currency);
    }
    return text;
}

std::string because_text(model::StretchCause because, const PairWords& words) {
    switch (because) {
    case model::StretchCause::a_infeasible:
        return words.a + " is infeasible";
    case model::StretchCause::b_infeasible:
        return words.b + " is infeasible";
    case model::StretchCause::both_infeasible:
        return "both are infeasible";
    case model::StretchCause::not_comparable:
        return "they do not do the same work";
    case model::StretchCause::invalid:
        break;
    }
    return "the values break a rule";
}

// The range, and why neither is the cheaper, in stretches of it or over the horizon.
std::string unranked_text(const model::BreakEven& answer, const PairWords& words) {
    std::string text = answer.low ? fmt::format("  searched: {:.6g} to {:.6g} {}\n", *answer.low, *answer.high, words.unit) : "";
    for (const model::Stretch& stretch : answer.stretches) {
        text += fmt::format("  not ranked from {:.6g} to {:.6g} {}: {}\n", stretch.from, stretch.to, words.unit,
                            because_text(stretch.because, words));
    }
    for (const model::ScenarioDifference& difference : answer.differences) {
        text += fmt::format("  not ranked: they do not do the same work: {} {} against {}\n", difference.what, difference.a,
                            difference.b);
    }
    for (const std::size_t i : {0U, 1U}) {
        if (!answer.eligible[i] && !answer.low) {
            text += fmt::format("  not ranked: {} is infeasible\n", i == 0 ? words.a : words.b);
        }
    }
    return text;
}

std::string solved_text(const model::Solved& solved, const model::SolveQuestion& question) {
    std::string text;
    for (const model::Solution& solution : solved.solutions) {
        text += fmt::format("  {} = {:.8g} {} gives {} = {:.8g} {}{}\n", question.input, solution.value, solved.unit,
                            question.output, solution.output, solved.output_unit,
                            solution.is_exact ? "" : fmt::format(" (it jumps over {} there)", question.target));
    }
    for (const std::string& note : answers::notes_of(solved, question)) {
        text += fmt::format("  note: {}\n", note);
    }
    return text;
}

// The number of the one that is the cheapest from there on; "none" where none can do its work.
std::string flip_text(const model::Flip& flip) {
    const std::string next = flip.cheapest ? fmt::format("{}", *flip.cheapest + 1) : "none";
    return fmt::format("{:.5g} ({}{})", flip.value, next, flip.is_infeasible ? ", infeasible" : "");
}

std::string sensitivity_text(const model::Sensitivity& answer, std::string_view output, std::size_t shown) {
    Table table;
    table.row({fmt::format("{} is {} {}", output, figure(answer.base), answer.output_unit), "from", "base", "to", "unit",
               "output from", "to", "elasticity", "cheapest changes at"});
    for (std::size_t i = 0; i < std::min(shown, answer.swings.size()); ++i) {
        const model::Swing& swing = answer.swings[i];
        table.row({swing.pointer, figure(swing.low.input), figure(swing.base), figure(swing.high.input), swing.unit,
                   money(swing.low.output), money(swing.high.output),
                   swing.elasticity ? fmt::format("{:+.3f}", *swing.elasticity) : std::string(kMissing),
                   swing.flips_at ? flip_text(*swing.flips_at) : ""});
    }
    const std::size_t left = answer.swings.size() - std::min(shown, answer.swings.size());
    return table.text() + (left > 0 ? fmt::format("  and {} more; --most shows them\n", left) : "") +
           (answer.without_effect.empty()
                ? ""
                : fmt::format("  and {} without effect: {}{}\n", answer.without_effect.size(), answer.without_effect.front(),
                              answer.without_effect.size() > 1 ? ", …" : ""));
}

// POINTER=low:high, or POINTER~0.2.
std::optional<model::Moved> read_moved(const std::string& text) {
    const std::size_t at = text.find_last_of("=~");
    if (at == std::string::npos) {
        return std::nullopt;
    }
    model::Moved moved{text.substr(0, at), text.substr(0, at), {}, {}, {}};
    const std::string_view rest = std::string_view(text).substr(at + 1);
    if (text[at] == '~') {
        moved.change = model::read_number<double>(rest);
        return moved.change ? std::optional(moved) : std::nullopt;
    }
    const std::size_t colon = rest.find(':');
    moved.low = model::read_number<double>(rest.substr(0, colon));
    moved.high = colon == std::string_view::npos ? std::nullopt : model::read_number<double>(rest.substr(colon + 1));
    return moved.low && moved.high ? std::optional(moved) : std::nullopt;
}

struct CompareOptions : QuestionOptions {
    std::size_t baseline = 1; // the number of the file that the others are held against
};

int compare(const CompareOptions& options) {
    return ask_question(options, [&](const std::vector<model::Placed>& scenarios) {
        if (options.baseline < 1 || options.baseline > scenarios.size()) {
            return refuse({{"--baseline", model::Code::out_of_range, fmt::format("allowed: 1 to {}", scenarios.size())}});
        }
        const auto answer = answers::compare(scenarios, options.baseline - 1, options.ignore_unserved);
        return answer ? print_answer(options, answers::encode_comparison(*answer), comparison_text(*answer))
                      : refuse(answer.error());
    });
}

// An input and its range.
struct RangeOptions : QuestionOptions {
    std::string input; // a JSON Pointer into the scenario
    double low = 0.0;
    double high = 0.0;
};

int break_even(const RangeOptions& options) {
    return ask_question(options, [&](const std::vector<model::Placed>& scenarios) {
        model::Alternatives pair(scenarios, options.ignore_unserved);
        const bool over_horizon = options.input.empty();
        const auto answer = over_horizon ? break_even_over_horizon(pair)
                                         : break_even_over_input(pair, options.input, "--input", options.low, options.high);
        if (!answer) {
            return refuse(answer.error());
        }
        const std::string& currency = scenarios.front().document.currency;
        PairWords words{answers::name_of_scenario(scenarios[0].document, 0), answers::name_of_scenario(scenarios[1].document, 1),
                        over_horizon ? "months" : pair.input(0).unit, currency};
        if (words.a == words.b) {
            words.a = "1 " + words.a;
            words.b = "2 " + words.b;
        }
        return print_answer(options,
                            answers::encode_break_even(*answer, over_horizon ? "horizon" : options.input, words.unit, currency,
                                                       options.ignore_unserved),
                            crossings_text("cost", *answer, answer->cost, words) +
                                crossings_text("cash", *answer, answer->cash, words) + unranked_text(*answer, words) +
                                ignored_text(options.ignore_unserved));
    });
}

struct SolveOptions : RangeOptions {
    std::string output; // a JSON Pointer into the result; "": the figure that decides
    double target = 0.0;
};

int solve(const SolveOptions& options) {
    return ask_question(options, [&](const std::vector<model::Placed>& scenarios) {
        model::Alternatives scenario(scenarios);
        const std::string output = model::output_or_deciding(options.output, scenarios.front().document);
        const model::SolveQuestion question{options.input, "--input",  options.low,    options.high,
                                            output,        "--output", options.target, "--target"};
        auto answer = model::solve(scenario, question);
        if (!answer) {
            return refuse(answer.error());
        }
        return print_answer(options, answers::encode_solved(*answer, question), solved_text(*answer, question));
    });
}

struct SensitivityOptions : QuestionOptions {
    std::vector<std::string> inputs;       // POINTER=low:high or POINTER~change
    double change = answers::kUsualChange; // of every number, where no inputs are named
    bool with_decisions = false;           // numbers of servers and instances and the horizon too
    std::string output;                    // as solve's
    std::size_t most = 20;                 // rows of the table
};

int sensitivity(const SensitivityOptions& options) {
    std::vector<model::Moved> inputs;
    for (const std::string& text : options.inputs) {
        auto moved = read_moved(text);
        if (!moved) {
            return refuse({{"--input", model::Code::bad_format,
                            fmt::format("'{}': give POINTER=low:high, or POINTER~0.2 for a fifth down and up", text)}});
        }
        inputs.push_back(std::move(*moved));
    }
    return ask_question(options, [&](const std::vector<model::Placed>& scenarios) {
        const model::ScenarioDocument& scenario = scenarios.front().document;
        const std::string output = model::output_or_deciding(options.output, scenario);
        model::Alternatives alternatives(scenarios, options.ignore_unserved);
        auto answer = sensitivity(alternatives,
                                  inputs.empty() ? model::every_input(scenario, options.change, options.with_decisions) : inputs,
                                  output, "--output");
        if (!answer) {
            return refuse(answer.error());
        }
        return print_answer(options, answers::encode_sensitivity(*answer, output, options.ignore_unserved),
                            sensitivity_text(*answer, output, options.most) + ignored_text(options.ignore_unserved));
    });
}

template <class R> void add_range(CLI::App& verb, RangeOptions& options) {
    CLI::Option* const input = add_member<R>(verb, "--input", "input", options.input);
    add_member<R>(verb, "--low", "low", options.low)->needs(input);
    add_member<R>(verb, "--high", "high", options.high)->needs(input);
}

} // namespace

void add_questions(Verbs& verbs) {
    const auto [comparison, compared] = add_question(verbs, "compare", "scenarios side by side, and why they differ", compare);
    comparison.add_option("--baseline", compared.baseline, "number of the file that the others are held against")
        ->capture_default_str();
    add_ignore_unserved(comparison, compared.ignore_unserved);
    const auto [crossing, crossed] =
        add_question(verbs, "break-even", "where two scenarios cost the same: the month, or an input's value", break_even,
                     "two scenario documents", 2, 2);
    add_range<answers::BreakEvenRequest>(crossing, crossed);
    add_ignore_unserved(crossing, crossed.ignore_unserved);
    const auto [inverse, wanted] =
        add_question(verbs, "solve", "which value of an input gives a wanted output", solve, "a scenario document", 1, 1);
    add_range<answers::SolveRequest>(inverse, wanted);
    add_member<answers::SensitivityRequest>(inverse, "--output", "output", wanted.output); // here, too, it has a default
    add_member<answers::SolveRequest>(inverse, "--target", "target", wanted.target);
    const auto [swings, moved] =
        add_question(verbs, "sensitivity", "which inputs of the first scenario matter, and which change the cheapest", sensitivity);
    swings.add_option("--input", moved.inputs, "POINTER=low:high, or POINTER~0.2; every number where none is given");
    swings.add_option("--change", moved.change, "of every number, up and down, where there is no --input")
        ->check(CLI::Range(1e-6, 1.0))
        ->capture_default_str();
    swings.add_flag("--decisions", moved.with_decisions, "numbers of servers and instances and the horizon too");
    add_member<answers::SensitivityRequest>(swings, "--output", "output", moved.output);
    swings.add_option("--most", moved.most, "rows of the table")->capture_default_str();
    add_ignore_unserved(swings, moved.ignore_unserved);
}

} // namespace costcurve::commands
