// A figure of a result, named by a JSON Pointer into it and bound once: what a question reads of each evaluation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/figures.hpp"
#include "model/scenario.hpp"
#include "model/wanted.hpp"

namespace costcurve::model {

/// Reads of the summaries of one scenario, or of any with the same pools, workloads and months in the same order.
struct BoundFigure {
    std::string pointer;
    std::string unit; ///< `currency` is replaced by the scenario's
    std::function<std::optional<double>(const Summary&)> read;
    Wanted wanted; ///< the parts of a summary that it is read of
};

/// What `pointer` names: /total/cost, /by_workload/{id}/cost_per_epoch, /by_pool/{id}/by_category/energy/cost, /by_month/{m}/cash,
/// /by_workload/{id}/hours_per_epoch/{pool} and every other number of the result. Else an issue at `at` that lists what is there.
[[nodiscard]] Result<BoundFigure> bind_figure(const ScenarioDocument& scenario, std::string_view pointer, const std::string& at);

} // namespace costcurve::model
