// One question from text to answer: parse, decode, resolve, make, compile, evaluate, summarize. HTTP and command line share it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "server/api/encode.hpp"

namespace costcurve::api {

/// A scenario without references.
struct Resolved {
    model::ScenarioDocument document;
    std::string as_of; ///< when the newest of its stored documents was recorded; "" where there is none
};

/// The scenario that a request names by its id or holds itself, at `pointer`; with every issue of its fields and references.
[[nodiscard]] model::Result<Resolved> resolve_scenario(const nlohmann::json& scenario, const std::string& pointer,
                                                       work::Source& source);

/// The same with what `set` puts at its pointers, which may be references too. `set_pointer` is where the set stands.
/// `base` is encode_scenario of `scenario`, parsed.
[[nodiscard]] model::Result<Resolved> with_set(const nlohmann::json& base, const std::string& as_of, const nlohmann::json& set,
                                               const std::string& pointer, const std::string& set_pointer, work::Source& source);

/// Evaluates it. `pointer` prefixes the issues' pointers.
[[nodiscard]] model::Result<Evaluated> evaluate_resolved(Resolved scenario, const std::string& pointer = "");

/// Resolves and evaluates a JSON text that is a scenario. A text that is not JSON is one issue with pointer "".
[[nodiscard]] model::Result<Evaluated> evaluate_text(std::string_view text, work::Source& source);

} // namespace costcurve::api
