// One question from text to answer: parse, decode, make, compile, evaluate, summarize. HTTP and command line share it.
#pragma once

#include "server/api/encode.hpp"

namespace costcurve::api {

/// Evaluates a decoded scenario. `pointer` prefixes the issues' pointers: where the document stands in the request.
[[nodiscard]] model::Result<Evaluated> evaluate_document(model::ScenarioDocument document, const std::string& pointer = "");

/// The same from a JSON text that is a scenario. A text that is not JSON is one issue with pointer "".
[[nodiscard]] model::Result<Evaluated> evaluate_text(std::string_view text);

} // namespace costcurve::api
