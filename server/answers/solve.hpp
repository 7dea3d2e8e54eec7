// The value of an input at which an output reaches a target: POST /v1/solve.
#pragma once

#include "model/questions/solve.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/request.hpp"

namespace costcurve::answers {

struct SolveRequest : model::SolveQuestion {
    using Answer = struct SolveAnswer;
    static constexpr QuestionNames names{"/v1/solve", "which value of an input gives a wanted output", "solve_request", "solved"};
    ScenarioInput scenario;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};
/// Sets the members' places in the request, for messages.
void check(SolveRequest& request, const QuestionLimits& limits, model::Failure& issues);

/// Evaluations of the scenario: steps over the range, and the roots between them.
[[nodiscard]] inline double evaluations(const SolveRequest& /*request*/, const std::vector<model::Placed>& /*scenario*/) {
    return 60;
}

[[nodiscard]] std::string encode_solved(const model::Solved& solved, const model::SolveQuestion& question);
[[nodiscard]] model::Result<std::string> answer(const SolveRequest& request, const std::vector<model::Placed>& scenarios);

struct SolveAnswer {
    std::string input;
    double value = 0.0;
    std::string unit;
    double output = 0.0;
    std::string output_unit;
    bool exact = true;
    std::vector<model::Solution> solutions;
    int iterations = 0;
    std::vector<std::string> notes;
};
/// Notes on the answer, such as that outages make the output non-monotonic.
[[nodiscard]] std::vector<std::string> notes_of(const model::Solved& solved, const model::SolveQuestion& question);

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<answers::SolveRequest> =
    join(Rows{Field{"scenario", &answers::SolveRequest::scenario, answers::kScenarioSpec},
              Field{"input", &SolveQuestion::input, answers::pointer_to("an input of the scenario", true)},
              Field{"low", &SolveQuestion::low, answers::bounded("the least value of the input", true)},
              Field{"high", &SolveQuestion::high, answers::bounded("the greatest value of the input", true)},
              Field{"output", &SolveQuestion::output, answers::pointer_to("a figure of the result", true)},
              Field{"target", &SolveQuestion::target, answers::bounded("the wanted value of the output", true)}},
         answers::what_if_fields<answers::SolveRequest>);
inline constexpr FieldSpec kExactSpec{.help = "false where the output jumps over the target there"};
template <>
inline constexpr auto fields<Solution> = Rows{Field{"value", &Solution::value, {}}, Field{"output", &Solution::output, {}},
                                              Field{"exact", &Solution::is_exact, kExactSpec}};
template <>
inline constexpr auto fields<answers::SolveAnswer> =
    Rows{Field{"input", &answers::SolveAnswer::input, {}},
         Field{"value", &answers::SolveAnswer::value, {.help = "the lowest where there are several"}},
         Field{"unit", &answers::SolveAnswer::unit, {}},
         Field{"output", &answers::SolveAnswer::output, {}},
         Field{"output_unit", &answers::SolveAnswer::output_unit, {}},
         Field{"exact", &answers::SolveAnswer::exact, kExactSpec},
         Field{"solutions", &answers::SolveAnswer::solutions, {.help = "all that were found"}},
         Field{"iterations", &answers::SolveAnswer::iterations, {.min = 0}},
         Field{"notes",
               &answers::SolveAnswer::notes,
               {.help = "where outages or spares make the output rise and fall in the range; absent without", .omit = true}}};

} // namespace costcurve::model
