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
    std::string_view field; ///< of the performance, which it stands at
    std::string message;
};

/// None, for most. `devices_per_host` are those of an instance or server.
[[nodiscard]] std::vector<Doubt> doubts_of(const Performance& performance, const Device& device, const Workload& workload,
                                           double devices_per_host);

} // namespace costcurve::model
