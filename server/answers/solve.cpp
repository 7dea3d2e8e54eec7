// Solves for an input at which an output reaches its target, in one scenario.
#include "server/answers/solve.hpp"

#include <fmt/format.h>

#include "model/questions/turns.hpp"

namespace costcurve::answers {

void check(SolveRequest& request, const QuestionLimits& /*limits*/, model::Failure& /*issues*/) {
    request.input_at = "/input";
    request.output_at = "/output";
    request.target_at = "/target";
}

std::vector<std::string> notes_of(const model::Solved& solved, const model::SolveQuestion& question) {
    if (!solved.turns_at) {
        return {};
    }
    return {fmt::format("{} both rises and falls between {:g} and {:g}, first at {:g}: {}. Other values, between those that were "
                        "looked at, may give {:g} too",
                        question.output, question.low, question.high, *solved.turns_at, model::kWhyOutagesTurn, question.target)};
}

std::string encode_solved(const model::Solved& solved, const model::SolveQuestion& question) {
    const model::Solution& first = solved.solutions.front();
    return encode_answer(SolveAnswer{question.input, first.value, solved.unit, first.output, solved.output_unit, first.is_exact,
                                     solved.solutions, solved.iterations, notes_of(solved, question)});
}

model::Result<std::string> answer(const SolveRequest& request, const std::vector<model::Placed>& scenarios) {
    model::Alternatives scenario(scenarios);
    return model::solve(scenario, request).map([&](const model::Solved& solved) { return encode_solved(solved, request); });
}

} // namespace costcurve::answers
