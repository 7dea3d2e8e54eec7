// Plans that read prompts on one rented pool and write answers on another, in one region of a seller.
#pragma once

#include <memory>
#include <vector>

#include "model/questions/mix/mix.hpp"

namespace costcurve::model {

/// Whether the question is of one workload of inference whose requests can be divided, and admits pairs.
[[nodiscard]] bool may_pair(const RankQuestion& question);

struct PairsFound {
    std::vector<std::unique_ptr<Mix>> pairs; ///< the cheapest first, one of each two devices, three at most
    std::size_t evaluated = 0;               ///< whole scenarios
};

/// Both halves of the workload's requests (work_of_entry) on all that is rented, by the step model's rates alone: in each region of
/// a seller the offers that do a half for the least rent are sized exactly, and any two of them are a pair. The link is assumed.
/// Kept are those that are eligible as a whole scenario and cost less than any single way of either device among `entries`.
[[nodiscard]] PairsFound find_pairs(const RankQuestion& question, const Catalog& catalog, const std::vector<Entry>& entries,
                                    const Runner& runner);

} // namespace costcurve::model
