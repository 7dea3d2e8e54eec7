// Hours of a pool's telemetry that were measured whole: by all sources that usually report, as often as they usually do.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/actuals/telemetry_selection.hpp"

namespace costcurve::actuals {

/// Sums over sources; nothing where the hour was not whole.
struct PoolHour {
    std::int64_t hour = 0;         ///< since 1970-01-01 UTC
    std::optional<double> devices; ///< sources of energy
    std::optional<double> joules;  ///< by counters, else by mean power
    std::optional<double> tokens;  ///< input and output, by counters; else units_per_s times the hour
    std::optional<double> output_tokens;
    std::optional<double> batch;
};

/// Ascending; of a device and of sources, where both are stated: their servers. An hour of a source is whole where it has from half
/// to one and a half times the readings that it has in the middle one: a clock that jumps, a source that was away and a half hour
/// are not. A counter that was reset is one that counted from 0; what was counted over a silence is in no hour. Sources without a
/// device are servers. The same refusals as visit_hours.
[[nodiscard]] model::Result<std::vector<PoolHour>> whole_hours(const storage::Telemetry& store, const TelemetryFilter& filter,
                                                               std::int64_t from, std::int64_t to);

} // namespace costcurve::actuals
