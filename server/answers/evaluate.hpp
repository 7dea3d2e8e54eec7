// Evaluation from text to result: parse, decode, resolve, make, compile, evaluate, summarize. Shared by HTTP and the command line.
#pragma once

#include <string>
#include <string_view>

#include "model/hours/hours.hpp"
#include "server/answers/encode_result.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/references.hpp"

namespace costcurve::answers {

/// Resolves a request's scenario, an object or an id, and its references. Reports all issues of fields and references, below
/// `pointer`.
[[nodiscard]] model::Result<model::ScenarioDocument> resolve_scenario(const JsonValue& scenario, const std::string& pointer,
                                                                      documents::Source& source);
/// Resolves a stored scenario; `pointer` is the place of its issues.
[[nodiscard]] model::Result<model::ScenarioDocument> resolve_stored(std::string_view id, const std::string& pointer,
                                                                    documents::Source& source);

/// The `inputs_hash`: SHA-256 of the resolved scenario's canonical text, a line feed and the model's version.
[[nodiscard]] std::string hash_of(const model::ScenarioDocument& resolved);

/// Evaluates a resolved scenario. `pointer` prefixes the issues' pointers; `inputs_hash` is its hash_of, if known.
[[nodiscard]] model::Result<Evaluated> evaluate_resolved(model::ScenarioDocument scenario, const std::string& pointer = "",
                                                         std::string inputs_hash = "");
/// Gives the same result, bit for bit, but faster if `hours` come from a scenario with the same horizon and curves; updates
/// `hours`.
[[nodiscard]] model::Result<Evaluated> evaluate_resolved(model::ScenarioDocument scenario, const std::string& pointer,
                                                         std::string inputs_hash, model::HourTable& hours);

/// Resolves a JSON text that is a scenario. A text that is not JSON is one issue with pointer "". `pointer` prefixes the issues'.
[[nodiscard]] model::Result<model::ScenarioDocument> resolve_text(std::string_view text, documents::Source& source,
                                                                  const std::string& pointer = "");

/// Resolves and evaluates a JSON text that is a scenario. A text that is not JSON is one issue with pointer "".
[[nodiscard]] model::Result<Evaluated> evaluate_text(std::string_view text, documents::Source& source);

} // namespace costcurve::answers
