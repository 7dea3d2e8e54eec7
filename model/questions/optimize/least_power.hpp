// What the energy of a pool costs at least, as straight lines in its units and its busy devices: for a linear programme.
#pragma once

#include <vector>

#include "model/compile.hpp"
#include "model/questions/optimize/plan.hpp"

namespace costcurve::model {

/// What a linear bound minimises.
enum class Goal { cost, cash, npv, carbon };

/// What something adds to the goal and to the limits; all are sums over the horizon.
struct Measures {
    double goal = 0.0;
    double carbon_kg = 0.0;
    double capital = 0.0;

    Measures& operator+=(const Measures& more);
};
[[nodiscard]] Measures operator+(Measures a, const Measures& b);
[[nodiscard]] Measures operator*(double factor, const Measures& measures);
[[nodiscard]] Measures operator-(const Measures& a, const Measures& b);
/// The lesser of each.
[[nodiscard]] Measures least(const Measures& a, const Measures& b);

/// Watts of a unit (server or instance) with its devices never lie under `idle_w + busy_w x busy devices`, nor above
/// `most_idle_w + most_busy_w x busy devices`.
struct PowerLines {
    double idle_w = 0.0;
    double busy_w = 0.0;
    double most_idle_w = 0.0;
    double most_busy_w = 0.0;
    double ramping_w = 0.0; ///< of a unit that serves nothing yet
};
/// The line under the device's power curve is the one that is highest at half load: the side of its lower convex hull there.
[[nodiscard]] PowerLines power_lines(const CompiledPool& pool);

/// What a watt-hour at the pool's devices and hosts measures, by distinct hour of the month: its price, its carbon and the price
/// of that, PUE included (where PUE goes by load, the end of its range that makes the least).
struct EnergyValues {
    std::vector<Measures> value; ///< a watt-hour
    std::vector<double> pue;     ///< at least
};
[[nodiscard]] EnergyValues energy_values(const Compiled& compiled, const Pool& pool, std::size_t p, std::size_t m, Goal goal);

/// At least, an hour: of a unit that is there, of a busy device beyond that, and of a unit in its ramp.
struct HourlyEnergy {
    Measures unit, busy, ramping;
};
[[nodiscard]] HourlyEnergy least_energy(const PowerLines& lines, const Measures& value);

/// What money in month m counts towards the goal: paid at its end.
[[nodiscard]] double money_weight(const Compiled& compiled, std::size_t m, Goal goal);

} // namespace costcurve::model
