// One input at a time.
#include "server/answers/sensitivity.hpp"

#include <fmt/format.h>

#include "model/questions/ranking.hpp"
#include "server/answers/break_even.hpp"

namespace costcurve::answers {

void check(SensitivityRequest& request, const QuestionLimits& /*limits*/, model::Failure& /*issues*/) {
    for (std::size_t i = 0; request.inputs && i < request.inputs->size(); ++i) {
        (*request.inputs)[i].at = fmt::format("/inputs/{}", i);
    }
}

std::string encode_sensitivity(const model::Sensitivity& found, std::string_view output, std::string_view currency) {
    SensitivityAnswer answer{
        comparable_of(found.differences), std::string(output), found.output_unit, found.base, found.cheapest, found.swings};
    for (model::Swing& swing : answer.inputs) {
        swing.unit = with_currency(swing.unit, currency);
    }
    return encode_answer(answer);
}

model::Result<std::string> answer(const SensitivityRequest& request, const std::vector<model::Placed>& scenarios) {
    const model::ScenarioDocument& scenario = scenarios.front().document;
    model::Alternatives alternatives(scenarios);
    const std::string output = output_or_deciding(request.output, scenario);
    return sensitivity(alternatives, request.inputs ? *request.inputs : model::every_input(scenario, kUsualChange), output,
                       "/output")
        .map([&](const model::Sensitivity& found) { return encode_sensitivity(found, output, scenario.currency); });
}

} // namespace costcurve::answers
