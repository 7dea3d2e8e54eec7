// The measurement of a served language model that goes with a performance: the same points with their conditions. Knows no file.
#pragma once

#include <optional>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"

namespace costcurve::imports {

/// One run of all devices at one load; 0: not stated.
struct ServedPoint {
    double input_tokens = 0.0; ///< per request
    double output_tokens = 0.0;
    double requests = 0.0; ///< held at a time
    double output_per_s = 0.0;
    double ttft_s = 0.0;
    double itl_s = 0.0;
    double watts = 0.0;
};

/// The measurement of a performance's points. It has the performance's id, and the performance then refers to it. A column that
/// some point doesn't state is left out. Nothing if the model or weight precision is not stated, or if a point lacks output tokens
/// or their rate. Latencies are at the performance's latency_percentile.
[[nodiscard]] std::optional<model::Measurement> measurement_beside(model::Performance& performance,
                                                                   const std::vector<ServedPoint>& points);

} // namespace costcurve::imports
