// Answers of break-even, solve and sensitivity as JSON. HTTP and command line share them.
#pragma once

#include <string>
#include <string_view>

#include "model/questions/break_even.hpp"
#include "model/questions/sensitivity.hpp"
#include "model/questions/solve.hpp"
#include "server/api/json_text.hpp"

namespace costcurve::api {

/// {over, currency, relation, cost: {crossings, relation, …}, cash: {…}}; `over` is "horizon" or the input's pointer, `unit` what
/// crossings are in: months, or the input's.
[[nodiscard]] std::string encode_break_even(const model::BreakEven& answer, std::string_view over, std::string_view unit,
                                            std::string_view currency);

[[nodiscard]] std::string encode_solved(const model::Solved& solved, const model::SolveQuestion& question);

[[nodiscard]] std::string encode_sensitivity(const model::Sensitivity& answer, std::string_view output);

/// The member `first_failure`: {pointer, code, message} of what could not be evaluated, or null.
void write_first_failure(JsonWriter& out, const std::optional<model::Issue>& issue);

/// The unit with the currency's code in the place of the word.
[[nodiscard]] std::string with_currency(std::string_view unit, std::string_view currency);

} // namespace costcurve::api
