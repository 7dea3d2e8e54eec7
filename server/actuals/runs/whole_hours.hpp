// Complete hours of a pool's telemetry: all usual sources reported as often as usual.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/actuals/telemetry_selection.hpp"

namespace costcurve::actuals {

/// Sums over sources; empty if the hour is incomplete.
struct PoolHour {
    std::int64_t hour = 0;         ///< since 1970-01-01 UTC
    std::optional<double> devices; ///< sources of energy
    std::optional<double> joules;  ///< by counters, else by mean power
    std::optional<double> tokens;  ///< input and output, by counters; else units_per_s times the hour
    std::optional<double> output_tokens;
    std::optional<double> batch;
};

/// Complete hours, ascending, of a device, of sources, or of a device and the sources that serve on it. An hour of a source is
/// complete if it has 0.5 to 1.5 times the source's median number of readings; this excludes clock jumps, absent sources and half
/// hours. A counter that fell has restarted from 0; its increase over a long gap belongs to no hour. Sources without a device are
/// servers. Refuses the same as visit_hours.
[[nodiscard]] model::Result<std::vector<PoolHour>> whole_hours(const storage::Telemetry& store, const TelemetryFilter& filter,
                                                               std::int64_t from, std::int64_t to);

} // namespace costcurve::actuals
