// `costcurve optimize`: the optimal plan of a scenario file.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "model/documents/currencies.hpp"
#include "model/finance.hpp"
#include "server/answers/optimize/optimize.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/scenarios.hpp"
#include "server/commands/table.hpp"
#include "server/commands/text_table.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/jobs/threads.hpp"

namespace costcurve::commands {

namespace {

std::string plans_table(const answers::Optimized& answer, const std::string& unit) {
    const model::Optimum& optimum = answer.optimum;
    Table table;
    std::vector<std::string> head = {"decided", "best"};
    std::vector<std::string> objectives = {fmt::format("{}, {}", name_of(answer.question.minimize), unit),
                                           money(optimum.best.objective)};
    std::vector<std::string> above = {"above the best", ""};
    for (std::size_t i = 0; i < optimum.runners_up.size(); ++i) {
        const double objective = optimum.runners_up[i].objective;
        head.push_back(fmt::format("next {}", i + 1));
        objectives.push_back(money(objective));
        above.push_back(fmt::format("{:.2f} %", 100 * (objective / optimum.best.objective - 1)));
    }
    table.row(std::move(head));
    for (std::size_t d = 0; d < optimum.decisions.size(); ++d) {
        std::vector<std::string> cells = {optimum.decisions[d].pointer, fmt::format("{}", optimum.best.plan[d])};
        for (const model::RankedPlan& plan : optimum.runners_up) {
            cells.push_back(fmt::format("{}", plan.plan[d]));
        }
        table.row(std::move(cells));
    }
    for (std::size_t k = 0; k < answer.combinations.choices.size(); ++k) {
        const auto value = [&](const model::RankedPlan& plan) {
            return shortened(answer.combinations.value(plan.combination, k), 40);
        };
        std::vector<std::string> cells = {answer.combinations.choices[k].pointer, value(optimum.best)};
        std::transform(optimum.runners_up.begin(), optimum.runners_up.end(), std::back_inserter(cells), value);
        table.row(std::move(cells));
    }
    table.row(std::move(objectives));
    table.row(std::move(above));
    return table.text();
}

std::string limits_text(const answers::Optimized& answer) {
    std::string text;
    for (std::size_t l = 0; l < model::limit_rows().size(); ++l) {
        const model::LimitRow& row = model::limit_rows()[l];
        if (const std::optional<double>& limit = answer.question.subject_to.*row.limit) {
            text += fmt::format("  {}: {} of {} {}\n", row.name, figure(answer.optimum.taken[l]), figure(*limit),
                                model::unit_in(row.unit, answer.best.scenario.document().currency));
        }
    }
    return text;
}

std::string plan_text(const model::Optimum& optimum, const model::Plan& plan) {
    std::string text;
    for (std::size_t d = 0; d < plan.size(); ++d) {
        text += fmt::format("{}{} = {}", d == 0 ? "" : ", ", optimum.decisions[d].pointer, plan[d]);
    }
    return text;
}

std::string hedge_text(const answers::Optimized& answer, const std::string& unit) {
    const model::Optimum& optimum = answer.optimum;
    const model::Hedge& hedge = *optimum.hedge;
    std::string text = fmt::format("  over {} samples: mean {} {} (± {}), p5 {}, p95 {}, mean of the worst 5 % {}\n",
                                   hedge.spread.samples, money(hedge.spread.mean), unit, money(hedge.spread.standard_error),
                                   money(hedge.spread.p5), money(hedge.spread.p95), money(hedge.spread.cvar_95));
    if (!hedge.plan_at_means.empty()) {
        text += fmt::format("  the plan for what is average, {}, {}\n", plan_text(optimum, hedge.plan_at_means),
                            hedge.value_of_hedging ? fmt::format("costs {} {} more", money(hedge.value_of_hedging), unit)
                                                   : "breaks a limit on average");
    }
    if (hedge.value_of_foresight) {
        text += fmt::format("  to know the future before deciding would be worth {} {}\n", money(hedge.value_of_foresight), unit);
    }
    return text + "  below, the best plan with what the scenario states\n";
}

std::string proof_text(const model::Optimum& optimum, const std::string& unit) {
    if (optimum.proof == model::Proof::exhaustive) {
        return fmt::format("  exhaustive: all {} plans were evaluated\n", optimum.evaluations);
    }
    if (!std::isfinite(optimum.bound)) {
        return fmt::format("  no bound is known: the best of {} plans that were tried\n", optimum.evaluations);
    }
    return fmt::format("  no plan comes to less than {} {}: a gap of {:.2f} % ({} plans evaluated, {} linear programmes)\n",
                       money(optimum.bound), unit, 100 * optimum.gap_fraction, optimum.evaluations, optimum.bounds);
}

std::string combinations_text(const answers::Optimized& answer) {
    const model::CombinationCounts& counts = answer.counts;
    std::string text = fmt::format("  {} combinations: {} examined, {} cut by their bounds, {} infeasible, {} refused\n",
                                   counts.stated, counts.examined, counts.cut, counts.infeasible, counts.refused);
    for (const model::RefusedCombinations& reason : counts.reasons) {
        text += fmt::format("  {} refused: {} {}\n", reason.count, reason.issue.pointer, reason.issue.message);
    }
    return text;
}

std::string optimized_text(const answers::Optimized& answer) {
    const model::Optimum& optimum = answer.optimum;
    const std::string unit = model::unit_in(unit_of(answer.question.minimize), answer.best.scenario.document().currency);
    return plans_table(answer, unit) + "\n" + proof_text(optimum, unit) +
           (answer.combinations.choices.empty() ? "" : combinations_text(answer)) + limits_text(answer) +
           (optimum.hedge ? hedge_text(answer, unit) : "") + "\n" + comparison_table({&answer.best, 1});
}

} // namespace

int optimize(const OptimizeOptions& options) {
    model::OptimizeQuestion question = options.question;
    auto decisions = answers::read_decisions(options.decide);
    if (!decisions) {
        return refuse(decisions.error());
    }
    question.decide = std::move(decisions->ranges);
    if (!options.uncertain_file.empty()) {
        const std::optional<std::string> text = read_file(options.uncertain_file);
        if (!text) {
            fmt::print(stderr, "{}: can't be read; is the path right?\n", options.uncertain_file);
            return kWorldFailed;
        }
        auto uncertain = answers::parse_futures(*text);
        if (!uncertain) {
            print_issues(options.uncertain_file, uncertain.error());
            return kWrongInput;
        }
        question.uncertain = std::move(*uncertain);
    }
    return with_store(options.database, [&](const storage::Store* store) -> int {
        documents::Source source = store != nullptr ? documents::Source(*store, std::nullopt) : documents::Source();
        int status = kDone;
        const std::vector<model::Placed> scenarios = load_scenarios({options.file}, source, status);
        if (status != kDone) {
            return status;
        }
        question.minimize =
            model::value_of<model::Objective>(options.minimize).value_or(decide_by(scenarios.front().document.finance));
        const auto combinations = answers::combine(scenarios.front(), std::move(decisions->choices), source);
        if (!combinations) {
            return refuse(combinations.error());
        }
        jobs::Threads threads(0, {});
        const auto answer = answers::optimize(scenarios.front(), *combinations, question, options.effort, threads.runner());
        if (!answer) {
            return refuse(answer.error());
        }
        fmt::print("{}", options.format == "json" ? answers::encode_optimized(*answer) + "\n" : printable(optimized_text(*answer)));
        return kDone;
    });
}

} // namespace costcurve::commands
