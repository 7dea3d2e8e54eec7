// Recomputes trees of terms without the code that made them.
#include "tests/support/terms.hpp"

#include <cmath>
#include <deque>
#include <stdexcept>

#include <fmt/format.h>

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

constexpr double kTolerance = 1e-9;

// A value and the size of what it was made of.
struct Computed {
    double value;
    double size;
};

Computed leaves_of_sums(const Term& term);

Computed computed(const Term& term) {
    switch (term.rule) {
    case Rule::leaf:
        return {term.value, std::fabs(term.value)};
    case Rule::sum: {
        Computed sum{0.0, 0.0};
        for (const Term& part : term.terms) {
            sum.value += part.value;
            sum.size += leaves_of_sums(part).size; // parts may cancel within
        }
        return sum;
    }
    case Rule::product: {
        double value = 1.0;
        for (const Term& part : term.terms) {
            value *= part.value;
        }
        return {value, std::fabs(value)};
    }
    case Rule::quotient:
        return {term.terms.at(0).value / term.terms.at(1).value, std::fabs(term.value)};
    }
    throw std::logic_error("a term has no rule");
}

// What the leaves reached by sums add up to.
Computed leaves_of_sums(const Term& term) {
    if (term.rule != Rule::sum) {
        return {term.value, std::fabs(term.value)};
    }
    Computed sum{0.0, 0.0};
    for (const Term& part : term.terms) {
        const Computed of_part = leaves_of_sums(part);
        sum.value += of_part.value;
        sum.size += of_part.size;
    }
    return sum;
}

void check(const Term& term, const std::string& path, std::vector<std::string>& broken) {
    const std::string here = path + " > " + term.term;
    const auto differs = [&](const Computed& other) { return !(std::fabs(other.value - term.value) <= kTolerance * other.size); };
    const bool has_terms = !term.terms.empty();
    if (has_terms == (term.rule == Rule::leaf) || (term.rule == Rule::quotient && term.terms.size() != 2)) {
        broken.push_back(fmt::format("{}: {} terms of a {}", here, term.terms.size(), name_of(term.rule)));
        return;
    }
    if (const Computed own = computed(term); differs(own)) {
        broken.push_back(fmt::format("{}: {} is not {}, the {} of its terms", here, term.value, own.value, name_of(term.rule)));
    }
    if (term.term.empty() || term.unit.empty() || (term.rule != Rule::leaf && term.formula.empty())) {
        broken.push_back(fmt::format("{}: a name, unit or formula is empty", here));
    }
    for (const Term& part : term.terms) {
        check(part, here, broken);
    }
}

} // namespace

std::vector<std::string> broken_terms(const Term& tree) {
    std::vector<std::string> broken;
    check(tree, "", broken);
    const Computed leaves = leaves_of_sums(tree);
    if (!(std::fabs(leaves.value - tree.value) <= kTolerance * leaves.size)) {
        broken.push_back(fmt::format("{}: its leaves add up to {}, not {}", tree.term, leaves.value, tree.value));
    }
    return broken;
}

const Term& find_term(const Term& tree, std::string_view name) {
    std::deque<const Term*> open = {&tree};
    for (; !open.empty(); open.pop_front()) {
        if (open.front()->term == name) {
            return *open.front();
        }
        for (const Term& part : open.front()->terms) {
            open.push_back(&part);
        }
    }
    throw std::runtime_error(fmt::format("no term is called {}", name));
}

} // namespace costcurve::tests
