// Why one scenario costs other than another: the difference by category, and by what differs between their documents.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario.hpp"
#include "model/summary.hpp"

namespace costcurve::model {

/// One step of a waterfall: what it is, and by how much it moves the total cost, in the scenarios' currency.
struct Step {
    std::string cause;
    double amount = 0.0;
};

/// The categories in which the cost differs; the steps add up to `to` less `from`.
[[nodiscard]] std::vector<Step> steps_by_category(const Summary& from, const Summary& to);

/// The cost of a scenario that lies between two others; empty where it breaks a rule.
using CostOf = std::function<std::optional<double>(const ScenarioDocument& scenario)>;

/// `from` becomes `to` in steps: horizon, finance, demand, pools and routing, capacity, performance, prices, power, site and
/// energy, and the rest; each step is charged with the difference it makes, after those before it. Pools and workloads are the
/// same where their ids are. Steps that change nothing are left out; what can't be evaluated in between is joined to the next step
/// ("pools and routing + capacity"). The steps add up to the difference of the two costs.
[[nodiscard]] std::vector<Step> steps_by_cause(const ScenarioDocument& from, double from_cost, const ScenarioDocument& to,
                                               double to_cost, const CostOf& cost_of);

} // namespace costcurve::model
