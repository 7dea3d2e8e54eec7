// From JSON to documents by the field tables: every issue at once, each with its pointer. Rules between fields are in rules.hpp.
// An id in a document's place becomes a reference, which references.hpp resolves.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/documents/failure.hpp"
#include "server/documents/any_document.hpp"
#include "server/documents/decoder.hpp"

namespace costcurve::documents {

/// A document, and every field that is missing, unknown, of a wrong type or out of its range. Where there are issues the
/// document is what could be read: good for finding more of them, nothing else.
template <class T> struct Decoded {
    T document;
    model::Failure issues;
    std::vector<std::string> unknown_fields = {}; ///< pointers, of a stored body: kept as they are, and no issue
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
