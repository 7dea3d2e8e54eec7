// Servers and instances as columns of a linear programme: the cost of each, and the months in which it serves.
#pragma once

#include <vector>

#include "model/questions/optimize/box.hpp"
#include "model/questions/optimize/least_power.hpp"
#include "model/questions/optimize/linear_program.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

/// One server of a purchase, if it were bought in the month of this option.
struct ServerOption {
    int month = 0;
    Measures fixed;             ///< measures that depend on neither load nor energy
    std::vector<double> paid;   ///< [m] 1 while the server is in service
    std::vector<double> active; ///< [m] 1 while the server takes work
};

/// The scenario with all servers and instances removed.
[[nodiscard]] ScenarioDocument without_capacity(const ScenarioDocument& scenario);

/// The ledger's measures before any work is dispatched.
[[nodiscard]] Measures fixed_measures(const Compiled& compiled, Goal goal);

/// One option for each month of purchase in [low, high]. `bare` is the scenario without capacity, `base` its measures. Racks may be
/// fractions.
[[nodiscard]] std::vector<ServerOption> server_options(const ScenarioDocument& scenario, const ScenarioDocument& bare,
                                                       const Measures& base, std::size_t pool, std::size_t purchase, int low,
                                                       int high, Goal goal);

/// Fixed measures of one committed instance over the horizon, without the price of its hours.
[[nodiscard]] Measures instance_measures(const ScenarioDocument& bare, const Measures& base, std::size_t pool, Goal goal);
/// Fixed measures of one provisioned unit over the horizon.
[[nodiscard]] Measures provisioned_measures(const ScenarioDocument& bare, const Measures& base, std::size_t pool, Goal goal);

/// The scenario without costs that a site or pool bears once it has any capacity, whatever the amount: staff, network and storage
/// of sites, storage charges of sellers, porting, and extra costs that are charged by the month or once.
[[nodiscard]] ScenarioDocument without_lines(const ScenarioDocument& scenario);

/// The scenario with at least one instance in each cloud pool.
[[nodiscard]] ScenarioDocument with_instances(const ScenarioDocument& scenario);

/// Lower bound on the costs that without_lines removes, for the capacity that every plan of a box has at least.
class FixedLines {
public:
    FixedLines(const ScenarioDocument& scenario, const std::vector<Decision>& decisions, Goal goal);
    [[nodiscard]] double least(const Box& box) const;

private:
    ScenarioDocument scenario_; ///< the scenario, with negative extra costs set to 0
    std::vector<Decision> decisions_;
    Goal goal_;
    double negative_ = 0.0; ///< sum of the negative extra costs, as if always borne
    bool has_lines_ = false;
};

} // namespace costcurve::model
