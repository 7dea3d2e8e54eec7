// The walk of one question, without transport.
#include "server/api/evaluate_scenario.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/evaluate.hpp"
#include "server/api/decode.hpp"
#include "server/api/decode_value.hpp"
#include "server/api/json_text.hpp"
#include "server/api/records.hpp"

namespace costcurve::api {

namespace {

using nlohmann::json;

model::Result<Resolved> resolved(Decoded<model::ScenarioDocument> decoded, std::string as_of, const std::string& pointer,
                                 work::Source& source) {
    work::Resolution resolution = work::resolve(decoded.document, pointer, source, decode_revision);
    decoded.issues.insert(decoded.issues.end(), resolution.issues.begin(), resolution.issues.end());
    if (!decoded.issues.empty()) {
        return tl::unexpected(std::move(decoded.issues));
    }
    return Resolved{std::move(decoded.document), std::max(as_of, resolution.as_of)};
}

model::Result<Resolved> load_scenario(const std::string& id, const std::string& pointer, work::Source& source) {
    const storage::Snapshot* const snapshot = source.snapshot();
    std::optional<storage::Revision> found;
    if (snapshot != nullptr && is_slug(id)) {
        found = snapshot->load({storage::Kind::scenario, id});
    }
    if (!found) {
        return tl::unexpected(model::Failure{{pointer, model::Code::unknown_reference,
                                              fmt::format("no scenario has the id {}; send the scenario itself, or store it with "
                                                          "PUT /v1/scenarios/{{id}}",
                                                          shortened(id, 130))}});
    }
    return resolved({std::get<model::ScenarioDocument>(decode_revision(*found)), {}}, found->recorded_at, pointer, source);
}

// Replaces what each pointer names; a member of an object may be new, an entry of an array may not.
void apply_set(const json& set, json& scenario, const std::string& set_pointer, model::Failure& issues) {
    for (const auto& [pointer, value] : set.items()) {
        try {
            const json::json_pointer path(pointer);
            if (scenario.contains(path) || scenario.at(path.parent_pointer()).is_object()) {
                scenario[path] = value;
                continue;
            }
        } catch (const json::exception&) { // no pointer, or nothing on its way
        }
        issues.push_back(
            {join_pointer(set_pointer, pointer), model::Code::unknown_reference, "no JSON Pointer to a place in the scenario"});
    }
}

} // namespace

model::Result<Resolved> resolve_scenario(const json& scenario, const std::string& pointer, work::Source& source) {
    if (scenario.is_string()) {
        return load_scenario(scenario.get_ref<const std::string&>(), pointer, source);
    }
    Decoded<model::ScenarioDocument> decoded = decode_scenario(scenario, pointer);
    work::forget_revisions(decoded.document);
    return resolved(std::move(decoded), "", pointer, source);
}

model::Result<Resolved> with_set(const json& base, const std::string& as_of, const json& set, const std::string& pointer,
                                 const std::string& set_pointer, work::Source& source) {
    json scenario = base;
    model::Failure issues;
    apply_set(set, scenario, set_pointer, issues);
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return resolved(decode_scenario(scenario, pointer), as_of, pointer, source);
}

model::Result<Evaluated> evaluate_resolved(Resolved resolved, const std::string& pointer) {
    std::string inputs_hash = sha256(encode_scenario(resolved.document));
    model::Result<model::Scenario> scenario = model::make_scenario(std::move(resolved.document));
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
    return Evaluated{std::move(*scenario), std::move(inputs_hash), std::move(resolved.as_of), std::move(workspace.ledger),
                     std::move(summary)};
}

model::Result<Evaluated> evaluate_text(std::string_view text, work::Source& source) {
    const auto json = parse_json(text);
    if (!json) {
        return tl::unexpected(model::Failure{{"", model::Code::bad_format, json.error().message}});
    }
    model::Result<Resolved> scenario = resolve_scenario(*json, "", source);
    if (!scenario) {
        return tl::unexpected(std::move(scenario.error()));
    }
    return evaluate_resolved(std::move(*scenario));
}

} // namespace costcurve::api
