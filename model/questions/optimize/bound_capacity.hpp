// Servers and instances as columns of a linear programme: what each costs by itself and when it serves.
#pragma once

#include <vector>

#include "model/questions/optimize/box.hpp"
#include "model/questions/optimize/least_power.hpp"
#include "model/questions/optimize/linear_program.hpp"
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
/// The same of a provisioned unit.
[[nodiscard]] Measures provisioned_measures(const ScenarioDocument& bare, const Measures& base, std::size_t pool, Goal goal);

/// The scenario without what is borne once by a site or pool that has capacity, however much: staff, network and storage of sites,
/// what sellers bill for storage, porting, and extra costs by the month or once.
[[nodiscard]] ScenarioDocument without_lines(const ScenarioDocument& scenario);

/// The scenario with an instance at least in each cloud pool.
[[nodiscard]] ScenarioDocument with_instances(const ScenarioDocument& scenario);

/// What those lines come to at least where capacity is what a box of plans has at least.
class FixedLines {
public:
    FixedLines(const ScenarioDocument& scenario, const std::vector<Decision>& decisions, Goal goal);
    [[nodiscard]] double least(const Box& box) const;

private:
    ScenarioDocument scenario_; ///< with lines that are not negative
    std::vector<Decision> decisions_;
    Goal goal_;
    double negative_ = 0.0; ///< all others, as if always borne
    bool has_lines_ = false;
};

} // namespace costcurve::model
