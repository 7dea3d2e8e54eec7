// Decodes JSON to documents by the field tables and reports all issues at once, each with its pointer. Rules between fields are in
// rules.hpp. An id in place of a document becomes a reference, which references.hpp resolves.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/documents/failure.hpp"
#include "server/documents/any_document.hpp"
#include "server/documents/decoder.hpp"

namespace costcurve::documents {

/// A decoded document and issues for all missing, unknown, mistyped or out-of-range fields. If there are issues, the document has
/// only the readable parts and may be used only to find more issues.
template <class T> struct Decoded {
    T document;
    model::Failure issues;
    std::vector<std::string> unknown_fields = {}; ///< pointers of unknown fields in a stored body: kept unchanged, not an issue
};

/// `pointer` is where the document stands in the request ("" at its root).
[[nodiscard]] Decoded<model::ScenarioDocument> decode_scenario(const JsonValue& value, const std::string& pointer = "");
[[nodiscard]] Decoded<model::ScenarioDocument> decode_scenario(const nlohmann::json& tree, const std::string& pointer = "");

/// Any document, by its kind.
[[nodiscard]] Decoded<AnyDocument> decode_document(storage::Kind kind, const JsonValue& value, const std::string& pointer = "",
                                                   Reading reading = Reading::strict);
[[nodiscard]] Decoded<AnyDocument> decode_document(storage::Kind kind, const nlohmann::json& tree, const std::string& pointer = "",
                                                   Reading reading = Reading::strict);

} // namespace costcurve::documents
