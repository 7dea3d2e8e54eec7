// What makes a rate less sure than its own evidence says: mismatches between workload, performance and host (model.md, section 4).
#pragma once

#include <string>
#include <vector>

#include "model/documents/failure.hpp"
#include "model/performance/performance.hpp"

namespace costcurve::model {

/// A reason to take the rate as assumed.
struct Doubt {
    Code code = Code::scaling_unknown;
    std::string_view field; ///< the field of the performance that the doubt is reported at
    std::string message;
};

/// What is wrong with figures of latency of one percentile (none where it is not stated) under objectives of another; "" where the
/// objectives name none. "itl_s and ttft_s are of percentile 50, the objectives of 99".
[[nodiscard]] std::string percentile_difference(const std::optional<double>& figures, const Workload& workload);

/// The doubts about a performance; usually none. `devices_per_host`: devices of an instance or server.
[[nodiscard]] std::vector<Doubt> doubts_of(const Performance& performance, const Device& device, const Workload& workload,
                                           double devices_per_host);

/// "slo.ttft_s, 2 s and slo.itl_s, 0.05 s": the objectives that are stated.
[[nodiscard]] std::string objectives_text(const Slo& slo);

} // namespace costcurve::model
