// Servers and instances as columns of a linear programme: what each costs by itself and when it serves.
#pragma once

#include <vector>

#include "model/questions/least_power.hpp"
#include "model/questions/linear_program.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

/// One server of a purchase, were it bought in `month`.
struct ServerOption {
    int month = 0;
    Measures fixed;             ///< all that does not depend on load or energy
    std::vector<double> paid;   ///< [m] 1 while it is in service
    std::vector<double> active; ///< [m] 1 while it serves
};

/// The scenario as it is without any server or instance.
[[nodiscard]] ScenarioDocument without_capacity(const ScenarioDocument& scenario);

/// What the ledger holds before anything is dispatched.
[[nodiscard]] Measures fixed_measures(const Compiled& compiled, Goal goal);

/// By month of purchase in [low, high]; `bare` is without capacity, `base` its measures. Racks are bought by fractions.
[[nodiscard]] std::vector<ServerOption> server_options(const ScenarioDocument& scenario, const ScenarioDocument& bare,
                                                       const Measures& base, std::size_t pool, std::size_t purchase, int low,
                                                       int high, Goal goal);

/// Fixed measures of one committed instance over the horizon, its hours not included.
[[nodiscard]] Measures instance_measures(const ScenarioDocument& bare, const Measures& base, std::size_t pool, Goal goal);

} // namespace costcurve::model
