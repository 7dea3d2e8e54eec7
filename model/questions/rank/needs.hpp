// Units that the peak of the demand needs, in closed form.
#pragma once

#include "model/compile.hpp"

namespace costcurve::model {

inline constexpr int kMaxUnits = 100'000;

struct Need {
    int units = 1;
    bool is_exact = false; ///< no fewer do, and no more are needed
};
/// With so many spares beside the replicas of inference that the month needs.
[[nodiscard]] Need need_of(const ScenarioDocument& document, const Compiled& compiled, int month, int spares);

/// Of each workload of inference on each of its pools.
[[nodiscard]] int units_of_spares(const Compiled& compiled, int spares);

/// Units of work a second at a workload's highest hour of the months up to `month`.
[[nodiscard]] double peak_units_per_s(const Workload& workload, int month);
/// That of inference; of batch the mean of its largest month.
[[nodiscard]] double needed_units_per_s(const Workload& workload, int month);

} // namespace costcurve::model
