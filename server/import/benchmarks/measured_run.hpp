// What the readers of files from `costcurve measure` share.
#pragma once

#include "model/documents/measurement.hpp"
#include "server/import/importer.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

/// Fills in model, device, server and date of the user's own measurement from the file, without points. An error if a name is
/// unknown or a field is missing.
[[nodiscard]] HardError describe_measured(const Json& root, const Options& options, model::Measurement& measurement);

/// Reads the file of a training run (`costcurve measure --log`).
[[nodiscard]] HardError read_measured_training(const Json& root, const Options& options, Report& report);

/// Reads the file of a hosted model's latencies (`costcurve measure --hosted`).
[[nodiscard]] HardError read_measured_hosted(const Json& root, const Options& options, Report& report);

} // namespace costcurve::imports
