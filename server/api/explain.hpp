// Explanations of figures, without transport: HTTP and the command line share them.
#pragma once

#include "model/questions/explain.hpp"
#include "server/api/encode.hpp"

namespace costcurve::api {

/// Levels that a request may ask for.
inline constexpr int kMostLevels = 32;

/// model::explain of an evaluated scenario. `pointer` is where the figure stands in the request, for issues.
[[nodiscard]] model::Result<model::Term> explain_evaluated(const Evaluated& evaluated, std::string_view figure,
                                                           std::optional<int> depth, const std::string& pointer);

/// {term, formula, value, unit, rule, inputs: [{name, value, unit, source, revision}], terms: [the same again]}.
[[nodiscard]] std::string encode_term(const model::Term& tree);

} // namespace costcurve::api
