// Why two scenarios' costs differ: by category, and by the differences between their documents.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario.hpp"
#include "model/summary.hpp"

namespace costcurve::model {

/// One step of a waterfall: its name, and the change of total cost that it makes, in the scenarios' currency.
struct Step {
    std::string cause;
    double amount = 0.0;
};

/// The categories in which the cost differs; the steps add up to `to` less `from`.
[[nodiscard]] std::vector<Step> steps_by_category(const Summary& from, const Summary& to);

/// The cost of a scenario between two others; empty if it breaks a rule.
using CostOf = std::function<std::optional<double>(const ScenarioDocument& scenario)>;

/// Turns `from` into `to` in steps: horizon, finance, demand, pools and routing, capacity, performance, prices, power, site and
/// energy, and the rest. Each step's amount is the change it makes after all earlier steps. Pools and workloads are matched by id.
/// Steps without a change are left out; a step whose scenario can't be evaluated is merged with the next ("pools and routing +
/// capacity"). The steps add up to the difference of the two costs.
[[nodiscard]] std::vector<Step> steps_by_cause(const ScenarioDocument& from, double from_cost, const ScenarioDocument& to,
                                               double to_cost, const CostOf& cost_of);

} // namespace costcurve::model
