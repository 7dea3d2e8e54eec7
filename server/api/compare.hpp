// Scenarios side by side, and why they differ. HTTP and command line share it.
#pragma once

#include <string>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/compare.hpp"
#include "server/api/encode.hpp"

namespace costcurve::api {

struct Waterfall {
    std::size_t to = 0; ///< scenario; the baseline is where it starts
    std::vector<model::Step> by_category;
    std::vector<model::Step> by_cause;
};

struct Comparison {
    std::size_t baseline = 0;
    std::vector<Evaluated> scenarios;
    std::vector<Waterfall> waterfalls; ///< one a scenario that is not the baseline
};

/// Evaluates all; every issue at once. At least one scenario, in one currency.
[[nodiscard]] model::Result<Comparison> compare(const std::vector<model::Placed>& scenarios, std::size_t baseline);

/// What a waterfall or a list calls a scenario: its name, or its id, or "scenario 2".
[[nodiscard]] std::string name_of_scenario(const model::ScenarioDocument& scenario, std::size_t index);

/// {baseline, currency, scenarios: [{name, result, difference}], waterfalls: [{from, to, steps, by_category}]}
[[nodiscard]] std::string encode_comparison(const Comparison& comparison);

} // namespace costcurve::api
