// From JSON to documents by the field tables: every issue at once, each with its pointer. No cross-field rules.
// An id in a document's place becomes a reference, which work/resolve replaces.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "model/failure.hpp"
#include "server/work/resolve.hpp"

namespace costcurve::api {

/// A document, and every field that is missing, unknown, of a wrong type or out of its range. Where there are issues the
/// document is what could be read: good for finding more of them, nothing else.
template <class T> struct Decoded {
    T document;
    model::Failure issues;
};

/// `pointer` is where the document stands in the request ("" at its root).
[[nodiscard]] Decoded<model::ScenarioDocument> decode_scenario(const nlohmann::json& json, const std::string& pointer = "");

/// Any document, by its kind. `points_apart`: a stored body, whose curves have their points elsewhere.
[[nodiscard]] Decoded<work::AnyDocument> decode_document(storage::Kind kind, const nlohmann::json& json,
                                                         const std::string& pointer = "", bool points_apart = false);

/// The rules that a document keeps by itself, beyond its fields' ranges. None for a scenario: those need what it refers to.
[[nodiscard]] model::Failure check_rules(const work::AnyDocument& document);

} // namespace costcurve::api
