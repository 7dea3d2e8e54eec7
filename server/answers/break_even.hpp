// When a is cheaper than b, over the horizon or over an input: POST /v1/break-even.
#pragma once

#include "model/questions/break_even.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/comparable.hpp"
#include "server/answers/request.hpp"

namespace costcurve::answers {

struct BreakEvenRequest {
    using Answer = struct BreakEvenAnswer;
    static constexpr QuestionNames names{"/v1/break-even",
                                         "where two scenarios cost the same",
                                         "break_even_request",
                                         "break_even",
                                         "",
                                         "over the horizon, or over an input"};
    ScenarioInput a;
    ScenarioInput b;
    std::optional<std::string> over;
    std::optional<std::string> input;
    std::optional<double> low;
    std::optional<double> high;
    bool ignore_unserved = false;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};
/// Evaluations of both scenarios: steps over the range, and the roots between them.
[[nodiscard]] inline double evaluations(const BreakEvenRequest& /*request*/, const std::vector<model::Placed>& /*both*/) {
    return 100;
}

/// Checks that it is over the horizon, or over an input with its range.
void check(BreakEvenRequest& request, const QuestionLimits& limits, model::Failure& issues);

/// `over` is "horizon" or an input's pointer; `unit` is the unit of the crossings.
[[nodiscard]] std::string encode_break_even(const model::BreakEven& found, std::string_view over, std::string_view unit,
                                            std::string_view currency, bool ignore_unserved);
[[nodiscard]] model::Result<std::string> answer(const BreakEvenRequest& request, const std::vector<model::Placed>& scenarios);

/// Which of two scenarios.
enum class Alternative { a, b };

/// Break-even figures after the settlement at the horizon's end.
struct EndAnswer {
    double difference = 0.0;
    std::optional<Alternative> cheaper;
};
struct CrossingsAnswer {
    std::vector<double> crossings;
    std::vector<Alternative> cheaper_after;
    std::vector<bool> jumps;
    model::Relation relation{};
    std::vector<double> difference;
    std::optional<EndAnswer> at_end;
};
struct BreakEvenAnswer : Comparable {
    std::string over;
    std::string unit;
    std::optional<double> low;
    std::optional<double> high;
    std::string currency;
    std::array<bool, 2> feasible{};
    model::Relation relation{};
    std::vector<model::Stretch> stretches;
    CrossingsAnswer cost;
    CrossingsAnswer cash;
};

} // namespace costcurve::answers

namespace costcurve::model {

template <> inline constexpr auto enum_names<answers::Alternative> = std::to_array<std::string_view>({"a", "b"});
template <>
inline constexpr auto fields<answers::BreakEvenRequest> = join(
    Rows{Field{"a", &answers::BreakEvenRequest::a, answers::kScenarioSpec},
         Field{"b", &answers::BreakEvenRequest::b, answers::kScenarioSpec},
         Field{
             "over", &answers::BreakEvenRequest::over, {.format = Format::name, .help = "\"horizon\", the default, or give input"}},
         Field{"input", &answers::BreakEvenRequest::input,
               answers::pointer_to("an input, in both scenarios or in one of them; with low and high", false)},
         Field{"low", &answers::BreakEvenRequest::low, answers::bounded("the least value of the input", false)},
         Field{"high", &answers::BreakEvenRequest::high, answers::bounded("the greatest value of the input", false)}},
    answers::ignore_unserved_field<answers::BreakEvenRequest>, answers::what_if_fields<answers::BreakEvenRequest>);
template <>
inline constexpr auto fields<answers::EndAnswer> =
    Rows{Field{"difference", &answers::EndAnswer::difference, {.help = "a less b, terminal values included"}},
         Field{"cheaper", &answers::EndAnswer::cheaper, {.help = "null where they are equal or the relation is none"}}};
inline constexpr FieldSpec kRelationSpec{
    .help = "over an input, always is said of low to high without the stretches; none: nowhere is either the cheaper"};
template <>
inline constexpr auto fields<answers::CrossingsAnswer> =
    Rows{Field{"crossings", &answers::CrossingsAnswer::crossings, {.help = "months from the start, or values of the input"}},
         Field{"cheaper_after", &answers::CrossingsAnswer::cheaper_after, {.help = "beyond each crossing"}},
         Field{"jumps",
               &answers::CrossingsAnswer::jumps,
               {.help = "true where the difference jumps over zero there: at a payment, a whole instance more, behind a stretch"}},
         Field{"relation", &answers::CrossingsAnswer::relation, kRelationSpec},
         Field{"difference",
               &answers::CrossingsAnswer::difference,
               {.help = "over the horizon: sum of a less that of b at each month's end, terminal values left out"}},
         Field{"at_end",
               &answers::CrossingsAnswer::at_end,
               {.help = "once the horizon's end is settled; null over an input, or where the months differ"}}};
template <>
inline constexpr auto fields<Stretch> =
    Rows{Field{"from", &Stretch::from, {}}, Field{"to", &Stretch::to, {.help = "it too is in the stretch"}},
         Field{"because", &Stretch::because, {.help = "invalid: the values break a rule"}}};
template <>
inline constexpr auto fields<answers::BreakEvenAnswer> =
    join(Rows{Field{"over", &answers::BreakEvenAnswer::over, {}},
              Field{"unit", &answers::BreakEvenAnswer::unit, {.help = "of the crossings"}},
              Field{"low", &answers::BreakEvenAnswer::low, {.help = "of the input: the range that was searched, to high"}},
              Field{"high", &answers::BreakEvenAnswer::high, {}},
              Field{"currency", &answers::BreakEvenAnswer::currency, {.format = Format::currency}},
              Field{"feasible",
                    &answers::BreakEvenAnswer::feasible,
                    {.help = "[a, b]: whether it can do its work; over an input, at any value of the range"}},
              Field{"relation", &answers::BreakEvenAnswer::relation, {.help = "of the cost"}},
              Field{"stretches",
                    &answers::BreakEvenAnswer::stretches,
                    {.help = "of the range, in which neither is the cheaper: one can't do its work, or they do not do the same"}},
              Field{"cost", &answers::BreakEvenAnswer::cost, {}}, Field{"cash", &answers::BreakEvenAnswer::cash, {}}},
         answers::comparable_fields<answers::BreakEvenAnswer>);

} // namespace costcurve::model
