// Uncertain inputs of a question and the spread of its answer: from JSON, and to it.
#pragma once

#include "model/questions/spread.hpp"
#include "model/questions/uncertain_inputs.hpp"
#include "server/api/json_text.hpp"
#include "server/api/long_question.hpp"
#include "server/api/members.hpp"

namespace costcurve::api {

/// The most inputs of a question.
inline constexpr std::size_t kMostUncertain = 100;

/// Reads inputs, correlations, samples (a number by default), seed and sampling, for a number of scenarios.
[[nodiscard]] model::Uncertainty read_uncertainty(Members& members, const QuestionLimits& limits, std::size_t scenarios,
                                                  std::size_t samples);

/// Members of the object that is being written: samples, mean, standard_error, p5, p10, p50, p90, p95, cvar_95,
/// quantiles.
void write_spread(JsonWriter& out, const model::Spread& spread);

} // namespace costcurve::api
