// The scenarios that are timed, as JSON documents, so that the model, the daemon and the Python evaluator read the same.
#pragma once

#include <string>

namespace costcurve::bench {

/// 60 months, 4 pools (owned, reserved, on demand, spot), 2 inference workloads, curves over the hour of the week with
/// 168 different values each: nothing to merge but the weeks of a month.
[[nodiscard]] std::string weekly_scenario();

/// The same with five classes of units, and half a device a replica.
[[nodiscard]] std::string classes_scenario();

/// The same with hosts that fail and a spare replica.
[[nodiscard]] std::string failing_scenario();

/// The same, routed to the cheapest.
[[nodiscard]] std::string cheapest_scenario();

/// The same with office hours and a two-level tariff: hours that read the same values are one.
[[nodiscard]] std::string office_scenario();

/// The same with a tariff over the hour of the year: every hour is its own.
[[nodiscard]] std::string yearly_scenario();

/// 36 months, flat demand, one owned and one cloud pool, no hourly curve.
[[nodiscard]] std::string flat_scenario();

/// What an optimizer is asked: 24 months, five pools (owned, reserved, spot, on demand, committed), three workloads in three time
/// zones, 168 different values a week each.
[[nodiscard]] std::string fleet_scenario();

/// A request of a usual size, 10 KB: 36 months, the same pools and workloads, figures as people write them.
[[nodiscard]] std::string usual_scenario();

} // namespace costcurve::bench
