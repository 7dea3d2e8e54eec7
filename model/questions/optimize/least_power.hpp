// Lower bound on a pool's energy cost, linear in its units and its busy devices, for a linear programme.
#pragma once

#include <vector>

#include "model/compile.hpp"
#include "model/questions/optimize/plan.hpp"

namespace costcurve::model {

/// The quantity that a linear bound minimises.
enum class Goal { cost, cash, npv, carbon };

/// Contribution of a column to the goal and to the limits, summed over the horizon.
struct Measures {
    double goal = 0.0;
    double carbon_kg = 0.0;
    double capital = 0.0;

    Measures& operator+=(const Measures& more);
};
[[nodiscard]] Measures operator+(Measures a, const Measures& b);
[[nodiscard]] Measures operator*(double factor, const Measures& measures);
[[nodiscard]] Measures operator-(const Measures& a, const Measures& b);
/// The lesser value of each measure.
[[nodiscard]] Measures least(const Measures& a, const Measures& b);

/// Lines that bound the watts of a unit (server or instance) with its devices. Never below `idle_w + busy_w x busy devices`, never
/// above `most_idle_w + most_busy_w x busy devices`.
struct PowerLines {
    double idle_w = 0.0;
    double busy_w = 0.0;
    double most_idle_w = 0.0;
    double most_busy_w = 0.0;
    double ramping_w = 0.0; ///< watts of a unit in its ramp, before it serves
};
/// The power lines of a pool. The lower line is the edge of the power curve's lower convex hull at half load.
[[nodiscard]] PowerLines power_lines(const CompiledPool& pool);

/// Value of a watt-hour at the pool's devices and hosts in each distinct hour of the month: energy price, carbon and carbon price,
/// PUE included. If PUE depends on load, the end of its range with the least value is taken.
struct EnergyValues {
    std::vector<Measures> value; ///< per watt-hour
    std::vector<double> pue;     ///< lower bound
};
[[nodiscard]] EnergyValues energy_values(const Compiled& compiled, const Pool& pool, std::size_t p, std::size_t m, Goal goal);

/// Lower bounds per hour, for a unit that is there, for a busy device beyond that, and for a unit in its ramp.
struct HourlyEnergy {
    Measures unit, busy, ramping;
};
[[nodiscard]] HourlyEnergy least_energy(const PowerLines& lines, const Measures& value);

/// Weight of money in month m in the goal, as if paid at the month's end.
[[nodiscard]] double money_weight(const Compiled& compiled, std::size_t m, Goal goal);

} // namespace costcurve::model
