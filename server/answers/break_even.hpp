// When a is cheaper than b, over the horizon or over an input: POST /v1/break-even.
#pragma once

#include "model/questions/break_even.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/request.hpp"

namespace costcurve::answers {

struct BreakEvenRequest {
    ScenarioInput a;
    ScenarioInput b;
    std::optional<std::string> over;
    std::optional<std::string> input;
    std::optional<double> low;
    std::optional<double> high;
    WhatIf set;
    Moment as_of;
};
/// Over the horizon, or over an input with its range.
void check(BreakEvenRequest& request, const QuestionLimits& limits, model::Failure& issues);

/// `over` is "horizon" or an input's pointer; `unit` that of the crossings.
[[nodiscard]] std::string encode_break_even(const model::BreakEven& found, std::string_view over, std::string_view unit,
                                            std::string_view currency);
[[nodiscard]] model::Result<std::string> answer(const BreakEvenRequest& request, const std::vector<model::Placed>& scenarios);

/// The unit with the currency's code in the place of the word.
[[nodiscard]] std::string with_currency(std::string_view unit, std::string_view currency);

/// Which of two scenarios.
enum class Alternative { a, b };

struct CrossingsAnswer {
    std::vector<double> crossings;
    std::vector<Alternative> cheaper_after;
    std::vector<bool> jumps;
    model::Relation relation{};
    std::vector<double> difference;
};
struct BreakEvenAnswer {
    std::string over;
    std::string unit;
    std::string currency;
    model::Relation relation{};
    CrossingsAnswer cost;
    CrossingsAnswer cash;
};

} // namespace costcurve::answers

namespace costcurve::model {

template <> inline constexpr auto enum_names<answers::Alternative> = std::to_array<std::string_view>({"a", "b"});
template <>
inline constexpr auto fields<answers::BreakEvenRequest> = std::tuple_cat(
    std::tuple{Field{"a", &answers::BreakEvenRequest::a, answers::kScenarioSpec},
               Field{"b", &answers::BreakEvenRequest::b, answers::kScenarioSpec},
               Field{"over",
                     &answers::BreakEvenRequest::over,
                     {.format = Format::name, .help = "\"horizon\", the default, or give input"}},
               Field{"input", &answers::BreakEvenRequest::input,
                     answers::pointer_to("an input, in both scenarios or in one of them; with low and high", false)},
               Field{"low", &answers::BreakEvenRequest::low, answers::bounded("the least value of the input", false)},
               Field{"high", &answers::BreakEvenRequest::high, answers::bounded("the greatest value of the input", false)}},
    answers::what_if_fields<answers::BreakEvenRequest>);
template <>
inline constexpr auto fields<answers::CrossingsAnswer> =
    std::tuple{Field{"crossings", &answers::CrossingsAnswer::crossings, {.help = "months from the start, or values of the input"}},
               Field{"cheaper_after", &answers::CrossingsAnswer::cheaper_after, {.help = "beyond each crossing"}},
               Field{"jumps", &answers::CrossingsAnswer::jumps, {.help = "true where the difference jumps over zero there"}},
               Field{"relation", &answers::CrossingsAnswer::relation, {}},
               Field{"difference",
                     &answers::CrossingsAnswer::difference,
                     {.help = "over the horizon: sum of a less that of b at each month's end"}}};
template <>
inline constexpr auto fields<answers::BreakEvenAnswer> =
    std::tuple{Field{"over", &answers::BreakEvenAnswer::over, {}},
               Field{"unit", &answers::BreakEvenAnswer::unit, {.help = "of the crossings"}},
               Field{"currency", &answers::BreakEvenAnswer::currency, {.format = Format::currency}},
               Field{"relation", &answers::BreakEvenAnswer::relation, {.help = "of the cost"}},
               Field{"cost", &answers::BreakEvenAnswer::cost, {}},
               Field{"cash", &answers::BreakEvenAnswer::cash, {}}};

} // namespace costcurve::model
