// A figure of a result, named by a JSON Pointer and bound once, which a question reads from each evaluation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/figures.hpp"
#include "model/scenario.hpp"
#include "model/wanted.hpp"

namespace costcurve::model {

/// Reads one figure from the summaries of a scenario, or of any scenario with the same pools, workloads and months in the same
/// order.
struct BoundFigure {
    std::string pointer;
    std::string unit; ///< the text `currency` stands for the scenario's currency
    std::function<std::optional<double>(const Summary&)> read;
    Wanted wanted; ///< the summary parts that the figure needs
};

/// The figure that `pointer` names: /total/cost, /by_workload/{id}/cost_per_epoch, /by_pool/{id}/by_category/energy/cost,
/// /by_month/{m}/cash, /by_workload/{id}/hours_per_epoch/{pool} and every other number of the result. Otherwise an issue at `at`
/// that lists the valid names.
[[nodiscard]] Result<BoundFigure> bind_figure(const ScenarioDocument& scenario, std::string_view pointer, const std::string& at);

} // namespace costcurve::model
