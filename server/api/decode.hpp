// From JSON to documents by the field tables: every issue at once, each with its pointer. No cross-field rules.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "model/documents.hpp"
#include "model/failure.hpp"

namespace costcurve::api {

/// The scenario, or every field that is missing, unknown, of a wrong type or out of its range.
/// `pointer` is where the document stands in the request ("" at its root).
[[nodiscard]] model::Result<model::ScenarioDocument> decode_scenario(const nlohmann::json& json, const std::string& pointer = "");

/// The same for a document of the catalogue, by its name in the API: "device", "offer", "server", "site",
/// "curve" or "performance". References may be ids. Returns what is wrong; empty where nothing is.
[[nodiscard]] model::Failure check_document(std::string_view kind, const nlohmann::json& json);

} // namespace costcurve::api
