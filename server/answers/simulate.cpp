// Simulation requests: limits of scenarios and samples, and figures by pointer.
#include "server/answers/simulate.hpp"

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/questions/rank/plans.hpp"
#include "model/questions/ranking.hpp"
#include "server/answers/compare.hpp"

namespace costcurve::answers {

namespace {

using model::Code;

std::optional<SimulatedFigure> figure_of(const model::SimulatedOutput& output, const model::SimulateQuestion& question) {
    if (!output.spread) {
        return std::nullopt;
    }
    SimulatedFigure figure{*output.spread, output.unit, {}};
    for (std::size_t i = 0; i < question.inputs.size(); ++i) {
        if (output.explained_shares[i]) {
            figure.variance_by_input.emplace_back(question.inputs[i].pointer, *output.explained_shares[i]);
        }
    }
    return figure;
}

SimulatedAnswer scenario_of(const model::SimulatedScenario& simulated, const model::SimulateQuestion& question,
                            const model::ScenarioDocument& scenario, std::size_t number) {
    SimulatedAnswer answer;
    answer.name = name_of_scenario(scenario, number);
    answer.probability_feasible = simulated.probability_feasible;
    answer.probability_cheapest = simulated.probability_cheapest;
    if (!simulated.probability_below.empty()) {
        answer.probability_below.emplace();
    }
    for (const model::BudgetMet& met : simulated.probability_below) {
        const model::Budget& budget = question.budgets[met.budget];
        answer.probability_below->push_back(
            {budget.output.empty() ? question.outputs.front() : budget.output, budget.amount, met.probability});
    }
    if (simulated.difference) {
        answer.difference = {*simulated.difference, simulated.outputs.front().unit};
    }
    for (std::size_t o = 0; o < question.outputs.size(); ++o) {
        answer.outputs.emplace_back(question.outputs[o], figure_of(simulated.outputs[o], question));
    }
    if (question.by_month) {
        answer.by_month.emplace();
        for (std::size_t m = 0; m < simulated.by_month.size(); ++m) {
            const model::CashBand& band = simulated.by_month[m];
            answer.by_month->push_back({model::add_months(scenario.start, static_cast<int>(m)), band.p5, band.p50, band.p95});
        }
    }
    return answer;
}

} // namespace

void check_simulation(SimulationInputs& inputs, std::size_t scenarios, const QuestionLimits& limits, model::Failure& issues) {
    check_uncertainty(inputs, "", scenarios, model::SimulateQuestion().samples, limits, issues);
    check_each_once(inputs.outputs, "/outputs", issues);
    const auto check_number = [&](std::size_t number, const char* name) {
        if (number >= scenarios) {
            issues.push_back({fmt::format("/break_even/{}", name), Code::out_of_range,
                              fmt::format("{} is {}; allowed 0 to {}", name, number, scenarios - 1)});
        }
    };
    if (inputs.break_even) {
        check_number(inputs.break_even->a, "a");
        check_number(inputs.break_even->b, "b");
    }
}

void check(SimulateRequest& request, const QuestionLimits& limits, model::Failure& issues) {
    check_deadline(request.deadline_s, limits, issues);
    check_simulation(request, request.scenarios.size(), limits, issues);
}

model::SimulateQuestion with_output(model::SimulateQuestion question, const std::vector<model::Placed>& scenarios) {
    if (question.outputs.empty()) {
        question.outputs = {model::output_or_deciding("", scenarios.front().document)};
    }
    return question;
}

std::string encode_simulation(const model::Simulation& simulation, const model::SimulateQuestion& question,
                              const std::vector<model::Placed>& scenarios, const std::optional<model::BestShares>& best) {
    SimulationAnswer answer;
    answer.samples = question.samples;
    answer.seed = question.seed;
    answer.sampling = question.sampling;
    answer.failed = simulation.failed;
    answer.first_failure = simulation.first_failure;
    answer.probability_none = simulation.probability_none;
    answer.not_comparable = simulation.not_comparable;
    answer.baseline = question.baseline;
    static_cast<Comparable&>(answer) = comparable_of(simulation.differences, question.ignore_unserved);
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        answer.scenarios.push_back(scenario_of(simulation.scenarios[s], question, scenarios[s].document, s));
    }
    if (question.break_even) {
        answer.break_even = {question.break_even->a, question.break_even->b, simulation.break_even};
    }
    if (best) {
        for (std::size_t s = 0; s < scenarios.size(); ++s) {
            answer.scenarios[s].probability_best = best->shares[s];
        }
        answer.uncertainty = uncertainty_of({best->running, 0.0, best->none}, question.samples, question.seed);
    }
    return encode_answer(answer);
}

model::Result<std::string> answer(const SimulateRequest& request, const std::vector<model::Placed>& scenarios,
                                  const model::Runner& runner) {
    const model::SimulateQuestion question = with_output(request, scenarios);
    return simulate(scenarios, question, runner).and_then([&](const model::Simulation& simulation) {
        model::Result<std::optional<model::BestShares>> best =
            request.sized_anew ? model::shares_of_best(scenarios, question.samples, question.seed, question.ignore_unserved, runner)
                               : std::optional<model::BestShares>();
        return best.map([&](const std::optional<model::BestShares>& shares) {
            return encode_simulation(simulation, question, scenarios, shares);
        });
    });
}

} // namespace costcurve::answers
