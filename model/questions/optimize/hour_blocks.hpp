// Hours of a month put together into few blocks of hours that are alike: what a linear programme can carry.
#pragma once

#include <cstdint>
#include <vector>

#include "model/compile.hpp"

namespace costcurve::model {

struct HourBlock {
    double hours = 0.0;                 ///< real hours, all members together
    std::vector<std::uint32_t> members; ///< distinct hours of the month's set
};

/// Every distinct hour of the month in one of at most max(`max_blocks`, 1 + inference workloads) blocks: hours that read the same
/// demands and prices are one block; where these are too many, blocks are those of least variance, but each workload's hour of most
/// demand is alone. Same input, same blocks. Cost: O(distinct hours x max_blocks).
[[nodiscard]] std::vector<HourBlock> block_hours(const Compiled& compiled, std::size_t month, std::size_t max_blocks);

} // namespace costcurve::model
