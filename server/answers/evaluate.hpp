// One question from text to answer: parse, decode, resolve, make, compile, evaluate, summarize. HTTP and command line share it.
#pragma once

#include <string>
#include <string_view>

#include "model/hours/hours.hpp"
#include "server/answers/encode_result.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/references.hpp"

namespace costcurve::answers {

/// The scenario, without references, that a request names by its id or holds itself, at `pointer`; with every issue of its fields
/// and references.
[[nodiscard]] model::Result<model::ScenarioDocument> resolve_scenario(const JsonValue& scenario, const std::string& pointer,
                                                                      documents::Source& source);
/// That of a stored scenario; `pointer` is of its issues.
[[nodiscard]] model::Result<model::ScenarioDocument> resolve_stored(std::string_view id, const std::string& pointer,
                                                                    documents::Source& source);

/// What `inputs_hash` is: SHA-256 of the resolved scenario's canonical text, a line feed and the model's version.
[[nodiscard]] std::string hash_of(const model::ScenarioDocument& resolved);

/// Evaluates it. `pointer` prefixes the issues' pointers; `inputs_hash` is hash_of it, where that is known.
[[nodiscard]] model::Result<Evaluated> evaluate_resolved(model::ScenarioDocument scenario, const std::string& pointer = "",
                                                         std::string inputs_hash = "");
/// The same, bit for bit, which is quicker where `hours` are those of a scenario of the same horizon and curves; they become those
/// of this one.
[[nodiscard]] model::Result<Evaluated> evaluate_resolved(model::ScenarioDocument scenario, const std::string& pointer,
                                                         std::string inputs_hash, model::HourTable& hours);

/// Resolves a JSON text that is a scenario. A text that is not JSON is one issue with pointer "". `pointer` prefixes the issues'.
[[nodiscard]] model::Result<model::ScenarioDocument> resolve_text(std::string_view text, documents::Source& source,
                                                                  const std::string& pointer = "");

/// Resolves and evaluates a JSON text that is a scenario. A text that is not JSON is one issue with pointer "".
[[nodiscard]] model::Result<Evaluated> evaluate_text(std::string_view text, documents::Source& source);

} // namespace costcurve::answers
