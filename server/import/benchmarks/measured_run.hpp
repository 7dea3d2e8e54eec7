// What the readers of costcurve measure's files share.
#pragma once

#include "model/documents/measurement.hpp"
#include "server/import/importer.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

/// What the file says of model, device, server and date, as a measurement of one's own without points. An error where a name isn't
/// known, or a field is missing.
[[nodiscard]] HardError describe_measured(const Json& root, const Options& options, model::Measurement& measurement);

/// The file of a training run (`costcurve measure --log`).
[[nodiscard]] HardError read_measured_training(const Json& root, const Options& options, Report& report);

/// The file of a hosted model's latencies (`costcurve measure --hosted`).
[[nodiscard]] HardError read_measured_hosted(const Json& root, const Options& options, Report& report);

} // namespace costcurve::imports
