// Groups the hours of a month into a few blocks of similar hours, so that a linear programme stays small enough.
#pragma once

#include <cstdint>
#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

struct HourBlock {
    double hours = 0.0;                 ///< real hours of all members together
    std::vector<std::uint32_t> members; ///< distinct hours of the month, by index
};

/// Puts every distinct hour of the month into one of at most max(`max_blocks`, 1 + inference workloads) blocks. Hours with the same
/// demands and prices share a block. If that gives too many blocks, hours are grouped for small variance, and each workload's hour
/// of highest demand stays alone. Same input, same blocks. Cost: O(distinct hours x max_blocks).
[[nodiscard]] std::vector<HourBlock> block_hours(const Compiled& compiled, std::size_t month, std::size_t max_blocks);

} // namespace costcurve::model
