// Sensitivity: each input is varied by itself.
#include "server/answers/sensitivity.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/questions/ranking.hpp"

namespace costcurve::answers {

void check(SensitivityRequest& request, const QuestionLimits& /*limits*/, model::Failure& issues) {
    const auto refuse = [&](bool is_given, const char* at) {
        if (request.inputs && is_given) {
            issues.push_back({at, model::Code::inconsistent, "give inputs, or what to take of every number"});
        }
    };
    refuse(request.change.has_value(), "/change");
    refuse(request.decisions.has_value(), "/decisions");
    for (std::size_t i = 0; request.inputs && i < request.inputs->size(); ++i) {
        (*request.inputs)[i].at = fmt::format("/inputs/{}", i);
    }
}

double evaluations(const SensitivityRequest& request, const std::vector<model::Placed>& scenarios) {
    const std::size_t inputs =
        request.inputs ? request.inputs->size()
                       : model::every_input(scenarios.front().document, kUsualChange, request.decisions.value_or(false)).size();
    return 1.0 + 2.0 * static_cast<double>(inputs);
}

std::string encode_sensitivity(const model::Sensitivity& found, std::string_view output, bool ignore_unserved) {
    SensitivityAnswer answer{comparable_of(found.differences, ignore_unserved),
                             std::string(output),
                             found.output_unit,
                             found.base,
                             found.cheapest,
                             found.swings,
                             found.without_effect.size(),
                             found.without_effect};
    answer.first_without_effect.resize(std::min(kMaxWithoutEffect, found.without_effect.size()));
    return encode_answer(answer);
}

model::Result<std::string> answer(const SensitivityRequest& request, const std::vector<model::Placed>& scenarios) {
    const model::ScenarioDocument& scenario = scenarios.front().document;
    model::Alternatives alternatives(scenarios, request.ignore_unserved);
    const std::string output = output_or_deciding(request.output, scenario);
    const std::vector<model::Moved> inputs =
        request.inputs ? *request.inputs
                       : model::every_input(scenario, request.change.value_or(kUsualChange), request.decisions.value_or(false));
    return sensitivity(alternatives, inputs, output, "/output").map([&](const model::Sensitivity& found) {
        return encode_sensitivity(found, output, request.ignore_unserved);
    });
}

} // namespace costcurve::answers
