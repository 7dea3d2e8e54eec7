// Telemetry as JSON lines of our own: one object a moment and a source.
#pragma once

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// Reads lines such as {"time": "2026-11-20T12:00:00Z", "source": "host1/0", "device": "H100", "power_w": 512.5, "utilization":
/// 0.9}. `time` is RFC 3339 with its zone, or Unix seconds (below 1e11) or milliseconds; `device` is optional: an alias or an id
/// (one that is neither is warned of, and the samples have none); the other members are those of `telemetry_metrics`, null where
/// there was no reading. A member of another name is warned of once. A line with anything wrong in it gives no sample, and all that
/// is wrong. Hard errors: what `Lines` finds, no line that is a JSON object, no line at all. Memory does not grow with the text.
[[nodiscard]] HardError read_telemetry_lines(Bytes& bytes, Report& report);

} // namespace costcurve::imports
