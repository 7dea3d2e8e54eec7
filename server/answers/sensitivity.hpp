// How far each input moves an output: POST /v1/sensitivity.
#pragma once

#include "model/questions/sensitivity.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/comparable.hpp"
#include "server/answers/request.hpp"

namespace costcurve::answers {

struct SensitivityRequest {
    ScenarioInput scenario;
    std::vector<ScenarioInput> against;
    std::optional<std::vector<model::Moved>> inputs;
    std::string output; ///< "": the figure that decides
    WhatIf set;
    Moment as_of;
};
/// Notes where the inputs stand.
void check(SensitivityRequest& request, const QuestionLimits& limits, model::Failure& issues);

[[nodiscard]] std::string encode_sensitivity(const model::Sensitivity& found, std::string_view output, std::string_view currency);
[[nodiscard]] model::Result<std::string> answer(const SensitivityRequest& request, const std::vector<model::Placed>& scenarios);

struct SensitivityAnswer : Comparable {
    std::string output;
    std::string unit;
    std::optional<double> base;
    std::optional<std::size_t> cheapest;
    std::vector<model::Swing> inputs;
};

/// By how much every input changes where none are named.
inline constexpr double kUsualChange = 0.2;

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<Moved> =
    std::tuple{Field{"pointer", &Moved::pointer, answers::pointer_to("an input of the scenario", true)},
               Field{"low", &Moved::low, answers::bounded("with high; else change", false)},
               Field{"high", &Moved::high, answers::bounded("with low; else change", false)},
               Field{"change", &Moved::change, {.min = 0, .max = 1, .help = "of the value, up and down; else low and high"}}};
template <>
inline constexpr auto fields<answers::SensitivityRequest> =
    std::tuple_cat(std::tuple{Field{"scenario", &answers::SensitivityRequest::scenario, answers::kScenarioSpec},
                              Field{"against",
                                    &answers::SensitivityRequest::against,
                                    {.min = 0, .max = answers::kMaxScenarios, .help = "others that may become the cheapest"}},
                              Field{"inputs",
                                    &answers::SensitivityRequest::inputs,
                                    {.min = 1, .max = 1000, .help = "where absent, every number of the scenario, changed by 0.2"}},
                              Field{"output", &answers::SensitivityRequest::output,
                                    answers::pointer_to("a figure of the result; default the scenario's decide_by", false)}},
                   answers::what_if_fields<answers::SensitivityRequest>);
template <>
inline constexpr auto fields<SwingEnd> = std::tuple{Field{"input", &SwingEnd::input, {}}, Field{"output", &SwingEnd::output, {}}};
template <>
inline constexpr auto fields<Flip> = std::tuple{
    Field{"value", &Flip::value, {}}, Field{"cheapest", &Flip::cheapest, {.help = "0 is scenario, 1 the first of against"}}};
template <>
inline constexpr auto fields<Swing> =
    std::tuple{Field{"pointer", &Swing::pointer, {}},
               Field{"unit", &Swing::unit, {}},
               Field{"base", &Swing::base, {.help = "null where the scenario states nothing"}},
               Field{"low", &Swing::low, {}},
               Field{"high", &Swing::high, {}},
               Field{"elasticity", &Swing::elasticity, {.help = "relative change of the output over that of the input"}},
               Field{"flips_at", &Swing::flips_at, {.help = "where another becomes the cheapest"}}};
template <>
inline constexpr auto fields<answers::SensitivityAnswer> = std::tuple_cat(
    std::tuple{Field{"output", &answers::SensitivityAnswer::output, {}}, Field{"unit", &answers::SensitivityAnswer::unit, {}},
               Field{"base", &answers::SensitivityAnswer::base, {}},
               Field{"cheapest", &answers::SensitivityAnswer::cheapest, {.help = "at the base: 0 is scenario"}},
               Field{"inputs", &answers::SensitivityAnswer::inputs, {.help = "the widest swing first"}}},
    answers::comparable_fields<answers::SensitivityAnswer>);

} // namespace costcurve::model
