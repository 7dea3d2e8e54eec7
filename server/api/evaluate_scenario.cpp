// The walk of one question, without transport and without a store.
#include "server/api/evaluate_scenario.hpp"

#include <nlohmann/json.hpp>

#include "model/evaluate.hpp"
#include "server/api/decode.hpp"
#include "server/api/json_text.hpp"

namespace costcurve::api {

model::Result<Evaluated> evaluate_document(model::ScenarioDocument document, const std::string& pointer) {
    std::string inputs_hash = sha256(encode_scenario(document));
    model::Result<model::Scenario> scenario = model::make_scenario(std::move(document));
    if (!scenario) {
        for (model::Issue& issue : scenario.error()) {
            issue.pointer.insert(0, pointer);
        }
        return tl::unexpected(std::move(scenario.error()));
    }
    const model::Compiled compiled = model::compile(*scenario);
    model::Workspace workspace(compiled);
    model::evaluate(compiled, workspace);
    model::Summary summary = model::summarize(*scenario, compiled, workspace.ledger);
    if (!model::is_finite(summary)) {
        return tl::unexpected(model::Failure{{pointer, model::Code::too_large,
                                              "a figure grows beyond what a double holds (1.8e308); lower growth_per_month, the "
                                              "demand or the prices"}});
    }
    return Evaluated{std::move(*scenario), std::move(inputs_hash), std::move(workspace.ledger), std::move(summary)};
}

model::Result<Evaluated> evaluate_text(std::string_view text) {
    const auto json = parse_json(text);
    if (!json) {
        return tl::unexpected(model::Failure{{"", model::Code::bad_format, json.error().message}});
    }
    model::Result<model::ScenarioDocument> document = decode_scenario(*json);
    if (!document) {
        return tl::unexpected(std::move(document.error()));
    }
    return evaluate_document(std::move(*document));
}

} // namespace costcurve::api
