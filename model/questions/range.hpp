// The range over which a question varies one input.
#pragma once

#include <string>
#include <string_view>

#include "model/questions/alternatives.hpp"

namespace costcurve::model {

/// Binds the input. Issues: no such number at `at`; low not below high; an end outside the field's range, or not whole if the field
/// takes whole numbers.
[[nodiscard]] Result<std::size_t> bind_range(Alternatives& scenarios, std::string_view pointer, const std::string& at, double low,
                                             double high);

/// Issues if no value of the range is valid: those at its low end, and one at `at` that states the range.
[[nodiscard]] Failure nowhere_valid(Alternatives& scenarios, std::size_t input, double low, const std::string& at);

} // namespace costcurve::model
