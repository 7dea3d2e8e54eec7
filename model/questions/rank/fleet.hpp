// Several workloads on one set of pools: what each of them adds to the bill.
#pragma once

#include <functional>
#include <vector>

#include "model/questions/rank/entries.hpp"

namespace costcurve::model {

/// By workload, of several: its part of the bill, and what it adds; nothing of that where the ways can't do the others' work, or
/// have no figure for it.
[[nodiscard]] std::vector<WorkloadShare> shares_of(const RankQuestion& question, const Entry& entry, const Summary& summary);

/// Of several workloads each one's first plan without the others; nothing where one has none.
[[nodiscard]] std::vector<PlanApart> plans_apart(const RankQuestion& question,
                                                 const std::function<Ranking(const RankQuestion& one)>& rank);

} // namespace costcurve::model
