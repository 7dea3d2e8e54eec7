// Formulas as explanations write them ("hourly_price × (1 − discount_fraction)"), read as arithmetic. Knows no scenario.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::answers {

/// Arithmetic of numbers and names.
struct Expression {
    enum class Kind { number, name, negation, sum, difference, product, quotient, power };
    Kind kind = Kind::number;
    double number = 0.0;
    std::string name;
    std::vector<Expression> parts;
};

/// The arithmetic of a formula in words: + − × / ^, parentheses, numbers and names of one word. Nothing where it is anything else,
/// such as a sum over hours, a function or two words side by side.
[[nodiscard]] std::optional<Expression> parse_formula(std::string_view words);

/// The names in it, each once, in their order.
[[nodiscard]] std::vector<std::string> names_in(const Expression& expression);

/// Its value where names have these values.
[[nodiscard]] double value_of(const Expression& expression, const std::function<double(const std::string&)>& value);

/// As a spreadsheet writes it, each name replaced by the text of `cell`, which is one factor.
[[nodiscard]] std::string cell_formula(const Expression& expression, const std::function<std::string(const std::string&)>& cell);

/// A number in a formula: the shortest text that reads back as the same.
[[nodiscard]] std::string cell_number(double value);

} // namespace costcurve::answers
