// Prometheus text as DCGM exporters print it, read as samples. Other metrics are skipped.
#pragma once

#include <cstdint>

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// Reads the text exposition format (0.0.4). A line without a timestamp is of `now_ms`, Unix milliseconds. The source of a sample
/// is Hostname/UUID, or what of them (and of gpu) there is; its device is that of modelName ("" and a warning where it is unknown).
/// GPU_UTIL and GR_ENGINE_ACTIVE are both `utilization`: the one that comes first for a source is its, the other is skipped.
/// Hard errors: what `Lines` finds, no line that is in the format, no metric of DCGM in it. Memory does not grow with the text.
[[nodiscard]] HardError read_prometheus(Bytes& bytes, std::int64_t now_ms, Report& report);

} // namespace costcurve::imports
