// Telemetry in any of its forms, as requests and files have it.
#pragma once

#include <optional>
#include <string_view>

#include "server/actuals/collected_samples.hpp"
#include "server/import/telemetry/smi.hpp"

namespace costcurve::ingest {

enum class TelemetryForm { prometheus, lines, smi, code_carbon };

/// The form of a text by its media type; by its first bytes where nvidia-smi may have printed it. Nothing where the form is
/// unknown.
[[nodiscard]] std::optional<TelemetryForm> form_of(std::string_view media_type, std::string_view beginning);
/// The form of a file by how it begins.
[[nodiscard]] TelemetryForm form_of_file(std::string_view beginning);

/// Samples of a text; `now_ms` is the time of lines of Prometheus without one. Refused: what the readers refuse, and more than
/// actuals::kMaxCollectedSamples.
[[nodiscard]] model::Result<actuals::CollectedSamples> collect_samples(std::string_view text, TelemetryForm form,
                                                                       const imports::SmiOptions& options, std::int64_t now_ms,
                                                                       imports::Report& report);

} // namespace costcurve::ingest
