// The property of explain: every number of a result has a tree that adds up to it.
#pragma once

#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::tests {

/// What is not explained, or does not add up, in the result of a scenario; with months opened too where `open`.
[[nodiscard]] std::vector<std::string> unexplained(const model::ScenarioDocument& document, bool open);

} // namespace costcurve::tests
