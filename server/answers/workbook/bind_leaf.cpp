// Looks up names among the leaf's inputs, by the last part of their pointers, then among preceding terms. A single unknown name is
// solved for, if the formula is linear in it.
#include "server/answers/workbook/bind_leaf.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "model/questions/explain/explain_inputs.hpp"

namespace costcurve::answers {

namespace {

constexpr double kSame = 1e-12; // of the answer's value: rounding of one formula's operations

bool is_same(double value, double answer) { return std::abs(value - answer) <= kSame * std::abs(answer); }

std::string_view last_name(std::string_view pointer) { return pointer.substr(pointer.rfind('/') + 1); }

struct LeafBinding {
    const model::Term& leaf;
    std::span<const BookTerm> before;
    std::size_t month;
    BookInputs& inputs;
    BookTerm& bound;
    std::vector<std::string> unknown = {};

    [[nodiscard]] double value(const std::string& name) const {
        const BookReference& reference = bound.references.at(name);
        switch (reference.to) {
        case BookReference::To::input:
            return reference.factor * inputs[reference.index].value;
        case BookReference::To::sibling:
            return before[reference.index].value;
        case BookReference::To::number:
            break;
        }
        return reference.factor;
    }
    [[nodiscard]] double value(const Expression& expression) const {
        return answers::value_of(expression, [this](const std::string& name) { return value(name); });
    }

    void bind(const std::string& name) {
        BookReference& reference = bound.references[name];
        const auto input = std::find_if(leaf.inputs.begin(), leaf.inputs.end(),
                                        [&](const model::TermInput& read) { return last_name(read.name) == name; });
        const auto term = std::find_if(before.begin(), before.end(), [&](const BookTerm& sibling) { return sibling.term == name; });
        if (input != leaf.inputs.end()) {
            reference = {BookReference::To::input, inputs.index_of(*input), 1.0};
            if (inputs[reference.index].is_factor) {
                unknown.push_back(name);
            }
        } else if (term != before.end()) {
            reference = {BookReference::To::sibling, static_cast<std::size_t>(term - before.begin()), 1.0};
        } else if (name == "m") {
            reference.factor = static_cast<double>(month);
        } else {
            unknown.push_back(name);
        }
    }

    // Secant method from 0 and 1, one step for linear formulas. The root is 0 if the formula doesn't depend on the number.
    void find_root(const Expression& expression, double& factor) const {
        constexpr int kMaxSteps = 60;
        const auto miss = [&](double number) {
            factor = number;
            return value(expression) - leaf.value;
        };
        double before = 0.0;
        double miss_before = miss(before);
        double last = 1.0;
        for (int step = 0; step < kMaxSteps && !is_same(miss_before + leaf.value, leaf.value); ++step) {
            const double miss_last = miss(last);
            if (miss_last == miss_before) {
                break;
            }
            const double next = last - miss_last * (last - before) / (miss_last - miss_before);
            before = last;
            miss_before = miss_last;
            last = next;
        }
        factor = before;
    }

    // Solves for the unknown name's value that gives the leaf's value.
    bool solve(const Expression& expression) {
        if (unknown.size() > 1) {
            return false;
        }
        if (unknown.size() == 1) {
            find_root(expression, bound.references.at(unknown.front()).factor);
        }
        return is_same(value(expression), leaf.value);
    }

    bool take(const std::string& words) {
        std::optional<Expression> expression = parse_formula(words);
        if (!expression) {
            return false;
        }
        bound.references.clear();
        unknown.clear();
        for (const std::string& name : names_in(*expression)) {
            bind(name);
        }
        if (!solve(*expression)) {
            bound.references.clear();
            return false;
        }
        bound.expression = std::move(expression);
        return true;
    }
};

// Replaces a mean unit price by the prices of its classes, each an entry of the map that the leaf names; numbers of units stay
// fixed.
bool take_class_prices(LeafBinding& leaf) {
    const auto map = std::find_if(leaf.leaf.inputs.begin(), leaf.leaf.inputs.end(), [](const model::TermInput& read) {
        return last_name(read.name) == "price_per_million_units" && !read.value;
    });
    if (map == leaf.leaf.inputs.end()) {
        return false;
    }
    double units = 0.0;
    for (const model::TermInput& read : leaf.leaf.inputs) {
        units += read.name.find("/units_per_request/") != std::string::npos ? read.value.value_or(0.0) : 0.0;
    }
    std::string words;
    leaf.bound.references.clear();
    for (const model::TermInput& read : leaf.leaf.inputs) {
        const std::string of_class(last_name(read.name));
        const std::vector<BookInput>& known = leaf.inputs.list();
        const auto price = std::find_if(known.begin(), known.end(),
                                        [&](const BookInput& input) { return input.input.name == map->name + "/" + of_class; });
        if (read.name.find("/units_per_request/") != std::string::npos && price != known.end()) {
            words += fmt::format("{}{} × {} / 10^6", words.empty() ? "" : " + ", of_class, read.value.value_or(0.0) / units);
            leaf.bound.references[of_class] = {BookReference::To::input, static_cast<std::size_t>(price - known.begin()), 1.0};
        }
    }
    std::optional<Expression> expression = parse_formula(words);
    if (!expression || !is_same(leaf.value(*expression), leaf.leaf.value)) {
        leaf.bound.references.clear();
        return false;
    }
    leaf.bound.expression = std::move(expression);
    return true;
}

} // namespace

std::size_t BookInputs::index_of(const model::TermInput& input) {
    const auto found =
        std::find_if(list_.begin(), list_.end(), [&](const BookInput& known) { return known.input.name == input.name; });
    if (found != list_.end()) {
        return static_cast<std::size_t>(found - list_.begin());
    }
    BookInput made{input, input.value.value_or(1.0), !input.value.has_value(), false};
    const auto bound = input.value ? tl::unexpected(model::Failure()) : variant_.bind(input.name, "");
    const auto* const curve = bound ? std::get_if<model::Input::Scaled>(&variant_.input(*bound).place) : nullptr;
    if (curve != nullptr && !curve->base.empty() &&
        std::all_of(curve->base.begin(), curve->base.end(), [&](double y) { return y == curve->base.front(); })) {
        made.value = curve->base.front();
        made.is_factor = false;
    }
    list_.push_back(std::move(made));
    return list_.size() - 1;
}

std::size_t BookInputs::index_of(const std::string& pointer) { return index_of(model::read_input(variant_.document(), pointer)); }

void bind_leaf(const model::Term& leaf, std::span<const BookTerm> before, std::size_t month, BookInputs& inputs, BookTerm& bound) {
    for (const model::TermInput& input : leaf.inputs) {
        inputs.index_of(input);
    }
    LeafBinding binding{leaf, before, month, inputs, bound};
    if (leaf.formula == "as stated" && !leaf.inputs.empty() && binding.take(std::string(last_name(leaf.inputs.front().name)))) {
        return;
    }
    if (!binding.take(leaf.formula)) {
        take_class_prices(binding);
    }
}

} // namespace costcurve::answers
