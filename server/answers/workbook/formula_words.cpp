// A recursive descent over the few operators.
#include "server/answers/workbook/formula_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "model/documents/text.hpp"

namespace costcurve::answers {

namespace {

using Kind = Expression::Kind;

// Sums bind least. A power is read from the right, as a quotient's and a difference's are from the left.
struct Operator {
    std::string_view words; ///< in an explanation
    char sign;              ///< in a spreadsheet
    Kind kind;
    int binding;
};
constexpr auto kOperators = std::to_array<Operator>({
    {"+", '+', Kind::sum, 1},
    {"−", '-', Kind::difference, 1},
    {"-", '-', Kind::difference, 1},
    {"×", '*', Kind::product, 2},
    {"/", '/', Kind::quotient, 2},
    {"^", '^', Kind::power, 3},
});
constexpr int kBindingOfSign = 2;
constexpr std::size_t kMaxNesting = 32;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct WordsReader {
    std::string_view rest;
    std::size_t nesting = 0;

    void skip_blanks() {
        while (rest.starts_with(' ')) {
            rest.remove_prefix(1);
        }
    }
    bool skip(std::string_view text) {
        skip_blanks();
        const bool is_there = rest.starts_with(text);
        rest.remove_prefix(is_there ? text.size() : 0);
        return is_there;
    }
    std::string_view take(bool (*belongs)(char)) {
        const auto end = std::find_if_not(rest.begin(), rest.end(), belongs);
        const std::string_view taken = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
        rest.remove_prefix(taken.size());
        return taken;
    }

    std::optional<Expression> read_operand() {
        if (++nesting > kMaxNesting) {
            return std::nullopt;
        }
        std::optional<Expression> operand;
        if (skip("−") || skip("-")) {
            if (std::optional<Expression> part = read(kBindingOfSign)) {
                operand = Expression{Kind::negation, 0.0, "", {std::move(*part)}};
            }
        } else if (skip("(")) {
            operand = read(0);
            operand = skip(")") ? operand : std::nullopt;
        } else if (!rest.empty() && is_letter(rest.front())) {
            operand = Expression{Kind::name, 0.0, std::string(take([](char c) { return is_letter(c) || is_digit(c); })), {}};
        } else if (const auto number = model::read_number<double>(take([](char c) { return is_digit(c) || c == '.'; }))) {
            operand = Expression{Kind::number, *number, "", {}};
        }
        --nesting;
        return operand;
    }

    std::optional<Expression> read(int binding) {
        std::optional<Expression> left = read_operand();
        while (left) {
            skip_blanks();
            const auto* const found = std::find_if(kOperators.begin(), kOperators.end(),
                                                   [&](const Operator& row) { return rest.starts_with(row.words); });
            if (found == kOperators.end() || found->binding <= binding) {
                break;
            }
            rest.remove_prefix(found->words.size());
            std::optional<Expression> right = read(found->kind == Kind::power ? found->binding - 1 : found->binding);
            if (!right) {
                return std::nullopt;
            }
            std::vector<Expression> parts;
            parts.push_back(std::move(*left));
            parts.push_back(std::move(*right));
            left = Expression{found->kind, 0.0, "", std::move(parts)};
        }
        return left;
    }
};

void add_names(const Expression& expression, std::vector<std::string>& names) {
    if (expression.kind == Kind::name && std::find(names.begin(), names.end(), expression.name) == names.end()) {
        names.push_back(expression.name);
    }
    for (const Expression& part : expression.parts) {
        add_names(part, names);
    }
}

} // namespace

std::optional<Expression> parse_formula(std::string_view words) {
    WordsReader reader{words};
    std::optional<Expression> read = reader.read(0);
    reader.skip_blanks();
    return reader.rest.empty() ? read : std::nullopt;
}

std::vector<std::string> names_in(const Expression& expression) {
    std::vector<std::string> names;
    add_names(expression, names);
    return names;
}

double value_of(const Expression& expression, const std::function<double(const std::string&)>& value) {
    const auto part = [&](std::size_t index) { return value_of(expression.parts[index], value); };
    switch (expression.kind) {
    case Kind::number:
        return expression.number;
    case Kind::name:
        return value(expression.name);
    case Kind::negation:
        return -part(0);
    case Kind::sum:
        return part(0) + part(1);
    case Kind::difference:
        return part(0) - part(1);
    case Kind::product:
        return part(0) * part(1);
    case Kind::quotient:
        return part(0) / part(1);
    case Kind::power:
        break;
    }
    return std::pow(part(0), part(1));
}

std::string cell_formula(const Expression& expression, const std::function<std::string(const std::string&)>& cell) {
    if (expression.kind == Kind::number) {
        return cell_number(expression.number);
    }
    if (expression.kind == Kind::name) {
        return cell(expression.name);
    }
    const auto part = [&](std::size_t index) {
        const Expression& inner = expression.parts[index];
        const std::string text = cell_formula(inner, cell);
        return inner.parts.empty() ? text : fmt::format("({})", text);
    };
    if (expression.kind == Kind::negation) {
        return "-" + part(0);
    }
    const auto* const found =
        std::find_if(kOperators.begin(), kOperators.end(), [&](const Operator& row) { return row.kind == expression.kind; });
    return fmt::format("{}{}{}", part(0), found->sign, part(1));
}

std::string cell_number(double value) {
    std::string text = value < 0.0 ? fmt::format("({})", value) : fmt::format("{}", value);
    std::replace(text.begin(), text.end(), 'e', 'E');
    return text;
}

} // namespace costcurve::answers
