// Several workloads on shared pools: how each runs there, and what each adds to the bill.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/questions/mix/mix.hpp"
#include "model/questions/rank/entries.hpp"

namespace costcurve::model {

[[nodiscard]] bool is_training(const Workload& workload);

/// Sets in the option each workload's performance on its device, or all gangs if the only workload is a training run. Gives the
/// reason why a workload can't run there, or "".
[[nodiscard]] std::string_view fit_workloads(const std::vector<Workload>& workloads, Fitting& fitting, Option& option);

/// Sets each training run beside other work to the smallest gang that would end in time if it ran alone.
void take_gangs_of_fleet(const ScenarioDocument& work, Fitting& fitting, Option& option);

/// By workload: its part of the bill, and what it adds to the lowest figure of the same ways for the other workloads. `adds` is
/// absent if the ways can't do the others' work, or have no figure for it.
[[nodiscard]] std::vector<WorkloadShare> shares_of(const RankQuestion& question, const Entry& entry,
                                                   std::span<const WorkloadSummary> workloads);

/// The first plan of each workload when ranked without the others, and the plan's ways. Empty if some workload has no plan.
struct Apart {
    std::vector<PlanApart> plans;
    std::vector<std::vector<MixGroup>> groups;
};
/// Ranks each workload by itself. `rank` gives a question's ranking and the ways of its first plan.
[[nodiscard]] Apart plans_apart(const RankQuestion& question,
                                const std::function<std::pair<Ranking, std::vector<MixGroup>>(const RankQuestion& one)>& rank);

/// A mix that runs each workload by its own first plan. Nothing if a workload has no plan, if the mix costs more than the sum of
/// the plans (as with one site's bill for both), or if an entry of the same certainty costs no more.
[[nodiscard]] std::unique_ptr<Mix> mix_of_apart(const std::vector<std::vector<MixGroup>>& groups_by_workload,
                                                const std::vector<Entry>& entries, const RankQuestion& question);

/// The question with its workloads in the cheapest order for a base and a burst: workloads that come first get the base. Tries all
/// orders of up to three workloads; with more, each in turn is first or last, the others sorted by id. Keeps the request's order if
/// none costs less. `rank` gets the question restricted to hybrids.
[[nodiscard]] RankQuestion in_cheapest_order(const RankQuestion& question,
                                             const std::function<Ranking(const RankQuestion& hybrids)>& rank);

} // namespace costcurve::model
