// The inputs of a term: a field of the resolved scenario by its pointer, with unit, source and revision.
#pragma once

#include "model/questions/explain/explain.hpp"

namespace costcurve::model {

/// The field at `pointer`, which stands in a field table; the caller knows that it does.
/// Its money is converted, as the terms are.
[[nodiscard]] TermInput read_input(const ScenarioDocument& scenario, std::string pointer);

} // namespace costcurve::model
