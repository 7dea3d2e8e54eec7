// The inputs of a term: fields of the resolved scenario, each with pointer, unit, source and revision.
#pragma once

#include "model/questions/explain/explain.hpp"

namespace costcurve::model {

/// The field at `pointer`, which must exist in the field tables. Money is converted to the scenario's currency, as in the terms.
[[nodiscard]] TermInput read_input(const ScenarioDocument& scenario, std::string pointer);

} // namespace costcurve::model
