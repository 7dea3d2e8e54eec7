// The measurement beside a performance of a served language model: the same points with their conditions. Knows no file.
#pragma once

#include <optional>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"

namespace costcurve::imports {

/// One run of all devices at a load; 0: not stated.
struct ServedPoint {
    double input_tokens = 0.0; ///< of a request
    double output_tokens = 0.0;
    double requests = 0.0; ///< held at a time
    double output_per_s = 0.0;
    double ttft_s = 0.0;
    double itl_s = 0.0;
    double watts = 0.0;
};

/// The measurement of a performance's points, under the same id, which the performance then names; columns that a point does not
/// state are left out. Nothing where the model or the precision of the weights is not stated, or of a point the output tokens or
/// their rate. The latencies are of the performance's latency_percentile.
[[nodiscard]] std::optional<model::Measurement> measurement_beside(model::Performance& performance,
                                                                   const std::vector<ServedPoint>& points);

} // namespace costcurve::imports
