// The walk of one question, without transport.
#include "server/api/evaluate_scenario.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/evaluate.hpp"
#include "model/walk.hpp"
#include "server/api/decode.hpp"
#include "server/api/decode_value.hpp"
#include "server/api/json_text.hpp"
#include "server/api/records.hpp"
#include "server/storage/sha256.hpp"

namespace costcurve::api {

namespace {

using nlohmann::json;

model::Result<model::ScenarioDocument> resolved(Decoded<model::ScenarioDocument> decoded, const std::string& pointer,
                                                work::Source& source) {
    const model::Failure unresolved = work::resolve(decoded.document, pointer, source, decode_revision);
    decoded.issues.insert(decoded.issues.end(), unresolved.begin(), unresolved.end());
    if (!decoded.issues.empty()) {
        return tl::unexpected(std::move(decoded.issues));
    }
    return std::move(decoded.document);
}

// Calls visit(document, its text) for each document in the scenario that says it is a stored one.
template <class S, class F> void for_each_pinned(S& scenario, const F& visit) {
    std::string at;
    model::walk(scenario, at, {}, [&](auto& document, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
        if constexpr (model::is_stored<std::decay_t<decltype(document)>>) {
            if (document.stored.revision > 0) {
                visit(document, encode_document(work::AnyDocument(document)));
            }
        }
    });
}

model::Result<model::ScenarioDocument> load_scenario(const std::string& id, const std::string& pointer, work::Source& source) {
    const auto found = is_slug(id) ? source.load({storage::Kind::scenario, id}) : std::nullopt;
    if (!found) {
        return tl::unexpected(model::Failure{{pointer, model::Code::unknown_reference,
                                              fmt::format("no scenario has the id {}; send the scenario itself, or store it with "
                                                          "PUT /v1/scenarios/{{id}}",
                                                          shortened(id, 130))}});
    }
    Decoded<model::ScenarioDocument> decoded{std::get<model::ScenarioDocument>(decode_revision(*found)), {}};
    decoded.document.stored.recorded_at = found->recorded_at;
    return resolved(std::move(decoded), pointer, source);
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

model::Result<model::ScenarioDocument> resolve_scenario(const json& scenario, const std::string& pointer, work::Source& source) {
    if (scenario.is_string()) {
        return load_scenario(scenario.get_ref<const std::string&>(), pointer, source);
    }
    Decoded<model::ScenarioDocument> decoded = decode_scenario(scenario, pointer);
    work::forget_revisions(decoded.document);
    return resolved(std::move(decoded), pointer, source);
}

StoredTexts stored_texts(const model::ScenarioDocument& resolved) {
    StoredTexts texts;
    for_each_pinned(resolved,
                    [&](const auto& document, std::string text) { texts.emplace(std::move(text), document.stored.recorded_at); });
    return texts;
}

model::Result<model::ScenarioDocument> with_set(const json& base, const StoredTexts& stored, const json& set,
                                                const std::string& pointer, const std::string& set_pointer, work::Source& source) {
    json scenario = base;
    model::Failure issues;
    apply_set(set, scenario, set_pointer, issues);
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    Decoded<model::ScenarioDocument> decoded = decode_scenario(scenario, pointer);
    for_each_pinned(decoded.document, [&](auto& document, const std::string& text) {
        const auto same = stored.find(text);
        document.stored.revision = same == stored.end() ? 0 : document.stored.revision;
        document.stored.recorded_at = same == stored.end() ? "" : same->second;
    });
    return resolved(std::move(decoded), pointer, source);
}

std::string hash_of(const model::ScenarioDocument& resolved) { return storage::sha256(encode_scenario(resolved)); }

model::Result<Evaluated> evaluate_resolved(model::ScenarioDocument document, const std::string& pointer, std::string inputs_hash) {
    if (inputs_hash.empty()) {
        inputs_hash = hash_of(document);
    }
    std::string as_of = work::newest_record(document);
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
    return Evaluated{std::move(*scenario), std::move(inputs_hash), std::move(as_of), std::move(workspace.ledger),
                     std::move(summary)};
}

model::Result<model::ScenarioDocument> resolve_text(std::string_view text, work::Source& source, const std::string& pointer) {
    const auto json = parse_json(text);
    if (!json) {
        return tl::unexpected(model::Failure{{pointer, model::Code::bad_format, json.error().message}});
    }
    return resolve_scenario(*json, pointer, source);
}

model::Result<Evaluated> evaluate_text(std::string_view text, work::Source& source) {
    return resolve_text(text, source).and_then([](model::ScenarioDocument scenario) {
        return evaluate_resolved(std::move(scenario));
    });
}

} // namespace costcurve::api
