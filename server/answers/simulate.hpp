// Distributions of figures, and the cheapest scenario per sample: POST /v1/simulate.
#pragma once

#include <string>
#include <vector>

#include "model/questions/chance/simulate.hpp"
#include "model/questions/rank/plans.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/comparable.hpp"
#include "server/answers/rank_uncertainty.hpp"
#include "server/answers/uncertainty.hpp"

namespace costcurve::answers {

/// The most outputs of a simulation.
inline constexpr std::size_t kMaxOutputs = 100;
/// The most budgets.
inline constexpr std::size_t kMaxBudgets = 100;

/// Inputs of a simulation besides its scenarios: the object that the command line reads from a file.
struct SimulationInputs : model::SimulateQuestion {
    SimulationInputs() { samples = 0; } // 0 means not stated
};
struct SimulateRequest : SimulationInputs {
    using Answer = struct SimulationAnswer;
    static constexpr QuestionNames names{"/v1/simulate", "what figures come to where inputs are uncertain", "simulate_request",
                                         "simulation"};
    static constexpr std::string_view stage = "samples";
    std::vector<ScenarioInput> scenarios;
    bool sized_anew = false; ///< also reports the best plan like a ranking does
    std::optional<double> deadline_s;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};
/// Checks limits and indices of scenarios below `scenarios`.
void check_simulation(SimulationInputs& inputs, std::size_t scenarios, const QuestionLimits& limits, model::Failure& issues);
void check(SimulateRequest& request, const QuestionLimits& limits, model::Failure& issues);

/// The question with the deciding figure as output, if it names none.
[[nodiscard]] model::SimulateQuestion with_output(model::SimulateQuestion question, const std::vector<model::Placed>& scenarios);

/// The simulation as JSON.
[[nodiscard]] std::string encode_simulation(const model::Simulation& simulation, const model::SimulateQuestion& question,
                                            const std::vector<model::Placed>& scenarios,
                                            const std::optional<model::BestShares>& best = std::nullopt);
[[nodiscard]] model::Result<std::string> answer(const SimulateRequest& request, const std::vector<model::Placed>& scenarios,
                                                const model::Runner& runner);

struct SimulatedFigure : model::Spread {
    std::string unit;
    ByName<double> variance_by_input;
};
struct BandAnswer {
    model::YearMonth month;
    double p5 = 0.0;
    double p50 = 0.0;
    double p95 = 0.0;
};
struct BudgetAnswer {
    std::string output;
    double amount = 0.0;
    double probability = 0.0;
};
struct SimulatedDifference : model::Spread {
    std::string unit;
};
struct SimulatedAnswer {
    std::string name;
    ByName<std::optional<SimulatedFigure>> outputs;
    std::optional<double> probability_feasible;
    std::optional<double> probability_cheapest;
    std::optional<double> probability_best;
    std::optional<std::vector<BudgetAnswer>> probability_below;
    std::optional<SimulatedDifference> difference;
    std::optional<std::vector<BandAnswer>> by_month;
};
struct BreakEvenByMonth {
    std::size_t a = 0;
    std::size_t b = 0;
    std::vector<double> probability;
};
struct SimulationAnswer : Comparable {
    std::size_t samples = 0;
    std::uint64_t seed = 0;
    model::Sampling sampling{};
    std::size_t failed = 0;
    std::optional<model::Issue> first_failure;
    std::optional<double> probability_none;
    std::size_t not_comparable = 0;
    std::size_t baseline = 0;
    std::vector<SimulatedAnswer> scenarios;
    std::optional<BreakEvenByMonth> break_even;
    std::optional<RankUncertaintyAnswer> uncertainty;
};

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<BreakEvenPair> =
    Rows{Field{"a", &BreakEvenPair::a, {.min = 0, .required = true, .help = "the number of a scenario, from 0"}},
         Field{"b", &BreakEvenPair::b, {.min = 0, .required = true, .help = "the number of a scenario, from 0"}}};
template <>
inline constexpr auto fields<Budget> =
    Rows{Field{"output", &Budget::output, answers::pointer_to("one of outputs; default the first", false)},
         Field{"scenario", &Budget::scenario, {.min = 0, .help = "its number, from 0; every one where absent"}},
         Field{"amount", &Budget::amount, answers::bounded("at or below which the output is to stay", true)}};
template <>
inline constexpr auto fields<answers::SimulationInputs> =
    join(fields<Uncertainty>,
         Rows{Field{"outputs",
                    &SimulateQuestion::outputs,
                    {.min = 1,
                     .max = answers::kMaxOutputs,
                     .format = Format::pointer,
                     .help = "figures of the result, each once; the first says which scenario is the cheapest; "
                             "default the first scenario's decide_by"}},
              Field{"by_month", &SimulateQuestion::by_month, {.help = "bands of the cumulative cash by month"}},
              Field{"break_even",
                    &SimulateQuestion::break_even,
                    {.help = "when a becomes cheaper than b by cumulative cash, in exact time"}},
              Field{"budgets",
                    &SimulateQuestion::budgets,
                    {.min = 0, .max = answers::kMaxBudgets, .help = "how often an output stays within an amount"}},
              Field{"baseline",
                    &SimulateQuestion::baseline,
                    {.min = 0, .help = "the scenario, from 0, that the others' difference is taken from"}}},
         answers::ignore_unserved_field<answers::SimulationInputs>);
template <>
inline constexpr auto fields<answers::SimulateRequest> =
    join(Rows{Field{"scenarios",
                    &answers::SimulateRequest::scenarios,
                    {.min = 1, .max = answers::kMaxScenarios, .required = true, .help = "scenarios or ids, all in one currency"}}},
         fields<answers::SimulationInputs>,
         Rows{Field{"sized_anew",
                    &answers::SimulateRequest::sized_anew,
                    {.help = "give the chances to be the best that a ranking of these plans gives: each sized anew in each of as "
                             "many samples of its uncertainties; where all are such plans"}}},
         answers::deadline_field<answers::SimulateRequest>, answers::what_if_fields<answers::SimulateRequest>);
template <>
inline constexpr auto fields<answers::SimulatedFigure> =
    join(Rows{Field{"unit", &answers::SimulatedFigure::unit, {}}}, fields<Spread>,
         Rows{Field{"variance_by_input",
                    &answers::SimulatedFigure::variance_by_input,
                    {.help = "by pointer: the share of the variance that would go if it were known"}}});
template <>
inline constexpr auto fields<answers::BandAnswer> =
    Rows{Field{"month", &answers::BandAnswer::month, {}}, Field{"p5", &answers::BandAnswer::p5, {}},
         Field{"p50", &answers::BandAnswer::p50, {}}, Field{"p95", &answers::BandAnswer::p95, {}}};
template <>
inline constexpr auto fields<answers::BudgetAnswer> =
    Rows{Field{"output", &answers::BudgetAnswer::output, {}}, Field{"amount", &answers::BudgetAnswer::amount, {}},
         Field{"probability", &answers::BudgetAnswer::probability, {}}};
template <>
inline constexpr auto fields<answers::SimulatedDifference> = join(Rows{Field{"unit", &answers::SimulatedDifference::unit, {}}},
                                                                  fields<Spread>);
template <>
inline constexpr auto fields<answers::SimulatedAnswer> =
    Rows{Field{"name", &answers::SimulatedAnswer::name, {}},
         Field{"outputs", &answers::SimulatedAnswer::outputs, {.help = "by pointer; null where no sample has the figure"}},
         Field{"probability_feasible", &answers::SimulatedAnswer::probability_feasible, {.help = "that it can do its work"}},
         Field{"probability_cheapest",
               &answers::SimulatedAnswer::probability_cheapest,
               {.help = "that it can do its work, all do the same work, and it has the least first output of those that can"}},
         Field{"probability_best",
               &answers::SimulatedAnswer::probability_best,
               {.help = "as a ranking says it, of these plans alone; with uncertainty", .omit = true}},
         Field{"probability_below",
               &answers::SimulatedAnswer::probability_below,
               {.help = "of the budgets: that it can do its work, and its output is at most the amount", .omit = true}},
         Field{"difference",
               &answers::SimulatedAnswer::difference,
               {.help = "the first output less the baseline's, of samples in which both do the same work; null of the baseline"}},
         Field{"by_month", &answers::SimulatedAnswer::by_month, {.omit = true}}};
template <>
inline constexpr auto fields<answers::BreakEvenByMonth> =
    Rows{Field{"a", &answers::BreakEvenByMonth::a, {.min = 0}}, Field{"b", &answers::BreakEvenByMonth::b, {.min = 0}},
         Field{"probability", &answers::BreakEvenByMonth::probability, {.help = "by the end of the first month, the second, …"}}};
template <>
inline constexpr auto fields<answers::SimulationAnswer> = join(
    Rows{Field{"samples", &answers::SimulationAnswer::samples, {.min = 0}},
         Field{"seed", &answers::SimulationAnswer::seed, {.min = 0}}, Field{"sampling", &answers::SimulationAnswer::sampling, {}},
         Field{"failed", &answers::SimulationAnswer::failed, {.min = 0, .help = "samples whose values break rules together"}},
         Field{"first_failure", &answers::SimulationAnswer::first_failure, {}},
         Field{"probability_none", &answers::SimulationAnswer::probability_none, {.help = "that none is the cheapest"}},
         Field{"not_comparable",
               &answers::SimulationAnswer::not_comparable,
               {.min = 0, .help = "samples in which not all do the same work; nothing is the cheapest there"}},
         Field{"baseline", &answers::SimulationAnswer::baseline, {.min = 0}},
         Field{"scenarios", &answers::SimulationAnswer::scenarios, {}},
         Field{"break_even", &answers::SimulationAnswer::break_even, {.omit = true}},
         Field{"uncertainty",
               &answers::SimulationAnswer::uncertainty,
               {.help = "what probability_best rests on, as in a ranking; with sized_anew, and where a ranking would make all of "
                        "these plans for the same work",
                .omit = true}}},
    answers::comparable_fields<answers::SimulationAnswer>);

} // namespace costcurve::model
