// Prometheus text as exporters of DCGM and AMD's Device Metrics Exporter and inference servers (vLLM, SGLang, JetStream) print it,
// read as samples. Other metrics are skipped.
#pragma once

#include <cstdint>

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// Reads the text exposition format (0.0.4). A line without a timestamp is of `now_ms`, Unix milliseconds. The source of a sample
/// is Hostname/UUID (of AMD hostname/serial_number), or what of them and of the device's number there is; its device is that of
/// modelName or card_series ("" and a warning where it is unknown). Of a server's metric the source is namespace/pod, else
/// instance, else what it serves, and the engine's number; it has no device. A pod beside a device's metric is left out: after
/// Prometheus an idle device has that of its exporter. Several fields may be one metric, as GPU_UTIL and GR_ENGINE_ACTIVE are
/// `utilization`: the one that comes first for a source is its, the others are skipped. Hard errors: what `Lines` finds, no line
/// that is in the format, no metric that is read in it. Memory does not grow with the text.
[[nodiscard]] HardError read_prometheus(Bytes& bytes, std::int64_t now_ms, Report& report);

} // namespace costcurve::imports
