// The inputs of a term: a field of the resolved scenario by its pointer, with unit, source and revision.
#pragma once

#include "model/questions/explain/explain.hpp"

namespace costcurve::model {

/// The field at `pointer`, which stands in a field table; the caller knows that it does.
[[nodiscard]] TermInput read_input(const ScenarioDocument& scenario, std::string pointer);

/// A unit of the field tables in the scenario's currency: "currency/kWh" becomes "USD/kWh".
[[nodiscard]] std::string in_currency(std::string_view unit, const std::string& currency);

} // namespace costcurve::model
