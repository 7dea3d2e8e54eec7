// Evaluates a request: references, model, result.
#include "server/answers/evaluate.hpp"

#include <utility>

#include <fmt/format.h>

#include "model/evaluate.hpp"
#include "model/version.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/decoder.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/records.hpp"
#include "server/storage/sha256.hpp"

namespace costcurve::answers {

namespace {

model::Result<model::ScenarioDocument> resolved(documents::Decoded<model::ScenarioDocument> decoded, const std::string& pointer,
                                                documents::Source& source) {
    documents::resolve(decoded, pointer, source);
    if (!decoded.issues.empty()) {
        return tl::unexpected(std::move(decoded.issues));
    }
    return std::move(decoded.document);
}

} // namespace

model::Result<model::ScenarioDocument> resolve_stored(std::string_view id, const std::string& pointer, documents::Source& source) {
    const auto found = documents::is_slug(id) ? source.load({storage::Kind::scenario, std::string(id)}) : std::nullopt;
    if (!found) {
        return tl::unexpected(model::Failure{{pointer, model::Code::unknown_reference,
                                              fmt::format("no scenario has the id {}; send the scenario itself, or store it with "
                                                          "PUT /v1/scenarios/{{id}}",
                                                          shortened(id, 130))}});
    }
    documents::Decoded<model::ScenarioDocument> decoded;
    try {
        decoded.document = std::get<model::ScenarioDocument>(documents::decode_revision(*found));
    } catch (const storage::StoreError& error) {
        if (error.cause() != storage::StoreError::Cause::unreadable) {
            throw;
        }
        return tl::unexpected(model::Failure{{pointer, model::Code::unreadable_document, error.what()}});
    }
    decoded.document.stored.recorded_at = found->recorded_at;
    decoded.document.stored.sequence = found->sequence;
    return resolved(std::move(decoded), pointer, source);
}

model::Result<model::ScenarioDocument> resolve_scenario(const JsonValue& scenario, const std::string& pointer,
                                                        documents::Source& source) {
    if (scenario.is_string()) {
        return resolve_stored(scenario.text(), pointer, source);
    }
    documents::Decoded<model::ScenarioDocument> decoded = documents::decode_scenario(scenario, pointer);
    documents::forget_revisions(decoded.document);
    return resolved(std::move(decoded), pointer, source);
}

std::string hash_of(const model::ScenarioDocument& resolved) {
    return storage::sha256(documents::encode_canonical(resolved).append("\n").append(model::kModelVersion));
}

model::Result<Evaluated> evaluate_resolved(model::ScenarioDocument document, const std::string& pointer, std::string inputs_hash) {
    model::HourTable hours;
    return evaluate_resolved(std::move(document), pointer, std::move(inputs_hash), hours);
}

model::Result<Evaluated> evaluate_resolved(model::ScenarioDocument document, const std::string& pointer, std::string inputs_hash,
                                           model::HourTable& hours) {
    if (inputs_hash.empty()) {
        inputs_hash = hash_of(document);
    }
    std::string as_of = documents::newest_record(document);
    model::Result<model::Scenario> scenario = model::make_scenario(std::move(document));
    if (!scenario) {
        for (model::Issue& issue : scenario.error()) {
            issue.pointer.insert(0, pointer);
        }
        return tl::unexpected(std::move(scenario.error()));
    }
    model::Compiled compiled = model::compile(*scenario, std::exchange(hours, {}));
    model::Workspace workspace(compiled);
    model::evaluate(compiled, workspace);
    model::Summary summary = model::summarize(*scenario, compiled, workspace.ledger);
    hours = std::move(compiled.hours);
    if (!model::is_finite(summary)) {
        return tl::unexpected(model::Failure{{pointer, model::Code::too_large,
                                              "a figure grows beyond what a double holds (1.8e308); lower growth_per_month, the "
                                              "demand or the prices"}});
    }
    return Evaluated{std::move(*scenario), std::move(inputs_hash), std::move(as_of), std::move(workspace.ledger),
                     std::move(summary)};
}

model::Result<model::ScenarioDocument> resolve_text(std::string_view text, documents::Source& source, const std::string& pointer) {
    const auto parsed = parse(text);
    if (!parsed) {
        return tl::unexpected(model::Failure{{pointer, model::Code::bad_format, parsed.error().message}});
    }
    return resolve_scenario(**parsed, pointer, source);
}

model::Result<Evaluated> evaluate_text(std::string_view text, documents::Source& source) {
    return resolve_text(text, source).and_then([](model::ScenarioDocument scenario) {
        return evaluate_resolved(std::move(scenario));
    });
}

} // namespace costcurve::answers
