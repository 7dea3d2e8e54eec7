// Break-even of two scenarios, over months or over an input.
#include "server/answers/break_even.hpp"

#include <array>

namespace costcurve::answers {

namespace {

using model::Code;

std::optional<EndAnswer> end_of(const model::Crossings& found) {
    if (!found.at_end) {
        return std::nullopt;
    }
    const bool has_cheaper = *found.at_end != 0.0 && found.relation != model::Relation::none;
    return EndAnswer{*found.at_end,
                     has_cheaper ? std::optional(*found.at_end < 0.0 ? Alternative::a : Alternative::b) : std::nullopt};
}

CrossingsAnswer crossings_answer(const model::Crossings& found) {
    CrossingsAnswer answer{{}, {}, {}, found.relation, found.difference, end_of(found)};
    for (const model::Crossing& crossing : found.crossings) {
        answer.crossings.push_back(crossing.at);
        answer.cheaper_after.push_back(crossing.a_is_cheaper ? Alternative::a : Alternative::b);
        answer.jumps.push_back(crossing.is_jump);
    }
    return answer;
}

} // namespace

void check(BreakEvenRequest& request, const QuestionLimits& /*limits*/, model::Failure& issues) {
    const bool is_over_input = request.input || request.low || request.high;
    if ((request.over && *request.over != "horizon") || (request.over && is_over_input)) {
        issues.push_back({"/over", Code::inconsistent, "give over: \"horizon\", or input with low and high"});
    }
    const auto require = [&](bool is_given, const char* pointer, const char* message) {
        if (is_over_input && !is_given) {
            issues.push_back({pointer, Code::missing, message});
        }
    };
    require(request.input.has_value(), "/input", "input is required: a JSON Pointer");
    require(request.low.has_value(), "/low", "low is required: the least value of the input");
    require(request.high.has_value(), "/high", "high is required: the greatest value of the input");
}

std::string encode_break_even(const model::BreakEven& found, std::string_view over, std::string_view unit,
                              std::string_view currency, bool ignore_unserved) {
    return encode_answer(BreakEvenAnswer{comparable_of(found.differences, ignore_unserved), std::string(over), std::string(unit),
                                         found.low, found.high, std::string(currency), found.feasible, found.cost.relation,
                                         found.stretches, crossings_answer(found.cost), crossings_answer(found.cash)});
}

model::Result<std::string> answer(const BreakEvenRequest& request, const std::vector<model::Placed>& scenarios) {
    const std::string& currency = scenarios.front().document.currency;
    model::Alternatives pair(scenarios, request.ignore_unserved);
    if (!request.input) {
        return break_even_over_horizon(pair).map([&](const model::BreakEven& found) {
            return encode_break_even(found, "horizon", "months", currency, request.ignore_unserved);
        });
    }
    return break_even_over_input(pair, *request.input, "/input", *request.low, *request.high)
        .map([&](const model::BreakEven& found) {
            return encode_break_even(found, *request.input, pair.input(0).unit, currency, request.ignore_unserved);
        });
}

} // namespace costcurve::answers
