// One question from text to answer: parse, decode, resolve, make, compile, evaluate, summarize. HTTP and command line share it.
#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "server/api/encode.hpp"

namespace costcurve::api {

/// The stored documents in a resolved scenario: when each was recorded, by its whole text with its revision.
using StoredTexts = std::map<std::string, std::string>;
[[nodiscard]] StoredTexts stored_texts(const model::ScenarioDocument& resolved);

/// The scenario, without references, that a request names by its id or holds itself, at `pointer`; with every issue of its fields
/// and references.
[[nodiscard]] model::Result<model::ScenarioDocument> resolve_scenario(const nlohmann::json& scenario, const std::string& pointer,
                                                                      work::Source& source);

/// The scenario with what `set` puts at its pointers, which may be references too. `base` is encode_scenario of it, parsed.
/// A document that the set changes, or one around it, is no longer the stored one. `set_pointer` is where the set stands.
[[nodiscard]] model::Result<model::ScenarioDocument> with_set(const nlohmann::json& base, const StoredTexts& stored,
                                                              const nlohmann::json& set, const std::string& pointer,
                                                              const std::string& set_pointer, work::Source& source);

/// What `inputs_hash` is: SHA-256 of the resolved scenario's canonical text.
[[nodiscard]] std::string hash_of(const model::ScenarioDocument& resolved);

/// Evaluates it. `pointer` prefixes the issues' pointers; `inputs_hash` is hash_of it, where that is known.
[[nodiscard]] model::Result<Evaluated> evaluate_resolved(model::ScenarioDocument scenario, const std::string& pointer = "",
                                                         std::string inputs_hash = "");

/// Resolves a JSON text that is a scenario. A text that is not JSON is one issue with pointer "". `pointer` prefixes the issues'.
[[nodiscard]] model::Result<model::ScenarioDocument> resolve_text(std::string_view text, work::Source& source,
                                                                  const std::string& pointer = "");

/// Resolves and evaluates a JSON text that is a scenario. A text that is not JSON is one issue with pointer "".
[[nodiscard]] model::Result<Evaluated> evaluate_text(std::string_view text, work::Source& source);

} // namespace costcurve::api
