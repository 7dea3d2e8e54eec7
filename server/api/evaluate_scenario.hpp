// One question from text to answer: parse, decode, resolve, make, compile, evaluate, summarize. HTTP and command line share it.
#pragma once

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "server/api/encode.hpp"

namespace costcurve::api {

/// What a set changes: a resolved scenario as JSON with its defaults, and its stored documents as they are.
struct Base {
    nlohmann::json scenario;
    std::map<std::string, std::string> recorded_at; ///< of a document, by its whole text with its revision
};
[[nodiscard]] Base make_base(const model::ScenarioDocument& resolved);

/// The scenario, without references, that a request names by its id or holds itself, at `pointer`; with every issue of its fields
/// and references.
[[nodiscard]] model::Result<model::ScenarioDocument> resolve_scenario(const nlohmann::json& scenario, const std::string& pointer,
                                                                      work::Source& source);

/// The scenario with what `set` puts at its pointers, which may be references too. A document that the set changes, or one
/// around it, is no longer the stored one. `set_pointer` is where the set stands.
[[nodiscard]] model::Result<model::ScenarioDocument> with_set(const Base& base, const nlohmann::json& set,
                                                              const std::string& pointer, const std::string& set_pointer,
                                                              work::Source& source);

/// Evaluates it. `pointer` prefixes the issues' pointers.
[[nodiscard]] model::Result<Evaluated> evaluate_resolved(model::ScenarioDocument scenario, const std::string& pointer = "");

/// Resolves and evaluates a JSON text that is a scenario. A text that is not JSON is one issue with pointer "".
[[nodiscard]] model::Result<Evaluated> evaluate_text(std::string_view text, work::Source& source);

} // namespace costcurve::api
