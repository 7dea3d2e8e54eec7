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
/// `utilization`: of those that a source has the better one is its, whatever their order; another one is a metric of its own
/// (`engine_utilization`) or skipped. Hard errors: what `Lines` finds, no line
/// that is in the format, no metric that is read in it. Memory is bounded: readings that
/// may give way wait for the end of the text, up to 200,000 of them.
[[nodiscard]] HardError read_prometheus(Bytes& bytes, std::int64_t now_ms, Report& report);

} // namespace costcurve::imports
