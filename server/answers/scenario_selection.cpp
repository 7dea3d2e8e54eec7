// Loads the scenarios of a request from one snapshot.
#include "server/answers/scenario_selection.hpp"

#include "model/documents/pointer.hpp"
#include "model/questions/variant.hpp"
#include "model/questions/wildcard.hpp"
#include "server/answers/evaluate.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/patch.hpp"

namespace costcurve::answers {

namespace {

// Multiplies the pointer's value in each scenario that has it. An issue if no scenario has it, or the product leaves its range.
void scale_all(std::vector<model::Placed>& scenarios, const std::string& pointer, double factor, const std::string& at,
               model::Failure& issues) {
    std::optional<model::Issue> none;
    bool is_found = false;
    for (model::Placed& scenario : scenarios) {
        model::Variant variant(std::move(scenario.document));
        const model::Result<std::size_t> input = variant.bind_factor(pointer, at);
        if (!input) {
            none = input.error().front();
        } else if (auto issue = variant.set(*input, factor, at)) {
            issue->message.insert(0, scenario.at + ": ");
            issues.push_back(std::move(*issue));
        }
        is_found = is_found || input.has_value();
        scenario.document = std::move(variant).take_document();
        if (input && factor != 1.0) {
            for (const auto& names : model::expand_wildcards(scenario.document, *model::split_pointer(pointer))) {
                model::forget_stored(scenario.document, names);
            }
        }
    }
    if (!is_found && none) {
        issues.push_back(std::move(*none));
    }
}

} // namespace

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
    if (issues.empty() && selection.scale.value != nullptr) {
        for (const auto& [pointer, factor] : selection.scale.value->members()) {
            scale_all(scenarios, std::string(pointer), factor.number(), join_pointer(selection.scale.pointer, pointer), issues);
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
