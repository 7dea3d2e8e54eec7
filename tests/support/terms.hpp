// Trees of terms, recomputed: each node from its terms by its rule.
#pragma once

#include <string>
#include <vector>

#include "model/questions/explain/explain.hpp"

namespace costcurve::tests {

/// What does not add up in the tree, to 1e-9 of the size of what is added; empty where all is well.
[[nodiscard]] std::vector<std::string> broken_terms(const model::Term& tree);

/// The first term of that name, breadth first; fails the test where there is none.
[[nodiscard]] const model::Term& find_term(const model::Term& tree, std::string_view name);

} // namespace costcurve::tests
