// Closed form for the number of units that peak demand needs.
#pragma once

#include "model/compile.hpp"

namespace costcurve::model {

inline constexpr int kMaxUnits = 100'000;

struct Need {
    int units = 1;
    bool is_exact = false; ///< fewer units don't do the work, and more aren't needed
};
/// Units that demand up to `month` needs, with `spares` spare replicas of each inference workload.
[[nodiscard]] Need need_of(const ScenarioDocument& document, const Compiled& compiled, int month, int spares);

/// Units that hold `spares` spare replicas of each inference workload, summed over its pools.
[[nodiscard]] int units_of_spares(const Compiled& compiled, int spares);

/// A workload's peak demand in months 0 to `month`, in units of work per second.
[[nodiscard]] double peak_units_per_s(const Workload& workload, int month);
/// Peak demand of inference, or mean demand of the largest month of batch work, in units of work per second.
[[nodiscard]] double needed_units_per_s(const Workload& workload, int month);

} // namespace costcurve::model
