// Scenarios side by side, and why they differ: POST /v1/compare.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/compare.hpp"
#include "model/questions/drivers.hpp"
#include "model/questions/investment.hpp"
#include "server/answers/comparable.hpp"
#include "server/answers/request.hpp"
#include "server/answers/result.hpp"

namespace costcurve::answers {

struct CompareRequest {
    using Answer = struct ComparisonAnswer;
    static constexpr QuestionNames names{
        "/v1/compare", "scenarios side by side, and why they differ", "compare_request", "compared", "", "all in one currency"};
    std::vector<ScenarioInput> scenarios;
    BaselineChoice baseline;
    bool ignore_unserved = false;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};
/// Checks that the baseline is one of the scenarios, and stores its index.
void check(CompareRequest& request, const QuestionLimits& limits, model::Failure& issues);

struct Waterfall {
    std::size_t to = 0; ///< scenario to which the waterfall leads, from the baseline
    std::vector<model::Step> by_category;
    std::vector<model::Step> by_cause;
    model::Bridge bridge;
};

struct Comparison {
    std::size_t baseline = 0;
    bool ignore_unserved = false; ///< a scenario with unserved work may be the cheapest
    std::vector<Evaluated> scenarios;
    std::vector<Waterfall> waterfalls; ///< one per scenario except the baseline
    std::vector<std::optional<model::Investment>>
        investments;                                    ///< compared with the baseline; empty for the baseline and for other months
    std::vector<model::ScenarioDifference> differences; ///< differences of work from the baseline
};

/// Evaluates and compares scenarios; reports all issues at once. At least one scenario, all in one currency.
[[nodiscard]] model::Result<Comparison> compare(const std::vector<model::Placed>& scenarios, std::size_t baseline,
                                                bool ignore_unserved = false);

/// Differences of each scenario's work from the baseline's.
[[nodiscard]] std::vector<model::ScenarioDifference> differences_of(std::span<const Evaluated> scenarios, std::size_t baseline);

/// Display name of a scenario: its name, its id, or "scenario 2".
[[nodiscard]] std::string name_of_scenario(const model::ScenarioDocument& scenario, std::size_t index);

/// The comparison as JSON.
[[nodiscard]] std::string encode_comparison(const Comparison& comparison);
[[nodiscard]] model::Result<std::string> answer(const CompareRequest& request, const std::vector<model::Placed>& scenarios);

struct DifferenceAnswer {
    ByName<std::optional<double>> total;
    ByName<model::Amounts> by_category;
};
struct ComparedScenario {
    std::string name;
    RawJson result;
    DifferenceAnswer difference;
    std::optional<model::Investment> investment;
};
struct WaterfallAnswer {
    std::size_t from = 0;
    std::size_t to = 0;
    std::vector<model::Step> steps;
    std::vector<model::Step> by_category;
    model::Bridge bridge;
};
struct ByUnitAnswer {
    std::string unit;
    std::vector<std::optional<double>> levelized_cost_per_million_units;
    std::optional<std::size_t> cheapest;
};
struct ComparisonAnswer : Comparable {
    std::size_t baseline = 0;
    std::string currency;
    model::Objective decide_by = model::Objective::cost;
    std::optional<std::size_t> cheapest;
    std::vector<ComparedScenario> scenarios;
    std::vector<WaterfallAnswer> waterfalls;
    std::optional<ByUnitAnswer> by_unit;
};

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<answers::CompareRequest> =
    join(Rows{Field{"scenarios",
                    &answers::CompareRequest::scenarios,
                    {.min = 1, .max = answers::kMaxScenarios, .required = true, .help = "scenarios or ids, all in one currency"}},
              Field{"baseline",
                    &answers::CompareRequest::baseline,
                    {.help = "what the others are compared with: its number in the list, or its id; else the first"}}},
         answers::ignore_unserved_field<answers::CompareRequest>, answers::what_if_fields<answers::CompareRequest>);
template <> inline constexpr auto fields<Step> = Rows{Field{"cause", &Step::cause, {}}, Field{"amount", &Step::amount, {}}};
template <>
inline constexpr auto fields<answers::DifferenceAnswer> =
    Rows{Field{"total", &answers::DifferenceAnswer::total, {.schema = "total_difference"}},
         Field{"by_category", &answers::DifferenceAnswer::by_category, {.schema = "categories"}}};
template <>
inline constexpr auto fields<Investment> = Rows{
    Field{"reversed", &Investment::reversed, {.help = "the baseline is the investment: its first difference is an outlay"}},
    Field{"irr", &Investment::irr, {.unit = "1/year", .help = "internal rates of return, effective: none, one or several"}},
    Field{"payback_month", &Investment::payback_month, {.unit = "months", .help = "null where it never pays back"}},
    Field{"discounted_payback_month", &Investment::discounted_payback_month, {.unit = "months", .help = "at the discount rate"}},
    Field{"npv_difference", &Investment::npv_difference, {.unit = "currency", .help = "npv of this less that of the baseline"}}};
template <>
inline constexpr auto fields<answers::ComparedScenario> =
    Rows{Field{"name", &answers::ComparedScenario::name, {}},
         Field{"result", &answers::ComparedScenario::result, {.schema = "result"}},
         Field{"difference", &answers::ComparedScenario::difference, {.help = "to the baseline"}},
         Field{"investment",
               &answers::ComparedScenario::investment,
               {.help = "against the baseline; null of the baseline, and where months differ"}}};
template <>
inline constexpr auto fields<DriverStep> =
    Rows{Field{"driver", &DriverStep::driver, {.help = "of the device cost; a category; other categories; tax"}},
         Field{"unit", &DriverStep::unit, {.help = "of a and b; currency is the answer's"}},
         Field{"a", &DriverStep::a, {.help = "of the baseline"}}, Field{"b", &DriverStep::b, {}},
         Field{"amount", &DriverStep::amount, {.unit = "currency", .help = "by which the figure moves"}}};
template <>
inline constexpr auto fields<Bridge> =
    Rows{Field{"figure", &Bridge::figure, {.help = "the one that decides; cost where that is no money"}},
         Field{"why", &Bridge::why, {.help = "the two largest steps in words, of `to` against the baseline"}},
         Field{"steps", &Bridge::steps, {.help = "they add up to the difference of the figure"}}};
template <>
inline constexpr auto fields<answers::WaterfallAnswer> =
    Rows{Field{"from", &answers::WaterfallAnswer::from, {}}, Field{"to", &answers::WaterfallAnswer::to, {}},
         Field{"steps", &answers::WaterfallAnswer::steps, {.help = "by what differs between the two, one after another"}},
         Field{"by_category", &answers::WaterfallAnswer::by_category, {.help = "by category of cost"}},
         Field{"bridge", &answers::WaterfallAnswer::bridge, {.help = "by drivers, with both values of each"}}};
template <>
inline constexpr auto fields<answers::ByUnitAnswer> =
    Rows{Field{"unit", &answers::ByUnitAnswer::unit, {.help = "of all their work"}},
         Field{"levelized_cost_per_million_units",
               &answers::ByUnitAnswer::levelized_cost_per_million_units,
               {.unit = "currency/million units", .help = "by scenario; null of one that can't do its work"}},
         Field{"cheapest", &answers::ByUnitAnswer::cheapest, {.help = "the number of the scenario with the least"}}};
template <>
inline constexpr auto fields<answers::ComparisonAnswer> = join(
    Rows{
        Field{"baseline", &answers::ComparisonAnswer::baseline, {}},
        Field{"currency", &answers::ComparisonAnswer::currency, {.format = Format::currency}},
        Field{"decide_by", &answers::ComparisonAnswer::decide_by, {.help = "the baseline's: the figure that cheapest goes by"}},
        Field{"cheapest",
              &answers::ComparisonAnswer::cheapest,
              {.help = "of the feasible scenarios, of equal ones the first; null where none is feasible, or their work differs"}},
        Field{"scenarios", &answers::ComparisonAnswer::scenarios, {}},
        Field{
            "waterfalls", &answers::ComparisonAnswer::waterfalls, {.help = "of the cost, from the baseline to each of the others"}},
        Field{
            "by_unit",
            &answers::ComparisonAnswer::by_unit,
            {.help = "where they are not comparable and share one currency, unit and kind of work: what a unit costs; else null"}}},
    answers::comparable_fields<answers::ComparisonAnswer>);

} // namespace costcurve::model
