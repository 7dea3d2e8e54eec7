// Plans that read prompts on one rented pool and write answers on another, in the same region of a seller.
#pragma once

#include <memory>
#include <vector>

#include "model/questions/mix/mix.hpp"

namespace costcurve::model {

/// Whether the question includes pairs and has one inference workload whose requests can be divided.
[[nodiscard]] bool may_pair(const RankQuestion& question);

struct PairsFound {
    std::vector<std::unique_ptr<Mix>> pairs; ///< cheapest first, at most three, each with another two devices
    std::size_t evaluated = 0;               ///< scenarios
};

/// Finds pairs for the halves of the workload's requests (work_of_entry) on rented devices. Uses the step model's rates alone. In
/// each region of a seller, the offers with the lowest rent for a half are sized exactly, and every combination of two is a pair.
/// The link is assumed. Keeps pairs whose whole scenario is eligible and costs less than any single way of either device among
/// `entries`.
[[nodiscard]] PairsFound find_pairs(const RankQuestion& question, const Catalog& catalog, const std::vector<Entry>& entries,
                                    const Runner& runner);

} // namespace costcurve::model
