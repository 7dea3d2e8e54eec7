// What a simulation is asked and answers, as JSON. HTTP and command line share it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/questions/simulate.hpp"
#include "server/api/long_question.hpp"
#include "server/api/uncertainty.hpp"

namespace costcurve::api {

/// The most outputs of a simulation.
inline constexpr std::size_t kMostOutputs = 100;

/// Reads inputs, correlations, outputs, samples, seed, sampling, by_month and break_even, for a number of scenarios.
[[nodiscard]] model::SimulateQuestion read_simulation(Members& members, const QuestionLimits& limits, std::size_t scenarios);

/// The same from the text of an object that has these members alone.
[[nodiscard]] model::Result<model::SimulateQuestion> parse_simulation(std::string_view text, const QuestionLimits& limits,
                                                                      std::size_t scenarios);

/// {samples, seed, sampling, failed, first_failure, scenarios: [{name, outputs, probability_cheapest, by_month}], break_even}
[[nodiscard]] std::string encode_simulation(const model::Simulation& answer, const model::SimulateQuestion& question,
                                            const std::vector<model::Placed>& scenarios);

} // namespace costcurve::api
