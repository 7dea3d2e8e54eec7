// How far each input moves an output: POST /v1/sensitivity.
#pragma once

#include "model/questions/sensitivity.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/comparable.hpp"
#include "server/answers/request.hpp"

namespace costcurve::answers {

struct SensitivityRequest {
    using Answer = struct SensitivityAnswer;
    static constexpr QuestionNames names{"/v1/sensitivity", "which inputs matter, and which change the cheapest",
                                         "sensitivity_request", "sensitivity"};
    ScenarioInput scenario;
    std::vector<ScenarioInput> against;
    std::optional<std::vector<model::Moved>> inputs;
    std::optional<double> change;
    std::optional<bool> decisions;
    std::string output; ///< "" for the figure that decides
    bool ignore_unserved = false;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};
/// Sets each input's place in the request, for messages. A request that lists inputs can't have `change` or `decisions`.
void check(SensitivityRequest& request, const QuestionLimits& limits, model::Failure& issues);

/// Evaluations per scenario: two per input.
[[nodiscard]] double evaluations(const SensitivityRequest& request, const std::vector<model::Placed>& scenarios);

[[nodiscard]] std::string encode_sensitivity(const model::Sensitivity& found, std::string_view output, bool ignore_unserved);
[[nodiscard]] model::Result<std::string> answer(const SensitivityRequest& request, const std::vector<model::Placed>& scenarios);

struct SensitivityAnswer : Comparable {
    std::string output;
    std::string unit;
    std::optional<double> base;
    std::optional<std::size_t> cheapest;
    std::vector<model::Swing> inputs;
    std::size_t without_effect = 0;
    std::vector<std::string> first_without_effect;
};

/// Maximum number of listed inputs without effect.
inline constexpr std::size_t kMaxWithoutEffect = 10;

/// Relative change of every input if none are named.
inline constexpr double kUsualChange = 0.2;

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<Moved> =
    Rows{Field{"pointer", &Moved::pointer, answers::pointer_to("an input of the scenario", true)},
         Field{"low", &Moved::low, answers::bounded("with high; else change", false)},
         Field{"high", &Moved::high, answers::bounded("with low; else change", false)},
         Field{"change", &Moved::change, {.min = 0, .max = 1, .help = "of the value, up and down; else low and high"}}};
template <>
inline constexpr auto fields<answers::SensitivityRequest> = join(
    Rows{Field{"scenario", &answers::SensitivityRequest::scenario, answers::kScenarioSpec},
         Field{"against",
               &answers::SensitivityRequest::against,
               {.min = 0, .max = answers::kMaxScenarios, .help = "others that may become the cheapest"}},
         Field{"inputs",
               &answers::SensitivityRequest::inputs,
               {.min = 1, .max = 1000, .help = "where absent, every number of the scenario that has an effect"}},
         Field{"change",
               &answers::SensitivityRequest::change,
               {.min = 0, .max = 1, .above_min = true, .help = "of every number, where there are no inputs; 0.2 where absent"}},
         Field{"decisions",
               &answers::SensitivityRequest::decisions,
               {.help = "numbers of servers and instances and the horizon too, where there are no inputs"}},
         Field{"output", &answers::SensitivityRequest::output,
               answers::pointer_to("a figure of the result; default the scenario's decide_by", false)}},
    answers::ignore_unserved_field<answers::SensitivityRequest>, answers::what_if_fields<answers::SensitivityRequest>);
template <>
inline constexpr auto fields<SwingEnd> =
    Rows{Field{"input", &SwingEnd::input, {.help = "as it was set: whole inputs by whole steps"}},
         Field{"change", &SwingEnd::change, {.help = "from base to it, as a fraction of base; null where that is 0 or null"}},
         Field{"output", &SwingEnd::output, {}}};
template <>
inline constexpr auto fields<Flip> = Rows{
    Field{"value", &Flip::value, {}},
    Field{"cheapest", &Flip::cheapest, {.help = "0 is scenario, 1 the first of against; null where none can do its work there"}},
    Field{"infeasible",
          &Flip::is_infeasible,
          {.help = "the cheapest of the base breaks a rule or can't do its work there; absent where it only costs more",
           .omit = true}}};
template <>
inline constexpr auto fields<Swing> =
    Rows{Field{"pointer", &Swing::pointer, {}},
         Field{"unit", &Swing::unit, {}},
         Field{"base", &Swing::base, {.help = "null where the scenario states nothing"}},
         Field{"low", &Swing::low, {}},
         Field{"high", &Swing::high, {}},
         Field{"elasticity", &Swing::elasticity, {.help = "relative change of the output over that of the input"}},
         Field{"flips_at",
               &Swing::flips_at,
               {.help = "where the base's cheapest is it no more: another costs less, or it can't do its work"}}};
template <>
inline constexpr auto fields<answers::SensitivityAnswer> =
    join(Rows{Field{"output", &answers::SensitivityAnswer::output, {}}, Field{"unit", &answers::SensitivityAnswer::unit, {}},
              Field{"base", &answers::SensitivityAnswer::base, {}},
              Field{"cheapest", &answers::SensitivityAnswer::cheapest, {.help = "at the base: 0 is scenario"}},
              Field{"inputs", &answers::SensitivityAnswer::inputs, {.help = "the widest swing first"}},
              Field{"without_effect",
                    &answers::SensitivityAnswer::without_effect,
                    {.min = 0, .help = "numbers of the scenario that were left out, as the output stays the same"}},
              Field{"first_without_effect", &answers::SensitivityAnswer::first_without_effect, {.help = "pointers to the first"}}},
         answers::comparable_fields<answers::SensitivityAnswer>);

} // namespace costcurve::model
