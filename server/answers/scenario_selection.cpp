// One snapshot answers for all scenarios of a request.
#include "server/answers/scenario_selection.hpp"

#include <nlohmann/json.hpp>

#include "server/answers/evaluate.hpp"
#include "server/documents/patch.hpp"

namespace costcurve::answers {

model::Result<std::vector<model::Placed>> resolve_selection(const ScenarioSelection& selection, documents::Source& source,
                                                            bool one_currency) {
    std::vector<model::Placed> scenarios;
    scenarios.reserve(selection.scenarios.size());
    model::Failure issues;
    for (const ScenarioInput& input : selection.scenarios) {
        model::Result<model::ScenarioDocument> resolved = resolve_scenario(*input.value, input.pointer, source);
        if (resolved && selection.set.value != nullptr) {
            resolved = documents::patched(*resolved, *selection.set.value, input.pointer, selection.set.pointer, source);
        }
        if (resolved) {
            scenarios.push_back({std::move(*resolved), input.pointer});
        } else {
            issues.add_all(resolved.error());
        }
    }
    if (issues.empty() && one_currency) {
        issues = model::check_currencies(scenarios);
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return scenarios;
}

} // namespace costcurve::answers
