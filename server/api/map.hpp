// What a map is asked and answers, as JSON. HTTP and command line share it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/map.hpp"
#include "server/api/long_question.hpp"

namespace costcurve::api {

/// `steps` values from `from` to `to`, both of them among these, evenly spaced or, where `is_log`, in equal ratios.
[[nodiscard]] std::vector<double> spaced(double from, double to, std::size_t steps, bool is_log);

/// An issue where x times y times the scenarios are more than the setting allows.
[[nodiscard]] std::optional<model::Issue> check_cells(const model::MapQuestion& question, std::size_t scenarios,
                                                      const QuestionLimits& limits);

/// {output, unit, x, y, scenarios, cheapest, values, boundary, failed, first_failure}
[[nodiscard]] std::string encode_map(const model::CheapestMap& map, const model::MapQuestion& question,
                                     const std::vector<model::Placed>& scenarios);

} // namespace costcurve::api
